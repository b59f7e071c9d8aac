"""Section numbers: sorting them, and reading references such as `14 CFR 250.5(a)(2)`.

Numbers of the CFR are no decimals: 250.2 comes before 250.10, and 240.10b-21, 1.1031(d)-1T and
100.35T01-0125 are each one number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECES = re.compile(r"([0-9]+)|([A-Za-z]+)|(.)", re.DOTALL)

_PART = r"[0-9]{1,5}[a-z]{0,2}(?:-[0-9]{1,3}[A-Z]?)?"
# Parentheses belong to the number only when a dash and digits follow them: 1.1031(d)-1T.
_NUMBER = (
    rf"{_PART}\.[A-Z]?[0-9]{{1,6}}(?:[A-Za-z]{{1,2}}[0-9]{{0,4}})?"
    r"(?:(?:\([A-Za-z0-9]{1,4}\)){0,3}-[0-9]{1,6}[A-Za-z]{0,2}(?![A-Za-z0-9]|\.[0-9]))*"
    r"(?![A-Za-z0-9]|\.[0-9])"
)
_ONE_LABEL = r"\((?:[a-z]{1,2}|[A-Z]{1,2}|[ivxl]{1,6}|[IVXL]{1,6}|[0-9]{1,3})\)"
_PARAGRAPH = r"(?i:(?:sub-?)?para(?:graph)?s?|subsections?)\.?\s{1,3}"
_LABELS = rf"{_ONE_LABEL}(?:\s?{_ONE_LABEL}){{0,7}}"
_SECTION = (
    rf"(?P<section>{_NUMBER})"
    rf"(?:(?P<label>\s?{_ONE_LABEL}(?:{_ONE_LABEL}){{0,7}})|,?\s{{1,3}}{_PARAGRAPH}(?P<behind>{_LABELS}))?"
)
_TITLE = (
    r"(?:(?i:title)\s{1,3})?(?P<title>[0-9]{1,2})\s{0,3},?\s{0,3}"
    r"(?i:C\.?\s?F\.?\s?R\.?|code\s{1,3}of\s{1,3}federal\s{1,3}regulations)(?![A-Za-z]),?\s{0,3}"
)
_SIGN = r"§{1,2}|\b(?i:sections?|secs?\.?|sects?\.?)(?![A-Za-z])"
_WORD = r"\b(?i:(?P<plural>parts)|part|pt\.?)(?![A-Za-z])"
_END = r"(?![A-Za-z0-9]|\.[0-9]|,[0-9])"

_REFERENCE = re.compile(
    rf"(?<![0-9A-Za-z$€£.,])(?:{_PARAGRAPH}(?P<before>{_LABELS})\s{{1,3}}(?i:of|in|under)\s{{1,3}}(?i:the\s)?)?"
    rf"(?:{_TITLE})?(?:(?P<sign>{_SIGN})\s{{0,3}}|(?P<word>{_WORD})\s{{0,3}})?"
    rf"(?:{_SECTION}|(?P<part>{_PART}){_END})"
)
_AND = r"(?:\s{0,3},\s{0,3}(?:(?:and|or)\s{1,3})?|\s{1,3}(?:and|or|through|to)\s{1,3}|\s{0,3}[–—-]\s{0,3})"
_NEXT_SECTION = re.compile(rf"{_AND}(?:§\s{{0,3}})?{_SECTION}")
_NEXT_PART = re.compile(rf"{_AND}(?P<part>{_PART}){_END}")
_UNIT = re.compile(
    r"\s{0,3}(?:%|(?:percent|per cent|dollars?|cents?|usd|euros?|hours?|hrs?|minutes?|min|days?|miles?|kg"
    r"|kilos?|kilograms?|lbs?|pounds?|inch(?:es)?|cm|km|m|feet|ft|times|million|billion|[ap]\.?m\.?)(?![A-Za-z]))",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"[0-9]\.[0-9]+")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a reference names: a paragraph, a section or a part."""

    title: str = ""
    """The number of the title; empty when the text names none."""
    section: str = ""
    """The whole number, `250.5` or `1.1031(d)-1T`; empty for a part."""
    label: str = ""
    """The label path, `(a)(2)`; empty for a whole section."""
    part: str = ""
    """The number of a part that is named as such; empty for a section."""


def section_key(number: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers as the code does: 250.2, 250.2a, 250.2b, 250.10.

    Any two texts can be compared; different texts have different keys.
    """
    key: list[tuple[int, int, str]] = []
    for digits, letters, other in _PIECES.findall(number):
        if digits:
            bare = digits.lstrip("0")
            key.append((1, len(bare), bare))  # compares as the number does, at any length
        else:
            key.append((2, 0, letters.lower()) if letters else (0, 0, other))
    return (*key, (-1, 0, number))


def normalise_section(text: str) -> Reference | None:
    """Return what `text` as a whole names, or None when it is no reference to a section or part.

    A bare number is taken for a section: `250.5`, `§250.5`, `14 C.F.R. Sec. 250.5a`, `Part 254`.
    """
    match = _REFERENCE.fullmatch(text.strip().rstrip(".,;:?!").rstrip())
    return _reference(match) if match and (match["section"] or _names_part(match)) else None


def find_references(text: str) -> tuple[Reference, ...]:
    """Return the different references in running text, in order.

    A number without section sign or title counts when it does not look like an amount, a time or
    a measure; whether such a section exists is for the caller to see.
    """
    return tuple(dict.fromkeys(_scan(text)))


def _scan(text: str) -> Iterator[Reference]:
    at = 0
    while match := _REFERENCE.search(text, at):
        at = match.end()
        if not (_names_part(match) or _names_section(match, text)):
            continue
        reference = _reference(match)
        yield reference
        following = _NEXT_SECTION if reference.section else _NEXT_PART
        while (match["sign"] or match["title"] or match["plural"]) and (more := following.match(text, at)):
            if _UNIT.match(text, more.end()) or (reference.part and not match["plural"]):
                break
            at = more.end()
            if reference.section:
                yield Reference(reference.title, more["section"], _label(more))
            else:
                yield Reference(reference.title, part=more["part"])


def _reference(match: re.Match[str]) -> Reference:
    title = match["title"] or ""
    if match["section"]:
        return Reference(title, match["section"], _label(match))
    return Reference(title, part=match["part"])


def _label(match: re.Match[str]) -> str:
    """The label path, whether it stands behind the number or as `paragraph (d) of` before it."""
    groups = match.groupdict()
    return "".join((groups["label"] or groups["behind"] or groups.get("before") or "").split())


def _names_part(match: re.Match[str]) -> bool:
    return bool(match["part"] and not match["sign"] and (match["word"] or match["title"]))


def _names_section(match: re.Match[str], text: str) -> bool:
    if not match["section"]:
        return False
    if match["sign"] or match["title"] or match["word"]:
        return True
    amount = text[: match.start()].rstrip().endswith(("$", "€", "£"))
    decimal = _DECIMAL.fullmatch(match["section"] + _label(match)) is not None
    return not (amount or decimal or _UNIT.match(text, match.end()))
