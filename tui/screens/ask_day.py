"""A small window in which a day is typed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from engine import RegulationsError, parse_day
from tui import commands
from tui.drawing.badges import plain

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class AskDayScreen(ModalScreen[date | None]):
    """Returns the typed day, or None when Esc was pressed."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings((commands.CloseWindow,))

    def __init__(self, title: str) -> None:
        """Ask with a title of ours."""
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        """A line and, below it, what is wrong with it."""
        with Vertical(classes="window") as window:
            window.border_title = self._title
            yield Input(placeholder="2021-08-02, 10 June 2022", id="other-day")
            yield Static("Enter takes it, Esc closes.", markup=False, id="other-day-problem")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the day, or say why it is none."""
        event.stop()
        try:
            day = parse_day(event.value)
        except RegulationsError as error:
            self.query_one("#other-day-problem", Static).update(plain(str(error), "$warn"))
        else:
            self.dismiss(day)

    def action_close(self) -> None:
        """Close without a day."""
        self.dismiss(None)
