from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from engine.dates import ACCEPTED_FORMS, FIRST_YEAR, LAST_YEAR, FoundDay, find_days, masked, parse_day
from engine.errors import UsageError
from engine.safe import one_line

JUNE_10 = date(2022, 6, 10)
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS = st.dates(date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "2022-06-10",
        " 2022-06-10\n",
        "10 June 2022",
        "10\u00a0June\u00a02022",
        "10th of June 2022",
        "the 10th June, 2022",
        "June 10, 2022",
        "june 10,2022",
        "JUN 10 2022",
        "Jun. 10, 2022",
        "10-Jun-2022",
        "June 10th, 2022",
        "Friday, 10 June 2022",
        "Fri 2022-06-10",
        "fri., June 10, 2022",
    ],
)
def test_forms_with_one_reading_are_accepted(text: str) -> None:
    assert parse_day(text) == JUNE_10


@given(DAYS)
def test_every_form_gives_the_day_back(day: date) -> None:
    month = MONTHS[day.month - 1]
    assert parse_day(day.isoformat()) == day
    assert parse_day(f"{day.day} {month} {day.year}") == day
    assert parse_day(f"{month[:3]} {day.day}, {day.year}") == day


@pytest.mark.parametrize(
    "text",
    [
        "today",
        "10.6.22",
        "12/20/2024",
        "13/13/2022",
        "June 2022",
        "2022",
        "2022-6-10",
        "20220610",
        "2022-06-10x",
        "2022-06-10 or later",
        "\uff12\uff10\uff12\uff12-06-10",
        "\u0661\u0660 June 2022",
        "10 Juin 2022",
        "2022-06-10T00:00",
        "9" * 100_000,
        "2022-06-10" + " " * 9_999 + "x",
    ],
)
def test_everything_else_is_refused_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_day(text)
    assert refused.value.hint == ACCEPTED_FORMS
    assert "is not a day in a form that has one reading" in refused.value.message
    assert len(refused.value.message) < 120


def test_an_empty_text_is_no_day() -> None:
    with pytest.raises(UsageError, match="No day was given"):
        parse_day(" \t ")


@pytest.mark.parametrize("text", ["06/10/2022", "6-10-2022", "10.06.2022", "6/10/22"])
def test_a_day_in_digits_of_unknown_order_is_refused_with_its_readings(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_day(text)
    assert "2022-06-10" in refused.value.message
    assert "2022-10-06" in refused.value.message


@pytest.mark.parametrize(
    "text",
    [
        "2022-13-01",
        "2023-02-29",
        "February 30, 2022",
        "10st June 2022",
        "1899-12-31",
        "2101-01-01",
        "0000-01-01",
    ],
)
def test_a_day_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="There is no day") as refused:
        parse_day(text)
    assert text in refused.value.message


def test_a_wrong_weekday_is_named() -> None:
    with pytest.raises(UsageError, match="wrong weekday: 2022-06-10 is a Friday"):
        parse_day("Monday, 10 June 2022")


def test_a_refusal_shows_no_control_characters() -> None:
    with pytest.raises(UsageError) as refused:
        parse_day("\x1b[31m\u202e10 June")
    assert refused.value.message.isprintable()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1st May 2022", date(2022, 5, 1)),
        ("2nd May 2022", date(2022, 5, 2)),
        ("3rd May 2022", date(2022, 5, 3)),
        ("11th May 2022", date(2022, 5, 11)),
        ("22nd Sept 2022", date(2022, 9, 22)),
        ("29 Feb 2024", date(2024, 2, 29)),
    ],
)
def test_ordinals_are_read(text: str, day: date) -> None:
    assert parse_day(text) == day


@given(st.text(max_size=80))
def test_arbitrary_text_gives_a_day_or_a_usage_error(text: str) -> None:
    try:
        day = parse_day(text)
    except UsageError as error:
        assert error.message == one_line(error.message)  # noqa: PT017
    else:
        assert FIRST_YEAR <= day.year <= LAST_YEAR


def only(text: str) -> FoundDay:
    (found,) = find_days(text)
    assert text[found.start : found.end] == found.text
    return found


@pytest.mark.parametrize(
    "text",
    [
        "Was it $775 on 10 June 2022?",
        "My flight of June 10, 2022 was late",
        "the 10th of June 2022",
        "on 2022-06-10, at noon",
        "on 2022/6/10.",
        "on Friday,10-Jun-2022",
    ],
)
def test_a_full_date_in_a_question_is_found(text: str) -> None:
    found = only(text)
    assert (found.day, found.precision, found.readings) == (JUNE_10, "day", (JUNE_10,))


