"""From which day to which an amount or a paragraph stood in a section, across versions that keep it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from engine import history_words as say
from engine.changes import amounts_of, folded_at, money_of, paragraphs
from engine.context import dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from engine.history_target import Place, Target
    from engine.model import SectionVersion
    from engine.quantities import Quantity

_DAY = timedelta(days=1)
_ALIKE = 0.5
"""Share of words in common from which a paragraph of the same label is the same paragraph, reworded."""


@dataclass(frozen=True, slots=True)
class Run:
    """One statement about days, with what it rests on."""

    text: str
    places: tuple[Place, ...]
    labels: tuple[str, ...]
    open: bool
    """Whether no later version ends it."""

    def tail(self, current_to: date) -> str:
        """What is added when it goes on."""
        return f" Still in force on {current_to}, the last day of these texts." if self.open else ""


def amount_runs(target: Target, day: date) -> Iterator[Run]:
    """Since when and until when amounts stood in the paragraphs that have them, those of one run together."""
    for amount in target.amounts:
        grouped: dict[tuple[int, int], list[str]] = {}
        for label in _labels(target):
            holding = [amount in _amounts_at(version, label) for version in target.line.versions]
            run = _run(target, holding, day)
            if run is not None:
                grouped.setdefault(run, []).append(label)
        versions = target.line.versions
        begun = {run for run in grouped if versions[run[0]].effective_from <= day}
        for run, labels in grouped.items():
            if run in begun or not begun:
                yield _of_amount(target, amount, run, labels, day)


def paragraph_run(target: Target, day: date) -> Iterator[Run]:
    """Since when a paragraph, or the rule of a section, stands there; its rewordings are no break."""
    versions, label = target.line.versions, target.path
    known = [version for version in versions if paragraphs(version.text, label)]
    if not known:
        return
    begun = [version for version in known if version.effective_from <= day]
    words = _word_set(paragraphs((begun[-1] if begun else known[0]).text, label))
    run = _run(target, [_alike(words, _word_set(paragraphs(v.text, label))) for v in versions], day)
    assert run is not None
    first, last = versions[run[0]], versions[run[1]]
    place = f"{first.citation}{label}"
    text = f"{place} stands in the texts {say.days_of_run(first, last)} ({say.versions_of_run(first, last)})."
    reworded = _reworded(versions[run[0] : run[1] + 1], label, day)
    places: list[Place] = [(first, label, ()), (last, label, ())]
    if reworded is not None:
        text += f" Last reworded on {reworded.effective_from} (version {dates(reworded)})."
        places.append((reworded, label, ()))
    before = _before(target, run)
    if before is not None:
        what = "no such paragraph" if before.text.rule_blocks else "the section held no rule"
        text += f" Before: {what} (version {dates(before)})."
        places.append((before, "", ()))
    yield Run(_dated(text, first, day), tuple(places), (label,), _open(first, last, day))


def _of_amount(
    target: Target, amount: Quantity, run: tuple[int, int], labels: Sequence[str], day: date
) -> Run:
    versions = target.line.versions
    first, last = versions[run[0]], versions[run[1]]
    written = next(one for one in _amounts_at(first, labels[0]) if one == amount)
    text = (
        f"{first.citation}{say.listed(labels)}: {written.text} {say.days_of_run(first, last)} "
        f"({say.versions_of_run(first, last)})."
    )
    places: list[Place] = [(version, label, (amount,)) for version in (first, last) for label in labels]
    sides = [("Before", _before(target, run))]
    if last.effective_to is not None and last.effective_to < day:
        sides.append(("After", _after(target, run)))
    for word, version in sides:
        others = () if version is None else _others(version, first, labels)
        if version is not None and others:
            text += f" {word}: {say.amounts(others)} (version {dates(version)})."
            places += [(version, label, others) for label in labels]
    return Run(_dated(text, first, day), tuple(places), tuple(labels), _open(first, last, day))


def _open(first: SectionVersion, last: SectionVersion, day: date) -> bool:
    return last.effective_to is None and first.effective_from <= day


def _dated(text: str, first: SectionVersion, day: date) -> str:
    """The statement, with a word of warning when its first version came after the asked day."""
    return f"Not in force on {day}: {text}" if first.effective_from > day else text


def _labels(target: Target) -> list[str]:
    """Every label under the target's path in any version, in order of first appearance."""
    versions = target.line.versions
    return list(
        dict.fromkeys(label for version in versions for label in paragraphs(version.text, target.path))
    )


def _amounts_at(version: SectionVersion, label: str) -> tuple[Quantity, ...]:
    return amounts_of(paragraphs(version.text, label).get(label, ""))


def _others(version: SectionVersion, first: SectionVersion, labels: Sequence[str]) -> tuple[Quantity, ...]:
    """The money that stood in the paragraphs of another version and does not stand in the run's."""
    found = (one for label in labels for one in money_of(paragraphs(version.text).get(label, "")))
    return tuple(dict.fromkeys(one for one in found if one not in _amounts_at(first, labels[0])))


def _run(target: Target, holding: Sequence[bool], day: date) -> tuple[int, int] | None:
    """Places of the first and last version of the run at the day, else before it, else after it."""
    runs: list[tuple[int, int]] = []
    versions = target.line.versions
    for place, version in enumerate(versions):
        if not holding[place]:
            continue
        joined = runs and runs[-1][1] == place - 1 and _touch(versions[place - 1], version)
        if joined:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    begun = [run for run in runs if versions[run[0]].effective_from <= day]
    if begun:
        return begun[-1]
    return runs[0] if runs else None


def _touch(before: SectionVersion, after: SectionVersion) -> bool:
    return before.effective_to == after.effective_from - _DAY


def _before(target: Target, run: tuple[int, int]) -> SectionVersion | None:
    versions = target.line.versions
    if run[0] and _touch(versions[run[0] - 1], versions[run[0]]):
        return versions[run[0] - 1]
    return None


def _after(target: Target, run: tuple[int, int]) -> SectionVersion | None:
    versions = target.line.versions
    if run[1] + 1 < len(versions) and _touch(versions[run[1]], versions[run[1] + 1]):
        return versions[run[1] + 1]
    return None


def _reworded(versions: Sequence[SectionVersion], label: str, day: date) -> SectionVersion | None:
    """The last version of a run, begun by the day, that reads otherwise than the one before it."""
    found = None
    for before, after in pairwise(versions):
        if after.effective_from <= day and folded_at(before, label) != folded_at(after, label):
            found = after
    return found


def _word_set(texts: dict[str, str]) -> frozenset[str]:
    return frozenset(word for text in texts.values() for word in text.casefold().split())


def _alike(some: frozenset[str], others: frozenset[str]) -> bool:
    return some == others or len(some & others) >= _ALIKE * len(some | others)
