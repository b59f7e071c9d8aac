"""What code can tell about a claim: ids, numbers, words, quotes and versions, one function per check.

Every check returns problems: short plain sentences, safe for a terminal, no more than `MOST` of a
kind. A claim is hostile text. Its passages are checked as one body of text, its versions one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.checks_reading import contradictions, derivable
from engine.checks_references import references_not_there
from engine.dates import compiled
from engine.quantities import Quantity, find_quantities
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from engine.model import Answer, Chunk, Claim, Context, Question
    from engine.sources.numbers import Reference

CLOSED_BOOK: Final = "no passage was given: nothing here is sourced"
"""The one problem of every claim of an answer that was given without passages."""
NOTHING_CITED: Final = "The claim cites no passage."
"""The problem of a claim without passages."""
MIN_WORD_SHARE: Final = 0.4
"""Of a claim's content words, the share that must stand in its passages.

Measured on the 39 passages in force on 2025-02-01, with `_PLAIN_SPEECH`: 15 fair paraphrases kept .50 to .89
of their words in the right passage; of eight sentences about other subjects (meals, pets, fuel, crew rest)
293 of 312 pairings with a passage stayed under .40. It finds foreign claims and does not judge meaning.
"""
MOST: Final = 5
"""Problems of one kind that are listed; the others are counted."""
_SHOWN: Final = 60
"""Characters of a claim's own text that a problem shows."""
_LONGEST_WORD: Final = 40
"""Letters; no longer run of letters is a word, and none is given to the stemmer."""
_COMMON: Final = """
the and for that this with from not are was were has have had its his her their your you she they them who
whom which what when where why how than then there here but any all each per may must shall can could would
should will does did been being into onto upon about also only just such other these those our one two more
most less least over under out off own same some very both either neither nor yet
"""
_ABOUT_TEXTS: Final = """
section sections paragraph paragraphs part parts subpart cfr version versions force effect effective text rule
rules regulation regulations says said states stated according passage passages
"""
_STOP: Final = frozenset((_COMMON + _ABOUT_TEXTS).split())
"""Words that carry no content, and those with which a claim names its source."""
_PLAIN_SPEECH: Final = {
    "airline": "carrier", "airlines": "carrier", "plane": "aircraft", "planes": "aircraft",
    "airplane": "aircraft", "bumped": "denied", "bumping": "denied", "bag": "baggage", "bags": "baggage",
    "luggage": "baggage", "suitcase": "baggage", "ask": "request", "asks": "request", "asking": "request",
    "asked": "request", "money": "compensation", "owes": "pay",
}  # fmt: skip
"""What callers say, and the word of the two parts for it."""
_LETTERS: Final = r"(?u:[^\W\d_])+"
_DOUBLE: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"
_SINGLE: Final = "\u2018\u2019\u201a\u201b\u2032`"
_QUOTE_SIGNS: Final = str.maketrans(_DOUBLE + _SINGLE, '"' * len(_DOUBLE) + "'" * len(_SINGLE))
_ELLIPSIS: Final = r"\[ ?(?:…|\.\.\.) ?\]|…|\.\.\.|\. \. \."


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a claim may rest on: the passages it cites and those it was given."""

    cited: tuple[Chunk, ...]
    """The cited passages that the index holds, once each, in order of citation."""
    others: tuple[Chunk, ...]
    """The passages of the context that the claim does not cite, in search order."""


def gather(claim: Claim, context: Context, lookup: Callable[[str], Chunk | None]) -> Evidence:
    """Return the evidence of `claim`; `lookup` finds a passage in the whole index, or gives None."""
    known = ((context.chunk(name) or lookup(name)) for name in dict.fromkeys(claim.passages))
    others = (hit.chunk for hit in context.given if hit.chunk.id not in claim.passages)
    return Evidence(tuple(chunk for chunk in known if chunk is not None), tuple(others))


def nothing_cited(claim: Claim) -> list[str]:
    """Say so when the claim cites nothing."""
    return [] if claim.passages else [NOTHING_CITED]


def unknown_passages(claim: Claim, evidence: Evidence) -> list[str]:
    """Name the cited ids that the index does not hold, made safe and short."""
    known = {chunk.id for chunk in evidence.cited}
    unknown = (name for name in dict.fromkeys(claim.passages) if name not in known)
    return _listed(f'The index holds no passage "{_shown(name)}".' for name in unknown)


def passages_not_given(evidence: Evidence, context: Context) -> list[str]:
    """Name the cited passages that exist but were not in the context."""
    given = set(context.ids)
    return _listed(
        f"The cited passage {_named(chunk)} was not among the passages given."
        for chunk in evidence.cited
        if chunk.id not in given
    )


def numbers_not_in_passages(
    claim: Claim, evidence: Evidence, question: Question, known: frozenset[Quantity] = frozenset()
) -> list[str]:
    """Name the claim's amounts, percentages, durations, dates and counts that no cited passage has.

    Durations and dates may also stand in the question, and dates may be the asked day or a version's
    first or last day. Money, percentages and counts must stand in a cited passage, or be `known`: a
    fact of the trip, or what the text comes to for it. A number that another passage of the context has
    is named with that passage.
    """
    asked = {item for item in _quantities(question.text) if item.kind in {"duration", "date"}}
    allowed = asked | known | {Quantity.of_day(question.as_of)} | _known_numbers(evidence.cited)
    missing = dict.fromkeys(item for item in find_quantities(claim.text) if not _stands(item, allowed))
    problems = []
    for item in missing:
        shown = _shown(item.text)
        other = next((chunk for chunk in evidence.others if _stands(item, _known_numbers((chunk,)))), None)
        problems.append(_missing(shown, other, evidence, "does not stand"))
    return _listed(problems)


def words_not_in_passages(claim: Claim, evidence: Evidence) -> list[str]:
    """Say so when less than `MIN_WORD_SHARE` of the claim's content words stand in the cited passages."""
    words = _content_words(claim.text)
    held = words & _passage_words(evidence.cited)
    if not words or len(held) / len(words) >= MIN_WORD_SHARE:
        return []
    problem = f"Only {len(held)} of {len(words)} words of the claim stand in {_the_cited(evidence)}."
    shares = [(len(words & _passage_words((chunk,))) / len(words), chunk) for chunk in evidence.others]
    share, best = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    if best is not None and share >= MIN_WORD_SHARE:
        problem = f"{problem} More of them stand in passage {_named(best)}."
    return [problem]


