"""What an answerer is given: the best passages within a budget, and a list of what was left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.model import BlockKind, Context, Dropped, DropReason, Hit, Origin
from engine.scope import DEFINITIONS, SCOPE
from engine.search.tokens import stem, words
from engine.search.units import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.model import Chunk, SectionVersion

BUDGET = 4000
"""Estimated tokens. The five largest chunks of any day and the pinned passages fit; a test proves it."""
MAX_PINNED = 3
NEAR_DUPLICATE = 0.9
"""Jaccard similarity of two passages' words from which one of them says nothing new."""
_CHARACTERS_A_TOKEN = 4


def estimate(text: str) -> int:
    """Tokens of a text, estimated: characters / 4, rounded up."""
    return -(-len(text) // _CHARACTERS_A_TOKEN)


def dates(version: SectionVersion) -> str:
    """A version's days for a reader: `2021-08-02 to 2024-10-23`, `since 2025-01-22`.

    A version that began before the history is *held from* its first day: nobody can tell more.
    """
    held = version.from_origin is Origin.AT_OR_BEFORE
    if version.effective_to is None:
        return f"{'held from' if held else 'since'} {version.effective_from}"
    return f"{'held from ' if held else ''}{version.effective_from} to {version.effective_to}"


def header(chunk: Chunk) -> str:
    """The line under which a passage enters the context: id, citation, title, version and dates."""
    place = f"{chunk.version.citation}{' ' + chunk.paragraphs if chunk.paragraphs else ''}"
    return f"[{chunk.id}] {place} | {title_of(chunk.version.text)} | version {dates(chunk.version)}"


def cost(chunk: Chunk) -> int:
    """Estimated tokens of a passage with its header."""
    return estimate(f"{header(chunk)}\n{chunk.body}\n")


def build(
    hits: Sequence[Hit],
    pinned: Sequence[Hit] = (),
    *,
    top: int,
    budget: int = BUDGET,
    below: int = 5,
) -> Context:
    """Take the first `top` hits and the pinned ones that fit; list the rest with reasons.

    Search order is kept. A hit whose words are nearly those of a kept passage of another section is
    dropped, so is one that does not fit any more, and the next is tried. Of the hits below the first
    `top`, the next `below` are listed.
    """
    reserved = {hit.chunk.id: cost(hit.chunk) for hit in pinned}
    spent = sum(reserved.values())
    kept: list[Hit] = []
    dropped: list[Dropped] = []
    for place, hit in enumerate(hits):
        if len(kept) == top or place >= top + below:
            break
        twin = _twin(hit.chunk, [other.chunk for other in kept])
        # A pinned passage has its place already, wherever search put it.
        size = 0 if hit.chunk.id in reserved else cost(hit.chunk)
        if twin is not None and size:
            detail = f"nearly the words of {twin.version.citation} {twin.paragraphs}".rstrip()
            dropped.append(Dropped(hit.chunk, DropReason.NEAR_DUPLICATE, detail))
        elif spent + size > budget:
            detail = f"{size} tokens do not fit beside {spent} of {budget}"
            dropped.append(Dropped(hit.chunk, DropReason.OVER_BUDGET, detail))
        else:
            kept.append(hit)
            spent += size
    found = {hit.chunk.id for hit in kept}
    pinned = [hit for hit in pinned if hit.chunk.id not in found]
    taken = {hit.chunk.id for hit in (*kept, *pinned)} | {drop.chunk.id for drop in dropped}
    for hit in hits[: top + below]:
        if hit.chunk.id not in taken:
            detail = f"place {hit.rank}, the first {top} were taken"
            dropped.append(Dropped(hit.chunk, DropReason.BELOW_TOP_K, detail))
    return Context((*kept, *pinned), frozenset(reserved), spent, budget, tuple(dropped))


def not_in_force(hits: Iterable[Hit], unfiltered: Sequence[Hit], top: int) -> tuple[Dropped, ...]:
    """The passages of other days that would have taken one of the first `top` places."""
    in_force = {hit.chunk.id for hit in hits}
    return tuple(
        Dropped(
            hit.chunk,
            DropReason.NOT_IN_FORCE,
            f"version {dates(hit.chunk.version)}",
            rank_without_filter=hit.rank,
        )
        for hit in unfiltered[:top]
        if hit.chunk.id not in in_force
    )


def pins(question: str, leading: Sequence[Chunk], in_force: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Passages that say what a part covers, or what a word of the question means in it.

    Args:
        question: the question with the words of the text added.
        leading: the best hits' chunks; the parts that they belong to are the ones that matter.
        in_force: every chunk that may be used.

    """
    parts = {(chunk.version.text.title, chunk.version.text.part) for chunk in leading[:1]}
    asked = {stem(word) for word in words(question)}
    scope: list[Chunk] = []
    meanings: list[Chunk] = []
    for chunk in in_force:
        if (chunk.version.text.title, chunk.version.text.part) not in parts:
            continue
        title = title_of(chunk.version.text)
        if SCOPE.search(title):
            scope.append(chunk)
        elif DEFINITIONS.search(title) and _defines(chunk, asked):
            meanings.append(chunk)
    return tuple((*scope, *meanings)[:MAX_PINNED])


def _defines(chunk: Chunk, asked: set[str]) -> bool:
    terms = ({stem(word) for word in words(block.term)} for block in chunk.blocks)
    return any(term and term <= asked for term in terms)


def _twin(chunk: Chunk, kept: Sequence[Chunk]) -> Chunk | None:
    """A kept passage of another section with nearly the same words."""
    mine = _word_set(chunk)
    for other in kept:
        if other.section == chunk.section:
            # Two versions of a section, or two of its passages: the difference is the answer.
            continue
        theirs = _word_set(other)
        union = mine | theirs
        if union and len(mine & theirs) / len(union) >= NEAR_DUPLICATE:
            return other
    return None


def _word_set(chunk: Chunk) -> frozenset[str]:
    """The different words of a passage; its notices are not what it says."""
    texts = (block.text for block in chunk.blocks if block.kind is not BlockKind.NOTICE)
    return frozenset(word for text in texts for word in text.casefold().split())
