"""Commands that work in every pane of the main screen."""

from __future__ import annotations

from tui.commands.command import Command


class Question(Command):
    """Go to the question box."""

    name, action, keys, shown, priority = "Question", "question", "ctrl+l", "Ctrl+L", True


class Date(Command):
    """Go to the flight date."""

    name, action, keys, shown, priority = "Flight date", "date", "ctrl+d", "Ctrl+D", True


class UseFoundDate(Command):
    """Set the flight date to the date that stands in the question; asks for a second one that it names."""

    name, action, keys, shown = "Use the date in the question", "use_found_date", "ctrl+u", "Ctrl+U"
    priority = True


class Calendar(Command):
    """Open the calendar on the month of the flight date."""

    name, action, keys, shown, priority = "Calendar", "calendar", "f4", "F4", True


class Ask(Command):
    """Ask the question for the flight date; without a date nothing is asked."""

    name, action, keys, shown, priority = "Ask", "ask", "f5", "F5", True


class NextPane(Command):
    """Go to the next pane; on a narrow screen it comes to the front."""

    name, action, keys, shown, footer = "Next pane", "next_pane", "f6", "F6", "pane"
    priority = True


class PreviousPane(Command):
    """Go to the pane before."""

    name, action, keys, shown = "Previous pane", "previous_pane", "shift+f6", "Shift+F6"
    priority = True


class Compare(Command):
    """Show what changed against the version before: of the focused source, or of the chosen section."""

    name, action, keys, footer = "Compare versions", "compare", "c", "compare"


class CopyAnswer(Command):
    """Copy the answer of the open card, with its day."""

    name, action, keys, footer = "Copy the answer", "copy_answer", "y", "copy"


class CopyCited(Command):
    """Copy the answer with its sources, badges, addresses and the notice."""

    name, action, keys, shown = "Copy answer with citations", "copy_cited", "Y", "Y"


class CopyTexts(Command):
    """Copy the texts in force that the open card cites, with versions and addresses, for a complaint."""

    name, action, keys, shown = "Copy the texts for a complaint", "copy_texts", "C", "C"


class CorrectFacts(Command):
    """Put right what was read from the question of the open card, and ask again for the same day."""

    name, action, keys, footer = "Correct facts", "correct_facts", "f", "facts"


class Export(Command):
    """Save the open card to a file; what the caller said is left out unless you ask for it."""

    name, action, keys, footer = "Export", "export", "e", "export"


class ToggleFilter(Command):
    """Turn the date filter off to compare, or on again; the whole screen says when it is off."""

    name, action, keys, shown, priority = "Date filter off/on", "toggle_filter", "f8", "F8", True


class NextAnswerer(Command):
    """Choose what gives the answers; each card names it."""

    name, action, keys, shown, priority = "Next answerer", "next_answerer", "f9", "F9", True


class ClearCards(Command):
    """Take every card off the screen."""

    name, action = "Clear the cards", "clear_cards"


class NextTheme(Command):
    """Change the colours; the choice is remembered."""

    name, action, keys, shown, priority = "Next theme", "next_theme", "f10", "F10", True


class Back(Command):
    """Cancel what is being asked, or step back to the question."""

    name, action, keys, shown = "Back or cancel", "back", "escape", "Esc"


class Help(Command):
    """Explain the focused pane and its keys."""

    name, action, keys, shown, footer, priority = "Help", "help", "f1", "F1", "help", True


class Palette(Command):
    """List every command, and the questions asked before."""

    name, action, keys, shown = "Commands", "palette", "f2,ctrl+p", "F2"
    footer, priority, palette = "menu", True, False


class Quit(Command):
    """Leave; what was asked is kept only where a history on disk was chosen."""

    name, action, keys, shown, footer, priority = "Quit", "app.quit", "ctrl+q", "^Q", "quit", True


EVERYWHERE: tuple[type[Command], ...] = (
    Help, Palette, NextPane, Quit, CopyAnswer, CopyCited, Export, Compare, CorrectFacts, CopyTexts,
    PreviousPane, Question, Date, UseFoundDate, Calendar, Ask, ToggleFilter, NextAnswerer, NextTheme,
    ClearCards, Back,
)  # fmt: skip
"""In the order of the footer: on a narrow screen its end is cut."""
