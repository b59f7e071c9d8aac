"""The sections and paragraphs that a claim names, held against those that it cites and those of the day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.references import covers, shown, speaks_of
from engine.safe import one_line
from engine.sources.numbers import find_references

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.model import Chunk
    from engine.sources.numbers import Reference

_MOST: Final = 5
"""Passages, and paragraphs of one, that a problem names."""


def references_not_there(
    text: str, cited: Sequence[Chunk], missing: Callable[[Reference], str | None]
) -> list[str]:
    """Name the sections and paragraphs that a claim names and does not cite, or that the day does not have.

    What the cited sections themselves refer to may be named as they do.

    Args:
        text: the claim's.
        cited: the passages that it cites and the index holds.
        missing: says of a reference that the day has no such section or paragraph, or gives None.

    """
    problems = []
    for reference in find_references(text):
        if any(covers(chunk, reference) for chunk in cited):
            problems.append(missing(reference))
        elif not any(speaks_of(chunk, reference) for chunk in cited):
            other = f"The claim names {one_line(shown(reference))} and cites {_places(cited)}."
            problems.append(missing(reference) or other)
    return list(dict.fromkeys(problem for problem in problems if problem))


def _places(chunks: Sequence[Chunk]) -> str:
    """`§ 250.5(a), (a)(1), (a)(2) and § 250.9(b)`."""
    places = (one_line(f"\u00a7 {chunk.section}{', '.join(chunk.labels[:_MOST])}") for chunk in chunks)
    return " and ".join(list(dict.fromkeys(places))[:_MOST])
