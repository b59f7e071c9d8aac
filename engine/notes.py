"""Later corrections and enforcement notes: dated, cited, kept apart from the text.

They lie beside a collection's folder as `<folder>.notes.jsonl` with their own sum in
`<folder>.notes.sha256`, and so outlive a refresh of the snapshot.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from engine.errors import SnapshotError
from engine.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

_FIX = "Restore the file from where you got it, or remove both the notes and their sum."
_KINDS = frozenset({"later_corrected", "enforcement"})


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader of some paragraphs must know of some days, and the text does not say."""

    kind: str
    """`later_corrected` or `enforcement`."""
    sections: tuple[str, ...]
    paragraph: str
    """A label path; empty for whole sections."""
    first: date
    last: date
    """Both inclusive."""
    citation: str
    published: date
    text: str

    def bears_on(self, section: str, paragraphs: str, day: date) -> bool:
        """Whether the note is about a cited place on a day."""
        there = section in self.sections and self.first <= day <= self.last
        return there and (not self.paragraph or self.paragraph in paragraphs)


def load_notes(path: Path) -> tuple[Note, ...]:
    """Read a collection's notes; without a file there are none.

    Raises:
        SnapshotError: the sum is missing or differs, or a line is malformed; its number is given.

    """
    if not path.is_file():
        return ()
    try:
        data = path.read_bytes()
        listed = path.with_suffix(".sha256").read_text("utf-8").split()[:1]
    except (OSError, UnicodeDecodeError) as error:
        raise SnapshotError(f"{path.name} or its sum cannot be read.", _FIX) from error
    found = hashlib.sha256(data).hexdigest()
    if listed != [found]:
        shown = one_line(" ".join(listed))
        raise SnapshotError(
            f"{path.name} is not the listed file: its SHA-256 is {found}, listed is {shown}.", _FIX
        )
    lines = data.decode("utf-8", "replace").split("\n")
    return tuple(_note(line, path, number) for number, line in enumerate(lines, 1) if line)


def _note(line: str, path: Path, number: int) -> Note:
    try:
        row: dict[str, Any] = json.loads(line)
        if row["kind"] not in _KINDS:
            raise ValueError(f"unknown kind {row['kind']!r}")  # noqa: TRY301 - one message for every fault
        return Note(
            kind=row["kind"],
            sections=tuple(map(str, row["sections"])),
            paragraph=str(row["paragraph"]),
            first=date.fromisoformat(row["from"]),
            last=date.fromisoformat(row["to"]),
            citation=str(row["citation"]),
            published=date.fromisoformat(row["published"]),
            text=str(row["text"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SnapshotError(
            f"{path.name}, line {number}: not a note: {one_line(str(error))}.", _FIX
        ) from error
