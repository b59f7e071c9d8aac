"""Honest words for the cases in which nothing is answered; none of them holds an amount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.model import Answer, Reason, StandingKind, Status
from engine.sources.numbers import normalise_section

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from engine.model import Chunk, SectionVersion, Standing
    from engine.search.words import Topic


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A paragraph without a counterpart in force on the asked day."""

    chunk: Chunk
    """Of the version nearest to the asked day that has the paragraph."""
    label: str
    standing: Standing
    """Where the section stands on the asked day."""


def not_held(day: date, history_start: date) -> Answer:
    """Nothing is held for a day before the history."""
    return Answer(
        Status.NOT_HELD,
        f"The texts held here begin on {history_start}. No version is held for {day}, and no other "
        "version is used in its place.",
    )


def nothing_in_force(day: date) -> Answer:
    """No section at all is in force on the day."""
    return Answer(
        Status.ABSTAINED, f"No section held here was in force on {day}.", reason=Reason.NOTHING_FITS
    )


def nothing_fits(day: date) -> Answer:
    """Search found no passage that speaks about the question."""
    return Answer(
        Status.ABSTAINED,
        f"No passage in force on {day} says anything about this. Try other words, or the section's number.",
        reason=Reason.NOTHING_FITS,
    )


def unknown(what: str, day: date) -> Answer:
    """The question names a section or paragraph that no text has, or nothing that any text speaks about."""
    if not what:
        return nothing_fits(day)
    named = normalise_section(what)
    place = f"section {what} in these texts"
    if named and named.label:
        place = f"paragraph {named.label} of section {named.section} in these texts"
    return Answer(
        Status.ABSTAINED,
        f"There is no {place}, on {day} or on any other day. Check the number.",
        reason=Reason.NOTHING_FITS,
    )


def outside(topic: Topic, rests_on: tuple[str, ...]) -> Answer:
    """The question is about something that the texts leave to other rules."""
    return Answer(
        Status.ABSTAINED,
        f"These texts do not cover this ({topic.name}). {topic.says}",
        reason=Reason.NOT_COVERED,
        rests_on=rests_on,
    )


def out_of_scope(why: str, scope: Sequence[Chunk]) -> Answer:
    """The trip is outside the part, by the words of its scope passages."""
    quoted = " ".join(f"{chunk.version.citation}: \u201c{chunk.body}\u201d" for chunk in scope[:1])
    return Answer(
        Status.ABSTAINED,
        f"{why} {quoted} What other rules say is not held here.".replace("  ", " "),
        reason=Reason.OUT_OF_SCOPE,
        rests_on=tuple(chunk.id for chunk in scope),
    )


def empty(day: date, chunk: Chunk, label: str = "") -> Answer:
    """The section that fits holds its number and no rule on the day, or a named paragraph its letter."""
    return Answer(
        Status.ABSTAINED,
        f"{_held_no_rule(chunk.version, day, label)} No such rule was in force.",
        reason=Reason.ABSENT,
        rests_on=(chunk.id,),
    )


def absent(day: date, found: Elsewhere) -> Answer:
    """The only text that fits is of another day."""
    version = found.chunk.version
    place = f"{version.citation}{found.label}"
    if version.effective_from > day:
        when = f"{place}, which is about this, came into force on {version.effective_from}"
    else:
        when = f"{place}, which was about this, was in force until {version.effective_to}"
    on_the_day = found.standing.version
    there = ""
    if on_the_day is not None and not on_the_day.text.rule_blocks:
        there = f" {_held_no_rule(on_the_day, day)}"
    elif found.standing.kind is StandingKind.NOT_YET:
        there = f" There was no section {version.section} yet."
    elif found.standing.kind is StandingKind.GAP:
        there = f" Section {version.section} was not there on that day."
    return Answer(
        Status.ABSTAINED,
        f"No such rule was in force on {day}.{there} {when}.",
        reason=Reason.ABSENT,
        rests_on=(found.chunk.id,),
    )


def _held_no_rule(version: SectionVersion, day: date, label: str = "") -> str:
    reserved = label or version.text.reserved
    what = "was reserved" if reserved else f"had only the placeholder heading “{version.heading}”"
    return f"{version.citation}{label} {what} on {day}: it held no rule."
