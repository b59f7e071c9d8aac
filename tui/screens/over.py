"""What everything that opens above the main screen shares: Esc steps back, `y` copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.screen import ModalScreen

from tui import commands

if TYPE_CHECKING:
    from textual.binding import BindingType


class OverScreen(ModalScreen[None]):
    """A screen above the main one."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings((commands.Close, commands.Help))
    pane = ""
    """Whose help F1 shows."""

    def action_close(self) -> None:
        """Step back."""
        self.dismiss(None)

    def action_help(self) -> None:
        """Explain this screen's keys."""
        from tui.screens.help import HelpScreen  # noqa: PLC0415 - that screen is one of these

        self.app.push_screen(HelpScreen(self.pane))
