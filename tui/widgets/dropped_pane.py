"""What did not reach the answer, and the place it would have had without the date filter."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.widgets import Static

from tui.drawing import card as draw
from tui.drawing.badges import plain
from tui.messages import DroppedWanted
from tui.widgets.row import Row, RowsPane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult
    from textual.widget import Widget

    from tui.desk import Entry

_EMPTY = """\
Passages that were found and left out stand here.

Those of another version wear a red badge, with the place they would have had without the date filter: \
that is what an assistant that ignores the date would have told the caller."""


class DroppedPane(RowsPane):
    """The dropped passages of the open card, grouped by reason."""

    def __init__(self) -> None:
        """Begin with nothing dropped."""
        super().__init__(id="dropped", classes="pane")
        self.border_title = "Dropped passages"
        self._entry: Entry | None = None

    def compose(self) -> ComposeResult:
        """The groups, or what the pane is for."""
        card = self._entry.card if self._entry else None
        if card is None or self._entry is None:
            yield Static(plain(_EMPTY, "$quiet"), markup=False)
        elif not card.dropped:
            yield Static(plain("Nothing was dropped for this answer.", "$quiet"), markup=False)
        else:
            yield from self._groups(self._entry)

    async def show(self, entry: Entry | None) -> None:
        """Show what one card dropped."""
        if entry == self._entry:
            return
        focused = self.focused_row
        self._entry = entry
        card = entry.card if entry else None
        count = f" ({len(card.dropped)})" if card else ""
        self.border_title = f"Dropped passages{count}"
        await self.recompose()
        if focused is not None:
            self.focus_key(focused.key)

    def _groups(self, entry: Entry) -> Iterator[Widget]:
        card = entry.card
        assert card is not None
        for reason, name in draw.GROUPS.items():
            group = [item for item in card.dropped if item.reason == reason]
            if group:
                yield Static(f"{name} ({len(group)})", markup=False, classes="label")
            for item in group:
                number = entry.request.number
                opens = partial(DroppedWanted, number, item.chunk)
                yield Row(draw.dropped(card, item), opens, f"{number}.{item.chunk.id}", item)
