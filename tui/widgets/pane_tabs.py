"""On a narrow screen: which pane is in front, and how to get to the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.reactive import reactive
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

TITLES = {"timeline": "Timeline", "answers": "Answer", "dropped": "Dropped"}


class PaneTab(Static):
    """One name; a click focuses its pane."""

    def on_click(self, event: events.Click) -> None:
        """Focus the pane."""
        event.stop()
        pane = str(self.id).removeprefix("tab-")
        self.screen.shown_pane = pane  # type: ignore[attr-defined]
        self.call_after_refresh(self.screen.query_one(f"#{pane}").focus)


class PaneTabs(Horizontal):
    """The names of the panes, the one in front marked."""

    shown: reactive[str] = reactive("answers")
    dropped: reactive[int] = reactive(0)
    """How many passages the open card dropped."""

    def __init__(self, panes: Sequence[str]) -> None:
        """Name the panes by their ids."""
        super().__init__(id="tabs")
        self._panes = panes

    def compose(self) -> ComposeResult:
        """The names and the key."""
        for pane in self._panes:
            yield PaneTab(self._text(pane), markup=False, id=f"tab-{pane}")
        yield Static("F6 next", markup=False, id="tab-hint")

    def watch_shown(self) -> None:
        """Move the mark."""
        self._draw()

    def watch_dropped(self) -> None:
        """Tell the new count."""
        self._draw()

    def _draw(self) -> None:
        for tab in self.query(PaneTab):
            pane = str(tab.id).removeprefix("tab-")
            tab.update(self._text(pane))
            tab.set_class(pane == self.shown, "-shown")

    def _text(self, pane: str) -> str:
        count = f" ({self.dropped})" if pane == "dropped" and self.dropped else ""
        mark = "▸" if pane == self.shown else " "
        return f"{mark}{TITLES[pane]}{count}"
