"""The main screen: question and date above, timeline, answers and dropped passages below."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal
from textual.widgets import Footer, Static

from tui import commands
from tui.screens.asking import AskingActions
from tui.screens.developer import DeveloperActions
from tui.screens.opening import OpeningActions
from tui.widgets.answers_pane import AnswersPane
from tui.widgets.date_box import DateBox
from tui.widgets.dropped_pane import DroppedPane
from tui.widgets.header_line import HeaderLine
from tui.widgets.pane_tabs import PaneTabs
from tui.widgets.question_box import QuestionBox
from tui.widgets.timeline_pane import TimelinePane

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.geometry import Size


NARROW = 110
"""Columns below which the three panes become tabs."""
LOW = 30
"""Lines below which everything is packed closer."""
EXAMPLES = (
    (
        "Bumped from a full domestic flight, rebooked and arrived 90 minutes late. What is owed?",
        date(2024, 12, 20),
    ),
    (
        "The airline lost my bag on a domestic flight. How much can it limit its liability to?",
        date(2025, 2, 1),
    ),
    ("Must the airline ask for volunteers before it bumps anyone?", date(2019, 7, 4)),
)
"""Shown while nothing is asked; they need no caller."""
PANES = ("timeline", "answers", "dropped")


class MainScreen(AskingActions, OpeningActions, DeveloperActions):
    """Holds what is asked and for when; everything below is told, everything above is heard."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.EVERYWHERE)
    AUTO_FOCUS = "#question"

    def compose(self) -> ComposeResult:
        """The whole screen."""
        yield HeaderLine(id="header", markup=False)
        yield Static("DATE FILTER OFF — passages of any version — for comparison only (F8 turns it on)",
                     markup=False, id="unfiltered")  # fmt: skip
        with Horizontal(id="inputs"):
            yield QuestionBox()
            yield DateBox()
        yield Static(markup=False, id="offer")
        yield PaneTabs(PANES)
        with Horizontal(id="panes"):
            yield TimelinePane()
            yield AnswersPane(EXAMPLES)
            yield DroppedPane()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin the engines once the screen has been seen."""
        self._fit(self.app.size)
        self.call_after_refresh(self.worker.start, self.post_message)

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.worker.close()

    def on_resize(self, event: events.Resize) -> None:
        """Only classes change; the layout is the style sheet's."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        self.set_class(size.width < NARROW, "narrow")
        self.set_class(size.height < LOW, "low")
        for footer in self.query(Footer):
            footer.compact = size.width < NARROW

    def watch_day(self, day: date | None) -> None:
        """Tell everybody the day."""
        self.query_one(DateBox).day = day
        self.query_one(TimelinePane).day = day
        self.query_one(AnswersPane).day = day
        self.show_offer()

    def watch_date_filter(self, on: bool) -> None:  # noqa: FBT001 - Textual's own signature
        """Make the whole screen say when the filter is off."""
        self.set_class(not on, "-unfiltered")

    def watch_shown_pane(self, pane: str) -> None:
        """Bring a pane to the front."""
        for name in PANES:
            self.set_class(name == pane, f"show-{name}")
        self.query_one(PaneTabs).shown = pane

    def on_text_area_changed(self) -> None:
        """The question changed: cards may be stale, other dates may stand in it."""
        self.query_one(AnswersPane).question = self.question
        self.query_one(TimelinePane).can_ask = bool(self.question.strip())
        self.show_offer()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A pane that is focused comes to the front."""
        pane = next((item.id for item in event.widget.ancestors_with_self if item.id in PANES), None)
        if pane is not None:
            self.shown_pane = pane
