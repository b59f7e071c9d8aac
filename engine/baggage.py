"""What a carrier may limit its liability for baggage to: the amount, and whom it holds for, from the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.facts import Route
from engine.model import BlockKind
from engine.places import Lies
from engine.quantities import find_quantities
from engine.reading import dollars
from engine.scope import DEFINITIONS
from engine.search.units import title_of
from engine.stated import direction_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.facts import Facts
    from engine.model import Block, Chunk

_LIMIT = re.compile(
    r"\b(?P<bar>(?:shall|may) not limit its liability\b).*?"
    r"\b(?P<least>to (?:an amount )?(?:of )?(?:not )?less than (?P<money>\S+) (?:for each|per) passenger)\b",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\b(?:los[et]\w*|losing|loss(?:es)?|missing|damag\w*|destroy\w*|delay\w*|late|disappear\w*|stolen"
    r"|vanish\w*|gone|ruin\w*|wreck\w*|smash\w*|br(?:oke|eak)\w*|never (?:came|arrived|showed|turned)"
    r"|liab\w*|limit\w*|caps?|worth|valued?)\b",
    re.IGNORECASE,
)
"""What happens to a bag, or what it is worth; a fee paid for one is another matter."""
_AIRCRAFT = re.compile(r"\busing (?P<term>\w+ aircraft)\b", re.IGNORECASE)
_SAME_TICKET = re.compile(r"\bsame ticket\b", re.IGNORECASE)
_MORE_SEATS = re.compile(r"\bmore than (?P<n>\d+) seats\b", re.IGNORECASE)
_MONEY = r"(?:(?:US)?\$\s?[\d,]+(?:\.\d\d)?|(?:USD )?\d[\d,]*(?:\.\d\d)? (?:dollars|bucks|USD)|USD\s?[\d,]+)"
_VALUE = re.compile(
    r"\b(?:worth|valued? (?:at|of|is|was)|contents? of|(?:damages?|loss(?:es)?) of|cost (?:me|us|her|him))"
    rf" (?:some |about |around |roughly |over |at least |only )?(?P<after>{_MONEY})"
    rf"|(?P<before>{_MONEY}) (?:worth\b|(?:of|in) (?:\w+ ){{0,3}}?"
    r"(?:bags?|baggage|clothes|clothing|belongings|contents|damages?|gear|goods|items|jewel\w+|luggage|losses"
    r"|property|stuff|things)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Limit:
    """The lowest limit that a carrier may set, as one passage in force states it."""

    chunk: Chunk
    label: str
    amount: Decimal
    """US dollars for each passenger."""
    formula: str
    """The words of the version that say so."""
    seats: int | None
    """It holds for aircraft of more seats than this; None when the text draws no such line."""
    same_ticket: bool
    """It holds as well for other flights on a ticket with a flight of such an aircraft."""
    open_facts: tuple[str, ...] = ()
    """Facts that would decide, and are not known."""
    value: Decimal | None = None
    """US dollars: what the question says that the bag was worth."""

    @property
    def claimable(self) -> Decimal | None:
        """The smaller of the value and the limit: what may be claimed where the carrier sets that limit."""
        return None if self.value is None else min(self.value, self.amount)


def read_limit(chunks: Sequence[Chunk], facts: Facts, text: str) -> Limit | None:
    """Read the limit for a question on how much a bag comes to.

    None for a flight that is not within the United States: the text says nothing of it. None as well
    when no passage states a limit, or two state different ones.
    """
    if not (facts.bag and facts.asks_amount and _HARM.search(text)) or _is_abroad(facts, text):
        return None
    found = [limit for chunk in chunks for block in chunk.blocks if (limit := _limit(chunk, block, chunks))]
    if len({limit.amount for limit in found}) != 1:
        return None
    first, value = found[0], read_value(text)
    return Limit(
        first.chunk,
        first.label,
        first.amount,
        first.formula,
        first.seats,
        first.same_ticket,
        tuple(_open(first, facts, value)),
        value,
    )


def read_value(text: str) -> Decimal | None:
    """The one value of a bag that a text names, in US dollars."""
    found: set[Decimal] = set()
    for match in _VALUE.finditer(text):
        for quantity in find_quantities(match["after"] or match["before"]):
            if quantity.kind == "money" and quantity.unit == "USD" and isinstance(quantity.value, Decimal):
                found.add(quantity.value)
    return found.pop() if len(found) == 1 else None


def as_json(limit: Limit) -> dict[str, Any]:
    """The limit for the `reading` key of a card's JSON."""
    return {
        "kind": "baggage",
        "decided": not set(limit.open_facts) - {"value"},
        "open": list(limit.open_facts),
        "tiers": [],
        "limit": {
            "passage": limit.chunk.id,
            "section": limit.chunk.section,
            "paragraph": limit.label,
            "amount": str(limit.amount),
            "formula": limit.formula,
            "over_seats": limit.seats,
            "same_ticket": limit.same_ticket,
            "value": None if limit.value is None else str(limit.value),
            "claimable": None if limit.claimable is None else str(limit.claimable),
        },
    }


