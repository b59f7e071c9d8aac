"""The dated questions that the program is measured with."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from engine import paths
from engine.errors import UsageError
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from engine.engine import Engine

SETS: Final = ("questions", "tuning", "heldout")
"""The shipped sets: the test, the one that is tuned on, and the one that is held out."""
_ABSENT: Final = "absent"
_OUTSIDE: Final = "not_covered"


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
    scope: tuple[Place, ...] = ()
    """Of `not_covered`: what shows that the matter is outside."""
    later: tuple[Place, ...] = ()
    """Of `absent`: what brought the rule after the day."""


_FIELDS: Final = frozenset(entry.name for entry in fields(DatedQuestion))


def load_set(name: str) -> tuple[DatedQuestion, ...]:
    """Read one of the shipped `SETS`.

    Raises:
        UsageError: as `load_questions`.

    """
    return load_questions(set_file(name))


def set_file(name: str) -> Path:
    """Where one of the shipped `SETS` lies."""
    return paths.shipped("questions") / f"{name}.jsonl"


def load_questions(path: Path) -> tuple[DatedQuestion, ...]:
    """Read a set of questions in JSON lines.

    Raises:
        UsageError: the file is missing or a line is not of the described form; its number is given.

    """
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The questions in {path} cannot be read.", "Reinstall the program.") from error
    return tuple(_question(line, path, number) for number, line in enumerate(lines, 1) if line.strip())


def _question(line: str, path: Path, number: int) -> DatedQuestion:
    try:
        row: dict[str, Any] = json.loads(line)
        _refuse_unknown(row)
        return DatedQuestion(
            id=str(row["id"]),
            kind=str(row["kind"]),
            as_of=date.fromisoformat(row["as_of"]),
            question=str(row["question"]),
            reference=str(row["reference"]),
            relevant=_places(row["relevant"]),
            keys=tuple(row["keys"]),
            must_not=tuple(row["must_not"]),
            needs=str(row["needs"]),
            scope=_places(row.get("scope", [])),
            later=_places(row.get("later", [])),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path.name}, line {number}: not a question: {one_line(str(error))}.", "See questions/README.md."
        ) from error


def _refuse_unknown(row: dict[str, Any]) -> None:
    unknown = sorted(row.keys() - _FIELDS)
    if unknown:
        raise ValueError(f"unknown fields {', '.join(unknown)}")


def _places(rows: list[dict[str, Any]]) -> tuple[Place, ...]:
    return tuple(map(_place, rows))


def _place(row: dict[str, Any]) -> Place:
    day = date.fromisoformat(row["effective_from"])
    return Place(str(row["section"]), day, str(row["paragraph"]), tuple(row.get("text", ())))


def faults(questions: Iterable[DatedQuestion], engine: Engine) -> tuple[str, ...]:
    """What is wrong with questions, by the texts themselves; empty when all is well.

    Each passage must exist and be in force on the day (or be the last before the up-to-date day), and one
    of `later` must begin after it; each key must match the reference answer, no forbidden pattern may;
    ids must differ.
    """
    made: list[str] = []
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            made.append(f"{question.id}: the id stands twice")
        seen.add(question.id)
        made += [f"{question.id}: {fault}" for fault in _place_faults(question, engine)]
        made += [f"{question.id}: {fault}" for fault in _pattern_faults(question)]
    return tuple(made)


def _place_faults(question: DatedQuestion, engine: Engine) -> Iterator[str]:
    from engine.evaluation.retrieval import holds  # noqa: PLC0415 - it imports this module

    if question.scope and question.kind != _OUTSIDE:
        yield f"scope belongs to {_OUTSIDE}, not to {question.kind}"
    if question.later and question.kind != _ABSENT:
        yield f"later belongs to {_ABSENT}, not to {question.kind}"
    if question.kind == _ABSENT and not question.later:
        yield "an absent rule needs later: the version that brought it"
    for place in (*question.relevant, *question.scope, *question.later):
        chunks = [chunk for chunk in engine.chunks if holds(chunk, place)]
        named = f"{place.section}{place.paragraph} of {place.effective_from}"
        if not chunks:
            yield f"no passage {named}"
        elif place in question.later:
            if place.effective_from <= question.as_of:
                yield f"{named} is no later version than that of {question.as_of}"
        elif not chunks[0].version.in_force(question.as_of):
            yield f"{named} is not in force on {question.as_of}"


def _pattern_faults(question: DatedQuestion) -> Iterator[str]:
    for pattern in (*question.keys, *question.must_not):
        try:
            found = re.search(pattern, question.reference, re.IGNORECASE | re.DOTALL)
        except re.error as error:
            yield f"the pattern {pattern!r} is malformed: {error}"
            continue
        if pattern in question.keys and not found:
            yield f"the key {pattern!r} does not match the reference answer"
        if pattern in question.must_not and found:
            yield f"the forbidden {pattern!r} matches the reference answer"
