"""Every command of the screen, one class each: keys, footer, palette, help and docs all read these."""

from __future__ import annotations

from tui.commands.command import Command, bindings
from tui.commands.developer import BROWSE, BROWSE_HELP, DEVELOPER, MEASURE
from tui.commands.everywhere import EVERYWHERE as CALL, Help
from tui.commands.over import CALENDAR, CHOICE, COMPARE, CONSENT, FACTS, PASSAGE, Close, CloseWindow
from tui.commands.panes import ANSWERS, DATE, MOVES, QUESTION, ROWS, TIMELINE, OpenRow

EVERYWHERE: tuple[type[Command], ...] = (*CALL, *DEVELOPER)
"""What works in every pane of the main screen, in the order of the footer."""
PANES: dict[str, tuple[type[Command], ...]] = {
    "question": QUESTION,
    "date": DATE,
    "timeline": TIMELINE,
    "answers": ANSWERS,
    "dropped": ROWS,
    "passage": PASSAGE,
    "compare": COMPARE,
    "browse": BROWSE_HELP,
    "measure": MEASURE,
}
"""The commands of each pane, beside those that work everywhere."""

__all__ = [
    "ANSWERS", "BROWSE", "CALENDAR", "CHOICE", "COMPARE", "CONSENT", "DATE", "EVERYWHERE", "FACTS", "MEASURE",
    "MOVES", "PANES", "PASSAGE", "QUESTION", "ROWS", "TIMELINE", "Close", "CloseWindow", "Command", "Help",
    "OpenRow", "bindings",
]  # fmt: skip
