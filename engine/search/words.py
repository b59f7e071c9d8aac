"""Everyday words beside the words that the law uses: what callers say is seldom what the text says.

The list belongs to a collection and lies beside its folder as `<folder>.words.toml`. It adds words to
a question and takes none away, so that a missing or a poor list can only make search weaker.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import SnapshotError
from engine.safe import one_line
from engine.search.tokens import stem, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Phrase = tuple[str, ...]
    """Stems that stand side by side, articles, possessives and who it happens to left out."""
    Alike = tuple[tuple[Phrase, str], ...]

_WORD = re.compile(r"[a-z0-9]+(?:['’-][a-z0-9]+)*")
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")
_POINTING = "a an the my his her their our your its this that these those me him them"
_SKIPPED = frozenset(_POINTING.split())
_NEGATIONS = "not no never nobody without none wasn't weren't isn't aren't didn't don't"
_NEGATED_BY = frozenset(_NEGATIONS.split())
_NEGATION_REACH = 2
"""Words over which a negation reaches: `not an oversold flight`, `nobody was denied boarding`."""
_CORRECTED_FROM = 5
"""Letters a word needs before its spelling is corrected: short words have too many neighbours."""
_ALIKE = 0.85
"""Likeness (difflib's ratio) from which a word counts as another one misspelt."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject that callers ask about and the texts leave to other rules."""

    name: str
    says: str
    """What the texts cover instead, in a sentence of ours."""
    phrases: tuple[Phrase, ...] = ()
    asked: tuple[str, ...] = ()
    """What callers ask about it, in whole sentences that are compared by meaning."""
    unless: tuple[Phrase, ...] = ()
    """A question that also says one of these, and not in the negative, is about the texts after all."""
    anywhere: bool = False
    """It counts wherever it is said: it tells who or where, and is no detail of a story."""


@dataclass(frozen=True, slots=True)
class WordList:
    """What callers say, and what the text calls it."""

    meanings: tuple[tuple[Phrase, str], ...] = ()
    """What is said, and the words of the text for it."""
    topics: tuple[Topic, ...] = ()
    covered: tuple[Phrase, ...] = ()
    """What the texts are about, as callers say it."""
    written: tuple[str, ...] = ()
    """The words of all phrases and sentences as written, for the correction of spelling."""
    alike: Alike = ()
    """Phrases that are one word for it, and that word's stem: `thrown off` and `kicked off` are `bump`."""
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What callers ask, in whole sentences, by the paragraph that answers it: `250.5(a)(2)`, `250.1 Fare`."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every sentence that is compared by meaning, each once."""
        inside = (sentence for sentences in self.asked.values() for sentence in sentences)
        outside = (sentence for topic in self.topics for sentence in topic.asked)
        return tuple(dict.fromkeys((*inside, *outside)))

    def expand(self, text: str) -> tuple[str, ...]:
        """Return the words of the text for what `text` says, in the list's order, each once."""
        said = _said(text, self.alike)
        return tuple(dict.fromkeys(meant for phrase, meant in self.meanings if _stands(phrase, said)))

    def topic(self, text: str, *, covered: bool = False) -> Topic | None:
        """Return the first topic that `text` is about, or None.

        In a story about what the texts cover, by its words or `covered` by its facts, a topic counts only
        where something is asked: who was bumped and slept in a hotel asks about the hotel only with the
        word in a question.
        """
        said = _said(text, self.alike)
        asked = said
        if covered or self.covers(text):
            asking = " ".join(part for part in _SENTENCE_END.split(text) if part.rstrip().endswith("?"))
            asked = _said(asking, self.alike) if asking else said
        for topic in self.topics:
            place = said if topic.anywhere else asked
            about = any(_stands(phrase, place) for phrase in topic.phrases)
            if about and not any(_affirmed(phrase, said) for phrase in topic.unless):
                return topic
        return None

    def covers(self, text: str) -> bool:
        """Whether `text` says, and not in the negative, what the texts are about."""
        said = _said(text, self.alike)
        return any(_affirmed(phrase, said) for phrase in self.covered)


def load_words(path: Path) -> WordList:
    """Read a word list; a path without a file gives an empty one.

    Raises:
        SnapshotError: the file is not of the form that is described in `CONTRIBUTING.md`.

    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return WordList()
    # A number of thousands of digits is a plain ValueError, brackets without end are a RecursionError.
    except (OSError, ValueError, RecursionError) as error:
        raise _malformed(path, error) from error
    try:
        alike = tuple(
            (phrase, stem(word)) for word, said in table.get("alike", {}).items() for phrase in _phrases(said)
        )
        alike = tuple(sorted(alike, key=lambda one: -len(one[0])))
        meanings = tuple(
            (phrase, str(meant))
            for meant, said in table.get("meanings", {}).items()
            for phrase in _phrases(said, alike)
        )
        topics = tuple(
            Topic(
                str(row["name"]),
                str(row["says"]),
                _phrases(row.get("phrases", []), alike),
                _sentences(row.get("asked", [])),
                _phrases(row.get("unless", []), alike),
                anywhere=row.get("anywhere", False) is True,
            )
            for row in table.get("topics", ())
        )
        covered = _phrases(table.get("covered", []), alike)
        spoken = [said for phrases in table.get("meanings", {}).values() for said in phrases]
        asked = {str(place): _sentences(said) for place, said in table.get("asked", {}).items()}
        spoken += [sentence for sentences in asked.values() for sentence in sentences]
        if not all(topic.phrases or topic.asked for topic in topics):
            raise ValueError("a topic needs phrases or sentences")  # noqa: TRY301 - told as any other fault
        written = tuple(dict.fromkeys(word for said in spoken for word in words(said)))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _malformed(path, error) from error
    return WordList(meanings, topics, covered, written, alike, asked)


def corrected(text: str, vocabulary: Mapping[str, str]) -> tuple[str, ...]:
    """Return for each word that stands nowhere the most alike word that does.

    Args:
        text: a question.
        vocabulary: by stem, a word with that stem as it is written.

    """
    made: list[str] = []
    for word in dict.fromkeys(words(text)):
        if len(word) >= _CORRECTED_FROM and stem(word) not in vocabulary:
            alike = [other for other in vocabulary.values() if other[0] == word[0]]
            made += get_close_matches(word, alike, n=1, cutoff=_ALIKE)
    return tuple(dict.fromkeys(made))


def _phrases(said: object, alike: Alike = ()) -> tuple[Phrase, ...]:
    if not isinstance(said, list):
        raise TypeError(f"{said!r} is no list of phrases")
    return tuple(_phrase(one, alike) for one in said)


def _sentences(said: object) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(one, str) and one.strip() for one in said):
        raise TypeError(f"{said!r} is no list of sentences")
    return tuple(said)


def _phrase(said: str, alike: Alike) -> Phrase:
    stems = _said(said, alike)
    if not stems:
        raise ValueError(f"the phrase {said!r} says nothing")
    return stems


@lru_cache(maxsize=64)
def _said(text: str, alike: Alike = ()) -> tuple[str, ...]:
    """The stems of all words, figures too; a phrase may hold words that search leaves out."""
    found = _WORD.findall(text.casefold().replace("’", "'"))
    said = [stem(word) if word not in _NEGATED_BY else word for word in found if word not in _SKIPPED]
    for phrase, word in alike:
        for at in reversed(_places(phrase, said)):
            said[at : at + len(phrase)] = [word]
    return tuple(said)


def _places(phrase: Phrase, said: Sequence[str]) -> list[int]:
    size = len(phrase)
    return [at for at in range(len(said) - size + 1) if tuple(said[at : at + size]) == phrase]


def _stands(phrase: Phrase, said: tuple[str, ...]) -> bool:
    """Whether the phrase stands anywhere, a number within it passed over: `paid $40 to check a bag`."""
    return bool(_places(phrase, said) or _places(phrase, _without_numbers(said)))


@lru_cache(maxsize=64)
def _without_numbers(said: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in said if not word.isdigit())


def _affirmed(phrase: Phrase, said: Sequence[str]) -> bool:
    """Whether the phrase stands anywhere without a negation just before it."""
    return any(not _NEGATED_BY & set(said[max(0, at - _NEGATION_REACH) : at]) for at in _places(phrase, said))


def _malformed(path: Path, error: Exception) -> SnapshotError:
    return SnapshotError(
        f"The word list {one_line(path.name)} cannot be used: {one_line(str(error))}.",
        "Correct it as CONTRIBUTING.md describes, or remove it.",
    )
