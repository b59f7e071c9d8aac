"""The dated questions that the program is measured with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from engine.errors import UsageError
from engine.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """A passage by section, version and paragraph."""

    section: str
    effective_from: date
    paragraph: str
    """The full label path; empty for a section without labels."""
    text: tuple[str, ...] = ()
    """Where the label is too coarse: one of these stands in the block that is meant."""


@dataclass(frozen=True, slots=True)
class DatedQuestion:
    """One question of a set."""

    id: str
    kind: str
    as_of: date
    question: str
    reference: str
    """A right answer, written by people."""
    relevant: tuple[Place, ...]
    keys: tuple[str, ...]
    """Patterns that a right answer matches, every one."""
    must_not: tuple[str, ...]
    """Patterns that a right answer does not match."""
    needs: str


def load_questions(path: Path) -> tuple[DatedQuestion, ...]:
    """Read a set of questions in JSON lines.

    Raises:
        UsageError: the file is missing or a line is not of the described form; its number is given.

    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The questions in {path} cannot be read.", "Reinstall the program.") from error
    return tuple(_question(line, path, number) for number, line in enumerate(lines, 1) if line.strip())


def _question(line: str, path: Path, number: int) -> DatedQuestion:
    try:
        row: dict[str, Any] = json.loads(line)
        return DatedQuestion(
            id=str(row["id"]),
            kind=str(row["kind"]),
            as_of=date.fromisoformat(row["as_of"]),
            question=str(row["question"]),
            reference=str(row["reference"]),
            relevant=tuple(_place(place) for place in row["relevant"]),
            keys=tuple(row["keys"]),
            must_not=tuple(row["must_not"]),
            needs=str(row["needs"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path.name}, line {number}: not a question: {one_line(str(error))}.", "See questions/README.md."
        ) from error


def _place(row: dict[str, Any]) -> Place:
    day = date.fromisoformat(row["effective_from"])
    return Place(str(row["section"]), day, str(row["paragraph"]), tuple(row.get("text", ())))
