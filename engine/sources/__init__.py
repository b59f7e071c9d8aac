"""The small interface that a publisher's format fits, and the list of the formats that are read.

A reader is a pure function from the bytes of one dated copy to its sections. It reads no clock, no
setting and no network; what is odd in a copy becomes a warning and is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from engine.errors import SnapshotError
from engine.safe import one_line

if TYPE_CHECKING:
    from engine.model import SectionText


@dataclass(frozen=True, slots=True)
class PartText:
    """One part as one dated copy shows it."""

    title: str
    part: str
    """The part's number; empty for sections that stand outside any part."""
    heading: str = ""
    authority: str = ""
    """The authority citation with its lead word, `Authority: 49 U.S.C. 329 …`."""
    source: str = ""
    """The source citation with its lead word, `Source: ER-1306, 47 FR 52985 …`."""
    notes: tuple[str, ...] = ()
    """Every other text of the part outside its sections, in order: headings of subparts, notes."""
    sections: tuple[SectionText, ...] = ()
    """Sections and appendices in the file's order, under the part in which they stand in the file."""


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something odd in a copy that was kept all the same."""

    line: int
    """1-based line of the file."""
    text: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text of the file that is in no section and no part, and why."""

    line: int
    """1-based line of the file."""
    words: int
    reason: str
    text: str
    """The text, shortened."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a reader makes of one file."""

    parts: tuple[PartText, ...]
    warnings: tuple[ReadWarning, ...]
    words_in: int
    """Words of the file's text, counted in the file; a lone `|` is no word, for it divides cells."""
    words_kept: int
    """Words of the parts, sections and notes, counted in what came out."""
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    """Text above the parts, in order: headings of the title, its chapters and subchapters."""

    @property
    def lost(self) -> int:
        """Words that are neither kept nor listed as left out: anything but 0 is a fault of the reader."""
        return self.words_in - self.words_kept - sum(part.words for part in self.left_out)


class Reader(Protocol):
    """What a format has to offer."""

    def __call__(self, data: bytes, name: str, title: str = "") -> ReadResult:
        """Read the bytes of the file `name`; `title` is the title's number where the file has none.

        Raise `SnapshotError` when the file cannot be read.
        """
        ...


_READERS = {"ecfr": "engine.sources.ecfr"}


def reader_for(source: str) -> Reader:
    """Return the reader for a collection's `source`; its XML library is imported only now.

    Raise `SnapshotError` when no reader has that name.
    """
    module = _READERS.get(source)
    if module is None:
        raise SnapshotError(
            f"No reader knows the source format “{one_line(source)}”.",
            f"Set `source` in collection.json to one of: {', '.join(sorted(_READERS))}.",
        )
    reader: Reader = import_module(module).read
    return reader
