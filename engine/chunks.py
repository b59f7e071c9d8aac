"""Section versions cut into the passages that are shown, cited and counted, under stable ids."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from engine.model import Block, BlockKind, Chunk, SectionVersion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_WORDS = 200
"""Words of blocks above which a new chunk begins; the title line is not counted."""


def chunk_id(section: str, effective_from: str, start: int, end: int) -> str:
    """The first 12 hex digits of SHA-256 over `section|first day|start|end`."""
    return hashlib.sha256(f"{section}|{effective_from}|{start}|{end}".encode()).hexdigest()[:12]


def cut(version: SectionVersion) -> tuple[Chunk, ...]:
    """Cut a version into chunks of whole blocks; a version without text is one empty chunk.

    Top-level paragraphs are packed greedily. One that would take the chunk over `MAX_WORDS` begins a
    new chunk, and so does a block within it; a block is never cut.
    """
    blocks = version.text.blocks
    starts: list[int] = []
    at = 0
    for block in blocks:
        starts.append(at)
        at += len(block.text) + 1
    spans = list(_spans(version)) or [range(0)]
    chunks = []
    for position, span in enumerate(spans):
        start = starts[span[0]] if span else 0
        end = starts[span[-1]] + len(blocks[span[-1]].text) if span else 0
        chunks.append(
            Chunk(
                id=chunk_id(version.section, version.effective_from.isoformat(), start, end),
                version=version,
                position=position,
                start=start,
                end=end,
                blocks=tuple(blocks[place] for place in span),
                first_block=span.start,
            )
        )
    return tuple(chunks)


def _spans(version: SectionVersion) -> Iterator[range]:
    """The places of the blocks of each chunk, as consecutive ranges."""
    blocks = version.text.blocks
    begin, words = 0, 0
    for group in _groups(blocks):
        size = sum(_words(blocks[place]) for place in group)
        if begin < group.start and words + size > MAX_WORDS:
            yield range(begin, group.start)
            begin, words = group.start, 0
        for place in group:
            if begin < place and words + _words(blocks[place]) > MAX_WORDS:
                yield range(begin, place)
                begin, words = place, 0
            words += _words(blocks[place])
    if begin < len(blocks):
        yield range(begin, len(blocks))


def _groups(blocks: Sequence[Block]) -> Iterator[range]:
    """Ranges of blocks of one top-level paragraph; a notice belongs to what follows it."""
    begin = 0
    for place in range(1, len(blocks)):
        before = [block for block in blocks[begin:place] if block.kind is not BlockKind.NOTICE]
        if before and (blocks[place].kind is BlockKind.NOTICE or blocks[place].top != before[-1].top):
            yield range(begin, place)
            begin = place
    if blocks:
        yield range(begin, len(blocks))


def _words(block: Block) -> int:
    return len(block.text.split())
