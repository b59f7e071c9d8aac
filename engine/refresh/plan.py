"""Which texts are wanted: every day on which a part changed, and the publisher's up-to-date day."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from engine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.refresh.listing import ListedVersion, TitleState
    from engine.snapshot import Collection, SourceFile

HISTORY_START: Final = date(2017, 1, 1)
"""The first day of the eCFR's point-in-time service; its lists also name days before it, without a text."""


def days_wanted(
    rows: Iterable[ListedVersion], *, history_start: date, current_to: date
) -> tuple[tuple[date, ...], tuple[date, ...]]:
    """The days to hold a text of, and listed days after the up-to-date day, which have none yet.

    A day before the history is asked for as the history's first day.
    """
    listed = {max(row.day, history_start) for row in rows}
    held = {day for day in listed if day <= current_to} | {current_to}
    return tuple(sorted(held)), tuple(sorted(listed - held))


def check_direction(base: Collection, states: Mapping[str, TitleState]) -> None:
    """See that the publisher is not behind what is held.

    Raises:
        UsageError: it is; another server or a wrong clock there is the likely cause.

    """
    there = min(state.current_to for state in states.values())
    if there < base.current_to:
        raise UsageError(
            f"The publisher's texts are up to date to {there}, the held ones to {base.current_to}.",
            "Nothing was changed. Check --api; if it is right, try again in a few days.",
        )


def kept_files(
    base: Collection, replaced: Iterable[SourceFile], listed: Mapping[tuple[str, str], frozenset[date]]
) -> tuple[SourceFile, ...]:
    """The held files that stay: all that nothing replaces, without what holds nothing of its own.

    The copy of a former up-to-date day goes when its bytes are those of the copy before it and no list
    names its day: it only said that nothing had changed, and the new one says so too.

    Args:
        base: what is held.
        replaced: the files that arrived, of all kinds.
        listed: for each title and part the days that its list names, clamped to the history.

    """
    arrived = tuple(replaced)
    slots = {_slot(file) for file in arrived}
    renewed = {(file.title, file.part) for file in arrived if file.kind == "part"}
    kept: list[SourceFile] = []
    for file in base.files:
        if _slot(file) in slots:
            continue
        whose = (file.title, file.part)
        unlisted = file.kind == "part" and file.day not in listed.get(whose, frozenset())
        if whose in renewed and unlisted and file.sha256 == _before(base.files, file):
            continue
        kept.append(file)
    return tuple(kept)


def ordered(files: Iterable[SourceFile]) -> tuple[SourceFile, ...]:
    """Rows in the order of `sources.csv`: part by part its copies by day, then its lists, the titles last."""
    kinds = ("part", "versions", "titles")

    def place(file: SourceFile) -> tuple[object, ...]:
        last = file.kind == "titles"
        return (last, file.title, file.part, kinds.index(file.kind), file.day or date.min, file.file)

    return tuple(sorted(files, key=place))


def _slot(file: SourceFile) -> tuple[object, ...]:
    """What a file is the text of: of two with the same, the later one is kept."""
    if file.kind == "titles":
        return ("titles",)
    return (file.kind, file.title, file.part, file.day)


def _before(files: Sequence[SourceFile], file: SourceFile) -> str:
    """The sum of the copy before a copy of the same part; empty when it is the first."""
    earlier = [
        (other.day, other.sha256)
        for other in files
        if other.kind == "part"
        and (other.title, other.part) == (file.title, file.part)
        and other.day is not None
        and file.day is not None
        and other.day < file.day
    ]
    return max(earlier)[1] if earlier else ""
