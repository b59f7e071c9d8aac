from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from engine.quantities import Kind, Quantity, find_quantities


def values(text: str, kind: Kind) -> list[object]:
    return [item.value for item in find_quantities(text) if item.kind == kind]


def only(text: str) -> Quantity:
    (found,) = find_quantities(text)
    assert text[found.start : found.end] == found.text
    return found


@pytest.mark.parametrize(
    "text",
    [
        "$1,075",
        "$1,075.00",
        "$1075",
        "$ 1075",
        "US$1,075",
        "1075 dollars",
        "1,075 US dollars",
        "1,075 U.S. dollars",
        "1,075-dollar",
        "USD 1,075",
        "usd 1075",
        "1,075 USD",
        "one thousand and seventy-five dollars",
        "one thousand and seventy-five (1,075) dollars",
        "\uff04\uff11,\uff10\uff17\uff15",
        "$\uff11\uff10\uff17\uff15",
    ],
)
def test_two_spellings_of_an_amount_are_one_quantity(text: str) -> None:
    found = only(f"at least {text}, whichever is lower")
    assert found == Quantity("money", Decimal(1075), "USD")
    assert hash(found) == hash(Quantity("money", Decimal(1075), "USD"))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$1.075", Decimal("1.075"), "USD"),
        ("$.50", Decimal("0.5"), "USD"),
        ("50 cents", Decimal("0.5"), "USD"),
        ("$1 million", Decimal(1_000_000), "USD"),
        ("$2k", Decimal(2000), "USD"),
        ("€675", Decimal(675), "EUR"),
        ("675 euros", Decimal(675), "EUR"),
        ("C$675", Decimal(675), "CAD"),
        ("675 Canadian dollars", Decimal(675), "CAD"),
        ("R$675", Decimal(675), "R$"),
        ("USD 775.50", Decimal("775.5"), "USD"),
        ("775.50 dollars", Decimal("775.5"), "USD"),
        ("a hundred dollars", Decimal(100), "USD"),
        ("fifteen hundred and fifty dollars", Decimal(1550), "USD"),
        ("two thousand one hundred fifty dollars", Decimal(2150), "USD"),
    ],
)
def test_amounts_keep_their_value_and_currency(text: str, value: Decimal, unit: str) -> None:
    assert only(text) == Quantity("money", value, unit)


@pytest.mark.parametrize(
    "text", ["$1,0750", "$1.075,00", "$1,07", "$" + "1" * 90, "five seventy dollars", "$1,075.00.1"]
)
def test_a_malformed_number_equals_nothing_but_itself(text: str) -> None:
    found = only(text)
    assert isinstance(found.value, str)
    assert found == only(text)


@pytest.mark.parametrize(
    "text",
    [
        "$1,075\u2013$2,150",
        "$1,075\u20132,150",
        "$1,075 to $2,150",
        "$1,075 to 2,150",
        "1,075 or 2,150 dollars",
    ],
)
def test_both_ends_of_a_range_are_amounts(text: str) -> None:
    assert values(text, "money") == [Decimal(1075), Decimal(2150)]


def test_a_unit_behind_a_range_is_its_own() -> None:
    assert [item.kind for item in find_quantities("from $1,075 to 60 minutes")] == ["money", "duration"]


@pytest.mark.parametrize(
    "text", ["200%", "200 %", "200 percent", "200 per cent", "200-percent", "two hundred percent", "200 pct"]
)
def test_two_spellings_of_a_percentage_are_one_quantity(text: str) -> None:
    assert only(text) == Quantity("percent", Decimal(200), "percent")


@pytest.mark.parametrize("text", ["200 or 400 percent", "200%\u2013400%", "200-400%", "200 to 400 per cent"])
def test_percentages_share_a_unit(text: str) -> None:
    assert values(text, "percent") == [Decimal(200), Decimal(400)]


def test_twice_the_fare_is_no_quantity() -> None:
    assert find_quantities("double or twice the fare, the two carriers, no one") == ()


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("2 hours", 120),
        ("two hours", 120),
        ("one hour", 60),
        ("an hour", 60),
        ("1-hour", 60),
        ("two-hour", 120),
        ("90 minutes", 90),
        ("90 mins", 90),
        ("1.5 hours", 90),
        ("1½ hours", 90),
        ("1 1/2 hours", 90),
        ("one and a half hours", 90),
        ("one-and-a-half-hour", 90),
        ("an hour and a half", 90),
        ("one hour and a half", 90),
        ("half an hour", 30),
        ("half-hour", 30),
        ("½ hour", 30),
        ("1h30", 90),
        ("1 h 30 min", 90),
        ("1h30m", 90),
        ("1 hour 30 minutes", 90),
        ("one hour and thirty minutes", 90),
        ("24 hours", 1440),
        ("24h", 1440),
        ("four (4) hours", 240),
    ],
)
def test_durations_up_to_hours_are_minutes(text: str, minutes: int) -> None:
    assert only(f"a delay of {text}.") == Quantity("duration", Decimal(minutes), "minute")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("within 30 days", 30, "day"),
        ("3 calendar days", 3, "day"),
        ("2 weeks", 14, "day"),
        ("ten business days", 10, "business day"),
        ("every two years", 2, "year"),
        ("12 months", 12, "month"),
        ("thirty (30) days", 30, "day"),
    ],
)
def test_days_stay_days(text: str, value: int, unit: str) -> None:
    assert only(text) == Quantity("duration", Decimal(value), unit)
    assert only("1 day") != only("24 hours")


