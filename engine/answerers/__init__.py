"""What gives answers: anything with `answer(question, context) -> Answer`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engine.model import Answer, Context, Question


class Answerer(Protocol):
    """One way to get from a question and its passages to an answer.

    The engine trusts none of it: ids, numbers, quotes and versions are checked afterwards.
    """

    @property
    def name(self) -> str:
        """How cards and options call it."""
        ...

    def answer(self, question: Question, context: Context) -> Answer:
        """Answer from the context's passages, or abstain with a reason."""
        ...
