"""Which paragraphs are read together: a list with its line, a rule with the paragraph that limits it."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from engine.model import BlockKind
from engine.search.units import VARIABLE, parent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.model import Block, Chunk, Context

SHORT_LIST = 160
"""Words of a line and its sub-paragraphs up to which they are quoted together."""
LONG_LIST = 200
"""The same with the line and each sub-paragraph quoted for itself."""
_EXCEPT = re.compile(
    r"\bexcept as (?:provided|described|specified) in paragraph (?P<label>\([a-z]\))", re.IGNORECASE
)
_NOT_APPLY = re.compile(
    r"\bparagraph (?P<label>\([a-z]\)) of this section (?:shall|does|do) not apply\b", re.IGNORECASE
)


def together(chunk: Chunk, place: int) -> list[range]:
    """The places of the blocks of a chunk that are read with one of them, in the order of the text.

    That is the block, or the short list that it is of, and the paragraphs of the chunk that limit it or
    that it limits by its own words: `except as provided in paragraph (b)`, `paragraph (a) of this section
    shall not apply`.
    """
    own = group(chunk, place)
    if len(own) == 1 and (items := _within(chunk, place)):
        return [own, *items]
    label = chunk.blocks[own[0]].top
    limits = _limits(chunk, label) - {label}
    found = {own}
    for at, block in enumerate(chunk.blocks):
        if block.kind is BlockKind.PARAGRAPH and block.label == block.top and block.label in limits:
            found.add(group(chunk, at))
    return sorted(found, key=lambda one: one[0])


def _within(chunk: Chunk, lead: int) -> list[range]:
    """The items of a long list that a line announces and the chunk holds, where they are few words."""
    line = chunk.blocks[lead]
    if not _hangs(line.text) or not line.label:
        return []
    below = chunk.blocks[lead + 1 :]
    items = list(takewhile(lambda b: b.label != line.label and b.label.startswith(line.label), below))
    tops = [at for at, block in enumerate(items, lead + 1) if not VARIABLE.match(block.text)]
    if not tops or size([line, *items]) > LONG_LIST:
        return []
    return [range(*ends) for ends in pairwise([*tops, lead + 1 + len(items)])]


def _limits(chunk: Chunk, label: str) -> set[str]:
    """The top-level labels that limit a paragraph of a chunk by its words, or that it limits by its own."""
    found: set[str] = set()
    for block in chunk.blocks:
        for pattern in (_EXCEPT, _NOT_APPLY):
            pairs = [{block.top, match["label"]} for match in pattern.finditer(block.text)]
            found.update(*(pair for pair in pairs if label in pair))
    return found - {""}


def group(chunk: Chunk, place: int) -> range:
    """The places of a short list with the line that it hangs on, when the block is of one; else its own."""
    for lead in range(place, -1, -1):
        items = _items(chunk, lead)
        if items and place - lead <= items:
            return range(lead, lead + items + 1)
    return range(place, place + 1)


def _items(chunk: Chunk, lead: int) -> int:
    """How many blocks hang on a line that ends in a colon, if they are few words and all in the chunk."""
    line = chunk.blocks[lead]
    if not _hangs(line.text):
        return 0
    after = chunk.version.text.blocks[chunk.first_block + lead + 1 :]
    items = list(takewhile(lambda b: b.label.startswith(line.label) and b.kind is BlockKind.PARAGRAPH, after))
    inside = len(items) < len(chunk.blocks) - lead
    short = size([line, *items]) <= SHORT_LIST
    return len(items) if inside and short else 0


def size(blocks: Sequence[Block]) -> int:
    """The words of some blocks."""
    return sum(len(block.text.split()) for block in blocks)


def lead_of(chunk: Chunk, place: int) -> Block | None:
    """The nearest line above that a block completes: its parent's, or the one that announces a notice."""
    label = chunk.blocks[place].label
    if not label:
        return None
    above = chunk.version.text.blocks[: chunk.first_block + place]
    mine = [block for block in above if block.label in {label, parent(label)} and _hangs(block.text)]
    return mine[-1] if mine else None


def holder_of(chunk: Chunk, line: Block, context: Context) -> Chunk | None:
    """The passage of the context that holds a line of the chunk's own version."""
    mine = (hit.chunk for hit in context.hits if hit.chunk.version is chunk.version)
    return next((other for other in mine if any(block is line for block in other.blocks)), None)


def _hangs(text: str) -> bool:
    return text.endswith((":", "\u2014"))
