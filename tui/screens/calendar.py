"""A month to pick the flight date from."""

from __future__ import annotations

import calendar
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Static

from tui import commands
from tui.drawing.badges import plain
from tui.widgets.date_box import stepped

if TYPE_CHECKING:
    from datetime import date

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import Collection

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_CELL = 4
_TOP = 2
"""Lines above the weeks."""


def month(day: date, collection: Collection | None) -> Content:
    """The month of a day, Monday first, the day marked, days without texts in brackets of quiet."""
    weeks = calendar.Calendar().monthdatescalendar(day.year, day.month)
    lines = [
        plain(f"{_MONTHS[day.month - 1]} {day.year}".center(_CELL * 7), "bold"),
        plain(
            "".join(f"{name:>{_CELL - 1}} " for name in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")), "$quiet"
        ),
    ]
    for week in weeks:
        cells = []
        for one in week:
            text = f"{one.day:>{_CELL - 1}} " if one.month == day.month else " " * _CELL
            held = collection is None or collection.coverage(one) == "inside"
            if one == day:
                cells.append(Content.styled(f"▸{one.day:>2} ", "bold $day-text on $day-back"))
            else:
                cells.append(
                    plain(
                        text if held or one.month != day.month else f"{'·':>{_CELL - 1}} ",
                        "" if held else "$quiet",
                    )
                )
        lines.append(Content.assemble(*cells))
    return Content("\n").join(lines)


class CalendarScreen(ModalScreen["date | None"]):
    """Returns the picked day, or None when Esc was pressed."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.CALENDAR)
    day: reactive[date] = reactive(None, init=False)  # type: ignore[arg-type]

    def __init__(self, day: date, collection: Collection | None) -> None:
        """Open on the month of `day`."""
        super().__init__()
        self._collection = collection
        self.set_reactive(CalendarScreen.day, day)

    def compose(self) -> ComposeResult:
        """The month and its keys."""
        with Vertical(classes="window calendar") as window:
            window.border_title = "Flight date"
            yield Static(month(self.day, self._collection), markup=False, id="month")
            yield Static(
                "←→ day  ↑↓ week  PgUp/PgDn month\nHome/End year  Enter takes it  Esc closes",
                markup=False,
                id="month-keys",
            )

    def watch_day(self, day: date) -> None:
        """Draw the month of the new day."""
        self.query_one("#month", Static).update(month(day, self._collection))

    def action_step(self, count: int, unit: str) -> None:
        """Move the mark."""
        self.day = stepped(self.day, count, unit) or self.day

    def action_take(self) -> None:
        """Take the marked day."""
        self.dismiss(self.day)

    def action_close(self) -> None:
        """Close without a day."""
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """A click on a day takes it."""
        offset = event.get_content_offset(self.query_one("#month"))
        weeks = calendar.Calendar().monthdatescalendar(self.day.year, self.day.month)
        if offset is None or not 0 <= offset.y - _TOP < len(weeks) or not 0 <= offset.x < _CELL * 7:
            return
        picked = weeks[offset.y - _TOP][offset.x // _CELL]
        if picked.month == self.day.month:
            self.dismiss(picked)
