"""What a reader sees of an answer, as JSON, as plain text and as Markdown, with every line from the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import baggage, checklist
from engine.checklist import checklist_lines
from engine.context import dates, header
from engine.facts import Route
from engine.model import Origin, Status
from engine.reading import as_json as reading_json, conflicts_json, dollars
from engine.safe import one_line, safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from engine.delays import Delay
    from engine.facts import Facts
    from engine.model import AnswerCard, Chunk, Dropped, Hit, Source
    from engine.reading import Tier

NOTICE = (
    "This is not legal advice. It quotes the regulations as they stood on the day named; "
    "the eCFR is not the official edition."
)
IN_FORCE = "✓ IN FORCE"
NOT_IN_FORCE = "✗ NOT IN FORCE"
_STATUS = {
    Status.ANSWERED: "Answer",
    Status.ABSTAINED: "No answer from these texts",
    Status.NOT_HELD: "Not held",
    Status.NO_RECORDING: "No recording",
    Status.FAILED: "Failed",
}
_STEPS = 3
"""Steps that are listed one by one; of more only the highest is."""
_ROUTES = {
    Route.WITHIN_US: "flight within the United States",
    Route.FROM_US: "flight from the United States abroad",
    Route.TO_US: "flight to the United States",
    Route.ABROAD: "flight between places abroad",
}


def to_json(card: AnswerCard) -> dict[str, Any]:
    """The card as the contract of `ask --json` has it."""
    reading = card.context.reading if card.context else None
    return {
        "question": card.question,
        "as_of": card.as_of.isoformat(),
        "coverage": card.coverage,
        "status": card.status,
        "reason": card.reason,
        "error": card.error,
        "answer": card.answer,
        "claims": [
            {"text": claim.text, "passages": list(claim.passages), "problems": list(claim.problems)}
            for claim in card.claims
        ],
        "sources": [source_json(source) for source in card.sources],
        "warnings": [{"kind": warning.kind, "text": warning.text} for warning in card.warnings],
        "dropped": [dropped_json(dropped) for dropped in card.dropped],
        "context": {
            "ids": list(card.context.ids) if card.context else [],
            "tokens": card.context.tokens if card.context else 0,
            "budget": card.context.budget if card.context else 0,
        },
        "usage": card.usage and {"tokens_in": card.usage.tokens_in, "tokens_out": card.usage.tokens_out},
        "facts": card.facts and card.facts.as_json(),
        "facts_corrected": list(card.corrected),
        "reading": _reading_json(card),
        "conflicts": conflicts_json(reading) if reading else [],
        "checklist": checklist.as_json(card),
        "answerer": card.answerer,
        "model": card.model,
        "method": card.method,
        "date_filter": card.date_filter,
        "snapshot": {
            "collection": card.snapshot.collection,
            "current_to": card.snapshot.current_to.isoformat(),
            "sha256": card.snapshot.sha256,
        },
        "timings_ms": dict(card.timings_ms),
        "notice": card.notice,
        "attribution": card.attribution,
    }


def _reading_json(card: AnswerCard) -> dict[str, Any] | None:
    """What compensation comes to, or what a bag does; None where neither was asked."""
    given = card.context
    if given and given.reading and card.facts:
        return reading_json(given.reading, card.facts)
    return baggage.as_json(given.limit) if given and given.limit else None


def place_json(chunk: Chunk) -> dict[str, Any]:
    """What names a passage: id, section, paragraphs and days."""
    version = chunk.version
    return {
        "id": chunk.id,
        "section": chunk.section,
        "paragraphs": chunk.paragraphs,
        "effective_from": version.effective_from.isoformat(),
        "effective_to": version.effective_to and version.effective_to.isoformat(),
    }


def source_json(source: Source) -> dict[str, Any]:
    """One source line."""
    version = source.chunk.version
    return {
        "number": source.number,
        **place_json(source.chunk),
        "paragraphs": source.paragraphs,
        "heading": version.heading,
        "effective_from_origin": version.from_origin,
        "in_force": source.in_force,
        "pending": version.pending,
        "url": version.url,
        "text": source.text,
    }


def dropped_json(dropped: Dropped) -> dict[str, Any]:
    """One passage that did not reach the answer."""
    return {
        **place_json(dropped.chunk),
        "reason": dropped.reason,
        "rank_without_filter": dropped.rank_without_filter,
        "detail": dropped.detail,
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """One result of `search --json`."""
    return {
        "rank": hit.rank,
        "score": round(hit.score, 6),
        **place_json(hit.chunk),
        "heading": hit.chunk.version.heading,
        "in_force": hit.in_force,
        "text": hit.chunk.body,
    }


def badge(source: Source, card: AnswerCard) -> str:
    """The word and symbol that say whether a source was in force on the card's day."""
    return IN_FORCE if source.in_force else f"{NOT_IN_FORCE} {card.as_of}"


