"""The flight date: typed, stepped or picked, and what the texts can say about it."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Input, Static

from engine import RegulationsError, parse_day
from tui import commands
from tui.drawing.badges import plain
from tui.messages import AskWanted, DayChosen

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import Collection

_BEGUN = re.compile(r"[0-9]{1,4}|[0-9]{4}-[0-9]{0,2}|[0-9]{4}-[0-9]{2}-[0-9]?|[0-9]{0,2} ?[A-Za-z]{1,9}")
_STEPS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}


class DateInput(Input):
    """The line in which the day is typed."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.DATE)

    def action_ask(self) -> None:
        """Say that an answer is wanted."""
        self.post_message(AskWanted())

    def action_step(self, count: int, unit: str) -> None:
        """Move by days, weeks or months."""
        box = self.parent
        if isinstance(box, DateBox):
            box.step(count, unit)


class DateBox(Vertical):
    """The typed day and, below it, its weekday and coverage in words."""

    day: reactive[date | None] = reactive(None)
    """The day that questions are asked for; None while nothing valid is typed."""
    collection: reactive[Collection | None] = reactive(None)

    def __init__(self) -> None:
        """Begin without a day: today is never assumed."""
        super().__init__(id="date-box")
        self.border_title = "Flight date (Ctrl+D)"

    def compose(self) -> ComposeResult:
        """The input and the words below it."""
        yield DateInput(placeholder="2024-12-20", id="date", select_on_focus=True)
        yield Static(id="coverage", markup=False)

    def on_mount(self) -> None:
        """Say at once what is wanted."""
        self._say()

    def watch_collection(self) -> None:
        """The coverage can be told now."""
        self._say()

    def watch_day(self, day: date | None) -> None:
        """Show a day that came from elsewhere."""
        if not self.is_mounted or not self.query("#date"):
            return
        line = self.query_one("#date", DateInput)
        if day is not None and _read(line.value) != day:
            with line.prevent(Input.Changed):
                line.value = day.isoformat()
        self._say()

    def on_input_changed(self, event: Input.Changed) -> None:
        """What is typed is a day, or there is no day."""
        event.stop()
        self.day = _read(event.value)
        self.post_message(DayChosen(self.day))
        self._say()

    def step(self, count: int, unit: str) -> None:
        """Move the day; without one nothing moves, since there is nothing to move from."""
        moved = stepped(self.day, count, unit)
        if moved is not None:
            self.post_message(DayChosen(moved))

    def coverage_words(self) -> str:
        """The weekday, and whether the texts can speak about the day."""
        typed = self.query_one("#date", DateInput).value.strip()
        if self.day is None:
            return _problem(typed) if typed else "Set the day (F4: calendar)."
        held = self.collection
        if held is None:
            return f"{self.day:%A}"
        where = held.coverage(self.day)
        if where == "before":
            return f"{self.day:%a}: before the texts held (from {held.history_start})."
        if where == "after":
            return f"{self.day:%a}: after the up-to-date day {held.current_to}."
        return f"{self.day:%a} · ✓ within the texts held"

    def _say(self) -> None:
        if self.is_mounted and self.query("#coverage"):
            kind = "" if self.day is not None and self.collection else "$warn"
            if self.day and self.collection and self.collection.coverage(self.day) != "inside":
                kind = "bold $bad"
            self.query_one("#coverage", Static).update(plain(self.coverage_words(), kind))


def stepped(day: date | None, count: int, unit: str) -> date | None:
    """`day` moved by days, weeks, months or years; a month keeps the day of the month where it can."""
    if day is None:
        return None
    try:
        if unit in _STEPS:
            return _within(day + timedelta(days=count * _STEPS[unit]))
        month = day.year * 12 + day.month - 1 + count * _MONTHS[unit]
        year, place = divmod(month, 12)
        last = calendar.monthrange(year, place + 1)[1]
        return _within(date(year, place + 1, min(day.day, last)))
    except (OverflowError, ValueError, RegulationsError):
        return day


def _within(day: date) -> date:
    return parse_day(day.isoformat())


def _read(text: str) -> date | None:
    try:
        return parse_day(text)
    except RegulationsError:
        return None


def _problem(typed: str) -> str:
    try:
        parse_day(typed)
    except RegulationsError as error:
        # Half an ISO day is no mistake yet.
        return error.hint if _BEGUN.fullmatch(typed) else str(error)
    return ""
