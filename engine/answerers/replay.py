"""Recorded answers played again: the same request gives the same answer, any other gives none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine.answerers.prompt import request_key
from engine.errors import UsageError
from engine.model import Answer, Claim, Reason, Status, Usage
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from engine.model import Context, Question

NO_RECORDING = "No recording for this request."
BUILT_IN = "built in"
"""The source of an answerer that is part of the program."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One answer that was given once, under the request that it belongs to."""

    id: str
    """Of the question in the dated set; a caller's question is never recorded."""
    date_filter: bool
    request: str
    """SHA-256 of prompt, model, question, day and passages: another of any of them is another request."""
    model: str
    source: str
    """Where the model lay: `sha256:…` of its file, a server's name, or `built in`."""
    snapshot: str
    answer: Answer
    seconds: float


@dataclass(frozen=True)
class ReplayAnswerer:
    """Answers from recordings alone."""

    model: str
    recordings: tuple[Recording, ...]
    name: str = "replay"

    @cached_property
    def by_request(self) -> Mapping[str, Recording]:
        """Each request's recording; with the date filter on and off a request may be the same."""
        return {row.request: row for row in self.recordings}

    @property
    def built_in(self) -> bool:
        """Whether it is the program's own answerer that was recorded."""
        return all(row.source == BUILT_IN for row in self.recordings)

    def answer(self, question: Question, context: Context) -> Answer:
        """Return the recorded answer, or say that there is none for this request."""
        found = self.by_request.get(request_key(question, context, self.model))
        return found.answer if found else Answer(Status.NO_RECORDING, NO_RECORDING, model=self.model)

    def stale(
        self, ids: Iterable[str], played: Iterable[str], *, date_filter: bool, snapshot: str
    ) -> tuple[str, ...]:
        """The asked ids whose recording is of another snapshot, or is not of the request as it is now.

        Args:
            ids: the questions that were asked.
            played: those of them that got an answer which is still the one to be given.
            date_filter: how they were asked.
            snapshot: the sum of the texts that they were asked of.

        """
        held = {row.id: row.snapshot for row in self.recordings if row.date_filter == date_filter}
        fresh = {one for one in played if held.get(one) == snapshot}
        return tuple(one for one in ids if one in held and one not in fresh)


def load_replay(folders: Sequence[Path], model: str) -> ReplayAnswerer:
    """Read the recordings of a model from the first folder that has some.

    Raises:
        UsageError: no folder has recordings of that name, or a line is malformed.

    """
    for folder in folders:
        files = sorted((folder / slug(model)).glob("*.jsonl"))
        if files:
            rows = [row for file in files for row in read_recordings(file)]
            return ReplayAnswerer(rows[0].model if rows else model, tuple(rows))
    held = sorted({path.parent.name for folder in folders for path in folder.glob("*/*.jsonl")})
    raise UsageError(
        f"There are no recordings of {one_line(model)}.", f"Held are: {', '.join(held) or 'none'}."
    )


def read_recordings(path: Path) -> tuple[Recording, ...]:
    """Read one file of recordings.

    Raises:
        UsageError: the file is unreadable or a line is malformed; its number is given.

    """
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The recordings in {path} cannot be read.", "Record them again.") from error
    made = []
    for number, line in enumerate(lines, 1):
        if line:
            try:
                made.append(_recording(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise UsageError(
                    f"{path.name}, line {number}: not a recording: {one_line(str(error))}.",
                    "Record it again.",
                ) from error
    return tuple(made)


def as_line(recording: Recording) -> str:
    """One recording as a line of JSON."""
    answer = recording.answer
    row = {
        "id": recording.id,
        "date_filter": recording.date_filter,
        "request": recording.request,
        "model": recording.model,
        "source": recording.source,
        "snapshot": recording.snapshot,
        "seconds": round(recording.seconds, 3),
        "usage": answer.usage
        and {"tokens_in": answer.usage.tokens_in, "tokens_out": answer.usage.tokens_out},
        "answer": {
            "status": answer.status,
            "reason": answer.reason,
            "error": answer.error,
            "text": answer.text,
            "claims": [
                {"text": claim.text, "passages": list(claim.passages), "labels": list(claim.labels)}
                for claim in answer.claims
            ],
            "rests_on": list(answer.rests_on),
        },
    }
    return json.dumps(row, ensure_ascii=False)


def slug(model: str) -> str:
    """A model's name as the name of a folder."""
    safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in model)
    return safe.strip(".") or "_"


def _texts(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise TypeError(f"{given!r} is no list")
    return tuple(map(str, given))


def _recording(row: dict[str, Any]) -> Recording:
    given = row["answer"]
    usage = row["usage"]
    answer = Answer(
        status=Status(given["status"]),
        text=str(given["text"]),
        claims=tuple(
            Claim(str(claim["text"]), _texts(claim["passages"]), labels=_texts(claim["labels"]))
            for claim in given["claims"]
        ),
        reason=None if given["reason"] is None else Reason(given["reason"]),
        error=None if given["error"] is None else str(given["error"]),
        rests_on=_texts(given["rests_on"]),
        model=str(row["model"]),
        usage=None if usage is None else Usage(int(usage["tokens_in"]), int(usage["tokens_out"])),
        seconds=float(row["seconds"]),
    )
    return Recording(
        id=str(row["id"]),
        date_filter=bool(row["date_filter"]),
        request=str(row["request"]),
        model=str(row["model"]),
        source=str(row["source"]),
        snapshot=str(row["snapshot"]),
        answer=answer,
        seconds=float(row["seconds"]),
    )
