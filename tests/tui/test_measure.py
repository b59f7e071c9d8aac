"""The measure view: progress, figures, stopping, and quitting while it runs."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from screen_support import MEASURED, call, press, settle, toasts, use
from textual.widgets import ProgressBar, Static

import engine
from engine import RegulationsError
from tui.drawing.measure import bar
from tui.screens.measure import MeasureScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from screen_support import Copied, FakeWorker
    from textual.pilot import Pilot

    from engine import Measured
    from tui.app import RegulationsApp


def measured(_: object, tell: Callable[[int, int], bool]) -> Measured:
    tell(1, 2)
    tell(2, 2)
    return MEASURED


def text(pilot: Pilot[int], part: str = "text") -> str:
    return str(pilot.app.screen.query_one(f"#measure-{part}", Static).content)


def test_the_figures_are_drawn_with_the_filter_and_without(
    app: RegulationsApp, copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "measure", measured, raising=False)

    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f7")
        words = text(pilot)
        assert f"recall@5   filter on  {bar(0.8)} 0.80  (0.70 to 0.90)" in words
        assert f"filter off {bar(0.3)} 0.30  (0.20 to 0.40)" in words
        assert "87 of 145" in words
        assert "filter on  right 22 of 24" in words
        assert "Done." in text(pilot, "words")
        await press(pilot, "y", "escape")
        assert copied.texts == [words]
        assert pilot.app.screen is call(pilot)

    use(app, steps)


def test_escape_stops_and_a_late_result_is_dropped(
    app: RegulationsApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, heard = threading.Event(), []

    def slow(_: object, tell: Callable[[int, int], bool]) -> Measured | None:
        heard.append(tell(1, 4))
        go.wait(20)
        heard.append(tell(2, 4))
        return MEASURED

    monkeypatch.setattr(engine, "measure", slow, raising=False)

    async def steps(pilot: Pilot[int]) -> None:
        await pilot.press("f7")
        while not heard:
            await pilot.pause(0.01)
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, MeasureScreen)
        assert (screen.query_one(ProgressBar).progress, screen.query_one(ProgressBar).total) == (1, 4)
        await pilot.press("r", "y")
        await pilot.press("escape")
        assert not screen.busy
        go.set()
        await settle(pilot)
        assert text(pilot) == ""
        assert text(pilot, "words").startswith("Stopped.")

    use(app, steps)
    assert heard == [True, False]


def test_the_engine_that_searches_by_meaning_is_measured_when_it_is_ready(
    app: RegulationsApp, worker: FakeWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "measure", measured, raising=False)
    worker.meaning_ready = True
    worker.measure = lambda tell: replace(MEASURED, method="rerank") if tell(1, 2) else None

    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f7")
        assert "Search by meaning, word by word (rerank)" in text(pilot)
        await press(pilot, "m")
        assert "Search by keywords (bm25)" in text(pilot)
        await press(pilot, "m")
        assert "(rerank)" in text(pilot)

    use(app, steps)


def test_without_models_the_other_engine_is_said_to_be_missing(
    app: RegulationsApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "measure", measured, raising=False)

    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f7", "m")
        assert toasts(pilot) == ["The engine that searches by meaning is not there, or not yet."]
        assert "(bm25)" in text(pilot)

    use(app, steps)


def test_what_goes_wrong_is_said(app: RegulationsApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise RegulationsError("The questions cannot be read.", "Reinstall the program.")

    monkeypatch.setattr(engine, "measure", wrong, raising=False)

    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f7")
        assert text(pilot) == "The questions cannot be read. Reinstall the program."

    use(app, steps)


@pytest.mark.parametrize(
    ("share", "drawn"), [(0, "░" * 10), (0.5, "█" * 5 + "░" * 5), (1, "█" * 10), (1.2, "█" * 10)]
)
def test_a_bar_is_the_share(share: float, drawn: str) -> None:
    assert bar(share, 10) == drawn
