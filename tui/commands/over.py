"""Commands of what opens above the main screen."""

from __future__ import annotations

from tui.commands.command import Command


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


def _step(text: str, keys: str, shown: str, count: int, unit: str) -> type[Command]:
    """A step of the calendar."""
    fields = {
        "__doc__": f"{text}.",
        "name": text,
        "action": f"step({count}, {unit!r})",
        "keys": keys,
        "shown": shown,
        "pane": "calendar",
        "palette": False,
    }
    return type("CalendarStep", (Command,), fields)


CALENDAR: tuple[type[Command], ...] = (
    TakeDay,
    CloseWindow,
    _step("Day before", "left", "←", -1, "day"),
    _step("Day after", "right", "→", 1, "day"),
    _step("Week before", "up", "↑", -1, "week"),
    _step("Week after", "down", "↓", 1, "week"),
    _step("Month before", "pageup", "PgUp", -1, "month"),
    _step("Month after", "pagedown", "PgDn", 1, "month"),
    _step("Year before", "home", "Home", -1, "year"),
    _step("Year after", "end", "End", 1, "year"),
)
PASSAGE: tuple[type[Command], ...] = (Close, CompareThis, CopyThis, VersionOlder, VersionNewer)
COMPARE: tuple[type[Command], ...] = (Close, OtherDay, CopyThis, VersionOlder, VersionNewer)
CONSENT: tuple[type[Command], ...] = (Agree, Refuse)
