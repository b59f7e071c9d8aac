"""The answerer without a model: the sentences in force that fit best, word for word."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import takewhile
from math import fsum
from typing import TYPE_CHECKING

from engine import abstain
from engine.context import dates
from engine.model import Answer, Block, BlockKind, Claim, Status
from engine.scope import scope_passages
from engine.search.tokens import stem, words
from engine.search.units import parent
from engine.search.words import WordList
from engine.sources.numbers import find_references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.model import Chunk, Context, Hit, Question
    from engine.reading import Reading

MOST_QUOTES = 3
MARGIN = 0.15
"""Share of the best block's score by which another may be weaker and still be quoted."""
LONG_BLOCK = 90
"""Words from which a block is not quoted whole but by its best sentences."""
LONG_FIRST = 140
"""The same for the best block, which is the answer more often than not."""
SHORT_LIST = 120
"""Words of sub-paragraphs that are quoted with the line that they hang on."""
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\u201d]{2}\.)\s+(?=[A-Z\u201c(*])")
_LISTS = re.compile(r"\bfollow(s|ing):$")
_STANDS_ALONE = 30
"""Words from which an item of a list that only announces it (`as follows:`) is quoted without that line."""
_QUOTABLE = frozenset({BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.FOOTNOTE})


@dataclass(frozen=True)
class QuoteAnswerer:
    """Quotes what is in force; abstains when the question is about something else."""

    words: WordList = field(default_factory=WordList)
    name: str = "quote"

    def answer(self, question: Question, context: Context) -> Answer:
        """Quote up to `MOST_QUOTES` blocks, each with its label path and its version named."""
        return self._abstention(question, context) or self._quoted(question, context)

    def _abstention(self, question: Question, context: Context) -> Answer | None:
        """What keeps the texts in force from answering at all, where something does."""
        day = question.as_of
        topic = self.words.topic(question.text)
        if topic is not None:
            return abstain.outside(topic, context.scope_ids)
        if context.unknown is not None:
            return abstain.unknown(context.unknown, day)
        if context.elsewhere is not None:
            return abstain.absent(day, context.elsewhere)
        if not context.hits:
            return abstain.nothing_fits(day)
        return self._nothing_inside(question, context)

    def _nothing_inside(self, question: Question, context: Context) -> Answer | None:
        first = context.hits[0].chunk
        if context.outside is not None:
            scope = scope_passages((hit.chunk for hit in context.hits), first.version.text.part)
            return abstain.out_of_scope(context.outside, scope)
        empty = not first.version.text.rule_blocks
        # A section without a rule comes first by chance as well; only one that is named is the answer.
        named = any(reference.section == first.section for reference in find_references(question.text))
        if empty and (named or not _choose(context.hits)):
            return abstain.empty_section(question.as_of, first)
        return None

    def _quoted(self, question: Question, context: Context) -> Answer:
        reading = context.reading
        tiers = () if reading is None else reading.tiers
        # A step whose passage was not given cannot be cited.
        if reading and 0 < len(tiers) <= MOST_QUOTES and all(context.chunk(tier.chunk.id) for tier in tiers):
            return _read_out(reading)
        chosen = _choose(context.hits)
        if not chosen:
            return abstain.nothing_fits(question.as_of)
        wanted = set(map(stem, words(" ".join((question.text, *self.words.expand(question.text))))))
        claims = [
            _claim(hit.chunk, group, context, wanted, first=number == 0)
            for number, (hit, group) in enumerate(chosen)
        ]
        lines = [_line(claim, hit.chunk) for claim, (hit, _) in zip(claims, chosen, strict=True)]
        return Answer(Status.ANSWERED, "\n".join(lines), tuple(claims))


def _read_out(reading: Reading) -> Answer:
    """The paragraphs that state the steps of compensation which fit, whole, lowest first."""
    claims = [
        Claim(f"\u201c{tier.block.text}\u201d", (tier.chunk.id,), labels=(tier.label,))
        for tier in reading.tiers
    ]
    lines = [_line(claim, tier.chunk) for claim, tier in zip(claims, reading.tiers, strict=True)]
    return Answer(Status.ANSWERED, "\n".join(lines), tuple(claims))


def _choose(hits: Sequence[Hit]) -> list[tuple[Hit, range]]:
    """The best blocks of all passages, best first, with what they belong to; the same words count once."""
    scored = [
        (score, -number, -place, hit)
        for number, hit in enumerate(hits)
        for place, score in enumerate(hit.blocks)
        if score is not None and hit.chunk.blocks[place].kind in _QUOTABLE
    ]
    scored.sort(key=lambda row: row[:3], reverse=True)
    chosen: list[tuple[Hit, range]] = []
    said: set[str] = set()
    for score, _, place, hit in scored:
        blocks = hit.chunk.blocks
        if score < scored[0][0] * (1 - MARGIN) or len(chosen) == MOST_QUOTES:
            break
        if blocks[-place].text not in said:
            group = _group(hit.chunk, -place)
            chosen.append((hit, group))
            said.update(blocks[at].text for at in group)
    return chosen


def _group(chunk: Chunk, place: int) -> range:
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
    short = sum(len(item.text.split()) for item in items) <= SHORT_LIST
    return len(items) if inside and short else 0


def _claim(chunk: Chunk, group: range, context: Context, wanted: set[str], *, first: bool) -> Claim:
    """A block or a short list as a quotation, with the line that it hangs on where it needs that."""
    block = chunk.blocks[group[0]]
    if len(group) > 1:
        quote = " ".join(chunk.blocks[place].text for place in group)
        return Claim(f"\u201c{quote}\u201d", (chunk.id,), labels=(block.label,))
    quote = _sentences(block, wanted, LONG_FIRST if first else LONG_BLOCK)
    lead = _lead(chunk, group[0])
    if lead and _LISTS.search(lead.text) and len(block.text.split()) >= _STANDS_ALONE:
        lead = None if lead.label != block.label else lead
    holder = _holder(chunk, lead, context) if lead else None
    if lead is None or holder is None:
        return Claim(f"\u201c{quote}\u201d", (chunk.id,), labels=(block.label,))
    line = _SENTENCE_END.split(lead.text)[-1]
    passages = (chunk.id,) if holder.id == chunk.id else (chunk.id, holder.id)
    return Claim(f"\u201c{line}\u201d \u2026 \u201c{quote}\u201d", passages, labels=(block.label,))


def _lead(chunk: Chunk, place: int) -> Block | None:
    """The nearest line above that a block completes: its parent's, or the one that announces a notice."""
    label = chunk.blocks[place].label
    if not label:
        return None
    above = chunk.version.text.blocks[: chunk.first_block + place]
    mine = [block for block in above if block.label in {label, parent(label)} and _hangs(block.text)]
    return mine[-1] if mine else None


def _holder(chunk: Chunk, line: Block, context: Context) -> Chunk | None:
    """The passage of the context that holds a line of the chunk's own version."""
    mine = (hit.chunk for hit in context.hits if hit.chunk.version is chunk.version)
    return next((other for other in mine if any(block is line for block in other.blocks)), None)


def _hangs(text: str) -> bool:
    return text.endswith((":", "\u2014"))


def _sentences(block: Block, wanted: set[str], longest: int) -> str:
    """The whole block, or of a long one the sentence that shares most with the question and its kin."""
    if block.kind is BlockKind.TABLE or len(block.text.split()) <= longest:
        return block.text.replace("\n", " ")
    sentences = _SENTENCE_END.split(block.text)
    stems = [set(map(stem, words(sentence))) for sentence in sentences]
    seen = {word: sum(word in other for other in stems) for word in wanted}
    # Summed exactly: a set has no order, and the same question gives the same quotation.
    scores = [fsum(1 / seen[word] for word in own & wanted) for own in stems]
    best = max(range(len(sentences)), key=lambda at: (scores[at], -at))
    first = last = best
    size = len(sentences[best].split())
    for step in (1, -1):
        at = best + step
        if 0 <= at < len(sentences) and scores[at] >= scores[best] / 2:
            size += len(sentences[at].split())
            if size <= longest:
                first, last = min(first, at), max(last, at)
    begin = block.text.index(sentences[first])
    end = block.text.index(sentences[last], begin) + len(sentences[last])
    return block.text[begin:end]


def _line(claim: Claim, chunk: Chunk) -> str:
    """The claim with the place and the version that it is taken from."""
    version = chunk.version
    return f"{version.citation}{claim.labels[0]} (version {dates(version)}): {claim.text}"
