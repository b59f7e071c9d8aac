"""Whether a question is about the history of a rule, and about which days of it.

A plain question about an amount must never be taken for one: each form needs its own words *and* a
rule, a section or an amount as what it speaks of. What is missed is answered by quotation as ever.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.dates import find_days, masked
from engine.quantities import Quantity, find_quantities
from engine.sources.numbers import find_references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.dates import FoundDay

_DAY = timedelta(days=1)
_DECEMBER = 12


class Wants(StrEnum):
    """What a question about the history wants to know."""

    CHANGES = "changes"
    """What became different within some days."""
    LAST = "last"
    """Only the latest of these."""
    RUN = "run"
    """From which day to which something was in force."""
    COMING = "coming"
    """Whether a change is announced."""


@dataclass(frozen=True, slots=True)
class Span:
    """Days within which changes are wanted."""

    first: date
    """Inclusive: a change on this day counts."""
    last: date
    """Inclusive too."""


@dataclass(frozen=True, slots=True)
class HistoryQuestion:
    """What a question wants to know of the history."""

    wants: Wants
    span: Span | None = None
    """None: every day until the asked one."""
    amounts: tuple[Quantity, ...] = ()
    """The amounts and percentages that the question names, once each."""
    of_amount: bool = False
    """Whether it speaks of a limit or an amount, named or not."""
    everything: bool = False
    """Whether it names no rule at all, only days."""
    topic: str = ""
    """The question without what makes it one of history: what search looks for."""

    @property
    def vague(self) -> bool:
        """Whether it speaks of a limit or an amount and does not say whose."""
        return self.of_amount and not _SMALL_WORDS.sub("", _AMOUNT.sub("", self.topic))


def _any(*phrases: str) -> str:
    return rf"\b(?:{'|'.join(phrases)})\b"


_AMOUNT = re.compile(
    _any(
        "limits?", "caps?", "ceilings?", "max", "maxim(?:um|a|ums)", "min", "minim(?:um|a|ums)", "amounts?",
        "sums?", "figures?", "percentages?", "payouts?", "thresholds?",
    ),
    re.IGNORECASE,
)  # fmt: skip
_RULE = re.compile(
    _any(
        "rules?", "regulations?", "sections?", "paragraphs?", "parts?", "provisions?", "requirements?",
        "notices?", "wording", "texts?", "versions?", "formulas?", "windows?", "duty", "duties",
        "obligations?", "bans?", "tiers?", "definitions?", "compensation", "law", "statements?",
    ),
    re.IGNORECASE,
)  # fmt: skip
_MUST = re.compile(
    _any("must", "have to", "has to", "had to", "required", "obliged", "allowed"), re.IGNORECASE
)
_OWN_CASE = re.compile(
    rf"{_any('owe[sd]?', 'owing', 'entitled', 'refund me')}"
    r"|\b(?:do|does|did|can|could|should|would|am|are|may|must|was|were|if|when|because) (?:i|we|he|she)\b"
    r"|\bif (?:you|they|the (?:flight|airline|carrier))\b",
    re.IGNORECASE,
)
"""The question is about somebody's case, whatever else it says."""
_NO_SUBJECT = (
    r"(?!(?:my|our|his|her|their|your|i|we|they|he|she|you|the (?:flight|plane|aircraft|gate|airline|carrier"
    r"|crew|schedule|departure|booking|reservation|itinerary))\b)"
)
_SUBJECT = r"(?P<x>[^?!;\n]{1,90}?)"
_X = rf"{_NO_SUBJECT}{_SUBJECT}"
_REST = r"(?P<x>[^?!;\n]*)"
_CLAUSE = r"(?:^|[?!.;:,]\s{1,3}|\b(?:and|but|so|by)\s)\s{0,3}"
_ADVERB = r"(?:(?:ever|been|last|first|recently|already|really|actually)\s+){0,3}"
_MOVED = (
    r"(?:changed?|differ(?:ed)?|ris(?:e|en)|rose|go(?:ne)? (?:up|down)|increased?|decreased?|evolved?"
    r"|amended?|raised?|lowered|revised?|updated?|adjusted|reworded)\b"
)
_CAME = (
    r"(?:introduced|added|beg[iau]n|start(?:ed)?|com(?:e|ing) (?:in|into (?:force|effect))|taken? effect"
    r"|became|become|enacted|adopted)\b"
)
_DID = r"(?:did|was|were|has|have|had)"
_ASKS = r"(?=\s+(?:is|was|are|were|has|have|had|do|does|did|must|may|can|should)\b|\s+[$\u00a7])"
_IN_WHAT = (
    r"(?=\s+(?:in|to|for|about|with|at|since|between|on|from|during|of|the|section|part|\u00a7|[0-9])"
    r"|\W*$)"
)
_WHAT = r"what(?:'s|\u2019s|\s+(?:is|was|has|have|had|are|were))?"
_TO_COME = r"(?:coming|upcoming|pending|announced|planned) (?:change|amendment|increase)s?"
_FORMS: tuple[tuple[Wants, str], ...] = (
    (Wants.RUN, rf"\b(?:since|until|till|up to) when{_ASKS}{_REST}"),
    (Wants.LAST, rf"{_CLAUSE}when\s+{_DID}\s+{_X}\slast\s+{_MOVED}"),
    (Wants.LAST, rf"\b(?:last|latest|most recent)\s+(?:change|amendment|revision)\b{_REST}"),
    (Wants.RUN, rf"\bhow long {_DID}\s+{_NO_SUBJECT}{_REST}"),
    (Wants.RUN, rf"\bfrom (?:when|(?:what|which) (?:day|date))\b{_REST}"),
    (Wants.CHANGES, rf"\bwhen\s+{_DID}\s+{_X}\s+{_ADVERB}{_MOVED}"),
    (Wants.RUN, rf"\bwhen\s+{_DID}\s+{_X}\s+{_ADVERB}{_CAME}"),
    (Wants.COMING, rf"{_CLAUSE}(?:when\s+|how\s+)?will\s+{_X}\s+(?:be )?{_MOVED}"),
    (Wants.COMING, rf"{_CLAUSE}(?:when\s+|how\s+)?(?:is|are)\s+{_X}\s+going to (?:be )?{_MOVED}"),
    (Wants.COMING, rf"\b{_TO_COME}\b{_REST}"),
    (Wants.CHANGES, rf"\b{_WHAT}\s+{_ADVERB}(?:changed|the changes|amended|revised)\b{_IN_WHAT}{_REST}"),
    (Wants.CHANGES, rf"\b(?:how|in what way|by how much)\s+(?:do|{_DID})\s+{_X}\s+{_ADVERB}{_MOVED}"),
    (Wants.CHANGES, rf"{_CLAUSE}{_DID}\s+{_X}\s+{_ADVERB}{_MOVED}"),
)
"""Each form of a question of history; `x` is what it speaks of."""
_COMPARED = re.compile(
    r"\b(?:different|differences?|new|compare[sd]?|versus|vs|changes|change)\b[^?!;\n]*", re.IGNORECASE
)
_BARE_YEAR = re.compile(r"\b(with|to|than|versus|vs\.?|against) (?=20[0-9]{2}\b)", re.IGNORECASE)
"""A year is read as one after "in", and these words announce one too."""
_TODAY = re.compile(_any("now", "today", "current(?:ly)?", "versions"), re.IGNORECASE)
_SINCE = re.compile(
    r"\b(?:since|compared (?:with|to)|than|versus|vs\.?|against)\s+(?:in )?(?:the )?$", re.IGNORECASE
)
_WITHIN = re.compile(r"\b(?:in|during|on|throughout)\s+(?:the )?$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|before|by|up to)\s+(?:the )?$", re.IGNORECASE)
_AS_OF = re.compile(r"\bas (?:of|on|at)\s+(?:the )?$", re.IGNORECASE)
_SMALL_WORDS = re.compile(
    r"\b(?:between|and|since|from|to|in|on|during|until|till|before|by|up|of|the|year|then|now|today|with"
    r"|compared|exactly|there)\b|[^a-z]",
    re.IGNORECASE,
)
_OF_HISTORY = re.compile(
    rf"{_MOVED}|{_CAME}|"
    + _any(
        "since", "until", "till", "when", "how long", "how much", "how", "what", "which", "did", "has",
        "have", "had", "was", "were", "is", "are", "been", "will", "there", "ever", "last", "first",
        "latest", "rules?",
        "regulations?", "provisions?", "between", "compared", "with", "different", "differences?",
        "compare", "now", "today", "it", "in", "force", "the", "an?", "to", "and", "by", "as of", "over",
        "time", "wording", "amendment", "current(?:ly)?",
    ),
    re.IGNORECASE,
)  # fmt: skip
_DELAYED = re.compile(
    _any("delay(?:ed|s)?", "flights?", "wait(?:ed|ing)?", "late", "claim", "vouchers?", "valid", "pay"),
    re.IGNORECASE,
)


