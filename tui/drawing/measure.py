"""A measurement drawn: recall@k as bars, with the date filter and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from tui.drawing.badges import plain
from tui.drawing.card import METHODS

if TYPE_CHECKING:
    from engine import Measured

CUTS = (1, 3, 5, 10)
WIDTH = 30
"""Columns of a whole bar."""


def bar(share: float, width: int = WIDTH) -> str:
    """A share of 0 to 1 as full and empty cells."""
    full = round(min(max(share, 0.0), 1.0) * width)
    return "█" * full + "░" * (width - full)


def page(measured: Measured) -> Content:
    """Everything: bars, places of other versions, answers."""
    on, off = measured.retrieval
    how = f"{METHODS.get(measured.method, measured.method)} ({measured.method})"
    parts = [
        plain(f"Search by {how}: {on['questions']} questions with known passages\n\n", "bold"),
        plain("recall@k: the share of the right passages among the first k\n"),
    ]
    for cut in CUTS:
        parts += [_line(f"recall@{cut}", on, kept=True), _line(f"recall@{cut}", off, kept=False)]
    parts.append(plain("\nOf the first five places, passages not in force on the asked day\n"))
    parts += [_places(on, kept=True), _places(off, kept=False), plain("\n")]
    parts += [plain("Answers of quote\n", "bold"), *(_answers(run) for run in measured.answers)]
    parts.append(plain("\n`regulations-assistant eval` measures every method.", "$quiet"))
    return Content.assemble(*parts)


def _line(name: str, run: dict[str, Any], *, kept: bool) -> Content:
    low, high = run[f"{name} interval"]
    shown = f"{name:<10}" if kept else " " * 10
    text = f" {run[name]:.2f}  ({low:.2f} to {high:.2f})\n"
    return Content.assemble(plain(f"{shown} "), _filter(kept=kept), _bar(run[name], kept=kept), plain(text))


def _places(run: dict[str, Any], *, kept: bool) -> Content:
    wrong, places = run["places not in force"], run["places"]
    share = wrong / places if places else 0.0
    words = plain(f" {wrong} of {places}\n")
    return Content.assemble(plain(" " * 11), _filter(kept=kept), _bar(share, kept=kept), words)


def _answers(run: dict[str, Any]) -> Content:
    kept = bool(run["date_filter"])
    words = (
        f"right {run['answerable right']} of {run['answerable']}, rightly no answer {run['no-answer right']}"
        f" of {run['no-answer']}, shown but wrong {run['shown but wrong']}\n"
    )
    return Content.assemble(plain(" " * 11), _filter(kept=kept), plain(words))


def _filter(*, kept: bool) -> Content:
    return plain("filter on  " if kept else "filter off ", "" if kept else "$quiet")


def _bar(share: float, *, kept: bool) -> Content:
    return plain(bar(share), "$good" if kept else "$quiet")
