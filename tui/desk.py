"""The cards of a call as values: what was asked, what came back, what is too late."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from engine import AnswerCard
    from tui.messages import By

KEPT = 60
"""Cards kept on the screen; the oldest go first, so that a long shift does not fill the memory."""
State = Literal["asking", "answered", "failed", "cancelled"]
"""A card may be there while a live model is still asked."""
Facts = tuple[tuple[str, str], ...]
"""Facts of a trip by name, each with its value."""
_RANK: dict[By | None, int] = {None: 0, "keywords": 1, "meaning": 2, "live": 3}
"""A card never gives way to one of a lower rank."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question on its way to the engines."""

    number: int
    """Counts up; an answer names it, and one that is no longer awaited is dropped."""
    question: str
    as_of: date
    date_filter: bool = True
    answerer: str = "quote"
    server: str = ""
    """The host that question and passages are sent to, after a search; empty for none."""
    facts: Facts = ()
    """Facts of the trip put right by the case worker: name and value, an empty one for not known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One place in the stack: a request and what became of it."""

    request: Request
    state: State = "asking"
    card: AnswerCard | None = None
    by: By | None = None
    """Which engine the card is of."""
    note: str = ""
    """What went wrong, or what is still to come; empty when there is nothing to say."""
    seconds: int = 0
    """How long a live model has been asked; 0 in the first second, and when none is."""

    def stale(self, question: str, day: date | None) -> bool:
        """Whether the inputs have moved on from what this entry answers."""
        return (self.request.question, self.request.as_of) != (question.strip(), day)


class Desk:
    """The stack of one call, newest first."""

    def __init__(self) -> None:
        """Begin with an empty desk."""
        self._entries: dict[int, Entry] = {}
        self._last = 0

    def __iter__(self) -> Iterator[Entry]:
        """The entries, newest first."""
        return iter(sorted(self._entries.values(), key=lambda entry: -entry.request.number))

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._entries)

    def get(self, number: int) -> Entry | None:
        """The entry of a request, or None when it is gone."""
        return self._entries.get(number)

    @property
    def newest(self) -> Entry | None:
        """The last one asked, or None."""
        return next(iter(self), None)

    def ask(
        self,
        question: str,
        as_of: date,
        *,
        date_filter: bool,
        answerer: str,
        server: str = "",
        facts: Facts = (),
    ) -> Request:
        """Put a new entry on the stack and return its request."""
        self._last += 1
        request = Request(self._last, question.strip(), as_of, date_filter, answerer, server, facts)
        self._entries[request.number] = Entry(request)
        for old in list(self)[KEPT:]:
            del self._entries[old.request.number]
        return request

    def answered(self, number: int, by: By, card: AnswerCard, note: str = "") -> Entry | None:
        """Take a card in; None when it came too late, was cancelled or a better one is there.

        While a live model is still asked the entry stays under way, and its note stands.
        """
        entry = self._entries.get(number)
        if entry is None or not self._open_to(entry, by):
            return None
        first = bool(entry.request.server) and by != "live"
        if first and entry.card is not None:
            note = entry.note
        state: State = entry.state if first else "answered"
        return self._put(replace(entry, state=state, card=card, by=by, note=note))

    def failed(self, number: int, by: By, text: str) -> Entry | None:
        """Note a failure; a card that is already there stays."""
        entry = self._entries.get(number)
        if entry is None or not self._open_to(entry, by):
            return None
        if entry.request.server and by == "meaning":
            # The live model is asked from what keywords found instead.
            return None
        state: State = "failed" if entry.card is None else "answered"
        return self._put(replace(entry, state=state, note=text))

    def staged(self, number: int, text: str) -> Entry | None:
        """Say how far a request is that is still under way."""
        entry = self._entries.get(number)
        return self.noted(number, text) if entry is not None and entry.state == "asking" else None

    def waited(self, number: int, seconds: int) -> Entry | None:
        """Say how long a live model has been asked; None when nothing is under way."""
        entry = self._entries.get(number)
        if entry is None or entry.state != "asking":
            return None
        return self._put(replace(entry, seconds=seconds))

    @staticmethod
    def _open_to(entry: Entry, by: By) -> bool:
        return entry.state != "cancelled" and _RANK[by] >= _RANK[entry.by]

    def noted(self, number: int, note: str) -> Entry | None:
        """Say something else beside an entry."""
        entry = self._entries.get(number)
        return None if entry is None else self._put(replace(entry, note=note))

    def cancelled(self, number: int) -> Entry | None:
        """Give a request up: whatever still comes for it is dropped; a card that is there stays."""
        entry = self._entries.get(number)
        if entry is None:
            return None
        return self._put(replace(entry, state="cancelled", note="Cancelled. Press Enter to ask again."))

    def clear(self) -> None:
        """Take every card away; answers under way are dropped when they come."""
        self._entries.clear()

    def _put(self, entry: Entry) -> Entry:
        self._entries[entry.request.number] = entry
        return entry
