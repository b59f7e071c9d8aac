"""Whether a trip lies inside a part at all, by the words of its own scope sections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.search.units import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.facts import Facts
    from engine.model import Chunk

SCOPE = re.compile(r"\b(applicability|purpose|scope)\b", re.IGNORECASE)
"""Titles of the sections that say what a part covers."""
DEFINITIONS = re.compile(r"\bdefinitions?\b", re.IGNORECASE)
"""Titles of the sections that say what its words mean."""
_FOREIGN = re.compile(r"\bforeign air transportation\b", re.IGNORECASE)
_FROM_US = re.compile(r"\boriginating at a point within the United States\b", re.IGNORECASE)
_INTERSTATE = re.compile(r"\binterstate\b", re.IGNORECASE)
_SCHEDULED = re.compile(r"\bscheduled\b", re.IGNORECASE)
_CHARTER = re.compile(r"\bcharters?\b", re.IGNORECASE)
_SEATS = re.compile(r"\b(\d+) or more (?:passenger )?seats\b", re.IGNORECASE)


def scope_passages(chunks: Iterable[Chunk], part: str) -> tuple[Chunk, ...]:
    """The passages of a part that say what it covers, the one on applicability first."""
    found = [c for c in chunks if c.version.text.part == part and SCOPE.search(title_of(c.version.text))]
    return tuple(sorted(found, key=lambda chunk: "applicab" not in chunk.version.heading.casefold()))


def outside(facts: Facts, scope: Iterable[Chunk]) -> str | None:
    """Say in a sentence why the trip is outside the part, or None when nothing known puts it there."""
    text = " ".join(chunk.body for chunk in scope)
    if _INTERSTATE.search(text):
        if not _FOREIGN.search(text) and (facts.begins_abroad or facts.ends_abroad):
            return (
                "The part covers transportation within the United States only; this flight is not within it."
            )
        if _FROM_US.search(text) and facts.begins_abroad:
            return "The part covers flights that begin within the United States, and this one begins abroad."
    if facts.charter and _SCHEDULED.search(text) and not _CHARTER.search(text):
        return "The part covers scheduled flights, and this one is a charter."
    seats = _SEATS.search(text)
    if seats and facts.seats is not None and facts.seats < int(seats[1]):
        return (
            f"The part covers aircraft designed for {seats[1]} or more passenger seats; this one has fewer."
        )
    return None
