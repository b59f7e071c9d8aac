"""What gives the answers: chosen, named on the card, agreed to, shown at work, cancelled, and failing."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from screen_support import QUESTION, Copied, FakeWorker, ask, call, card, press, settle, shown, toasts, use

from engine import Choice
from engine.facts import Facts, Route
from engine.model import Status
from tui.app import RegulationsApp
from tui.messages import Answered, AnswerersFound, AskFailed, Staged
from tui.screens.consent import ConsentScreen
from tui.widgets.timeline_pane import TimelinePane

if TYPE_CHECKING:
    from textual.pilot import Pilot

HERE = Choice("chat", "localhost:11434", "qwen[/]")
AWAY = Choice("chat", "api.example.com", "big", "api.example.com is not this computer. Send [/] questions?")


@pytest.fixture
def live() -> FakeWorker:
    """A worker with a live model on this computer; its engines quote at once."""
    worker = FakeWorker()
    worker.choices = (Choice("quote"), HERE)
    worker.make = lambda request: card(request.question, request.as_of)
    return worker


def app_of(worker: FakeWorker) -> RegulationsApp:
    return RegulationsApp(worker, copier=Copied())


class TestChoosing:
    def test_the_screen_says_where_words_go_before_they_do(self, live: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            assert "sent to" not in shown(pilot)
            await press(pilot, "f9")
            assert "answers: chat (qwen[/]), sent to localhost:11434" in shown(pilot)
            assert "Enter sends the question to localhost:11434" in shown(pilot)
            assert toasts(pilot) == ["Answers come from: chat (qwen[/]), sent to localhost:11434."]
            await press(pilot, "f9")
            assert "Enter sends" not in shown(pilot)

        use(app_of(live), steps)

    def test_the_palette_offers_each_answerer(self, live: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f2", *"answersfrom")
            await pilot.pause(0.5)
            assert "Answers from: chat (qwen[/])" in shown(pilot)

        use(app_of(live), steps)

    def test_settings_that_cannot_be_read_leave_quoting(self, live: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            live.tell(AnswerersFound((), "Unknown setting [/]chat."))
            await settle(pilot)
            assert toasts(pilot) == ["Unknown setting [/]chat."]
            assert call(pilot).answerer.name == "quote"

        use(app_of(live), steps)

    def test_a_missing_recording_is_said(self) -> None:
        worker = FakeWorker()
        worker.make = lambda request: replace(
            card(request.question, request.as_of), status=Status.NO_RECORDING, claims=(), sources=(),
            answer="No recording for this request.", answerer="replay", model="small",
        )  # fmt: skip

        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f9")
            await ask(pilot)
            text = shown(pilot)
            assert "No recording for this request." in text
            assert "by replay (small)" in text
            assert "F9 chooses another answerer" in " ".join(text.split())

        use(app_of(worker), steps)


class TestAtWork:
    def test_the_quoted_card_stays_until_the_live_one_is_in(self, live: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f9")
            await ask(pilot)
            assert (live.asked[0].answerer, live.asked[0].server) == ("chat", "localhost:11434")
            assert "… localhost:11434 is asked next" in shown(pilot)
            live.tell(Staged(1, "asking localhost:11434 …"))
            await settle(pilot)
            text = shown(pilot)
            assert "… asking localhost:11434 …" in text
            assert "Esc cancels" in text
            assert "by quote" in text
            live.answer(live.asked[0], "rerank")
            await settle(pilot)
            assert "… asking localhost:11434 …" in shown(pilot)
            live.tell(Answered(1, "live", replace(card(), answerer="chat", model="qwen", answer="Live [/].")))
            await settle(pilot)
            text = shown(pilot)
            assert "by chat (qwen)" in text
            assert "asking" not in text
            live.answer(live.asked[0], "rerank")
            await settle(pilot)
            assert "by chat (qwen)" in shown(pilot)

        use(app_of(live), steps)

    def test_escape_cancels_and_the_late_answer_is_dropped(self, live: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f9")
            await ask(pilot)
            await press(pilot, "escape")
            assert live.abandoned == [1]
            live.tell(Staged(1, "asking localhost:11434 …"))
            live.tell(Answered(1, "live", replace(card(), answerer="chat")))
            await settle(pilot)
            text = shown(pilot)
            assert "Cancelled." in text
            assert "by chat" not in text
            assert "by quote" in text

        use(app_of(live), steps)

    def test_a_fault_says_what_to_do_and_the_quoted_answer_stays(self, live: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f9")
            await ask(pilot)
            live.tell(AskFailed(1, "meaning", "The model engine failed."))
            live.tell(AskFailed(1, "live", "Nothing answers at [/]. Start the server."))
            await settle(pilot)
            text = " ".join(shown(pilot, ".status").split())
            assert "✗ no answer from localhost:11434, quoted instead:" in text
            assert "Nothing answers at [/]. Start the server." in text
            live.answer(live.asked[0], "rerank")
            await settle(pilot)
            assert "Start the server." in " ".join(shown(pilot, ".status").split())
            assert "$775" in shown(pilot)

        use(app_of(live), steps)


class TestConsent:
    @pytest.fixture
    def away(self, live: FakeWorker) -> FakeWorker:
        live.choices = (Choice("quote"), AWAY)
        return live

    def test_nothing_is_sent_before_a_yes(self, away: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f9")
            await ask(pilot)
            assert isinstance(pilot.app.screen, ConsentScreen)
            assert "api.example.com is not this computer. Send [/] questions?" in shown(pilot)
            await press(pilot, "enter")
            assert (away.asked, away.agreed) == ([], 0)
            await press(pilot, "y")
            assert (away.agreed, [one.server for one in away.asked]) == (1, ["api.example.com"])
            await ask(pilot, "Again")
            assert [one.question for one in away.asked] == [QUESTION, "Again"]

        use(app_of(away), steps)

    @pytest.mark.parametrize("key", ["n", "escape"])
    def test_a_no_sends_nothing_and_says_so(self, key: str, away: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f9")
            await ask(pilot)
            await press(pilot, key)
            assert (away.asked, away.agreed) == ([], 0)
            assert "Nothing was sent to api.example.com. F9 chooses another answerer." in shown(pilot)

        use(app_of(away), steps)


def test_the_timeline_chooses_what_the_answer_cites_first(live: FakeWorker) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        timeline = pilot.app.query_one(TimelinePane)
        await ask(pilot)
        assert timeline.section is not None
        assert timeline.section.section == "250.5"
        timeline.focus()
        await settle(pilot)
        timeline.chosen = 0
        live.answer(live.asked[0], "rerank")
        await settle(pilot)
        assert timeline.chosen == 0

    use(app_of(live), steps)


def test_what_was_read_stands_below_the_answer(live: FakeWorker) -> None:
    facts = Facts(route=Route.WITHIN_US, fare=Decimal(410))
    live.make = lambda request: replace(card(request.question, request.as_of), facts=facts)

    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot)
        said = " ".join(shown(pilot, ".facts").split())
        read = "Read from the question: flight within the United States; one-way fare $410."
        assert said == f"{read} Wrong? f corrects."

    use(app_of(live), steps)