def quotes_not_in_passages(claim: Claim, evidence: Evidence) -> list[str]:
    """Name the quoted texts that are not contiguous in one cited passage.

    White space and the form of quotation marks do not matter, nor does a comma or full stop inside
    the closing mark. The segments on both sides of an ellipsis must each be contiguous, in that order.
    """
    problems = []
    for quote in dict.fromkeys(_quotes(claim.text)):
        if not any(_has_quote(chunk, quote) for chunk in evidence.cited):
            other = next((chunk for chunk in evidence.others if _has_quote(chunk, quote)), None)
            shown = f"“{_shown(quote)}”"
            problems.append(_missing(shown, other, evidence, "does not stand word for word"))
    return _listed(problems)


def versions_not_in_force(evidence: Evidence, as_of: date, in_force: Callable[[Chunk], bool]) -> list[str]:
    """Name the cited versions that were not in force on `as_of`, once each."""
    out = (chunk for chunk in evidence.cited if not in_force(chunk))
    names = dict.fromkeys(f"{one_line(chunk.section)} of {chunk.version.effective_from}" for chunk in out)
    return _listed(f"NOT IN FORCE on {as_of}: {name}" for name in names)


def check_claim(
    claim: Claim,
    question: Question,
    context: Context,
    *,
    lookup: Callable[[str], Chunk | None],
    in_force: Callable[[Chunk], bool],
    missing: Callable[[Reference], str | None] = lambda _: None,
) -> list[str]:
    """Return the problems of one claim, those of its ids and versions first; empty when it passed.

    A claim that the engine itself made of the timelines names its versions with their days, in words of
    its own: that they are of other days is what it says. Its numbers and quotations are checked as ever.
    """
    own = context.history if context.history is not None and context.history.made(claim) else None
    if not context.given and own is None:
        return [CLOSED_BOOK]
    evidence = gather(claim, context, lookup)
    problems = nothing_cited(claim)
    problems += unknown_passages(claim, evidence)
    if own is None:
        problems += passages_not_given(evidence, context)
        problems += versions_not_in_force(evidence, question.as_of, in_force)
    if evidence.cited:  # without a text to compare with, the problem is the citation
        known = derivable(context) if own is None else own.known
        problems += numbers_not_in_passages(claim, evidence, question, known)
        problems += quotes_not_in_passages(claim, evidence)
    if evidence.cited and own is None:
        problems += _listed(contradictions(claim, context.reading))
        problems += _listed(references_not_there(claim.text, evidence.cited, missing))
        problems += words_not_in_passages(claim, evidence)
    return problems


