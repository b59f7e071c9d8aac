"""Rows: what a pane of cards or passages is made of, changed in place rather than made anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from textual.containers import VerticalScroll
from textual.widgets import Static

from tui import commands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import BindingType
    from textual.content import Content
    from textual.message import Message
    from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class Part:
    """What one row shows and does."""

    drawn: Content
    kind: str
    """The row's class in the style sheet."""
    opens: Callable[[], Message] | None = None
    """Makes the message of opening it; None for text that cannot be focused."""
    key: str = ""
    """Names the row within its pane, the same after the pane was drawn anew."""
    value: Any = None
    """What commands such as compare look at: a source, a dropped passage, or None."""


class Row(Static, can_focus=True):
    """Drawn text with a value behind it; Enter, space or a click opens it."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings((commands.OpenRow,))

    def __init__(self, part: Part) -> None:
        """Show a part."""
        super().__init__(part.drawn, markup=False)
        self.part = part
        self._mark(part)

    def become(self, part: Part) -> None:
        """Show another part; what is the same is not drawn again."""
        before, self.part = self.part, part
        if (before.kind, before.opens is None) != (part.kind, part.opens is None):
            self._mark(part)
        if not before.drawn.is_same(part.drawn):
            self.update(part.drawn)

    def _mark(self, part: Part) -> None:
        self.can_focus = part.opens is not None
        self.set_classes(part.kind if self.can_focus else f"{part.kind} -still")

    @property
    def key(self) -> str:
        """The part's key."""
        return self.part.key

    @property
    def value(self) -> Any:
        """The part's value."""
        return self.part.value

    def action_open(self) -> None:
        """Post the message."""
        if self.part.opens is not None:
            self.post_message(self.part.opens())

    def on_click(self) -> None:
        """A click is Enter."""
        self.action_open()


async def fill(parent: Widget, parts: Sequence[Part], *, after: int = 0) -> None:
    """Bring the rows below `parent` to `parts`: making a widget costs ten times what changing one does.

    Args:
        parent: what the rows stand in.
        parts: one for each row.
        after: how many rows at the beginning are not touched.

    """
    rows = [child for child in parent.children if isinstance(child, Row)][after:]
    for row, part in zip(rows, parts, strict=False):
        row.become(part)
    if len(rows) > len(parts):
        await parent.remove_children(rows[len(parts) :])
    elif len(parts) > len(rows):
        await parent.mount_all([Row(part) for part in parts[len(rows) :]])


class RowsPane(VerticalScroll, can_focus=True):
    """A pane of rows: up and down go from row to row, and scroll while the next one is out of sight."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.MOVES)

    def action_row(self, step: int) -> None:
        """Go to the next row up or down."""
        rows = [row for row in self.query(Row) if row.can_focus and row.parent and row.parent.display]
        at = next((place for place, row in enumerate(rows) if row.has_focus), None)
        wanted = (0 if step > 0 else -1) if at is None else at + step
        if at is not None and not 0 <= wanted < len(rows):
            self.scroll_relative(y=2 * step, animate=False)
            return
        if not rows:
            self.scroll_relative(y=2 * step, animate=False)
            return
        target = rows[wanted]
        if at is not None and not self._in_sight(target):
            self.scroll_relative(y=2 * step, animate=False)
            if not self._in_sight(target):
                return
        target.focus(scroll_visible=at is None)

    def focus_key(self, key: str) -> None:
        """Focus the row of that key, if it is there."""
        for row in self.query(Row):
            if row.key == key:
                row.focus()
                return

    def keep_focus(self, key: str) -> None:
        """Bring the focus back to the row of that key after a change; to the pane when it is gone."""
        now = self.focused_row
        if now is not None and now.key == key:
            return
        if any(row.key == key for row in self.query(Row)):
            self.focus_key(key)
        elif now is not None and not now.can_focus:
            self.focus(scroll_visible=False)

    @property
    def focused_row(self) -> Row | None:
        """The row that has the focus, if one of this pane has."""
        return next((row for row in self.query(Row) if row.has_focus), None)

    def _in_sight(self, row: Row) -> bool:
        region = self.scrollable_content_region
        return region.y <= row.region.y < region.bottom
