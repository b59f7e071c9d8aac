"""Answers to the dated questions recorded, so that they can be played and judged again."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from engine.answerers.prompt import request_key
from engine.answerers.replay import BUILT_IN, Recording, as_line, read_recordings, slug
from engine.errors import UsageError
from engine.paths import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from engine.answerers import Answerer
    from engine.answerers.replay import ReplayAnswerer
    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion
    from engine.model import Answer, Context, Question
    from engine.search.retriever import Method

_PART: Final = ".part"
"""Ends the name of a file that is not whole yet; nothing plays it."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Whose answers are recorded."""

    answerer: Answerer
    model: str
    """The name that recordings are found by."""
    source: str
    """As in `Recording.source`."""


@dataclass
class Journal:
    """The recordings of a run that has not ended, kept one by one beside the file that they become."""

    path: Path
    """Ends in `.part`."""
    rows: list[Recording] = field(default_factory=list)
    """What the file holds."""
    older: tuple[Recording, ...] = ()
    """What was recorded before and need not be asked again where the request is the same."""

    @property
    def target(self) -> Path:
        """The file of recordings, written when all are there."""
        return self.path.with_suffix("")

    def add(self, recording: Recording) -> None:
        """Keep one more, on the disk when this returns.

        Raises:
            UsageError: the file cannot be written to.

        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(f"{as_line(recording)}\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self.rows.append(recording)

    def kept(self, ids: Iterable[str]) -> int:
        """For how many of the questions there is an answer."""
        return len({row.id for row in self.rows} & set(ids))

    def finish(self) -> Path:
        """Write everything into the file of recordings in one step and leave no journal.

        Raises:
            UsageError: there is nothing to write, or the folder cannot be written to.

        """
        save(self.target, [*self.older, *self.rows])
        with suppress(OSError):
            self.path.unlink()
        return self.target


def open_journal(folder: Path, model: str, *, date_filter: bool, only_stale: bool = False) -> Journal:
    """The journal of a model's recordings with what an earlier run left in it; a torn last line is cut off.

    Args:
        folder: of all recordings.
        model: whose they are.
        date_filter: whether it was on.
        only_stale: whether a recording of the same request that is whole already will do.

    Raises:
        UsageError: what is there is unreadable or malformed.

    """
    target = folder / slug(model) / f"filter-{'on' if date_filter else 'off'}.jsonl"
    older = read_recordings(target) if only_stale and target.is_file() else ()
    path = target.with_name(f"{target.name}{_PART}")
    return Journal(path, _left_in(path), older)


def _left_in(path: Path) -> list[Recording]:
    if not path.is_file():
        return []
    try:
        with path.open("r+b") as file:
            file.truncate(file.read().rfind(b"\n") + 1)
        return list(read_recordings(path))
    except OSError as error:
        raise _unwritable(path, error) from error
    except UsageError as error:
        raise UsageError(error.message, f"Delete {path} to begin anew.") from error


@dataclass
class _Listening:
    """An answerer that makes a recording of what it was asked and what it said."""

    voice: Voice
    base: Callable[[str, Answer, float], Recording]
    """Makes a recording of a request, its answer and its seconds."""
    held: Mapping[str, Recording]
    """Recordings of an earlier run, by request: what they hold is not asked again."""
    heard: Recording | None = field(default=None)

    @property
    def name(self) -> str:
        """The inner answerer's name."""
        return self.voice.answerer.name

    def answer(self, question: Question, context: Context) -> Answer:
        """Give the answer that is held, or let the inner one answer and time it."""
        request = request_key(question, context, self.voice.model)
        self.heard = self.held.get(request)
        if self.heard is not None:
            return self.heard.answer
        begun = time.perf_counter()
        said = self.voice.answerer.answer(question, context)
        self.heard = self.base(request, said, time.perf_counter() - begun)
        return said


def record(
    engine: Engine,
    questions: Iterable[DatedQuestion],
    voice: Voice,
    *,
    method: Method | None = None,
    date_filter: bool = True,
    journal: Journal | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[Recording, ...]:
    """Ask an answerer every question of a dated set and keep what it says.

    A question before the history, with the filter on, reaches no answerer and is not recorded.

    Args:
        engine: what is asked.
        questions: of the dated set.
        voice: who answers.
        method: how passages are ranked.
        date_filter: whether only texts in force are given.
        journal: gets each answer as it is made; the same request is not asked again if it holds one.
        tell: hears the id of each question that is done.

    """
    snapshot = engine.collection.sha256
    made: list[Recording] = []
    for question in questions:

        def base(request: str, said: Answer, seconds: float, one: str = question.id) -> Recording:
            kept = replace(said, model=voice.model)
            return Recording(one, date_filter, request, voice.model, voice.source, snapshot, kept, seconds)

        before = () if journal is None else (*journal.older, *journal.rows)
        held = _held(before, question.id, voice.source, snapshot)
        listening = _Listening(voice, base, held)
        engine.ask(
            question.question, question.as_of, answerer=listening, method=method, date_filter=date_filter
        )
        if listening.heard is not None:
            made.append(listening.heard)
            if journal is not None and listening.heard.request not in held:
                journal.add(listening.heard)
        if tell:
            tell(question.id)
    return tuple(made)


def save(path: Path, recordings: Iterable[Recording]) -> None:
    """Write recordings into a file in one step, keeping older ones of other questions.

    Raises:
        UsageError: there is nothing to write, or the folder cannot be written to.

    """
    rows = {row.id: row for row in recordings}
    if not rows:
        raise UsageError("Nothing was recorded.", "Name questions of the dated set with --ids.")
    if path.is_file():
        rows = {row.id: row for row in read_recordings(path)} | rows
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, "".join(f"{as_line(rows[one])}\n" for one in sorted(rows)))
    except OSError as error:
        raise _unwritable(path, error) from error


@dataclass
class Beside:
    """Plays the recordings of an answerer that is built in, and hears what it says to the same today.

    Its words are decided by code and word list as much as by the request, and asking it costs nothing:
    a recording is what it would say now, or it is stale.
    """

    replay: ReplayAnswerer
    answerer: Answerer
    changed: set[str] = field(default_factory=set)
    """The ids whose answer would be recorded otherwise now."""

    @property
    def name(self) -> str:
        """That of what is played."""
        return self.replay.name

    def answer(self, question: Question, context: Context) -> Answer:
        """Return the recorded answer; note it when the answerer's own is another."""
        row = self.replay.by_request.get(request_key(question, context, self.replay.model))
        if row is not None:
            now = replace(row, answer=self.answerer.answer(question, context))
            if as_line(now) != as_line(row):
                self.changed.add(row.id)
        return self.replay.answer(question, context)


def _held(rows: Sequence[Recording], one: str, source: str, snapshot: str) -> dict[str, Recording]:
    """The recordings of a question by request; what is built in may have changed and is asked again."""
    return {
        row.request: row
        for row in rows
        if (row.id, row.source, row.snapshot) == (one, source, snapshot) and source != BUILT_IN
    }


def _unwritable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"The recordings cannot be written to {path}: {error}.", "Name a folder with --out.")