def read_question(text: str, as_of: date) -> HistoryQuestion | None:
    """Read what a question wants of the history; None when it is about something else.

    Years and months are spans: "between 2020 and 2023" is from 2020-01-01 to 2023-12-31. With one day
    the other is the asked one. "What changed on" a day or "in" a year is that day or year alone.
    """
    if _OWN_CASE.search(text):
        return None
    text = _BARE_YEAR.sub(r"\1 in ", text)
    found = next(_found(text), None)
    if found is None:
        return None
    wants, about = found
    amounts = tuple(dict.fromkeys(q for q in find_quantities(text) if _countable(q)))
    if wants is Wants.CHANGES and amounts:
        wants = Wants.RUN
    return HistoryQuestion(
        wants,
        None if wants is Wants.RUN else _span(text, as_of),
        amounts,
        of_amount=bool(amounts or _AMOUNT.search(text)),
        everything=wants is not Wants.RUN and not _names_rule(about),
        topic=_topic(text),
    )


def _topic(text: str) -> str:
    """What the question is about, without days and without the words that ask for a history."""
    spans = [(day.start, day.end) for day in find_days(text)]
    rest = masked(text, spans).replace("\0", " ")
    return " ".join(_OF_HISTORY.sub(" ", rest).split()) or text


def _found(text: str) -> Iterator[tuple[Wants, str]]:
    """Each form that the question has, with what it speaks of."""
    for wants, form in _FORMS:
        for match in re.finditer(form, text, re.IGNORECASE):
            about = match["x"] if match.end("x") == match.end() else f"{match['x']}{text[match.end() :]}"
            if _fits(wants, match[0], match["x"], about):
                yield wants, about
    for match in _COMPARED.finditer(text):
        days = len(find_days(match[0]))
        enough = days > 1 or (days and _TODAY.search(text))
        if enough and _names_rule(text):
            yield Wants.CHANGES, text


