"""Commands for those who look behind the answers: browse, measure, and the history on disk."""

from __future__ import annotations

from tui.commands.command import Command
from tui.commands.over import Close


class Browse(Command):
    """Look at sections, versions and chunks with ids and positions; opens at the focused source's chunk."""

    name, action, keys, shown, priority = "Browse the texts", "browse", "f3", "F3", True


class Measure(Command):
    """Measure search and quoted answers on the shipped questions, with the date filter and without."""

    name, action, keys, shown, priority = "Measure", "measure", "f7", "F7", True


class KeepHistory(Command):
    """Keep questions and days on this machine from now on, or stop keeping them; off at first."""

    name, action = "History on disk on/off", "keep_history"


class ClearHistory(Command):
    """Delete the questions kept on this machine, and those in memory."""

    name, action = "Clear the history", "clear_history"


class Find(Command):
    """Go to the search box; Enter searches, on a day or in every version."""

    name, action, keys, shown, footer, pane, palette = (
        "Search",
        "find",
        "slash",
        "/",
        "search",
        "browse",
        False,
    )


class RawXml(Command):
    """Show the publisher's XML of the version, or its description again."""

    name, action, keys, footer, pane, palette = "Raw XML", "raw", "x", "XML", "browse", False


class ShowChunk(Command):
    """On something found: go to its chunk in the tree; elsewhere open or close what is below."""

    name, action, keys, shown, pane, palette = "Go to", "go", "enter", "Enter", "browse", False


class CopyPage(Command):
    """Copy what the right side shows."""

    name, action, keys, footer, pane, palette = "Copy", "copy", "y", "copy", "browse", False


class CopyFigures(Command):
    """Copy the figures as text."""

    name, action, keys, footer, pane, palette = "Copy", "copy", "y", "copy", "measure", False


class MeasureAgain(Command):
    """Measure once more."""

    name, action, keys, footer, pane, palette = "Again", "again", "r", "again", "measure", False


class OtherEngine(Command):
    """Measure the other engine: keywords, or meaning where models are ready."""

    name, action, keys, footer, pane, palette = "Other engine", "other", "m", "engine", "measure", False


class Stop(Command):
    """Stop measuring; when nothing runs, step back."""

    name, action, keys, shown, footer = "Stop or back", "close", "escape,q", "Esc", "stop/back"
    pane, palette = "measure", False


DEVELOPER: tuple[type[Command], ...] = (Browse, Measure, KeepHistory, ClearHistory)
BROWSE: tuple[type[Command], ...] = (Close, Find, RawXml, CopyPage)
BROWSE_HELP: tuple[type[Command], ...] = (*BROWSE, ShowChunk)
"""Enter is the tree's own key: the help names it, no binding of ours does."""
MEASURE: tuple[type[Command], ...] = (Stop, MeasureAgain, OtherEngine, CopyFigures)
