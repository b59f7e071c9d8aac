"""Every command of the screen, one class each: keys, footer, palette, help and docs all read these."""

from __future__ import annotations

from tui.commands.command import Command, bindings
from tui.commands.everywhere import EVERYWHERE, Help
from tui.commands.over import CALENDAR, COMPARE, PASSAGE, Close, CloseWindow
from tui.commands.panes import ANSWERS, DATE, QUESTION, ROWS, TIMELINE, OpenRow, RowDown, RowUp

PANES: dict[str, tuple[type[Command], ...]] = {
    "question": QUESTION,
    "date": DATE,
    "timeline": TIMELINE,
    "answers": ANSWERS,
    "dropped": ROWS,
    "passage": PASSAGE,
    "compare": COMPARE,
}
"""The commands of each pane, beside those that work everywhere."""

__all__ = [
    "ANSWERS", "CALENDAR", "COMPARE", "DATE", "EVERYWHERE", "PANES", "PASSAGE", "QUESTION", "ROWS",
    "TIMELINE", "Close", "CloseWindow", "Command", "Help", "OpenRow", "RowDown", "RowUp", "bindings",
]  # fmt: skip
