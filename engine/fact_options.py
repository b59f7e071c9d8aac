"""Facts of a trip as a case worker states them: they go before what was read from the question."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.delays import Delay, read_delay
from engine.errors import UsageError
from engine.facts import Cabin, Facts, Route
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST_MINUTES = 14 * 24 * 60
_MOST_SEATS = 1000
_MOST_FARE = Decimal(1_000_000)
_YES: Final = frozenset({"yes", "y", "true"})
_NO: Final = frozenset({"no", "n", "false"})
_DOLLARS = re.compile(r"(?:us)?\$? ?([0-9][0-9,]*(?:\.[0-9]{1,2})?)(?: ?(?:usd|dollars?))?")
_LONGEST = 60
"""Characters of a stated fact."""


def apply_facts(read: Facts, given: Mapping[str, str]) -> Facts:
    """Return the facts read from a question with those stated in their place.

    Args:
        read: what was read.
        given: values by the names of `FACTS`; an empty one means that it is not known.

    Raises:
        UsageError: there is no such fact, or its value cannot be read; the message says what can.

    """
    changes: dict[str, Any] = {}
    for name, value in given.items():
        if name not in FACTS:
            raise UsageError(
                f"There is no fact {one_line(name)[:_LONGEST]!r}.", f"There are: {', '.join(FACTS)}."
            )
        parse, accepted = FACTS[name]
        try:
            changes.update(parse(value.strip()[: _LONGEST + 1].casefold()))
        except ValueError as error:
            shown = one_line(value)[:_LONGEST]
            raise UsageError(f"The fact {name} is {shown!r}.", f"It takes {accepted}.") from error
    return replace(read, **changes)


def fact_forms() -> dict[str, str]:
    """What each fact may be, in words, by its name."""
    return {name: accepted for name, (_, accepted) in FACTS.items()}


def _route(text: str) -> dict[str, Any]:
    route = Route(text.replace(" ", "_").replace("-", "_")) if text else None
    return {
        "route": route,
        "begins_abroad": route in {Route.TO_US, Route.ABROAD},
        "ends_abroad": route in {Route.FROM_US, Route.ABROAD},
    }


def _delay(text: str) -> dict[str, Any]:
    if not text:
        return {"delay": None}
    if text.isascii() and text.isdigit():
        text = f"{int(text)} minutes"
    delay = read_delay(f"planned arrival {text} late") or read_delay(f"planned arrival delay: {text}")
    if delay is None or delay.least > _MOST_MINUTES:
        raise ValueError(text)
    return {"delay": Delay(delay.least, delay.most, planned=True, text=text)}


def _alternate(text: str) -> dict[str, Any]:
    return {"no_alternate": _yes_no(text) is False}


def _fare(text: str) -> dict[str, Any]:
    if not text:
        return {"fare": None}
    written = _DOLLARS.fullmatch(text)
    if written is None or (fare := Decimal(written[1].replace(",", ""))) > _MOST_FARE:
        raise ValueError(text)
    return {"fare": fare}


def _seats(text: str) -> dict[str, Any]:
    seats = int(text) if text else None
    if seats is not None and not 1 <= seats <= _MOST_SEATS:
        raise ValueError(text)
    return {"seats": seats}


def _cabin(text: str) -> dict[str, Any]:
    return {"cabin": Cabin(text.replace(" ", "_").replace("-", "_")) if text else None}


def _yes_no(text: str) -> bool | None:
    if text and text not in _YES | _NO:
        raise ValueError(text)
    return text in _YES if text else None


def _flag(field: str) -> Callable[[str], dict[str, Any]]:
    return lambda text: {field: bool(_yes_no(text))}


FACTS: Final[Mapping[str, tuple[Callable[[str], dict[str, Any]], str]]] = {
    "route": (_route, " or ".join(Route)),
    "delay": (_delay, "the planned delay of arrival: minutes, or words such as 1h30 or 2 hours"),
    "alternate": (_alternate, "yes, or no when no other transportation was offered"),
    "fare": (_fare, "the one-way fare in US dollars, such as 300 or $412.50"),
    "award": (_flag("award"), "yes or no: an award or other free ticket"),
    "voluntary": (lambda text: {"voluntary": _yes_no(text)}, "yes or no"),
    "seats": (_seats, f"the seats of the aircraft, 1 to {_MOST_SEATS}"),
    "charter": (_flag("charter"), "yes or no: a charter flight"),
    "bag": (_flag("bag"), "yes or no: the question is about a bag"),
    "cabin": (_cabin, " or ".join(Cabin)),
}
"""How the value of each fact is read, and what it may be in words; an empty value takes the fact away."""
