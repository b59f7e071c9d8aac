"""The exceptions and the payment rule: in the text's own words, of the version in force, and no verdict."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine import card as cards, checklist
from engine.checklist import HEADING, LONGEST, MOST, condensed
from engine.chunks import cut
from engine.engine import Engine
from engine.facts import Facts, Route
from engine.model import Status
from engine.reading import read, read_tiers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.ingest import IngestReport
    from engine.model import Chunk, SectionText, SectionVersion
    from engine.snapshot import Collection

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...


DAY = date(2022, 6, 10)
BUMPED = "I was bumped from a domestic flight and rebooked to arrive 90 minutes late. How much am I owed?"


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


class TestOnTheCard:
    def test_json_has_the_exceptions_and_the_payment_rule_with_their_versions(self, engine: Engine) -> None:
        made = cards.to_json(engine.ask(BUMPED, DAY))["checklist"]
        places = [(item["section"], item["paragraph"]) for item in made]
        assert places == [
            ("250.6", "(a)"), ("250.6", "(b)"), ("250.6", "(c)"), ("250.6", "(d)"),
            ("250.8", "(a)"), ("250.8", "(b)"),
        ]  # fmt: skip
        assert made[0]["lead"] == "shall not be eligible for denied boarding compensation if"
        assert [item["lead"] for item in made[1:]] == [""] * 5
        assert {(item["effective_from"], item["effective_to"]) for item in made} == {("2017-01-01", None)}
        for item in made:
            chunk = engine.chunk(item["passage"])
            assert chunk is not None
            assert item["quote"] in chunk.body
            for piece in item["text"].split("…"):
                assert piece.strip() in item["quote"]
            assert len(item["text"].split()) <= LONGEST + 1

    def test_text_and_markdown_list_it_below_the_facts_and_not_in_the_answer(self, engine: Engine) -> None:
        card = engine.ask(BUMPED, DAY)
        text = cards.to_text(card)
        lines = checklist.checklist_lines(card)
        assert lines[0] == HEADING == "Check before you rely on it:"
        assert len(lines) <= MOST + 1
        assert text.index("Read from the question") < text.index(HEADING) < text.index("[1] ")
        assert all(f"- {line}" in text for line in lines[1:])
        assert f"**{HEADING}**" in cards.to_markdown(card)
        assert "within 24 hours" in lines[-1]
        assert "on the day and place the denied boarding occurs" in lines[-2]
        assert not any(line in card.answer for line in lines)

    @pytest.mark.parametrize(
        ("question", "day"),
        [
            ("What does compensation mean?", DAY),
            ("The airline lost my bag on a domestic flight. What is the limit?", DAY),
            (BUMPED, date(2015, 1, 1)),
            (BUMPED.replace("90 minutes", "30 minutes"), DAY),
        ],
    )
    def test_there_is_none_where_nothing_is_due_or_asked(
        self, question: str, day: date, engine: Engine
    ) -> None:
        card = engine.ask(question, day)
        assert checklist.checklist_lines(card) == ()
        assert cards.to_json(card)["checklist"] == []
        assert HEADING not in cards.to_text(card) + cards.to_markdown(card)

    def test_an_abstention_has_none(self, engine: Engine) -> None:
        card = engine.ask(f"{BUMPED} What does § 250.99 say?", DAY)
        assert card.status is Status.ABSTAINED
        assert checklist.checklist_lines(card) == ()


STEP = (
    "(a)|(a) A carrier shall pay in interstate air transportation:",
    (
        "(a)(1)|(1) Compensation shall be 200% of the fare, with a maximum of $675, if the carrier offers "
        "transportation planned to arrive more than one hour but less than two hours after the time."
    ),
)


def test_a_version_with_other_exceptions_is_read_as_it_stands(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    def passages(section: str, *lines: str) -> Sequence[Chunk]:
        return cut(make_version(make_text(section, *lines)))

    rule = passages("250.5", *STEP)
    other = passages(
        "250.11",
        "(a)|(a) Passengers are not eligible for any compensation if:",
        "(a)(1)|(1) The flight is on fire;",
        "(a)(2)|(2) The passenger declines; or",
        "(a)(2)(i)|(i) Declines twice.",
        "(b)|(b) Nobody is not eligible for compensation if this line goes on.",
    )
    pay = passages("250.12", "The airline shall tender cash on the day and at the place of the event.")
    elsewhere = passages("254.9", "The airline shall tender cash on the day and place of the event.")
    table = passages("250.13", "heading|It shall tender cash on the day and place.")
    reading = read(read_tiers(rule), Facts(route=Route.WITHIN_US))
    found = checklist.checklist(reading, (*rule, *other, *pay, *elsewhere, *table))
    assert [(item.chunk.section, item.label, item.lead, item.text) for item in found] == [
        ("250.11", "(a)(1)", "are not eligible for any compensation if", "The flight is on fire"),
        ("250.11", "(a)(2)", "", "The passenger declines"),
        ("250.12", "", "", "The airline shall tender cash on the day and at the place of the event"),
    ]
    assert checklist.checklist(None, other) == ()


class TestCondensed:
    def test_what_is_short_stays_whole(self) -> None:
        assert condensed("(a) (1) The passenger, who declines, gets nothing; or") == (
            "The passenger, who declines, gets nothing"
        )

    def test_of_what_is_long_first_and_last_parts_stay(self) -> None:
        first, between, last = " ".join("a" * 10), " ".join("b" * 30), " ".join("c" * 10)
        assert condensed(f"{first}, x, {between}, {last}.") == f"{first}, x … {last}"

    def test_or_the_first_alone(self) -> None:
        first, last = " ".join("a" * 30), " ".join("c" * 30)
        assert condensed(f"{first}; {last}.") == f"{first} …"

    def test_one_long_part_is_never_cut_in_its_middle(self) -> None:
        text = " ".join("a" * 60)
        assert condensed(f"{text}.") == text

    def test_parts_that_fit_are_kept_in_order(self) -> None:
        parts = [" ".join("a" * 12), "b b", " ".join("c" * 30), "d d", " ".join("e" * 12)]
        assert condensed(", ".join(parts)) == f"{parts[0]}, b b … {parts[4]}"
