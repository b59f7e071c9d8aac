"""Steps of compensation in texts that nobody has seen yet: read as written, or not at all."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from hypothesis import given, strategies as st

from engine.chunks import cut
from engine.delays import Delay
from engine.facts import Facts, Route
from engine.model import (
    Block,
    BlockKind,
    Change,
    Chunk,
    Origin,
    SectionText,
    SectionVersion,
    VersionStatus,
)
from engine.reading import Kind, as_json, read, read_tiers

if TYPE_CHECKING:
    from engine.reading import Reading, Tier

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...

    class ReadText(Protocol):
        def __call__(self, *lines: str) -> tuple[Tier, ...]: ...


LEAD = "(a)|(a) A carrier shall pay compensation in interstate air transportation as follows:"
NEXT = (
    LEAD,
    (
        "(a)(1)|(1) No compensation is required if the carrier offers alternate transportation that is "
        "planned to arrive not later than 90 minutes after the planned arrival time of the original flight;"
    ),
    (
        "(a)(2)|(2) Compensation shall be 250 percent of the fare, up to $1,200, if the carrier offers "
        "alternate transportation that is planned to arrive more than 90 minutes but less than three hours "
        "after the planned arrival time of the original flight; and"
    ),
    (
        "(a)(3)|(3) Compensation shall be 500 percent of the fare, up to $2,400, if the carrier does not "
        "offer alternate transportation that is planned to arrive less than three hours after the time."
    ),
)
STEP = (
    "Compensation shall be 200% of the fare, with a maximum of $675, if the carrier offers alternate "
    "transportation that is planned to arrive more than one hour but less than two hours after the time."
)


@pytest.fixture(scope="module")
def tiers_of(make_text: MakeText, make_version: MakeVersion) -> ReadText:
    def tiers(*lines: str) -> tuple[Tier, ...]:
        return read_tiers(cut(make_version(make_text("250.5", *lines))))

    return tiers


def known(least: int | None = None, most: int | None = None, **more: Any) -> Facts:
    delay = None if least is None else Delay(least, most, planned=None, text="")
    return Facts(route=Route.WITHIN_US, delay=delay, **more)


def read_or_fail(tiers: tuple[Tier, ...], facts: Facts) -> Reading:
    found = read(tiers, facts)
    assert found is not None
    return found


def test_a_new_version_with_other_numbers_and_windows_is_read_as_it_stands(tiers_of: ReadText) -> None:
    tiers = tiers_of(*NEXT)
    assert [(t.label, t.percent, t.cap, t.first, t.last, t.formula) for t in tiers] == [
        ("(a)(1)", 0, None, 0, 90, "no compensation"),
        ("(a)(2)", 250, 1200, 91, 179, "250 percent of the fare, up to $1,200"),
        ("(a)(3)", 500, 2400, 180, None, "500 percent of the fare, up to $2,400"),
    ]
    for minutes, label in ((90, "(a)(1)"), (91, "(a)(2)"), (179, "(a)(2)"), (180, "(a)(3)")):
        assert [tier.label for tier in tiers if tier.fits(minutes)] == [label]


@pytest.mark.parametrize(
    ("least", "most", "labels"),
    [
        (0, 120, "12"),
        (60, 180, "123"),
        (91, 179, "2"),
        (120, None, "23"),
        (180, None, "3"),
        (0, None, "123"),
        (90, 180, "123"),
        (0, 89, "1"),
    ],
)
def test_a_range_of_delays_keeps_every_step_that_it_touches(
    tiers_of: ReadText, least: int, most: int | None, labels: str
) -> None:
    found = read_or_fail(tiers_of(*NEXT), known(least, most))
    assert [tier.label for tier in found.tiers] == [f"(a)({label})" for label in labels]


def test_steps_come_lowest_first_whatever_their_order_in_the_text(tiers_of: ReadText) -> None:
    lead, first, second, third = NEXT
    found = read_or_fail(tiers_of(lead, third, first, second), known())
    assert [tier.label for tier in found.tiers] == ["(a)(1)", "(a)(2)", "(a)(3)"]


def test_no_alternate_transportation_is_the_step_without_an_end(tiers_of: ReadText) -> None:
    found = read_or_fail(tiers_of(*NEXT), known(no_alternate=True))
    assert [tier.label for tier in found.tiers] == ["(a)(3)"]
    assert found.open_facts == ("fare",)


def test_formula_is_the_whole_text_where_no_condition_follows(tiers_of: ReadText) -> None:
    text = "(a)(2)|(2) 250 percent, up to $1,200, more than one hour but less than two hours after."
    (tier,) = tiers_of(LEAD, text)
    assert tier.formula == text.partition("|")[2]


@pytest.mark.parametrize(
    "text",
    [
        "Compensation shall be 200% of the fare, with a maximum of $675.",
        STEP.replace("more than one hour but less than two hours after the time", "soon"),
        STEP.replace("one hour", "a while"),
        STEP.replace("two hours", "two or three hours"),
        STEP.replace("less than two hours", "less than one hour"),
        STEP.replace("200%", "double"),
        STEP.replace("200%", "200% or 300%"),
        STEP.replace("$675", "the cap"),
        STEP.replace("$675", "$675 or $775"),
        STEP.replace("$675", "\u20ac675"),
        STEP.replace("$675", "$" + "9" * 500),
        STEP.replace("200%", "9" * 500 + "%"),
        STEP.replace("one hour", "9" * 500 + " hours"),
        "No compensation if it does not offer alternate transportation in less than some hours after.",
        "No compensation, not later than a few hours after.",
        "",
    ],
)
def test_partial_or_ambiguous_text_is_no_step(tiers_of: ReadText, text: str) -> None:
    assert tiers_of(LEAD, f"(a)(1)|{text}") == ()


def test_one_amount_named_twice_is_one_amount(tiers_of: ReadText) -> None:
    (tier,) = tiers_of(LEAD, f"(a)(1)|{STEP.replace('$675', '$675 (USD 675.00)')}")
    assert tier.cap == Decimal(675)


@pytest.mark.parametrize(
    "lead",
    [
        "(a)|(a) A carrier shall pay as follows:",
        "(a)|(a) In interstate air transportation and foreign air transportation a carrier shall pay:",
        "(c)|(c) Of another paragraph in interstate air transportation:",
    ],
)
def test_without_one_direction_there_is_no_step(tiers_of: ReadText, lead: str) -> None:
    assert tiers_of(lead, f"(a)(1)|{STEP}") == ()


def test_a_paragraph_that_hangs_on_none_is_no_step(tiers_of: ReadText) -> None:
    assert tiers_of(f"(a)|{STEP}", STEP) == ()
    assert read(tiers_of(f"(a)|{STEP}"), known()) is None


def test_headings_and_tables_give_no_steps(tiers_of: ReadText) -> None:
    assert tiers_of(LEAD, f"heading|{STEP}", f"table|{STEP}") == ()


def test_a_notice_lists_its_steps_in_one_line(tiers_of: ReadText) -> None:
    tiers = tiers_of(
        "(b)|Passengers traveling from the United States to a foreign point are entitled to: (1) No "
        f"compensation; (2) {STEP[22:-1]}; and (3) see the desk."
    )
    assert [(t.kind, t.foreign, t.label, t.cap) for t in tiers] == [(Kind.NOTICE, True, "(b)", 675)]
    assert read(tiers, known()) is None


def test_a_notice_alone_with_other_words_for_the_same_case_is_a_conflict(tiers_of: ReadText) -> None:
    notice = f"(c)|Between points within the United States: (1) {STEP[22:-1].replace('$675', '$700')}."
    tiers = tiers_of(LEAD, f"(a)(1)|{STEP}", notice)
    ((rule, other),) = read_or_fail(tiers, known(90, 90)).conflicts
    assert (rule.cap, other.cap) == (675, 700)


def test_the_reading_as_json_holds_its_operands(tiers_of: ReadText) -> None:
    facts = known(100, 100, fare=Decimal("412.50"))
    made = as_json(read_or_fail(tiers_of(*NEXT), facts), facts)
    (tier,) = made["tiers"]
    assert (made["decided"], made["open"]) == (True, [])
    assert tier.pop("passage")
    assert tier == {
        "section": "250.5",
        "paragraph": "(a)(2)",
        "foreign": False,
        "over_minutes": 90,
        "under_minutes": 180,
        "percent": "250",
        "cap": "1200",
        "formula": "250 percent of the fare, up to $1,200",
        "amount": "1031.25",
    }
    assert json.loads(json.dumps(made)) == made


def test_the_reading_as_json_says_what_is_open(tiers_of: ReadText) -> None:
    made = as_json(read_or_fail(tiers_of(*NEXT), Facts()), Facts())
    assert (made["decided"], made["open"]) == (False, ["route", "delay", "fare"])
    assert [(tier["cap"], tier["amount"]) for tier in made["tiers"]] == [
        (None, None),
        ("1200", None),
        ("2400", None),
    ]


WORDS = st.sampled_from(
    (
        "no compensation", "not later than", "more than", "but less than", "after", "one hour", "two hours",
        "does not offer alternate transportation", "200%", "$675", "fare", "; (2) ", ": (1) ",
        "foreign point", "interstate air transportation", "9" * 90, "\u00b2", "\u0663 hours", "\n", "(a)",
    )
)  # fmt: skip


@given(
    st.lists(st.one_of(WORDS, st.text(max_size=20)), max_size=14).map(" ".join),
    st.sampled_from(("", "(a)", "(a)(1)", "((((", "(a)(1)(i)")),
)
def test_hostile_text_never_raises(text: str, label: str) -> None:
    made = _chunk(Block(BlockKind.PARAGRAPH, LEAD[4:], "(a)"), Block(BlockKind.PARAGRAPH, text, label))
    for tier in read_tiers([made]):
        assert tier.amount(Decimal(100)) >= 0
        assert tier.last is None or tier.last >= tier.first


def _chunk(*blocks: Block) -> Chunk:
    text = SectionText("14", "250", "250.5", "§ 250.5 Amount.", blocks)
    version = SectionVersion(
        text, date(2017, 1, 1), None, Origin.EXACT, VersionStatus.IN_FORCE_AT_END, Change.FIRST, "https://x"
    )
    return Chunk("0" * 12, version, 0, 0, len(text.body), blocks, 0)