def place_line(chunk: Chunk) -> str:
    """`[id] 14 CFR 250.5 (a), version 2021-08-02 to 2024-10-23`."""
    paragraphs = f" {chunk.paragraphs}" if chunk.paragraphs else ""
    return f"[{chunk.id}] {chunk.version.citation}{paragraphs}, version {dates(chunk.version)}"


def source_line(source: Source) -> str:
    """`14 CFR 250.5(a)(2), 2021-08-02 to 2024-10-23`."""
    version = source.chunk.version
    return f"{version.citation}{source.paragraphs and ' ' + source.paragraphs}, {dates(version)}"


def facts_lines(card: AnswerCard) -> tuple[str, ...]:
    """What was read from the question, to be confirmed, and what it comes to: at most three lines.

    For a passenger that is the step of compensation, for a bag the limit of liability.
    The texts' own words in them are as they stand: make them safe where they are shown.
    """
    reading = card.context.reading if card.context and card.status is Status.ANSWERED else None
    read = list(_read(card.facts)) if card.facts else []
    limit = card.context.limit if card.context and card.status is Status.ANSWERED else None
    open_facts = reading.open_facts if reading else limit.open_facts if limit else ()
    if not read and not open_facts and not card.corrected:
        return ()
    said = f"Read from the question: {'; '.join(read) or 'nothing that decides'}."
    if card.corrected:
        said = f"{said} Stated by the asker: {', '.join(card.corrected)}."
    lines = [f"{said} Not said: {', '.join(open_facts)}." if open_facts else said]
    lines += baggage.lines(limit) if limit and not reading else ()
    tiers = [tier for tier in reading.tiers if tier.chunk.version.in_force(card.as_of)] if reading else []
    if tiers:
        lines.append(_steps(tiers))
    fare = card.facts.basis if card.facts else None
    if fare is not None and len(tiers) == 1 and tiers[0].cap is not None:
        lines.append(_derived(tiers[0], fare, tiers[0].cap))
    return tuple(lines)


def _read(facts: Facts) -> Iterator[str]:
    """Each fact that was read, in words."""
    if facts.route is not None:
        yield _ROUTES[facts.route]
    if facts.delay is not None:
        yield _late(facts.delay)
    if facts.no_alternate:
        yield "no alternate transportation offered"
    if facts.fare is not None:
        yield f"one-way fare {dollars(facts.fare)}"
    if facts.award:
        yield "award or free ticket"
    if facts.seats is not None:
        yield f"aircraft of {facts.seats} seats"
    if facts.charter:
        yield "charter flight"
    if facts.cabin is not None:
        yield f"{facts.cabin.replace('_', ' ')} cabin"
    if facts.voluntary is not None:
        yield "gave up the seat as a volunteer" if facts.voluntary else "not a volunteer"


def _late(delay: Delay) -> str:
    kind = {True: "planned arrival", False: "actual arrival", None: "arrival"}[delay.planned]
    if delay.most is None:
        return f"{kind} {delay.least} minutes late or more"
    if delay.most == delay.least:
        return f"{kind} {delay.least} minutes late"
    return f"{kind} {delay.least} to {delay.most} minutes late"


def _steps(tiers: list[Tier]) -> str:
    if len(tiers) == 1:
        return f"Step: {_step(tiers[0], ' of the one-way fare', f', {dates(tiers[0].chunk.version)}')}."
    if len(tiers) > _STEPS:
        return f"Steps that fit: {len(tiers)}; the highest is {_step(max(tiers, key=_height))}."
    return f"Steps that fit: {' or '.join(map(_step, tiers))}."


def _height(tier: Tier) -> Decimal:
    return tier.percent


