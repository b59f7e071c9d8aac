"""A card as the words that leave the screen: copied or saved, never without their badges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import engine
from engine import one_line, safe_text

if TYPE_CHECKING:
    from pathlib import Path

    from engine import AnswerCard, Comparison, SectionVersion

UNFILTERED = "! DATE FILTER OFF: passages of any version may appear. For comparison only."


def answer_words(card: AnswerCard) -> str:
    """The answer for a complaint: its day, its words, and what a reader must not miss."""
    lines = _first_lines(card)
    lines.append(safe_text(card.answer or card.error or ""))
    return "\n".join(lines)


def cited_words(card: AnswerCard) -> str:
    """The answer with its sources, their days, badges and addresses, and the notice."""
    lines = [*_first_lines(card), *(f"! {safe_text(warning.text)}" for warning in card.warnings)]
    lines += [safe_text(card.answer or card.error or ""), ""]
    for source in card.sources:
        lines.append(
            safe_text(f"[{source.number}] {engine.source_line(source)}  {engine.badge(source, card)}")
        )
        lines.append(safe_text(f"    {source.chunk.version.url}"))
    return "\n".join([*lines, card.notice, card.attribution])


def _first_lines(card: AnswerCard) -> list[str]:
    lines = [f"As of {card.as_of}:"]
    if not card.date_filter:
        lines.append(UNFILTERED)
    other = [source for source in card.sources if not source.in_force]
    lines += [safe_text(f"{engine.badge(source, card)}: {engine.source_line(source)}") for source in other]
    return lines


def passage_words(version: SectionVersion, text: str) -> str:
    """A passage with its citation, days and address."""
    return safe_text(f"{version.citation}, {span(version)}\n{version.heading}\n\n{text}\n\n{version.url}")


def comparison_words(comparison: Comparison, body: str) -> str:
    """A comparison as text, under the addresses of both versions."""
    return f"{body}\n\n{comparison.before.url}\n{comparison.after.url}"


def span(version: SectionVersion) -> str:
    """A version's days for people: `2021-08-02 to 2024-10-23`, `since 2025-01-22`."""
    held = "held from " if version.from_origin == "at_or_before" else ""
    if version.effective_to is None:
        return f"{held or 'since '}{version.effective_from}"
    return f"{held}{version.effective_from} to {version.effective_to}"


def file_words(card: AnswerCard, *, markdown: bool, with_question: bool) -> str:
    """The card for a file; what the caller said is left out unless it is asked for."""
    if markdown:
        asked = f"*{_plain_markdown(card.question)}*\n\n" if with_question else ""
        return f"{asked}{engine.to_markdown(card)}\n"
    if with_question:
        return f"{engine.to_text(card)}\n"
    return f"{engine.to_text(replace(card, question='(left out)'))}\n"


def _plain_markdown(text: str) -> str:
    safe = one_line(text)
    for mark in "\\`*_[]<>#|~":
        safe = safe.replace(mark, f"\\{mark}")
    return safe


def free_path(path: Path) -> Path:
    """`path`, or the first of `name-2`, `name-3`, … that no file has."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
