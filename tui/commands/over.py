"""Commands of what opens above the main screen."""

from __future__ import annotations

from tui.commands.command import Command, move


class VersionOlder(Command):
    """Show the version before."""

    name, action, keys, shown, footer = "Version before", "version(-1)", "left", "←", "version before"
    pane, palette, priority = "passage", False, True


class VersionNewer(Command):
    """Show the next version."""

    name, action, keys, shown, footer = "Next version", "version(1)", "right", "→", "next version"
    pane, palette, priority = "passage", False, True


class CompareThis(Command):
    """Show what changed against the version before; side by side, against each other."""

    name, action, keys, footer, pane, palette = "Compare", "compare", "c", "compare", "passage", False


class CopyThis(Command):
    """Copy what is shown, with citation, days and address."""

    name, action, keys, footer, pane, palette = "Copy", "copy", "y", "copy", "passage", False


class Close(Command):
    """Step back."""

    name, action, keys, shown, footer = "Back", "close", "escape,q", "Esc", "back"
    pane, palette = "passage", False


class CloseWindow(Command):
    """Close the window without taking anything."""

    name, action, keys, shown, pane, palette = "Close", "close", "escape", "Esc", "window", False


class Agree(Command):
    """Agree that questions are sent to the named host."""

    name, action, keys, pane, palette = "Yes, send", "agree", "y", "window", False


class Refuse(Command):
    """Send nothing."""

    name, action, keys, shown, pane, palette = "No", "close", "n,escape", "n", "window", False


class OtherDay(Command):
    """Compare with the text of another day."""

    name, action, keys, footer, pane, palette = (
        "Another day",
        "other_day",
        "d",
        "another day",
        "compare",
        False,
    )


class TakeDay(Command):
    """Take the marked day."""

    name, action, keys, shown, pane, palette = "Take", "take", "enter", "Enter", "calendar", False


class TakeFacts(Command):
    """Ask again with these facts, for the same day."""

    name, action, keys, shown, pane, palette = "Ask again", "take", "enter", "Enter", "facts", False
    priority = True


CALENDAR: tuple[type[Command], ...] = (
    TakeDay,
    CloseWindow,
    move("calendar", "Day before", "left", "←", "step(-1, 'day')"),
    move("calendar", "Day after", "right", "→", "step(1, 'day')"),
    move("calendar", "Week before", "up", "↑", "step(-1, 'week')"),
    move("calendar", "Week after", "down", "↓", "step(1, 'week')"),
    move("calendar", "Month before", "pageup", "PgUp", "step(-1, 'month')"),
    move("calendar", "Month after", "pagedown", "PgDn", "step(1, 'month')"),
    move("calendar", "Year before", "home", "Home", "step(-1, 'year')"),
    move("calendar", "Year after", "end", "End", "step(1, 'year')"),
)
FACTS: tuple[type[Command], ...] = (
    TakeFacts,
    CloseWindow,
    move("facts", "Fact above", "up", "↑", "app.focus_previous"),
    move("facts", "Fact below", "down", "↓", "app.focus_next"),
)
CHOICE: tuple[type[Command], ...] = (
    move("choice", "Value before", "left", "←", "choose(-1)", "The value before."),
    move("choice", "Next value", "right,space", "→", "choose(1)", "The next one; a letter goes to its word."),
)
PASSAGE: tuple[type[Command], ...] = (Close, CompareThis, CopyThis, VersionOlder, VersionNewer)
COMPARE: tuple[type[Command], ...] = (Close, OtherDay, CopyThis, VersionOlder, VersionNewer)
CONSENT: tuple[type[Command], ...] = (Agree, Refuse)
