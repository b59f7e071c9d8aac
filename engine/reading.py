"""Compensation read from the text in force: windows, percentages and caps, none of them written in code.

A paragraph that names a window of delay and either no compensation or a percentage of the fare with an
amount is a *tier*. Which tiers fit the facts is plain arithmetic over what the paragraphs say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from engine.facts import Facts, Route
from engine.model import Block, BlockKind
from engine.quantities import find_quantities

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.checklist import CheckItem
    from engine.model import Chunk

_NONE = re.compile(r"\bno compensation\b", re.IGNORECASE)
_SPAN = r"[^;.]{1,40}?(?:hours?|minutes?)"
_UP_TO = re.compile(rf"\bnot (?:later|more) than (?P<d>{_SPAN}) after\b", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"\bmore than (?P<low>{_SPAN}) but less than (?P<high>{_SPAN}) after\b",
    re.IGNORECASE,
)
_NOT_UNDER = re.compile(
    rf"\bdoes not offer alternate transportation\b.*\bless than (?P<d>{_SPAN}) after\b",
    re.IGNORECASE,
)
_FOREIGN = re.compile(r"\bforeign (air transportation|point)\b", re.IGNORECASE)
_INTERSTATE = re.compile(
    r"\binterstate air transportation\b|\bbetween points within the United States\b", re.IGNORECASE
)
_ITEM = re.compile(r"(?:(?<=[:;] )|(?<=; and ))(?=\(\d\) )")
_SUBJECT = re.compile(
    r"^(?:\([a-z0-9]+\) )?(?:compensation shall be )?(?P<formula>.*?\bfare\b.*?),? if the carrier\b",
    re.IGNORECASE,
)


class Kind(StrEnum):
    """Where a tier stands."""

    RULE = "rule"
    """In a paragraph of its own, which says what shall be paid."""
    NOTICE = "notice"
    """In the words of a notice that carriers hand out."""


@dataclass(frozen=True, slots=True)
class Tier:
    """One step of compensation, as one passage states it."""

    chunk: Chunk
    label: str
    block: Block
    kind: Kind
    foreign: bool
    """From the United States abroad; else between points within it."""
    over: int
    """Minutes: the delay is longer than this, or as long when `reached`."""
    reached: bool
    under: int | None
    """Minutes: the delay is shorter; as long only when `inclusive`. None: no upper end."""
    inclusive: bool
    percent: Decimal
    """Of the one-way fare; 0 for no compensation."""
    cap: Decimal | None
    """US dollars; None for no compensation."""
    formula: str
    """The words of the version that say so."""

    @property
    def first(self) -> int:
        """The first whole minute of delay that falls into it."""
        return self.over if self.reached else self.over + 1

    @property
    def last(self) -> int | None:
        """The last whole minute that does; None without an upper end."""
        return self.under if self.under is None or self.inclusive else self.under - 1

    def fits(self, minutes: int) -> bool:
        """Whether a planned arrival that many minutes late falls into this tier."""
        return self.touches(minutes, minutes)

    def touches(self, least: int, most: int | None) -> bool:
        """Whether any delay between two ends, both inclusive, falls into this tier."""
        above = most is None or most >= self.first
        return above and (self.last is None or least <= self.last)

    def amount(self, fare: Decimal) -> Decimal:
        """What the formula gives for a fare: the percentage of it, at most the cap."""
        share = fare * self.percent / 100
        return share if self.cap is None else min(share, self.cap)


@dataclass(frozen=True, slots=True)
class Reading:
    """The tiers in force that fit the facts."""

    tiers: tuple[Tier, ...]
    """Of the rule, lowest first: one when the facts decide, more when they leave it open."""
    conflicts: tuple[tuple[Tier, Tier], ...]
    """A tier of the rule and one of a notice for the same case with another amount."""
    open_facts: tuple[str, ...]
    """Facts that would decide, and are not known."""
    rule: tuple[Tier, ...]
    """Every tier of the rule on that day, those that do not fit too."""
    facts: Facts
    """What the tiers were held against."""
    checklist: tuple[CheckItem, ...] = ()
    """What may change it: the exceptions and the payment rule of the part."""
    leads: bool = True
    """No other paragraph in force has rarer words of the question and fits better."""

    @property
    def decided(self) -> bool:
        """Whether one tier is left."""
        return len(self.tiers) == 1


def read_tiers(chunks: Iterable[Chunk]) -> tuple[Tier, ...]:
    """Find every tier in passages, the rule's and the notices'."""
    made: list[Tier] = []
    for chunk in chunks:
        for place, block in enumerate(chunk.blocks):
            if block.kind is BlockKind.PARAGRAPH:
                made.extend(_tiers_of(chunk, chunk.first_block + place, block))
    return tuple(made)


def read(tiers: Sequence[Tier], facts: Facts) -> Reading | None:
    """Read what the facts come to; None when no rule in the passages has tiers for such a flight.

    An open fact is never guessed: without a route both directions' tiers stay, without a delay all.
    """
    rule = [tier for tier in tiers if tier.kind is Kind.RULE]
    if not rule or facts.route in {Route.TO_US, Route.ABROAD}:
        return None
    open_facts: list[str] = []
    if facts.route is None:
        open_facts.append("route")
    else:
        rule = [tier for tier in rule if tier.foreign == (facts.route is Route.FROM_US)]
    if facts.no_alternate:
        rule = [tier for tier in rule if tier.under is None]
    elif facts.delay is None:
        open_facts.append("delay")
    else:
        rule = [tier for tier in rule if tier.touches(facts.delay.least, facts.delay.most)]
    ordered = tuple(sorted(rule, key=lambda tier: (tier.foreign, tier.over)))
    if facts.basis is None:
        open_facts.append("fare")
    every = tuple(tier for tier in tiers if tier.kind is Kind.RULE)
    return Reading(ordered, tuple(_conflicts(ordered, tiers)), tuple(open_facts), every, facts)


def window_of(text: str) -> tuple[int, bool, int | None, bool] | None:
    """The window of delay that a text names: (over, reached, under, inclusive) as in `Tier`, in minutes."""
    between = _BETWEEN.search(text)
    if between:
        low, high = _minutes(between["low"]), _minutes(between["high"])
        return None if low is None or high is None or low >= high else (low, False, high, False)
    not_under = _NOT_UNDER.search(text)
    if not_under:
        least = _minutes(not_under["d"])
        return None if least is None else (least, True, None, False)
    up_to = _UP_TO.search(text)
    most = _minutes(up_to["d"]) if up_to else None
    return None if most is None else (-1, False, most, True)


def as_json(reading: Reading, facts: Facts) -> dict[str, Any]:
    """A reading for the `reading` key of a card's JSON."""
    return {
        "kind": "compensation",
        "decided": reading.decided,
        "open": list(reading.open_facts),
        "tiers": [_tier_json(tier, facts.basis) for tier in reading.tiers],
    }


