"""The history of a rule, read from its timeline: what changed, since when, until when, what is to come.

Every statement is made here from the texts, with the passages of each version that it names. A version
of another day keeps its badge; what is published and not in force is told as that only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from engine import history_words as say
from engine.changes import difference
from engine.context import dates
from engine.history_question import HistoryQuestion, Span, Wants, read_question
from engine.history_runs import amount_runs, paragraph_run
from engine.history_target import Target, passages, targets_of
from engine.model import Change, Claim, Origin
from engine.quantities import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.changes import Difference
    from engine.history_target import Search
    from engine.model import Chunk, Question
    from engine.versions import Timeline

_DAY = timedelta(days=1)
FEW = 3
"""Sections of which each change is told in full; of more the amounts are, and the rest is listed."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a history with the passages that it rests on."""

    text: str
    chunks: tuple[Chunk, ...]
    labels: tuple[str, ...] = ()
    tail: str = ""
    """What is true of the collection and stands in no passage."""


@dataclass(frozen=True, slots=True)
class HistoryReading:
    """What the timelines say about a question of history."""

    claims: tuple[Claim, ...]
    """Empty when nothing in the texts of any day is what the question speaks of."""
    text: str
    """The answer as it is read aloud: the claims, the first one under the line that says of which days."""
    chunks: tuple[Chunk, ...]
    """The passages that the claims cite, once each."""
    firm: bool
    """Whether the question names its section or amount; else search chose the passage in force."""
    known: frozenset[Quantity] = frozenset()
    """Days that a claim may name though no passage has them: the asked ones, and the ends of the texts."""
    held: bool = True
    """False when no text is held of any of the asked days."""

    def made(self, claim: Claim) -> bool:
        """Whether a claim is one of this reading, to the letter: no model can make one."""
        return replace(claim, problems=()) in self.claims


def read_history(
    asked: Question, timelines: Sequence[Timeline], chunks: Sequence[Chunk], search: Search
) -> HistoryReading | None:
    """Read the history that a question asks for; None when it asks for none, or for none that is held.

    Args:
        asked: the question and its day.
        timelines: of every section.
        chunks: of every version.
        search: is used where the question names neither a section nor an amount.

    """
    wanted = read_question(asked.text, asked.as_of)
    if wanted is None:
        return None
    found = targets_of(wanted, asked, timelines, search)
    if found is None:
        return None
    return _Teller(asked.as_of, wanted, chunks).reading(found.targets, firm=found.firm)


