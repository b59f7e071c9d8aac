"""Days as people write them: one day read strictly, and every date found in a sentence.

The month names are our own English table and never the locale's, so that a day has the same reading
on every machine. A day written in digits alone with the month or the day first has no fixed order:
it is never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from engine.errors import UsageError
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FIRST_YEAR: Final = 1900
"""The first year of a day that is accepted."""
LAST_YEAR: Final = 2100
"""The last year of a day that is accepted."""
ACCEPTED_FORMS: Final = "Write it as 2022-06-10, 10 June 2022 or June 10, 2022."
"""What a user is told after a day that was refused."""

Precision = Literal["day", "month", "year"]

_NAMES: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTH_OF: Final = {
    **{name.casefold(): number for number, name in enumerate(_NAMES, 1)},
    **{name[:3].casefold(): number for number, name in enumerate(_NAMES, 1)},
    "sept": 9,
}
_WEEKDAY_OF: Final = {
    **{name.casefold(): number for number, name in enumerate(_WEEKDAYS)},
    **{name[:3].casefold(): number for number, name in enumerate(_WEEKDAYS)},
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
_LONGEST: Final = 48
"""No accepted form is longer; what is longer is refused before any pattern sees it."""
_SHOWN: Final = 40
"""Characters of a refused text that its error shows."""
_LEAP_YEAR: Final = 2000
_CENTURY_TURN: Final = 70
"""A two-digit year below it belongs to 20xx: the texts begin in 2017, and nobody asks about 2070."""


def _words(table: Iterable[str]) -> str:
    return "|".join(sorted(table, key=len, reverse=True))


_BLANKS: Final = " \t\r\n\u00a0\u202f"
_GAP: Final = rf"[{_BLANKS}]{{1,4}}"
_D: Final = r"(?P<d>[0-9]{1,2})(?P<nth>st|nd|rd|th)?"
_M: Final = rf"(?P<m>{_words(_MONTH_OF)})(?![a-z])\.?"
_Y: Final = r"(?P<y>[0-9]{4})"
_ISO: Final = r"(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})"
_DAY_FIRST: Final = rf"{_D}(?:{_GAP}(?:of{_GAP})?|-){_M}"
_MONTH_FIRST: Final = rf"{_M}{_GAP}{_D}"
_TO_YEAR: Final = rf"(?:,?{_GAP}|,)"
_NUMERIC: Final = (
    r"(?P<a>[0-9]{1,2})(?:(?P<s>[/.-])(?P<b>[0-9]{1,2})(?P=s)(?P<y>[0-9]{4})|"
    r"/(?P<b2>[0-9]{1,2})/(?P<y2>[0-9]{2}))"
)
# A number before one of these counts something: "in 2019 dollars", "June 30 passengers".
NOT_COUNTED: Final = (
    rf"(?![{_BLANKS}-]{{0,4}}(?:%|percent|per{_GAP}cent|pct|(?:US{_GAP})?dollars?\b|USD|euros?\b|cents?\b|"
    rf"minutes?\b|mins?\b|hours?\b|hrs?\b|days?\b|weeks?\b|months?\b|years?\b|or{_GAP}(?:more|fewer|less)\b|"
    r"passengers?\b|seats?\b|points?\b|persons?\b|people\b|volunteers?\b|bags?\b|flights?\b|miles?\b|"
    r"feet\b|pounds?\b))"
)
"""A pattern without width: no unit and no counted noun follows the number that ends here."""
_WHOLE: Final = tuple(
    rf"(?:(?P<w>{_words(_WEEKDAY_OF)})[.,]{{0,2}}{_GAP})?(?:the{_GAP})?{form}"
    for form in (_ISO, rf"{_DAY_FIRST}(?:{_TO_YEAR}|-){_Y}", rf"{_MONTH_FIRST}{_TO_YEAR}{_Y}")
)
_ALONE: Final = r"(?<![\w$./-])(?<![0-9],)"
_ENDS: Final = r"(?![\w%/-]|[.,][0-9])"
_YEAR_ENDS: Final = r"(?![\w%]|[.,/][0-9]|-(?!(?:19|20)[0-9]{2}(?![\w-]))[0-9])"
_IN_TEXT: Final = (
    ("day", rf"{_ALONE}{_Y}(?P<s>[-/.])(?P<m>[0-9]{{1,2}})(?P=s)(?P<d>[0-9]{{1,2}}){_ENDS}"),
    ("day", rf"{_ALONE}{_NUMERIC}{_ENDS}"),
    ("day", rf"{_ALONE}{_DAY_FIRST}(?:{_TO_YEAR}|-){_Y}{_YEAR_ENDS}"),
    ("day", rf"(?<!\w){_MONTH_FIRST}{_TO_YEAR}{_Y}{_YEAR_ENDS}"),
    ("month", rf"(?<!\w){_M}(?:,?{_GAP}(?:of{_GAP})?){_Y}{_YEAR_ENDS}"),
    ("day", rf"(?<!\w){_MONTH_FIRST}{_YEAR_ENDS}{NOT_COUNTED}"),
    ("day", rf"{_ALONE}{_DAY_FIRST}(?!\w)"),
)
_YEAR_AFTER_WORD: Final = (
    r"\b(?:in|of|during|since|until|till|before|after|from|between|by|through|throughout|year|"
    rf"summer|winter|spring|autumn|fall|early|late|mid)(?:{_GAP}|-){_Y}{_YEAR_ENDS}{NOT_COUNTED}"
)
_NEXT_YEAR: Final = rf"(?:,?{_GAP}(?:and|or|to){_GAP}|,{_GAP}|[-\u2013]){_Y}{_YEAR_ENDS}{NOT_COUNTED}"
# "you may 2 days later", "they march 20 miles": without a year these two are verbs in lower case.
_VERBS: Final = frozenset({"may", "march"})


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the ASCII pattern that ignores case; made at first use, since that is slow at import."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class FoundDay:
    """A date that stands in a text, as exact as it is written and no more."""

    day: date | None
    """The one day that is meant; None for a month, a year, two readings, no year or no such day."""
    text: str
    start: int
    end: int
    """Characters of the searched text, half open."""
    precision: Precision
    readings: tuple[date, ...] = ()
    """Every day that the text can mean: `6/10/2022` has two, month first; `2023-02-29` has none."""
    year: int | None = None
    month: int | None = None
    day_of_month: int | None = None
    """The parts that are written and have one reading, as written: the month of `2022-13-01` is 13."""

    def may_be(self, day: date) -> bool:
        """Whether the text can mean `day`, or a month, a year or a day without year that `day` is in."""
        if self.precision == "day" and self.year is not None:
            return day in self.readings
        parts = ((self.year, day.year), (self.month, day.month), (self.day_of_month, day.day))
        return all(written is None or written == wanted for written, wanted in parts)


def parse_day(text: str) -> date:
    """Read one day: `2022-06-10`, `10 June 2022`, `June 10, 2022`, `10-Jun-2022`, a right weekday before it.

    Raises `UsageError` for everything else: days in digits of unknown order, days that do not exist,
    years outside 1900 to 2100, a wrong weekday. Its message shows the text made safe and short.
    """
    plain = text.strip(_BLANKS)
    if not plain:
        raise UsageError("No day was given.", ACCEPTED_FORMS)
    shown = f'"{_short(plain)}"'
    match = None
    if len(plain) <= _LONGEST:
        match = next((found for form in _WHOLE if (found := compiled(form).fullmatch(plain))), None)
    if match is None:
        raise UsageError(_refusal(plain, shown), ACCEPTED_FORMS)
    day = _day_of(match)
    if day is None:
        raise UsageError(f"There is no day {shown} from {FIRST_YEAR} to {LAST_YEAR}.", ACCEPTED_FORMS)
    weekday = match["w"]
    if weekday is not None and _WEEKDAY_OF[weekday.casefold()] != day.weekday():
        right = _WEEKDAYS[day.weekday()]
        raise UsageError(f"{shown} names the wrong weekday: {day} is a {right}.", ACCEPTED_FORMS)
    return day


def find_days(text: str) -> tuple[FoundDay, ...]:
    """Return the dates that stand in `text`, in order and without overlap.

    Years alone count only after a word such as `in` or `summer`. Amounts, section numbers,
    percentages and flight numbers are no dates. Never raises; takes time in proportion to the text.
    """
    found: list[FoundDay] = []
    rest = text
    for precision, form in _IN_TEXT:
        matches = compiled(form).finditer(rest)
        new = [_found(match, precision, text) for match in matches if _is_written_as_date(match)]
        rest = masked(rest, ((item.start, item.end) for item in new))
        found += new
    found += _years(rest, text)
    return tuple(sorted(found, key=lambda item: item.start))


def masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return `text` of the same length with the half-open `spans` (in order) made unreadable."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += (text[at:start], "\0" * (end - start))
        at = end
    return "".join((*pieces, text[at:]))


def _short(text: str) -> str:
    line = one_line(text[: _SHOWN + 1])
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _refusal(plain: str, shown: str) -> str:
    numeric = compiled(_NUMERIC).fullmatch(plain) if len(plain) <= _LONGEST else None
    readings = _numeric_readings(numeric) if numeric else ()
    if len(readings) > 1:
        return f"{shown} can mean {' or '.join(map(str, readings))}."
    return f"{shown} is not a day in a form that has one reading."


def _make_day(year: int, month: int, day: int) -> date | None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month_number(text: str) -> int:
    return int(text) if text.isdecimal() else _MONTH_OF[text.casefold()]


def _day_of(match: re.Match[str]) -> date | None:
    """Return the day of a match with the groups y, m and d; None when there is no such day."""
    day = int(match["d"])
    suffix = match.groupdict().get("nth")
    if suffix and suffix.casefold() != _ordinal(day):
        return None
    return _make_day(int(match["y"]), _month_number(match["m"]), day)


def _ordinal(day: int) -> str:
    if day in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _numeric_year(match: re.Match[str]) -> int:
    if match["y"]:
        return int(match["y"])
    short = int(match["y2"])
    return short + (2000 if short < _CENTURY_TURN else 1900)


def _numeric_readings(match: re.Match[str]) -> tuple[date, ...]:
    """Return the days of `6/10/2022`, the reading with the month first before the other."""
    year, first, second = _numeric_year(match), int(match["a"]), int(match["b"] or match["b2"])
    days = (_make_day(year, first, second), _make_day(year, second, first))
    return tuple(dict.fromkeys(day for day in days if day is not None))


def _is_written_as_date(match: re.Match[str]) -> bool:
    groups = match.groupdict()
    if "a" in groups:  # digits alone: without a reading they are something else, such as 24/7/2365
        return bool(_numeric_readings(match))
    if groups.get("y"):
        return True
    in_leap_year = _make_day(_LEAP_YEAR, _month_number(groups["m"]), int(groups["d"]))
    return groups["m"] not in _VERBS and in_leap_year is not None


def _found(match: re.Match[str], precision: str, text: str) -> FoundDay:
    start, end = match.span()
    written = text[start:end]
    groups = match.groupdict()
    if "a" in groups:
        readings = _numeric_readings(match)
        only = readings[0] if len(readings) == 1 else None
        return FoundDay(only, written, start, end, "day", readings, _numeric_year(match))
    year = int(groups["y"]) if groups.get("y") else None
    month = _month_number(groups["m"])
    if precision == "month":
        return FoundDay(None, written, start, end, "month", year=year, month=month)
    day = _day_of(match) if year is not None else None
    readings = (day,) if day else ()
    return FoundDay(day, written, start, end, "day", readings, year, month, int(groups["d"]))


def _years(rest: str, text: str) -> Iterator[FoundDay]:
    """Yield the years after a word that announces one, and those joined to them by `and`, `or`, `to`."""
    for word in compiled(_YEAR_AFTER_WORD).finditer(rest):
        match: re.Match[str] | None = word
        while match is not None and FIRST_YEAR <= int(match["y"]) <= LAST_YEAR:
            start, end = match.span("y")
            yield FoundDay(None, text[start:end], start, end, "year", year=int(match["y"]))
            match = compiled(_NEXT_YEAR).match(rest, end)
