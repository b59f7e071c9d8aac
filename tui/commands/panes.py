"""Commands of the panes of the main screen."""

from __future__ import annotations

from tui.commands.command import Command


class AskHere(Command):
    """Ask; the answer stands on the flight date."""

    name, action, keys, shown, footer = "Ask", "ask", "enter", "Enter", "ask"
    pane, palette, priority = "question", False, True


class NewLine(Command):
    """Begin a new line in the question."""

    name, action, keys, shown = "New line", "new_line", "ctrl+j,shift+enter,alt+enter", "Ctrl+J"
    pane, palette = "question", False


class Older(Command):
    """On the first line: bring back the question asked before."""

    name, action, keys, shown, pane, palette = "Older question", "older", "up", "↑", "question", False


class Newer(Command):
    """On the last line: bring back the question asked after."""

    name, action, keys, shown, pane, palette = "Newer question", "newer", "down", "↓", "question", False


class AskFromDate(Command):
    """Ask for the date that is typed."""

    name, action, keys, shown, footer = "Ask", "ask", "enter", "Enter", "ask"
    pane, palette = "date", False


class DayBefore(Command):
    """One day back."""

    name, action, keys, shown, pane = "Day before", "step(-1, 'day')", "down", "↓", "date"
    footer, palette = "day -", False


class DayAfter(Command):
    """One day on."""

    name, action, keys, shown, pane = "Day after", "step(1, 'day')", "up", "↑", "date"
    footer, palette = "day +", False


class WeekBefore(Command):
    """One week back."""

    name, action, keys, shown = "Week before", "step(-1, 'week')", "shift+down", "Shift+↓"
    pane, palette = "date", False


class WeekAfter(Command):
    """One week on."""

    name, action, keys, shown = "Week after", "step(1, 'week')", "shift+up", "Shift+↑"
    pane, palette = "date", False


class MonthBefore(Command):
    """One month back."""

    name, action, keys, shown = "Month before", "step(-1, 'month')", "pagedown", "PgDn"
    pane, palette = "date", False


class MonthAfter(Command):
    """One month on."""

    name, action, keys, shown = "Month after", "step(1, 'month')", "pageup", "PgUp"
    pane, palette = "date", False


QUESTION: tuple[type[Command], ...] = (AskHere, NewLine, Older, Newer)
DATE: tuple[type[Command], ...] = (
    AskFromDate, DayAfter, DayBefore, WeekAfter, WeekBefore, MonthAfter, MonthBefore,
)  # fmt: skip


class AskAgain(Command):
    """Ask the question again for the chosen day; without a question, show the section's text."""

    name, action, keys, shown, footer = "Ask for this day", "ask_or_open", "enter", "Enter", "ask"
    pane, palette = "timeline", False


class SectionText(Command):
    """Show the section's text as it stands on the chosen day."""

    name, action, keys, shown, footer = "Section text", "open_text", "space,o", "Space", "text"
    pane, palette = "timeline", False


class SectionUp(Command):
    """Choose the section above."""

    name, action, keys, shown, pane, palette = "Section above", "section(-1)", "up", "↑", "timeline", False


class SectionDown(Command):
    """Choose the section below."""

    name, action, keys, shown, pane, palette = "Section below", "section(1)", "down", "↓", "timeline", False


class DayLeft(Command):
    """Move the day one back; what changed its standing is named below."""

    name, action, keys, shown, pane = "Day before", "step(-1, 'day')", "left", "←", "timeline"
    palette = False


class DayRight(Command):
    """Move the day one on; what changed its standing is named below."""

    name, action, keys, shown, pane = "Day after", "step(1, 'day')", "right", "→", "timeline"
    footer, palette = "day", False


class MonthLeft(Command):
    """Move the day one month back."""

    name, action, keys, shown, pane = "Month before", "step(-1, 'month')", "pageup", "PgUp", "timeline"
    palette = False


class MonthRight(Command):
    """Move the day one month on."""

    name, action, keys, shown, pane = "Month after", "step(1, 'month')", "pagedown", "PgDn", "timeline"
    palette = False


class VersionBefore(Command):
    """Jump to the first day of the section's version before."""

    name, action, keys, shown = "Version before", "version(-1)", "comma,ctrl+left", ","
    pane, palette = "timeline", False


class VersionAfter(Command):
    """Jump to the first day of the section's next version."""

    name, action, keys, shown, footer = "Next version", "version(1)", "full_stop,ctrl+right", ".", "version"
    pane, palette = "timeline", False


TIMELINE: tuple[type[Command], ...] = (
    AskAgain, SectionText, DayRight, DayLeft, VersionAfter, VersionBefore,
    MonthLeft, MonthRight, SectionUp, SectionDown,
)  # fmt: skip


class OpenRow(Command):
    """Open what is focused: a card, or the passage behind a claim or a source."""

    name, action, keys, shown, footer = "Open", "open", "enter,space", "Enter", "open"
    pane, palette = "row", False


class RowUp(Command):
    """Go up: to the row before, or some lines up while it is out of sight."""

    name, action, keys, shown, pane, palette = "Up", "row(-1)", "up", "↑", "rows", False


class RowDown(Command):
    """Go down: to the next row, or some lines down while it is out of sight."""

    name, action, keys, shown, pane, palette = "Down", "row(1)", "down", "↓", "rows", False


class OpenSource(Command):
    """Open the source of that number of the newest open card."""

    name, action, keys, shown = "Open source 1 to 9", "source", "", "1–9"
    pane, palette = "answers", False


ROWS: tuple[type[Command], ...] = (OpenRow, RowUp, RowDown)
ANSWERS: tuple[type[Command], ...] = (OpenSource, *ROWS)
