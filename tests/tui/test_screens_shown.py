"""Pictures of the main states, each with what must be readable in it; the clock and the engine are fixed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from screen_support import MEASURED, Copied, FakeWorker, ask, press, shown, write
from textual.widgets import Input

import engine
from engine.model import Status
from tui.app import RegulationsApp
from tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.pilot import Pilot

    Steps = Callable[[Pilot[int]], Awaitable[None]]

WIDE, SMALL = (120, 40), (80, 24)


@pytest.fixture
def picture(snap_compare: Callable[..., bool]) -> Callable[..., None]:
    """Compare a state with its picture, and its words with what must stand in it."""

    def compare(
        steps: Steps, *words: str, size: tuple[int, int] = WIDE, theme: str = "", **worker: bool
    ) -> None:
        app = RegulationsApp(FakeWorker(**worker), copier=Copied())
        app.animation_level = "none"

        async def run(pilot: Pilot[int]) -> None:
            await press(pilot)
            pilot.app.query_one(QuestionBox).cursor_blink = False
            if theme:
                pilot.app.theme = theme
            await steps(pilot)
            for line in pilot.app.screen.query(Input):
                # Cursors blink by the wall clock.
                line.cursor_blink = False
            await press(pilot)
            text = " ".join(shown(pilot).split())
            assert all(word in text for word in words), text

        assert snap_compare(app, terminal_size=size, run_before=run)

    return compare


async def nothing(pilot: Pilot[int]) -> None:
    await press(pilot)


async def answered(pilot: Pilot[int]) -> None:
    await ask(pilot)


async def stale(pilot: Pilot[int]) -> None:
    await ask(pilot)
    await press(pilot, "ctrl+d", "up", "f6", "f6")


async def unfiltered(pilot: Pilot[int]) -> None:
    await press(pilot, "f8")
    await ask(pilot)


async def offered(pilot: Pilot[int]) -> None:
    await write(pilot, "Bumped on 20 December 2024")


def test_nothing_asked(picture: Callable[..., None]) -> None:
    picture(nothing, "Nothing asked yet.", "Set the day of the flight", "250.5")


def test_a_date_offered(picture: Callable[..., None]) -> None:
    picture(offered, "The question says 20 December 2024: use it as the flight date? Ctrl+U")


def test_answered(picture: Callable[..., None]) -> None:
    picture(answered, "✓ IN FORCE", "! PENDING", "✗ NOT IN FORCE 2024-12-20", "would have been no. 1", "$775")


def test_answered_in_light(picture: Callable[..., None]) -> None:
    picture(answered, "✓ IN FORCE", "✗ NOT IN FORCE 2024-12-20", theme="textual-light")


def test_answered_without_colour(picture: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    picture(answered, "✓ IN FORCE", "✗ NOT IN FORCE 2024-12-20", "! PENDING")


def test_stale(picture: Callable[..., None]) -> None:
    picture(stale, "STALE", "Sat · ✓ within the texts held")


def test_date_filter_off(picture: Callable[..., None]) -> None:
    picture(unfiltered, "DATE FILTER OFF — passages of any version")


def test_searching(picture: Callable[..., None]) -> None:
    picture(answered, "Searching …", held_back=True)


def test_another_versions_source_wears_its_red_badge(
    picture: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = FakeWorker().make

    def wrong(worker: FakeWorker) -> None:
        def make(request: object) -> object:
            card = made(request)  # type: ignore[arg-type]
            return replace(card, sources=tuple(replace(one, in_force=False) for one in card.sources))

        worker.make = make  # type: ignore[assignment]

    old = FakeWorker.__init__

    def init(self: FakeWorker, **options: bool) -> None:
        old(self, **options)
        wrong(self)

    monkeypatch.setattr(FakeWorker, "__init__", init)
    picture(answered, "[1] 14 CFR 250.5 (a) ✗ NOT IN FORCE")


def test_not_held(picture: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    old = FakeWorker.__init__

    def init(self: FakeWorker, **options: bool) -> None:
        old(self, **options)
        make = self.make
        self.make = lambda request: replace(
            make(request), status=Status.NOT_HELD, answer="Nothing is held before 2017-01-01.", claims=(),
            sources=(), warnings=(), dropped=(),
        )  # fmt: skip

    monkeypatch.setattr(FakeWorker, "__init__", init)
    picture(answered, "Not held", "Nothing is held before 2017-01-01.", "Nothing was dropped")


@pytest.mark.parametrize(
    ("name", "keys", "words"),
    [
        ("passage", ["1"], ["»(a) At least 200 percent", "✓ IN FORCE", "! PENDING"]),
        ("compare", ["1", "right", "c"], ["$775, $1,550 → $1,075, $2,150", "[-", "{+"]),
        ("beside", ["f6", "down", "enter"], ["Dropped: would have been read", "In force on 2024-12-20"]),
        ("help", ["f1"], ["Answer cards", "Open the source of that number"]),
        ("calendar", ["f4"], ["December 2024", "Enter takes it"]),
        ("export", ["e"], ["answer-2024-12-20.md", "it may tell who called"]),
        ("facts", ["f"], ["Correct the facts, flight of 2024-12-20", "Planned arrival, late by"]),
    ],
    ids=["passage", "compare", "beside", "help", "calendar", "export", "facts"],
)
@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["120x40", "80x24"])
def test_opened(
    name: str, keys: list[str], words: list[str], size: tuple[int, int], picture: Callable[..., None]
) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot)
        for key in keys:
            await press(pilot, key)
        if name == "export":
            # The folder is another one on every run.
            pilot.app.screen.query_one(Input).value = "/home/me/answer-2024-12-20.md"

    picture(steps, *words, size=size)


@pytest.mark.parametrize(
    ("pane", "words"),
    [
        ("timeline", ["▸Timeline", "250.5", "2024-12-20 ▲"]),
        ("answers", ["▸Answer", "an amendment was published"]),
        ("dropped", ["▸Dropped (3)", "✗ NOT IN FORCE 2024-12-20", "would have been no. 1"]),
    ],
    ids=["timeline", "answers", "dropped"],
)
def test_each_pane_on_a_small_screen(pane: str, words: list[str], picture: Callable[..., None]) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot)
        await press(pilot, *{"timeline": ["shift+f6"], "answers": [], "dropped": ["f6"]}[pane])

    picture(steps, *words, size=SMALL)


@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["120x40", "80x24"])
def test_browse(size: tuple[int, int], picture: Callable[..., None]) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot)
        await press(pilot, "f3")

    picture(steps, "id 2505-2024-10-24-0", "! 2024-10-24 to 2025-", "position 0 in the version", size=size)


def test_measure(picture: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "measure", lambda *_: MEASURED, raising=False)

    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f7")

    picture(steps, "recall@5", "filter off", "87 of 145", "right 22 of 24")
