"""The answerer without a model: the sentences in force that fit best, word for word."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING

from engine import abstain
from engine.answerers.belonging import holder_of, lead_of, size, together
from engine.context import dates
from engine.model import Answer, Block, BlockKind, Claim, Reason, Status
from engine.scope import scope_passages
from engine.search.tokens import stem, words
from engine.search.words import WordList
from engine.sources.numbers import find_references

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.history import HistoryReading
    from engine.model import Chunk, Context, Hit, Question, SectionVersion
    from engine.reading import Reading, Tier

MOST_QUOTES = 3
MARGIN = 0.1
"""Share of the best block's score by which another may be weaker and still be quoted."""
LONG_BLOCK = 90
"""Words from which a block is not quoted whole but by its best sentences."""
LONG_FIRST = 140
"""The same for the best block, which is the answer more often than not."""
MOST_WORDS = 220
"""Words up to which further blocks are quoted beside the best one and what belongs to it."""
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\u201d]{2}\.)\s+(?=[A-Z\u201c(*])")
_RESERVED = re.compile(r"(?:\([^()]+\)\s*)*\[reserved\]\.?", re.IGNORECASE)
_LISTS = re.compile(r"\bfollow(s|ing):$")
_OFFER = re.compile(
    r"(?P<offer>.*? alternate transportation\b) [^.;]*? "
    r"(?P<window>(?:not later|more|less) than\b[^.;]*? planned arrival time)\b"
)
_STANDS_ALONE = 30
"""Words from which an item of a list that only announces it (`as follows:`) is quoted without that line."""
_ROUTES = {False: ", within the United States", True: ", from the United States abroad"}
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
        if context.subject is not None:
            return abstain.outside(context.subject, context.scope_ids)
        if context.history is not None and context.history.firm:
            return _told(context.history)
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
        named = {(reference.section, reference.label) for reference in find_references(question.text)}
        for hit in context.hits:
            for block in hit.chunk.blocks:
                if (hit.chunk.section, block.label) in named and _RESERVED.fullmatch(block.text):
                    return abstain.empty(question.as_of, hit.chunk, block.label)
        # A section without a rule comes first by chance as well; only one that is named is the answer.
        meant = any(section == first.section for section, _ in named)
        if not first.version.text.rule_blocks and (meant or not _choose(context.hits)):
            return abstain.empty(question.as_of, first)
        return None

    def _quoted(self, question: Question, context: Context) -> Answer:
        if context.history is not None:
            return _told(context.history)
        reading = context.reading
        tiers = _given(reading, context)
        if reading is not None and reading.leads and tiers:
            routes = [_ROUTES[tier.foreign] for tier in tiers] if len({t.foreign for t in tiers}) > 1 else ()
            steps = [_step(tier, short=len(tiers) > 1) for tier in tiers]
            return _answered(steps, [tier.chunk for tier in tiers], routes)
        chosen = _choose(context.hits)
        if not chosen:
            return abstain.nothing_fits(question.as_of)
        wanted = set(map(stem, words(" ".join((question.text, *self.words.expand(question.text))))))
        claims = [
            _claim(hit.chunk, group, context, wanted, first=number == 0)
            for number, (hit, group) in enumerate(chosen)
        ]
        chunks = [hit.chunk for hit, _ in chosen]
        quoted = {id(hit.chunk.blocks[at]) for hit, group in chosen for at in group}
        # Behind what fits better stands the step that the facts decide on.
        further = [tier for tier in tiers if len(tiers) == 1 and id(tier.block) not in quoted]
        claims += (_step(tier, short=True) for tier in further)
        return _answered(claims, [*chunks, *(tier.chunk for tier in further)])


def _told(history: HistoryReading) -> Answer:
    """What the timelines say; an abstention when no text of any day has what was asked about."""
    if not history.held:
        return Answer(Status.NOT_HELD, history.text)
    if not history.claims:
        return Answer(Status.ABSTAINED, history.text, reason=Reason.NOTHING_FITS)
    return Answer(Status.ANSWERED, history.text, history.claims)


def _given(reading: Reading | None, context: Context) -> tuple[Tier, ...]:
    """The steps that fit, when each can be cited."""
    tiers = () if reading is None else reading.tiers
    return tiers if all(context.chunk(tier.chunk.id) for tier in tiers) else ()


def _step(tier: Tier, *, short: bool) -> Claim:
    """A paragraph that states a step of compensation; in short by its offer and its window."""
    quote = _shortened(tier.block.text) if short else tier.block.text
    return Claim(f"\u201c{quote}\u201d", (tier.chunk.id,), labels=(tier.label,))


def _shortened(text: str) -> str:
    """A step of compensation without the words between the offer and its window, the gap marked."""
    found = _OFFER.match(text)
    return text if found is None else f"{found['offer']} \u2026 {found['window']}"


def _answered(claims: Sequence[Claim], chunks: Sequence[Chunk], cases: Sequence[str] = ()) -> Answer:
    """The claims as lines, each with its place and, where there are several, the case it is for.

    The version is named on the first line that uses it.
    """
    lines: list[str] = []
    before: SectionVersion | None = None
    for claim, chunk, case in zip(claims, chunks, cases or [""] * len(claims), strict=True):
        version = chunk.version
        place = f"{version.citation}{claim.labels[0]}{case}"
        named = "" if version is before else f" (version {dates(version)})"
        lines.append(f"{place}{named}: {claim.text}")
        before = version
    return Answer(Status.ANSWERED, "\n".join(lines), tuple(claims))


def _scored(hits: Sequence[Hit]) -> Iterator[tuple[float, tuple[int, int], Block]]:
    """The blocks that may be quoted with their scores and their places: of the hit, in its passage."""
    for number, hit in enumerate(hits):
        for place, score in enumerate(hit.blocks):
            block = hit.chunk.blocks[place]
            if score is not None and block.kind in _QUOTABLE and not _RESERVED.fullmatch(block.text):
                yield score, (number, place), block


def _choose(hits: Sequence[Hit]) -> list[tuple[Hit, range]]:
    """The best blocks of all passages, best first, with what they belong to; the same words count once."""
    scored = sorted(_scored(hits), key=lambda row: (-row[0], row[1]))
    chosen: list[tuple[Hit, range]] = []
    said: set[str] = set()
    spent = 0
    for score, (number, place), block in scored:
        hit = hits[number]
        blocks = hit.chunk.blocks
        if score < scored[0][0] * (1 - MARGIN) or len(chosen) >= MOST_QUOTES:
            break
        if block.text in said:
            continue
        groups = together(hit.chunk, place)
        length = sum(_quoted_size(blocks, group, first=not chosen) for group in groups)
        if not chosen or spent + length <= MOST_WORDS:
            chosen += ((hit, group) for group in groups)
            said.update(blocks[at].text for group in groups for at in group)
            spent += length
    return chosen


def _quoted_size(blocks: Sequence[Block], group: range, *, first: bool) -> int:
    """The words that a group takes as a quotation: a long block alone is cut."""
    words_in = size([blocks[at] for at in group])
    return words_in if len(group) > 1 else min(words_in, LONG_FIRST if first else LONG_BLOCK)


def _claim(chunk: Chunk, group: range, context: Context, wanted: set[str], *, first: bool) -> Claim:
    """A block or a short list as a quotation, with the line that it hangs on where it needs that."""
    block = chunk.blocks[group[0]]
    if len(group) > 1:
        quote = " ".join(chunk.blocks[place].text for place in group)
        return Claim(f"\u201c{quote}\u201d", (chunk.id,), labels=(block.label,))
    quote = _sentences(block, wanted, LONG_FIRST if first else LONG_BLOCK)
    lead = lead_of(chunk, group[0])
    if lead and _LISTS.search(lead.text) and len(block.text.split()) >= _STANDS_ALONE:
        lead = None if lead.label != block.label else lead
    holder = holder_of(chunk, lead, context) if lead else None
    if lead is None or holder is None:
        return Claim(f"\u201c{quote}\u201d", (chunk.id,), labels=(block.label,))
    line = _SENTENCE_END.split(lead.text)[-1]
    passages = (chunk.id,) if holder.id == chunk.id else (chunk.id, holder.id)
    return Claim(f"\u201c{line}\u201d \u2026 \u201c{quote}\u201d", passages, labels=(block.label,))


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
