"""The limit of liability for baggage: read from the version in force, never for a flight abroad."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

import pytest

from engine import baggage, card as cards
from engine.baggage import read_limit, read_value
from engine.chunks import cut
from engine.engine import Engine
from engine.facts import Facts, Route, read_facts
from engine.model import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.ingest import IngestReport
    from engine.model import Chunk, SectionText, SectionVersion
    from engine.snapshot import Collection

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...


LOST = "The airline lost my suitcase on a domestic flight. How much can it limit its liability to?"
LIMITS = {
    "2017-01-01": 3500,
    "2021-01-12": 3500,
    "2021-01-13": 3500,
    "2021-04-12": 3500,
    "2021-04-13": 3800,
    "2024-10-24": 3800,
    "2025-01-21": 3800,
    "2025-01-22": 4700,
    "2026-10-07": 4700,
}
"""From the published text of § 254.4."""
KNOWN = Facts(route=Route.WITHIN_US, bag=True, asks_amount=True)


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


@pytest.mark.parametrize(("day", "amount"), LIMITS.items())
def test_every_version_gives_its_own_limit_in_its_own_words(day: str, amount: int, engine: Engine) -> None:
    card = engine.ask(LOST, date.fromisoformat(day))
    made = cards.to_json(card)["reading"]
    assert (made["kind"], made["decided"], made["tiers"]) == ("baggage", False, [])
    assert made["open"] == ["seats", "value"]
    limit = made["limit"]
    assert (limit["section"], limit["amount"], limit["over_seats"]) == ("254.4", str(amount), 60)
    assert limit["formula"] == (
        f"shall not limit its liability … to an amount less than ${amount:,} for each passenger"
    )
    chunk = engine.chunk(limit["passage"])
    assert chunk is not None
    assert all(piece.strip() in chunk.body for piece in limit["formula"].split("…"))
    assert f"“{limit['formula']}” (14 CFR 254.4), on aircraft of more than 60 seats" in cards.to_text(card)


@pytest.mark.parametrize(
    ("value", "claimable", "worked"),
    [
        ("$5,000", "3800", "$5,000 of provable damages, the lowest limit is $3,800: $3,800."),
        ("$1,200.50", "1200.50", "$1,200.50 of provable damages, the lowest limit is $3,800: $1,200.50."),
    ],
)
def test_the_smaller_of_value_and_limit_is_shown_with_both(
    value: str, claimable: str, worked: str, engine: Engine
) -> None:
    card = engine.ask(f"{LOST} It was worth {value}, on a 150-seat jet.", date(2022, 6, 10))
    made = cards.to_json(card)["reading"]
    assert (made["decided"], made["open"], made["limit"]["claimable"]) == (True, [], claimable)
    assert f"Worked out, the smaller of the two: {worked}" in cards.facts_lines(card)


@pytest.mark.parametrize(
    "question",
    [
        "The airline lost my bag on a flight from Boston to Paris. What is the limit?",
        "The airline lost my bag on a flight from Paris to Boston. What is the limit?",
        "The airline lost my bag between Paris and Rome. What is the limit?",
        "The airline lost my bag on an international flight. What is the limit?",
        "How much may an airline charge for a second bag?",
        "Who lost my bag?",
        "I was bumped from a domestic flight and rebooked to arrive 90 minutes late. How much am I owed?",
    ],
)
def test_other_flights_and_other_questions_have_no_limit(question: str, engine: Engine) -> None:
    card = engine.ask(question, date(2022, 6, 10))
    assert card.context is not None
    assert card.context.limit is None
    assert "Limit: " not in cards.to_text(card)


def test_nothing_is_worked_out_for_an_abstention(engine: Engine) -> None:
    card = engine.ask(f"{LOST} And what does § 254.99 say?", date(2022, 6, 10))
    assert card.status is Status.ABSTAINED
    assert "Limit: " not in cards.to_text(card)


class TestFacts:
    @pytest.fixture
    def passages(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        return [chunk for chunk in chunks if chunk.version.in_force(date(2022, 6, 10))]

    @pytest.mark.parametrize(
        ("facts", "open_facts"),
        [
            ({}, ("seats", "value")),
            ({"seats": 61}, ("value",)),
            ({"seats": 60}, ("another flight on the same ticket", "value")),
            ({"route": None, "seats": 61}, ("route", "value")),
        ],
    )
    def test_what_would_decide_is_named(
        self, facts: dict[str, object], open_facts: tuple[str, ...], passages: list[Chunk]
    ) -> None:
        given = Facts(**{"route": Route.WITHIN_US, "bag": True, "asks_amount": True, **facts})  # type: ignore[arg-type]
        limit = read_limit(passages, given, "lost")
        assert limit is not None
        assert limit.open_facts == open_facts

    def test_places_abroad_are_enough(self, passages: list[Chunk]) -> None:
        facts = Facts(bag=True, asks_amount=True, begins_abroad=True)
        assert read_limit(passages, facts, "lost") is None

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("Contents worth about $2,000.", 2000),
            ("My bag was valued at 900 dollars.", 900),
            ("$450 worth of clothes", 450),
            ("$1,100 in camera gear is gone", 1100),
            ("I had $80 in the hotel safe; the bag is lost.", None),
            ("Worth $500, no, worth $600.", None),
            ("I paid a $30 bag fee.", None),
            ("Worth a lot.", None),
            ("damages of USD 700", 700),
            (f"worth ${'9' * 100}", None),
        ],
    )
    def test_a_value_is_read_when_one_is_named(self, text: str, value: int | None) -> None:
        assert read_value(text) == value

    def test_the_questions_facts_are_enough(self, passages: list[Chunk]) -> None:
        text = f"{LOST} The things in it were worth $100."
        limit = read_limit(passages, read_facts(text), text)
        assert limit is not None
        assert limit.claimable == Decimal(100)


class TestOtherTexts:
    @pytest.fixture
    def passages(self, make_text: MakeText, make_version: MakeVersion) -> Passages:
        def made(section: str, *lines: str, heading: str = "") -> Sequence[Chunk]:
            return cut(make_version(make_text(section, *lines, heading=heading)))

        return made

    def test_a_text_without_a_line_of_seats_draws_none(self, passages: Passages) -> None:
        text = "(a)|(a) A carrier may not limit its liability to less than $900 per passenger."
        limit = read_limit(passages("254.4", text), KNOWN, "lost")
        assert limit is not None
        assert (limit.label, limit.amount, limit.seats, limit.open_facts) == ("(a)", 900, None, ("value",))
        assert baggage.lines(limit) == (
            "Limit: “may not limit its liability … to less than $900 per passenger” (14 CFR 254.4(a)).",
        )

    def test_a_definition_is_taken_from_the_same_part(self, passages: Passages) -> None:
        rule = "Using big aircraft a carrier shall not limit its liability to less than $900 per passenger."
        heading = "§ 254.3 Definitions."
        other = passages(
            "255.3", "Big aircraft means any with more than 20 seats.", heading="§ 255.3 Definitions."
        )
        vague = passages(
            "254.3",
            "Small aircraft means none with more than 9 seats.",
            "Big aircraft means big.",
            heading=heading,
        )
        limit = read_limit((*passages("254.4", rule), *other, *vague), KNOWN, "lost")
        assert limit is not None
        assert (limit.seats, limit.same_ticket) == (None, False)
        defined = passages("254.3", "Big aircraft means any with more than 90 seats.", heading=heading)
        limit = read_limit((*passages("254.4", rule), *defined), KNOWN, "lost")
        assert limit is not None
        assert limit.seats == 90
        assert baggage.lines(limit)[0].endswith("(14 CFR 254.4), on aircraft of more than 90 seats.")

    @pytest.mark.parametrize("amount", ["€900", "nothing", "$" + "9" * 90, "$9 $8"])
    def test_what_is_no_amount_of_dollars_is_no_limit(self, amount: str, passages: Passages) -> None:
        text = f"A carrier shall not limit its liability to less than {amount} per passenger."
        assert read_limit(passages("254.4", text), KNOWN, "lost") is None

    def test_two_limits_are_none(self, passages: Passages) -> None:
        text = "A carrier shall not limit its liability to less than ${} per passenger."
        found = passages("254.4", text.format(1), text.format(2))
        assert read_limit(found, KNOWN, "lost") is None


if TYPE_CHECKING:

    class Passages(Protocol):
        def __call__(self, section: str, *lines: str, heading: str = ...) -> Sequence[Chunk]: ...