def lines(limit: Limit) -> tuple[str, ...]:
    """The limit for people, and what it comes to for the value that was named: one or two lines."""
    place = f"{limit.chunk.version.citation}{limit.label}"
    said = f"Limit: \u201c{limit.formula}\u201d ({place})"
    if limit.seats is not None:
        also = ", or on one ticket with such a flight" if limit.same_ticket else ""
        said += f", on aircraft of more than {limit.seats} seats{also}"
    if limit.value is None or limit.claimable is None:
        return (f"{said}.",)
    worked = f"{dollars(limit.value)} of provable damages, the lowest limit is {dollars(limit.amount)}"
    return (f"{said}.", f"Worked out, the smaller of the two: {worked}: {dollars(limit.claimable)}.")


def _is_abroad(facts: Facts, text: str) -> bool:
    """Whether anything says that the flight is not within the United States."""
    if facts.route is not None:
        return facts.route is not Route.WITHIN_US
    places = any(place.lies is Lies.ABROAD for place in facts.places)
    return facts.begins_abroad or facts.ends_abroad or places or direction_of(text) is True


def _limit(chunk: Chunk, block: Block, chunks: Sequence[Chunk]) -> Limit | None:
    match = _LIMIT.search(block.text) if block.kind is BlockKind.PARAGRAPH else None
    money = find_quantities(match["money"]) if match else ()
    if match is None or len(money) != 1 or money[0].unit != "USD" or not isinstance(money[0].value, Decimal):
        return None
    term = _AIRCRAFT.search(block.text)
    return Limit(
        chunk=chunk,
        label=block.label,
        amount=money[0].value,
        formula=f"{match['bar']} \u2026 {match['least']}",
        seats=_seats(term["term"], chunk, chunks) if term else None,
        same_ticket=_SAME_TICKET.search(block.text) is not None,
    )


def _seats(term: str, chunk: Chunk, chunks: Sequence[Chunk]) -> int | None:
    """The seats above which an aircraft is what the part's definitions call so."""
    for other in chunks:
        if other.version.text.part != chunk.version.text.part or not DEFINITIONS.search(
            title_of(other.version.text)
        ):
            continue
        for block in other.blocks:
            match = _MORE_SEATS.search(block.text)
            if match and block.text.casefold().startswith(f"{term.casefold()} means"):
                return int(match["n"])
    return None


def _open(limit: Limit, facts: Facts, value: Decimal | None) -> list[str]:
    made = ["route"] if facts.route is None else []
    if limit.seats is not None and facts.seats is None:
        made.append("seats")
    elif limit.seats is not None and facts.seats is not None and facts.seats <= limit.seats:
        made.append("another flight on the same ticket")
    return made + (["value"] if value is None else [])
