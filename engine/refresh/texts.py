"""A part's text as it arrived: what was asked for, whole, and in agreement with the publisher's list."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.errors import SnapshotError
from engine.refresh.faults import UNTOUCHED, refused
from engine.safe import one_line
from engine.sources import reader_for
from engine.versions import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from engine.model import SectionText
    from engine.refresh.listing import ListedVersion


@dataclass(frozen=True, slots=True)
class Copy:
    """One part on one day, read."""

    day: date
    sections: tuple[SectionText, ...]
    arrived: bool
    """Whether it came just now; what was held before is not judged again."""
    rebuilt: bool
    """Whether it is a rebuilt text, not the publisher's bytes."""

    @property
    def by_number(self) -> dict[str, SectionText]:
        """The sections by their number."""
        return {section.section: section for section in self.sections}


def read_copy(data: bytes, title: str, part: str, what: str) -> tuple[SectionText, ...]:
    """Read the XML of one part with the program's own reader, which takes no entity and no deep tree.

    Raises:
        SnapshotError: it is no complete XML of the eCFR, is of another title or part, or words of it
            would be lost.

    """
    try:
        result = reader_for("ecfr")(data, what, title)
    except SnapshotError as error:
        raise SnapshotError(
            error.message, f"{UNTOUCHED} Run the same command again: the file may have been cut off."
        ) from error
    found = [(read.title, read.part) for read in result.parts]
    if found != [(title, part)]:
        named = ", ".join(f"title {one_line(t)[:20]} part {one_line(p)[:20]}" for t, p in found[:3])
        raise refused(what, f"is not of title {title}, part {part}, but of {named or 'no part'}")
    if result.lost:
        raise refused(what, f"has {result.lost} words that the reader would lose")
    return result.parts[0].sections


def disagreements(copies: Iterable[Copy], rows: Sequence[ListedVersion]) -> Iterator[str]:
    """What does not fit between one part's texts and its list, as far as a new copy is concerned.

    A listed section has to stand in every copy from its day on until it is listed as removed, a
    removed one in none, and no text may change between two copies on a day that is not listed.
    """
    ordered = sorted(copies, key=lambda copy: copy.day)
    listed = _days(rows)
    for copy in ordered:
        if copy.arrived:
            yield from _standing(copy, listed)
    for before, after in pairwise(ordered):
        if before.arrived or after.arrived:
            yield from _unlisted(before, after, listed)


def _days(rows: Iterable[ListedVersion]) -> dict[str, dict[date, bool]]:
    """For each section the listed days, and whether it is there from that day on."""
    listed: dict[str, dict[date, bool]] = {}
    for row in rows:
        if row.is_section:
            days = listed.setdefault(row.identifier, {})
            # A section that moves within its part is listed as removed and as there on one day.
            days[row.day] = days.get(row.day, False) or not row.removed
    return listed


def _standing(copy: Copy, listed: Mapping[str, Mapping[date, bool]]) -> Iterator[str]:
    shown = copy.by_number
    for section, days in listed.items():
        past = [day for day in days if day <= copy.day]
        if not past:
            continue
        there = days[max(past)]
        if there and section not in shown:
            yield f"{section} is listed for {max(past)} and does not stand in the text of {copy.day}"
        if not there and section in shown:
            yield f"{section} is listed as removed on {max(past)} and stands in the text of {copy.day}"
    for section, text in shown.items():
        if text.rule_blocks and section not in listed and section[:1].isdigit():
            yield f"{section} stands in the text of {copy.day} and is not listed"


def _unlisted(before: Copy, after: Copy, listed: Mapping[str, Mapping[date, bool]]) -> Iterator[str]:
    earlier, later = before.by_number, after.by_number
    held = " (a rebuilt copy)" if before.rebuilt or after.rebuilt else ""
    for section in earlier.keys() & later.keys():
        changed = identity(earlier[section]) != identity(later[section])
        between = any(before.day < day <= after.day for day in listed.get(section, ()))
        if changed and not between:
            yield f"{section} differs between {before.day}{held} and {after.day}, and no change is listed"
