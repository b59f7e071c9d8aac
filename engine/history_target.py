"""Which sections, paragraphs and amounts a question of history is about, and the passages that hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from engine.changes import amounts_of, money_of, paragraphs
from engine.history_question import Wants
from engine.model import BlockKind
from engine.sources.numbers import find_references

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import date

    from engine.history_question import HistoryQuestion
    from engine.model import Block, Chunk, Hit, Question, SectionVersion
    from engine.quantities import Quantity
    from engine.versions import Timeline

    Search: TypeAlias = Callable[[str, date | None], Sequence[Hit]]
    """Finds the passages for a text in force on a day, with None those of every version, best first."""
    Place: TypeAlias = tuple[SectionVersion, str, Sequence[Quantity]]
    """A paragraph of a version, and the amounts that its passages have to state."""

_DAY = timedelta(days=1)
_QUOTED = re.compile("\u201c[^\u201d]*\u201d")


@dataclass(frozen=True, slots=True)
class Target:
    """One section, or a paragraph of it, that a question is about."""

    line: Timeline
    path: str = ""
    """The label path that everything has to stand under; empty for the whole section."""
    amounts: tuple[Quantity, ...] = ()
    """The amounts whose days are asked for."""
    of_amount: bool = False
    """Whether only amounts are asked for."""

    def pairs(self) -> Iterator[tuple[SectionVersion, SectionVersion]]:
        """Each version with the one that follows it without a gap."""
        versions = self.line.versions
        for before, after in pairwise(versions):
            if before.effective_to == after.effective_from - _DAY:
                yield before, after


@dataclass(frozen=True, slots=True)
class Found:
    """The targets of a question."""

    targets: tuple[Target, ...]
    firm: bool
    """Whether the question itself names them."""


def targets_of(
    wanted: HistoryQuestion, asked: Question, timelines: Sequence[Timeline], search: Search
) -> Found | None:
    """Find what is meant: a named section, a named amount, or the best paragraph that search finds."""
    named = _named(asked.text, timelines, of_amount=wanted.of_amount)
    if named is None:
        return None
    if wanted.wants is Wants.RUN and wanted.amounts:
        return Found(_with_amounts(wanted, named, timelines, search), firm=True)
    if named or wanted.everything:
        return Found(named or tuple(Target(line) for line in timelines), firm=True)
    # Since when there is a rule may be asked before there is one: then it stands in a later version.
    whenever = wanted.wants is Wants.RUN and not wanted.of_amount
    hits = search(wanted.topic, None if whenever else asked.as_of)
    best = _best(hits, timelines, of_amount=wanted.of_amount)
    # "Has the limit changed?" is about every part that has one.
    parts = {line.versions[0].text.part: (line, block) for line, block in reversed(best)}
    chosen = [row for row in best if row in parts.values()] if wanted.vague else best[:1]
    if wanted.wants is not Wants.RUN:
        made = [Target(line, of_amount=wanted.of_amount) for line, _ in chosen]
    else:
        amounts = [money_of(block.text) if wanted.of_amount else () for _, block in chosen]
        made = [Target(line, block.label, of) for (line, block), of in zip(chosen, amounts, strict=True)]
    return Found(tuple(made), firm=whenever) if made else None


def passages(chunks: Sequence[Chunk], places: Iterable[Place]) -> tuple[Chunk, ...]:
    """The fewest passages that hold the places, once each; of a section without text the empty one."""
    made: dict[str, Chunk] = {}
    for version, label, amounts in places:
        own = [chunk for chunk in chunks if chunk.version is version]
        there = [chunk for chunk in own if any(_under(block, label) for block in chunk.blocks)] or own
        wanted = set(amounts)
        for chunk in made.values():
            wanted -= _stated(chunk, label) if chunk in there else set()
        if not amounts and not any(chunk.id in made for chunk in there):
            made[there[0].id] = there[0]
        while wanted:
            best = max(there, key=lambda chunk: len(wanted & _stated(chunk, label)))
            made[best.id] = best
            wanted -= _stated(best, label)
    return tuple(made.values())


def _under(block: Block, label: str) -> bool:
    return block.kind is not BlockKind.NOTICE and block.label.startswith(label)


def _stated(chunk: Chunk, label: str) -> set[Quantity]:
    """The amounts that the blocks of a label state in a passage."""
    own = (block.text for block in chunk.blocks if block.label == label and _under(block, label))
    return {amount for text in own for amount in amounts_of(text)}


def _named(text: str, timelines: Sequence[Timeline], *, of_amount: bool) -> tuple[Target, ...] | None:
    """The sections and parts that a question names; None when it names some and none is held."""
    references = [ref for ref in find_references(text) if ref.section or ref.part]
    made: dict[tuple[str, str, str], Target] = {}
    for ref in references:
        for line in timelines:
            part = line.versions[0].text.part
            if ref.title not in {"", line.title} or (ref.section or line.section) != line.section:
                continue
            if ref.section or ref.part == part:
                held = any(paragraphs(version.text, ref.label) for version in line.versions)
                path = ref.label if held else ""
                target = Target(line, path, of_amount=of_amount)
                made.setdefault((line.title, line.section, path), target)
    return None if references and not made else tuple(made.values())


def _with_amounts(
    wanted: HistoryQuestion, named: Sequence[Target], timelines: Sequence[Timeline], search: Search
) -> tuple[Target, ...]:
    """For each amount the section that holds it: the named ones, else the best that search finds."""
    made: dict[str, Target] = {}
    for amount in wanted.amounts:
        held = [target for target in named if _holds(target, amount)]
        if not named:
            holding = [
                hit.chunk for hit in search(wanted.topic, None) if amount in amounts_of(hit.chunk.body)
            ]
            alone = (
                chunk
                for chunk in holding
                if any(_alone(block, chunk.version) == amount for block in chunk.blocks)
            )
            best = next(alone, holding[0] if holding else None)
            held = [Target(line) for line in timelines if best and best.version in line.versions]
        for target in held:
            key = f"{target.line.title} {target.line.section}{target.path}"
            before = made.get(key, target)
            made[key] = Target(target.line, target.path, (*before.amounts, amount))
    return tuple(made.values())


def _holds(target: Target, amount: Quantity) -> bool:
    texts = (paragraphs(version.text, target.path) for version in target.line.versions)
    return any(amount in amounts_of(text) for held in texts for text in held.values())


def _best(
    hits: Sequence[Hit], timelines: Sequence[Timeline], *, of_amount: bool
) -> list[tuple[Timeline, Block]]:
    """The blocks with their sections, best first; for an amount those whose one amount has moved."""
    scored = [
        (score, -number, -place)
        for number, hit in enumerate(hits)
        for place, score in enumerate(hit.blocks)
        if score is not None and hit.chunk.blocks[place].kind is not BlockKind.NOTICE
    ]
    places = [(hits[-number].chunk, -place) for _, number, place in sorted(scored, reverse=True)]
    rows = [(_line_of(chunk, timelines), chunk.version, chunk.blocks[place]) for chunk, place in places]
    if of_amount:
        rows = [row for row in rows if money_of(row[2].text)]
        rows = [row for row in rows if _moved(row[0], row[2])] or rows
        rows = [row for row in rows if _alone(row[2], row[1])] or rows
    return [(line, block) for line, _, block in rows]


def _line_of(chunk: Chunk, timelines: Sequence[Timeline]) -> Timeline:
    return next(line for line in timelines if chunk.version in line.versions)


def _moved(line: Timeline, block: Block) -> bool:
    """Whether the paragraph's amounts of money are not the same in every version."""
    texts = (paragraphs(version.text).get(block.label, "") for version in line.versions)
    return len({money_of(text) for text in texts}) > 1


def _alone(block: Block, version: SectionVersion) -> Quantity | None:
    """The one amount that the whole paragraph states in its own words, not in those of a notice or a table.

    Of several amounts under one label, or of one that is only quoted, nobody can tell which rule it is.
    """
    own = money_of(_QUOTED.sub(" ", paragraphs(version.text).get(block.label, "")))
    return own[0] if len(own) == 1 else None
