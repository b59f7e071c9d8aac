"""One answer card: folded to its title, or open with everything a reader must see."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.widgets import Static

from tui.drawing import card as draw
from tui.drawing.badges import plain
from tui.messages import EntryWanted, SourceWanted
from tui.widgets.row import Row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from textual.app import ComposeResult
    from textual.widget import Widget

    from engine import AnswerCard
    from tui.desk import Entry


class CardView(Vertical):
    """The card of one entry of the desk."""

    def __init__(self, entry: Entry, *, opened: bool) -> None:
        """Show an entry, open or folded."""
        super().__init__(classes="card")
        self.entry = entry
        self.opened = opened
        self.set_class(opened, "-open")

    @property
    def number(self) -> int:
        """The entry's number."""
        return self.entry.request.number

    def compose(self) -> ComposeResult:
        """The title; if open, all the rest."""
        number = self.number
        yield Row(draw.title(self.entry, opened=self.opened), partial(EntryWanted, number), f"{number}.title")
        yield Static("", markup=False, classes="stale")
        if self.opened:
            yield Static(draw.status_line(self.entry), markup=False, classes="status")
            if self.entry.card is not None:
                yield from self._body(self.entry.card)

    def show_stale(self, question: str, day: date | None) -> None:
        """Mark the card when the inputs have moved on; an empty question box is no other question."""
        asked = question.strip() or self.entry.request.question
        stale = self.entry.stale(asked, day)
        self.set_class(stale, "-stale")
        lines = self.query(".stale")
        if lines:
            lines.first(Static).update(draw.stale_line(self.entry, day) if stale else "")

    def _body(self, card: AnswerCard) -> Iterator[Widget]:
        warnings = draw.warning_lines(card)
        if warnings:
            yield Static(warnings, markup=False, classes="warnings")
        if not draw.answer_is_its_claims(card):
            yield Static(plain(card.answer or card.error or ""), markup=False, classes="answer")
        by_id = {source.chunk.id: source for source in card.sources}
        for place, claim in enumerate(card.claims):
            first = next((by_id[item] for item in claim.passages if item in by_id), None)
            drawn = draw.claim(card, claim)
            if first is None:
                yield Static(drawn, markup=False, classes="claim")
            else:
                opens = partial(SourceWanted, self.number, first)
                yield Row(drawn, opens, f"{self.number}.claim{place}", first)
        if card.sources:
            yield Static("Sources (Enter or a digit opens)", markup=False, classes="label")
        for source in card.sources:
            yield Row(
                draw.source(card, source),
                partial(SourceWanted, self.number, source),
                f"{self.number}.source{source.number}",
                source,
            )
        yield Static(draw.closing(card), markup=False, classes="closing")
