"""Answers measured on dated questions: right, honest, and cited from the right version."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.evaluation import measures
from engine.evaluation.retrieval import holds
from engine.model import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.answerers import Answerer
    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion
    from engine.model import AnswerCard
    from engine.search.retriever import Method

NO_ANSWER = frozenset({"before", "absent", "not_covered"})
"""Kinds of questions whose right answer gives nothing."""
_UNUSABLE = frozenset({Status.FAILED, Status.NO_RECORDING})
"""No answer at all: neither a right one nor an abstention."""
_PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One answer, judged by patterns and places; a net, not a reader."""

    id: str
    kind: str
    status: str
    right: bool
    """Answered with every key and nothing forbidden; where nothing can be given, an abstention."""
    shown_but_wrong: bool
    """Answered, and not right."""
    cited: int
    cited_in_force: int
    cited_relevant: int
    """Cited passages that hold one of the places that the question wants."""
    wanted: int
    wanted_cited: int
    claims: int
    flagged: int
    """Claims with a problem."""
    milliseconds: float
    """Search and answer; of a recording what the answerer took when it was recorded."""
    tokens_in: int
    tokens_out: int
    answer: str


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """One answerer over a set of questions."""

    answerer: str
    model: str | None
    method: str
    date_filter: bool
    rows: tuple[JudgedAnswer, ...]
    stale: tuple[str, ...] = ()
    """Ids whose recording is of another snapshot, prompt or context."""

    def figures(self, price_in: float = 0.0, price_out: float = 0.0) -> dict[str, Any]:
        """The measures, with bootstrap intervals for the shares; prices are per million tokens."""
        asked = [row for row in self.rows if row.kind not in NO_ANSWER]
        rest = [row for row in self.rows if row.kind in NO_ANSWER]
        made: dict[str, Any] = {
            "answerer": self.answerer,
            "model": self.model,
            "method": self.method,
            "date_filter": self.date_filter,
            "questions": len(self.rows),
            "answerable": len(asked),
            "answerable right": sum(row.right for row in asked),
            "answerable right interval": _share(asked),
            "abstained": sum(row.status in {Status.ABSTAINED, Status.NOT_HELD} for row in asked),
            "no-answer": len(rest),
            "no-answer right": sum(row.right for row in rest),
            "no-answer right interval": _share(rest),
            "shown but wrong": sum(row.shown_but_wrong for row in self.rows),
            "failed or not recorded": sum(row.status in _UNUSABLE for row in self.rows),
        }
        made |= _citations(self.rows)
        times = [row.milliseconds for row in self.rows if row.status != Status.NO_RECORDING]
        made["milliseconds median"] = measures.percentile(times, 0.5)
        made["milliseconds p95"] = measures.percentile(times, 0.95)
        made["tokens in"] = sum(row.tokens_in for row in self.rows)
        made["tokens out"] = sum(row.tokens_out for row in self.rows)
        if price_in or price_out:
            spent = made["tokens in"] * price_in + made["tokens out"] * price_out
            made["cost a question"] = round(spent / _PER_MILLION / max(1, len(self.rows)), 6)
        made["by kind"] = _by_kind(self.rows)
        made["stale"] = list(self.stale)
        return made


def judge(card: AnswerCard, question: DatedQuestion) -> JudgedAnswer:
    """Judge one card by the question's keys, forbidden patterns and places."""
    answered = card.status is Status.ANSWERED
    forbidden = any(_found(pattern, card.answer) for pattern in question.must_not)
    keyed = all(_found(pattern, card.answer) for pattern in question.keys)
    if question.kind in NO_ANSWER:
        right = not answered and card.status not in _UNUSABLE and not forbidden
    else:
        right = answered and keyed and not forbidden
    chunks = [source.chunk for source in card.sources if answered]
    relevant = [any(holds(chunk, place) for place in question.relevant) for chunk in chunks]
    reached = [any(holds(chunk, place) for chunk in chunks) for place in question.relevant]
    return JudgedAnswer(
        id=question.id,
        kind=question.kind,
        status=card.status,
        right=right,
        shown_but_wrong=answered and not right,
        cited=len(chunks),
        cited_in_force=sum(source.in_force for source in card.sources) if answered else 0,
        cited_relevant=sum(relevant),
        wanted=len(question.relevant),
        wanted_cited=sum(reached),
        claims=len(card.claims),
        flagged=sum(bool(claim.problems) for claim in card.claims),
        milliseconds=card.timings_ms.get("recorded", card.timings_ms.get("total", 0.0)),
        tokens_in=card.usage.tokens_in if card.usage else 0,
        tokens_out=card.usage.tokens_out if card.usage else 0,
        answer=card.answer,
    )


def run_answers(
    engine: Engine,
    questions: Iterable[DatedQuestion],
    answerer: Answerer,
    *,
    method: Method | None = None,
    date_filter: bool = True,
    closed_book: bool = False,
    tell: Callable[[str], None] | None = None,
) -> AnswerRun:
    """Ask every question; `tell` hears each question's id when it is done."""
    rows = []
    model: str | None = None
    used = ""
    for question in questions:
        card = engine.ask(
            question.question,
            question.as_of,
            answerer=answerer,
            method=method,
            date_filter=date_filter,
            closed_book=closed_book,
        )
        rows.append(judge(card, question))
        model, used = card.model or model, card.method
        if tell:
            tell(question.id)
    return AnswerRun(answerer.name, model, used, date_filter, tuple(rows))


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _share(rows: Iterable[JudgedAnswer]) -> list[float]:
    low, high = measures.interval([float(row.right) for row in rows])
    return [round(low, 3), round(high, 3)]


def _citations(rows: Iterable[JudgedAnswer]) -> dict[str, Any]:
    shown = list(rows)
    cited = sum(row.cited for row in shown)
    wanted = sum(row.wanted for row in shown)
    return {
        "citations": cited,
        "citations of the right version": sum(row.cited_in_force for row in shown),
        "citation precision": round(sum(row.cited_relevant for row in shown) / max(1, cited), 3),
        "citation recall": round(sum(row.wanted_cited for row in shown) / max(1, wanted), 3),
        "claims": sum(row.claims for row in shown),
        "claims flagged": sum(row.flagged for row in shown),
    }


def _by_kind(rows: Iterable[JudgedAnswer]) -> dict[str, dict[str, int]]:
    made: dict[str, dict[str, int]] = {}
    for row in rows:
        counted = made.setdefault(row.kind, {"questions": 0, "right": 0, "shown but wrong": 0})
        counted["questions"] += 1
        counted["right"] += row.right
        counted["shown but wrong"] += row.shown_but_wrong
    return made
