"""An answer card drawn: warnings first, then the answer, what it rests on, notice and attribution last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

import engine
from engine import one_line
from tui.drawing import badges
from tui.drawing.badges import plain
from tui.drawing.redline import amounts_in
from tui.words import span

if TYPE_CHECKING:
    from datetime import date

    from engine import AnswerCard, Claim, Dropped, Source
    from tui.desk import Entry

_STATUS = {
    "answered": "Answer",
    "abstained": "No answer from these texts",
    "not_held": "Not held",
    "no_recording": "No recording",
    "failed": "Failed",
}
METHODS = {
    "bm25": "keywords",
    "dense": "meaning",
    "hybrid": "keywords and meaning",
    "rerank": "meaning, word by word",
}
"""The search methods in words; the engine's own name stands beside them."""
GROUPS = {
    "not_in_force": "In other versions",
    "near_duplicate": "Nearly the same text",
    "over_budget": "Too long to fit",
    "below_top_k": "Fitting less well",
}
"""Why passages were dropped, in the order in which they are shown."""


def title(entry: Entry, *, opened: bool) -> Content:
    """The line that a card is folded to: its day, its state and what was asked."""
    request = entry.request
    arrow = "▼" if opened else "▶"
    parts = [Content.styled(f"{arrow} {request.as_of} {request.as_of:%a}", "bold"), Content("  ")]
    if not request.date_filter:
        parts += [badges.styled("DATE FILTER OFF", "not-in-force"), Content(" ")]
    if request.facts:
        # The facts themselves stand below the answer, as the engine read them.
        parts.append(plain(f"✎ you corrected: {', '.join(dict(request.facts))}  ", "bold $warn"))
    return Content.assemble(*parts, plain(one_line(request.question)))


def stale_line(entry: Entry, day: date | None) -> Content:
    """What a card says when the inputs have moved on."""
    if entry.request.as_of != day:
        why = f"it answers for {entry.request.as_of}, the date above is {day or 'not set'}"
    else:
        why = "the question above is another one"
    return Content.assemble(badges.styled("STALE", "stale"), f" {why}. Enter asks again.")


def status_line(entry: Entry) -> Content:
    """How the entry stands: asking, failed, cancelled, or which method answered."""
    card = entry.card
    if card is None:
        words = {"asking": "Searching …", "failed": "Failed:", "cancelled": ""}.get(entry.state, "")
        return Content.assemble(words, " " if words else "", plain(entry.note))
    head = Content.assemble(Content.styled(_STATUS[card.status], "bold underline"), " ", _standing(card))
    method = f"by {card.answerer}{f' ({card.model})' if card.model else ''} · "
    by = plain(f"{method}{METHODS.get(card.method, card.method)} ({card.method})", "$quiet")
    note = plain(f" — {entry.note}", "bold $warn") if entry.note else Content("")
    if entry.request.server and entry.state == "asking":
        waited = f", {entry.seconds} s" if entry.seconds else ""
        said = badges.styled(f"… {one_line(entry.note)}{waited}", "pending")
        note = Content.assemble("\n", said, " Esc cancels; until then the quoted answer stands")
    elif entry.request.server and entry.by != "live" and entry.note:
        failed = f"✗ no answer from {entry.request.server}, quoted instead: {entry.note}"
        note = plain(f"\n{failed}", "bold $bad")
    return Content.assemble(head, by, note)


def _standing(card: AnswerCard) -> Content:
    """The badge of the whole card: red as soon as one source is of another version."""
    if not card.sources:
        return Content(" ")
    held = all(one.in_force for one in card.sources)
    return badges.in_force() if held else badges.not_in_force(card.as_of)


def warning_lines(card: AnswerCard) -> Content:
    """The warnings, the gravest first; the date filter's before all others."""
    lines = []
    if not card.date_filter:
        off = " DATE FILTER OFF: passages of any version. For comparison only. "
        lines.append(Content.styled(off, "bold $not-in-force-text on $not-in-force-back"))
    lines += [
        Content.assemble(badges.styled("!", "pending"), " ", plain(warning.text, "$warn"))
        for warning in card.warnings
    ]
    return Content("\n").join(lines)


