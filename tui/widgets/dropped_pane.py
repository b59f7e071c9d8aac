"""What did not reach the answer, and the place it would have had without the date filter."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tui.drawing import card as draw
from tui.drawing.badges import plain
from tui.messages import DroppedWanted
from tui.widgets.row import Part, Row, RowsPane, fill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult

    from engine import AnswerCard
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
        yield from map(Row, self._parts())

    async def show(self, entry: Entry | None) -> None:
        """Show what one card dropped."""
        card = entry.card if entry else None
        shown = self._entry.card if self._entry else None
        same = (entry and entry.request) == (self._entry and self._entry.request)
        self._entry = entry
        if same and card is shown:
            return
        key = self.focused_row.key if self.focused_row else None
        self.border_title = f"Dropped passages{f' ({len(card.dropped)})' if card else ''}"
        await fill(self, self._parts())
        if key is not None:
            self.keep_focus(key)

    def _parts(self) -> list[Part]:
        card = self._entry.card if self._entry else None
        if card is None or self._entry is None:
            return [Part(plain(_EMPTY, "$quiet"), "note")]
        if not card.dropped:
            return [Part(plain("Nothing was dropped for this answer.", "$quiet"), "note")]
        return list(self._groups(card, self._entry.request.number))

    def _groups(self, card: AnswerCard, number: int) -> Iterator[Part]:
        for reason, name in draw.GROUPS.items():
            group = [item for item in card.dropped if item.reason == reason]
            if group:
                yield Part(plain(f"{name} ({len(group)})"), "label")
            for item in group:
                opens = partial(DroppedWanted, number, item.chunk)
                yield Part(draw.dropped(card, item), "dropped", opens, f"{number}.{item.chunk.id}", item)
