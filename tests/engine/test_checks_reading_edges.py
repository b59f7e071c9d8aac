"""Claims against the tiers where one window, one direction or one sign of an amount decides."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from engine.checks_reading import contradictions
from engine.delays import Delay
from engine.facts import Facts, Route
from engine.model import Claim
from engine.reading import read, read_tiers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.model import Chunk
    from engine.reading import Reading

    ReadOn = Callable[..., Reading]

DAY = date(2022, 6, 10)
A2 = "200 %, at most $775, § 250.5(a)(2)"
A3 = "400 %, at most $1,550, § 250.5(a)(3)"
FACTS = f"The facts (within the US, 90 minutes) lead to {A2}"
NO_OFFER = Facts(route=Route.WITHIN_US, no_alternate=True)


def late(
    minutes: int, most: int | None = None, route: Route | None = Route.WITHIN_US, fare: int | None = None
) -> Facts:
    delay = Delay(minutes, most or minutes, planned=True, text="")
    return replace(Facts(route=route, delay=delay), fare=None if fare is None else Decimal(fare))


@pytest.fixture(scope="module")
def read_on(chunks: Sequence[Chunk]) -> ReadOn:
    def reading(facts: Facts, day: date = DAY) -> Reading:
        found = read(read_tiers(chunk for chunk in chunks if chunk.version.in_force(day)), facts)
        assert found is not None
        return found

    return reading


def flagged(text: str, reading: Reading, *cited: str) -> list[str]:
    return contradictions(Claim(text, cited), reading)


class TestLimits:
    def test_sixty_pieces_are_looked_at(self, read_on: ReadOn) -> None:
        reading = read_on(late(90))
        assert flagged("200%. " * 59 + "400%.", reading) == [f"{FACTS}; the claim gives 400%."]
        assert flagged("200%. " * 60 + "400%.", reading) == []


class TestWindows:
    def test_a_window_wider_than_all_steps_is_about_payment(self, read_on: ReadOn) -> None:
        said = "The facts (within the US, no alternate transportation offered) lead to"
        for text in ("The carrier pays $775 within 24 hours.", "Within 24 hours the carrier pays 200 %."):
            (problem,) = flagged(text, read_on(NO_OFFER))
            assert problem.startswith(f"{said} {A3}; the claim gives ")

    def test_a_window_as_wide_as_the_steps_is_about_them(self, read_on: ReadOn) -> None:
        assert flagged("The carrier pays $775 for up to 2 hours.", read_on(NO_OFFER)) == []

    def test_a_window_without_an_end_or_a_beginning_later_is_a_step(self, read_on: ReadOn) -> None:
        texts = ("For over an hour it is $775.", "For 1 to 24 hours it is $775.", "At least 2 hours: $1,550")
        for text in texts:
            assert flagged(text, read_on(late(30))) == []

    def test_amounts_alone_tell_steps_apart(self, read_on: ReadOn) -> None:
        text = "It is $775 for delays of one to two hours, and $1,550 for delays of two to five hours."
        for minutes in (30, 90, 150):
            assert flagged(text, read_on(late(minutes))) == []

    def test_a_single_delay_that_is_that_of_the_facts_keeps_their_case(self, read_on: ReadOn) -> None:
        text = "Between one and two hours late, here 150 minutes, it is 200%."
        (problem,) = flagged(text, read_on(late(150)))
        assert problem.startswith(f"The facts (within the US, 150 minutes) lead to {A3}; ")
        assert flagged(text, read_on(late(150, 160))) == []
        assert flagged(text, read_on(late(151))) == []

    def test_no_other_flight_is_another_case_than_that_of_a_delay(self, read_on: ReadOn) -> None:
        text = "With no alternate transportation it is 400% up to $1,550."
        assert flagged(text, read_on(late(90))) == []
        assert flagged(f"{text[:-1]}, for 90 minutes.", read_on(late(90))) == [
            f"{FACTS}; the claim gives 400% and $1,550."
        ]


class TestDirections:
    def test_the_direction_of_a_claim_narrows_what_the_facts_leave_open(self, read_on: ReadOn) -> None:
        reading = read_on(late(30, route=None))
        assert flagged("For domestic flights it is 400 %.", reading) == [
            "The facts (30 minutes) lead to no compensation, § 250.5(a)(1); the claim gives 400 %."
        ]
        assert flagged("For international flights it is 400 %.", reading) == [
            "The facts (30 minutes) lead to no compensation, § 250.5(b)(1); the claim gives 400 %."
        ]

    def test_the_other_direction_is_held_against_its_own_steps(self, read_on: ReadOn) -> None:
        said = "For the case that the claim names the text in force gives"
        assert flagged("Abroad, for over 5 hours, it is 200%.", read_on(late(90))) == [
            f"{said} 400 %, at most $1,550, § 250.5(b)(3); the claim gives 200%."
        ]
        reading = read_on(late(90, route=Route.FROM_US))
        assert flagged("For domestic flights over 2 hours late it is 200%.", reading) == [
            f"{said} {A3}; the claim gives 200%."
        ]
        for text in ("Abroad it is 400%.", "Abroad it is 200%.", "Abroad, no compensation is due."):
            assert flagged(text, read_on(late(90))) == []

    def test_where_the_texts_have_no_step_for_a_direction_nothing_is_said(self, read_on: ReadOn) -> None:
        reading = read_on(late(90))
        domestic = replace(reading, rule=tuple(tier for tier in reading.rule if not tier.foreign))
        assert flagged("Abroad § 250.5(a)(2) gives 400%, $1,550; no compensation is due.", domestic) == []

    def test_without_facts_the_text_itself_leads(self, read_on: ReadOn) -> None:
        reading = read_on(late(90))
        bare = replace(reading, facts=Facts())
        assert flagged("It is 400 %.", bare) == [f"The text in force gives {A2}; the claim gives 400 %."]


class TestNothing:
    def test_no_compensation_passes_where_a_step_that_fits_gives_none(self, read_on: ReadOn) -> None:
        assert flagged("The carrier owes nothing.", read_on(late(30, 90))) == []
        assert flagged("The carrier owes nothing.", read_on(late(30))) == []
        assert len(flagged("The carrier owes nothing.", read_on(late(90, 150)))) == 1

    def test_a_condition_makes_it_another_rules_business(self, read_on: ReadOn) -> None:
        reading = read_on(late(90))
        assert flagged("No compensation is due if the passenger volunteers.", reading) == []
        for text in (
            "No compensation is due for 90 minutes.",
            "For one to two hours no compensation is due.",
            "No compensation is due.",
        ):
            assert flagged(text, reading) == [f"{FACTS}; the claim gives no compensation."]


class TestSteps:
    def test_three_steps_are_named_and_none_is_counted(self, read_on: ReadOn) -> None:
        reading = read_on(late(90, 250, route=None))
        three, four = replace(reading, tiers=reading.tiers[:3]), reading
        (problem,) = flagged("The carrier owes nothing.", three)
        assert (problem.count(" or "), " more;" in problem) == (2, False)
        (problem,) = flagged("The carrier owes nothing.", four)
        assert (problem.count(" or "), " or 1 more; " in problem) == (3, True)


class TestPlaces:
    def test_steps_of_another_case_are_named_by_their_paragraphs(self, read_on: ReadOn) -> None:
        reading = read_on(late(90))
        assert flagged("Under § 250.5(a)(3) and § 250.5(b)(2) it is 200%.", reading) == [
            f"{FACTS}; the claim gives § 250.5(a)(3) and § 250.5(b)(2)."
        ]
        assert flagged("Under § 250.5(a)(2) and § 250.5(a)(3) it is 200%.", reading) == []
        assert flagged("Under § 250.9(a)(3) and § 250.5(d) it is 200%.", reading) == []
        assert flagged("Under § 250.5(a)(3) it is 400%.", reading) == [
            f"{FACTS}; the claim gives 400% and § 250.5(a)(3)."
        ]


class TestAmounts:
    def test_a_limit_of_a_notice_passes_beside_the_notice_alone(self, read_on: ReadOn) -> None:
        reading = read_on(late(300, route=Route.FROM_US), date(2021, 6, 15))
        ((_, notice),) = reading.conflicts
        assert flagged("At most $1,550.", reading, "x", notice.chunk.id) == []
        assert len(flagged("At most $1,550.", reading, "x")) == 1
        fared = replace(reading, facts=late(300, route=Route.FROM_US, fare=100))
        assert flagged("400 % of $100, at most $1,550.", fared, notice.chunk.id) == []

    def test_an_amount_that_the_fare_gives_is_no_other_steps_limit(self, read_on: ReadOn) -> None:
        assert flagged("200 % of $775 is $1,550, at most $775.", read_on(late(90, fare=775))) == []
        (problem,) = flagged("400 % of $775 is $1,550.", read_on(late(90, fare=776)))
        assert "the claim gives 400 % and $1,550." in problem

    @pytest.mark.parametrize(
        ("fare", "text", "problem"),
        [
            (300, "200 % of the fare is $600.", "$600 is worked out, and the claim does not show from what"),
            (300, "With a fare of $300, $600.", "$600 is worked out, and the claim does not show from what"),
            (500, "200 % of $500 is $1,000.", "200 % of $500 is $1,000; the claim leaves out the limit, "),
            (300, "200 % of $300 is $700.", "For a fare of $300 the text comes to $600 (200 %, at most"),
        ],
    )
    def test_faults_of_what_is_worked_out(self, fare: int, text: str, problem: str, read_on: ReadOn) -> None:
        (found,) = flagged(text, read_on(late(90, fare=fare)))
        assert found.startswith(problem)

    @pytest.mark.parametrize(
        "text", ["$700 and 200 %.", "It was $300, and $700.", "200 % of $300: $600.", "$300 and $20, 5 meals"]
    )
    def test_other_amounts_are_nobodys_business(self, text: str, read_on: ReadOn) -> None:
        assert flagged(text, read_on(late(90, fare=300))) == []

    def test_of_several_steps_each_is_named_up_to_three(self, read_on: ReadOn) -> None:
        (two,) = flagged("200 % of $300 is $700.", read_on(late(90, 150, fare=300)))
        assert two == (
            f"For a fare of $300 the text comes to $600 ({A2}) or $1,200 ({A3}); the claim gives $700."
        )
        (four,) = flagged("200 % of $300 is $700.", read_on(late(90, 250, route=None, fare=300)))
        assert four.count(" or ") == 2

    def test_every_fault_is_told_once(self, read_on: ReadOn) -> None:
        found = flagged("200 % of $300 is $700, $700, and $800.", read_on(late(90, fare=300)))
        assert [one.rpartition(" ")[2] for one in found] == ["$700.", "$800."]