def check_answer(
    answer: Answer,
    question: Question,
    context: Context,
    *,
    lookup: Callable[[str], Chunk | None],
    in_force: Callable[[Chunk], bool],
    missing: Callable[[Reference], str | None] = lambda _: None,
) -> Answer:
    """Return `answer` with the problems of each claim filled in.

    Problems that the answerer itself wrote are not kept. `lookup` finds a passage of the index by id;
    `in_force` tells whether a passage's version is in force on the question's day; `missing` says of a
    reference that the day has no such section or paragraph, or gives None. Never raises by
    anything that stands in the answer. `answer.text` is not checked.
    """
    checked = tuple(
        replace(
            claim,
            problems=tuple(
                check_claim(claim, question, context, lookup=lookup, in_force=in_force, missing=missing)
            ),
        )
        for claim in answer.claims
    )
    return replace(answer, claims=checked)


def _shown(text: str) -> str:
    line = one_line(text[: _SHOWN + 1])
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _listed(problems: Iterable[str]) -> list[str]:
    every = list(problems)
    rest = len(every) - MOST
    return every if rest <= 0 else [*every[:MOST], f"And {rest} more of this kind."]


def _named(chunk: Chunk) -> str:
    where = one_line(f"{chunk.section}{chunk.paragraphs}")
    return f"{one_line(chunk.id)} ({where} of {chunk.version.effective_from})"


def _the_cited(evidence: Evidence) -> str:
    return "the cited passage" if len(evidence.cited) == 1 else "the cited passages"


def _missing(shown: str, other: Chunk | None, evidence: Evidence, fault: str) -> str:
    if other is None:
        return f"{shown} {fault} in {_the_cited(evidence)}."
    ones = "one" if len(evidence.cited) == 1 else "ones"
    return f"{shown} stands in passage {_named(other)}, not in the cited {ones}."


@lru_cache(maxsize=512)
def _quantities(text: str) -> frozenset[Quantity]:
    return frozenset(find_quantities(text))


def _known_numbers(chunks: Iterable[Chunk]) -> set[Quantity]:
    """Return the quantities of the passages with the first and last days of their versions."""
    known: set[Quantity] = set()
    for chunk in chunks:
        known |= _quantities(chunk.titled)
        days = (chunk.version.effective_from, chunk.version.effective_to)
        known |= {Quantity.of_day(day) for day in days if day is not None}
    return known


