"""Timeline, date, passages, comparisons, copies and files, by keys alone."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from screen_support import (
    DAY,
    NEW,
    QUESTION,
    Copied,
    FakeWorker,
    ask,
    box,
    call,
    card,
    press,
    settle,
    shown,
    toasts,
    use,
    write,
)

from tui.app import RegulationsApp
from tui.screens.compare import CompareScreen
from tui.screens.help import HelpScreen
from tui.screens.passage import PassageScreen
from tui.widgets.answers_pane import AnswersPane

if TYPE_CHECKING:
    from textual.pilot import Pilot


class TestTimeline:
    def test_moving_the_day_says_which_sections_read_otherwise(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, "2025-01-21")
            await press(pilot, "f6", "right")
            assert call(pilot).day == NEW
            said = shown(pilot, "#standing")
            assert "2025-01-21 → 2025-01-22" in said
            assert "250.5: other text" in said
            assert "254.4" not in said

        use(app, steps)

    def test_jumping_to_a_version_sets_the_day(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, "2024-12-20")
            await press(pilot, "f6", "down", ".")
            assert call(pilot).day == NEW
            await press(pilot, ",", ",")
            assert call(pilot).day == date(2021, 8, 2)

        use(app, steps)

    def test_enter_asks_again_for_the_moved_day(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "shift+f6", "pagedown", "pagedown", "enter")
            assert [one.as_of for one in worker.asked] == [DAY, date(2025, 2, 20)]

        use(app, steps)

    def test_space_shows_the_text_of_the_day(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, "2020-01-01")
            await press(pilot, "f6", "space")
            assert isinstance(pilot.app.screen, PassageScreen)
            assert "250.2a" in shown(pilot)
            assert "2020-01-01: no rule." in shown(pilot)

        use(app, steps)


class TestDate:
    @pytest.mark.parametrize(
        ("keys", "day"),
        [
            (("up",), date(2024, 2, 1)),
            (("shift+up",), date(2024, 2, 7)),
            (("pageup",), date(2024, 2, 29)),
            (("down", "pagedown"), date(2023, 12, 30)),
        ],
    )
    def test_keys_step_by_day_week_and_month(
        self, keys: tuple[str, ...], day: date, app: RegulationsApp
    ) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, "2024-01-31")
            await press(pilot, *keys)
            assert call(pilot).day == day

        use(app, steps)

    @pytest.mark.parametrize(
        ("typed", "said"),
        [
            ("2024-12-20", "within the texts held"),
            ("10 June 2016", "before the texts"),
            ("2027-01-01", "after the up-to-date"),
            ("31 February 2024", "There is no day"),
            ("6/10/2022", "can mean"),
        ],
    )
    def test_the_coverage_is_told_in_words(self, typed: str, said: str, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, typed)
            assert said in " ".join(shown(pilot, "#coverage").split())

        use(app, steps)

    def test_the_calendar_opens_on_the_month_of_the_day(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, "2024-12-20")
            await press(pilot, "f4")
            assert "December 2024" in shown(pilot)
            await press(pilot, "right", "up", "pageup", "enter")
            assert call(pilot).day == date(2024, 11, 14)

        use(app, steps)


class TestOpening:
    def test_a_digit_opens_the_source_with_the_cited_words_marked(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "1")
            assert isinstance(pilot.app.screen, PassageScreen)
            text = shown(pilot)
            assert "✓ IN FORCE" in text
            assert "»(a) At least 200 percent of the fare, or $775, whichever is lower.«" in text
            await press(pilot, "right")
            assert "✗ NOT IN FORCE 2024-12-20" in shown(pilot)
            await press(pilot, "escape")
            assert pilot.app.screen_stack[-1] is call(pilot)

        use(app, steps)

    def test_compare_shows_the_amounts_that_changed(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, day="2025-02-01")
            await press(pilot, "c")
            assert isinstance(pilot.app.screen, CompareScreen)
            text = shown(pilot)
            assert "THE TEXT DIFFERS" in text
            assert "$775, $1,550 → $1,075, $2,150" in text
            await press(pilot, "left")
            assert "NOTICE ONLY" in shown(pilot)

        use(app, steps)

    def test_compare_takes_any_other_day(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, day="2025-02-01")
            await press(pilot, "c", "d")
            await write(pilot, "nonsense")
            await press(pilot, "enter")
            assert "not a day" in shown(pilot)
            await press(pilot, *["backspace"] * 8)
            await write(pilot, "2018-01-01")
            await press(pilot, "enter")
            assert "$675, $1,350 → $1,075, $2,150" in shown(pilot)

        use(app, steps)

    def test_a_dropped_passage_opens_beside_the_version_in_force(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            text = shown(pilot, "#dropped Static")
            assert "✗ NOT IN FORCE 2024-12-20" in text
            assert "would have been no. 1" in text
            assert "says 200 percent, $1,075" in text
            await press(pilot, "f6", "down", "enter")
            side = shown(pilot)
            assert "✗ NOT IN FORCE 2024-12-20" in side
            assert "✓ IN FORCE" in side
            assert "In force on 2024-12-20" in side
            await press(pilot, "c")
            assert "$775, $1,550 → $1,075, $2,150" in shown(pilot)

        use(app, steps)


class TestTakingAway:
    def test_copying_says_what_was_copied_and_how(self, app: RegulationsApp, copied: Copied) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "y")
            assert copied.texts[0].startswith("As of 2024-12-20:\n14 CFR 250.5(a)")
            assert toasts(pilot)[-1].startswith("Copied the answer with xclip")
            await press(pilot, "Y")
            assert "https://www.ecfr.gov/on/2024-10-24" in copied.texts[1]
            assert "✓ IN FORCE" in copied.texts[1]
            assert copied.texts[1].endswith("This is not legal advice.\nSource: eCFR.")
            assert QUESTION not in copied.texts[1]

        use(app, steps)

    def test_without_a_clipboard_program_the_terminal_is_asked_and_the_file_offered(
        self, worker: FakeWorker
    ) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "y")
            assert "press e to save a file" in toasts(pilot)[-1]
            assert pilot.app.clipboard.startswith("As of 2024-12-20")

        use(RegulationsApp(worker, copier=Copied(None)), steps)

    def test_copy_takes_the_card_and_never_the_inputs(self, app: RegulationsApp, copied: Copied) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "ctrl+d")
            await write(pilot, "2025-02-01")
            await press(pilot, "f6", "f6", "y")
            assert copied.texts[0].startswith("As of 2024-12-20:")

        use(app, steps)

    def test_with_nothing_answered_copy_and_export_say_so(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f6", "f6", "y", "e")
            assert toasts(pilot) == ["There is no answer yet. Ask a question first."] * 2

        use(app, steps)

    def test_export_leaves_the_callers_words_out(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "e", "enter")
            assert "Saved" in toasts(pilot)[-1]
            await press(pilot, "e", "tab", "space", "shift+tab", "enter")

        use(app, steps)
        first = Path("answer-2024-12-20.md").read_text("utf-8")
        assert "$775" in first
        assert "not legal advice" in first
        assert "90 minutes" not in first
        assert "90 minutes" in Path("answer-2024-12-20-2.md").read_text("utf-8")

    def test_export_as_text_and_to_nowhere(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "e", *["backspace"] * 80)
            await write(pilot, "missing/a.txt")
            await press(pilot, "enter")
            assert "could not be saved" in shown(pilot)
            await press(pilot, *["backspace"] * 20)
            await write(pilot, "a.txt")
            await press(pilot, "enter")

        use(app, steps)
        text = Path("a.txt").read_text("utf-8")
        assert "Question: (left out)" in text
        assert "✓ IN FORCE" in text


class TestFilterOff:
    def test_the_whole_screen_says_so_and_words_that_leave_too(
        self, worker: FakeWorker, copied: Copied
    ) -> None:
        worker.make = lambda r: card(r.question, r.as_of, date_filter=r.date_filter)

        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f8")
            assert "DATE FILTER OFF — passages of any version" in shown(pilot)
            await ask(pilot)
            assert worker.asked[0].date_filter is False
            await press(pilot, "y")
            assert "DATE FILTER OFF" in copied.texts[0]
            await press(pilot, "f8")
            assert "DATE FILTER OFF — passages" not in shown(pilot)
            assert "DATE FILTER OFF" in shown(pilot, ".warnings")

        use(RegulationsApp(worker, copier=copied), steps)


class TestFindingOut:
    def test_help_explains_the_focused_pane(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d", "f1")
            assert isinstance(pilot.app.screen, HelpScreen)
            assert "Flight date" in shown(pilot)
            assert "One week back." in shown(pilot)
            await press(pilot, "f1")
            assert pilot.app.screen_stack[-1] is call(pilot)

        use(app, steps)

    @pytest.mark.parametrize("key", ["f2", "ctrl+p"])
    def test_the_palette_brings_back_a_question(self, key: str, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, "Lost [bag] in Oslo")
            await press(pilot, "ctrl+l")
            await write(pilot, "other")
            await press(pilot, key)
            await write(pilot, "oslo")
            await pilot.pause(0.5)
            await press(pilot, "enter")
            assert box(pilot).text == "Lost [bag] in Oslo"

        use(app, steps)

    def test_a_narrow_screen_shows_one_pane_and_names_all(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            assert pilot.app.query_one("#answers").display
            assert not pilot.app.query_one("#dropped").display
            await press(pilot, "f6")
            assert pilot.app.query_one("#dropped").display
            assert "▸Dropped (3)" in shown(pilot)
            await pilot.resize_terminal(120, 40)
            await settle(pilot)
            assert pilot.app.query_one("#answers").display
            assert pilot.app.query_one("#timeline").display

        use(app, steps, size=(80, 24))

    def test_a_theme_is_remembered(self, tmp_path: Path) -> None:
        def made() -> RegulationsApp:
            return RegulationsApp(FakeWorker(), data=tmp_path, copier=Copied())

        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f10")
            assert pilot.app.theme == "textual-light"

        use(made(), steps)
        assert made().theme == "textual-light"

    def test_the_answerer_is_chosen_and_named(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f9")
            await ask(pilot)
            assert (worker.asked[0].answerer, worker.asked[0].server) == ("replay small", "")
            assert "by replay small" in shown(pilot)
            assert "answers: replay small" in shown(pilot, "#header")
            assert pilot.app.query_one(AnswersPane)

        use(app, steps)
