"""Two versions of a section against each other, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical, VerticalScroll
from textual.widgets import Footer, Static

import engine
from tui import commands
from tui.drawing import redline as draw, timeline as lines
from tui.own import own_app
from tui.screens.ask_day import AskDayScreen
from tui.screens.over import OverScreen
from tui.words import comparison_words

if TYPE_CHECKING:
    from datetime import date

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import SectionVersion, Timeline


class CompareScreen(OverScreen):
    """A redline; left and right move both versions along the section's history."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.COMPARE)
    pane = "compare"

    def __init__(self, timeline: Timeline, before: SectionVersion, after: SectionVersion) -> None:
        """Compare two versions of the timeline's section."""
        super().__init__()
        self.timeline = timeline
        self.comparison = engine.compare(before, after)

    def compose(self) -> ComposeResult:
        """Head and redline."""
        with Vertical(classes="over") as page:
            page.border_title = "Compare (Esc closes)"
            yield Static(markup=False, id="redline-head")
            with VerticalScroll(id="redline"):
                yield Static(markup=False, id="redline-body")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Draw."""
        self._draw()
        self.query_one("#redline").focus()

    def action_version(self, step: int) -> None:
        """Compare the neighbours one step along the history."""
        days = [version.effective_from for version in self.timeline.versions]
        at = days.index(self.comparison.after.effective_from) + step
        if not 1 <= at < len(days):
            self.notify(f"This is the {'first' if step < 0 else 'last'} change held.", markup=False)
            return
        self._compare(self.timeline.versions[at - 1], self.timeline.versions[at])

    def action_other_day(self) -> None:
        """Type a day; its version is compared with the newer one shown."""
        self.app.push_screen(AskDayScreen("Compare with the text of which day?"), self._with_day)

    def action_copy(self) -> None:
        """Copy the redline as text."""
        words = comparison_words(self.comparison, engine.as_text(self.comparison))
        own_app(self).copy_words(words, "the comparison")

    def _with_day(self, day: date | None) -> None:
        if day is None:
            return
        other = self.timeline.text_on(day)
        if other is None:
            words = lines.standing_words(self.timeline, day)
            self.notify(f"{self.timeline.section} on {day}: {words}.", severity="warning", markup=False)
            return
        pair = sorted((other, self.comparison.after), key=lambda version: version.effective_from)
        self._compare(pair[0], pair[1])

    def _compare(self, before: SectionVersion, after: SectionVersion) -> None:
        self.comparison = engine.compare(before, after)
        self._draw()

    def _draw(self) -> None:
        self.query_one("#redline-head", Static).update(draw.head(self.comparison))
        self.query_one("#redline-body", Static).update(draw.body(self.comparison))
        self.query_one("#redline", VerticalScroll).scroll_home(animate=False)
