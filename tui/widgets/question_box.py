"""Where the case worker types what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.widgets import TextArea

from tui import commands
from tui.messages import AskWanted

if TYPE_CHECKING:
    from datetime import date

    from textual.binding import BindingType


class QuestionBox(TextArea):
    """A text of several lines; Enter asks, and up and down bring back what was asked."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.QUESTION)

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(
            id="question",
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            placeholder="What happened? Type it, set the flight date, press Enter.",
        )
        self.border_title = "Question (Ctrl+L)"
        self._past: list[str] = []
        self._days: dict[str, date] = {}
        self._at = 0
        self._draft = ""

    @property
    def past(self) -> tuple[str, ...]:
        """The questions of this session and of the history on disk, oldest first."""
        return tuple(self._past)

    def day_of(self, question: str) -> date | None:
        """The day for which a question of the history was last asked."""
        return self._days.get(question)

    def forget(self) -> None:
        """Empty the history; what is being typed stays."""
        self._past, self._days, self._at = [], {}, 0

    def remember(self, question: str, day: date | None = None) -> None:
        """Put a question into the history."""
        if day is not None:
            self._days[question] = day
        if question in self._past:
            self._past.remove(question)
        self._past = [*self._past, question][-200:]
        self._days = {one: day for one, day in self._days.items() if one in self._past}
        self._at = len(self._past)

    def action_ask(self) -> None:
        """Say that an answer is wanted."""
        self.post_message(AskWanted())

    def action_new_line(self) -> None:
        """Begin a new line."""
        self.insert("\n")

    def action_older(self) -> None:
        """Move up, or on the first line to the question before."""
        if not self.cursor_at_first_line or not self._past or self._at == 0:
            self.action_cursor_up()
            return
        if self._at == len(self._past):
            self._draft = self.text
        self._show(self._at - 1)

    def action_newer(self) -> None:
        """Move down, or on the last line to the question after; at the end to what was being typed."""
        if not self.cursor_at_last_line or self._at >= len(self._past):
            self.action_cursor_down()
            return
        self._show(self._at + 1)

    def _show(self, at: int) -> None:
        self._at = at
        self.load_text(self._past[at] if at < len(self._past) else self._draft)
        self.move_cursor(self.document.end)
