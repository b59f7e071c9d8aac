"""The pace, and what a server asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from engine.refresh.waiting import Clock, Pace, asked_wait

if TYPE_CHECKING:
    from conftest import FakeClock, Refresh

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_requests_start_at_least_1_2_seconds_apart(clock: FakeClock) -> None:
    pace = Pace(clock.clock)
    starts = []
    for work in (0.0, 0.5, 3.0, 0.0):
        pace.wait()
        starts.append(clock.at)
        clock.at += work

    gaps = [after - before for before, after in pairwise(starts)]
    assert gaps == pytest.approx([1.2, 1.2, 3.0])


def test_a_sleep_that_ends_early_is_slept_on(clock: FakeClock) -> None:
    def half(seconds: float) -> None:
        clock.sleep(seconds / 2 if seconds > 0.1 else seconds)

    pace = Pace(Clock(lambda: clock.at, half))
    pace.wait()
    begun = clock.at
    pace.wait()
    assert clock.at - begun == pytest.approx(1.2)


def test_a_whole_run_keeps_the_pace(run: Refresh, clock: FakeClock) -> None:
    run()
    # Titles, two lists, two texts, titles again: nothing waits before the first.
    assert clock.slept == pytest.approx([1.2] * 5)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("17", 17.0),
        (" 120 ", 120.0),
        ("9" * 30, 999_999_999.0),
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30.0),
        ("Sat, 21 Nov 2026 12:00:30 -0000", 30.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("²", None),
        ("Sat, 99 Nov 2026 12:00:30 GMT", None),
    ],
)
def test_what_a_server_asks_for(text: str, seconds: float | None) -> None:
    assert asked_wait(text, "", NOW) == seconds


def test_a_date_is_measured_from_the_servers_own_clock() -> None:
    # This computer's clock is a day behind.
    there = "Sun, 22 Nov 2026 12:00:00 GMT"
    assert asked_wait("Sun, 22 Nov 2026 12:00:40 GMT", there, NOW) == 40.0


@given(st.text(), st.text())
def test_any_header_gives_a_wait_or_none(retry_after: str, date_header: str) -> None:
    wait = asked_wait(retry_after, date_header, NOW)
    assert wait is None or wait >= 0


@given(st.integers(10**8, 7 * 10**9))
def test_every_http_date_is_understood(seconds: int) -> None:
    when = datetime.fromtimestamp(seconds, UTC)
    wait = asked_wait(format_datetime(when, usegmt=True), "", NOW)
    assert wait == max((when - NOW).total_seconds(), 0.0)
