"""The question that comes before anything is sent to another computer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from tui import commands
from tui.drawing.badges import plain

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import Choice


class ConsentScreen(ModalScreen[bool]):
    """Returns whether the user said yes; Enter alone says nothing."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.CONSENT)

    def __init__(self, choice: Choice) -> None:
        """Ask about the server of a choice."""
        super().__init__()
        self._choice = choice

    def compose(self) -> ComposeResult:
        """The host, what is sent, and the two keys."""
        with Vertical(classes="window wide") as window:
            window.border_title = plain(f"Send questions to {self._choice.server}?")
            yield Static(plain(self._choice.consent), markup=False, id="consent-text")
            yield Static(
                plain("\ny  yes, and remember it for this host\nn or Esc  no: nothing is sent", "bold"),
                markup=False,
            )

    def action_agree(self) -> None:
        """The yes."""
        self.dismiss(result=True)

    def action_close(self) -> None:
        """The no."""
        self.dismiss(result=False)
