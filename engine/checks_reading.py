"""A claim held against what the text in force comes to for the facts: its step, its amounts, its arithmetic.

A number may stand in the cited passage and still be the wrong one. A piece of a claim is judged by the
delay that it names itself, or else by the facts; so a list of all steps with their windows passes.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from engine.facts import Route
from engine.quantities import Quantity
from engine.reading import dollars
from engine.safe import one_line
from engine.sources.numbers import find_references
from engine.stated import find_said, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from engine.facts import Facts
    from engine.model import Claim, Context
    from engine.reading import Reading, Tier
    from engine.stated import Piece, Said

_SHOWN = 60
"""Characters of a claim's own number that a problem shows."""
_PIECES = 60
"""Pieces of a claim that are looked at; none that means well has as many."""
_STEPS = 3
"""Steps that a problem names."""
_ROUTES = {Route.WITHIN_US: "within the US", Route.FROM_US: "from the US abroad"}


def derivable(context: Context) -> frozenset[Quantity]:
    """The amounts that a claim may state though no passage has them: of the facts, and what they come to."""
    reading, limit = context.reading, context.limit
    amounts: set[Decimal] = set()
    if limit is not None and limit.value is not None:
        amounts.add(limit.value)
    if reading is not None and reading.facts.basis is not None:
        fare = reading.facts.basis
        amounts.add(fare)
        for tier in reading.tiers:
            amounts |= {_share(tier, fare), tier.amount(fare)}
    return frozenset(Quantity("money", value, "USD") for value in amounts)


def contradictions(claim: Claim, reading: Reading | None) -> list[str]:
    """What a claim says of compensation that the tiers in force do not give for the case it speaks of."""
    if reading is None or not reading.tiers:
        return []
    caps = {tier.cap for tier in reading.rule if tier.cap is not None}
    first = islice(pieces(claim.text, caps), _PIECES)
    found = (_contradiction(piece, claim, reading) for piece in first)
    problems = [one for one in found if one is not None]
    return list(dict.fromkeys((*problems, *_arithmetic(claim, reading))))


def _contradiction(piece: Piece, claim: Claim, reading: Reading) -> str | None:
    if piece.open:
        return None
    possible, why = _possible(piece, reading)
    wrong = [one for one in piece.said if possible and _is_wrong(one, piece, possible, claim, reading)]
    given = [one_line(one.text)[:_SHOWN].lower() for one in wrong] + _other_places(piece, possible, reading)
    if not given:
        return None
    return f"{why} {_steps(possible)}; the claim gives {' and '.join(dict.fromkeys(given))}."


def _other_places(piece: Piece, possible: Sequence[Tier], reading: Reading) -> list[str]:
    """The paragraphs of steps that a piece names, when none of them is of the case that it speaks of."""
    named = {(one.section, one.label) for one in find_references(piece.text)}
    tiers = [tier for tier in reading.rule if (tier.chunk.section, tier.label) in named]
    if any(tier in possible for tier in tiers):
        return []
    return [f"\u00a7 {tier.chunk.section}{tier.label}" for tier in tiers if possible]


def _possible(piece: Piece, reading: Reading) -> tuple[Sequence[Tier], str]:
    """The tiers of the case that a piece speaks of, and how that case is to be called."""
    facts = reading.facts
    own = None if facts.route is None else facts.route is Route.FROM_US
    foreign = own if piece.foreign is None else piece.foreign
    tiers = [tier for tier in reading.rule if foreign in {None, tier.foreign}]
    other = "For the case that the claim names the text in force gives"
    if foreign is not own and own is not None:
        window = piece.window
        return [t for t in tiers if window is None or t.touches(window.least, window.most)], other
    if piece.window is not None and not _useless(piece, tiers) and not _is_about(piece, facts):
        return [t for t in tiers if t.touches(piece.window.least, piece.window.most)], other
    if piece.window is None and piece.nothing_offered and not _names(piece, facts):
        return [tier for tier in tiers if tier.under is None], other
    said = _facts(facts)
    why = f"The facts ({said}) lead to" if said else "The text in force gives"
    return [tier for tier in reading.tiers if tier in tiers], why


def _useless(piece: Piece, tiers: Sequence[Tier]) -> bool:
    """Whether a window is wider than all steps: `within 24 hours` speaks of payment."""
    ends = [end for tier in tiers for end in (tier.over, tier.under) if end is not None]
    window = piece.window
    return window is not None and window.least == 0 and (window.most or 0) > max(ends, default=0)


