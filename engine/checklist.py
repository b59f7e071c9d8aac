"""What to check before relying on an amount: the exceptions and the payment rule, in the text's own words.

A checklist and no verdict: nothing here tells whether an exception applies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.context import dates
from engine.model import BlockKind, Status
from engine.search.units import parent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.model import AnswerCard, Block, Chunk
    from engine.reading import Reading

MOST = 6
"""Items of a checklist."""
LONGEST = 38
"""Words of an item; a longer paragraph is cut at its commas."""
HEADING = "Check before you rely on it:"
_EXCEPTION = re.compile(
    r"\b(?:shall|may|will|is|are) not (?:be )?eligible for (?:\w+ ){0,3}compensation (?:if|when|unless)\b",
    re.IGNORECASE,
)
_PAYMENT = re.compile(r"\bshall tender\b.*\bon the day and (?:at the )?place\b", re.IGNORECASE)
_TENDER = re.compile(r"\btender shall\b", re.IGNORECASE)
_LABEL = re.compile(r"^(?:\([A-Za-z0-9]{1,5}\) )+")
_END = re.compile(r"(?:; (?:or|and)|[;:.])$")
_PART = re.compile(r"[,;] ")


@dataclass(frozen=True, slots=True)
class CheckItem:
    """One paragraph that may change what an amount comes to."""

    chunk: Chunk
    label: str
    lead: str
    """The words of the line that the paragraph hangs on, or empty: `shall not be eligible for ... if`."""
    text: str
    """The paragraph's own words, cut to `LONGEST`; an ellipsis stands for what is left out."""
    quote: str
    """The whole paragraph."""


def checklist(reading: Reading | None, chunks: Sequence[Chunk]) -> tuple[CheckItem, ...]:
    """The exceptions and the payment rule of the part that a reading is of, exceptions first.

    Args:
        reading: what compensation comes to; nothing is to be checked where that is nothing.
        chunks: the passages that may be read for the day.

    """
    if reading is None or all(tier.cap is None for tier in reading.tiers):
        return ()
    part = reading.tiers[0].chunk.version.text.part
    mine = [chunk for chunk in chunks if chunk.version.text.part == part]
    return (*_exceptions(mine), *_payment(mine))[:MOST]


def checklist_lines(card: AnswerCard) -> tuple[str, ...]:
    """The checklist for people, under its heading; empty when there is nothing to check.

    The texts' own words in it are as they stand: make them safe where they are shown.
    """
    items = _of(card)
    return (HEADING, *map(_line, items)) if items else ()


def as_json(card: AnswerCard) -> list[dict[str, Any]]:
    """The checklist for the `checklist` key of a card's JSON."""
    return [
        {
            "passage": item.chunk.id,
            "section": item.chunk.section,
            "paragraph": item.label,
            "effective_from": item.chunk.version.effective_from.isoformat(),
            "effective_to": item.chunk.version.effective_to and item.chunk.version.effective_to.isoformat(),
            "lead": item.lead,
            "text": item.text,
            "quote": item.quote,
        }
        for item in _of(card)
    ]


def condensed(text: str) -> str:
    """A paragraph in `LONGEST` words of its own: its first and last parts between commas, or the first alone.

    A single part that is longer stays whole: cut in its middle it would say something else.
    """
    plain = _END.sub("", _LABEL.sub("", text).strip()).strip()
    parts = _PART.split(plain)
    if _words(plain) <= LONGEST or len(parts) == 1:
        return plain
    first, last = parts[0], parts[-1]
    if _words(first) + _words(last) > LONGEST:
        return f"{first} \u2026"
    kept = max(n for n in range(1, len(parts)) if _words(" ".join((*parts[:n], last))) <= LONGEST)
    return f"{', '.join(parts[:kept])} \u2026 {last}"


def _of(card: AnswerCard) -> tuple[CheckItem, ...]:
    reading = card.context.reading if card.context and card.status is Status.ANSWERED else None
    return reading.checklist if reading else ()


def _line(item: CheckItem) -> str:
    version = item.chunk.version
    lead = f"{item.lead}: " if item.lead else ""
    return f"{version.citation}{item.label} ({dates(version)}): {lead}{item.text}"


def _exceptions(chunks: Sequence[Chunk]) -> Iterator[CheckItem]:
    """What hangs on a line that says who is not eligible."""
    for chunk in chunks:
        for place, block in enumerate(chunk.blocks):
            lead = _EXCEPTION.search(block.text)
            if lead is None or not block.text.endswith(":"):
                continue
            blocks = chunk.version.text.blocks[chunk.first_block + place + 1 :]
            under = [one for one in blocks if one.label and parent(one.label) == block.label]
            yield from _items(under, chunk, chunks, lead[0])


def _payment(chunks: Sequence[Chunk]) -> Iterator[CheckItem]:
    """The paragraph that says when and where to pay, and those of its section that say how else."""
    for chunk in chunks:
        blocks = chunk.version.text.blocks
        rule = next((block for block in chunk.blocks if _PAYMENT.search(block.text)), None)
        if rule is not None and rule.kind is BlockKind.PARAGRAPH:
            also = [block for block in blocks if block is not rule and _TENDER.search(block.text)]
            yield from _items([rule, *also], chunk, chunks, "")


def _items(blocks: Sequence[Block], chunk: Chunk, chunks: Sequence[Chunk], lead: str) -> Iterator[CheckItem]:
    """Each block as an item, with the passage of the same version that holds it; the first has the lead."""
    same = [other for other in chunks if other.version is chunk.version]
    for number, block in enumerate(blocks):
        holder = next(other for other in same if any(one is block for one in other.blocks))
        said = "" if number else lead
        yield CheckItem(holder, block.label, said, condensed(block.text), block.text)


def _words(text: str) -> int:
    return len(text.split())
