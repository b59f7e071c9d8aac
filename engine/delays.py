"""The arrival delay that a question names, in any wording that leaves one reading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from engine.quantities import find_quantities

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.quantities import Quantity

_HOUR = 60
_HALF_DAY = 12 * _HOUR
_AROUND = 48
"""Characters before and behind a duration that say what it is."""
_VAGUE = 4
"""`About` and `almost` may be off by one in so many."""
_LATE = r"(?:late|delay(?:ed)?|overdue)\b"
_LATER = r"(?:later|after|behind|past|beyond)\b"


def _any(*phrases: str, end: str = r"\b") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases)}){end}", re.IGNORECASE)


_COUNT = r"(?:(?P<n>\d{1,3}|[a-z]+) )?(?:hours?|hrs?|h)"
_PARTS = (
    (_any(rf"{_COUNT} and (?:an? |one )?quarter", r"(?P<m>\d{1,3}|[a-z]+) and a quarter hours"), 15),
    (_any(rf"{_COUNT} and (?:an? |one )?half"), 30),
    (_any(rf"{_COUNT} and three[- ]quarters", r"(?P<m>\d{1,3}|[a-z]+) and three[- ]quarters? hours"), 45),
)
"""Hours with a part of one, and the part's minutes."""
_HOURS_AND_BARE = (
    r"(?P<hours>(?:an?|one|two|three|four|five|six|\d{1,2}) hours?),? (?:and )?"
    r"(?P<bare>(?>(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|five|ten|fifteen|[0-5]?\d))\b"
    r"(?![- ]?(?:h|hours?|hrs?|m|mins?|minutes?|percent|dollars|days?|%)\b|[:.,]\d|%)"
)
"""`An hour and twenty`: the minutes are not said."""
_REWRITTEN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_any("three[- ]quarters? of an hour"), lambda _: "45 minutes"),
    (_any(r"(?:a )?quarter[- ](?:of an )?hour"), lambda _: "15 minutes"),
    (_any("within the hour"), lambda _: "within 60 minutes"),
    (
        re.compile(r"\b(\d{1,3})\+ ?(hours?|hrs?|h|minutes?|mins?)\b", re.IGNORECASE),
        lambda match: f"at least {match[1]} {match[2]}",
    ),
    (re.compile(r"\b(hours?|hrs?|minutes?|mins?)\+", re.IGNORECASE), lambda match: f"{match[1]} or more"),
    (
        re.compile(r"\b(\d{1,2}) ?h(?:ou)?rs? ?(\d{1,2})\b(?! ?(?:min|m\b|h))", re.IGNORECASE),
        lambda match: _minutes(int(match[1]), int(match[2])),
    ),
    (
        re.compile(rf"\b(\d{{1,2}})[:.]([0-5]\d)(?: hours?| hrs?| h)? (?={_LATE}|{_LATER})", re.IGNORECASE),
        lambda match: f"{_minutes(int(match[1]), int(match[2]))} ",
    ),
    (
        re.compile(
            r"\b((?:at|by|due|arriv(?:es?|ing|al)|land(?:s|ing)|in)(?: at)? )([01]?\d|2[0-3])h([0-5]\d)\b"
            rf"(?!\s+(?:{_LATE}|{_LATER}))",
            re.IGNORECASE,
        ),
        lambda match: f"{match[1]}{match[2]}:{match[3]}",
    ),
    (_any(_HOURS_AND_BARE), lambda match: f"{match['hours']} and {match['bare']} minutes"),
    (_any("noon|midday"), lambda _: "12 pm"),
    (_any("midnight"), lambda _: "12 am"),
)
"""Other ways to write a duration or a time, and the plain one."""

