"""Badges: a symbol and a word, and a colour beside them that no meaning hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from engine import safe_text

if TYPE_CHECKING:
    from datetime import date

    from engine import Dropped, SectionVersion, Source


def styled(text: str, kind: str) -> Content:
    """Text on the ground of a badge such as `in-force`, `not-in-force`, `pending` or `stale`."""
    return Content.styled(f" {text} ", f"bold ${kind}-text on ${kind}-back")


def plain(text: str, style: str = "") -> Content:
    """Text that is not ours, made safe; nothing in it is read as markup."""
    safe = safe_text(text)
    return Content.styled(safe, style) if style else Content(safe)


def in_force() -> Content:
    """`✓ IN FORCE`."""
    return styled("✓ IN FORCE", "in-force")


def not_in_force(day: date | None) -> Content:
    """`✗ NOT IN FORCE 2024-12-20`."""
    return styled(f"✗ NOT IN FORCE {day}" if day else "✗ NOT IN FORCE", "not-in-force")


def pending() -> Content:
    """`! PENDING`: an amendment is published and is not yet the rule."""
    return styled("! PENDING", "pending")


def of_version(version: SectionVersion, day: date | None) -> Content:
    """The badges of a version read for a day; no badge of force without a day."""
    made = []
    if day is not None:
        made.append(in_force() if version.in_force(day) else not_in_force(day))
    if version.pending:
        made.append(pending())
    return Content(" ").join(made)


def of_source(source: Source, day: date) -> Content:
    """The badge of a card's source, by the card's word."""
    return in_force() if source.in_force else not_in_force(day)


def of_dropped(dropped: Dropped, day: date) -> Content:
    """The badge of a dropped passage: by its reason."""
    if dropped.reason == "not_in_force":
        return not_in_force(day)
    if dropped.reason == "near_duplicate":
        return Content.styled("≈ near-duplicate", "bold $quiet")
    return Content.styled("… left out", "bold $quiet")