def _step(tier: Tier, of: str = "", days: str = "") -> str:
    place = f"{tier.chunk.version.citation}{tier.label}{days}"
    if tier.cap is None:
        return f"no compensation ({place})"
    return f"{tier.percent:f} %{of}, at most {dollars(tier.cap)} ({place})"


def _derived(tier: Tier, fare: Decimal, cap: Decimal) -> str:
    share = fare * tier.percent / 100
    sum_ = f"{tier.percent:f} % of {dollars(fare)} = {dollars(share)}, the limit is {dollars(cap)}"
    return f"Worked out: {sum_}: {dollars(tier.amount(fare))}."


def to_text(card: AnswerCard) -> str:
    """The card as plain text, safe for a terminal: warnings first, notice and attribution last."""
    lines = [f"Question: {one_line(card.question)}", f"As of:    {card.as_of}", ""]
    if not card.date_filter:
        lines += ["! DATE FILTER OFF: passages of any version may appear. For comparison only.", ""]
    lines += [f"! {warning.text}" for warning in card.warnings]
    lines += [""] if card.warnings else []
    lines.append(f"{_STATUS[card.status]}:")
    lines += [safe_text(card.answer or card.error or ""), ""]
    facts = facts_lines(card)
    lines += [*facts, ""] if facts else []
    head, *items = checklist_lines(card) or ("",)
    lines += [head, *(f"- {item}" for item in items), ""] if items else []
    for claim in card.claims:
        lines += [f"! Check of “{one_line(claim.text)[:60]}…”: {problem}" for problem in claim.problems]
    for source in card.sources:
        lines += [
            f"[{source.number}] {source_line(source)}  {badge(source, card)}",
            f"    {source.chunk.version.heading}",
            f"    {source.chunk.version.url}",
        ]
        if source.chunk.version.from_origin is Origin.AT_OR_BEFORE:
            lines.append("    (the first version that is held: it may have begun earlier)")
    lines += [""] if card.sources else []
    lines += _dropped_lines(card)
    model = f", model {one_line(card.model)}" if card.model else ""
    lines.append(f"Answered by {card.answerer}{model}; search: {card.method}.")
    lines += [card.notice, card.attribution]
    return safe_text("\n".join(lines))


def _dropped_lines(card: AnswerCard) -> list[str]:
    lines = []
    for dropped in card.dropped:
        place = f"{dropped.chunk.version.citation} {dropped.chunk.paragraphs}".rstrip()
        would = f" (would have been no. {dropped.rank_without_filter})" if dropped.rank_without_filter else ""
        lines.append(f"Dropped, {dropped.reason.replace('_', ' ')}: {place}: {dropped.detail}{would}")
    return [*lines, ""] if lines else []


def to_markdown(card: AnswerCard) -> str:
    """The card as Markdown, for a report or a file."""
    lines = [f"## {_STATUS[card.status]} as of {card.as_of}", ""]
    if not card.date_filter:
        lines += ["**DATE FILTER OFF: passages of any version may appear. For comparison only.**", ""]
    lines += [f"> **{markdown_safe(warning.text)}**\n" for warning in card.warnings]
    lines += [f"{markdown_safe(card.answer or card.error or '')}", ""]
    facts = [f"- {markdown_safe(line)}" for line in facts_lines(card)]
    lines += [*facts, ""] if facts else []
    head, *items = checklist_lines(card) or ("",)
    lines += [f"**{head}**", "", *(f"- {markdown_safe(line)}" for line in items), ""] if items else []
    for claim in card.claims:
        lines += [f"- Check: {markdown_safe(problem)}" for problem in claim.problems]
    for source in card.sources:
        lines.append(
            f"{source.number}. {markdown_safe(source_line(source))} — **{badge(source, card)}**, "
            f"<{source.chunk.version.url}>"
        )
    lines += ["", f"*{card.notice}*", "", f"*{card.attribution}*"]
    return safe_text("\n".join(lines))


def passage_text(chunk: Chunk) -> str:
    """One passage with its header, safe for a terminal."""
    return safe_text(f"{header(chunk)}\n{chunk.version.heading}\n\n{chunk.body}\n\n{chunk.version.url}")


def markdown_safe(text: str) -> str:
    """Keep Markdown from reading marks, links or HTML into words that are not ours."""
    for mark in "\\`*_[]<>#|~":
        text = text.replace(mark, f"\\{mark}")
    return text
