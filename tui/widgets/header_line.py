"""The first line: which texts, how far they reach, and how they are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from tui.drawing.badges import plain
from tui.messages import Meaning

if TYPE_CHECKING:
    from engine import Collection

_STATES = {
    Meaning.OFF: "keywords only",
    Meaning.LOADING: "keywords, loading meaning …",
    Meaning.READY: "ready",
    Meaning.FAILED: "keywords only: meaning failed",
}


class HeaderLine(Static):
    """Collection, history, up-to-date day and the state of the model."""

    collection: reactive[Collection | None] = reactive(None)
    """What is held, once it is open."""
    meaning: reactive[Meaning] = reactive(Meaning.OFF)
    detail: reactive[str] = reactive("")
    """The model's name, how far it is, or why it failed."""
    answerer: reactive[str] = reactive("")
    """What gives the answers, when there is a choice."""

    def render(self) -> Content:
        """Draw the line."""
        held = self.collection
        texts = "opening the texts …"
        if held is not None:
            texts = f"{held.name} · up to date to {held.current_to} · history from {held.history_start}"
        # The state stands early: on a narrow screen the end of the line is cut.
        return Content.assemble(
            plain(self.state_words, "bold"),
            plain(f" · answers: {self.answerer}" if self.answerer else ""),
            plain(f" · {texts}"),
        )

    @property
    def state_words(self) -> str:
        """How the texts are searched, in words."""
        detail = self.detail.removeprefix("all-") if self.meaning is Meaning.READY else self.detail
        if self.meaning is Meaning.READY:
            return f"{detail} ready"
        if self.meaning is Meaning.LOADING and detail:
            return f"{_STATES[self.meaning]} {detail}"
        return _STATES[self.meaning]