def _fits(wants: Wants, whole: str, subject: str, about: str) -> bool:
    """Whether what a form speaks of is a rule and not a trip."""
    if wants is Wants.RUN and whole.casefold().startswith(("how long", "from")):
        return _has_amount(about) and not _DELAYED.search(about)
    if wants is Wants.RUN and whole.casefold().startswith("since"):
        return _names_rule(about) or _MUST.search(about) is not None
    if wants is Wants.RUN and whole.casefold().startswith(("until", "till", "up")):
        # "Until when must they pay?" asks for a time limit of the rule itself.
        return _names_rule(about) and not _MUST.search(about)
    only_days = _only_days(subject) and whole.casefold().startswith("what")
    return _names_rule(subject) or (wants is Wants.CHANGES and (only_days or _has_amount(about)))


def _names_rule(text: str) -> bool:
    named = any(ref.section or ref.part for ref in find_references(text))
    return bool(named or _AMOUNT.search(text) or _RULE.search(text) or _has_amount(text))


def _has_amount(text: str) -> bool:
    return any(_countable(q) for q in find_quantities(text))


def _countable(item: Quantity) -> bool:
    return item.kind in {"money", "percent"} and isinstance(item.value, Decimal)


def _only_days(text: str) -> bool:
    """Whether nothing but days stands in a text, and at least one."""
    found = find_days(f"in {text}" if text[:1].isdigit() else text)
    rest = text
    for day in found:
        rest = rest.replace(day.text, " ")
    return bool(found) and not _SMALL_WORDS.sub("", rest)


def _span(text: str, as_of: date) -> Span | None:
    """The days that the question names, the asked one in place of a second."""
    named = [
        (day, text[: day.start], begin, end)
        for day in find_days(text)
        if not _AS_OF.search(text[: day.start]) and (ends := _ends(day)) is not None
        for begin, end in (ends,)
    ]
    if not named:
        return None
    if len(named) > 1:
        low = min(named, key=lambda row: row[2])
        return Span(_after(low[0], low[2]), max(row[3] for row in named))
    day, before, begin, end = named[0]
    if _WITHIN.search(before) and not _SINCE.search(before):
        return Span(begin, end)
    if _UNTIL.search(before):
        return Span(date.min, begin)
    first, last = sorted((begin, as_of))
    return Span(_after(day, first) if first == begin else first + _DAY, last)


def _after(day: FoundDay, begin: date) -> date:
    """A version of a named day is where one starts from: what changed on it is known already."""
    return begin + _DAY if day.precision == "day" else begin


def _ends(found: FoundDay) -> tuple[date, date] | None:
    """The first and last day of what is written; None when it has no one reading."""
    if found.day is not None:
        return found.day, found.day
    if found.year is None or found.precision == "day":
        return None
    if found.month is None:
        return date(found.year, 1, 1), date(found.year, _DECEMBER, 31)
    after = date(found.year + found.month // _DECEMBER, found.month % _DECEMBER + 1, 1)
    return date(found.year, found.month, 1), after - _DAY
