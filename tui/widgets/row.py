"""One line of a pane that can be focused and opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.containers import VerticalScroll
from textual.widgets import Static

from tui import commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType
    from textual.content import Content
    from textual.message import Message


class Row(Static, can_focus=True):
    """Drawn text with a value behind it; Enter, space or a click opens it."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings((commands.OpenRow,))

    def __init__(self, drawn: Content, opens: Callable[[], Message], key: str, value: Any = None) -> None:
        """Show `drawn`; `opens` makes the message of opening it, `key` finds the row again."""
        super().__init__(drawn, markup=False)
        self._opens = opens
        self.key = key
        """Names the row within its pane, the same after the pane was drawn anew."""
        self.value = value
        """What commands such as compare look at: a source, a dropped passage, or None."""

    def action_open(self) -> None:
        """Post the message."""
        self.post_message(self._opens())

    def on_click(self) -> None:
        """A click is Enter."""
        self.action_open()


class RowsPane(VerticalScroll, can_focus=True):
    """A pane of rows: up and down go from row to row, and scroll while the next one is out of sight."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings((commands.RowUp, commands.RowDown))

    def action_row(self, step: int) -> None:
        """Go to the next row up or down."""
        rows = [row for row in self.query(Row) if row.parent is not None and row.parent.display]
        at = next((place for place, row in enumerate(rows) if row.has_focus), None)
        wanted = (0 if step > 0 else -1) if at is None else at + step
        if at is not None and not 0 <= wanted < len(rows):
            self.scroll_relative(y=2 * step, animate=False)
            return
        if not rows:
            self.scroll_relative(y=2 * step, animate=False)
            return
        target = rows[wanted]
        if at is not None and not self._in_sight(target):
            self.scroll_relative(y=2 * step, animate=False)
            if not self._in_sight(target):
                return
        target.focus(scroll_visible=at is None)

    def focus_key(self, key: str) -> None:
        """Focus the row of that key, if it is there."""
        for row in self.query(Row):
            if row.key == key:
                row.focus()
                return

    @property
    def focused_row(self) -> Row | None:
        """The row that has the focus, if one of this pane has."""
        return next((row for row in self.query(Row) if row.has_focus), None)

    def _in_sight(self, row: Row) -> bool:
        region = self.scrollable_content_region
        return region.y <= row.region.y < region.bottom
