"""Every boundary of § 250.5 in every version, against a table written by reading the published text."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

import pytest

from engine.delays import Delay
from engine.facts import Facts, Route
from engine.reading import Kind, conflicts_json, read, read_tiers

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.model import Chunk
    from engine.reading import Reading, Tier

    TiersOn = Callable[[str], tuple[Tier, ...]]

NONE_OFFERED = "none offered"
WITHIN, ABROAD = Route.WITHIN_US, Route.FROM_US

STEPS = {
    WITHIN: {
        0: "(a)(1)", 59: "(a)(1)", 60: "(a)(1)",
        61: "(a)(2)", 90: "(a)(2)", 119: "(a)(2)",
        120: "(a)(3)", 121: "(a)(3)", 239: "(a)(3)", 240: "(a)(3)", 241: "(a)(3)", NONE_OFFERED: "(a)(3)",
    },
    ABROAD: {
        0: "(b)(1)", 59: "(b)(1)", 60: "(b)(1)",
        61: "(b)(2)", 90: "(b)(2)", 119: "(b)(2)", 120: "(b)(2)", 121: "(b)(2)", 239: "(b)(2)",
        240: "(b)(3)", 241: "(b)(3)", NONE_OFFERED: "(b)(3)",
    },
}  # fmt: skip
"""Which paragraph a planned arrival that many minutes late falls into; the same in every version."""

AMOUNTS = {
    "2017-01-01": {"(a)(2)": 675, "(a)(3)": 1350, "(b)(2)": 675, "(b)(3)": 1350},
    "2021-01-13": {"(a)(2)": 675, "(a)(3)": 1350, "(b)(2)": 675, "(b)(3)": 1350},
    "2021-04-13": {"(a)(2)": 775, "(a)(3)": 1550, "(b)(2)": 775, "(b)(3)": 1350},
    "2021-08-02": {"(a)(2)": 775, "(a)(3)": 1550, "(b)(2)": 775, "(b)(3)": 1550},
    "2024-10-24": {"(a)(2)": 775, "(a)(3)": 1550, "(b)(2)": 775, "(b)(3)": 1550},
    "2025-01-22": {"(a)(2)": 1075, "(a)(3)": 2150, "(b)(2)": 1075, "(b)(3)": 2150},
}
PERCENTS = {"(1)": 0, "(2)": 200, "(3)": 400}
OLD_WORDS = (
    "{percent}% of the fare to the passenger's destination or first stopover, with a maximum of ${cap:,}"
)
NEW_WORDS = (
    "at least {percent} percent of the fare to the passenger's destination or first stopover, or ${cap:,}, "
    "whichever is lower"
)
WORDS = {
    "2017-01-01": OLD_WORDS,
    "2021-01-13": OLD_WORDS,
    "2021-04-13": NEW_WORDS,
    "2021-08-02": NEW_WORDS,
    "2024-10-24": NEW_WORDS,
    "2025-01-22": NEW_WORDS,
}
LAST_DAYS = {
    "2017-01-01": "2021-01-12",
    "2021-01-13": "2021-04-12",
    "2021-04-13": "2021-08-01",
    "2021-08-02": "2024-10-23",
    "2024-10-24": "2025-01-21",
    "2025-01-22": "2026-10-07",
}
CASES = [
    (day, route, delay, label)
    for day in AMOUNTS
    for route, steps in STEPS.items()
    for delay, label in steps.items()
]


@pytest.fixture(scope="module")
def tiers_on(chunks: tuple[Chunk, ...]) -> TiersOn:
    @cache
    def tiers(day: str) -> tuple[Tier, ...]:
        return read_tiers(c for c in chunks if c.version.in_force(date.fromisoformat(day)))

    return tiers


def facts(route: Route | None, delay: int | str | None, fare: str | None = None) -> Facts:
    late = Delay(delay, delay, planned=None, text="") if isinstance(delay, int) else None
    return Facts(
        route=route,
        delay=late,
        no_alternate=delay == NONE_OFFERED,
        fare=None if fare is None else Decimal(fare),
    )


def reading(tiers: tuple[Tier, ...], known: Facts) -> Reading:
    found = read(tiers, known)
    assert found is not None
    return found


@pytest.mark.parametrize(("day", "route", "delay", "label"), CASES)
def test_each_delay_falls_into_its_paragraph(
    tiers_on: TiersOn, day: str, route: Route, delay: int | str, label: str
) -> None:
    percent = PERCENTS[label[-3:]]
    cap = AMOUNTS[day].get(label)
    for on in (day, LAST_DAYS[day]):
        found = reading(tiers_on(on), facts(route, delay))
        assert found.decided
        assert found.open_facts == ("fare",)
        (tier,) = found.tiers
        assert (tier.chunk.section, tier.label, tier.kind) == ("250.5", label, Kind.RULE)
        assert (tier.percent, tier.cap) == (percent, cap)
        words = WORDS[day].format(percent=percent, cap=cap) if cap else "no compensation"
        assert tier.formula == words
        assert cap is None or words in tier.block.text


def test_every_step_ends_where_the_next_one_begins(tiers_on: TiersOn) -> None:
    for day in AMOUNTS:
        for route in STEPS:
            for minutes in range(1500):
                assert reading(tiers_on(day), facts(route, minutes)).decided, (day, route, minutes)


@pytest.mark.parametrize("day", [*AMOUNTS, *LAST_DAYS.values()])
def test_rule_and_notice_disagree_only_while_the_slip_stood(tiers_on: TiersOn, day: str) -> None:
    slip = "2021-04-13" <= day <= "2021-08-01"
    for route, steps in STEPS.items():
        for delay, label in steps.items():
            found = reading(tiers_on(day), facts(route, delay))
            pairs = [
                (a.label, a.cap, b.chunk.section, b.label, b.kind, b.cap, b.percent)
                for a, b in found.conflicts
            ]
            expected = [("(b)(3)", 1350, "250.9", "(b)", Kind.NOTICE, 1550, 400)]
            assert pairs == (expected if slip and label == "(b)(3)" else [])


def test_the_conflict_names_both_passages_in_json(tiers_on: TiersOn) -> None:
    (pair,) = conflicts_json(reading(tiers_on("2021-06-15"), facts(ABROAD, 300)))
    assert (pair["rule"]["section"], pair["rule"]["cap"]) == ("250.5", "1350")
    assert (pair["other"]["section"], pair["other"]["cap"]) == ("250.9", "1550")
    assert pair["rule"]["passage"] != pair["other"]["passage"]


def test_the_conflict_is_seen_while_the_delay_is_open(tiers_on: TiersOn) -> None:
    assert len(reading(tiers_on("2021-06-15"), facts(None, None)).conflicts) == 1


def test_the_looser_words_of_the_notice_are_no_step_of_their_own(tiers_on: TiersOn) -> None:
    for day in AMOUNTS:
        notices = [tier for tier in tiers_on(day) if tier.kind is Kind.NOTICE]
        assert len(notices) == 6
        # "Over 2 hours" stands in the table: exactly two hours is the upper step all the same.
        assert [tier.fits(120) for tier in notices if tier.percent == 400] == [True, False]


@pytest.mark.parametrize(
    ("day", "route", "delay", "fare", "amount"),
    [
        ("2020-05-01", WITHIN, 90, "150", "300"),
        ("2020-05-01", WITHIN, 90, "337.50", "675"),
        ("2020-05-01", WITHIN, 90, "337.51", "675"),
        ("2020-05-01", WITHIN, 300, "200", "800"),
        ("2020-05-01", WITHIN, 300, "900", "1350"),
        ("2020-05-01", WITHIN, 60, "900", "0"),
        ("2021-06-15", ABROAD, 240, "1000", "1350"),
        ("2021-08-02", ABROAD, 240, "1000", "1550"),
        ("2024-12-20", WITHIN, 90, "500", "775"),
        ("2025-01-22", WITHIN, 90, "500", "1000"),
        ("2025-01-22", WITHIN, 90, "600", "1075"),
        ("2025-01-22", ABROAD, NONE_OFFERED, "123.45", "493.80"),
        ("2025-01-22", ABROAD, NONE_OFFERED, "2000", "2150"),
    ],
)
def test_the_lower_of_share_and_cap_is_due(
    tiers_on: TiersOn, day: str, route: Route, delay: int | str, fare: str, amount: str
) -> None:
    known = facts(route, delay, fare)
    found = reading(tiers_on(day), known)
    assert found.open_facts == ()
    assert known.fare is not None
    assert [tier.amount(known.fare) for tier in found.tiers] == [Decimal(amount)]


@pytest.mark.parametrize("day", AMOUNTS)
def test_what_is_not_known_stays_open(tiers_on: TiersOn, day: str) -> None:
    def labels(route: Route | None, delay: int | str | None) -> tuple[list[str], tuple[str, ...]]:
        found = reading(tiers_on(day), facts(route, delay, "100"))
        return [tier.label for tier in found.tiers], found.open_facts

    domestic, foreign = ["(a)(1)", "(a)(2)", "(a)(3)"], ["(b)(1)", "(b)(2)", "(b)(3)"]
    assert labels(None, None) == ([*domestic, *foreign], ("route", "delay"))
    assert labels(WITHIN, None) == (domestic, ("delay",))
    assert labels(ABROAD, None) == (foreign, ("delay",))
    assert labels(None, 180) == (["(a)(3)", "(b)(2)"], ("route",))
    assert labels(None, NONE_OFFERED) == (["(a)(3)", "(b)(3)"], ("route",))


@pytest.mark.parametrize("route", [Route.TO_US, Route.ABROAD])
def test_a_flight_that_begins_abroad_has_no_step(tiers_on: TiersOn, route: Route) -> None:
    assert read(tiers_on("2025-01-22"), facts(route, 90)) is None


def test_the_day_after_a_version_reads_the_next_one(tiers_on: TiersOn) -> None:
    day = date(2025, 1, 21)
    caps = [
        reading(tiers_on((day + timedelta(days=days)).isoformat()), facts(WITHIN, 90)).tiers[0].cap
        for days in (0, 1)
    ]
    assert caps == [775, 1075]
