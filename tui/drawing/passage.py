"""A whole section drawn, with the cited words marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from engine import safe_text
from tui.drawing import badges
from tui.drawing.badges import plain
from tui.words import span

if TYPE_CHECKING:
    from datetime import date

    from engine import SectionVersion

_MARK = "$mark-text on $mark-back"


def head(version: SectionVersion, day: date | None) -> Content:
    """Citation, badges for the day, heading, days and notes."""
    lines = [
        plain(version.citation, "bold"),
        badges.of_version(version, day),
        plain(version.heading, "bold"),
        plain(span(version) + (" (may have begun earlier)" if version.from_origin == "at_or_before" else "")),
    ]
    lines += [plain(f"! {note}", "$warn") for note in version.notes]
    return Content("\n").join(line for line in lines if line)


def body(version: SectionVersion, cited: tuple[str, ...] = ()) -> Content:
    """The section's blocks; what is cited stands out, the publisher's notices wear their badge."""
    parts = []
    for block in version.text.blocks:
        text = plain(block.text)
        if block.kind == "notice":
            text = Content.assemble(badges.pending(), " ", text)
        elif block.kind == "heading":
            text = plain(block.text, "bold")
        for words in cited:
            text = _marked(text, words)
        parts.append(text)
    shown = Content("\n\n").join(parts) if parts else plain("[No rule stands here.]", "$quiet")
    return Content.assemble(shown, "\n\n", plain(version.text.source_note or "", "$quiet"), "\n",
                            plain(version.url, "$quiet"))  # fmt: skip


def _marked(text: Content, words: str) -> Content:
    """Mark every place of `words`, as made safe, and put a sign before it for those who see no colour."""
    wanted = safe_text(words).strip()
    at = text.plain.find(wanted) if wanted else -1
    if at < 0:
        return text
    marked = text[at : at + len(wanted)].stylize(_MARK)
    return Content.assemble(text[:at], Content.styled("»", "bold"), marked, Content.styled("«", "bold"),
                            text[at + len(wanted) :])  # fmt: skip


def missing(section: str, words: str) -> Content:
    """What stands in the place of a version where there is none."""
    return Content.assemble(plain(section, "bold"), "\n\n", plain(words))
