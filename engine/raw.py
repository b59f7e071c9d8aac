"""The publisher's own lines behind a section version, for those who check the reading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.model import SectionVersion
    from engine.snapshot import Collection, SourceFile

_END = re.compile(r"</DIV[89]>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RawSection:
    """Where a section version stands in the collection, and what stands there."""

    file: SourceFile
    first_line: int
    """1-based."""
    text: str
    """The lines as they are in the file, markup and all; make them safe before showing them."""


def section_source(collection: Collection, version: SectionVersion) -> RawSection | None:
    """Return the lines of the first dated copy in the version's days that holds it; None without one.

    Raises:
        SnapshotError: the copy is missing, unreadable or altered since it was opened.

    """
    for file, day in collection.copies:
        if (file.title, file.part) != (version.text.title, version.text.part) or not version.in_force(day):
            continue
        lines = collection.read(file.file).decode("utf-8", "replace").split("\n")
        start = version.text.line - 1
        if 0 <= start < len(lines) and version.section in lines[start]:
            ends = (at for at in range(start, len(lines)) if _END.search(lines[at]))
            return RawSection(file, start + 1, "\n".join(lines[start : next(ends, len(lines) - 1) + 1]))
    return None
