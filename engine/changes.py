"""What differs between two versions of a section, paragraph by paragraph: amounts before words."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.model import BlockKind
from engine.quantities import find_quantities
from engine.versions import change_between, folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.model import Change, SectionText, SectionVersion
    from engine.quantities import Quantity

_COUNTED = frozenset({"money", "percent", "duration"})


@dataclass(frozen=True, slots=True)
class AmountChange:
    """Amounts that stand in a paragraph no more, and those that came."""

    labels: tuple[str, ...]
    """The paragraphs in which the very same changed; an empty label is the text before the first."""
    gone: tuple[Quantity, ...]
    came: tuple[Quantity, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two versions of one section, by paragraphs."""

    before: SectionVersion
    after: SectionVersion
    change: Change
    amounts: tuple[AmountChange, ...]
    """Amounts of money, percentages and times in paragraphs that both versions have."""
    added: tuple[str, ...]
    removed: tuple[str, ...]
    reworded: tuple[str, ...]
    """Paragraphs whose words changed and no amount did, or not that alone."""
    heading: bool
    """Whether the heading reads otherwise."""

    @property
    def empty(self) -> bool:
        """Whether no word of what was looked at differs."""
        return not (self.amounts or self.added or self.removed or self.reworded or self.heading)


def difference(before: SectionVersion, after: SectionVersion, path: str = "") -> Difference:
    """Compare the paragraphs under `path` (all when empty); notices and typography do not count."""
    old, new = paragraphs(before.text, path), paragraphs(after.text, path)
    both = [label for label in new if label in old and folded(old[label]) != folded(new[label])]
    changed = {label: _amounts(old[label], new[label]) for label in both}
    grouped: dict[tuple[tuple[Quantity, ...], tuple[Quantity, ...]], list[str]] = {}
    for label, pair in changed.items():
        if any(pair):
            grouped.setdefault(pair, []).append(label)
    return Difference(
        before,
        after,
        change_between(before.text, after.text),
        tuple(AmountChange(tuple(labels), *pair) for pair, labels in grouped.items()),
        added=tuple(label for label in new if label not in old),
        removed=tuple(label for label in old if label not in new),
        reworded=tuple(label for label in both if _words(old[label]) != _words(new[label])),
        heading=not path and folded(before.heading) != folded(after.heading),
    )


def paragraphs(text: SectionText, path: str = "") -> dict[str, str]:
    """The rule's paragraphs by label, each with every line that stands under that label."""
    found: dict[str, list[str]] = {}
    for block in text.blocks:
        if block.kind is not BlockKind.NOTICE and block.label.startswith(path):
            found.setdefault(block.label, []).append(block.text)
    return {label: "\n".join(lines) for label, lines in found.items()}


def folded_at(version: SectionVersion, path: str) -> str:
    """The words under a path as they are compared."""
    return folded(" ".join(paragraphs(version.text, path).values()))


@lru_cache(maxsize=1024)
def amounts_of(text: str) -> tuple[Quantity, ...]:
    """The different amounts of money, percentages and times of a text, in order."""
    found = (q for q in find_quantities(text) if q.kind in _COUNTED and isinstance(q.value, Decimal))
    return tuple(dict.fromkeys(found))


def money_of(text: str) -> tuple[Quantity, ...]:
    """The different amounts of money of a text, in order."""
    return tuple(q for q in amounts_of(text) if q.kind == "money")


def _amounts(old: str, new: str) -> tuple[tuple[Quantity, ...], tuple[Quantity, ...]]:
    before, after = amounts_of(old), amounts_of(new)
    return _without(before, after), _without(after, before)


def _without(some: Iterable[Quantity], others: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    return tuple(one for one in some if one not in others)


def _words(text: str) -> str:
    """The text without its amounts."""
    for amount in reversed(find_quantities(text)):
        if amount.kind in _COUNTED:
            text = text[: amount.start] + text[amount.end :]
    return folded(text)
