"""Counting words, on the side of the file and on the side of what came out.

The two counts share the list of inline elements and nothing else, so that one can prove the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from engine.sources._ecfr_names import is_inline, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element as Element

    from engine.model import SectionText
    from engine.sources import PartText


def count(text: str) -> int:
    """Return the number of words; a lone `|` stands between cells and is none."""
    return sum(word != "|" for word in text.split())


def file_words(root: Element) -> int:
    """Return the words of all text nodes below `root`, attributes not counted."""
    pieces: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not is_inline(element) or name_of(element) == "BR":
            pieces.append(" ")
        if event == "start":
            pieces.append(element.text or "")
        elif element is not root:
            pieces.append(element.tail or "")
    return count("".join(pieces))


def kept_words(parts: Iterable[PartText], notes: Iterable[str]) -> int:
    """Return the words of everything that came out, each text counted once."""
    return sum(map(count, _texts(parts))) + sum(map(count, notes))


def _texts(parts: Iterable[PartText]) -> Iterator[str]:
    for part in parts:
        yield part.heading
        yield part.authority
        yield part.source
        yield from part.notes
        for section in part.sections:
            yield from _section_texts(section)


def _section_texts(section: SectionText) -> Iterator[str]:
    # The notices are not counted: each of them is a block as well.
    yield section.heading
    yield section.source_note
    yield from section.approvals
    for block in section.blocks:
        yield block.text
