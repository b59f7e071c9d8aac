"""What widgets and workers tell the screen: data goes down, these go up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from datetime import date

    from engine import AnswerCard, Choice, Chunk, Engine, Source, Timeline

By = Literal["keywords", "meaning", "live"]
"""Who speaks: one of the two engines, or the live model that was given what they found."""


class Meaning(StrEnum):
    """How far the engine that searches by meaning is."""

    OFF = "off"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass
class EngineOpened(Message):
    """The keyword engine is there."""

    engine: Engine
    """Read by the screen for timelines and passages; asked only by its own thread."""


@dataclass
class EngineFailed(Message):
    """The texts cannot be used at all."""

    text: str


@dataclass
class MeaningChanged(Message):
    """The model engine got further, or failed."""

    state: Meaning
    detail: str = ""
    """The model's name when ready, the reason when failed; otherwise empty."""


@dataclass
class AnswerersFound(Message):
    """What can give answers is known, or is another since something was agreed to."""

    choices: tuple[Choice, ...]
    """The default first."""
    problem: str = ""
    """Why there are no more; empty when all is well."""


@dataclass
class Staged(Message):
    """A request got further on its way to a live model."""

    number: int
    text: str
    """Such as `asking localhost:11434`."""


@dataclass
class Answered(Message):
    """A card came back."""

    number: int
    """Of the request: a late answer to an abandoned one is dropped."""
    by: By
    card: AnswerCard


@dataclass
class AskFailed(Message):
    """A question could not be answered."""

    number: int
    by: By
    text: str


class AskWanted(Message):
    """Enter was pressed where that asks."""


@dataclass
class DayChosen(Message):
    """A day was typed, stepped to or picked; None while what is typed is no day."""

    day: date | None


@dataclass
class SectionWanted(Message):
    """A section's text is to be shown as it stands on the question's day."""

    timeline: Timeline


@dataclass
class SourceWanted(Message):
    """A source of a card is to be opened."""

    number: int
    """The entry's number."""
    source: Source


@dataclass
class DroppedWanted(Message):
    """A dropped passage is to be opened beside the version in force."""

    number: int
    """The entry's number."""
    chunk: Chunk


@dataclass
class EntryWanted(Message):
    """A card in the stack is to be opened or closed."""

    number: int


@dataclass
class FactsWanted(Message):
    """The facts of a card are to be put right."""

    number: int
    """The entry's number."""


@dataclass
class ExampleWanted(Message):
    """An example of an empty state is to be asked."""

    question: str
    day: date
