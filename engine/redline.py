"""What changed between two texts of a section, word by word."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from engine.card import markdown_safe
from engine.context import dates
from engine.safe import safe_text
from engine.versions import change_between

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.model import Change, SectionVersion

Op = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words that stayed, went or came."""

    op: Op
    text: str


@dataclass(frozen=True, slots=True)
class BlockChange:
    """One heading or block that differs."""

    label: str
    """The label path; empty for the heading and for what has none."""
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions of one section side by side."""

    before: SectionVersion
    after: SectionVersion
    change: Change | None
    """None when both days stand in the same version."""
    blocks: tuple[BlockChange, ...]
    """Only what differs, in order."""


def compare(before: SectionVersion, after: SectionVersion) -> Comparison:
    """Compare two versions of a section."""
    if before == after:
        return Comparison(before, after, None, ())
    return Comparison(before, after, change_between(before.text, after.text), tuple(_blocks(before, after)))


def words_changed(before: str, after: str) -> tuple[Piece, ...]:
    """Two texts as runs of words; white space between words counts as one space."""
    old, new = before.split(), after.split()
    pieces: list[Piece] = []
    for op, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            pieces.append(Piece("same", " ".join(old[a:b])))
            continue
        if b > a:
            pieces.append(Piece("removed", " ".join(old[a:b])))
        if d > c:
            pieces.append(Piece("added", " ".join(new[c:d])))
    return tuple(pieces)


def as_text(comparison: Comparison, *, markdown: bool = False) -> str:
    """The comparison for people: `[-went-]` and `{+came+}`, or struck out and bold in Markdown."""
    before, after = comparison.before, comparison.after
    lines = [
        f"{before.citation}: version {dates(before)}",
        f"{' ' * len(before.citation)}  version {dates(after)}",
    ]
    if markdown:
        lines = [f"## {before.citation}", "", f"Version {dates(before)} → version {dates(after)}"]
    lines += ["", _summary(comparison), ""]
    for block in comparison.blocks:
        lines += [" ".join(_marked(piece, markdown=markdown) for piece in block.pieces), ""]
    return safe_text("\n".join(lines).rstrip())


def _summary(comparison: Comparison) -> str:
    if comparison.change is None:
        return "Both days stand in the same version."
    return {
        "notice": "Only the publisher's notice of a coming amendment differs; the rule is the same.",
        "typographic": "Only typography differs; the words are the same.",
        "text": "The text differs.",
    }[comparison.change]


def _marked(piece: Piece, *, markdown: bool) -> str:
    text = markdown_safe(piece.text) if markdown else piece.text
    if piece.op == "same":
        return text
    if markdown:
        return f"~~{text}~~" if piece.op == "removed" else f"**{text}**"
    return f"[-{piece.text}-]" if piece.op == "removed" else f"{{+{piece.text}+}}"


def _blocks(before: SectionVersion, after: SectionVersion) -> Iterator[BlockChange]:
    old = [("", before.heading), *((block.label, block.text) for block in before.text.blocks)]
    new = [("", after.heading), *((block.label, block.text) for block in after.text.blocks)]
    matcher = SequenceMatcher(None, [text for _, text in old], [text for _, text in new], autojunk=False)
    for op, a, b, c, d in matcher.get_opcodes():
        if op != "equal":
            yield from _paired(old[a:b], new[c:d])


def _paired(old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> Iterator[BlockChange]:
    """Blocks of the same label against each other; what has no partner went or came whole."""
    shared = {label for label, _ in old} & {label for label, _ in new}
    for label in dict.fromkeys(label for label, _ in (*old, *new)):
        went = [text for other, text in old if other == label]
        came = [text for other, text in new if other == label]
        if label in shared:
            for a, b in zip_longest(went, came, fillvalue=""):
                yield BlockChange(label, words_changed(a, b))
        else:
            yield from (BlockChange(label, (Piece("removed", text),)) for text in went)
            yield from (BlockChange(label, (Piece("added", text),)) for text in came)
