"""The terminal of the app hangs up, tells it to end, or sends what is no text: no process is left over."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest
from faultkit import LINUX, NOT_LINUX, PATIENCE
from terminalkit import READY, Screen, screens_of_a_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(not LINUX, reason=NOT_LINUX)


@pytest.fixture
def screen() -> Iterator[Callable[..., Screen]]:
    with screens_of_a_test() as make:
        yield make


@pytest.mark.parametrize("deaf", [False, True], ids=["SIGHUP heard", "SIGHUP ignored, as under nohup"])
def test_it_ends_when_the_terminal_hangs_up(data: Path, screen: Callable[..., Screen], deaf: bool) -> None:
    one = screen(data, deaf=deaf)
    one.until(READY)
    one.hang_up()

    assert one.ended() in {-signal.SIGHUP, 128 + signal.SIGHUP}
    assert one.deserted()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_its_code_and_gives_the_terminal_back(
    data: Path, screen: Callable[..., Screen], number: int
) -> None:
    one = screen(data)
    one.until(READY)
    one.read(0.5)
    os.kill(one.process.pid, number)

    assert one.ended() == 128 + number
    assert b"\x1b[?1049l" in one.seen, "the screen before it is shown again"
    assert b"\x1b[?25h" in one.seen, "the cursor is back"
    assert b"Traceback" not in one.seen
    assert one.deserted()


def test_bytes_that_are_no_text_are_passed_over(data: Path, screen: Callable[..., Screen]) -> None:
    one = screen(data)
    one.until(READY)
    one.type(b"\xff\xfe\x80")
    one.read(0.5)
    one.type(b"zebra")
    one.until(b"zebra")

    one.type(b"\x11")
    assert one.ended() == 0


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.parametrize("how", ["hang up", "kill"])
def test_the_model_process_goes_with_it(data: Path, screen: Callable[..., Screen], how: str) -> None:
    one = screen(data, models=True)
    one.until(READY)
    end = time.monotonic() + PATIENCE
    while len(one.family()) < 2:
        assert time.monotonic() < end
        one.read(0.1)
    if how == "hang up":
        one.hang_up()
    else:
        one.process.kill()

    one.ended()
    assert one.deserted()