def _stands(item: Quantity, known: set[Quantity]) -> bool:
    if item in known:
        return True
    if item.kind == "date":
        return any(_within(other, item) for other in known)
    if item.kind != "count":
        return False
    if item.unit:  # nouns are paraphrased: a plane for 60 passengers has 60 seats
        return any(other.kind == "count" and other.value == item.value for other in known)
    return any(other.value == item.value or _in_year(other, item.value) for other in known)


def _within(other: Quantity, item: Quantity) -> bool:
    """Whether the date `other` lies in the less exact date `item`: 2021-04-13 lies in April 2021."""
    day = other.value
    if other.unit not in {"day", "month"} or not isinstance(day, date):
        return False
    if item.unit == "day of year":
        return other.unit == "day" and f"--{day:%m-%d}" == item.value
    if not isinstance(item.value, date) or item.unit == "day":
        return False
    same_year = day.year == item.value.year
    return same_year and (item.unit == "year" or day.month == item.value.month)


def _in_year(other: Quantity, number: object) -> bool:
    """Whether a bare number is the year of the date `other`: "the 2021 amount"."""
    return isinstance(other.value, date) and other.value.year == number


@lru_cache(maxsize=16384)
def _stem(word: str) -> str:
    # Imported late: it takes half of the time that the whole module may take to import. A stemmer
    # holds state, so each word gets its own and threads cannot meet in one.
    import snowballstemmer  # noqa: PLC0415

    return str(snowballstemmer.stemmer("english").stemWord(word))


@lru_cache(maxsize=512)
def _content_words(text: str) -> frozenset[str]:
    """Return the stems of the words that carry content: three letters or more, no stop word."""
    words = {word for word in compiled(_LETTERS).findall(text.casefold()) if len(word) > 2} - _STOP  # noqa: PLR2004
    plain = (_PLAIN_SPEECH.get(word, word) for word in words)
    return frozenset(_stem(word) if len(word) <= _LONGEST_WORD else word for word in plain)


def _passage_words(chunks: Iterable[Chunk]) -> frozenset[str]:
    return frozenset().union(*(_content_words(chunk.titled) for chunk in chunks))


def _quotes(text: str) -> list[str]:
    """Return the outermost quoted texts; one that is never closed reaches to the end of the text."""
    quotes: list[str] = []
    start, depth, straight = 0, 0, False
    for at, char in enumerate(text):
        if straight:
            closed = char == '"'
            straight = not closed
        elif depth:
            depth += (char == "“") - (char == "”")
            closed = depth == 0
        else:
            closed = False
            start, depth, straight = at + 1, int(char == "“"), char == '"'
        if closed:
            quotes.append(text[start:at])
    if depth:
        quotes.append(text[start:])
    return [quote for quote in quotes if quote.strip()]


@lru_cache(maxsize=512)
def _comparable(text: str) -> str:
    return " ".join(text.translate(_QUOTE_SIGNS).split())


def _has_quote(chunk: Chunk, quote: str) -> bool:
    text, wanted = _comparable(chunk.titled), _comparable(quote)
    segments = [segment.strip() for segment in compiled(_ELLIPSIS).split(wanted)]
    return _in_order(text, [wanted]) or _in_order(text, [segment for segment in segments if segment])


def _in_order(text: str, segments: Sequence[str]) -> bool:
    at = 0
    for segment in segments:
        found = _place(text, segment, at)
        if found is None:
            found = _place(text, segment.rstrip(".,;: "), at)
        if found is None:
            return False
        at = found
    return True


def _place(text: str, segment: str, start: int) -> int | None:
    """Return where `segment` ends in `text`, found from `start` on as whole words; or None."""
    while segment and (at := text.find(segment, start)) >= 0:
        end = at + len(segment)
        if not _inside_word(text, at) and not _inside_word(text, end):
            return end
        start = at + 1
    return None


def _inside_word(text: str, at: int) -> bool:
    """Whether the cut before the character at `at` would go through a word or a number."""
    return text[max(at - 1, 0) : at].isalnum() and text[at : at + 1].isalnum()