_THEN = r"(?:\s+or\s+(?:more|so))?['’]?[\s-]*(?:(?!flight|trip|drive|layover)[\w-]+\s+){0,2}?"
_LATE_BEHIND = re.compile(_THEN + _LATE, re.IGNORECASE)
_LATER_BEHIND = re.compile(_THEN + _LATER, re.IGNORECASE)
_LATE_BEFORE = _any(
    r"late(?: by)?[:,]?", r"delay(?:ed|s)?(?: time)?(?: (?:of|by|was|is|were|came to|comes to|until))?:?",
    "behind by", r"arriv(?:es?|ed|ing|al)(?: time)?", "lands?", end=r"\s*$",
)  # fmt: skip
_WITHIN_BEFORE = _any("within", end=r"\s*$")
_HEDGE = _any(
    "over|more than|longer than|beyond|above|at least|(?:a )?minimum of|under|less than|fewer than|below",
    "not even|not quite|within|up to|at most|not? more than|not over|not? later than|about|around|roughly",
    "approximately|some|nearly|almost|close to|just|only|exactly|precisely|an?|the|another|extra|between",
    end=r"\s+$",
)
"""What may stand between a duration and the words that say what it is."""
_JOINED = re.compile(r"\s*(?:-|–|to|or)\s*", re.IGNORECASE)
_AND = re.compile(r"\s*and\s*", re.IGNORECASE)
_BUT = re.compile(
    r",?\s*(?:but|and|yet)\s+(?:still )?(?:(?P<under>under|less than|fewer than|below)"
    r"|within|up to|at most|no(?:t)? (?:more|later) than|not over)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_BETWEEN = _any("between", end=r"\s+(?:an?\s+)?$")
_UP_TO = _any(
    "within|up to|at most|no more than|not more than|not over|not later than|no later than",
    end=r"\s+(?:the\s+)?$",
)
_OVER = _any("over|more than|longer than|beyond|above", end=r"\s+$")
_AT_LEAST = _any("at least|minimum of", end=r"\s+$")
_OR_MORE = re.compile(r"\s*or more\b", re.IGNORECASE)
_UNDER = _any("under|less than|fewer than|below|not even|not quite", end=r"\s+$")
_ALMOST = _any("nearly|almost|close to", end=r"\s+$")
_ABOUT = _any("about|around|roughly|approximately|some", end=r"\s+$")
_SO = re.compile(r"\s*or so\b|\s*,? (?:give or take|roughly|approximately)\b", re.IGNORECASE)

_PLANNED = _any("planned|scheduled|due|booked|supposed|set to|meant to|will|would")
_ACTUAL = _any("actual(?:ly)?|in fact|in the end|in reality|ended up|turned out")
_PAST = _any("arrived|landed|reached")
_CLAUSE = re.compile(r"[,;!?]|\.\s|\bbut\b|\band\b", re.IGNORECASE)

_ARRIVES = (
    r"arriv\w*|land(?:s|ed|ing)?|gets? (?:me |us |him |her |them )?(?:in|there|home|to)|got|reach\w*|in at"
    r"|be (?:in|at|there|home|back)"
)
_LEAVES = r"leaves|leaving|left(?! (?:behind|off|out|at))|depart\w*|tak(?:es|ing) off|took off"
_ELSE = (
    r"(?:pays?|paying|payments?)(?! for)|paid|che(?:ck|que)|refund\w*|tender\w*|mail\w*|complain\w*|claim\w*"
    r"|filed?|report\w*|wrote|told|wait(?:s|ed|ing)?|closed|bags?|luggage|suitcases?|called"
    r"|check(?:ed)?[- ]?in"
)
_ROLE = _any(
    rf"(?P<arrives>{_ARRIVES}|due|planned|scheduled|original|re-?book\w*|alternat\w+|replacement|put|flight)"
    rf"|(?P<other>{_LEAVES}|{_ELSE})"
)
"""The last of these before a duration tells an arrival from a departure, a payment, a wait or a complaint."""
_SINCE = re.compile(
    r"[\s-]*(?:[\w-]+\s+){0,1}?after\s+(?:the |my |our |her |his |i |we |it )*"
    r"(?:den(?:ied|ial)|bump|land(?:ing|ed)|depart|board|check|deadline|cut-?off|purchas|book|take|took|event)",
    re.IGNORECASE,
)
"""What makes a time since something else of a duration."""
_PASSENGER = re.compile(
    r"[\s-]*late\s+(?:to|for|at|getting to)\s+(?:the |my |our )?"
    r"(?:gate|check|airport|board|counter|desk|queue|line|security|terminal)",
    re.IGNORECASE,
)
"""Who is late is the passenger."""
_NOT_FLIGHT = _any(r"bags?|baggage|luggage|suitcases?", end=r"\s+(?:\w+\s+){0,3}$")

_MARKED = r"(?P<h>1[0-2]|0?[1-9])(?:[:.](?P<m>[0-5]\d))? ?(?P<half>[ap])\.?m\b"
_BARE = r"(?P<bh>[01]?\d|2[0-3])[:h](?P<bm>[0-5]\d)(?![\d:]|\s?(?:hours?|hrs?)\b)"
_TIME = re.compile(rf"(?<![\w:.,$])(?:{_MARKED}|{_BARE})", re.IGNORECASE)
_TIME_ROLE = _any(rf"(?P<arrives>{_ARRIVES}|due)|(?P<leaves>{_LEAVES}|leave|left)")
_ROLE_BEHIND = re.compile(
    rf"\s*(?:(?P<arrives>arrival)|(?P<leaves>departure|(?:{_LEAVES})))\b", re.IGNORECASE
)
_NEW = _any(
    "new|now|other|next|substitute|given|instead|re-?book\\w*|replacement|alternat\\w+|actual\\w*|got|later"
)
_OLD = _any("originally|original|old|planned|scheduled|booked|due|supposed|meant|was to|first")
_FIRST = _any("originally|original|old|supposed|meant|was to|first")
"""Of these, what a new flight is not said to be: it is due, planned and booked as well."""
_REVERSED = _any("instead of|rather than|not|in place of|against")


@dataclass(frozen=True, slots=True)
class Delay:
    """The arrival delay of the alternate transportation, in minutes, both ends inclusive."""

    least: int
    most: int | None
    """None for an open end."""
    planned: bool | None
    """Whether the planned arrival is meant; False for an actual one, None when it is not said."""
    text: str
    """The words that say so."""


def read_delay(text: str) -> Delay | None:
    """Return the one arrival delay that a text names; None when it names none, or two different ones.

    Read are "90 minutes late", "an hour and a half later", "1h30 after", "1-2 hrs late" (what lies
    between), "over four hours late", "within the hour" of an arrival, and two clock times of arrival.
    "About two hours" is what may be meant by it. Of a planned and an actual delay the planned one counts.
    """
    plain = _spelt_out(text)
    found = list(_durations(plain))
    if not found:
        return _between_times(plain)
    if any(one.planned for one in found):
        found = [one for one in found if one.planned is not False]
    return found[0] if len({(one.least, one.most) for one in found}) == 1 else None


def _spelt_out(text: str) -> str:
    """Hours with parts written as minutes, from which quantities are read."""
    for pattern, part in _PARTS:
        text = pattern.sub(partial(_with_part, part), text)
    for pattern, write in _REWRITTEN:
        text = pattern.sub(write, text)
    return text


def _with_part(part: int, match: re.Match[str]) -> str:
    """The minutes of `two hours and a quarter`; words that are no number stay before `60 minutes`."""
    groups = match.groupdict()
    word = groups.get("n") or groups.get("m")
    if word is None or word.casefold() in {"a", "an", "one"}:
        return _minutes(1, part)
    number = find_quantities(f"{word} hours")
    if number and isinstance(number[0].value, Decimal):
        return f"{int(number[0].value) + part} minutes"
    return match[0] if groups.get("m") else f"{word} {_minutes(1, part)}"


def _minutes(hours: int, minutes: int) -> str:
    return f"{hours * _HOUR + minutes} minutes"


def _durations(plain: str) -> Iterator[Delay]:
    """Every delay that a duration names."""
    spans = [
        q
        for q in find_quantities(plain)
        if q.kind == "duration" and q.unit == "minute" and isinstance(q.value, Decimal)
    ]
    taken = 0
    for item, following in zip_longest(spans, spans[1:]):
        if item.start < taken:
            continue
        before = plain[max(0, item.start - _AROUND) : item.start]
        other = following if following and _one_range(before, plain[item.end : following.start]) else None
        taken = (other or item).end
        behind = plain[taken : taken + _AROUND]
        if _is_delay(before, behind):
            between = plain[item.end : other.start] if other else ""
            yield _delay(item, other, _clause(before, -1), between, _clause(behind, 0))


def _one_range(before: str, between: str) -> bool:
    """Whether two durations with that between them are the ends of one range."""
    if _JOINED.fullmatch(between) or (_BETWEEN.search(before) and _AND.fullmatch(between)):
        return True
    return _BUT.fullmatch(between) is not None and _low_end(before, "") is not None


def _is_delay(before: str, behind: str) -> bool:
    """Whether what stands around a duration makes an arrival delay of it."""
    bare = before
    while hedge := _HEDGE.search(bare):
        bare = bare[: hedge.start()]
    if _PASSENGER.match(behind) or _NOT_FLIGHT.search(bare):
        return False
    if _LATE_BEHIND.match(behind) or _LATE_BEFORE.search(bare):
        return _SINCE.match(behind) is None
    roles = list(_ROLE.finditer(before))
    if roles and roles[-1]["other"]:
        return False
    if _LATER_BEHIND.match(behind):
        return _SINCE.match(behind) is None
    return _WITHIN_BEFORE.search(before) is not None and bool(roles)


def _clause(text: str, place: int) -> str:
    """The last or the first clause of what stands before or behind."""
    return _CLAUSE.split(text)[place]


def _low_end(before: str, behind: str) -> int | None:
    """What is added to a duration that is the lower end of an open range, or None."""
    if _UP_TO.search(before):
        return None
    if _OVER.search(before):
        return 1
    return 0 if _AT_LEAST.search(before) or _OR_MORE.match(behind) else None


def _delay(item: Quantity, other: Quantity | None, before: str, between: str, behind: str) -> Delay:
    value = _whole(item)
    planned = True if _PLANNED.search(before) else False if _ACTUAL.search(before + behind) else None
    if other is None:
        return Delay(*_ends(value, before, behind), planned, item.text)
    words = f"{item.text} to {other.text}"
    upper = _BUT.fullmatch(between)
    if upper:
        return Delay(
            value + (_low_end(before, "") or 0), _whole(other) - bool(upper["under"]), planned, words
        )
    # "1 to 2 hours" is what lies between, as the tables of carriers' notices have it.
    return Delay(value + 1, _whole(other) - 1, planned, words)


def _ends(value: int, before: str, behind: str) -> tuple[int, int | None]:
    """The ends of what one duration says with the words around it."""
    low, off = _low_end(before, behind), value // _VAGUE
    if low is not None:
        return value + low, None
    if _UNDER.search(before):
        return 0, value - 1
    if _UP_TO.search(before):
        return 0, value
    if _ALMOST.search(before):
        return value - off, value - 1
    return (value - off, value + off) if _ABOUT.search(before) or _SO.match(behind) else (value, value)


def _whole(item: Quantity) -> int:
    """The minutes of a duration, of a pair's first number in the unit of the second."""
    return int(Decimal(str(item.value)))


@dataclass(frozen=True, slots=True)
class _Time:
    """A clock time of a text."""

    minutes: int
    """Since midnight."""
    half_open: bool
    """Morning and evening are not told apart."""
    before: str
    arrives: bool
    leaves: bool


def _times(text: str) -> Iterator[_Time]:
    end = 0
    for match in _TIME.finditer(text):
        before = text[end : match.start()]
        end = match.end()
        role = _ROLE_BEHIND.match(text, end) or next(reversed(list(_TIME_ROLE.finditer(before))), None)
        minutes = int(match["m"] or match["bm"] or 0)
        if match["half"]:
            hours = int(match["h"]) % 12 + 12 * (match["half"].casefold() == "p")
        else:
            hours = int(match["bh"])
        yield _Time(
            hours * _HOUR + minutes,
            match["half"] is None and 0 < hours <= _HALF_DAY // _HOUR and match["bh"][0] != "0",
            before,
            arrives=role is not None and role["arrives"] is not None,
            leaves=role is not None and role["leaves"] is not None,
        )


def _between_times(text: str) -> Delay | None:
    """The delay between two clock times of arrival; midnight may lie between them."""
    times = [time for time in _times(text) if not time.leaves]
    if len(times) != len(("old", "new")) or not any(time.arrives for time in times):
        return None
    first, second = times
    marked = _NEW.search(first.before) and not _FIRST.search(first.before) and _OLD.search(second.before)
    if marked or _REVERSED.search(second.before):
        first, second = second, first
    minutes = second.minutes - first.minutes
    if minutes < 0:
        # "11:30 … 1:15" goes past noon or midnight; "11:30 pm … 12:45 am" past midnight.
        minutes += _HALF_DAY if first.half_open and second.half_open else 2 * _HALF_DAY
    if not 0 < minutes < _HALF_DAY:
        return None
    actual = _ACTUAL.search(second.before) or _PAST.search(second.before)
    return Delay(minutes, minutes, not actual, "between the two times")
