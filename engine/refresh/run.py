"""The three things to do: refresh a collection, compare its rebuilt files with the publisher's, undo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.errors import UsageError
from engine.refresh.bringing import bring_rebuilt, bring_up
from engine.refresh.plan import check_direction
from engine.refresh.session import no_step, running, writing
from engine.refresh.swap import held_alone, put_back
from engine.safe import one_line
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.refresh.report import Report
    from engine.refresh.session import Decide, Tools
    from engine.refresh.swap import Place
    from engine.refresh.target import Target
    from engine.snapshot import Collection


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    report: Report | None
    """None when there was nothing to fetch."""
    applied: bool


def refresh(target: Target, tools: Tools, decide: Decide) -> Outcome:
    """Bring a collection up to the publisher's day, or make one.

    Raises:
        PublisherError: the publisher cannot be reached, or does not give what was asked for.
        SnapshotError: what it gives is not fit to be used.
        UsageError: the folder cannot be written to, another refresh is at work, or the publisher is
            behind what is held.

    """
    with running(target, tools) as run:
        states = run.states()
        asked = run.fetcher.wire.requests
        base = target.base
        if base is not None:
            check_direction(base, states)
            if {state.current_to for state in states.values()} == {base.current_to}:
                return Outcome(None, applied=False)
        with writing(target.place):
            run.begin("refresh", states)
            files = bring_up(run, states)
        run.finish(states, asked)
        report = run.report(files)
        return Outcome(report, run.conclude(report, decide))


def compare_upstream(target: Target, tools: Tools, decide: Decide) -> Outcome:
    """Compare the rebuilt files of a collection with the publisher's bytes; they replace them if accepted.

    Raises:
        PublisherError: the publisher cannot be reached, or does not give what was asked for.
        SnapshotError: what it gives is not fit to be used.
        UsageError: the folder cannot be written to, or another refresh is at work.

    """
    base = target.base
    if base is None:
        raise UsageError("There is nothing to compare.", "Name a folder that holds a collection.")
    rebuilt = tuple(file for file in base.files if file.origin == "rebuilt" and file.kind != "titles")
    if not rebuilt:
        return Outcome(None, applied=False)
    with running(target, tools) as run:
        states = run.states()
        asked = run.fetcher.wire.requests
        with writing(target.place):
            run.begin("upstream", states)
            files, comparisons = bring_rebuilt(run, base, rebuilt)
        run.finish(states, asked)
        report = replace(run.report(files), files=comparisons)
        return Outcome(report, run.conclude(report, decide))


def undo(place: Place, tell: Callable[[str], None], *, stands_in: bool) -> Collection | None:
    """Put the collection as it was before the last refresh back; done again, the new one comes back.

    Args:
        place: where the collection lies.
        tell: is told what happened.
        stands_in: whether the shipped collection is in use where none lies at the place.

    Returns:
        The collection that is in use now; None for the shipped one.

    Raises:
        UsageError: there is none before it.
        SnapshotError: the one before it is not what its sums say any more.

    """
    with held_alone(place):
        if place.previous.exists():
            load_collection(place.previous)
        elif not (stands_in and place.current.exists()):
            raise UsageError(
                f"Beside {one_line(str(place.current))} no earlier collection is kept.",
                "There is one after a refresh that replaced something.",
            )
        put_back(place, no_step)
        if place.current.exists():
            tell(f"Put back: {place.current}. What was there is kept: --undo again exchanges them once more.")
            return load_collection(place.current)
        tell("The shipped texts are in use again. The refreshed ones are kept: --undo brings them back.")
        return None
