"""One section or appendix of the eCFR's XML as blocks, notices, source note and approvals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from engine.model import Block, BlockKind, Notice
from engine.safe import one_line
from engine.sources import LeftOut, ReadWarning, _ecfr_names as names
from engine.sources._ecfr_text import Run, TableText, collapse, plain_text
from engine.sources._ecfr_words import count
from engine.sources._ecfr_xml import line_of
from engine.sources.labels import Line, Role, read_labels

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SHORT = 80
_CITATION = re.compile(r"\b[0-9]{1,3} FR [0-9]{1,6}\b")
_DAY = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_WRITTEN_DAY = re.compile(r"\b([A-Z][a-z]{2})[a-z]*\.? ([0-9]{1,2}), ([0-9]{4})\b")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(slots=True)
class Findings:
    """What is odd in a file and what is left out of it, collected while it is read."""

    warnings: list[ReadWarning] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def warn(self, line: int, text: str) -> None:
        """Add a warning; the text may hold what the file says."""
        self.warnings.append(ReadWarning(line, one_line(text)))

    def unknown(self, element: Element) -> None:
        """Warn of an element that no list of names has."""
        self.warn(line_of(element), f"unknown element <{names.name_of(element)}>, its text is kept")

    def leave_out(self, element: Element) -> None:
        """List an element that has no place in a section or part."""
        text = plain_text(element)
        if text:
            short = one_line(text if len(text) <= _SHORT else f"{text[:_SHORT]}…")
            reason = names.LEFT_OUT[names.name_of(element)]
            self.left_out.append(LeftOut(line_of(element), count(text), reason, short))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a section the walk is, and what its paragraphs become there."""

    kind: BlockKind = BlockKind.PARAGRAPH
    role: Role = Role.PARAGRAPH
    setoff: tuple[int, ...] = ()
    container: bool = True
    """Text directly in here stands outside any paragraph."""

    @property
    def editorial(self) -> bool:
        """Whether nothing in here is the section's rule."""
        return self.role is Role.APART


