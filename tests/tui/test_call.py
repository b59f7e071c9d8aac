"""A call from start to end, by keys alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from screen_support import (
    DAY,
    QUESTION,
    Copied,
    FakeWorker,
    ask,
    box,
    call,
    press,
    settle,
    shown,
    use,
    write,
)

from tui.app import RegulationsApp
from tui.messages import Meaning, MeaningChanged
from tui.widgets.card_view import CardView

if TYPE_CHECKING:
    from textual.pilot import Pilot


class TestAsking:
    def test_the_answer_stands_on_the_typed_day(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            assert [(one.question, one.as_of) for one in worker.asked] == [(QUESTION, DAY)]
            text = shown(pilot)
            assert "$775" in text
            assert "✓ IN FORCE" in text
            assert "by quote · keywords (bm25)" in text
            assert text.index("an amendment was published") < text.index("(a) At least 200 percent")

        use(app, steps)

    def test_without_a_day_nothing_is_asked(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await write(pilot, "Bumped")
            await press(pilot, "enter")
            assert worker.asked == []
            assert "without it nothing is asked" in shown(pilot)
            assert pilot.app.focused is not None
            assert pilot.app.focused.id == "date"

        use(app, steps)

    def test_without_a_question_nothing_is_asked(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, "2024-12-20")
            await press(pilot, "enter")
            assert worker.asked == []
            assert "Type what happened first." in shown(pilot)

        use(app, steps)

    def test_a_date_in_the_question_is_offered_and_taken_by_a_key(
        self, app: RegulationsApp, worker: FakeWorker
    ) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await write(pilot, "Bumped on 20 December 2024")
            await press(pilot, "enter")
            assert worker.asked == []
            assert "Ctrl+U uses 2024-12-20" in shown(pilot)
            await press(pilot, "ctrl+u", "enter")
            assert [one.as_of for one in worker.asked] == [DAY]

        use(app, steps)

    def test_another_date_in_the_question_is_offered_against_the_one_set(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "ctrl+d")
            await write(pilot, "2024-12-02")
            await press(pilot, "ctrl+l")
            await write(pilot, "Bumped on 20 December 2024")
            said = shown(pilot, "#offer")
            assert "The question says 20 December 2024, the date is 2024-12-02" in said
            await press(pilot, "ctrl+u")
            assert call(pilot).day == DAY

        use(app, steps)

    def test_a_new_line_does_not_ask(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "a", "ctrl+j", "b")
            assert box(pilot).text == "a\nb"
            assert worker.asked == []

        use(app, steps)

    def test_an_example_is_asked_by_enter(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f6", "f6", "f6", "down", "enter")
            assert [one.as_of for one in worker.asked] == [DAY]

        use(app, steps)

    def test_up_and_down_bring_back_what_was_asked(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, "First")
            await ask(pilot, "Second")
            await press(pilot, "ctrl+l")
            await write(pilot, "draft")
            await press(pilot, "home", "up")
            assert box(pilot).text == "Second"
            await press(pilot, "up")
            assert box(pilot).text == "First"
            await press(pilot, "down", "down")
            assert box(pilot).text == "draft"

        use(app, steps)


class TestCards:
    def test_the_newest_card_is_on_top_and_open(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, "First")
            await ask(pilot, "Second")
            views = list(pilot.app.query(CardView))
            assert [(view.entry.request.question, view.opened) for view in views] == [
                ("Second", True),
                ("First", False),
            ]
            await press(pilot, "down", "down", "down", "down", "down", "down", "enter")
            assert [view.opened for view in pilot.app.query(CardView)] == [False, True]

        use(app, steps)

    def test_a_card_is_stale_when_the_day_has_moved_on(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            assert "STALE" not in shown(pilot)
            await press(pilot, "ctrl+d", "up")
            assert "STALE" in shown(pilot)
            said = " ".join(shown(pilot, ".stale").split())
            assert "it answers for 2024-12-20, the date above is 2024-12-21" in said
            await press(pilot, "down")
            assert "STALE" not in shown(pilot)

        use(app, steps)

    def test_a_half_typed_day_leaves_no_day_behind(self, app: RegulationsApp, worker: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "ctrl+d", "end", "backspace", "enter")
            assert call(pilot).day is None
            assert len(worker.asked) == 1

        use(app, steps)

    def test_the_better_answer_takes_the_place_of_the_first(self) -> None:
        worker = FakeWorker(meaning=True)

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            assert "meaning is still" in shown(pilot)
            worker.tell(MeaningChanged(Meaning.READY, "all-MiniLM-L6-v2"))
            worker.answer(worker.asked[0], "rerank")
            await settle(pilot)
            text = shown(pilot)
            assert "MiniLM-L6-v2 ready" in text
            assert "(rerank)" in text
            assert "meaning is still" not in text
            worker.answer(worker.asked[0], "bm25")
            await settle(pilot)
            assert "(rerank)" in shown(pilot)
            assert len(pilot.app.query(CardView)) == 1

        use(RegulationsApp(worker, copier=Copied()), steps)

    def test_when_meaning_fails_it_is_said_and_keywords_go_on(self) -> None:
        worker = FakeWorker(meaning=True)

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            worker.tell(MeaningChanged(Meaning.FAILED, "The model process is gone."))
            await settle(pilot)
            text = shown(pilot)
            assert "meaning failed" in text
            assert "by keywords only" in text
            await ask(pilot, "Again")
            assert len(worker.asked) == 2

        use(RegulationsApp(worker, copier=Copied()), steps)

    def test_an_error_stands_on_the_card(self) -> None:
        worker = FakeWorker(held_back=True)

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            worker.fail(worker.asked[0], "The question has [/] no words.")
            await settle(pilot)
            assert "Failed: The question has [/] no words." in shown(pilot)

        use(RegulationsApp(worker, copier=Copied()), steps)

    def test_two_redraws_at_once_make_one_card(self) -> None:
        worker = FakeWorker(held_back=True)

        async def steps(pilot: Pilot[int]) -> None:
            screen = call(pilot)
            screen.desk.ask(QUESTION, DAY, date_filter=True, answerer="quote")
            await asyncio.gather(screen.redraw(), screen.redraw())
            await settle(pilot)
            assert len(pilot.app.query(CardView)) == 1

        use(RegulationsApp(worker, copier=Copied()), steps)

    def test_cards_can_be_cleared(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await call(pilot).run_action("clear_cards")
            await settle(pilot)
            assert not pilot.app.query(CardView)
            assert "Nothing asked yet." in shown(pilot)

        use(app, steps)


class TestCancelling:
    def test_escape_gives_up_and_the_late_answer_is_dropped(self) -> None:
        worker = FakeWorker(held_back=True)

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "escape")
            assert worker.abandoned == [1]
            worker.answer(worker.asked[0])
            await settle(pilot)
            assert "Cancelled." in shown(pilot)
            assert "$775" not in shown(pilot, "#answers")

        use(RegulationsApp(worker, copier=Copied()), steps)

    def test_a_late_answer_never_overwrites_a_newer_question(self) -> None:
        worker = FakeWorker(held_back=True)

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, "Old")
            await ask(pilot, "New")
            worker.answer(worker.asked[1])
            worker.answer(worker.asked[0])
            await settle(pilot)
            states = [(view.entry.request.question, view.entry.state) for view in pilot.app.query(CardView)]
            assert states == [("New", "answered"), ("Old", "cancelled")]

        use(RegulationsApp(worker, copier=Copied()), steps)

    def test_escape_goes_back_to_the_question(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "escape")
            assert pilot.app.focused is box(pilot)

        use(app, steps)

    def test_quitting_while_it_searches_ends_at_once(self) -> None:
        worker = FakeWorker(held_back=True)
        app = RegulationsApp(worker, copier=Copied())

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await pilot.press("ctrl+q")

        use(app, steps)
        assert worker.closed
        assert app.return_value == 0
