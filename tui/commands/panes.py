"""Commands of the panes of the main screen."""

from __future__ import annotations

from tui.commands.command import Command, move


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


QUESTION: tuple[type[Command], ...] = (AskHere, NewLine, Older, Newer)
DATE: tuple[type[Command], ...] = (
    AskFromDate,
    move("date", "Day after", "up", "↑", "step(1, 'day')", "One day on.", "day +"),
    move("date", "Day before", "down", "↓", "step(-1, 'day')", "One day back.", "day -"),
    move("date", "Week after", "shift+up", "Shift+↑", "step(1, 'week')", "One week on."),
    move("date", "Week before", "shift+down", "Shift+↓", "step(-1, 'week')", "One week back."),
    move("date", "Month after", "pageup", "PgUp", "step(1, 'month')", "One month on."),
    move("date", "Month before", "pagedown", "PgDn", "step(-1, 'month')", "One month back."),
)


class AskAgain(Command):
    """Ask the question again for the chosen day; without a question, show the section's text."""

    name, action, keys, shown, footer = "Ask for this day", "ask_or_open", "enter", "Enter", "ask"
    pane, palette = "timeline", False


class SectionText(Command):
    """Show the section's text as it stands on the chosen day."""

    name, action, keys, shown, footer = "Section text", "open_text", "space,o", "Space", "text"
    pane, palette = "timeline", False


_SAID = "; what changed its standing is named below."
TIMELINE: tuple[type[Command], ...] = (
    AskAgain,
    SectionText,
    move("timeline", "Day after", "right", "→", "step(1, 'day')", f"Move the day one on{_SAID}", "day"),
    move("timeline", "Day before", "left", "←", "step(-1, 'day')", f"Move the day one back{_SAID}"),
    move("timeline", "Next version", "full_stop,ctrl+right", ".", "version(1)",
         "Jump to the first day of the section's next version.", "version"),
    move("timeline", "Version before", "comma,ctrl+left", ",", "version(-1)",
         "Jump to the first day of the section's version before."),
    move("timeline", "Month before", "pageup", "PgUp", "step(-1, 'month')", "Move the day one month back."),
    move("timeline", "Month after", "pagedown", "PgDn", "step(1, 'month')", "Move the day one month on."),
    move("timeline", "Section above", "up", "↑", "section(-1)", "Choose the section above."),
    move("timeline", "Section below", "down", "↓", "section(1)", "Choose the section below."),
)  # fmt: skip


class OpenRow(Command):
    """Open what is focused: a card, the passage behind a claim or a source; at first, the first source."""

    name, action, keys, shown, footer = "Open", "open", "enter,space", "Enter", "open"
    pane, palette = "row", False


class OpenSource(Command):
    """Open the source of that number of the newest open card."""

    name, action, keys, shown = "Open source 1 to 9", "source", "", "1–9"
    pane, palette = "answers", False


_UNSEEN = "some lines {0} while it is out of sight."
MOVES: tuple[type[Command], ...] = (
    move("rows", "Up", "up", "↑", "row(-1)", f"Go up: to the row before, or {_UNSEEN.format('up')}"),
    move("rows", "Down", "down", "↓", "row(1)", f"Go down: to the next row, or {_UNSEEN.format('down')}"),
)
ROWS: tuple[type[Command], ...] = (OpenRow, *MOVES)
ANSWERS: tuple[type[Command], ...] = (OpenSource, *ROWS)
