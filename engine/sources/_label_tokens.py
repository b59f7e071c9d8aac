"""The labels with which a paragraph begins: `(a)`, `(1)`, `(iv)`, as tokens that may be read in two ways."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

_TOKEN = re.compile(r"\( ?([a-z]{1,5}|[A-Z]{1,5}|[1-9][0-9]{0,2}) ?\)(?![a-z])")
_RANGE = re.compile(
    r"\s*(?:-|–|—|through|and|to|,)\s*" + _TOKEN.pattern + r"(?=\s*\[Reserved\])",
    re.IGNORECASE,
)
_EDGE = " \t\n.,:;—–-“”‘’\"'"

_OUTLINE = re.compile(
    r"(?:[A-Z]{0,2}[0-9]{1,3}(?:\.[0-9]{1,3}){1,4}\.?|[0-9]{1,3}\.|[A-Z]\.|[IVX]{1,5}\.)\s"
    r"(?:[^(]{1,90}[.:—-]\s?(?P<labels>\((?:a|1|i|A)\)))?"
)
_AFTER_CAPTION = " \t\n.:;,—–-"

_LONGEST = 8
"""Labels at one start; the code has six levels."""

_TENS = ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc")
_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = {_TENS[n // 10] + _ONES[n % 10]: n for n in range(1, 100)}


class Style(NamedTuple):
    """How a level counts."""

    kind: str
    """`a` letters, `1` digits, `i` lower-case roman, `A` capitals, `I` upper-case roman."""
    italic: bool = False
    """Digits and roman numerals of the two deepest levels are set in italics."""


class Reading(NamedTuple):
    """One way to read a label: the seventh letter, the first numeral."""

    style: Style
    ordinal: int
    """1-based."""


@dataclass(frozen=True, slots=True)
class Token:
    """A label without its parentheses, and all ways to read it, at least one."""

    text: str
    readings: tuple[Reading, ...]

    @property
    def may_begin(self) -> bool:
        """Whether one of the readings is the first of its kind."""
        return any(reading.ordinal == 1 for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Lead:
    """What a paragraph begins with."""

    tokens: tuple[Token, ...] = ()
    """The labels, outermost first: three for `(a)(1)(i) text`."""
    last: Token | None = None
    """The end of a range of reserved paragraphs: `(f)` in `(d)-(f) [Reserved]`."""
    term: str = ""
    """The emphasised words after the labels, or the caption between them."""
    outline: bool = False
    """The paragraph has a number of an outline, `5. Takeoff.`, under which labels count anew."""


def read_lead(text: str, emphasis: tuple[tuple[int, int], ...] = (), *, outlined: bool = False) -> Lead:
    """Return the labels and the term at the start of `text`; never fails.

    `emphasis` holds the emphasised characters, half open. `(a) Caption. (1) text` has two labels
    when the caption is emphasised and the second label may begin a list. `outlined` looks for the
    number of an outline too, as appendices have it: `5. Takeoff. (a) text` has the label `(a)`.
    """
    number = _OUTLINE.match(text) if outlined else None
    if number:
        after = number.start("labels") if number["labels"] else len(text)
        return replace(_lead_at(text, after, emphasis), outline=True)
    return _lead_at(text, 0, emphasis)


def _lead_at(text: str, start: int, emphasis: tuple[tuple[int, int], ...]) -> Lead:
    tokens: list[Token] = []
    term, at, end, adjacent = "", start, start, True
    while len(tokens) < _LONGEST and (match := _TOKEN.match(text, at)):
        token = _token(match[1], italic=_is_italic(match, emphasis))
        if token is None or not (adjacent or token.may_begin):
            break
        tokens.append(token)
        end = match.end()
        at = _skip_space(text, end)
        adjacent = at == end
        caption = _span_at(at, emphasis)
        if caption is not None:
            term = text[at : caption[1]].strip(_EDGE)
            at, adjacent = _skip_caption(text, caption[1]), False
    if not tokens:
        return Lead(term=_first_term(text, start, emphasis))
    more = _RANGE.match(text, end)
    return Lead(tuple(tokens), _token(more[1], italic=False) if more else None, term)


def _first_term(text: str, start: int, emphasis: tuple[tuple[int, int], ...]) -> str:
    start += text[start : start + 1] in {"“", '"'}
    span = _span_at(start, emphasis)
    return text[start : span[1]].strip(_EDGE) if span else ""


def _span_at(at: int, emphasis: tuple[tuple[int, int], ...]) -> tuple[int, int] | None:
    return next(((start, end) for start, end in emphasis if start <= at < end), None)


def _is_italic(match: re.Match[str], emphasis: tuple[tuple[int, int], ...]) -> bool:
    """Whether the label alone is emphasised; a run that goes on after it is a caption with its label."""
    start, end = match.span(1)
    return any(first <= start and end <= last <= match.end() for first, last in emphasis)


def _skip_space(text: str, at: int) -> int:
    return len(text) - len(text[at:].lstrip())


def _skip_caption(text: str, at: int) -> int:
    return len(text) - len(text[at:].lstrip(_AFTER_CAPTION))


def _token(text: str, *, italic: bool) -> Token | None:
    """Return the label's token, or None for a word in parentheses such as `(see)`."""
    if text.isdigit():
        return Token(text, (Reading(Style("1", italic), int(text)),))
    lower, small = text.lower(), text.islower()
    readings: list[Reading] = []
    if lower in _ROMAN:
        readings.append(Reading(Style("i", italic) if small else Style("I"), _ROMAN[lower]))
    if len(text) <= 3 and len(set(text)) == 1:  # noqa: PLR2004 - (a), (aa), (aaa) are as far as lists go
        ordinal = 26 * (len(text) - 1) + ord(lower[0]) - ord("a") + 1
        readings.append(Reading(Style("a" if small else "A"), ordinal))
    return Token(text, tuple(readings)) if readings else None
