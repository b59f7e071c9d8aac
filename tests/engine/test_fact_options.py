"""Facts that a case worker states go before those that were read, and nothing unreadable passes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.errors import UsageError
from engine.fact_options import apply_facts, fact_forms
from engine.facts import Cabin, Facts, Route, read_facts

READ = read_facts("Bumped from Boston to Dublin, $900 one way, planned to arrive 3 hours late. How much?")


@pytest.mark.parametrize(
    ("name", "value", "fields"),
    [
        ("route", "within_us", {"route": Route.WITHIN_US, "begins_abroad": False, "ends_abroad": False}),
        ("route", "Within US", {"route": Route.WITHIN_US}),
        ("route", "from-us-abroad", {"route": Route.FROM_US, "ends_abroad": True}),
        ("route", "to_us", {"route": Route.TO_US, "begins_abroad": True, "ends_abroad": False}),
        ("route", "abroad", {"route": Route.ABROAD, "begins_abroad": True, "ends_abroad": True}),
        ("route", "", {"route": None, "begins_abroad": False, "ends_abroad": False}),
        ("alternate", "no", {"no_alternate": True}),
        ("alternate", "yes", {"no_alternate": False}),
        ("fare", "412.50", {"fare": Decimal("412.50")}),
        ("fare", "$1,200", {"fare": Decimal(1200)}),
        ("fare", "", {"fare": None}),
        ("award", "yes", {"award": True}),
        ("award", "", {"award": False}),
        ("voluntary", "NO", {"voluntary": False}),
        ("voluntary", "", {"voluntary": None}),
        ("seats", "45", {"seats": 45}),
        ("seats", "", {"seats": None}),
        ("bag", "y", {"bag": True}),
        ("cabin", "Premium economy", {"cabin": Cabin.PREMIUM}),
        ("cabin", "", {"cabin": None}),
        ("delay", "", {"delay": None}),
    ],
)
def test_a_stated_fact_takes_the_place_of_the_one_read(name: str, value: str, fields: dict[str, Any]) -> None:
    made = apply_facts(READ, {name: value})

    assert {field: getattr(made, field) for field in fields} == fields
    assert made.places == READ.places


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("90", 90, 90),
        ("0", 0, 0),
        ("1h30", 90, 90),
        ("2 hours", 120, 120),
        ("an hour and a half", 90, 90),
        ("1:15", 75, 75),
        ("over 4 hours", 241, None),
        ("1 to 2 hours", 61, 119),
    ],
)
def test_a_delay_is_minutes_or_words(value: str, least: int, most: int | None) -> None:
    delay = apply_facts(Facts(), {"delay": value}).delay

    assert delay is not None
    assert (delay.least, delay.most, delay.planned) == (least, most, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("route", "to the moon"),
        ("delay", "soon"),
        ("delay", "999999999"),
        ("delay", "-5"),
        ("alternate", "maybe"),
        ("fare", "a lot"),
        ("fare", "300 to 400"),
        ("fare", "-1"),
        ("fare", "1000001"),
        ("seats", "0"),
        ("seats", "1001"),
        ("seats", "many"),
        ("cabin", "cargo"),
        ("award", "\x1b[31myes"),
        ("voluntary", "9" * 10_000),
    ],
)
def test_what_cannot_be_read_is_refused_and_says_what_can(name: str, value: str) -> None:
    with pytest.raises(UsageError) as caught:
        apply_facts(READ, {name: value})

    assert name in str(caught.value)
    assert fact_forms()[name] in str(caught.value)
    assert len(str(caught.value)) < 400
    assert "\x1b" not in str(caught.value)


def test_an_unknown_fact_names_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"no fact 'speed'.*\n?.*route, delay"):
        apply_facts(READ, {"speed": "to_us"})


def test_without_corrections_nothing_changes() -> None:
    assert apply_facts(READ, {}) == READ
