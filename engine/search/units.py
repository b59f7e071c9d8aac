"""The blocks of chunks as search scores them: with their section's title and what leads into them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.model import Block, BlockKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.model import Chunk, SectionText

FIRST_WORDS = 3
"""Words by which a paragraph of a carrier's notice is named."""
LEAD_WORDS = 40
"""Words kept of each paragraph that a sub-paragraph continues."""
_ANNOUNCES = re.compile(r"\bstatement\b[^:]*:$")
"""How a paragraph ends that sets out the words of a carrier's notice."""
VARIABLE = re.compile(r"[a-z] = ")
"""How a line begins that says what a letter of a formula stands for."""
_NUMBER = re.compile(r"^§+\s*\S+\s*")


@dataclass(frozen=True, slots=True)
class Unit:
    """One block as it is scored."""

    chunk: int
    """The chunk's place in the searched sequence."""
    block: int
    """The block's place in the chunk; 0 for a chunk without blocks."""
    text: str
    """Title, lead and block: equal texts are encoded once."""
    own: str
    """The block alone."""
    notice: bool = False
    """Whether it is of the words that a carrier must print or display, and no rule itself."""
    paragraph: str = ""
    """As the word list names it: section and label path, or section and defined term. In a carrier's notice,
    whose paragraphs have one label, its first words stand behind that; empty for a section without text."""


def title_of(text: SectionText) -> str:
    """The heading without its number, `Denied boarding compensation.` for one."""
    return _NUMBER.sub("", text.heading)


def units_of(chunks: Sequence[Chunk]) -> tuple[Unit, ...]:
    """The units of chunks, in order; every chunk has at least one.

    What a letter of a formula stands for is one with the formula. A notice of the publisher is no unit
    unless nothing else stands in the chunk: it is no rule.
    """
    made: list[Unit] = []
    leads: dict[int, tuple[str, ...]] = {}
    printed: dict[int, frozenset[int]] = {}
    for place, chunk in enumerate(chunks):
        text = chunk.version.text
        if id(text) not in leads:
            leads[id(text)] = _leads(text.blocks)
            printed[id(text)] = _printed(text.blocks)
        lead = leads[id(text)]
        title = title_of(text)
        rules = [at for at, block in enumerate(chunk.blocks) if block.kind is not BlockKind.NOTICE]
        for at in rules or range(len(chunk.blocks)):
            own = chunk.blocks[at].text
            if VARIABLE.match(own) and made and made[-1].chunk == place:
                made[-1] = replace(made[-1], text=_join(made[-1].text, own), own=_join(made[-1].own, own))
                continue
            whole = chunk.first_block + at
            notice = whole in printed[id(text)]
            paragraph = _paragraph(chunk.section, chunk.blocks[at], notice=notice)
            made.append(Unit(place, at, _join(title, lead[whole], own), own, notice, paragraph))
        if not chunk.blocks:
            made.append(Unit(place, 0, text.heading, text.heading))
    return tuple(made)


def parent(label: str) -> str:
    """The label path one level up: `(a)` of `(a)(2)`, empty of `(a)`."""
    return label[: label.rindex("(")] if label else ""


def _join(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def _leads(blocks: Sequence[Block]) -> tuple[str, ...]:
    """For each block the paragraphs and headings above it, shortened."""
    first: dict[str, str] = {}
    heading = ("", "")
    made: list[str] = []
    for block in blocks:
        above: list[str] = []
        path = block.label if block.label in first else parent(block.label)
        while path:
            above.append(first.get(path, ""))
            path = parent(path)
        lead = [first.get("", ""), *reversed(above)]
        if heading[1] and block.label.startswith(heading[0]) and block.kind is not BlockKind.HEADING:
            lead.append(heading[1])
        made.append(_join(*lead))
        if block.kind is BlockKind.HEADING:
            heading = (block.label, block.text)
        elif block.kind is not BlockKind.NOTICE and not block.term:
            first.setdefault(block.label, _shortened(block.text))
    return tuple(made)


def _paragraph(section: str, block: Block, *, notice: bool) -> str:
    if notice:
        return f"{section}{block.label} {' '.join(block.text.split()[:FIRST_WORDS])}"
    return f"{section} {block.term}" if block.term else f"{section}{block.label}"


def _printed(blocks: Sequence[Block]) -> frozenset[int]:
    """The places of the blocks that a paragraph sets out as the words of a notice."""
    found: set[int] = set()
    announced = ""
    for place, block in enumerate(blocks):
        if announced and block.top == announced:
            found.add(place)
        elif _ANNOUNCES.search(block.text):
            announced = block.top
    return frozenset(found)


def _shortened(text: str) -> str:
    return " ".join(text.split()[:LEAD_WORDS])
