"""The sentences in which the history of a rule is told: short, each with the versions and their days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.context import dates
from engine.model import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from engine.changes import AmountChange, Difference
    from engine.history_question import Span
    from engine.model import SectionVersion
    from engine.quantities import Quantity

_MOST_LABELS = 8
"""Paragraphs that are named one by one; of more the rest is counted."""


def told(change: Difference, path: str, *, amounts_only: bool = False) -> str:
    """One change of a section: what amounts became, then the paragraphs that came, went or read otherwise."""
    before, after = change.before, change.after
    place = f"{after.citation}{path}"
    if not before.text.rule_blocks or not after.text.rule_blocks:
        what = _of_empty(before, after)
    else:
        what = "; ".join(_parts(change, path, amounts_only=amounts_only))
    return f"{place}, {after.effective_from}: {what} (version {dates(before)} \u2192 version {dates(after)})."


def _of_empty(before: SectionVersion, after: SectionVersion) -> str:
    """A change of a section that holds no rule on one side."""
    if after.text.rule_blocks:
        was = "was reserved" if before.text.reserved else "held no rule"
        return f"a rule came in; before, the section {was}"
    if before.text.rule_blocks:
        return "the rule was taken out"
    return "the heading changed; the section held no rule"


def _parts(change: Difference, path: str, *, amounts_only: bool) -> Iterable[str]:
    for one in change.amounts:
        yield f"{named(one.labels, path)}{became(one)}"
    if amounts_only:
        return
    for verb, labels in (
        ("added", change.added),
        ("removed", change.removed),
        ("reworded", change.reworded),
    ):
        if labels:
            shown = [label or "the unlabelled text" for label in labels if label != path or not path]
            yield f"{verb} {listed(shown)}".rstrip()
    if change.heading:
        yield "the heading reads otherwise"


def became(change: AmountChange) -> str:
    """`$675 → $775`; what has no counterpart is said to have come or gone."""
    gone, came = amounts(change.gone), amounts(change.came)
    if not came:
        return f"{gone} taken out"
    return f"{gone} \u2192 {came}" if gone else f"{came} put in"


def named(labels: Sequence[str], path: str = "") -> str:
    """Labels before what is said of them; nothing where the place names them already."""
    shown = [label for label in labels if label and label != path]
    return f"{listed(shown)} " if shown else ""


def listed(labels: Sequence[str]) -> str:
    """Labels one after the other, of many the first ones."""
    rest = len(labels) - _MOST_LABELS
    shown = ", ".join(labels[:_MOST_LABELS])
    return f"{shown} and {rest} more" if rest > 0 else shown


def amounts(found: Iterable[Quantity]) -> str:
    """Amounts as they are written in the texts."""
    return ", ".join(amount.text for amount in found)


def days_of_run(first: SectionVersion, last: SectionVersion) -> str:
    """From which day to which, as far as anybody can tell."""
    held = first.from_origin is Origin.AT_OR_BEFORE
    begun = f"{first.effective_from} at least (earlier texts are not held)" if held else first.effective_from
    return f"since {begun}" if last.effective_to is None else f"from {begun} to {last.effective_to}"


def versions_of_run(first: SectionVersion, last: SectionVersion) -> str:
    """The versions that a run of days begins and ends with."""
    if first is last:
        return f"version {dates(first)}"
    return f"first version {dates(first)}, last version {dates(last)}"


def span_line(span: Span, held_from: date, current_to: date) -> str:
    """The line above the changes: within which days, and which of these nothing is held of."""
    if span.last < held_from:
        return f"Of days before {held_from} no text is held, so nothing can be said of what changed then."
    if span.first > current_to:
        return f"The texts are up to date to {current_to}; what changed later is not known here."
    first, last = max(span.first, held_from), min(span.last, current_to)
    line = f"Changes on {first}" if first == last else f"Changes from {first} to {last}"
    if span.first < held_from:
        line += f" (of days before {held_from} nothing is held)"
    if span.last > current_to:
        line += f" (the texts are up to date to {current_to})"
    return f"{line}:"
