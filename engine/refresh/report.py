"""What a renewed collection would change, as data: to be read before anything is replaced."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from engine import paths, redline
from engine.engine import Engine
from engine.evaluation.questions import SETS, set_file
from engine.ingest import ingest
from engine.model import VersionStatus
from engine.quantities import find_quantities
from engine.refresh.stale import stale_questions, stale_recordings
from engine.versions import identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from engine.ingest import Progress
    from engine.model import SectionVersion
    from engine.redline import Comparison
    from engine.refresh.stale import StaleQuestion, StaleRecordings
    from engine.snapshot import Collection, SourceFile
    from engine.versions import Timeline

Kind = Literal["amended", "new", "removed", "reworded", "withdrawn"]
"""`amended`: a further version; `new`: a section that was not held; `removed`: one that ended;
`reworded`: a version that is held reads otherwise now; `withdrawn`: a version that is held is none."""
AMOUNTS = frozenset({"money", "percent"})


@dataclass(frozen=True, slots=True)
class SectionChange:
    """One version of a section that came, went or reads otherwise."""

    kind: Kind
    title: str
    section: str
    day: date
    """The first day of the version; for a removed section the first day without it."""
    comparison: Comparison | None
    """Against the version before it, or against its old wording; None where there is no other side."""
    amounts_before: tuple[str, ...]
    """Amounts of money and percentages that stood there and do not any more, as written."""
    amounts_after: tuple[str, ...]
    """Those that came."""


@dataclass(frozen=True, slots=True)
class FileComparison:
    """A rebuilt file beside the publisher's."""

    file: str
    kind: str
    """`part` or `versions`."""
    same_bytes: bool
    differing: tuple[str, ...]
    """Sections whose text differs, or rows (`250.5 2021-04-13`) that only one of two lists has."""


@dataclass(frozen=True)
class Report:
    """What is held, what would be held, and everything that differs."""

    before: Collection | None
    after: Collection
    new_days: tuple[SourceFile, ...]
    """The dated copies that came."""
    gone: tuple[str, ...]
    """Names of files that are not kept."""
    changes: tuple[SectionChange, ...]
    """Empty for a collection that is made anew: everything in it is new."""
    sections: int
    versions: int
    questions: tuple[StaleQuestion, ...] = ()
    recordings: tuple[StaleRecordings, ...] = ()
    files: tuple[FileComparison, ...] = ()
    """Each rebuilt file beside the publisher's, where that was asked for."""
    warnings: tuple[str, ...] = ()
    """What is odd in the new texts and was not in the old ones."""


def make_report(
    before: Collection | None,
    after: Collection,
    *,
    later: Sequence[str] = (),
    recordings: Sequence[Path] = (),
    progress: Progress | None = None,
) -> Report:
    """Read both collections and compare them.

    Args:
        before: what is held; None when nothing is.
        after: what was built beside it.
        later: what has to be told besides, such as listed days that have no text yet.
        recordings: folders of recorded answers.
        progress: is told how far the reading is.

    Raises:
        SnapshotError: a text of either cannot be read.

    """
    made = ingest(after, progress).index
    versions = sum(len(line.versions) for line in made.timelines)
    if before is None:
        return Report(
            None, after, after.of_kind("part"), (), (), len(made.timelines), versions,
            warnings=(*later, *made.warnings),
        )  # fmt: skip
    held = ingest(before, progress).index
    engines = Engine(before, held), Engine(after, made)
    sets = [set_file(name) for name in SETS] if _is_shipped(before) else []
    questions = stale_questions(*engines, sets)
    return Report(
        before=before,
        after=after,
        new_days=tuple(
            file
            for file in after.of_kind("part")
            if file.origin == "fetched" and before.sums.get(file.file) != file.sha256
        ),
        gone=tuple(file.file for file in before.files if file.file not in after.sums),
        changes=tuple(_changes(held.timelines, made.timelines)),
        sections=len(made.timelines),
        versions=versions,
        questions=questions,
        recordings=stale_recordings(*engines, recordings, questions),
        warnings=(*later, *(text for text in made.warnings if text not in held.warnings)),
    )


def _is_shipped(collection: Collection) -> bool:
    """Whether the shipped questions are about this collection."""
    return any(path.name == collection.id for path in paths.shipped("regulations").iterdir() if path.is_dir())


def _changes(before: Sequence[Timeline], after: Sequence[Timeline]) -> Iterator[SectionChange]:
    """What differs between two states of all timelines, in the new order."""
    old = {(line.title, line.section): line.versions for line in before}
    new = {(line.title, line.section): line.versions for line in after}
    for key in dict.fromkeys((*new, *old)):
        yield from _section(old.get(key, ()), new.get(key, ()))


def _section(old: Sequence[SectionVersion], new: Sequence[SectionVersion]) -> Iterator[SectionChange]:
    held = {version.effective_from: version for version in old}
    for place, version in enumerate(new):
        twin = held.pop(version.effective_from, None)
        if twin is None:
            earlier = new[place - 1] if place else None
            yield _change("amended" if earlier else "new", version, earlier, version)
        elif identity(twin.text) != identity(version.text):
            yield _change("reworded", version, twin, version)
        if version.status is VersionStatus.REMOVED and (twin is None or twin.status is not version.status):
            yield _change("removed", version, version, None)
    for version in held.values():
        yield _change("withdrawn", version, version, None)


def _change(
    kind: Kind, version: SectionVersion, before: SectionVersion | None, after: SectionVersion | None
) -> SectionChange:
    went, came = _amounts(before), _amounts(after)
    day = version.effective_from
    if kind == "removed" and version.effective_to is not None:
        day = version.effective_to + timedelta(days=1)
    return SectionChange(
        kind=kind,
        title=version.text.title,
        section=version.section,
        day=day,
        comparison=redline.compare(before, after) if before and after else None,
        amounts_before=tuple(text for text in went if text not in came),
        amounts_after=tuple(text for text in came if text not in went),
    )


def _amounts(version: SectionVersion | None) -> tuple[str, ...]:
    """The different amounts of a version's text, as written, in order."""
    if version is None:
        return ()
    found = find_quantities("\n".join(block.text for block in version.text.rule_blocks))
    return tuple(dict.fromkeys(one.text for one in found if one.kind in AMOUNTS))