@dataclass(slots=True)
class SectionReader:
    """Walks one section; afterwards its fields hold what was found."""

    findings: Findings
    heading: str = ""
    source_note: str = ""
    approvals: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    nested: list[Element] = field(default_factory=list)
    """Levels that stand inside the section and are no part of it."""
    _found: list[tuple[BlockKind, Line, int]] = field(default_factory=list)
    _lead: str = ""
    """The lead word of an editor's note, to be joined with the text that follows."""
    _setoffs: int = 0

    def read(self, section: Element) -> tuple[Block, ...]:
        """Return the section's blocks; heading, notes, notices and nested levels are in the fields.

        In an appendix a centred heading begins something new; in a section it interrupts.
        """
        appendix = names.name_of(section) == "DIV9"
        self._flow(section, _Place(setoff=(self._setoff(),) if appendix else ()))
        labels = read_labels([line for _, line, _ in self._found])
        blocks: list[Block] = []
        for (kind, line, at), label in zip(self._found, labels, strict=True):
            if label.surprise:
                self.findings.warn(at, f"label {label.label}: {label.surprise}")
            term = label.term if kind is BlockKind.PARAGRAPH else ""
            blocks.append(Block(kind, line.text, label.label, term))
        return tuple(blocks)

    def _setoff(self) -> int:
        self._setoffs += 1
        return self._setoffs

    def _add(self, run: Run, place: _Place, line: int) -> None:
        text = run.text
        if place.editorial:
            text, self._lead = f"{self._lead} {text}".strip(), ""
        self._found.append((place.kind, Line(text, run.emphasis, place.role, place.setoff), line))

    def _flow(self, element: Element, place: _Place) -> None:
        """Cut the mixed content of an element into lines and the blocks between them."""
        pieces: list[tuple[str, bool]] = []
        footnotes: list[Element] = []
        self._collect(element, place, pieces, footnotes)
        self._flush(element, place, pieces)
        for footnote in footnotes:
            self._block(footnote, place)

    def _collect(
        self, element: Element, place: _Place, pieces: list[tuple[str, bool]], footnotes: list[Element]
    ) -> None:
        strong = names.name_of(element) in names.EMPHASIS
        pieces.append((element.text or "", strong))
        for child in element:
            if names.is_inline(child):
                gap = " " if names.name_of(child) == "BR" else ""
                pieces.append((gap, False))
                self._collect(child, place, pieces, footnotes)
                pieces.append((gap, False))
            elif names.name_of(child) in names.FOOTNOTES and not place.container:
                pieces.append((" ", False))
                footnotes.append(child)
            elif names.is_block(child) or place.container:
                self._flush(element, place, pieces)
                self._block(child, place)
            else:
                self._odd(child)
                pieces.append((" ", False))
                self._collect(child, place, pieces, footnotes)
                pieces.append((" ", False))
            pieces.append((child.tail or "", strong))

    def _odd(self, element: Element) -> None:
        if names.name_of(element) != "MATH":
            self.findings.unknown(element)

    def _flush(self, element: Element, place: _Place, pieces: list[tuple[str, bool]]) -> None:
        run = collapse(pieces)
        pieces.clear()
        if not run.text:
            return
        if place.container:
            self.findings.warn(line_of(element), f"text outside any paragraph: {run.text[:_SHORT]}")
        self._add(run, place, line_of(element))

    def _block(self, element: Element, place: _Place) -> None:
        name = names.name_of(element)
        inside = replace(place, container=True)
        if name == "TABLE":
            self._table(element, place)
        elif name in names.LEFT_OUT:
            self.findings.leave_out(element)
        elif place.editorial:
            self._editorial(element, name, place)
        elif names.is_level(name):
            self.nested.append(element)
        elif name in names.FOOTNOTES:
            self._flow(element, replace(inside, kind=BlockKind.FOOTNOTE, role=Role.FOLLOWS))
        elif name in names.EDITORIAL:
            self._note(element, replace(inside, kind=BlockKind.NOTE, role=Role.APART))
        elif name in names.SETOFF:
            self._flow(element, replace(inside, setoff=(*place.setoff, self._setoff())))
        elif name == "NOTE":
            self._flow(element, replace(inside, kind=BlockKind.NOTE, role=Role.FOLLOWS))
        elif name in names.WRAPPERS:
            self._flow(element, inside)
        else:
            self._line(element, name, place)

    def _line(self, element: Element, name: str, place: _Place) -> None:
        """Read an element that is one line: a paragraph, a heading, a citation, a notice."""
        if name == "HEAD" and not self.heading and names.name_of(_parent(element)) in names.SECTION_LEVELS:
            self._head(element, place)
        elif name in names.HEADINGS:
            role = Role.HEADING if place.role is Role.PARAGRAPH else place.role
            self._flow(element, _Place(BlockKind.HEADING, role, place.setoff, container=False))
        elif name == "XREF":
            self._notice(element)
        elif name == "CITA":
            self.source_note = f"{self.source_note} {plain_text(element)}".strip()
        elif name == "APPRO":
            self.approvals.extend(filter(None, [plain_text(element)]))
        else:
            if name not in names.PARAGRAPHS:
                self.findings.unknown(element)
            self._flow(element, replace(place, container=False))

    def _head(self, element: Element, place: _Place) -> None:
        """Take the section's heading; a footnote in it becomes a block."""
        pieces: list[tuple[str, bool]] = []
        footnotes: list[Element] = []
        self._collect(element, replace(place, container=False), pieces, footnotes)
        self.heading = collapse(pieces).text
        for footnote in footnotes:
            self._block(footnote, place)

    def _note(self, element: Element, place: _Place) -> None:
        self._flow(element, place)
        if self._lead:  # nothing followed it
            self._add(Run(""), place, line_of(element))

    def _editorial(self, element: Element, name: str, place: _Place) -> None:
        """Read an element inside an editor's note: whatever it is, it becomes a note."""
        if name in {"HED", "HED1"}:
            self._lead = f"{self._lead} {plain_text(element)}".strip()
            return
        if not (names.is_block(element) or names.is_level(name) or name == "MATH"):
            self.findings.unknown(element)
        line = name in names.PARAGRAPHS | names.HEADINGS | {"CITA", "APPRO", "XREF"}
        self._flow(element, replace(place, container=not line))

    def _table(self, element: Element, place: _Place) -> None:
        table = TableText(self.findings.unknown)
        text = table.read(element)
        if text:
            kind = place.kind if place.editorial else BlockKind.TABLE
            role = Role.APART if place.editorial else Role.FOLLOWS
            self._found.append((kind, Line(text, (), role, place.setoff), line_of(element)))
        for footnote in table.footnotes:
            self._block(footnote, place)

    def _notice(self, element: Element) -> None:
        text = plain_text(element)
        if not text:
            return
        line = line_of(element)
        self._found.append((BlockKind.NOTICE, Line(text, (), Role.APART), line))
        citation = _CITATION.search(text)
        published = _published(str(element.get("ID", "")), text)
        if published is None:
            self.findings.warn(line, f"no day of publication in the notice: {text}")
        self.notices.append(Notice(text, citation[0] if citation else "", published))


def _parent(element: Element) -> Element:
    parent = element.getparent()
    return element if parent is None else parent


def _published(attribute: str, text: str) -> date | None:
    """Return the day that the attribute names (`20241024`), else the one that the text names."""
    match = _DAY.fullmatch(attribute.strip())
    if match and (day := _day(int(match[1]), int(match[2]), int(match[3]))):
        return day
    written = _WRITTEN_DAY.search(text)
    if written and written[1] in _MONTHS:
        return _day(int(written[3]), _MONTHS.index(written[1]) + 1, int(written[2]))
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
