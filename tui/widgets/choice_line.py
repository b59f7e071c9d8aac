"""One line with one of several values: left and right go through them, a letter goes to its word."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from tui import commands
from tui.drawing.badges import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.binding import BindingType


class ChoiceLine(Static, can_focus=True):
    """`◂ within the United States ▸`."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.CHOICE)
    value: reactive[str] = reactive("")
    """One of the values."""

    def __init__(self, choices: Sequence[tuple[str, str]], value: str, *, id: str) -> None:  # noqa: A002 - Textual's own name
        """Begin with a value; each choice is a value and its words."""
        super().__init__(markup=False, id=id)
        self._choices = choices
        self.set_reactive(ChoiceLine.value, value)

    def render(self) -> Content:
        """Draw the words of the value."""
        words = dict(self._choices).get(self.value, self.value)
        return Content.assemble("◂ ", plain(words, "bold" if self.value else ""), " ▸")

    def action_choose(self, step: int) -> None:
        """Go to the next value, round and round."""
        values = [value for value, _ in self._choices]
        self.value = values[(values.index(self.value) + step) % len(values)]

    def on_key(self, event: events.Key) -> None:
        """A letter goes to the next words that begin with it."""
        if event.character is None or not event.character.isalpha():
            return
        values = [value for value, _ in self._choices]
        at = values.index(self.value) + 1
        for value, words in (*self._choices[at:], *self._choices[:at]):
            if words.startswith(event.character.lower()):
                event.stop()
                self.value = value
                return

    def on_click(self) -> None:
        """A click goes to the next value."""
        self.action_choose(1)
