"""Search measured on dated questions: whether the right paragraph of the right version comes up."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from engine.evaluation import measures
from engine.model import BlockKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from engine.engine import Engine
    from engine.evaluation.measures import Found
    from engine.evaluation.questions import DatedQuestion, Place
    from engine.model import Chunk
    from engine.search.retriever import Method

DEPTH = 10
"""Places of a ranking that are looked at."""
TOP = 5
"""Places that reach an answer."""
CUTS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """One question's ranking, judged."""

    id: str
    kind: str
    ranking: tuple[Found, ...]
    not_in_force: int
    """Of the first five places."""
    places: int
    """How many of the first five were filled."""
    other_version_first: bool
    """Whether the first place with a right paragraph holds it in the words of another version."""


@dataclass(frozen=True, slots=True)
class RetrievalRun:
    """One method over a set of questions."""

    method: str
    date_filter: bool
    rows: tuple[RankedQuestion, ...]

    def figures(self) -> dict[str, Any]:
        """The measures over all questions with passages, with bootstrap intervals for the means."""
        means: dict[str, list[float]] = {"hit@5": [measures.hit_at(row.ranking, TOP) for row in self.rows]}
        for cut in CUTS:
            means[f"recall@{cut}"] = [measures.recall_at(row.ranking, cut) for row in self.rows]
        means["precision@5"] = [measures.precision_at(row.ranking, TOP) for row in self.rows]
        means["mrr"] = [measures.reciprocal_rank(row.ranking) for row in self.rows]
        made: dict[str, Any] = {
            "method": self.method,
            "date_filter": self.date_filter,
            "questions": len(self.rows),
        }
        for name, values in means.items():
            made[name] = round(fmean(values), 4) if values else 0.0
            made[f"{name} interval"] = [round(edge, 4) for edge in measures.interval(values)]
        made["places"] = sum(row.places for row in self.rows)
        made["places not in force"] = sum(row.not_in_force for row in self.rows)
        made["other version first"] = sum(row.other_version_first for row in self.rows)
        return made


def holds(chunk: Chunk, place: Place, *, any_version: bool = False) -> bool:
    """Whether a passage is the one that a question wants: section, version, paragraph, words."""
    if chunk.section != place.section:
        return False
    if not any_version and chunk.version.effective_from != place.effective_from:
        return False
    return any(
        block.label.startswith(place.paragraph)
        and block.kind is not BlockKind.NOTICE
        and (not place.text or any(words in block.text for words in place.text))
        for block in chunk.blocks
        if block.label == place.paragraph or place.paragraph
    )


def run_retrieval(
    engine: Engine,
    questions: Iterable[DatedQuestion],
    method: Method,
    *,
    date_filter: bool,
    tell: Callable[[str], None] | None = None,
) -> RetrievalRun:
    """Rank for every question that has passages; `tell` hears each question's id when it is done."""
    rows = []
    for question in questions:
        if question.relevant:
            rows.append(_judged(engine, question, method, date_filter=date_filter))
            if tell:
                tell(question.id)
    return RetrievalRun(method, date_filter, tuple(rows))


def _judged(engine: Engine, question: DatedQuestion, method: Method, *, date_filter: bool) -> RankedQuestion:
    as_of = question.as_of if date_filter else None
    hits = engine.search(question.question, as_of, method=method, top=DEPTH).hits
    ranking = tuple(tuple(holds(hit.chunk, place) for place in question.relevant) for hit in hits)
    return RankedQuestion(
        id=question.id,
        kind=question.kind,
        ranking=ranking,
        not_in_force=sum(not hit.chunk.version.in_force(question.as_of) for hit in hits[:TOP]),
        places=len(hits[:TOP]),
        other_version_first=_other_first([hit.chunk for hit in hits], question.relevant),
    )


def _other_first(chunks: Sequence[Chunk], places: Sequence[Place]) -> bool:
    for chunk in chunks:
        if any(holds(chunk, place, any_version=True) for place in places):
            return not any(holds(chunk, place) for place in places)
    return False