def _is_about(piece: Piece, facts: Facts) -> bool:
    """Whether the delay of the facts lies in the window that a piece names, or is named beside it."""
    if _names(piece, facts):
        return True
    delay = facts.delay
    return delay is not None and piece.window is not None and piece.window.holds(delay.least, delay.most)


def _names(piece: Piece, facts: Facts) -> bool:
    delay = facts.delay
    return delay is not None and delay.least == delay.most and delay.least in piece.delays


def _is_wrong(one: Said, piece: Piece, possible: Sequence[Tier], claim: Claim, reading: Reading) -> bool:
    if one.kind == "nothing":
        # "No compensation if you volunteered" is another rule's business.
        applied = piece.window is not None or not piece.conditional or _names(piece, reading.facts)
        return applied and all(tier.cap is not None for tier in possible)
    if one.kind == "percent":
        steps = {tier.percent for tier in reading.rule if tier.cap is not None}
        return one.value in steps - {tier.percent for tier in possible}
    caps = {tier.cap for tier in possible}
    # The notice's own amount is its own when the notice is what the claim cites.
    caps |= {other.cap for _, other in reading.conflicts if other.chunk.id in claim.passages}
    others = {tier.cap for tier in reading.rule} | {other.cap for _, other in reading.conflicts}
    return one.value in others - caps and one.value not in _own(reading)


def _own(reading: Reading) -> set[Decimal]:
    """The fare of the facts and what the tiers that fit give for it."""
    fare = reading.facts.basis
    if fare is None:
        return set()
    return {fare, *(_share(tier, fare) for tier in reading.tiers), *(t.amount(fare) for t in reading.tiers)}


def _arithmetic(claim: Claim, reading: Reading) -> Iterator[str]:
    """Faults of worked-out amounts: without their operands, above the limit, or not what the rule gives."""
    fare = reading.facts.basis
    if fare is None:
        return
    said = find_said(claim.text)
    moneys = {one.value: one for one in said if one.kind == "money"}
    percents = {one.value for one in said if one.kind == "percent"}
    paying = [tier for tier in reading.tiers if tier.cap is not None]
    limits = {tier.cap for tier in reading.rule} | {other.cap for _, other in reading.conflicts}
    for value, one in moneys.items():
        if value in {fare, *limits}:
            continue
        shown = one_line(one.text)[:_SHOWN]
        tier = next((t for t in paying if value in {_share(t, fare), t.amount(fare)}), None)
        if tier is not None and (fare not in moneys or tier.percent not in percents):
            yield f"{shown} is worked out, and the claim does not show from what: {_product(tier, fare)}."
        elif tier is not None and value != tier.amount(fare) and tier.cap not in moneys:
            yield f"{_product(tier, fare)} is {shown}; the claim leaves out the limit, {_step(tier)}."
        elif tier is None and fare in moneys:
            right = " or ".join(f"{dollars(t.amount(fare))} ({_step(t)})" for t in paying[:_STEPS])
            if right and percents:
                yield f"For a fare of {dollars(fare)} the text comes to {right}; the claim gives {shown}."


def _share(tier: Tier, fare: Decimal) -> Decimal:
    return fare * tier.percent / 100


def _product(tier: Tier, fare: Decimal) -> str:
    return f"{tier.percent:f} % of {dollars(fare)}"


def _steps(tiers: Sequence[Tier]) -> str:
    """`200 %, at most $775, § 250.5(a)(2)`, joined by `or`; the same words once."""
    steps = list(dict.fromkeys(_step(tier) for tier in tiers))
    rest = len(steps) - _STEPS
    return " or ".join(steps[:_STEPS]) + (f" or {rest} more" if rest > 0 else "")


def _step(tier: Tier) -> str:
    place = f"\u00a7 {tier.chunk.section}{tier.label}"
    if tier.cap is None:
        return f"no compensation, {place}"
    return f"{tier.percent:f} %, at most {dollars(tier.cap)}, {place}"


def _facts(facts: Facts) -> str:
    """The facts that lead to a tier, in few words."""
    said = [] if facts.route is None else [_ROUTES[facts.route]]
    delay = facts.delay
    if facts.no_alternate:
        said.append("no alternate transportation offered")
    elif delay is not None and delay.most is None:
        said.append(f"{delay.least} minutes or more")
    elif delay is not None:
        span = f"{delay.least}" if delay.least == delay.most else f"{delay.least} to {delay.most}"
        said.append(f"{span} minutes")
    return ", ".join(said)
