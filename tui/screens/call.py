"""What stands on the main screen during a call: the inputs, the cards, the engines."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static

from engine import Choice
from tui.desk import Desk
from tui.drawing.badges import plain
from tui.offer import offer_line, offered_day, other_day, other_line
from tui.widgets.answers_pane import AnswersPane
from tui.widgets.dropped_pane import DroppedPane
from tui.widgets.pane_tabs import PaneTabs
from tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from datetime import date

    from engine import Engine, FoundDay
    from tui.engine_worker import EngineWorker


_SEVERAL = "several_dates"
"""The engine's warning that a question names more than one day."""


class CallScreen(Screen[None]):
    """The state that asking and opening share."""

    day: reactive[date | None] = reactive(None)
    """The day that a question is asked for; None asks nothing."""
    date_filter: reactive[bool] = reactive(default=True)
    """Off only for comparison."""
    shown_pane: reactive[str] = reactive("answers")
    """The pane in front on a narrow screen."""

    def __init__(self, worker: EngineWorker) -> None:
        """Build the screen over an engine worker that is not started yet."""
        super().__init__()
        self.worker = worker
        self.desk = Desk()
        self.engine: Engine | None = None
        """The keyword engine, for timelines and passages; None until it is open."""
        self.choices: tuple[Choice, ...] = (Choice("quote"),)
        """What can give answers, the default first."""
        self.answerer = self.choices[0]
        self.opened: int | None = None
        """The number of the open card."""
        self._said = "", False
        self._drawing = asyncio.Lock()

    @property
    def question(self) -> str:
        """What stands in the question box."""
        return self.query_one(QuestionBox).text

    def show_offer(self) -> None:
        """Offer the date that stands in the question, or say nothing."""
        other = self.other_day
        if other is not None:
            self.say(other_line(other), offer=True)
        else:
            self.say(offer_line(self.question, self.day), offered_day(self.question, self.day) is not None)

    @property
    def other_day(self) -> FoundDay | None:
        """Another date of the question that has its answer for one of them; None when all have theirs."""
        question, day = self.question.strip(), self.day
        entries = [entry for entry in self.desk if entry.request.question == question and entry.card]
        answered = {entry.request.as_of for entry in entries}
        warned = any(one.kind == _SEVERAL for entry in entries if entry.card for one in entry.card.warnings)
        return other_day(question, day, answered) if day in answered and day and warned else None

    def say(self, text: str, offer: bool = False) -> None:  # noqa: FBT001, FBT002 - one line's one choice
        """Put a line below the inputs; an empty one takes it away."""
        if (text, offer) == self._said:
            # An update of the same words would still lay out the whole screen, at every key.
            return
        self._said = text, offer
        line = self.query_one("#offer", Static)
        line.update(plain(text))
        line.set_class(bool(text), "-said")
        line.set_class(offer, "-offer")

    async def redraw(self) -> None:
        """Bring answers and dropped passages to what the desk holds, one drawing after the other.

        A key's action runs in the app's task, an answer in the screen's: without the lock both
        would make a card that neither finds.
        """
        async with self._drawing:
            await self._redraw()

    async def _redraw(self) -> None:
        if self.opened is None or self.desk.get(self.opened) is None:
            newest = self.desk.newest
            self.opened = newest.request.number if newest else None
        entry = self.desk.get(self.opened) if self.opened is not None else None
        # One drawing of all of it instead of one a widget.
        with self.app.batch_update():
            await self.query_one(AnswersPane).show(self.desk, opened=self.opened)
            await self.query_one(DroppedPane).show(entry)
        count = len(entry.card.dropped) if entry and entry.card else 0
        self.query_one(PaneTabs).dropped = count