def claim(card: AnswerCard, one: Claim) -> Content:
    """A claim with the numbers of its sources and what the checks say."""
    numbers = {source.chunk.id: source.number for source in card.sources}
    cited = "".join(f"[{numbers[item]}]" for item in dict.fromkeys(one.passages) if item in numbers)
    parts = [plain(one.text), Content(" "), Content.styled(cited or "[no source]", "bold $link")]
    other = [one_of for one_of in card.sources if one_of.chunk.id in one.passages and not one_of.in_force]
    if other:
        parts += [Content(" "), badges.not_in_force(card.as_of)]
    if one.problems:
        parts += [
            Content.assemble("\n", Content.styled("✗ check: ", "bold $bad"), plain(problem, "$bad"))
            for problem in one.problems
        ]
    elif not other:
        parts.append(Content.styled(" ✓ checked", "$good"))
    return Content.assemble(*parts)


def answer_is_its_claims(card: AnswerCard) -> bool:
    """Whether the answer says no more than its claims, so that they can stand for it."""
    return bool(card.claims) and all(one.text in card.answer for one in card.claims)


def source(card: AnswerCard, one: Source) -> Content:
    """A source line: number, citation, badges, days, address, the words quoted."""
    version = one.chunk.version
    head = f"[{one.number}] {version.citation} {one.paragraphs}".rstrip()
    days = f"    {span(version)}"
    if version.from_origin == "at_or_before":
        days += " (may have begun earlier)"
    pending = Content.assemble("  ", badges.pending()) if version.pending else ""
    return Content.assemble(
        plain(head, "bold"), "  ", badges.of_source(one, card.as_of), "\n",
        plain(days), pending, "\n", plain(f"    {version.url}", "$quiet"),
    )  # fmt: skip


def outcome(card: AnswerCard) -> Content:
    """The step and the sum that the facts come to, for the top of the card; empty without one."""
    return Content("\n").join(plain(line, "bold") for line in engine.facts_lines(card)[1:])


def facts(card: AnswerCard) -> Content:
    """What was read from the question; empty when nothing was."""
    read = engine.facts_lines(card)[:1]
    hint = plain(" Wrong? f corrects.", "bold $link")
    return Content.assemble(plain(read[0], "$quiet"), hint) if read else Content("")


def checklist(card: AnswerCard) -> Content:
    """What to check before relying on the step; empty when there is nothing to check."""
    head, *items = engine.checklist_lines(card) or ("",)
    return Content("\n").join([plain(head, "bold"), *(plain(f"• {item}") for item in items)])


def closing(card: AnswerCard) -> Content:
    """Notice and attribution."""
    return Content.assemble(plain(card.notice, "$quiet"), "\n", plain(card.attribution, "$quiet"))


def dropped(card: AnswerCard, one: Dropped) -> Content:
    """A dropped passage: badge, place, and where it would have stood without the date filter."""
    version = one.chunk.version
    place = f"{version.section} {one.chunk.paragraphs}".rstrip()
    parts = [
        badges.of_dropped(one, card.as_of),
        Content("\n"),
        plain(place, "bold"),
        plain(f" {span(version)}"),
    ]
    said = ", ".join(amounts_in(one.chunk.body)[:4])
    if said and one.reason == "not_in_force":
        parts.append(plain(f"\nsays {said}"))
    if one.rank_without_filter:
        would = f"\nwould have been no. {one.rank_without_filter}"
        parts.append(Content.styled(would, "bold $bad" if one.reason == "not_in_force" else "$quiet"))
    elif one.reason != "not_in_force":
        parts.append(plain(f"\n{one.detail}", "$quiet"))
    return Content.assemble(*parts)
