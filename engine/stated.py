"""What a claim says of compensation, piece by piece: values, the delay they are for, the kind of flight.

A piece is a sentence, or of a sentence that lists several steps the words around one of them. Nothing here
knows which value is right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from engine.quantities import find_quantities
from engine.reading import window_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from engine.quantities import Quantity


class Window(NamedTuple):
    """Whole minutes of delay, both ends inclusive; None is no upper end."""

    least: int
    most: int | None

    def holds(self, least: int, most: int | None) -> bool:
        """Whether a range of delays lies within it."""
        below = self.most is None or (most is not None and most <= self.most)
        return self.least <= least and below


class Said(NamedTuple):
    """A percentage, an amount of dollars, or that there is no compensation at all."""

    kind: str
    """`percent`, `money` or `nothing`."""
    value: Decimal
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """What a claim says in one go."""

    text: str
    said: tuple[Said, ...]
    window: Window | None
    """The delays that the piece says it is about."""
    delays: frozenset[int]
    """Single delays that are named without bounds, in minutes."""
    foreign: bool | None
    """Whether it speaks of flights abroad; None when it says neither or both."""
    nothing_offered: bool
    """It speaks of a carrier that offers no other flight at all."""
    open: bool
    """It speaks of another case than the one at hand, or of any."""
    conditional: bool
    """It names a condition, whatever that is."""


_SENTENCE = re.compile(r"(?<=[.;!?])\*{0,2}\s+|\n+")
_SEPARATOR = re.compile(r"[,;]\s|\b(?:and|or|while|whereas)\b", re.IGNORECASE)
_NOTHING = re.compile(
    r"\bno (?:denied boarding )?compensation\b|\bnot entitled to (?:any )?compensation\b"
    r"|\b(?:owes?|owed|pays?|get|gets|due) nothing\b|\bnothing is (?:owed|due|paid)\b",
    re.IGNORECASE,
)
_END = re.compile(r"[,;.]\s|\bbut\b", re.IGNORECASE)
"""Where a denial ends: `not 400 % up to $1,550 but 200 %`."""
_DENIED = re.compile(r"\b(?:not|rather than|instead of|never) (?:the |only |just )?$", re.IGNORECASE)
_FOREIGN = re.compile(
    r"\bforeign (?:air transportation|points?|flights?|destinations?|countries|country|trips?)\b"
    r"|\binternational\w*|\babroad\b",
    re.IGNORECASE,
)
_DOMESTIC = re.compile(
    r"\binterstate\b|\bdomestic\w*|\bwithin the (?:US\b|U\.S\.|United States\b)", re.IGNORECASE
)
_NO_OFFER = re.compile(
    r"\b(?:no|not|without|never|fail\w*)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_OFFER = re.compile(r"\b(?:offer\w*|arrange\w*|provide\w*|alternat\w*|re-?book\w*)\b", re.IGNORECASE)
_NOTHING_OFFERED = re.compile(
    r"(?:\b(?:no|not (?:offered )?any|without(?: an?)?)"
    r"|(?:\bnot|n['\u2019]t) (?:offer|arrange|provide)\w*(?: any)?)"
    r" (?:alternat\w+|other) (?:air )?(?:transport\w*|flights?)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:longer|later|shorter)\b(?! than)|^\W*then\b|\bin (?:that|those|such|this) cases?\b"
    r"|\botherwise\b|\bin all other\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"\bdepend\w*|\brang(?:es? (?:from|between)|ing)\b", re.IGNORECASE)
"""In a sentence that gives several steps without saying which is whose."""
_MORE_OF = re.compile(r"\b(\w+) or more (?=hours?\b|minutes?\b)", re.IGNORECASE)
_LESS_OF = re.compile(r"\b(\w+) or (?:less|fewer) (?=hours?\b|minutes?\b)", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|unless|when|where|except|provided|because|since|for)\b",
    re.IGNORECASE,
)
_PAIR = re.compile(r"\s?(?:[-\u2010-\u2014]|to)\s?", re.IGNORECASE)
_PAIR_AND = re.compile(r" and ", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween $", re.IGNORECASE)
_AFTER, _BEFORE = 24, 28
"""Characters on either side of a duration that say how it bounds a delay."""
_CLAUSE = 200
"""Characters before a duration in which a carrier may be said not to offer a flight."""
_AT_LEAST = re.compile(
    r"(?:\b(?:(?:not|no) (?:less|fewer|under|earlier|sooner) than|at least)|\u2265) ?$", re.IGNORECASE
)
_AT_MOST = re.compile(
    r"(?:\b(?:(?:not|no) (?:more|later|longer|greater) than|up to|within|at most)|\u2264) ?$", re.IGNORECASE
)
_UNDER = re.compile(r"(?:\b(?:(?:less|fewer|shorter|earlier|sooner) than|under|below)|<) ?$", re.IGNORECASE)
_OVER = re.compile(
    r"(?:\b(?:(?:more|longer|later|greater) than|over|above|beyond|exceed\w*|after)|>) ?$", re.IGNORECASE
)
_OR_MORE = re.compile(r" ?(?:or (?:more|longer|later|over)\b(?! (?:than|an?|\w+ hours?))|\+)", re.IGNORECASE)
_OR_LESS = re.compile(r" ?or (?:less|fewer|under)\b(?! (?:than|an?|\w+ hours?))", re.IGNORECASE)


def pieces(text: str, caps: Container[Decimal]) -> Iterator[Piece]:
    """Cut a claim into what it says in one go; a piece without a value says nothing and is left out.

    Of the amounts only those of `caps` tell one step from another.
    """
    whole = direction_of(text)
    for sentence in _SENTENCE.split(text):
        direction = direction_of(sentence)
        for piece in _cut(sentence, caps):
            said = find_said(piece)
            if said:
                own = direction_of(piece)
                around = whole if direction is None else direction
                yield _piece(piece, said, around if own is None else own, sentence)


def find_said(text: str) -> tuple[Said, ...]:
    """The percentages, dollars and denials of compensation in a text, in order; `not 400 %` says none."""
    found = [
        Said(q.kind, q.value, q.text, q.start, q.end)
        for q in find_quantities(text)
        if q.kind in {"percent", "money"} and q.unit in {"percent", "USD"} and isinstance(q.value, Decimal)
    ]
    found += [Said("nothing", Decimal(0), m[0], *m.span()) for m in _NOTHING.finditer(text)]
    found.sort(key=lambda one: one.start)
    kept: list[Said] = []
    denied_to = 0
    for one in found:
        if one.start >= denied_to and _DENIED.search(_near(text, one.start)):
            end = _END.search(text, one.end)
            denied_to = end.start() if end else len(text)
        if one.start >= denied_to:
            kept.append(one)
    return tuple(kept)


def direction_of(text: str) -> bool | None:
    """True for flights abroad, False for those within the United States, None for neither or both."""
    foreign, domestic = _FOREIGN.search(text) is not None, _DOMESTIC.search(text) is not None
    return foreign if foreign != domestic else None


def _piece(text: str, said: tuple[Said, ...], foreign: bool | None, sentence: str) -> Piece:  # noqa: FBT001 - three values
    window, delays = _bounds(text)
    return Piece(
        text=text,
        said=said,
        window=window,
        delays=delays,
        foreign=foreign,
        nothing_offered=_NOTHING_OFFERED.search(text) is not None,
        open=_OPEN.search(text) is not None or _VAGUE.search(sentence) is not None,
        conditional=_CONDITION.search(text) is not None,
    )


def _cut(sentence: str, caps: Container[Decimal]) -> Iterator[str]:
    """A sentence, or its parts with one step each: cut before a step at the nearest comma, `and` or `or`."""
    begin = 0
    for one, other in pairwise(_anchors(find_said(sentence), caps)):
        ends = [match.end() for match in _SEPARATOR.finditer(sentence, one.end, other.start)]
        if ends:
            yield sentence[begin : ends[-1]]
            begin = ends[-1]
    yield sentence[begin:]


def _anchors(said: Sequence[Said], caps: Container[Decimal]) -> list[Said]:
    """The values that tell steps apart: percentages, or amounts where there is one percentage at most."""
    rates = [one for one in said if one.kind != "money"]
    if len({one.value for one in rates}) == 1 or not rates:
        rates = [one for one in said if one.kind == "money" and one.value in caps]
    return [one for at, one in enumerate(rates) if at == 0 or one.value != rates[at - 1].value]


def _bounds(text: str) -> tuple[Window | None, frozenset[int]]:
    """The window that a piece names, in the words of the texts or in others, and its single delays."""
    written = window_of(text)
    if written is not None:
        over, reached, under, inclusive = written
        most = under if under is None or inclusive else under - 1
        return Window(over if reached else over + 1, most), frozenset()
    lows, highs, single = _loose(text)
    if not lows and not highs:
        return None, single
    window = Window(max(lows, default=0), min(highs) if highs else None)
    if window.most is not None and window.least > window.most:
        # "More than one hour ... less than two" says one window, "under one hour or over two" says two.
        return None, single
    return window, single


def _loose(text: str) -> tuple[list[int], list[int], frozenset[int]]:
    """Lower ends, upper ends and single delays, in whole minutes."""
    text = _LESS_OF.sub(r"at most \1 ", _MORE_OF.sub(r"at least \1 ", text))
    lows: list[int] = []
    highs: list[int] = []
    single: set[int] = set()
    found = [q for q in find_quantities(text) if q.kind == "duration" and q.unit == "minute"]
    durations = [(q, int(q.value)) for q in found if isinstance(q.value, Decimal)]
    paired = -1
    for at, (quantity, minutes) in enumerate(durations):
        if at == paired:
            continue
        if at + 1 < len(durations) and _is_pair(text, quantity, durations[at + 1][0]):
            lows.append(minutes + 1)
            highs.append(durations[at + 1][1] - 1)
            paired = at + 1
            continue
        low, high = _end(text, quantity, minutes)
        lows += [] if low is None else [low]
        highs += [] if high is None else [high]
        single |= {minutes} if low is None and high is None else set()
    return lows, highs, frozenset(single)


def _is_pair(text: str, one: Quantity, other: Quantity) -> bool:
    between = text[one.end : other.start]
    both = _BETWEEN.search(_near(text, one.start)) and _PAIR_AND.fullmatch(between)
    return both is not None or _PAIR.fullmatch(between) is not None


def _end(text: str, quantity: Quantity, minutes: int) -> tuple[int | None, int | None]:
    """What one duration bounds a delay to: (least, most), each None where it does not."""
    before = _near(text, quantity.start)
    after = text[quantity.end : quantity.end + _AFTER]
    if _AT_LEAST.search(before) or _OR_MORE.match(after):
        return minutes, None
    if _AT_MOST.search(before) or _OR_LESS.match(after):
        return None, minutes
    if _UNDER.search(before):
        earlier = text[max(0, quantity.start - _CLAUSE) : quantity.start]
        refused = _NO_OFFER.search(earlier) and _OFFER.search(earlier)
        return (minutes, None) if refused else (None, minutes - 1)
    return (minutes + 1, None) if _OVER.search(before) else (None, None)


def _near(text: str, at: int) -> str:
    """The characters directly before a place: a longer look back would cost time in a hostile text."""
    return text[max(0, at - _BEFORE) : at]