@dataclass(frozen=True)
class _Teller:
    """Makes the statements of one question."""

    day: date
    wanted: HistoryQuestion
    chunks: Sequence[Chunk]

    def reading(self, targets: Sequence[Target], *, firm: bool) -> HistoryReading:
        """What the timelines say of the targets, in the form that the question wants."""
        span, head = self._span(), ""
        if self.wanted.wants is Wants.CHANGES:
            line = targets[0].line
            head = say.span_line(span, line.held_from, line.current_to)
            if span.last < line.held_from or span.first > line.current_to:
                return HistoryReading((), head, (), firm, held=False)
        if head and len(targets) > FEW:
            made = list(self._many(targets))
        else:
            made = [one for target in targets for one in self._statements(target)]
        texts = [f"{one.text}{one.tail}" for one in made] or [self._nothing()]
        texts[0] = f"{head}\n{texts[0]}" if head else texts[0]
        claims = (
            Claim(text, tuple(chunk.id for chunk in one.chunks), labels=one.labels)
            for text, one in zip(texts, made, strict=False)
        )
        return HistoryReading(
            tuple(claims),
            "\n".join(texts),
            tuple({chunk.id: chunk for one in made for chunk in one.chunks}.values()),
            firm,
            frozenset(map(Quantity.of_day, self._bounds(targets))),
        )

    def _bounds(self, targets: Sequence[Target]) -> set[date]:
        """The days that stand in no passage: those that were asked about, and the ends of what is held."""
        held = {day for target in targets for day in (target.line.held_from, target.line.current_to)}
        return {self._span().first, self._span().last, *held}

    def _nothing(self) -> str:
        if self.wanted.amounts:
            return f"{say.amounts(self.wanted.amounts)} stands in no text held here for this."
        if self.wanted.wants is Wants.RUN:
            return "No version that is held has this rule."
        return f"No version is in force on {min(self.day, self._span().last)}."

    def _statements(self, target: Target) -> Iterator[Statement]:
        if self.wanted.wants is Wants.RUN:
            runs = amount_runs(target, self.day) if target.amounts else paragraph_run(target, self.day)
            for run in runs:
                yield Statement(
                    run.text,
                    passages(self.chunks, run.places),
                    run.labels[:1],
                    run.tail(target.line.current_to),
                )
        elif self.wanted.wants is Wants.COMING:
            yield from self._coming(target)
        else:
            yield from self._changes(target)

    def _span(self) -> Span:
        return self.wanted.span or Span(date.min, self.day)

    def _differences(self, target: Target) -> Iterator[Difference]:
        """Each version whose first day lies within the asked days, against the one before it."""
        span = self._span()
        for before, after in target.pairs():
            if span.first <= after.effective_from <= span.last:
                yield difference(before, after, target.path)

    def _changes(self, target: Target) -> Iterator[Statement]:
        every = list(self._differences(target))
        found = [one for one in every if one.change is Change.TEXT and not one.empty]
        moved = [one for one in found if one.amounts]
        amounts_only = target.of_amount and bool(moved)
        if amounts_only:
            found = moved
        if self.wanted.wants is Wants.LAST:
            found = found[-1:]
        for one in found:
            yield self._changed(one, target.path, amounts_only=amounts_only)
        came_or_went = list(self._came_or_went(target))
        yield from came_or_went
        if not found and not came_or_went:
            yield from self._unchanged(target)
        if self.wanted.wants is Wants.CHANGES and not amounts_only:
            yield from self._without_substance(every)

    def _changed(self, one: Difference, path: str, *, amounts_only: bool = False) -> Statement:
        old = [(label, change.gone) for change in one.amounts for label in change.labels]
        new = [(label, change.came) for change in one.amounts for label in change.labels]
        old = old or [(label, ()) for label in (*one.removed, *one.reworded, path)[:1]]
        new = new or [(label, ()) for label in (*one.added, *one.reworded, path)[:1]]
        places = [*((one.before, *place) for place in old), *((one.after, *place) for place in new)]
        text = say.told(one, path, amounts_only=amounts_only)
        return Statement(text, passages(self.chunks, places), tuple(label for label, _ in old))

    def _came_or_went(self, target: Target) -> Iterator[Statement]:
        """Days on which a section came into being or was taken away."""
        span, versions = self._span(), target.line.versions
        joined = {id(version) for pair in target.pairs() for version in pair[1:]}
        followed = {id(version) for pair in target.pairs() for version in pair[:1]}
        for version in versions:
            cited = passages(self.chunks, [(version, target.path, ())])
            first, ended = version.effective_from, version.effective_to
            new = version.from_origin is Origin.EXACT and id(version) not in joined
            if new and span.first <= first <= span.last:
                yield Statement(f"{version.citation} came in on {first} (version {dates(version)}).", cited)
            gone = (
                ended is not None and id(version) not in followed and span.first <= ended + _DAY <= span.last
            )
            if gone:
                text = f"{version.citation} was in force until {ended} (version {dates(version)})."
                yield Statement(text, cited)

    def _unchanged(self, target: Target) -> Iterator[Statement]:
        span, line = self._span(), target.line
        version = line.text_on(span.last)
        if version is not None:
            place = f"{version.citation}{target.path}"
            text = f"{place}: no change of the words (version {dates(version)})."
            yield Statement(text, passages(self.chunks, [(version, target.path, ())]))
        elif line.versions[0].effective_from > span.last:
            first = line.versions[0]
            text = f"{first.citation} was not in force yet; it came in later (version {dates(first)})."
            yield Statement(text, passages(self.chunks, [(first, target.path, ())]))

    def _without_substance(self, every: Sequence[Difference]) -> Iterator[Statement]:
        """Versions that a notice alone, or typography alone, sets apart."""
        for kind, what in (
            (Change.NOTICE, "only the publisher's notice of an amendment differs"),
            (Change.TYPOGRAPHIC, "only typography changed"),
        ):
            versions = [one.after for one in every if one.change is kind]
            if versions:
                days = " and ".join(str(version.effective_from) for version in versions)
                text = f"{versions[0].citation}, {days}: {what}; the rule stayed the same."
                yield Statement(text, passages(self.chunks, [(version, "", ()) for version in versions]))

    def _many(self, targets: Sequence[Target]) -> Iterator[Statement]:
        """Of many sections the amounts one by one, the other changes by day."""
        found = [one for target in targets for one in self._differences(target) if one.change is Change.TEXT]
        rest: dict[date, list[Difference]] = {}
        for one in found:
            if one.amounts:
                yield self._changed(one, "", amounts_only=True)
            else:
                rest.setdefault(one.after.effective_from, []).append(one)
        for day, changes in sorted(rest.items()):
            cited = [chunk for one in changes for chunk in self._changed(one, "").chunks[-1:]]
            yield Statement(f"{day}, words and no amount: {_sections(cited)}.", tuple(cited))
        came_or_went = [one for target in targets for one in self._came_or_went(target)]
        yield from came_or_went
        if not found and not came_or_went:
            day = self._span().last
            there = [text for target in targets if (text := target.line.text_on(day))]
            cited = list(passages(self.chunks, [(version, "", ()) for version in there]))
            yield Statement(f"No words of a rule changed in {_sections(cited)}.", tuple(cited))

    def _coming(self, target: Target) -> Iterator[Statement]:
        version = target.line.text_on(self.day)
        if version is None:
            return
        held, place = (version, target.path, ()), f"{version.citation}{target.path}"
        if not version.text.notices:
            text = f"{place}: no amendment to come is announced (version {dates(version)})."
            yield Statement(text, passages(self.chunks, [held]))
            return
        notice = version.text.notices[0]
        text = (
            f"{place}: \u201c{notice.text}\u201d It is not the rule on {self.day} (version {dates(version)})."
        )
        yield Statement(text, passages(self.chunks, [(version, "", ()), held]))
        later = (pair for pair in target.pairs() if pair[1].effective_from > self.day)
        to_come = (difference(*pair, target.path) for pair in later)
        change = next((one for one in to_come if one.change is Change.TEXT), None)
        if change is not None and not change.empty:
            made = self._changed(change, target.path)
            yield replace(made, text=f"To come, not in force on {self.day}: {made.text}")


def _sections(cited: Sequence[Chunk]) -> str:
    return ", ".join(chunk.section for chunk in cited)
