"""A block of citations for a complaint: place, version, words and dated address of each text in force.

It holds nothing that the caller said, nothing that a model wrote, and no advice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.context import dates
from engine.errors import RegulationsError
from engine.model import BlockKind, Coverage, Status
from engine.safe import safe_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.model import AnswerCard, Block, Source

LONGEST = 200
"""Words of one quotation; a longer text is cut after a whole sentence."""
UNFILTERED = "! DATE FILTER OFF: other versions were searched too. Only texts in force are cited here."
CUT = "[\u2026]"
"""Stands for sentences that were left out."""
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\u201d]{2}[.;])\s+(?=[A-Z\u201c(*])")
_ENOUGH = 6
"""Words from which a sentence in a claim tells which block the claim quotes."""
_WHY = {
    Status.ABSTAINED: "These texts give no answer, so there is nothing to cite.",
    Status.NOT_HELD: "No text is held for that day, so there is nothing to cite.",
    Status.NO_RECORDING: "There is no recorded answer, so there is nothing to cite.",
    Status.FAILED: "There is no answer, so there is nothing to cite.",
}


class NothingToCiteError(RegulationsError):
    """The card rests on no text in force."""

    exit_code = 1


def to_citation(card: AnswerCard) -> str:
    """The texts in force that a card rests on, safe for a terminal.

    Raises:
        NothingToCiteError: nothing was answered, or no text in force is cited.

    """
    if card.status is not Status.ANSWERED:
        raise NothingToCiteError(_WHY[card.status], "`ask` without --citation says why.")
    sources = [source for source in card.sources if source.in_force]
    if not sources:
        raise NothingToCiteError(
            f"No text in force on {card.as_of} is cited in this answer.", "Ask with the date filter on."
        )
    lines = [] if card.date_filter else [UNFILTERED, ""]
    for source in sources:
        lines += [*_source(source, card), ""]
    stamp = card.snapshot
    lines += [
        f"Texts up to date to {stamp.current_to}; snapshot {stamp.collection}, SHA-256 {stamp.sha256}.",
        card.attribution,
    ]
    return safe_text("\n".join(lines))


def _source(source: Source, card: AnswerCard) -> list[str]:
    version = source.chunk.version
    paragraphs = f" {source.paragraphs}" if source.paragraphs.count(",") else source.paragraphs
    known = card.coverage is not Coverage.AFTER
    standing = f"In force on {card.as_of}" if known else f"The latest text held for {card.as_of}"
    return [
        f"{version.citation}{paragraphs}, {version.heading}",
        f"{standing}: version {dates(version)}",
        f"\u201c{_quote(source, card)}\u201d",
        version.url,
    ]


def _quote(source: Source, card: AnswerCard) -> str:
    """The blocks that the claims quote, or the source's own words, in whole sentences."""
    said = " ".join(
        " ".join(claim.text.split()) for claim in card.claims if source.chunk.id in claim.passages
    )
    rules = [block for block in source.chunk.blocks if block.kind is not BlockKind.NOTICE]
    quoted = [block.text for block in rules if _is_in(block, said)]
    return _trimmed("\n".join(quoted) or source.text, said)


def _is_in(block: Block, said: str) -> bool:
    sentences = _sentences(block.text)
    long = [one for one in sentences if len(one.split()) >= _ENOUGH] or sentences
    return any(" ".join(one.split()) in said for one in long)


def _trimmed(text: str, said: str) -> str:
    """Whole sentences from the first one that a claim quotes on; the first is kept whatever its length."""
    if len(text.split()) <= LONGEST:
        return text
    sentences = _sentences(text)
    begin = next((at for at, one in enumerate(sentences) if " ".join(one.split()) in said), 0)
    kept, words = [sentences[begin]], len(sentences[begin].split())
    for sentence in sentences[begin + 1 :]:
        words += len(sentence.split())
        if words > LONGEST:
            break
        kept.append(sentence)
    before = f"{CUT} " if begin else ""
    after = "" if begin + len(kept) == len(sentences) else f" {CUT}"
    return f"{before}{' '.join(kept)}{after}"


def _sentences(text: str) -> Sequence[str]:
    return _SENTENCE_END.split(text)
