"""The shipped texts searched by keywords alone, and dated questions made in a test."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine.engine import Engine
from engine.evaluation.questions import DatedQuestion, Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.ingest import IngestReport
    from engine.model import Chunk
    from engine.snapshot import Collection

SUMMER_2022 = Place("250.5", date(2021, 8, 2), "(a)(2)")


@pytest.fixture(scope="session")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


@pytest.fixture(scope="session")
def passage(engine: Engine) -> Callable[..., Chunk]:
    """Finds the passage that holds a paragraph of the version in force on a day."""

    def find(section: str, day: str, label: str) -> Chunk:
        on = date.fromisoformat(day)
        return next(
            chunk
            for chunk in engine.chunks
            if chunk.section == section and chunk.version.in_force(on) and label in chunk.labels
        )

    return find


@pytest.fixture
def asked() -> Callable[..., DatedQuestion]:
    """Makes a question about the summer of 2022; what is named replaces parts of it."""
    base = DatedQuestion(
        id="X1",
        kind="dated",
        as_of=date(2022, 6, 10),
        question="Bumped inside the United States and 90 minutes late: what is the most that was owed?",
        reference="At least 200% of the fare or $775.",
        relevant=(SUMMER_2022,),
        keys=(r"\b775\b",),
        must_not=(r"\b1,?075\b",),
        needs="amount",
    )

    def make(**changes: Any) -> DatedQuestion:
        return replace(base, **changes)

    return make


@pytest.fixture
def questions(asked: Callable[..., DatedQuestion]) -> list[DatedQuestion]:
    """Four questions of a set, one of them before the history."""
    return [
        asked(),
        asked(id="X2", question="What does § 250.7 say?", kind="absent", as_of=date(2020, 6, 1)),
        asked(id="X3", question="What does a carrier owe?", kind="before", as_of=date(2015, 3, 10)),
        asked(
            id="X4", question="How much is the limit of liability for lost baggage?", as_of=date(2023, 3, 1)
        ),
    ]
