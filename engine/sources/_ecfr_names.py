"""The element names of the eCFR's XML, grouped by what a reader does with them.

Names are compared in upper case and without a name space. Source: the publisher's XML user guide
and the files themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

EMPHASIS = frozenset({"I", "E", "EM", "B", "STRONG"})
"""Set a defined term or a caption apart."""

INLINE = EMPHASIS | {"SU", "SUB", "SUP", "AC", "FR", "FTREF", "BR", "A", "IMG", "U", "SPAN"}
"""Stand inside a line and part no words, except `br`."""

# fmt: off
PARAGRAPHS = frozenset({
    "P", "FP", "FP-1", "FP-2", "FP-3", "FP1", "FP1-2", "FP2", "FP2-2", "FP2-3", "FP3", "FP-DASH", "FRP",
    "FRP0", "P-1", "P-2", "P-3", "P1", "P2", "P3", "P-DASH", "PSPACE", "LI", "HALFDASH", "STARS", "RESERVED",
    "MATH",
})

HEADINGS = frozenset({
    "HEAD", "HD1", "HD2", "HD3", "HD4", "HD5", "HD6", "HED", "HED1", "SUBJECT", "SUBJECT1L", "SUBJECT2L",
    "SUBJECT3L", "BCAP", "TCAP",
})
# fmt: on

SETOFF = frozenset({"EXTRACT", "EXAMPLE", "BOXTXT", "LDRWK", "LDRFIG"})
"""Text of the rule that is set off and may count its paragraphs anew."""

EDITORIAL = frozenset(
    {"EDNOTE", "EFFDNOT", "CROSSREF", "SECAUTH", "PARAUTH", "AUTH", "SOURCE", "REVTXT", "SUPERSED"}
)
"""Text about the section that is not its rule, even where it holds a whole section's other text."""

FOOTNOTES = frozenset({"FTNT", "EFTNT"})

WRAPPERS = frozenset({"DIV", "UL", "OL"})
"""Say nothing of their own; a `DIV` with a level in its name is no wrapper."""

FILE_WRAPPERS = frozenset({"ECFR", "DLPSTEXTCLASS", "TEXT", "BODY", "ECFRBRWS"})

LEFT_OUT = {
    "AMDDATE": "the day of a volume's last amendment, no text of a rule",
    "VOLUME": "the number of a printed volume, no text of a rule",
    "HEADER": "the file's own description, no text of a rule",
    "CFRTOC": "a table of contents, which repeats headings",
}
"""Elements without a place in a section or part, each with the reason."""

KNOWN_BLOCKS = (
    PARAGRAPHS
    | HEADINGS
    | SETOFF
    | EDITORIAL
    | FOOTNOTES
    | WRAPPERS
    | frozenset(LEFT_OUT)
    | {"NOTE", "TABLE", "CITA", "APPRO", "XREF"}
)

TABLE_PARTS = frozenset({"THEAD", "TBODY", "TFOOT", "TR", "TD", "TH", "CAPTION", "COLGROUP", "COL"})

SECTION_LEVELS = frozenset({"DIV8", "DIV9"})

_LEVEL = re.compile(r"DIV[1-9]")
_HOLDS_LINES = PARAGRAPHS | HEADINGS | INLINE | {"TD", "TH"}


def name_of(element: Element) -> str:
    """Return the element's name in upper case, without its name space."""
    return str(element.tag).rpartition("}")[2].upper()


def is_level(name: str) -> bool:
    """Whether the name is that of a level of the code, `DIV1` (title) to `DIV9` (appendix)."""
    return _LEVEL.fullmatch(name) is not None


def is_inline(element: Element) -> bool:
    """Whether the element stands inside a line; an `XREF` does in a paragraph and nowhere else."""
    name = name_of(element)
    if name == "XREF":
        parent = element.getparent()
        return parent is not None and name_of(parent) in _HOLDS_LINES
    return name in INLINE


def is_block(element: Element) -> bool:
    """Whether the element begins a block of its own, also when it stands in a paragraph."""
    name = name_of(element)
    return name != "MATH" and (name in KNOWN_BLOCKS or is_level(name)) and not is_inline(element)
