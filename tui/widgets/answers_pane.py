"""The cards of the call, newest first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.reactive import var
from textual.widgets import Static

from tui import commands
from tui.drawing.badges import plain
from tui.messages import ExampleWanted, SourceWanted
from tui.widgets.card_view import CardView
from tui.widgets.row import Part, Row, RowsPane

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from tui.desk import Desk, Entry

_TEACH = """\
Nothing asked yet.

1. Type what happened in the question box (Ctrl+L).
2. Set the day of the flight (Ctrl+D). The answer stands on that day's text.
3. Press Enter.

Or open an example with Enter:"""


class AnswersPane(RowsPane):
    """A stack of cards, of which one is open; an empty one teaches."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.ANSWERS)

    question: var[str] = var("")
    day: var[date | None] = var(None)

    def __init__(self, examples: Sequence[tuple[str, date]]) -> None:
        """Begin with the examples to try."""
        super().__init__(id="answers", classes="pane")
        self.border_title = "Answer"
        self._examples = examples
        self.open_number: int | None = None
        """The number of the open card."""

    def compose(self) -> ComposeResult:
        """The teaching text and its examples."""
        with Vertical(id="empty"):
            yield Static(plain(_TEACH), markup=False)
            for place, (question, day) in enumerate(self._examples):
                drawn = plain(f"▸ {question}  ({day})")
                yield Row(Part(drawn, "example", partial(ExampleWanted, question, day), f"example{place}"))

    async def show(self, desk: Desk, *, opened: int | None) -> None:
        """Bring the stack to what the desk holds; only cards that differ are drawn anew."""
        self.open_number = opened
        self.query_one("#empty").display = not len(desk)
        focused = self.focused_row
        key = focused.key if focused else None
        views = {view.number: view for view in self.query(CardView)}
        entries = list(desk)
        for number, view in views.items():
            if all(entry.request.number != number for entry in entries):
                await view.remove()
        above = None
        for entry in entries:
            above = await self._place(entry, views.get(entry.request.number), above)
        self.mark_stale()
        if key is not None:
            # The focus stays on what it was on, or on the pane when that is gone.
            self.keep_focus(key)

    async def _place(self, entry: Entry, view: CardView | None, above: CardView | None) -> CardView:
        opened = entry.request.number == self.open_number
        if view is not None and (view.entry, view.opened) == (entry, opened):
            return view
        if view is not None:
            await view.show(entry, opened=opened)
            return view
        made = CardView(entry, opened=opened)
        await self.mount(made, after=above if above is not None else self.query_one("#empty"))
        return made

    def watch_question(self) -> None:
        """The inputs moved."""
        self.mark_stale()

    def watch_day(self) -> None:
        """The inputs moved."""
        self.mark_stale()

    def mark_stale(self) -> None:
        """Mark every card that the inputs have left."""
        for view in self.query(CardView):
            view.show_stale(self.question, self.day)

    def action_open(self) -> None:
        """Enter on the pane itself: open the first source."""
        self._open_source(1)

    def on_key(self, event: events.Key) -> None:
        """A digit opens the source of that number."""
        if event.character in tuple("123456789") and self._open_source(int(event.character or 0)):
            event.stop()

    def _open_source(self, number: int) -> bool:
        view = next((view for view in self.query(CardView) if view.opened), None)
        card = view.entry.card if view else None
        for source in card.sources if card else ():
            if view and source.number == number:
                self.post_message(SourceWanted(view.number, source))
                return True
        return False
