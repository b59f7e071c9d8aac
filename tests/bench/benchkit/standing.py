"""Which passage stood in force on a day, read from the XML copies alone: no date of the engine is used."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from engine.model import Chunk

_COPY = re.compile(r"part-(\d+)_(\d{4}-\d\d-\d\d)\.xml")
_NO_RULE = {"CITA", "SECAUTH", "APPRO"}
"""Elements of a section that name its documents and are no part of its text."""


@dataclass(frozen=True)
class Copies:
    """The squeezed text of every section in every dated copy, by part and day."""

    texts: Mapping[str, Mapping[date, Mapping[str, str]]]

    @classmethod
    def read(cls, folder: Path) -> Copies:
        """Read every copy of a collection folder."""
        texts: dict[str, dict[date, dict[str, str]]] = {}
        for path in sorted(folder.glob("part-*.xml")):
            found = _COPY.fullmatch(path.name)
            assert found, path.name
            day = date.fromisoformat(found[2])
            texts.setdefault(found[1], {})[day] = _sections(path)
        return cls(texts)

    def text_on(self, section: str, day: date) -> str | None:
        """The section's text in the last copy of its part that is not later than `day`."""
        by_day = self.texts[section.partition(".")[0]]
        shown = [copied for copied in by_day if copied <= day]
        return by_day[max(shown)].get(section) if shown else None

    def judge(self, chunks: Iterable[Chunk]) -> Judge:
        """A judge of these chunks."""
        return Judge(self, {chunk.id: (chunk.section, squeezed(_whole(chunk))) for chunk in chunks})


@dataclass
class Judge:
    """Says which chunks' whole section version is, letter for letter, what the copies show for a day."""

    copies: Copies
    written: Mapping[str, tuple[str, str]]
    """The section and the squeezed text of each chunk's section version, by the chunk's id."""
    _known: dict[date, frozenset[str]] = field(default_factory=dict)

    def in_force(self, day: date) -> frozenset[str]:
        """The ids of the chunks whose version's text is that of the copy that counts for `day`."""
        if day not in self._known:
            self._known[day] = frozenset(
                name
                for name, (section, text) in self.written.items()
                if self.copies.text_on(section, day) == text
            )
        return self._known[day]


def squeezed(text: str) -> str:
    """The text without white space and without the bars that part the cells of a table."""
    return re.sub(r"[\s|]+", "", text)


def _whole(chunk: Chunk) -> str:
    text = chunk.version.text
    return text.heading + text.body


def _sections(path: Path) -> dict[str, str]:
    found = {}
    for section in etree.parse(path).iter("DIV8"):
        for child in list(section):
            if child.tag in _NO_RULE:
                section.remove(child)
        found[section.get("N", "")] = squeezed("".join(section.itertext()))
    return found
