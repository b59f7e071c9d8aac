"""The usual measurement in one call, with progress and a way to stop: search and quoted answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.answerers.quote import QuoteAnswerer
from engine.evaluation.answers import run_answers
from engine.evaluation.questions import load_set
from engine.evaluation.retrieval import run_retrieval

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.engine import Engine


@dataclass(frozen=True, slots=True)
class Measured:
    """What the shipped dated questions say of an engine; each pair is date filter on, then off."""

    method: str
    """The search method measured."""
    retrieval: tuple[dict[str, Any], ...]
    """Figures of the search, by name: `recall@5`, `places not in force` and so on."""
    answers: tuple[dict[str, Any], ...]
    """Figures of the answerer `quote`, by name: `answerable right` and so on."""


class _Stopped(Exception):  # noqa: N818 - it is no fault
    """The caller said that it is enough."""


def measure(engine: Engine, tell: Callable[[int, int], bool]) -> Measured | None:
    """Measure the engine's own method on the shipped questions; some seconds of work.

    Args:
        engine: what to measure.
        tell: hears after each step how many of how many are done; False stops, and gives None back.

    Raises:
        UsageError: the shipped questions cannot be read.

    """
    questions = load_set("questions")
    total = 2 * (sum(bool(row.relevant) for row in questions) + len(questions))
    done = 0

    def step(_: str) -> None:
        nonlocal done
        done += 1
        if not tell(done, total):
            raise _Stopped

    answerer = QuoteAnswerer(engine.words)
    try:
        searched = [
            run_retrieval(engine, questions, engine.method, date_filter=on, tell=step) for on in (True, False)
        ]
        answered = [
            run_answers(engine, questions, answerer, date_filter=on, tell=step) for on in (True, False)
        ]
    except _Stopped:
        return None
    return Measured(
        str(engine.method),
        tuple(run.figures() for run in searched),
        tuple(run.figures() for run in answered),
    )
