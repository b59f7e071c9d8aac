"""The form in which the facts that were read from a question are put right."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

import engine
from engine import RegulationsError
from tui import commands
from tui.drawing.badges import plain
from tui.facts import FIELDS, Field, values_of
from tui.widgets.choice_line import ChoiceLine

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import AnswerCard

_HINT = "↑↓ ←→ go and change · empty: not known · Enter asks again · Esc"


class CorrectFactsScreen(ModalScreen["dict[str, str] | None"]):
    """Returns the facts that were changed, by name; None when Esc was pressed."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.FACTS)

    def __init__(self, card: AnswerCard) -> None:
        """Begin with what a card read from its question."""
        super().__init__()
        self._card = card
        self._read = values_of(card)

    def compose(self) -> ComposeResult:
        """A line a fact, and below them what is wrong."""
        with Vertical(classes="window wide", id="facts") as window:
            window.border_title = f"Correct the facts, flight of {self._card.as_of}"
            for field in FIELDS:
                with Horizontal(classes="fact"):
                    yield Static(field.label, markup=False, classes="fact-label")
                    yield self._line(field)
            yield Static(_HINT, markup=False, id="facts-problem")

    def action_take(self) -> None:
        """Give the changes back, or say which one cannot be read."""
        changed = {name: value for name, value in self._typed().items() if value != self._read[name]}
        for name, value in changed.items():
            try:
                if self._card.facts is not None:
                    engine.apply_facts(self._card.facts, {name: value})
            except RegulationsError as error:
                self.query_one("#facts-problem", Static).update(plain(str(error), "$warn"))
                self.query_one(f"#fact-{name}").focus()
                return
        self.dismiss(changed)

    def action_close(self) -> None:
        """Close without a change."""
        self.dismiss(None)

    def _line(self, field: Field) -> Input | ChoiceLine:
        value = self._read[field.name]
        if field.choices:
            return ChoiceLine(field.choices, value, id=f"fact-{field.name}")
        return Input(value, placeholder=field.hint, compact=True, id=f"fact-{field.name}")

    def _typed(self) -> dict[str, str]:
        lines = ((field.name, self.query_one(f"#fact-{field.name}")) for field in FIELDS)
        return {name: line.value.strip() for name, line in lines if isinstance(line, Input | ChoiceLine)}
