"""What the main screen does from a question to its card."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from tui.messages import (
    Answered,
    AskFailed,
    AskWanted,
    DayChosen,
    EngineFailed,
    EngineOpened,
    EntryWanted,
    ExampleWanted,
    FactsWanted,
    Meaning,
    MeaningChanged,
)
from tui.offer import offered_day
from tui.own import own_app
from tui.screens.answerer import AnswererActions
from tui.screens.calendar import CalendarScreen
from tui.screens.consent import ConsentScreen
from tui.screens.correct_facts import CorrectFactsScreen
from tui.screens.developer import DeveloperActions
from tui.widgets.answers_pane import AnswersPane
from tui.widgets.date_box import DateBox, DateInput
from tui.widgets.header_line import HeaderLine
from tui.widgets.question_box import QuestionBox
from tui.widgets.timeline_pane import TimelinePane

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tui.desk import Facts

_BETTER = "a better answer by meaning may follow"
_LOADING = "meaning is still loading; this card is replaced when it is ready"


class AskingActions(DeveloperActions, AnswererActions):
    """Questions, days and answers."""

    def on_engine_opened(self, event: EngineOpened) -> None:
        """The texts are there."""
        self.engine = event.engine
        held = event.engine.collection
        self.query_one(HeaderLine).collection = held
        self.query_one(DateBox).collection = held
        self.query_one(TimelinePane).timelines = event.engine.timelines

    def on_engine_failed(self, event: EngineFailed) -> None:
        """Say what is wrong with the texts; nothing can be asked."""
        own_app(self).texts_failed = True
        self.say(event.text)
        self.notify(event.text, title="The texts cannot be used", severity="error", timeout=60, markup=False)

    async def on_meaning_changed(self, event: MeaningChanged) -> None:
        """Show the state of the model; when it fails, waiting cards say so."""
        header = self.query_one(HeaderLine)
        header.meaning, header.detail = event.state, event.detail
        if event.state is Meaning.FAILED:
            self.notify(event.detail, title="Searching by keywords", severity="warning", markup=False)
            for entry in list(self.desk):
                if entry.note in {_BETTER, _LOADING}:
                    self.desk.noted(entry.request.number, "by keywords only: the model is not there")
            await self.redraw()

    async def on_ask_wanted(self, event: AskWanted) -> None:
        """Ask what stands in the inputs, or say what is missing."""
        event.stop()
        await self.ask()

    async def action_ask(self) -> None:
        """F5."""
        await self.ask()

    async def ask(self) -> None:
        """Put a card on the desk and the question to the engines."""
        question = self.question.strip()
        if not question:
            self.say("Type what happened first.")
            self.query_one(QuestionBox).focus()
            return
        if self.day is None:
            offered = offered_day(question, None)
            if offered is None:
                self.say(
                    "Set the day of the flight first (F4 opens a calendar); without it nothing is asked."
                )
                self.query_one(DateInput).focus()
            else:
                self.say(f"No flight date yet. Ctrl+U uses {offered}, the date in the question.", offer=True)
            return
        self.say("")
        await self._agreed(partial(self._ask, question, self.day))

    async def _agreed(self, ask: Callable[[], Awaitable[None]]) -> None:
        """Ask; where words go to another computer, after a yes alone."""
        if not self.answerer.consent:
            await ask()
            return

        async def answered(agreed: bool | None) -> None:  # noqa: FBT001 - the answer of a yes-or-no screen
            if agreed:
                self.worker.agree()
                await ask()
            else:
                self.say(f"Nothing was sent to {self.answerer.server}. F9 chooses another answerer.")

        self.app.push_screen(ConsentScreen(self.answerer), answered)

    async def _ask(self, question: str, day: date, facts: Facts = ()) -> None:
        self._give_up()
        self.keep(question, day)
        chosen = self.answerer
        request = self.desk.ask(
            question,
            day,
            date_filter=self.date_filter,
            answerer=chosen.name,
            server=chosen.server,
            facts=facts,
        )
        self.opened = request.number
        answers = self.query_one(AnswersPane)
        with self.app.batch_update():
            self.shown_pane = "answers"
            # At once: from here on keys are commands, and no late answer ever moves the focus.
            self.set_focus(answers)
            self.worker.ask(request)
            await self.redraw()
            answers.scroll_home(animate=False)

    async def on_answered(self, event: Answered) -> None:
        """Put the card in, unless it came too late."""
        if self.desk.answered(event.number, event.by, event.card, self._note(event)) is not None:
            await self.redraw()
            if self.other_day is not None:
                self.show_offer()
            if event.number == self.opened:
                self.query_one(TimelinePane).choose_cited(event.card)

    def _note(self, event: Answered) -> str:
        """What is still to come after a card, or what to do about it."""
        entry = self.desk.get(event.number)
        if entry is not None and entry.request.server and event.by != "live":
            return f"{entry.request.server} is asked next"
        if event.by == "keywords" and self.worker.with_meaning:
            loading = self.query_one(HeaderLine).meaning is Meaning.LOADING
            return _LOADING if loading else _BETTER
        missing = event.card.status in {"no_recording", "failed"}
        return "F9 chooses another answerer" if missing else ""

    async def on_ask_failed(self, event: AskFailed) -> None:
        """Say why there is no card, or no better one."""
        if self.desk.failed(event.number, event.by, event.text) is not None:
            await self.redraw()

    async def on_entry_wanted(self, event: EntryWanted) -> None:
        """Open a folded card; the open one stays open."""
        self.opened = event.number
        await self.redraw()
        self.query_one(AnswersPane).focus_key(f"{event.number}.title")

    def on_facts_wanted(self, event: FactsWanted) -> None:
        """Open the form over the facts of a card."""
        self.opened = event.number
        self.action_correct_facts()

    def action_correct_facts(self) -> None:
        """Put the facts of the open card right, and ask again for its question and its day."""
        entry = self.desk.get(self.opened) if self.opened is not None else None
        if entry is None or entry.card is None:
            self.notify("There are no facts yet. Ask a question first.", markup=False)
            return
        request = entry.request

        async def again(changed: dict[str, str] | None) -> None:
            if changed is not None:
                facts = tuple({**dict(request.facts), **changed}.items())
                await self._agreed(partial(self._ask, request.question, request.as_of, facts))

        self.app.push_screen(CorrectFactsScreen(entry.card), again)

    async def on_example_wanted(self, event: ExampleWanted) -> None:
        """Ask an example."""
        self.query_one(QuestionBox).load_text(event.question)
        self.day = event.day
        await self.ask()

    def on_day_chosen(self, event: DayChosen) -> None:
        """The day moved."""
        event.stop()
        self.day = event.day

    async def action_use_found_date(self) -> None:
        """Take the date that stands in the question; without one the key edits the text as usual."""
        day, other = offered_day(self.question, self.day), self.other_day
        if other is not None:
            self.day = other.day
            await self.ask()
        elif day is not None:
            self.day = day
            self.say(f"The flight date is {day}. Enter asks.")
        elif isinstance(self.focused, QuestionBox):
            self.focused.action_delete_to_start_of_line()
        elif isinstance(self.focused, DateInput):
            self.focused.action_delete_left_all()

    def action_calendar(self) -> None:
        """Open the calendar on the chosen month; without a day on the month that the texts reach to."""
        held = self.engine.collection if self.engine else None
        day = self.day or (held.current_to if held else date(2024, 1, 1))
        self.app.push_screen(CalendarScreen(day, held), self._picked)

    def _picked(self, day: date | None) -> None:
        if day is not None:
            self.day = day

    def action_question(self) -> None:
        """Go to the question box with its text selected, so that typing begins a new one."""
        box = self.query_one(QuestionBox)
        box.focus()
        box.select_all()

    def action_date(self) -> None:
        """Go to the date."""
        self.query_one(DateInput).focus()

    async def action_back(self) -> None:
        """Cancel what is being asked; with nothing to cancel go back to the question."""
        if await self._cancel():
            return
        box = self.query_one(QuestionBox)
        if self.focused is not box:
            box.focus()

    async def _cancel(self) -> bool:
        entry = self.desk.newest
        if entry is None or entry.state != "asking":
            return False
        number = entry.request.number
        self.worker.abandon(number)
        self.desk.cancelled(number)
        await self.redraw()
        self.say("Cancelled. Enter asks again.")
        return True

    def _give_up(self) -> None:
        """A new question ends the wait for the one before it."""
        entry = self.desk.newest
        if entry is not None and entry.state == "asking":
            self.worker.abandon(entry.request.number)
            self.desk.cancelled(entry.request.number)

    def action_toggle_filter(self) -> None:
        """Turn the date filter off or on."""
        self.date_filter = not self.date_filter
        if self.date_filter:
            self.say("The date filter is on again. Enter asks.")
        else:
            self.say("Enter asks without the date filter: what an assistant that ignores the date would say.")

    async def action_clear_cards(self) -> None:
        """Take every card away."""
        self._give_up()
        self.desk.clear()
        self.opened = None
        await self.redraw()
        self.query_one(QuestionBox).focus()
