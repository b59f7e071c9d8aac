"""What a run brings: the texts that are missing up to the publisher's day, or those that were rebuilt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.ingest import published
from engine.refresh.plan import HISTORY_START, days_wanted, kept_files, ordered
from engine.refresh.report import FileComparison
from engine.refresh.texts import Copy
from engine.sources import reader_for
from engine.versions import identity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from engine.refresh.fetching import PartList
    from engine.refresh.listing import TitleState
    from engine.refresh.session import Session
    from engine.snapshot import Collection, SourceFile

    Pair = tuple[str, str]
    """Title and part."""


def bring_up(run: Session, states: Mapping[str, TitleState]) -> tuple[SourceFile, ...]:
    """Fetch lists and texts up to the publisher's day, and say which files the new collection has.

    Raises:
        PublisherError: something cannot be had.
        SnapshotError: something is not what it should be, or list and texts do not agree.

    """
    base, wanted = run.target.base, run.target.wanted
    lists = _lists(run, {(title, part): states[title].current_to for title, part in wanted})
    copies = {pair: _held(base, pair) for pair in wanted}
    start = base.history_start if base else HISTORY_START
    arrived = [file for one in lists for file in one.files]
    run.tools.step("fetch")
    missing = _missing(run, lists, copies, start, states)
    run.fetcher.expect("texts", len(missing))
    for pair, day in missing:
        file, sections = run.fetcher.copy(*pair, day)
        arrived.append(file)
        copies[pair].append(Copy(day, sections, arrived=True, rebuilt=False))
    run.agree(lists, copies)
    titles = {title for title, _ in wanted}
    arrived.append(run.fetcher.keep_titles(titles.pop() if len(titles) == 1 else ""))
    listed = {
        (one.title, one.part): frozenset(max(row.day, start) for row in one.rows)
        | {states[one.title].current_to}
        for one in lists
    }
    return ordered((*(kept_files(base, arrived, listed) if base else ()), *arrived))


def bring_rebuilt(
    run: Session, base: Collection, rebuilt: Sequence[SourceFile]
) -> tuple[tuple[SourceFile, ...], tuple[FileComparison, ...]]:
    """Fetch the publisher's form of rebuilt files; what the new collection has, and how each compares.

    Raises:
        PublisherError: something cannot be had.
        SnapshotError: something is not what it should be, or list and texts do not agree.

    """
    pairs = dict.fromkeys((file.title, file.part) for file in rebuilt)
    texts = [(file, file.day) for file in rebuilt if file.kind == "part" and file.day]
    lists = _lists(run, dict.fromkeys(pairs, base.current_to))
    copies = {pair: _held(base, pair) for pair in pairs}
    arrived = [file for one in lists for file in one.files]
    comparisons = [_list_compared(base, one) for one in lists]
    run.tools.step("fetch")
    run.fetcher.expect("texts", len(texts))
    for held, day in texts:
        file, sections = run.fetcher.copy(held.title, held.part, day)
        arrived.append(file)
        group = copies[held.title, held.part]
        place = next(place for place, copy in enumerate(group) if copy.day == day)
        new = Copy(day, sections, arrived=True, rebuilt=False)
        same = held.sha256 == file.sha256
        comparisons.append(FileComparison(held.file, "part", same, _differing(group[place], new)))
        group[place] = new
    run.agree(lists, copies)
    days = {pair: frozenset(copy.day for copy in group) for pair, group in copies.items()}
    return ordered((*kept_files(base, arrived, days), *arrived)), tuple(comparisons)


def _lists(run: Session, until: Mapping[Pair, date]) -> list[PartList]:
    """The parts' lists, each as of a day."""
    run.tools.step("list")
    run.fetcher.expect("lists", len(until))
    return [run.fetcher.part_list(*pair, day) for pair, day in until.items()]


def _missing(
    run: Session,
    lists: Sequence[PartList],
    copies: Mapping[Pair, Sequence[Copy]],
    start: date,
    states: Mapping[str, TitleState],
) -> list[tuple[Pair, date]]:
    """The days that a text is wanted of and not held of; listed days to come become a warning."""
    missing: list[tuple[Pair, date]] = []
    for one in lists:
        pair = (one.title, one.part)
        current = states[one.title].current_to
        days, later = days_wanted(one.rows, history_start=start, current_to=current)
        held = {max(copy.day, start) for copy in copies[pair]}
        missing += [(pair, day) for day in days if day not in held]
        run.warnings += [
            f"Part {one.part}: a change is listed for {day}; it has no text yet." for day in later
        ]
    return missing


def _held(base: Collection | None, pair: Pair) -> list[Copy]:
    """The held copies of a part, read."""
    made: list[Copy] = []
    for file, day in base.copies if base else ():
        if base is not None and (file.title, file.part) == pair:
            result = reader_for(base.source)(base.read(file.file), file.file, file.title)
            sections = tuple(section for part in result.parts for section in part.sections)
            made.append(Copy(day, sections, arrived=False, rebuilt=file.origin == "rebuilt"))
    return made


def _list_compared(base: Collection, one: PartList) -> FileComparison:
    """A held list beside the publisher's; days before the history count as its first day."""
    start = base.history_start
    ours = {(row.section, max(row.day, start)) for row in published(base, one.title, one.part)}
    theirs = {(row.identifier, max(row.day, start)) for row in one.rows}
    file = one.files[0]
    odd = tuple(f"{section} {day}" for section, day in sorted(ours ^ theirs))
    return FileComparison(file.file, "versions", base.sums.get(file.file) == file.sha256, odd)


def _differing(before: Copy, after: Copy) -> tuple[str, ...]:
    """The sections that one of two copies lacks or that read otherwise, in order."""
    old, new = before.by_number, after.by_number
    return tuple(
        number
        for number in dict.fromkeys((*old, *new))
        if number not in old or number not in new or identity(old[number]) != identity(new[number])
    )
