"""One answer card: folded to its title, or open with everything a reader must see."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from tui.drawing import card as draw
from tui.drawing.badges import plain
from tui.messages import EntryWanted, FactsWanted, SourceWanted
from tui.widgets.row import Part, Row, fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from textual.app import ComposeResult

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
        self._stale = Content("")

    @property
    def number(self) -> int:
        """The entry's number."""
        return self.entry.request.number

    def compose(self) -> ComposeResult:
        """The title; if open, all the rest."""
        title, *rest = self._parts()
        yield Row(title)
        yield Static("", markup=False, classes="stale")
        yield from map(Row, rest)

    async def show(self, entry: Entry, *, opened: bool) -> None:
        """Show what became of the entry, or fold it, in the rows that are there."""
        self.entry, self.opened = entry, opened
        self.set_class(opened, "-open")
        await fill(self, self._parts())

    def _parts(self) -> list[Part]:
        number = self.number
        title = draw.title(self.entry, opened=self.opened)
        parts = [Part(title, "title", partial(EntryWanted, number), f"{number}.title")]
        if self.opened:
            parts.append(Part(draw.status_line(self.entry), "status"))
            if self.entry.card is not None:
                parts += self._body(self.entry.card)
        return parts

    def show_stale(self, question: str, day: date | None) -> None:
        """Mark the card when the inputs have moved on; an empty question box is no other question."""
        asked = question.strip() or self.entry.request.question
        stale = self.entry.stale(asked, day)
        drawn = draw.stale_line(self.entry, day) if stale else Content("")
        # An update of the same words would still be a new layout of the whole screen.
        lines = self.query(".stale")
        if lines and not drawn.is_same(self._stale):
            self._stale = drawn
            self.set_class(stale, "-stale")
            lines.first(Static).update(drawn)

    def _body(self, card: AnswerCard) -> Iterator[Part]:
        warnings = draw.warning_lines(card)
        if warnings:
            yield Part(warnings, "warnings")
        outcome = draw.outcome(card)
        if outcome:
            yield Part(outcome, "outcome")
        if not draw.answer_is_its_claims(card):
            yield Part(plain(card.answer or card.error or ""), "answer")
        by_id = {source.chunk.id: source for source in card.sources}
        for place, claim in enumerate(card.claims):
            first = next((by_id[item] for item in claim.passages if item in by_id), None)
            opens = None if first is None else partial(SourceWanted, self.number, first)
            yield Part(draw.claim(card, claim), "claim", opens, f"{self.number}.claim{place}", first)
        facts = draw.facts(card)
        if facts:
            yield Part(facts, "facts", partial(FactsWanted, self.number), f"{self.number}.facts")
        if card.sources:
            yield Part(plain("Sources (Enter or a digit opens)"), "label")
        for source in card.sources:
            opens = partial(SourceWanted, self.number, source)
            key = f"{self.number}.source{source.number}"
            yield Part(draw.source(card, source), "source", opens, key, source)
        checks = draw.checklist(card)
        if checks:
            yield Part(checks, "checklist")
        yield Part(draw.closing(card), "closing")
