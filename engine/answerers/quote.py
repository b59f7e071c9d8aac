"""The answerer without a model: the sentences in force that fit best, word for word."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import abstain
from engine.context import dates
from engine.model import Answer, Block, BlockKind, Claim, Status
from engine.search.tokens import stem, words
from engine.search.units import parent
from engine.search.words import WordList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.model import Chunk, Context, Hit, Question

MOST_QUOTES = 3
MARGIN = 0.15
"""Share of the best block's score by which another may be weaker and still be quoted."""
LONG_BLOCK = 90
"""Words from which a block is not quoted whole but by its best sentences."""
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
        day = question.as_of
        topic = self.words.topic(question.text)
        if topic is not None:
            return abstain.outside(topic, context.scope_ids)
        if context.elsewhere is not None:
            return abstain.absent(day, context.elsewhere)
        if not context.hits:
            return abstain.nothing_fits(day)
        if not context.hits[0].chunk.blocks:
            return abstain.empty_section(day, context.hits[0].chunk)
        chosen = _choose(context.hits)
        if not chosen:
            return abstain.nothing_fits(day)
        wanted = set(map(stem, words(" ".join((question.text, *self.words.expand(question.text))))))
        claims = [_claim(hit.chunk, place, context, wanted) for hit, place in chosen]
        lines = [_line(claim, hit.chunk) for claim, (hit, _) in zip(claims, chosen, strict=True)]
        return Answer(Status.ANSWERED, "\n".join(lines), tuple(claims))


def _choose(hits: Sequence[Hit]) -> list[tuple[Hit, int]]:
    """The best blocks of all passages, best first; what says the same in the same words counts once."""
    scored = [
        (score, -number, -place, hit)
        for number, hit in enumerate(hits)
        for place, score in enumerate(hit.blocks)
        if score is not None and hit.chunk.blocks[place].kind in _QUOTABLE
    ]
    scored.sort(key=lambda row: row[:3], reverse=True)
    chosen: list[tuple[Hit, int]] = []
    said: set[str] = set()
    for score, _, place, hit in scored:
        text = hit.chunk.blocks[-place].text
        if score < scored[0][0] * (1 - MARGIN) or len(chosen) == MOST_QUOTES:
            break
        if text not in said:
            chosen.append((hit, -place))
            said.add(text)
    return chosen


def _claim(chunk: Chunk, place: int, context: Context, wanted: set[str]) -> Claim:
    """One block as a quotation, with the line that it hangs on or the items that hang on it."""
    block = chunk.blocks[place]
    below = _items(chunk, place)
    if below:
        quote = " ".join(item.text.replace("\n", " ") for item in (block, *below))
        return Claim(f"\u201c{quote}\u201d", (chunk.id,), labels=(block.label,))
    quote = _sentences(block, wanted)
    lead = _lead(chunk, place)
    if lead and _LISTS.search(lead.text) and len(block.text.split()) >= _STANDS_ALONE:
        lead = None
    holder = _holder(chunk, lead, context) if lead else None
    if lead is None or holder is None:
        return Claim(f"\u201c{quote}\u201d", (chunk.id,), labels=(block.label,))
    line = _SENTENCE_END.split(lead.text)[-1]
    passages = (chunk.id,) if holder.id == chunk.id else (chunk.id, holder.id)
    return Claim(f"\u201c{line}\u201d \u2026 \u201c{quote}\u201d", passages, labels=(block.label,))


def _items(chunk: Chunk, place: int) -> list[Block]:
    """The sub-paragraphs of a line that ends in a colon, if they are few words and all in the chunk."""
    block = chunk.blocks[place]
    if not _hangs(block.text):
        return []
    after = chunk.version.text.blocks[chunk.first_block + place + 1 :]
    items: list[Block] = []
    for item in after:
        if item.label == block.label or not item.label.startswith(block.label):
            break
        items.append(item)
    inside = len(items) <= len(chunk.blocks) - place - 1
    short = sum(len(item.text.split()) for item in items) <= SHORT_LIST
    return items if inside and short else []


def _lead(chunk: Chunk, place: int) -> Block | None:
    """The nearest line above that a sub-paragraph completes."""
    label = chunk.blocks[place].label
    above = chunk.version.text.blocks[: chunk.first_block + place] if label else ()
    return next((b for b in reversed(above) if b.label == parent(label) and _hangs(b.text)), None)


def _holder(chunk: Chunk, line: Block, context: Context) -> Chunk | None:
    """The passage of the context that holds a line of the chunk's own version."""
    mine = (hit.chunk for hit in context.hits if hit.chunk.version is chunk.version)
    return next((other for other in mine if any(block is line for block in other.blocks)), None)


def _hangs(text: str) -> bool:
    return text.endswith((":", "\u2014"))


def _sentences(block: Block, wanted: set[str]) -> str:
    """The whole block, or of a long one the sentence that shares most with the question and its kin."""
    if block.kind is BlockKind.TABLE or len(block.text.split()) <= LONG_BLOCK:
        return block.text.replace("\n", " ")
    sentences = _SENTENCE_END.split(block.text)
    stems = [set(map(stem, words(sentence))) for sentence in sentences]
    seen = {word: sum(word in other for other in stems) for word in wanted}
    scores = [sum(1 / seen[word] for word in own & wanted) for own in stems]
    best = max(range(len(sentences)), key=lambda at: (scores[at], -at))
    first = last = best
    size = len(sentences[best].split())
    for step in (1, -1):
        at = best + step
        if 0 <= at < len(sentences) and scores[at] >= scores[best] / 2:
            size += len(sentences[at].split())
            if size <= LONG_BLOCK:
                first, last = min(first, at), max(last, at)
    begin = block.text.index(sentences[first])
    end = block.text.index(sentences[last], begin) + len(sentences[last])
    return block.text[begin:end]


def _line(claim: Claim, chunk: Chunk) -> str:
    """The claim with the place and the version that it is taken from."""
    version = chunk.version
    return f"{version.citation}{claim.labels[0]} (version {dates(version)}): {claim.text}"
