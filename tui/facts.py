"""The facts of a trip as a case worker corrects them: fields, their words, and what was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import AnswerCard

UNSAID = "not said"
"""How an empty value is shown."""
_YES_NO = (("", UNSAID), ("yes", "yes"), ("no", "no"))


@dataclass(frozen=True, slots=True)
class Field:
    """One fact: its name for the engine, and how it is asked for."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...] = ()
    """Values with their words, the empty one first; none where a text is typed."""
    hint: str = ""
    """What a typed text may look like."""


FIELDS = (
    Field("route", "Route", (
        ("", UNSAID),
        ("within_us", "within the United States"),
        ("from_us_abroad", "from the United States abroad"),
        ("to_us", "from abroad to the United States"),
        ("abroad", "between places abroad"),
    )),
    Field("delay", "Planned arrival, late by", hint="90, 1h30 or 2 hours"),
    Field("alternate", "Another flight was offered", _YES_NO),
    Field("fare", "One-way fare in US$", hint="300 or 412.50"),
    Field("award", "Award or free ticket", _YES_NO),
    Field("voluntary", "Gave up the seat freely", _YES_NO),
    Field("seats", "Seats of the aircraft", hint="1 to 1000"),
    Field("cabin", "Cabin", (
        ("", UNSAID), ("economy", "economy"), ("premium_economy", "premium economy"),
        ("business", "business"), ("first", "first"),
    )),
    Field("charter", "Charter flight", _YES_NO),
    Field("bag", "It is about a bag", _YES_NO),
)  # fmt: skip
"""In the order of the form."""


def values_of(card: AnswerCard) -> dict[str, str]:
    """What a card's facts are in the form; empty where nothing was said."""
    facts = card.facts
    made = dict.fromkeys((field.name for field in FIELDS), "")
    if facts is None:
        return made
    typed = {"route": facts.route, "cabin": facts.cabin, "fare": facts.fare, "seats": facts.seats}
    made |= {name: str(value) for name, value in typed.items() if value is not None}
    yes = {"award": facts.award, "charter": facts.charter, "bag": facts.bag}
    made |= {name: "yes" for name, said in yes.items() if said}
    if facts.no_alternate:
        made["alternate"] = "no"
    if facts.voluntary is not None:
        made["voluntary"] = "yes" if facts.voluntary else "no"
    # The form asks for the planned arrival: an actual one does not fill it.
    if facts.delay is not None and facts.delay.planned is not False:
        made["delay"] = _minutes(facts.delay.least, facts.delay.most)
    return made


def _minutes(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} minutes or more"
    return f"{least} minutes" if most == least else f"{least} to {most} minutes"
