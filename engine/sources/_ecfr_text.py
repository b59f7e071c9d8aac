"""Lines and tables of the eCFR's XML as text with its white space collapsed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.sources._ecfr_names import EMPHASIS, FOOTNOTES, TABLE_PARTS, is_block, is_inline, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.etree import _Element as Element

_TOKEN = re.compile(r"\s+|\S+")
_MAX_SPAN = 64


@dataclass(frozen=True, slots=True)
class Run:
    """A line of text and where it is emphasised."""

    text: str
    emphasis: tuple[tuple[int, int], ...] = ()
    """Characters of `text`, half open, in order and apart from each other."""


def collapse(pieces: Iterable[tuple[str, bool]]) -> Run:
    """Return the pieces (text, whether emphasised) as one line with single spaces."""
    out: list[str] = []
    spans: list[tuple[int, int]] = []
    length, gap = 0, False
    for text, strong in pieces:
        for token in _TOKEN.findall(text):
            if token.isspace():
                gap = length > 0
                continue
            if gap:
                out.append(" ")
                length += 1
            out.append(token)
            if strong and spans and spans[-1][1] >= length - gap:
                spans[-1] = (spans[-1][0], length + len(token))
            elif strong:
                spans.append((length, length + len(token)))
            length += len(token)
            gap = False
    return Run("".join(out), tuple(spans))


def pieces_of(element: Element, *, strong: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield all text below the element; what is not inline is parted from its neighbours by a space."""
    apart = not is_inline(element) or name_of(element) == "BR"
    strong = strong or name_of(element) in EMPHASIS
    if apart:
        yield " ", False
    yield element.text or "", strong
    for child in element:
        yield from pieces_of(child, strong=strong)
        yield child.tail or "", strong
    if apart:
        yield " ", False


def plain_text(element: Element) -> str:
    """Return all text below the element as one line."""
    return collapse(pieces_of(element)).text


@dataclass(slots=True)
class TableText:
    """A table as lines: one a row with the cells joined by ` | `, captions as lines of their own."""

    unknown: Callable[[Element], None]
    """Told of every element that no list of names has."""
    footnotes: list[Element] = field(default_factory=list)
    """Footnotes found inside, to be shown after the table."""
    lines: list[str] = field(default_factory=list)
    _carry: dict[int, int] = field(default_factory=dict)
    """Columns that a cell of an earlier row still fills, with the rows left."""

    def read(self, element: Element) -> str:
        """Return the table's text, one line a row; empty for a table without text."""
        self._walk(element)
        return "\n".join(line for line in self.lines if line)

    def _walk(self, element: Element) -> None:
        loose = [(element.text or "", False)]
        for child in element:
            if is_inline(child):
                loose.extend(pieces_of(child))
            else:
                self._line(loose)
                self._part(child)
            loose.append((child.tail or "", False))
        self._line(loose)

    def _line(self, pieces: list[tuple[str, bool]]) -> None:
        self.lines.append(collapse(pieces).text)
        pieces.clear()

    def _part(self, element: Element) -> None:
        name = name_of(element)
        if name in FOOTNOTES:
            self.footnotes.append(element)
        elif name == "TR":
            self.lines.append(self._row(element))
        else:
            self._known(element)
            self._carry.clear()
            self._walk(element)

    def _row(self, row: Element) -> str:
        carried, self._carry = self._carry, {}
        cells: list[str] = []
        loose = [(row.text or "", False)]  # text between cells is a fault of the file, and still text
        for cell in row:
            self._known(cell)
            if is_inline(cell):
                loose.extend(pieces_of(cell))
            else:
                self._skip(cells, carried)
                self._cells(cell, cells)
                loose.append((" ", False))
            loose.append((cell.tail or "", False))
        self._skip(cells, carried)
        cells.append(collapse(loose).text)
        while cells and not cells[-1]:
            cells.pop()
        return " ".join(" | ".join(cells).split())

    def _cells(self, cell: Element, cells: list[str]) -> None:
        """Add a cell and the empty ones that it covers."""
        columns, rows = _span(cell, "colspan"), _span(cell, "rowspan")
        if rows > 1:
            self._carry.update(dict.fromkeys(range(len(cells), len(cells) + columns), rows - 1))
        cells.extend([collapse(self._cell_pieces(cell)).text, *[""] * (columns - 1)])

    def _skip(self, cells: list[str], carried: dict[int, int]) -> None:
        """Leave empty what a cell of an earlier row fills, so that the columns stay aligned."""
        while (column := len(cells)) in carried:
            if carried[column] > 1:
                self._carry[column] = carried[column] - 1
            cells.append("")

    def _cell_pieces(self, element: Element) -> Iterator[tuple[str, bool]]:
        yield element.text or "", False
        for child in element:
            apart = not is_inline(child) or name_of(child) == "BR"
            yield " " if apart else "", False
            if name_of(child) in FOOTNOTES:
                self.footnotes.append(child)
            else:
                self._known(child)
                yield from self._cell_pieces(child)
            yield " " if apart else "", False
            yield child.tail or "", False

    def _known(self, element: Element) -> None:
        if not (is_inline(element) or is_block(element) or name_of(element) in TABLE_PARTS | {"MATH"}):
            self.unknown(element)


def _span(cell: Element, attribute: str) -> int:
    value = str(cell.get(attribute, "1")).strip()
    return min(max(int(value[:3]), 1), _MAX_SPAN) if value.isascii() and value.isdigit() else 1
