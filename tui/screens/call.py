"""What stands on the main screen during a call: the inputs, the cards, the engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static

from engine import Choice
from tui.desk import Desk
from tui.drawing.badges import plain
from tui.offer import offer_line, offered_day
from tui.widgets.answers_pane import AnswersPane
from tui.widgets.dropped_pane import DroppedPane
from tui.widgets.pane_tabs import PaneTabs
from tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from datetime import date

    from engine import Engine
    from tui.engine_worker import EngineWorker


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

    @property
    def question(self) -> str:
        """What stands in the question box."""
        return self.query_one(QuestionBox).text

    def show_offer(self) -> None:
        """Offer the date that stands in the question, or say nothing."""
        self.say(offer_line(self.question, self.day), offered_day(self.question, self.day) is not None)

    def say(self, text: str, offer: bool = False) -> None:  # noqa: FBT001, FBT002 - one line's one choice
        """Put a line below the inputs; an empty one takes it away."""
        line = self.query_one("#offer", Static)
        line.update(plain(text))
        line.set_class(bool(text), "-said")
        line.set_class(offer, "-offer")

    async def redraw(self) -> None:
        """Bring answers and dropped passages to what the desk holds."""
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
