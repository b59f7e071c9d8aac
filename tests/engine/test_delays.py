"""Delays in the words that callers use: one reading, an honest range, or none."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.delays import Delay, read_delay

EXACT = {
    "90 minutes late": 90,
    "ninety min late": 90,
    "ninety-minute delay": 90,
    "forty-five minutes late": 45,
    "a hundred and twenty minutes late": 120,
    "an hour late": 60,
    "one hour late": 60,
    "two hours late": 120,
    "2 hr late": 120,
    "2hrs late": 120,
    "2h late": 120,
    "2.5 hours late": 150,
    "2½ hours late": 150,
    "ten hours late": 600,
    "an hour and a half later": 90,
    "hour and a half late": 90,
    "one and a half hours late": 90,
    "two and a half hrs late": 150,
    "two hours and a half late": 150,
    "seven and a half hours late": 450,
    "an hour and a quarter late": 75,
    "eight and a quarter hours late": 495,
    "an hour and three quarters late": 105,
    "one and three quarter hours late": 105,
    "3 hours and three-quarters late": 225,
    "half an hour late": 30,
    "a half hour late": 30,
    "quarter of an hour late": 15,
    "a quarter hour late": 15,
    "three quarters of an hour late": 45,
    "1h30 after": 90,
    "1h30 late": 90,
    "1h59m late": 119,
    "3 h 59 min late": 239,
    "1hr59 late": 119,
    "1 hr 59 late": 119,
    "1:45 late": 105,
    "1:45 hours late": 105,
    "one hour and fifty nine minutes late": 119,
    "an hour and twenty late": 80,
    "an hour and forty-five late": 105,
    "2 hours 10 later": 130,
    "2 hours 1 minute late": 121,
    "arrived 2 hours and 15 minutes after the original flight": 135,
    "arrives 59 minutes after my original flight": 59,
    "arrives 4 hours past the planned time": 240,
    "gets in three hours after the original": 180,
    "the next flight is 4 hours later": 240,
    "two hours behind schedule": 120,
    "rebooked on a flight that lands 90 minutes beyond the first one": 90,
    "two-hour-late arrival": 120,
    "75 minute arrival delay": 75,
    "a 2-hour delay": 120,
    "two hours' delay": 120,
    "2 hours\u2019 delay": 120,
    "delay: 2 hours": 120,
    "arrival delay 2 hours": 120,
    "the delay was two hours": 120,
    "the delay came to two hours": 120,
    "a delay of 75 minutes": 75,
    "delayed by 3 hours": 180,
    "delayed an hour": 60,
    "was 2 hours delayed": 120,
    "late by an hour": 60,
    "late: 90 minutes": 90,
    "exactly two hours after": 120,
    "late by just 59 minutes": 59,
    "an extra two hours late": 120,
    "0 minutes late": 0,
    "an hour late, that is 60 minutes late": 60,
    "the flight is 5 hours long and I arrived 90 minutes late": 90,
    "a 5 hour flight delayed 2 hours": 120,
}

RANGES: dict[str, tuple[int, int | None]] = {
    "1-2 hrs late": (61, 119),
    "1 to 4 hours late": (61, 239),
    "between one and two hours late": (61, 119),
    "between an hour and two hours late": (61, 119),
    "more than an hour but less than two hours late": (61, 119),
    "over an hour and under two hours late": (61, 119),
    "at least an hour but no more than two hours late": (60, 120),
    "over four hours late": (241, None),
    "just over two hours late": (121, None),
    "more than 4 hours after": (241, None),
    "a delay of more than 4 hours": (241, None),
    "delayed by over three hours": (181, None),
    "at least four hours late": (240, None),
    "four hours or more late": (240, None),
    "4+ hours late": (240, None),
    "four hours+ late": (240, None),
    "less than an hour late": (0, 59),
    "under 60 minutes late": (0, 59),
    "not quite two hours late": (0, 119),
    "no more than an hour late": (0, 60),
    "not later than 60 minutes after": (0, 60),
    "up to two hours late": (0, 120),
    "arrives within an hour of my first flight": (0, 60),
    "on another flight landing within the hour": (0, 60),
    "the rebooked flight is due within two hours": (0, 120),
    "about two hours late": (90, 150),
    "roughly 90 minutes late": (68, 112),
    "two hours or so late": (90, 150),
    "almost two hours late": (90, 119),
    "nearly four hours later": (180, 239),
}

NONE = (
    "",
    "late",
    "a couple of hours late",
    "a day later",
    "two days later",
    "I land 2 hours late or is it an hour? 3 hours late",
    "90 minutes late, then 2 hours late",
    "the 3 hour flight to Reno",
    "24 hours to pay",
    "within 24 hours",
    "pay within 24 hours after the denied boarding",
    "gave me the check within 24 hours",
    "the check came 3 hours later",
    "complained 3 hours later",
    "she wrote six months later",
    "waited 2 hours after landing",
    "2 hours after the denied boarding",
    "boarding closed 15 minutes after",
    "my 12 year old son",
    "2 hours early",
    "two hours before",
    "the new flight departs 2 hours later",
    "I left Seattle 2 hours later than I should",
    "I was 20 minutes late to the gate",
    "I came 10 minutes late for check-in",
    "my bag was 3 hours late",
    "my bag arrived 3 hours late",
    "the luggage was delayed 3 hours",
    "9" * 90 + " hours late",
    "hours and a half of nonsense",
    "blue and a quarter hours",
)

CLOCKS = {
    "original arrival 3:40 pm, new arrival 5:25 pm": 105,
    "due in at 3.40 p.m., now arrives 5.25 p.m.": 105,
    "due 15:40, now arriving 17:25": 105,
    "planned to arrive at 17h25, the other lands at 19h10": 105,
    "was due in at 11:30 am and now arrives 1:15 pm": 105,
    "due 11:30, now arriving 1:15": 105,
    "was to land at 23:30 and now lands at 00:45": 75,
    "arrival 11:30 pm, now 12:45 am": 75,
    "arrival noon, now 2 pm": 120,
    "supposed to land at midnight, now lands at 1:30 am": 90,
    "7 pm arrival, new arrival 9 pm": 120,
    "I land at 9 pm instead of 7:15 pm": 105,
    "the new flight lands 9:15 pm, the original landed 7 pm": 135,
    "leaves at 3 pm, was due at 5 pm, now arrives 7 pm": 120,
    "meant to be in Tampa at 4:05 pm, now it is 9:40 pm": 335,
    "the other flight was due in at 12:30, the original at 08:30": 240,
    "the next one lands at 12:30 instead of 8:30": 240,
}

NO_CLOCKS = (
    "arrives 5 pm",
    "leaves at 3 pm and lands at 5 pm",
    "3 pm departure and 5 pm arrival",
    "from the 3 pm flight to the 5 pm flight",
    "arrives 10 am instead of 12 pm",
    "arrives 5 pm and arrives 5 pm",
    "arrives 1 pm, 3 pm or 5 pm",
    "due 9 am, arrives 8 am",
)


def ends(text: str) -> tuple[int, int | None] | None:
    delay = read_delay(text)
    return None if delay is None else (delay.least, delay.most)


@pytest.mark.parametrize(("text", "minutes"), EXACT.items())
def test_a_delay_in_any_wording_is_its_minutes(text: str, minutes: int) -> None:
    assert ends(text) == (minutes, minutes)
    assert ends(f"Bumped in Boston! So this is how it went: {text}. What am I due?") == (minutes, minutes)


@pytest.mark.parametrize(("text", "expected"), RANGES.items())
def test_a_range_keeps_both_ends(text: str, expected: tuple[int, int | None]) -> None:
    assert ends(text) == expected


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_arrival_delay_or_no_single_one_is_none(text: str) -> None:
    assert read_delay(text) is None


@pytest.mark.parametrize(("text", "minutes"), CLOCKS.items())
def test_two_times_of_arrival_are_a_delay(text: str, minutes: int) -> None:
    assert ends(text) == (minutes, minutes)


@pytest.mark.parametrize("text", NO_CLOCKS)
def test_times_that_are_no_two_arrivals_are_none(text: str) -> None:
    assert read_delay(text) is None


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("90 minutes late", None),
        ("arrive 61 minutes later than planned", None),
        ("scheduled to arrive 90 minutes late", True),
        ("a flight due in 90 minutes late", True),
        ("it actually arrived 90 minutes late", False),
        ("it was 90 minutes late in the end", False),
        ("planned for 5 pm arrival, will arrive 7 pm", True),
        ("due 5 pm, actually in at 7 pm", False),
        ("due at 5 pm, arrived at 7 pm", False),
    ],
)
def test_planned_is_told_from_actual(text: str, planned: bool | None) -> None:
    delay = read_delay(text)
    assert delay is not None
    assert delay.planned is planned


def test_of_a_planned_and_an_actual_delay_the_planned_one_counts() -> None:
    text = "The new flight was scheduled to land 55 minutes late but actually landed 90 minutes late."
    assert read_delay(text) == Delay(55, 55, planned=True, text="55 minutes")


def test_the_words_that_say_so_are_kept() -> None:
    assert read_delay("I land one or two hours late") == Delay(61, 119, None, "one to two hours")
    assert read_delay("due 3 pm, arrives 4 pm") == Delay(60, 60, True, "between the two times")


@given(st.integers(0, 10**6), st.sampled_from(("{} minutes late", "{} min later", "a delay of {} minutes")))
def test_a_number_of_minutes_is_that_number(minutes: int, wording: str) -> None:
    assert ends(wording.format(minutes)) == (minutes, minutes)


@given(st.integers(0, 99), st.integers(0, 59))
def test_hours_and_minutes_add_up(hours: int, minutes: int) -> None:
    late = 60 * hours + minutes
    for wording in ("{} hours and {} minutes late", "{}h{:02} late", "{} h {} min after the original"):
        assert ends(wording.format(hours, minutes)) == (late, late)


@given(st.integers(0, 11), st.integers(0, 59), st.integers(1, 719))
def test_two_clock_times_differ_by_their_minutes(hours: int, minutes: int, late: int) -> None:
    def at(since: int) -> str:
        hour, minute = divmod(since % 1440, 60)
        return f"{hour % 12 or 12}:{minute:02} {'ap'[hour >= 12]}m"

    due = 60 * hours + minutes
    assert ends(f"was due at {at(due)}, now arrives at {at(due + late)}") == (late, late)


WORDS = st.sampled_from(
    (
        "late", "two", "hours", "hour", "and a half", "quarter", "between", "1:45", "15:40", "3 pm", "noon",
        "arrives", "due", "within", "the hour", "4+ hours", "\u0663", "\u00b2", "½", "or", "-", "9" * 80, "h",
    )
)  # fmt: skip


@given(st.lists(st.one_of(WORDS, st.text(max_size=12)), max_size=14).map(" ".join))
def test_hostile_text_never_raises(text: str) -> None:
    delay = read_delay(text)
    assert delay is None or isinstance(delay.least, int)
