"""The eCFR's XML as parts and sections: one part's file, or a whole title's.

Levels are `DIV1` (title) to `DIV9` (appendix) and may be skipped. Nothing is dropped in silence: the
result counts the words of the file, those that were kept, and lists what was left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.model import SectionText
from engine.sources import PartText, ReadResult, _ecfr_names as names
from engine.sources._ecfr_blocks import Findings, SectionReader
from engine.sources._ecfr_text import collapse, pieces_of, plain_text
from engine.sources._ecfr_words import file_words, kept_words
from engine.sources._ecfr_xml import line_of, parse

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_TITLE_PATH = re.compile(r"/title-([0-9]+[a-z]?)(?:/|&|\"|$)")
_NUMBER_PREFIX = re.compile(r"^(?:§+|Sec\.|Part|Title)\s*", re.IGNORECASE)
_IN_HEADING = re.compile(r"(?:§+|Sec\.)\s*([0-9][^\s]*[0-9A-Za-z)])")
_PLAIN_NUMBER = re.compile(r"([0-9]+[a-z]{0,2})\.[0-9]+[a-z]{0,2}")

_PART_FIELDS = {"HEAD": "heading", "AUTH": "authority", "SOURCE": "source"}
"""Children of a part with a place of their own; the second of a kind is a note."""


def read(data: bytes, name: str, title: str = "") -> ReadResult:
    """Return the parts and sections of the file `name`, with warnings and the count of words.

    `title` is used only where the file does not say which title it is of. Raise `SnapshotError` for
    a file that is no complete XML of the eCFR.
    """
    root = parse(data, name)
    walk = _Walk(title=_title_of(root) or title)
    walk.read(root)
    parts = tuple(part.done(walk.title) for part in walk.parts)
    return ReadResult(
        parts=parts,
        warnings=tuple(walk.findings.warnings),
        words_in=file_words(root),
        words_kept=kept_words(parts, walk.notes),
        left_out=tuple(walk.findings.left_out),
        notes=tuple(walk.notes),
    )


def _title_of(root: Element) -> str:
    """Return the title's number from the first element that tells it, or an empty text."""
    for element in root.iter():
        level = names.name_of(element)
        found = _TITLE_PATH.search(str(element.get("hierarchy_metadata", "")))
        if found:
            return found[1]
        if level == "DIV1" and element.get("N"):
            return _number_of(element)
    return ""


@dataclass(slots=True)
class _Part:
    """A part that is being read."""

    number: str
    element: Element | None = None
    """None for the part of sections that stand outside any part."""
    heading: str = ""
    authority: str = ""
    source: str = ""
    notes: list[str] = field(default_factory=list)
    sections: list[SectionText] = field(default_factory=list)

    def done(self, title: str) -> PartText:
        """The part as it was read, of that title."""
        return PartText(
            title,
            self.number,
            self.heading,
            self.authority,
            self.source,
            tuple(self.notes),
            tuple(self.sections),
        )


