"""What a reference names, looked up in the texts of a day: sections, paragraphs, and what is not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.model import StandingKind
from engine.sources.numbers import find_references

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from engine.model import Block, Chunk, SectionText
    from engine.sources.numbers import Reference
    from engine.versions import Timeline

_LAST = re.compile(r"\([^()]*\)$")


def named(text: str, timelines: Iterable[Timeline]) -> tuple[Reference, ...]:
    """The sections and paragraphs of the held parts that a text names, in order.

    What belongs to another title or part is left out: nothing here can tell whether it is there.
    """
    parts = {(version.text.title, version.text.part) for line in timelines for version in line.versions[:1]}
    titles = {part: title for title, part in parts}
    return tuple(
        reference
        for reference in find_references(text)
        if reference.section
        and (part := reference.section.partition(".")[0]) in titles
        and reference.title in {"", titles[part]}
    )


def fault(reference: Reference, timelines: Iterable[Timeline], day: date) -> str | None:
    """Say in a sentence that the texts of a day have no such section or paragraph; None when they do.

    None as well for a whole part, another title and a day before the texts: nobody can tell.
    """
    lines = list(timelines)
    if not reference.section or reference.title not in {"", *(line.title for line in lines)}:
        return None
    line = _line(reference, lines)
    if line is None:
        return f"There is no section {reference.section} in these texts, on {day} or on any other day."
    if line.standing(day).kind is StandingKind.NOT_HELD:
        return None
    version = line.text_on(day)
    if version is None:
        return f"There was no section {reference.section} on {day}."
    if has(version.text, reference.label):
        return None
    return f"\u00a7 {reference.section} had no paragraph {reference.label} on {day}."


def ever(reference: Reference, timelines: Iterable[Timeline]) -> bool:
    """Whether the texts of any day have what a reference names."""
    line = _line(reference, timelines)
    return line is not None and any(has(version.text, reference.label) for version in line.versions)


def has(text: SectionText, label: str) -> bool:
    """Whether a section has a paragraph, as one of its own or as an item within a paragraph's line."""
    return not label or bool(_holding(text.rule_blocks, label))


def covers(chunk: Chunk, reference: Reference) -> bool:
    """Whether a passage holds what a reference names, or a part of it."""
    text = chunk.version.text
    if reference.title not in {"", text.title}:
        return False
    if reference.part:
        return reference.part == text.part
    if reference.section != text.section:
        return False
    holding = _holding(text.rule_blocks, reference.label)
    return not reference.label or not holding or any(block in chunk.blocks for block in holding)


def speaks_of(chunk: Chunk, reference: Reference) -> bool:
    """Whether the section that a passage belongs to names the same section or part itself."""
    text = chunk.version.text
    title = reference.title or text.title
    return any(
        (title, reference.section, reference.part) == (own.title or text.title, own.section, own.part)
        for own in find_references(text.body)
    )


def faults(text: str, timelines: Sequence[Timeline], day: date) -> Iterator[str]:
    """The faults of a text's references, in order."""
    found = (fault(reference, timelines, day) for reference in named(text, timelines))
    yield from dict.fromkeys(one for one in found if one is not None)


def shown(reference: Reference) -> str:
    """`§ 250.5(a)`, `part 254`, with the title where one is named."""
    title = f"{reference.title} CFR " if reference.title else ""
    if reference.part:
        return f"{title}part {reference.part}"
    return f"{title or '§ '}{reference.section}{reference.label}"


def _line(reference: Reference, timelines: Iterable[Timeline]) -> Timeline | None:
    return next((line for line in timelines if line.section == reference.section), None)


def _holding(blocks: Sequence[Block], label: str) -> list[Block]:
    """The blocks of a paragraph, or of the nearest one above it whose line has the rest as items."""
    items: list[re.Pattern[str]] = []
    while last := _LAST.search(label):
        under = [block for block in blocks if block.label.startswith(label)]
        if under:
            return [block for block in under if all(item.search(block.text) for item in items)]
        items.append(re.compile(rf"(?<![\w)])(?<!paragraph ){re.escape(last[0])}"))
        label = label[: last.start()]
    return [
        block
        for block in blocks
        if items and not block.label and all(item.search(block.text) for item in items)
    ]
