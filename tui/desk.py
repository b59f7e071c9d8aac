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


@dataclass(frozen=True, slots=True)
class Request:
    """One question on its way to the engines."""

    number: int
    """Counts up; an answer names it, and one that is no longer awaited is dropped."""
    question: str
    as_of: date
    date_filter: bool = True
    answerer: str = "quote"


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

    def ask(self, question: str, as_of: date, *, date_filter: bool, answerer: str) -> Request:
        """Put a new entry on the stack and return its request."""
        self._last += 1
        request = Request(self._last, question.strip(), as_of, date_filter, answerer)
        self._entries[request.number] = Entry(request)
        for old in list(self)[KEPT:]:
            del self._entries[old.request.number]
        return request

    def answered(self, number: int, by: By, card: AnswerCard, note: str = "") -> Entry | None:
        """Take a card in; None when it came too late, was cancelled or a better one is there."""
        entry = self._entries.get(number)
        if entry is None or entry.state == "cancelled" or (entry.by == "meaning" and by == "keywords"):
            return None
        return self._put(replace(entry, state="answered", card=card, by=by, note=note))

    def failed(self, number: int, by: By, text: str) -> Entry | None:
        """Note a failure; a card that is already there stays."""
        entry = self._entries.get(number)
        if entry is None or entry.state == "cancelled" or (entry.by == "meaning" and by == "keywords"):
            return None
        state: State = "failed" if entry.card is None else "answered"
        return self._put(replace(entry, state=state, note=text))

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
