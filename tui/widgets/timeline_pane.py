"""The timelines of all sections, with the day that can be moved through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static

from tui import commands
from tui.drawing import timeline as draw
from tui.drawing.badges import plain
from tui.messages import AskWanted, DayChosen, SectionWanted
from tui.widgets.date_box import stepped

if TYPE_CHECKING:
    from datetime import date

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import AnswerCard, Timeline


class TimelineDrawing(Static):
    """The drawing alone, as wide as its pane."""

    class Resized(Message):
        """The drawing has another width."""

    def on_resize(self) -> None:
        """Say so: a scroll bar may have come or gone while the pane stayed as it is."""
        self.post_message(self.Resized())


class TimelinePane(Vertical, can_focus=True):
    """Every section's versions to scale; keys move the day and the chosen section."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.TIMELINE)

    timelines: var[tuple[Timeline, ...]] = var(())
    day: var[date | None] = var(None)
    chosen: var[int] = var(0)
    """The place of the chosen section."""
    can_ask: var[bool] = var(default=False)
    """Whether Enter has something to ask; otherwise it opens the section."""

    def __init__(self) -> None:
        """Begin without timelines."""
        super().__init__(id="timeline", classes="pane")
        self.border_title = "Timeline"
        self._moved = False
        """Whether what the last move changed stands below, in place of the legend."""

    def compose(self) -> ComposeResult:
        """The drawing, and below it what the last move changed."""
        with VerticalScroll(can_focus=False, id="timeline-scroll"):
            yield TimelineDrawing("Opening the texts …", markup=False, id="drawing")
        yield Static("", markup=False, id="standing")

    @property
    def section(self) -> Timeline | None:
        """The chosen section."""
        return self.timelines[self.chosen] if self.chosen < len(self.timelines) else None

    def on_timeline_drawing_resized(self, event: TimelineDrawing.Resized) -> None:
        """Draw anew for the width."""
        event.stop()
        self._draw()
        if not self._moved:
            self._stand(None)

    def watch_timelines(self) -> None:
        """Draw what came."""
        self._draw()
        self._stand(None)

    def watch_day(self, before: date | None, _after: date | None) -> None:
        """Move the mark and say what changed."""
        self._draw()
        self._stand(before)

    def watch_chosen(self) -> None:
        """Move the pointer and keep it in sight."""
        self._draw()
        self._stand(None)
        if self.is_mounted:
            scroll = self.query_one("#timeline-scroll", VerticalScroll)
            top, height = int(scroll.scroll_y), max(1, scroll.size.height)
            line = self.chosen + 1
            if not top <= line < top + height - 1:
                scroll.scroll_to(y=max(0, line - height // 2), animate=False)

    def choose_cited(self, card: AnswerCard) -> None:
        """Choose the section that an answer cites first, unless the pane is in use."""
        if self.has_focus or not card.sources:
            return
        cited = card.sources[0].chunk.version
        for place, line in enumerate(self.timelines):
            if (line.title, line.section) == (cited.text.title, cited.section):
                self.chosen = place

    def action_section(self, step: int) -> None:
        """Choose the next section up or down."""
        self.chosen = max(0, min(len(self.timelines) - 1, self.chosen + step))

    def action_step(self, count: int, unit: str) -> None:
        """Move the day; without one it begins on the up-to-date day's side that the key points from."""
        day = self.day
        if day is None:
            self._begin()
            return
        moved = stepped(day, count, unit)
        self.post_message(DayChosen(moved))

    def action_version(self, step: int) -> None:
        """Jump to the first day of the version before or after."""
        line = self.section
        if line is None:
            return
        days = [version.effective_from for version in line.versions]
        day = self.day
        if day is None:
            self._begin()
        elif step > 0:
            self.post_message(DayChosen(next((one for one in days if one > day), day)))
        else:
            self.post_message(DayChosen(next((one for one in reversed(days) if one < day), day)))

    def action_open_text(self) -> None:
        """Show the section's text on the day."""
        if self.section is not None:
            self.post_message(SectionWanted(self.section))

    def action_ask_or_open(self) -> None:
        """Ask again for the day; without a question show the text."""
        if self.can_ask and self.day is not None:
            self.post_message(AskWanted())
        else:
            self.action_open_text()

    def on_click(self, event: events.Click) -> None:
        """A click chooses the section and the day under it."""
        drawing = self.query_one("#drawing", TimelineDrawing)
        offset = event.get_content_offset(drawing)
        if offset is None or not self.timelines:
            return
        if 1 <= offset.y <= len(self.timelines):
            self.chosen = offset.y - 1
        scale = draw.scale_for(self.timelines, self.day, drawing.content_size.width)
        column = offset.x - draw.LABEL
        if 0 <= column < scale.width:
            self.post_message(DayChosen(scale.span(column)[0]))

    def _begin(self) -> None:
        line = self.section
        if line is not None:
            self.post_message(DayChosen(line.versions[-1].effective_from))

    def _draw(self) -> None:
        if not self.is_mounted or not self.timelines:
            return
        drawing = self.query_one("#drawing", TimelineDrawing)
        width = drawing.content_size.width or self.content_size.width
        drawn = draw.drawing(self.timelines, self.day, self.chosen, width)
        # The same lines at the same width need no new layout of the screen.
        drawing.update(drawn, layout=drawing.size != (width, drawn.plain.count("\n") + 1))

    def _stand(self, before: date | None) -> None:
        if not self.is_mounted or not self.timelines:
            return
        self._moved = before is not None and self.day is not None
        changed = draw.standing_changes(self.timelines, before, self.day)
        below = self.query_one("#standing", Static)
        legend = draw.WIDE_LEGEND if self.content_size.width >= draw.WIDE else draw.LEGEND
        if changed:
            below.update(plain(f"{before} → {self.day}\n" + "\n".join(changed), "bold"))
        elif before is not None and self.day is not None:
            below.update(plain(f"{before} → {self.day}\nno section changed", "$quiet"))
        elif self.section is not None and self.day is not None:
            words = draw.standing_words(self.section, self.day)
            below.update(plain(f"{self.section.section} on {self.day}: {words}\n{legend}"))
        else:
            below.update(plain(legend, "$quiet"))
