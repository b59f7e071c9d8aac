"""What changed between two versions, drawn: went struck out, came bold, amounts standing out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from textual.content import Content

from tui.drawing.badges import plain
from tui.words import span

if TYPE_CHECKING:
    from engine import Comparison, Piece

_AMOUNT = re.compile(
    r"\$\s?\d(?:[\d,]*\d)?(?:\.\d+)?|\b\d(?:[\d,.]*\d)?\s*(?:percent|%|per cent)", re.IGNORECASE
)
_SUMMARY = {
    None: "Both are the same version: nothing changed.",
    "notice": "NOTICE ONLY: the publisher's notice of a coming amendment differs; the rule is the same.",
    "typographic": "TYPOGRAPHY ONLY: the words are the same.",
    "text": "THE TEXT DIFFERS.",
    "first": "This is the first version held.",
}


def head(comparison: Comparison) -> Content:
    """Both versions with their days, and the kind of the change in words."""
    before, after = comparison.before, comparison.after
    return Content.assemble(
        plain(after.citation, "bold"), plain(f"  {after.heading}"), "\n",
        plain(f"- {span(before)}", "bold $bad"), "  →  ", plain(f"+ {span(after)}", "bold $good"), "\n",
        plain(_SUMMARY[comparison.change], "bold"), plain(_amounts_line(comparison), "bold $warn"),
    )  # fmt: skip


def body(comparison: Comparison) -> Content:
    """The changed blocks, word by word."""
    blocks = [Content(" ").join(_piece(piece) for piece in block.pieces) for block in comparison.blocks]
    if not blocks:
        return plain("There is nothing to show: choose another version with ← and →, or a day with d.")
    return Content("\n\n").join(blocks)


def amounts_in(text: str) -> tuple[str, ...]:
    """The different amounts and percentages of a text, in order."""
    return tuple(dict.fromkeys(_AMOUNT.findall(text)))


def _piece(piece: Piece) -> Content:
    text = plain(piece.text)
    if piece.op == "same":
        return text
    kind, left, right = ("removed", "[-", "-]") if piece.op == "removed" else ("added", "{+", "+}")
    line = "strike " if piece.op == "removed" else ""
    made = text.stylize(f"{line}${kind}-text on ${kind}-back")
    for found in _AMOUNT.finditer(text.plain):
        made = made.stylize("bold underline", *found.span())
    edge = f"bold ${kind}-text on ${kind}-back"
    return Content.assemble(Content.styled(left, edge), made, Content.styled(right, edge))


def amounts(comparison: Comparison) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The amounts and percentages that went, and those that came."""
    pieces = [piece for block in comparison.blocks for piece in block.pieces]

    def of(op: str) -> tuple[str, ...]:
        text = (found for piece in pieces if piece.op == op for found in _AMOUNT.findall(piece.text))
        return tuple(dict.fromkeys(text))

    return of("removed"), of("added")


def _amounts_line(comparison: Comparison) -> str:
    went, came = amounts(comparison)
    if not went and not came:
        return ""
    return f"  Amounts: {', '.join(went) or 'none'} → {', '.join(came) or 'none'}"