def test_an_ambiguous_date_keeps_both_readings() -> None:
    found = only("I flew on 6/10/2022.")
    assert found.day is None
    assert found.readings == (JUNE_10, date(2022, 10, 6))
    assert found.may_be(date(2022, 10, 6))
    assert not found.may_be(date(2022, 10, 7))


@pytest.mark.parametrize("text", ["12/20/2024", "20.12.2024", "20-12-2024", "12/20/24"])
def test_a_numeric_date_with_one_valid_reading_has_that_day(text: str) -> None:
    assert only(f"on {text}").day == date(2024, 12, 20)


def test_a_short_year_of_the_last_century_stays_there() -> None:
    assert only("on 6/6/84").readings == (date(1984, 6, 6),)


def test_a_day_without_year_fits_every_year() -> None:
    found = only("the flight on December 20 to Boston")
    assert (found.day, found.year, found.month, found.day_of_month) == (None, None, 12, 20)
    assert found.may_be(date(2024, 12, 20))
    assert not found.may_be(date(2024, 12, 21))
    assert only("on the 20th of December").month == 12


def test_a_month_fits_its_days() -> None:
    found = only("in June 2022")
    assert (found.precision, found.day, found.year, found.month) == ("month", None, 2022, 6)
    assert found.may_be(JUNE_10)
    assert not found.may_be(date(2022, 7, 1))


def test_the_comma_before_a_year_in_the_regulation_is_read() -> None:
    assert only("the CPI-U figure in August, 2011 when the inflation adjustment").text == "August, 2011"


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("in 2019", [2019]),
        ("summer 2019 and winter of 2020", [2019, 2020]),
        ("between 2017 and 2019", [2017, 2019]),
        ("in 2018, 2019 or 2020", [2018, 2019, 2020]),
        ("in 2017-2019", [2017, 2019]),
        ("in 2017\u20132019", [2017, 2019]),
        ("mid-2019", [2019]),
        ("in 2019 or 2150", [2019]),
    ],
)
def test_years_count_after_a_word_that_announces_them(text: str, years: list[int]) -> None:
    found = find_days(text)
    assert [item.year for item in found] == years
    assert {item.precision for item in found} == {"year"}
    assert found[0].may_be(date(years[0], 5, 5))


@pytest.mark.parametrize(
    "text",
    [
        "$1,075 or 2,150",
        "a maximum of $2000",
        "§ 250.5(a)(2)",
        "14 CFR 250.5",
        "flight 2019",
        "2019",
        "of 2000 dollars",
        "of 2000 passengers",
        "of 20%",
        "in 20 percent",
        "in 1075",
        "in 2019.5",
        "you may 2 days later",
        "they march 20 miles",
        "June 30 passengers were bumped",
        "December 99",
        "24/7/2365",
        "1.2.3.2022.4",
        "the carrier may pay",
        "Part 250 of 14 CFR, 86 FR 2538",
    ],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert find_days(text) == ()


@pytest.mark.parametrize("text", ["February 30, 2022", "2022-13-01", "June 10, 3000"])
def test_a_date_that_does_not_exist_is_found_and_fits_no_day(text: str) -> None:
    found = only(text)
    assert (found.day, found.readings) == (None, ())
    assert not found.may_be(JUNE_10)


def test_dates_come_in_order_without_overlap() -> None:
    text = "March 31, June 30, September 30 and December 31; 76 FR 23161, Apr. 25, 2011; 2022-06-10"
    found = find_days(text)
    assert [item.text for item in found] == [
        "March 31", "June 30", "September 30", "December 31", "Apr. 25, 2011", "2022-06-10",
    ]  # fmt: skip
    assert all(one.end <= two.start for one, two in pairwise(found))


@given(DAYS)
def test_a_day_written_in_a_sentence_is_found_again(day: date) -> None:
    assert only(f"Denied boarding on {day.isoformat()}, what is owed?").day == day


@given(st.text(max_size=200))
def test_find_days_never_raises(text: str) -> None:
    for found in find_days(text):
        assert text[found.start : found.end] == found.text


def test_a_mask_keeps_the_length() -> None:
    assert masked("abcdef", [(1, 3), (4, 5)]) == "a\0\0d\0f"
