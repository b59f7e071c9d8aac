"""Dated copies become timelines: which text of a section was in force on a day, and what set it apart."""

from __future__ import annotations

import bisect
import unicodedata
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from engine.model import (
    BlockKind,
    Change,
    Origin,
    SectionText,
    SectionVersion,
    Standing,
    StandingKind,
    VersionStatus,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_DAY = timedelta(days=1)
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
)


@dataclass(frozen=True, slots=True)
class DatedCopy:
    """One part as the publisher showed it on one day."""

    day: date
    sections: tuple[SectionText, ...]


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """One row of the publisher's own list of section versions."""

    section: str
    day: date


@dataclass(frozen=True)
class Timeline:
    """All versions of one section, oldest first, and the days that they can answer for."""

    title: str
    section: str
    versions: tuple[SectionVersion, ...]
    held_from: date
    """The first day that the copies can speak about."""
    current_to: date
    """The last such day."""

    def standing(self, day: date) -> Standing:
        """Say where the section stands on `day`.

        Before the first copy it is *not held*; after the up-to-date day it is *after*, with the last
        version unless that was removed; between two versions that do not touch it is a *gap*; before
        the first version it is *not yet*, with the version that was to come.
        """
        if day < self.held_from:
            return Standing(StandingKind.NOT_HELD, None)
        place = bisect.bisect_right(self.versions, day, key=lambda version: version.effective_from)
        version = self.versions[place - 1] if place else None
        if version is not None and not version.in_force(day):
            version = None
        if day > self.current_to:
            return Standing(StandingKind.AFTER, version)
        if version is not None:
            return Standing(StandingKind.IN_FORCE, version)
        if not place:
            return Standing(StandingKind.NOT_YET, self.versions[0])
        return Standing(StandingKind.GAP, None)

    def text_on(self, day: date) -> SectionVersion | None:
        """The version to read for `day`: in force, or after the up-to-date day the last one."""
        standing = self.standing(day)
        readable = {StandingKind.IN_FORCE, StandingKind.AFTER}
        return standing.version if standing.kind in readable else None


@dataclass(frozen=True, slots=True)
class Built:
    """Timelines, and what was surprising while they were made."""

    timelines: tuple[Timeline, ...]
    warnings: tuple[str, ...]


def build_timelines(
    copies: Iterable[DatedCopy],
    *,
    history_start: date,
    current_to: date,
    address: Callable[[SectionText, date], str],
    published: Iterable[PublishedVersion] = (),
) -> Built:
    """Turn one part's dated copies, in any order, into one timeline a section.

    A copy dated before `history_start` counts as of that day. A section begins a new version with
    each copy that shows other words, another heading or another notice than the copy before it.

    Args:
        copies: the part's copies; of two on the same day the later given one must be equal.
        history_start: the publisher's first day; the first version began then or earlier.
        current_to: the publisher's up-to-date day.
        address: makes the publisher's address of a section's version.
        published: the publisher's own list, to compare with.

    """
    by_day: dict[date, dict[str, SectionText]] = {}
    warnings: list[str] = []
    for copy in sorted(copies, key=lambda copy: copy.day):
        day = max(copy.day, history_start)
        shown = {section.section: section for section in copy.sections}
        if day in by_day and _identities(by_day[day]) != _identities(shown):
            warnings.append(f"Two copies of {day} differ; the one given last was used.")
        by_day[day] = shown
    days = list(by_day)
    numbers = dict.fromkeys(number for day in days for number in by_day[day])
    listed = list(published)
    timelines: list[Timeline] = []
    for number in numbers:
        shown_on = [(day, by_day[day].get(number)) for day in days]
        versions = _versions(shown_on, address, warnings)
        if listed:
            rows = [row for row in listed if row.section == number]
            versions = _agree_with_list(versions, rows, days[0], warnings)
        timelines.append(Timeline(versions[0].text.title, number, versions, days[0], current_to))
    warnings += [
        f"The publisher lists a version of {row.section} of {row.day} that no copy holds."
        for row in listed
        if row.section not in numbers
    ]
    return Built(tuple(timelines), tuple(warnings))


def identity(text: SectionText) -> tuple[object, ...]:
    """What makes two texts of a section the same version: heading and blocks, never the source note."""
    return (text.heading, tuple((block.kind, block.text) for block in text.blocks))


