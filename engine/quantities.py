"""Amounts, percentages, durations, counts and dates of a text, so that two spellings compare equal.

`$1,075`, `USD 1,075.00` and `1075 dollars` are one quantity; so are `two hours` and `120 minutes`.
Section numbers, citations, labels and form numbers are references and give no quantity. What looks
like a number and is none (`$1.075,00`) keeps its spelling as its value: it equals nothing but itself.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from engine.dates import NOT_COUNTED, FoundDay, compiled, find_days, masked

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["money", "percent", "duration", "count", "date"]
Value = Decimal | date | str


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity of a text; equal to another of the same kind, value and unit wherever it stands."""

    kind: Kind
    value: Value
    """A number; for a date its (first) day; a spelling where there is neither."""
    unit: str
    """money: `USD`; percent: `percent`; duration: `minute` (hours too), `day` (weeks too), `business day`,
    `month` or `year`; count: the noun in the singular or empty; date: `day`, `month`, `year`,
    `day of year` (value `--06-30`) or `unclear` (value as written)."""
    text: str = field(default="", compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    """Characters of the searched text, half open."""

    @classmethod
    def of_day(cls, day: date) -> Quantity:
        """Return the date `day` as a quantity that stands in no text."""
        return cls("date", day, "day", day.isoformat())


class _Raw(NamedTuple):
    kind: Kind
    value: Value
    unit: str
    start: int
    end: int


_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORD_VALUE: Final = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    "hundred": 100,
    "thousand": 1000,
}
_TEN: Final = 10
_HUNDRED: Final = 100
_AFTER_WHICH_UNITS: Final = range(20, 100, 10)
_LONGEST: Final = 64
"""Characters of a number; a longer one is no amount of any rule and keeps its spelling."""
_WELL_FORMED: Final = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.[0-9]+)?"
_SCALES: Final = {"k": 1000, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_ONE_LINE: Final = str.maketrans("\n\r\t", "   ")

# Possessive, so that a long row of digits is read once and a number is never cut in its middle.
_DIGITS: Final = r"\.?+[0-9]++(?:[,.][0-9]++)*+"
_WORD: Final = f"(?:{'|'.join(sorted(_WORD_VALUE, key=len, reverse=True))})(?![a-z])"
_SPELLED: Final = (
    rf"(?>(?:a[ -](?=hundred|thousand))?{_WORD}"
    rf"(?:(?:(?<=hundred)|(?<=thousand))[ -]and[ -]{_WORD}|[ -]{_WORD}){{0,8}})"
)
_TWICE: Final = rf"(?<!\w){_SPELLED} \((?P<digits>{_DIGITS})\)"
"""A number in words and again in digits: `thirty (30) days`."""
_N: Final = rf"(?:(?<!\w)(?<![0-9][.,])(?:{_DIGITS}|{_SPELLED}))"
_TO: Final = r"(?: ?[\u2013\u2014-] ?|-? (?:to|or|and) )"
_FIRST: Final = rf"(?:(?P<n1>{_N}){_TO})?"
"""The first number of a pair that shares the unit of the second: `200 or 400 percent`."""

_REFERENCE_NUMBER: Final = (
    rf"[0-9]++(?:[.-][0-9]++[a-z]?)*+[a-z]?(?:\([a-z0-9]{{1,5}}\))*+(?![\w%]|[.,][0-9]){NOT_COUNTED}"
)
_SECTION: Final = r"[0-9]{3}\.[1-9][0-9]{0,3}[a-z]?(?:\([a-z0-9]{1,5}\))*+"
_MORE: Final = r"(?:, (?:and |or )?| and | or | through | to | ?[\u2013-] ?)"
_REFERENCES: Final = (
    r"(?m:^ {0,8}[0-9]{1,2}[.)](?= ))"  # a list's own number
    r"|\[[0-9]{1,2}\]"  # a citation mark
    r"|\b(?=[0-9]*[a-f])[0-9a-f]{12}\b"  # a passage's id
    r"|\b(?!USD|EUR|GBP)(?-i:[A-Z]{2,8}-)(?:[A-Z]{1,8}-){0,3}[0-9][\w-]*"  # a docket or rule: ER-1306
    r"|(?<![\w.,$])[0-9]{1,3} ?(?:CFR|C\.F\.R\.|FR|Fed\. Reg\.|U\.? ?S\.? ?C\.?)"
    rf"(?: ?(?:parts?|sections?|secs?\.|§§?))? ?{_REFERENCE_NUMBER}"
    rf"|(?:§§?|\b(?:sections|secs\.|(?:sub)?parts|forms|chapters|lines|titles|passages|sources)) ?"
    rf"{_REFERENCE_NUMBER}(?:{_MORE}{_REFERENCE_NUMBER}){{0,20}}"
    r"|\b(?:section|sec\.|(?:sub)?part|form|chapter|line|title|paragraph|passage|source|footnote|"
    r"item|appendix|table|flights?(?: no\.| number)?(?: ?(?-i:[A-Z]{1,3}))?) ?"
    rf"{_REFERENCE_NUMBER}"
    rf"|(?<![\w.,$\u20ac\u00a3-])(?<![$\u20ac\u00a3] )(?<!USD )(?<!EUR ){_SECTION}"
    rf"(?![\w%]|[.,][0-9]){NOT_COUNTED}"
    r"|\((?:[a-z]{1,5}|1?[0-9])\)"  # a label or the number of an item
)

_SCALE: Final = r"(?:(?P<scale>(?:k\b| (?:thousand|million|billion)\b)))?"
_SYMBOL_MONEY: Final = (
    rf"(?P<unit>(?-i:[A-Z]){{0,3}}[$\u20ac\u00a3\u00a5]|\b(?:USD|EUR|GBP|CAD|AUD))[ -]?"
    rf"(?P<n1>{_DIGITS}){_SCALE}"
    rf"(?:(?: ?[\u2013\u2014-] ?| to )(?P<n2>{_DIGITS})(?!\w){NOT_COUNTED})?"
)
_WORD_MONEY: Final = (
    rf"{_FIRST}(?P<n2>{_N}){_SCALE}[ -]?"
    r"(?P<unit>(?:US|U\.S\.|American|Canadian|Australian)? ?dollars?|USD|bucks|euros?|EUR|pounds sterling|"
    r"GBP|CAD|AUD|cents?)(?![a-z])"
)
_CURRENCY: Final = {
    "$": "USD", "us$": "USD", "dollar": "USD", "usdollar": "USD", "u.s.dollar": "USD", "usd": "USD",
    "americandollar": "USD", "buck": "USD", "cent": "USD", "€": "EUR", "euro": "EUR", "eur": "EUR",
    "£": "GBP", "poundssterling": "GBP", "gbp": "GBP", "c$": "CAD", "ca$": "CAD", "canadiandollar": "CAD",
    "a$": "AUD", "au$": "AUD", "australiandollar": "AUD",
}  # fmt: skip
_PERCENT: Final = rf"{_FIRST}(?P<n2>{_N})[ -]?(?:%|(?:percent(?:age points?)?|per cent|pct)(?![a-z]))"

_HOUR: Final = r"(?:hours?|hrs?|h)(?![a-z])"
_MINUTE: Final = r"(?:minutes?|mins?|m)(?![a-z])"
_HALF: Final = r"(?P<half>[ -]and[ -]a[ -]half| ?\u00bd| 1/2)?"
_DURATIONS: Final = (
    (rf"(?P<h>{_N}|\ban)[ -]?{_HOUR}(?:, and |, | and | ?)(?P<m>{_N})[ -]?{_MINUTE}"),
    (r"(?<![\w.,])(?P<h>[0-9]{1,3}) ?h ?(?P<m>[0-5][0-9])(?:m|min)?(?!\w)"),
    (rf"(?P<h>{_N}|\ban)[ -]hours?[ -]and[ -]a[ -](?P<half>half)(?![a-z])"),
    (r"(?:\b(?<!and[ -]a[ -])(?P<half>half)[ -](?:an[ -])?|(?<![\w.,])\u00bd (?:an )?)hour(?![a-z])"),
    (
        rf"{_FIRST}(?P<n2>{_N}|\ban?(?=[ -](?:hour|minute)(?![a-z]))){_HALF}[ -]?"
        r"(?P<kind>(?:business|working)[ -])?(?:calendar )?"
        r"(?P<unit>minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?)(?![a-z])"
    ),
)
_UNIT_SIZE: Final = {
    "hour": (60, "minute"), "hr": (60, "minute"), "h": (60, "minute"), "minute": (1, "minute"),
    "min": (1, "minute"), "day": (1, "day"), "week": (7, "day"),
    "month": (1, "month"), "year": (1, "year"),
}  # fmt: skip

_NOUN: Final = (
    r"(?:[ -](?:or (?:more|fewer|less|greater)|passenger|designed|revenue|maximum)){0,3}[ -]"
    r"(?P<noun>seats?|passengers?|points?{more})(?![a-z])"
)
_MORE_NOUNS: Final = (
    "|persons?|people|volunteers?|bags?|pieces?|tickets?|flights?|carriers?|sentences?|copies"
)
_COUNTS: Final = (
    (rf"{_FIRST}(?!one )(?P<n2>{_N}){_NOUN.replace('{more}', '')}"),
    (
        rf"(?<!\w)(?<![0-9][.,])(?P<n2>{_DIGITS})(?!(?:st|nd|rd|th)(?![a-z]))"
        rf"(?:{_NOUN.replace('{more}', _MORE_NOUNS)})?"
    ),
)
_SINGULAR: Final = {"people": "person", "copies": "copy"}


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities that stand in `text`, in order and without overlap.

    Of a pair with one unit (`200 or 400 percent`) both are given. A number without unit or noun is a
    count with an empty unit. Never raises; takes time in proportion to the text.
    """
    plain = compiled(_TWICE).sub(_digits_only, _folded(text))
    rest = masked(plain, (match.span() for match in compiled(_REFERENCES).finditer(plain))).translate(
        _ONE_LINE
    )
    found: list[_Raw] = []
    for find in (_dates, _money, _percents, _durations, _counts):
        rest = _take(rest, find(rest), found)
    found.sort(key=lambda raw: raw.start)
    return tuple(
        Quantity(raw.kind, raw.value, raw.unit, text[raw.start : raw.end], raw.start, raw.end)
        for raw in found
    )


def _take(rest: str, new: Iterator[_Raw], found: list[_Raw]) -> str:
    """Move `new` to `found` and return the text without them."""
    taken = list(new)
    found += taken
    return masked(rest, sorted((raw.start, raw.end) for raw in taken))


def _folded(text: str) -> str:
    """Return `text` of the same length with digits, signs, dashes and blanks of any script as ASCII."""
    return text if text.isascii() else "".join(map(_plain, text))


def _digits_only(twice: re.Match[str]) -> str:
    """Return the digits of `thirty (30)` with zeros before them, so that every place in the text stays."""
    return twice["digits"].replace(",", "").rjust(len(twice[0]), "0")


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if char in "\u2010\u2011\u2012\u2212":
        return "-"
    if category == "Zs":
        return " "
    same = unicodedata.normalize("NFKC", char)
    # A raised figure is a footnote's mark and no digit of the number before it.
    return same if len(same) == 1 and same.isascii() and category != "No" else char


def _number(token: str) -> Decimal | str:
    """Return the value of a number in digits or words; the token itself when it has none."""
    if token[0].isalpha():
        value = _spelled_value(re.split(r"[ -]", token.casefold()))
        return token.casefold() if value is None else Decimal(value)
    if len(token) > _LONGEST or not compiled(_WELL_FORMED).fullmatch(token):
        return token
    return Decimal(token.replace(",", ""))


def _spelled_value(words: list[str]) -> int | None:
    """Return the value of `two hundred and fifty`; None when the words make no number."""
    total = current = 0
    for word in words:
        value = _WORD_VALUE.get(word)
        if value is None:  # "a", "an" or "and"
            current += word == "an"
        elif value > _HUNDRED:
            total, current = total + (current or 1) * value, 0
        elif value == _HUNDRED:
            current = (current or 1) * value
        elif _fits_after(current, value):
            current += value
        else:
            return None
    return total + current


def _fits_after(current: int, value: int) -> bool:
    """Whether `value` (below 100) may follow `current`: `seventy five` may, `five seventy` may not."""
    below = current % _HUNDRED
    return below == 0 or (below in _AFTER_WHICH_UNITS and 0 < value < _TEN)


def _times(value: Decimal | str, factor: Decimal | int) -> Decimal | str:
    return value if isinstance(value, str) else value * factor


def _numbers(match: re.Match[str], kind: Kind, unit: str, factor: Decimal | int = 1) -> Iterator[_Raw]:
    """Yield the first and the second number of a match, the groups n1 and n2, each with the unit."""
    present = [name for name in ("n1", "n2") if match.groupdict().get(name)]
    half = Decimal("0.5") if match.groupdict().get("half") else Decimal(0)
    for name in present:
        value = _number(match[name])
        if name == present[-1] and isinstance(value, Decimal):
            value += half
        start = match.start() if name == present[0] else match.start(name)
        end = match.end() if name == present[-1] else match.end(name)
        yield _Raw(kind, _times(value, factor), unit, start, end)


def _dates(text: str) -> Iterator[_Raw]:
    for found in find_days(text):
        value, unit = _date_value(found)
        yield _Raw("date", value, unit, found.start, found.end)


def _date_value(found: FoundDay) -> tuple[Value, str]:
    if found.day is not None:
        return found.day, "day"
    if found.precision == "year" and found.year:
        return date(found.year, 1, 1), "year"
    if found.precision == "month" and found.year and found.month:
        return date(found.year, found.month, 1), "month"
    if found.year is None:
        return f"--{found.month:02}-{found.day_of_month:02}", "day of year"
    return found.text.casefold(), "unclear"


def _money(text: str) -> Iterator[_Raw]:
    for pattern in (_SYMBOL_MONEY, _WORD_MONEY):
        taken: list[_Raw] = []
        for match in compiled(pattern).finditer(text):
            name = match["unit"].casefold().replace(" ", "").removesuffix("s")
            factor = Decimal(_SCALES.get((match["scale"] or "").strip().casefold(), 1))
            if name == "cent":
                factor /= 100
            taken += _numbers(match, "money", _CURRENCY.get(name, name.upper()), factor)
        yield from taken
        text = masked(text, ((raw.start, raw.end) for raw in taken))


def _percents(text: str) -> Iterator[_Raw]:
    for match in compiled(_PERCENT).finditer(text):
        yield from _numbers(match, "percent", "percent")


def _durations(text: str) -> Iterator[_Raw]:
    *in_hours, with_unit = _DURATIONS
    for pattern in in_hours:
        taken = [_hours(match) for match in compiled(pattern).finditer(text)]
        yield from taken
        text = masked(text, ((raw.start, raw.end) for raw in taken))
    for match in compiled(with_unit).finditer(text):
        size, unit = _UNIT_SIZE[match["unit"].casefold().removesuffix("s")]
        if match["kind"] and unit == "day":
            unit = "business day"
        yield from _numbers(match, "duration", unit, size)


def _hours(match: re.Match[str]) -> _Raw:
    """Return the minutes of a match with hours h and minutes m, or a half in place of the minutes."""
    groups = match.groupdict()
    hours = _number(groups.get("h") or "zero")
    minutes = _number(groups.get("m") or "thirty")
    if isinstance(hours, str) or isinstance(minutes, str):
        return _Raw("duration", match[0], "minute", *match.span())
    return _Raw("duration", hours * 60 + minutes, "minute", *match.span())


def _counts(text: str) -> Iterator[_Raw]:
    for pattern in _COUNTS:
        taken: list[_Raw] = []
        for match in compiled(pattern).finditer(text):
            noun = (match["noun"] or "").casefold()
            taken += _numbers(match, "count", _SINGULAR.get(noun, noun.removesuffix("s")))
        yield from taken
        text = masked(text, sorted((raw.start, raw.end) for raw in taken))
