"""Everyday words beside the words that the law uses: what callers say is seldom what the text says.

The list belongs to a collection and lies beside its folder as `<folder>.words.toml`. It adds words to
a question and takes none away, so that a missing or a poor list can only make search weaker.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine.errors import SnapshotError
from engine.safe import one_line
from engine.search.tokens import stem, words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_CORRECTED_FROM = 5
"""Letters a word needs before its spelling is corrected: short words have too many neighbours."""
_ALIKE = 0.84
"""Likeness (difflib's ratio) from which a word counts as another one misspelt."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject that callers ask about and the texts leave to other rules."""

    name: str
    phrases: tuple[tuple[str, ...], ...]
    """Stems that stand in the question in this order, side by side."""
    says: str
    """What the texts cover instead, in a sentence of ours."""


@dataclass(frozen=True, slots=True)
class WordList:
    """What callers say, and what the text calls it."""

    meanings: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Stems as said, and the words of the text."""
    topics: tuple[Topic, ...] = ()
    ordinary: frozenset[str] = frozenset()
    """Stems of a caller's own story, which no rule has to mention."""

    def expand(self, text: str) -> tuple[str, ...]:
        """Return the words of the text for what `text` says, in order, each once."""
        said = _stems(text)
        return tuple(dict.fromkeys(meant for phrase, meant in self.meanings if _stands_in(phrase, said)))

    def topic(self, text: str) -> Topic | None:
        """Return the first topic that `text` is about, or None."""
        said = _stems(text)
        return next(
            (topic for topic in self.topics if any(_stands_in(phrase, said) for phrase in topic.phrases)),
            None,
        )

    def known(self) -> frozenset[str]:
        """Every stem that the list itself explains."""
        return frozenset(part for phrase, _ in self.meanings for part in phrase) | self.ordinary


def load_words(path: Path) -> WordList:
    """Read a word list; a path without a file gives an empty one.

    Raises:
        SnapshotError: the file is not of the form that is described in `CONTRIBUTING.md`.

    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return WordList()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _malformed(path, error) from error
    try:
        meanings = tuple(
            (tuple(_stems(said)), str(meant))
            for meant, phrases in table.get("meanings", {}).items()
            for said in phrases
        )
        topics = tuple(
            Topic(str(row["name"]), tuple(tuple(_stems(p)) for p in row["phrases"]), str(row["says"]))
            for row in table.get("topics", ())
        )
        ordinary = frozenset(stem(word) for word in table.get("ordinary", {}).get("words", ()))
    except (AttributeError, KeyError, TypeError) as error:
        raise _malformed(path, error) from error
    return WordList(meanings, topics, ordinary)


def corrected(text: str, vocabulary: Mapping[str, str]) -> tuple[str, ...]:
    """Return for each word that stands nowhere the most alike word that does.

    Args:
        text: a question.
        vocabulary: by stem, a word with that stem as it is written.

    """
    unknown = [word for word in words(text) if len(word) >= _CORRECTED_FROM and stem(word) not in vocabulary]
    written = list(vocabulary.values())
    found = (get_close_matches(word, written, n=1, cutoff=_ALIKE) for word in unknown)
    return tuple(dict.fromkeys(match[0] for match in found if match))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in words(text)]


def _stands_in(phrase: tuple[str, ...], said: list[str]) -> bool:
    size = len(phrase)
    return bool(size) and any(tuple(said[at : at + size]) == phrase for at in range(len(said) - size + 1))


def _malformed(path: Path, error: Exception) -> SnapshotError:
    return SnapshotError(
        f"The word list {one_line(path.name)} cannot be used: {one_line(str(error))}.",
        "Correct it as CONTRIBUTING.md describes, or remove it.",
    )