def change_between(before: SectionText, after: SectionText) -> Change:
    """Say whether two texts differ in words, in typography alone, or in the publisher's notice alone."""
    if _rule(before) == _rule(after) and _shown_notices(before) != _shown_notices(after):
        return Change.NOTICE
    if _fold(before) == _fold(after):
        return Change.TYPOGRAPHIC
    return Change.TEXT


def folded(text: str) -> str:
    """The text without white space and with quotation marks and dashes of one form."""
    return "".join(unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).split())


def _identities(shown: dict[str, SectionText]) -> dict[str, tuple[object, ...]]:
    return {number: identity(text) for number, text in shown.items()}


def _rule(text: SectionText) -> tuple[str, ...]:
    return (text.heading, *(block.text for block in text.rule_blocks))


def _shown_notices(text: SectionText) -> tuple[str, ...]:
    return tuple(block.text for block in text.blocks if block.kind is BlockKind.NOTICE)


def _fold(text: SectionText) -> str:
    return folded(" ".join(_rule(text)))


def _versions(
    shown_on: Sequence[tuple[date, SectionText | None]],
    address: Callable[[SectionText, date], str],
    warnings: list[str],
) -> tuple[SectionVersion, ...]:
    """Cut one section's appearances into versions; the days are sorted."""
    made: list[SectionVersion] = []
    before: SectionText | None = None
    for place, (day, text) in enumerate(shown_on):
        if text is not None and (before is None or identity(text) != identity(before)):
            if made and made[-1].effective_to is None:
                made[-1] = _ended(made[-1], day, VersionStatus.ENDED)
            made.append(_begun(text, day, made[-1] if made else None, address, first_copy=place == 0))
        elif text is not None and before is not None and text.source_note != before.source_note:
            warnings.append(f"{text.section}: on {day} the source note changed and the words did not.")
        elif text is None and before is not None:
            made[-1] = _ended(made[-1], day, VersionStatus.REMOVED)
        before = text
    return tuple(made)


def _begun(
    text: SectionText,
    day: date,
    earlier: SectionVersion | None,
    address: Callable[[SectionText, date], str],
    *,
    first_copy: bool,
) -> SectionVersion:
    change = change_between(earlier.text, text) if earlier else Change.FIRST
    if earlier and not earlier.in_force(day - _DAY):
        # A section that comes back gives a rule where there was none, whatever its words.
        change = Change.TEXT
    notes: list[str] = []
    same_note = earlier is not None and text.source_note == earlier.text.source_note
    if change is Change.TEXT and same_note and text.source_note:
        notes.append("The words changed and the source note did not.")
    if text.placeholder:
        notes.append("The publisher shows a placeholder here: a heading without a rule.")
    return SectionVersion(
        text=text,
        effective_from=day,
        effective_to=None,
        from_origin=Origin.AT_OR_BEFORE if first_copy else Origin.EXACT,
        status=VersionStatus.RESERVED if text.reserved else VersionStatus.IN_FORCE_AT_END,
        change=change,
        url=address(text, day),
        notes=tuple(notes),
    )


def _ended(version: SectionVersion, next_day: date, status: VersionStatus) -> SectionVersion:
    # A reserved number stays known as reserved, whatever ended it.
    kept = version.status if version.status is VersionStatus.RESERVED else status
    return replace(version, effective_to=next_day - _DAY, status=kept)


def _agree_with_list(
    versions: tuple[SectionVersion, ...],
    rows: Sequence[PublishedVersion],
    held_from: date,
    warnings: list[str],
) -> tuple[SectionVersion, ...]:
    """Compare with the publisher's list; older rows become a note on the first version."""
    number = versions[0].section
    older = sorted(row.day for row in rows if row.day < held_from)
    listed = {row.day for row in rows if row.day >= held_from}
    # A day before the history is listed without a text; the first version then stands for it.
    ours = {version.effective_from for version in versions}
    ends = {version.effective_to + _DAY for version in versions if version.effective_to}
    warnings += [
        f"The publisher lists a version of {number} of {day} that no copy holds."
        for day in sorted(listed - ours - ends)
    ]
    warnings += [
        f"The publisher's list does not name the version of {number} of {day}."
        for day in sorted(ours - listed - ({held_from} if older else set()))
    ]
    if older:
        days = ", ".join(day.isoformat() for day in older)
        note = f"The publisher's list also names {days}, a time before the texts that are held."
        return (replace(versions[0], notes=(*versions[0].notes, note)), *versions[1:])
    return versions
