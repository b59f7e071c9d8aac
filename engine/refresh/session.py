"""One run of a refresh from the first request to the exchange of folders: the steps that all runs share."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import __version__
from engine.errors import RegulationsError, UsageError
from engine.refresh import faults
from engine.refresh.address import base_of
from engine.refresh.assemble import build, description_of
from engine.refresh.fetching import Fetcher
from engine.refresh.plan import HISTORY_START
from engine.refresh.report import make_report
from engine.refresh.staging import Staging
from engine.refresh.swap import held_alone, put_in_place
from engine.refresh.texts import disagreements
from engine.refresh.waiting import Clock
from engine.refresh.wire import Limits, Wire
from engine.safe import one_line
from engine.snapshot import DESCRIPTION, load_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from engine.answerers.chat_address import Address
    from engine.ingest import Progress
    from engine.refresh.fetching import PartList
    from engine.refresh.listing import TitleState
    from engine.refresh.report import Report
    from engine.refresh.swap import Place
    from engine.refresh.target import Target
    from engine.refresh.texts import Copy
    from engine.snapshot import SourceFile

    Decide = Callable[[Report], bool]
    """Is shown what would change, and says whether it is to be."""


def no_step(_: str) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class Tools:
    """What a run works with; nothing of it is looked up anywhere else."""

    address: Address
    """The publisher's API."""
    progress: Progress
    tell: Callable[[str], None]
    """Is told, in a sentence, what a person should know while it happens."""
    recordings: tuple[Path, ...] = ()
    """Folders of recorded answers, to see which become stale."""
    allow_disagreement: bool = False
    """Take texts that do not fit the publisher's list, and report what does not fit."""
    clock: Clock = field(default_factory=Clock)
    limits: Limits = field(default_factory=Limits)
    step: Callable[[str], None] = no_step
    """Is told of each step before it is taken; tests end the run there."""


@dataclass
class Session:
    """One run over one target; the lock is held all the while."""

    target: Target
    tools: Tools
    fetcher: Fetcher
    warnings: list[str] = field(default_factory=list)

    def states(self) -> dict[str, TitleState]:
        """Where the publisher's titles stand."""
        self.tools.step("ask for the titles")
        return self.fetcher.titles(frozenset(title for title, _ in self.target.wanted))

    def begin(self, purpose: str, states: dict[str, TitleState]) -> None:
        """Go on with the files of an earlier run for the same purpose and day, or begin anew."""
        base = self.target.base
        days = ",".join(f"{number}={states[number].current_to}" for number in sorted(states))
        key = {"for": purpose, "days": days, "api": base_of(self.tools.address), "program": __version__}
        there = self.fetcher.staging.begin(key | {"held": base.sha256 if base else ""})
        if there:
            self.tools.tell(f"{there} files are here already from an earlier run.")

    def finish(self, states: dict[str, TitleState], requests: int) -> None:
        """See that the publisher's texts stood still; `requests` were sent when they were asked for.

        Raises:
            PublisherError: new texts came in meanwhile; what was fetched may be of both.

        """
        if self.fetcher.wire.requests > requests:
            self.tools.step("ask for the titles again")
            if not self.fetcher.stood_still(states):
                self.fetcher.staging.discard()
                raise faults.moved_on(self.fetcher.wire.host)

    def agree(self, lists: Sequence[PartList], copies: Mapping[tuple[str, str], Sequence[Copy]]) -> None:
        """Compare lists and texts.

        Raises:
            SnapshotError: they do not agree, and nobody said to take them all the same.

        """
        problems = tuple(
            text for one in lists for text in disagreements(copies[one.title, one.part], one.rows)
        )
        if problems and not self.tools.allow_disagreement:
            # The next run asks anew: the publisher may have put it right.
            self.fetcher.staging.discard()
            raise faults.disagreeing(problems)
        self.warnings += problems

    def report(self, files: Sequence[SourceFile]) -> Report:
        """Build the new collection beside the old one, and compare the two."""
        self.tools.step("build")
        target, base = self.target, self.target.base
        contents = dict(self.fetcher.contents)
        for file in files:
            if file.file not in contents and base is not None:
                contents[file.file] = base.read(file.file)
        description = (
            description_of(self.tools.address, target.title, target.parts, HISTORY_START)
            if base is None
            else base.read(DESCRIPTION)
        )
        with writing(target.place):
            built = build(target.place.built, description, files, contents)
        self.tools.step("report")
        return make_report(
            base,
            built,
            later=self.warnings,
            recordings=self.tools.recordings,
            progress=self.tools.progress,
        )

    def conclude(self, report: Report, decide: Decide) -> bool:
        """Show the report, and do what is decided; whether the new collection is in place."""
        accepted = decide(report)
        if accepted:
            self.tools.step("accept")
            _check_unchanged(self.target)
            put_in_place(self.target.place, self.tools.step)
            self.fetcher.staging.discard()
        return accepted


@contextmanager
def running(target: Target, tools: Tools) -> Iterator[Session]:
    """A run with its lock and its connection; nothing is sent yet."""
    tools.step("begin")
    with held_alone(target.place), Wire(tools.address, tools.clock, tools.limits) as wire:
        _check_unchanged(target)
        several = len({title for title, _ in target.wanted}) > 1
        staging = Staging(target.place.work)
        yield Session(target, tools, Fetcher(wire, staging, tools.progress, several_titles=several))


def _check_unchanged(target: Target) -> None:
    """See that what is held is still what was read: another program may have been at work meanwhile.

    Raises:
        UsageError: it is another collection now.
        SnapshotError: it is none any more.

    """
    base = target.base
    if base is not None and load_collection(base.folder).sha256 != base.sha256:
        raise UsageError(
            f"{one_line(str(base.folder))} was changed by another program meanwhile.",
            "Nothing was replaced. Run the same command again.",
        )


@contextmanager
def writing(place: Place) -> Iterator[None]:
    """Turn a full disk or a closed folder into a message."""
    try:
        yield
    except OSError as error:
        reason = one_line(error.strerror or str(error))
        raise RegulationsError(
            f"{one_line(str(place.work))} cannot be written: {reason}.",
            f"{faults.UNTOUCHED} Make room or see to the folder's rights, then run the same command again.",
        ) from error
