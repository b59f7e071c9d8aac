"""Answers to the dated questions recorded, so that they can be played and judged again."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.answerers.prompt import request_key
from engine.answerers.replay import Recording, as_line, read_recordings, slug
from engine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.answerers import Answerer
    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion
    from engine.model import Answer, Context, Question
    from engine.search.retriever import Method


@dataclass
class _Listening:
    """An answerer that remembers what it was asked and what it said."""

    inner: Answerer
    model: str
    heard: tuple[str, Answer, float] | None = field(default=None)

    @property
    def name(self) -> str:
        """The inner answerer's name."""
        return self.inner.name

    def answer(self, question: Question, context: Context) -> Answer:
        """Let the inner one answer and keep it with its request and its time in seconds."""
        begun = time.perf_counter()
        said = self.inner.answer(question, context)
        self.heard = (request_key(question, context, self.model), said, time.perf_counter() - begun)
        return said


def record(
    engine: Engine,
    questions: Iterable[DatedQuestion],
    answerer: Answerer,
    *,
    model: str,
    source: str,
    method: Method | None = None,
    date_filter: bool = True,
    tell: Callable[[str], None] | None = None,
) -> tuple[Recording, ...]:
    """Ask an answerer every question of a dated set and keep what it says.

    A question before the history, with the filter on, reaches no answerer and is not recorded.
    """
    made: list[Recording] = []
    for question in questions:
        listening = _Listening(answerer, model)
        engine.ask(
            question.question, question.as_of, answerer=listening, method=method, date_filter=date_filter
        )
        if listening.heard is not None:
            request, answer, seconds = listening.heard
            kept = replace(answer, model=model)
            made.append(
                Recording(
                    question.id, date_filter, request, model, source, engine.collection.sha256, kept, seconds
                )
            )
        if tell:
            tell(question.id)
    return tuple(made)


def save(folder: Path, recordings: Iterable[Recording]) -> Path:
    """Write recordings of one model into its folder, keeping older ones of other questions.

    The file is replaced in one step. Its name says whether the date filter was on.

    Raises:
        UsageError: there is nothing to write, or the folder cannot be written to.

    """
    rows = {row.id: row for row in recordings}
    if not rows:
        raise UsageError("Nothing was recorded.", "Name questions of the dated set with --ids.")
    first = next(iter(rows.values()))
    path = folder / slug(first.model) / f"filter-{'on' if first.date_filter else 'off'}.jsonl"
    if path.is_file():
        rows = {row.id: row for row in read_recordings(path)} | rows
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".", suffix=".new", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{as_line(rows[one])}\n" for one in sorted(rows))
            Path(name).chmod(0o644)  # a temporary file is its owner's alone; a recording holds no secret
            Path(name).replace(path)
        finally:
            with suppress(OSError):
                Path(name).unlink()
    except OSError as error:
        raise UsageError(
            f"The recordings cannot be written to {path}: {error}.", "Name a folder with --out."
        ) from error
    return path
