"""Claims against what the text in force comes to: the wrong step is flagged, a list of all steps is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from engine import checks_reading, stated
from engine.baggage import Limit
from engine.delays import Delay
from engine.engine import Engine
from engine.facts import Facts, Route
from engine.finding import Finder
from engine.model import Answer, Claim, Context, Status
from engine.quantities import Quantity
from engine.reading import read, read_tiers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.ingest import IngestReport
    from engine.model import Chunk, Question
    from engine.reading import Reading
    from engine.snapshot import Collection

    ReadOn = Callable[..., Reading]

DAY = date(2022, 6, 10)
BUMPED = "I was bumped from a domestic flight and rebooked to arrive 90 minutes late. How much am I owed?"


def late(
    minutes: int, most: int | None = None, route: Route | None = Route.WITHIN_US, **more: object
) -> Facts:
    facts = Facts(route=route, delay=Delay(minutes, most or minutes, planned=True, text=""))
    return replace(facts, **more)  # type: ignore[arg-type]


NINETY = late(90)


@pytest.fixture(scope="module")
def read_on(chunks: Sequence[Chunk]) -> ReadOn:
    def reading(facts: Facts = NINETY, day: date = DAY) -> Reading:
        found = read(read_tiers(chunk for chunk in chunks if chunk.version.in_force(day)), facts)
        assert found is not None
        return found

    return reading


def flagged(text: str, reading: Reading | None, *cited: str) -> list[str]:
    return checks_reading.contradictions(Claim(text, cited), reading)


RIGHT = [
    "The airline owes 200 % of the fare, up to $775.",
    "200 %, not 400 %, applies: 90 minutes is more than one hour but less than two hours.",
    "200% up to $775 rather than 400% up to $1,550.",
    "If the delay had been longer, 400 % up to $1,550 would apply.",
    "It is 200 or 400 percent, depending on the delay.",
    "Compensation ranges from 200% to 400% of the fare, at most $775 and $1,550.",
    "On international flights 400% applies only for delays of four hours or more, up to $1,550.",
    "International passengers get 400%, up to $1,550, at the most.",
    "400% up to $1,550 is for those to whom no other flight is offered.",
    "If the carrier does not offer any alternate transportation, it is 400 %.",
    "No compensation is due if the passenger does not comply with the contract of carriage.",
    "Under § 250.5(a)(2), not § 250.5(a)(3), the passenger gets 200% of the fare, at most $775.",
    "The ticket cost $1,000, the rule covers 95 percent of cases, and $50 vouchers are common.",
    "Passengers are told of their rights.",
    "It is 200%/400%, longer delays giving more.",
]
LISTS = [
    "For a delay of one to two hours it is 200% of the fare (max $775); beyond two hours 400% (max $1,550).",
    (
        "No compensation is due up to one hour; 200 percent up to $775 between one and two hours; 400 "
        "percent up to $1,550 over two hours."
    ),
    (
        "No compensation up to one hour, 200% of the fare up to $775 for more than one hour but less than "
        "two hours and 400% up to $1,550 otherwise."
    ),
    "The maximum is $775 for delays between one and two hours and $1,550 for longer ones.",
    (
        "0 to 1 hour arrival delay | No compensation. 1 to 2 hour arrival delay | 200% of one-way fare (but "
        "no more than $775).* Over 2 hours arrival delay | 400% of one-way fare (but no more than $1,550).*"
    ),
    "60 minutes or less: nothing is owed.\n61-119 minutes: 200%, $775.\n120 minutes or more: 400%, $1,550.",
    "Not less than two hours late: 400%. At least 120 minutes late: $1,550. Within an hour: no compensation.",
    (
        "Compensation shall be at least 400 percent of the fare, or $1,550, whichever is lower, if the "
        "carrier does not offer alternate transportation that is planned to arrive less than two hours late."
    ),
    (
        "At least 400 percent of the fare, or $1,550, whichever is lower, if the carrier does not offer "
        "alternate transportation planned to arrive less than two hours after the planned arrival."
    ),
]
WRONG = [
    ("400 % up to $1,550.", "400 % and $1,550"),
    ("The carrier owes 400 percent because the passenger arrived 90 minutes late.", "400 percent"),
    ("For a delay of one to two hours the passenger is due 400% of the fare.", "400%"),
    ("Since 90 minutes is more than one hour but less than two hours, it is $1,550.", "$1,550"),
    ("For a delay of more than an hour, here 90 minutes, it is 400%.", "400%"),
    ("No compensation is owed for a delay of 90 minutes.", "no compensation"),
    ("The carrier owes nothing.", "owes nothing"),
    ("The carrier must pay up to $1,550 within 24 hours.", "$1,550"),
    ("Under § 250.5(b)(2) the passenger is due 200% of the fare.", "§ 250.5(b)(2)"),
    ("It is 200%, and 400%.", "400%"),
]
FACTS = "The facts (within the US, 90 minutes) lead to 200 %, at most $775, § 250.5(a)(2)"


class TestTheCaseOfTheFacts:
    @pytest.mark.parametrize("text", RIGHT)
    def test_what_fits_or_speaks_of_another_case_passes(self, text: str, read_on: ReadOn) -> None:
        assert flagged(text, read_on()) == []

    @pytest.mark.parametrize("text", LISTS)
    def test_a_list_of_steps_with_their_windows_passes(self, text: str, read_on: ReadOn) -> None:
        for facts in (NINETY, late(30), late(150), Facts(route=Route.WITHIN_US)):
            assert flagged(text, read_on(facts)) == []

    @pytest.mark.parametrize(("text", "given"), WRONG)
    def test_another_step_is_flagged_though_its_numbers_are_in_force(
        self, text: str, given: str, read_on: ReadOn
    ) -> None:
        assert flagged(text, read_on()) == [f"{FACTS}; the claim gives {given}."]

    def test_the_problem_is_on_the_card_beside_the_cited_passage(
        self, collection: Collection, ingested: IngestReport
    ) -> None:
        class Model:
            name = "model"

            def answer(self, question: Question, context: Context) -> Answer:
                assert question.text == BUMPED
                cited = [hit.chunk.id for hit in context.hits if hit.chunk.section == "250.5"]
                text = "The airline owes 400 percent of the fare, or $1,550, whichever is lower."
                return Answer(Status.ANSWERED, text, (Claim(text, tuple(cited)),))

        card = Engine(collection, ingested.index).ask(BUMPED, DAY, answerer=Model(), top=20)
        assert card.claims[0].problems == (f"{FACTS}; the claim gives 400 percent and $1,550.",)

    def test_without_a_reading_there_is_nothing_to_hold_it_against(self, read_on: ReadOn) -> None:
        assert flagged("400 %", None) == []
        assert flagged("400 %", replace(read_on(), tiers=())) == []

    @pytest.mark.parametrize(
        ("facts", "text", "why"),
        [
            (
                late(30),
                "200 % up to $775",
                "The facts (within the US, 30 minutes) lead to no compensation, § 250.5(a)(1);",
            ),
            (
                late(120),
                "It was 2 hours late, in the step of 1 to 2 hours: 200%.",
                "The facts (within the US, 120 minutes) lead to 400 %",
            ),
            (late(30, 45), "$775", "The facts (within the US, 30 to 45 minutes) lead to no compensation"),
            (
                replace(NINETY, delay=Delay(150, None, planned=True, text="")),
                "200 %",
                "The facts (within the US, 150 minutes or more) lead to 400 %",
            ),
            (
                Facts(route=Route.WITHIN_US, no_alternate=True),
                "200 %",
                "The facts (within the US, no alternate transportation offered) lead to 400 %",
            ),
            (
                late(90, route=Route.FROM_US),
                "400 %",
                "The facts (from the US abroad, 90 minutes) lead to 200 %, at most $775, § 250.5(b)(2)",
            ),
            (
                late(30, route=None),
                "200 %",
                "The facts (30 minutes) lead to no compensation, § 250.5(a)(1) or no compensation, § 250.5",
            ),
        ],
    )
    def test_the_facts_are_named(self, facts: Facts, text: str, why: str, read_on: ReadOn) -> None:
        (problem,) = flagged(text, read_on(facts))
        assert problem.startswith(why)


class TestTheCaseOfTheClaim:
    @pytest.mark.parametrize(
        ("text", "right"),
        [
            (
                "For delays over two hours the carrier owes 200% of the fare.",
                "400 %, at most $1,550, § 250.5(a)(3)",
            ),
            ("Up to one hour it is 200%.", "no compensation, § 250.5(a)(1)"),
            (
                "For a domestic flight over 2 hours late no compensation is due.",
                "400 %, at most $1,550, § 250.5(a)(3)",
            ),
            ("Abroad, 1 to 4 hours late, it is 400%.", "200 %, at most $775, § 250.5(b)(2)"),
            ("For no other flights at all: 200%.", "400 %, at most $1,550, § 250.5(a)(3)"),
        ],
    )
    def test_a_window_with_another_steps_numbers_is_flagged(
        self, text: str, right: str, read_on: ReadOn
    ) -> None:
        (problem,) = flagged(text, read_on())
        assert problem.startswith(f"For the case that the claim names the text in force gives {right}; ")

    def test_an_open_delay_leaves_every_step(self, read_on: ReadOn) -> None:
        assert flagged("400 % up to $1,550", read_on(Facts(route=Route.WITHIN_US))) == []
        assert flagged("400 % up to $1,550", read_on(Facts())) == []

    def test_of_several_steps_that_fit_any_may_be_stated(self, read_on: ReadOn) -> None:
        reading = read_on(late(90, 150))
        assert flagged("200 % up to $775.", reading) == flagged("400 % up to $1,550.", reading) == []
        (problem,) = flagged("The carrier owes nothing.", reading)
        assert problem == (
            "The facts (within the US, 90 to 150 minutes) lead to 200 %, at most $775, § 250.5(a)(2) or "
            "400 %, at most $1,550, § 250.5(a)(3); the claim gives owes nothing."
        )

    def test_more_steps_than_can_be_listed_are_counted(self, read_on: ReadOn) -> None:
        open_route = read_on(late(0, 119, route=None))
        (problem,) = flagged("400 %", open_route)
        assert problem.count(" or ") == 3
        assert " or 1 more; the claim gives 400 %." in problem


class TestConflicts:
    def test_the_notices_amount_passes_only_with_the_notice(self, read_on: ReadOn) -> None:
        reading = read_on(late(300, route=Route.FROM_US), date(2021, 6, 15))
        ((rule, notice),) = reading.conflicts
        assert (rule.cap, notice.cap) == (1350, 1550)
        assert flagged("400 %, at most $1,550", reading, notice.chunk.id) == []
        (problem,) = flagged("400 %, at most $1,550", reading, rule.chunk.id)
        assert problem == (
            "The facts (from the US abroad, 300 minutes) lead to 400 %, at most $1,350, § 250.5(b)(3); "
            "the claim gives $1,550."
        )


class TestArithmetic:
    @pytest.mark.parametrize(
        ("fare", "text", "problems"),
        [
            (300, "200 % of the $300 fare is $600, at most $775.", []),
            (300, "The $300 fare gives 200 percent, so $600.", []),
            (500, "200% of $500 is $1,000, capped at $775.", []),
            (500, "The passenger gets $775.", []),
            (
                300,
                "The passenger gets $600.",
                ["$600 is worked out, and the claim does not show from what: 200 % of $300."],
            ),
            (
                500,
                "200% of $500 is $1,000.",
                [
                    (
                        "200 % of $500 is $1,000; the claim leaves out the limit, "
                        "200 %, at most $775, § 250.5(a)(2)."
                    )
                ],
            ),
            (
                300,
                "200% of $300 is $900.",
                [
                    (
                        "For a fare of $300 the text comes to $600 (200 %, at most $775, § 250.5(a)(2)); "
                        "the claim gives $900."
                    )
                ],
            ),
            (300, "She paid $300 and got a $20 meal.", []),
            ("387.50", "200% of $387.50 is $775.", []),
            ("150", "Twice 200% of $150 is $300, and the fare was $150.", []),
        ],
    )
    def test_a_derived_amount_is_what_the_formula_gives(
        self, fare: int | str, text: str, problems: list[str], read_on: ReadOn
    ) -> None:
        assert flagged(text, read_on(late(90, fare=Decimal(fare)))) == problems

    def test_where_nothing_is_due_nothing_is_derived(self, read_on: ReadOn) -> None:
        assert flagged("5% of $300 is $15.", read_on(late(30, fare=Decimal(300)))) == []

    def test_a_fare_that_equals_another_steps_limit_is_a_fare(self, read_on: ReadOn) -> None:
        assert flagged("The fare was $1,550.", read_on(late(90, fare=Decimal(1550)))) == []

    def test_facts_and_what_they_come_to_need_no_passage(
        self, read_on: ReadOn, chunks: Sequence[Chunk]
    ) -> None:
        context = Context((), frozenset(), 0, 1, reading=read_on(late(90, fare=Decimal(500))))
        assert checks_reading.derivable(context) == {
            Quantity("money", Decimal(value), "USD") for value in (500, 1000, 775)
        }
        limit = Limit(chunks[0], "", Decimal(3800), "", None, same_ticket=False)
        bag = replace(context, reading=read_on(), limit=limit)
        assert checks_reading.derivable(bag) == frozenset()
        bag = replace(bag, limit=replace(limit, value=Decimal(900)))
        assert checks_reading.derivable(bag) == {Quantity("money", Decimal(900), "USD")}


class TestPieces:
    def test_a_hostile_claim_is_looked_at_in_part(self, read_on: ReadOn) -> None:
        text = "200%, 400%, " * 500
        assert flagged(text, read_on()) == [f"{FACTS}; the claim gives 400%."]

    @pytest.mark.parametrize(
        ("text", "window"),
        [
            ("200% for 1 to 2 hours", (61, 119)),
            ("200% for 60\u2013120 minutes", (61, 119)),
            ("200% for between one and two hours", (61, 119)),
            ("200% for less than 2 hours", (0, 119)),
            ("200% for no more than 2 hours", (0, 120)),
            ("200% for 2 hours or less", (0, 120)),
            ("200% for no less than 2 hours", (120, None)),
            ("200% for 2+ hours", None),
            ("200% for 2 hours or more", (120, None)),
            ("200% for two or more hours", (120, None)),
            ("200% for 59 or fewer minutes", (0, 59)),
            ("200% for over 2 hours", (121, None)),
            ("200% under one hour or over two hours", None),
            ("200% planned to arrive not later than one hour after the time", (0, 60)),
            ("200% more than one hour but less than two hours after the time", (61, 119)),
            ("200% if it does not offer alternate transportation less than two hours after", (120, None)),
            ("200% if it does not arrange a flight that lands under 2 hours late", (120, None)),
            ("200% for 1 to 2 hours and, again, over three hours", None),
        ],
    )
    def test_a_window_is_read_in_any_words(self, text: str, window: tuple[int, int | None] | None) -> None:
        (piece,) = stated.pieces(text, ())
        assert piece.window == window

    def test_single_delays_bound_nothing(self) -> None:
        (piece,) = stated.pieces("200% for 90 minutes, or an hour and a half", ())
        assert (piece.window, piece.delays) == (None, {90})

    def test_a_window_holds_only_what_lies_in_it(self) -> None:
        assert stated.Window(61, 119).holds(90, 90)
        assert not stated.Window(61, 119).holds(90, None)
        assert not stated.Window(61, 119).holds(60, 90)
        assert stated.Window(61, None).holds(90, None)

    def test_numbers_that_are_none_bound_nothing(self) -> None:
        (piece,) = stated.pieces(f"200% for over {'9' * 400} hours", ())
        assert piece.window is None

    def test_the_direction_is_the_pieces_the_sentences_or_the_claims(self) -> None:
        text = "For domestic flights 200%, and 400% abroad. The limit of 200% holds."
        assert [piece.foreign for piece in stated.pieces(text, ())] == [False, True, None]
        assert [piece.foreign for piece in stated.pieces("Foreign flights. So 200%.", ())] == [True]


def test_the_engine_quotes_nothing_that_it_flags_itself(
    ingested: IngestReport, collection: Collection
) -> None:
    engine = Engine(collection, ingested.index)
    for day in ("2018-05-01", "2021-06-15", "2022-06-10", "2025-03-01"):
        for late_by in ("45 minutes", "exactly 2 hours", "5 hours", "some time"):
            for trip in ("from Boston to Denver", "from Boston to Paris", "somewhere"):
                text = f"I was bumped {trip} and my new flight arrives {late_by} late. How much am I owed?"
                card = engine.ask(text, date.fromisoformat(day))
                assert [claim.problems for claim in card.claims] == [()] * len(card.claims)
    assert isinstance(engine._finder, Finder)
