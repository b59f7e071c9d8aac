"""Retrieval measures over the dated questions that have passages."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

from engine.evaluation.questions import load_questions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engine.evaluation.questions import DatedQuestion, Place
    from engine.model import Chunk

    Ranking = Callable[[DatedQuestion], Sequence[Chunk]]
    """Gives the chunks for a question, best first."""

TOP = 5
COLUMNS = ("hit@1", "hit@5", "recall@5", "MRR")


@dataclass(frozen=True)
class Measures:
    """Means over questions; a rank counts from 1, and MRR looks at the whole ranking."""

    hit1: float
    hit5: float
    recall5: float
    mrr: float

    @property
    def cells(self) -> tuple[str, ...]:
        """The measures as a table shows them, in the order of `COLUMNS`."""
        return tuple(f"{value:.3f}" for value in (self.hit1, self.hit5, self.recall5, self.mrr))


def with_passages(path: Path) -> tuple[DatedQuestion, ...]:
    """The questions of a set that have relevant passages."""
    return tuple(question for question in load_questions(path) if question.relevant)


def measure(questions: Sequence[DatedQuestion], ranking: Ranking) -> Measures:
    """Rank every question's chunks and take the means."""
    rows = [_of_one(question, ranking(question)) for question in questions]
    return Measures(*(mean(column) for column in zip(*rows, strict=True)))


def carries(chunk: Chunk, place: Place) -> bool:
    """Whether a chunk is of the place's version and holds the paragraph, and the words if there are any."""
    if (chunk.section, chunk.version.effective_from) != (place.section, place.effective_from):
        return False
    return any(
        block.label == place.paragraph
        and (not place.text or any(words in block.text for words in place.text))
        for block in chunk.blocks
    )


def _of_one(question: DatedQuestion, ranked: Sequence[Chunk]) -> tuple[float, float, float, float]:
    ranks = [
        rank for rank, chunk in enumerate(ranked, 1) if any(carries(chunk, p) for p in question.relevant)
    ]
    first = ranks[0] if ranks else None
    found = [any(carries(chunk, place) for chunk in ranked[:TOP]) for place in question.relevant]
    return (
        float(first == 1),
        float(first is not None and first <= TOP),
        mean(found),
        1 / first if first else 0.0,
    )
