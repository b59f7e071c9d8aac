"""What the app knows of its terminal; real terminals stand in `tests/reliability/test_terminal_gone.py`."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from screen_support import FakeWorker, press, use

from tui import terminal
from tui.app import DEBUG, FAILED, RegulationsApp

if TYPE_CHECKING:
    from textual.pilot import Pilot

posix = pytest.mark.skipif(os.name != "posix", reason="no such terminals on this system")


class Driver:
    """Reads what a terminal sends, each time with the next fault."""

    faults: tuple[Exception | None, ...] = ()

    def __init__(self) -> None:
        self.reads = 0

    def run_input_thread(self) -> None:
        self.reads += 1
        fault = self.faults[self.reads - 1]
        if fault is not None:
            raise fault


class Drawn(Exception):  # noqa: N818 - a fault as a library makes it
    """Brings a drawing of itself along, as the faults of a style sheet do."""

    def __rich__(self) -> str:
        return "the caller's words"


def no_text() -> UnicodeDecodeError:
    return UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


@pytest.mark.parametrize(
    ("faults", "reads"),
    [((None,), 1), ((no_text(), no_text(), None), 3), ((no_text(), OSError(5, "gone")), 2)],
)
def test_reading_goes_on_after_bytes_that_are_no_text_and_ends_with_the_terminal(
    faults: tuple[Exception | None, ...], reads: int
) -> None:
    driver = terminal.forgiving(type("Made", (Driver,), {"faults": faults}))()  # type: ignore[arg-type]
    driver.run_input_thread()
    assert driver.reads == reads


def test_a_driver_that_reads_in_another_way_stays_as_it_is() -> None:
    assert terminal.forgiving(object) is object  # type: ignore[arg-type]


@posix
def test_a_terminal_is_gone_when_its_other_end_is(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = os.openpty()
    with open(far, "rb", closefd=False) as file:
        monkeypatch.setattr(sys, "__stdin__", file)
        assert not terminal.gone()
        os.close(near)
        assert terminal.gone()
        os.close(far)
        assert terminal.gone()
    assert terminal.gone(), "a closed stream"


def test_a_system_that_cannot_tell_has_its_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(select, "poll", raising=False)
    assert not terminal.gone()


@posix
def test_signals_end_with_their_own_code() -> None:
    ended: list[int] = []

    async def wait() -> None:
        terminal.heed_signals(ended.append)
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.05)

    asyncio.run(wait())
    assert ended == [130, 143]


@pytest.mark.parametrize("debug", ["", "1"])
def test_a_fault_ends_the_app_with_its_code_and_shows_its_words_to_developers_alone(
    debug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DEBUG, debug)
    app = RegulationsApp(FakeWorker())

    async def steps(pilot: Pilot[int]) -> None:
        def broken() -> None:
            raise KeyError("the caller's words")

        pilot.app.call_later(broken)
        await press(pilot)

    with pytest.raises(KeyError):
        use(app, steps)
    assert app.return_code == FAILED


@pytest.mark.parametrize(("debug", "shown"), [("", False), ("1", True)])
def test_a_fault_that_draws_itself_shows_its_drawing_to_developers_alone(
    debug: str, shown: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DEBUG, debug)
    app = RegulationsApp(FakeWorker())

    async def steps(pilot: Pilot[int]) -> None:
        def broken() -> None:
            raise Drawn

        pilot.app.call_later(broken)
        await press(pilot)

    with pytest.raises(Drawn):
        use(app, steps)
    said = capsys.readouterr().err
    assert app.return_code == FAILED
    assert ("the caller's words" in said) is shown
    assert ("The program has a fault (in a part of the screen)." in said) is not shown
