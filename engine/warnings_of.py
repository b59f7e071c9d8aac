"""What a reader must know about the date and the texts, before the answer."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from engine import references
from engine.dates import find_days
from engine.model import Coverage, Status, Warning
from engine.safe import one_line
from engine.search.retriever import Method

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from engine.engine import Engine
    from engine.model import AnswerCard, SectionVersion
    from engine.reading import Tier

NEAR = timedelta(days=7)
"""Before the up-to-date day: the publisher runs a few business days behind, and patches afterwards."""
KEYWORDS_ONLY = "keyword_search_only"


def of_search(engine: Engine, as_of: date | None, method: Method) -> tuple[Warning, ...]:
    """The warnings of a bare search."""
    return (*_about_search(engine, method), *_about_day(engine, as_of))


def of_card(engine: Engine, card: AnswerCard) -> tuple[Warning, ...]:
    """The warnings of an answer, the gravest first."""
    made = [*_date_in_question(card)]
    if card.status is not Status.NOT_HELD:
        made += _about_day(engine, card.as_of)
        cited = {id(source.chunk.version): source.chunk.version for source in card.sources if source.in_force}
        for version in cited.values():
            made += _about_version(version, card.as_of)
        made += _conflicts(card)
        made += _references(engine, card)
        made += _notes(engine, card)
        made += _about_search(engine, Method(card.method))
    return tuple(made)


def _about_search(engine: Engine, method: Method) -> Iterator[Warning]:
    yield from engine.notices
    told = any(notice.kind == KEYWORDS_ONLY for notice in engine.notices)
    if method is Method.BM25 and not told:
        yield Warning(
            KEYWORDS_ONLY, "Only keywords were searched; other words for the same thing may be missed."
        )


def _about_day(engine: Engine, as_of: date | None) -> Iterator[Warning]:
    if as_of is None:
        return
    current_to = engine.collection.current_to
    if as_of > current_to:
        yield Warning(
            "after_snapshot",
            f"The texts are up to date to {current_to}. For {as_of} the latest versions are used; "
            "whether they were still in force then is not known here.",
        )
    elif engine.collection.coverage(as_of) is Coverage.INSIDE and current_to - as_of < NEAR:
        yield Warning(
            "near_current_to",
            f"{as_of} is close to {current_to}, the day the texts are up to date to; "
            "the publisher runs some business days behind.",
        )


def _about_version(version: SectionVersion, as_of: date) -> Iterator[Warning]:
    for notice in version.text.notices:
        cited = f" ({notice.citation})" if notice.citation else ""
        published = f" on {notice.published}" if notice.published else ""
        until = f" The version used is in force until {version.effective_to}." if version.effective_to else ""
        yield Warning(
            "pending_amendment",
            f"{version.citation}: an amendment was published{published}{cited} "
            f"and is not the rule on {as_of}.{until}",
        )


def _conflicts(card: AnswerCard) -> Iterator[Warning]:
    """Two passages in force that give different amounts for the same case."""
    reading = card.context.reading if card.context else None
    for rule, other in reading.conflicts if reading else ():
        place = f"{other.chunk.version.citation}{other.label}"
        yield Warning(
            "conflict",
            f"{place}, in force on {card.as_of} as well, gives {_amount(other)} where "
            f"{rule.chunk.version.citation}{rule.label} gives {_amount(rule)} for the same case.",
        )


def _references(engine: Engine, card: AnswerCard) -> Iterator[Warning]:
    """Sections and paragraphs that the question names and the day does not have, beside what is answered."""
    if card.status is Status.ANSWERED:
        for fault in references.faults(card.question, engine.timelines, card.as_of):
            yield Warning("no_such_reference", fault)


def _amount(tier: Tier) -> str:
    return "no compensation" if tier.cap is None else f"{tier.percent} percent and ${tier.cap:,}"


def _notes(engine: Engine, card: AnswerCard) -> Iterator[Warning]:
    for note in engine.notes:
        cited = [s for s in card.sources if note.bears_on(s.chunk.section, s.paragraphs, card.as_of)]
        if cited and card.status is Status.ANSWERED:
            places = ", ".join(dict.fromkeys(source.chunk.version.citation for source in cited))
            yield Warning(note.kind, f"{places}: {note.text} ({note.citation}, published {note.published})")


def _date_in_question(card: AnswerCard) -> Iterator[Warning]:
    history = card.context.history if card.context else None
    if history is not None and history.text == card.answer:
        return  # the days that it names are those that it is about
    found = find_days(card.question)
    if found and not any(day.may_be(card.as_of) for day in found):
        said = ", ".join(dict.fromkeys(f"“{one_line(day.text)}”" for day in found))
        yield Warning(
            "date_in_question_differs",
            f"The question says {said}; the date asked for is {card.as_of}. Check which is right.",
        )
        return
    others = dict.fromkeys(one_line(day.text) for day in found if not day.may_be(card.as_of))
    if others:
        said = ", ".join(f"“{text}”" for text in others)
        yield Warning(
            "several_dates",
            f"The question names {said} as well; this answer stands on {card.as_of} only. "
            "For another flight ask again with its date.",
        )