@dataclass(slots=True)
class _Walk:
    """One walk over the levels of a file."""

    title: str
    findings: Findings = field(default_factory=Findings)
    parts: list[_Part] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)
    """The line of each section so far."""

    def read(self, root: Element) -> None:
        """Walk over the whole file."""
        if not self.title:
            self.findings.warn(line_of(root), "the file does not say which title it is of")
        self._element(root, None)
        if not self.parts:
            self.findings.warn(line_of(root), "the file holds neither part nor section")

    def _children(self, element: Element, part: _Part | None) -> None:
        loose = [(element.text or "", False)]
        for child in element:
            if names.is_inline(child):
                loose.extend(pieces_of(child))
            else:
                self._stray(element, loose, part)
                self._element(child, part)
            loose.append((child.tail or "", False))
        self._stray(element, loose, part)

    def _element(self, element: Element, part: _Part | None) -> None:
        name = names.name_of(element)
        if name in names.SECTION_LEVELS:
            self._section(element, part)
        elif name == "DIV5":
            inner = _Part(_number_of(element), element)
            self.parts.append(inner)
            self._children(element, inner)
        elif names.is_level(name) or name in names.FILE_WRAPPERS | names.WRAPPERS:
            self._children(element, part)
        elif name in names.LEFT_OUT:
            self.findings.leave_out(element)
        else:
            self._text(element, name, part)

    def _text(self, element: Element, name: str, part: _Part | None) -> None:
        """Keep a text outside the sections: as the part's heading, authority or source, or as a note."""
        if name not in names.KNOWN_BLOCKS:
            self.findings.unknown(element)
            if any(names.is_level(names.name_of(inner)) for inner in element.iterdescendants()):
                self._children(element, part)
                return
        text = plain_text(element)
        parent = element.getparent()
        field_name = _PART_FIELDS.get(name, "")
        if part is not None and parent is part.element and field_name and not getattr(part, field_name):
            setattr(part, field_name, text)
        elif text:
            self._notes(part).append(text)

    def _stray(self, element: Element, pieces: list[tuple[str, bool]], part: _Part | None) -> None:
        text = collapse(pieces).text
        pieces.clear()
        if text:
            self.findings.warn(line_of(element), f"text outside any element: {text[:80]}")
            self._notes(part).append(text)

    def _notes(self, part: _Part | None) -> list[str]:
        return self.notes if part is None else part.notes

    def _section(self, element: Element, part: _Part | None) -> None:
        reader = SectionReader(self.findings)
        blocks = reader.read(element)
        number = self._section_number(element, reader.heading)
        plain = _PLAIN_NUMBER.fullmatch(number)
        section = SectionText(
            title=self.title,
            part=plain[1] if plain else part.number if part else "",
            section=number,
            heading=reader.heading,
            blocks=blocks,
            notices=tuple(reader.notices),
            source_note=reader.source_note,
            approvals=tuple(reader.approvals),
            line=line_of(element),
        )
        home = part or self._loose_part(section.part)
        self._check(section, home)
        home.sections.append(section)
        for inner in reader.nested:
            self.findings.warn(line_of(inner), f"<{names.name_of(inner)}> stands inside section {number}")
            self._element(inner, home)

    def _loose_part(self, number: str) -> _Part:
        """Return the part for sections outside any part, one for each run of the same number."""
        if not (self.parts and self.parts[-1].element is None and self.parts[-1].number == number):
            self.parts.append(_Part(number))
        return self.parts[-1]

    def _section_number(self, element: Element, heading: str) -> str:
        """Return the number, from the heading when the element has none; an appendix has its full name."""
        number = _number_of(element)
        if number:
            return number
        if names.name_of(element) == "DIV9":
            number = re.split("[—–]", heading)[0].strip()
        elif found := _IN_HEADING.search(heading):
            number = found[1]
        number = number or heading
        self.findings.warn(line_of(element), f"no number; {number!r} is taken from the heading")
        return number

    def _check(self, section: SectionText, home: _Part) -> None:
        """Warn of what is odd about a section that is kept all the same."""
        line, number = section.line, section.section
        if not section.heading:
            self.findings.warn(line, f"section {number} has no heading")
        elif section.section not in section.heading and _PLAIN_NUMBER.fullmatch(number):
            self.findings.warn(line, f"section {number} has the heading {section.heading!r}")
        if section.part != home.number:
            self.findings.warn(line, f"section {number} stands under part {home.number}")
        if number in self._seen:
            self.findings.warn(line, f"section {number} stands in line {self._seen[number]} too")
        self._seen.setdefault(number, line)


def _number_of(element: Element) -> str:
    """Return the attribute `N` without its section sign, as one line."""
    text = " ".join(str(element.get("N", "")).split())
    return _NUMBER_PREFIX.sub("", text)