def test_two_durations_of_one_sentence_stay_two() -> None:
    assert values("more than one hour but less than two hours", "duration") == [60, 120]
    assert values("one to two hours late", "duration") == [60, 120]


def test_a_malformed_duration_keeps_its_spelling() -> None:
    assert values("1,0 hours 30 minutes; two two hours", "duration") == ["1,0 hours 30 minutes", "two two"]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("a designed passenger capacity of 30 or more passenger seats", 30, "seat"),
        ("60 or fewer seats", 60, "seat"),
        ("more than 60 seats", 60, "seat"),
        ("sixty seats", 60, "seat"),
        ("at least 12-point type", 12, "point"),
        ("40 people", 40, "person"),
        ("the cap is 1,057.", 1057, ""),
        ("3 copies", 3, "copy"),
        ("10x", 10, ""),
    ],
)
def test_counts_are_found(text: str, value: int, unit: str) -> None:
    assert only(text) == Quantity("count", Decimal(value), unit)


def test_counts_share_a_noun_and_a_single_one_is_a_word() -> None:
    assert values("30 to 60 seats", "count") == [30, 60]
    assert find_quantities("one passenger and the 4th paragraph") == ()


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("on 20 December 2024", date(2024, 12, 20), "day"),
        ("on 12/20/2024", date(2024, 12, 20), "day"),
        ("in August 2011", date(2011, 8, 1), "month"),
        ("in 2012", date(2012, 1, 1), "year"),
        ("June 30", "--06-30", "day of year"),
        ("6/10/2022", "6/10/2022", "unclear"),
        ("Feb 30, 2022", "feb 30, 2022", "unclear"),
    ],
)
def test_dates_are_as_exact_as_they_are_written(text: str, value: object, unit: str) -> None:
    found = only(text)
    assert (found.kind, found.value, found.unit) == ("date", value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "250.5(a)(2)",
        "§ 250.2a and §§ 250.2a and 250.2b",
        "section 250.5 of this part",
        "14 CFR 121.533",
        "14 CFR Part 250",
        "14 C.F.R. § 250.5(a)(2)",
        "86 FR 2538",
        "49 U.S.C. 40102",
        "Parts 250 and 254, Part 254, Title 14",
        "Line 6 of Form 251",
        "49 U.S.C. 329 and chapters 41102, 41301, and 41712",
        "Docket No. DOT-OST-2020-0251; ER-1306",
        "flight 1234, flight no. UA 77",
        "entitled to: (1) no compensation (a)(2)(i)",
        "[3] and [1c4d6d940b9a]",
        "1. The carrier",
        "passage cde04502622d",
    ],
)
def test_references_are_no_quantities(text: str) -> None:
    assert find_quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("the flight 2 hours late", "duration"),
        ("for its part 30 percent", "percent"),
        ("[$1,057]", "money"),
        ("USD-1057", "money"),
        ("source 1,057", "count"),
    ],
)
def test_a_reference_word_hides_no_quantity(text: str, kind: Kind) -> None:
    assert kind in {item.kind for item in find_quantities(text)}


def test_a_sentence_of_the_rule_gives_its_numbers_in_order() -> None:
    text = (
        "(2) Compensation shall be at least 200 percent of the fare to the passenger's destination or first "
        "stopover, or $1,075, whichever is lower, if the carrier offers alternate transportation that is "
        "planned to arrive more than one hour but less than\ntwo\u00a0hours after the planned "
        "arrival time; see § 250.6."
    )
    assert [(item.kind, item.value) for item in find_quantities(text)] == [
        ("percent", 200),
        ("money", 1075),
        ("duration", 60),
        ("duration", 120),
    ]


def test_a_raised_figure_is_no_digit_of_the_amount() -> None:
    assert values("$1,075²", "money") == [1075]
    assert values("1\u2011hour", "duration") == [60]


def test_a_day_can_be_made_a_quantity() -> None:
    assert Quantity.of_day(date(2022, 6, 10)) == only("2022-06-10")


@given(st.integers(0, 10**9), st.integers(0, 99))
def test_a_formatted_amount_found_again_equals_itself(whole: int, cents: int) -> None:
    value = Decimal(whole) + Decimal(cents) / 100
    spellings = (f"${value:,.2f}", f"{value:.2f} dollars", f"USD {value:,.2f}")
    assert {only(text) for text in spellings} == {Quantity("money", value, "USD")}


@given(st.integers(1, 99_999))
def test_a_changed_digit_is_another_quantity(value: int) -> None:
    assert only(f"${value:,}") != only(f"${value + 1:,}")


@given(st.text(alphabet=st.sampled_from("$ 1,0.5-\u2013%(§h½aone hundred/\n٣²\x00"), max_size=60) | st.text())
def test_find_quantities_never_raises_and_never_overlaps(text: str) -> None:
    found = find_quantities(text)
    assert all(text[item.start : item.end] == item.text for item in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert len(set(found)) <= len(found)


@pytest.mark.parametrize(
    "piece", ["1", "one ", "1,", "(a)", "$", "1 or ", "sections 250.5, ", "hundred and "]
)
def test_time_grows_with_the_text_and_not_faster(piece: str) -> None:
    text = piece * (30_000 // len(piece))
    start = time.perf_counter()
    find_quantities(text)
    assert time.perf_counter() - start < 5