def conflicts_json(reading: Reading) -> list[dict[str, Any]]:
    """The conflicts for the `conflicts` key of a card's JSON."""
    return [{"rule": _tier_json(a, None), "other": _tier_json(b, None)} for a, b in reading.conflicts]


def dollars(value: Decimal) -> str:
    """An amount for people: `$1,550`, `$612.50`."""
    whole = value == value.to_integral_value()
    return f"${value:,.0f}" if whole else f"${value:,.2f}"


def _tier_json(tier: Tier, fare: Decimal | None) -> dict[str, Any]:
    return {
        "passage": tier.chunk.id,
        "section": tier.chunk.section,
        "paragraph": tier.label,
        "foreign": tier.foreign,
        "over_minutes": tier.over,
        "under_minutes": tier.under,
        "percent": str(tier.percent),
        "cap": None if tier.cap is None else str(tier.cap),
        "formula": tier.formula,
        "amount": None if fare is None else str(tier.amount(fare)),
    }


def _tiers_of(chunk: Chunk, place: int, block: Block) -> Iterator[Tier]:
    """A labelled paragraph is one tier; a paragraph of a notice may list several in its line."""
    items = _ITEM.split(block.text)
    if len(items) > 1:
        foreign = _direction(items[0])
        for item in items[1:]:
            tier = _tier(chunk, block, item, Kind.NOTICE, foreign=foreign)
            if tier:
                yield tier
        return
    lead = _lead(chunk, place, block)
    tier = _tier(chunk, block, block.text, Kind.RULE, foreign=_direction(lead)) if lead else None
    if tier:
        yield tier


def _lead(chunk: Chunk, place: int, block: Block) -> str:
    """The paragraph that a sub-paragraph hangs on."""
    if block.label.count("(") <= 1:
        return ""
    above = block.label[: block.label.rindex("(")]
    blocks = chunk.version.text.blocks[:place]
    return next((other.text for other in reversed(blocks) if other.label == above), "")


def _direction(text: str) -> bool | None:
    """True for foreign, False for interstate, None when the text says neither or both."""
    foreign, interstate = _FOREIGN.search(text) is not None, _INTERSTATE.search(text) is not None
    return foreign if foreign != interstate else None


def _tier(chunk: Chunk, block: Block, text: str, kind: Kind, *, foreign: bool | None) -> Tier | None:
    window = window_of(text)
    if window is None or foreign is None:
        return None
    over, reached, under, inclusive = window
    percents, caps = _values(text, "percent"), _values(text, "money")
    nothing = _NONE.search(text) is not None
    # Two percentages or amounts leave open which one is meant.
    if len(percents) > 1 or len(caps) > 1 or (not nothing and not (percents and caps)):
        return None
    formula = _SUBJECT.search(text)
    return Tier(
        chunk=chunk,
        label=block.label,
        block=block,
        kind=kind,
        foreign=foreign,
        over=over,
        reached=reached,
        under=under,
        inclusive=inclusive,
        percent=Decimal(0) if nothing else percents.pop(),
        cap=None if nothing else caps.pop(),
        formula="no compensation" if nothing else formula["formula"] if formula else text,
    )


def _values(text: str, kind: str) -> set[Decimal]:
    """The different percentages or amounts of dollars in a text."""
    return {
        q.value
        for q in find_quantities(text)
        if q.kind == kind and q.unit in {"percent", "USD"} and isinstance(q.value, Decimal)
    }


def _minutes(text: str) -> int | None:
    found = [q.value for q in find_quantities(text) if q.kind == "duration"]
    return int(found[0]) if len(found) == 1 and isinstance(found[0], Decimal) else None


def _conflicts(chosen: Iterable[Tier], tiers: Iterable[Tier]) -> Iterator[tuple[Tier, Tier]]:
    notices = [tier for tier in tiers if tier.kind is Kind.NOTICE]
    for tier in chosen:
        for other in notices:
            same = (tier.foreign, tier.over, tier.under) == (other.foreign, other.over, other.under)
            if same and (tier.percent, tier.cap) != (other.percent, other.cap):
                yield tier, other
