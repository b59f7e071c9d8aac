"""The publisher's two lists, read strictly: the titles with their days, and a part's section versions.

Each value has to be of the type that the publisher's description gives it. A title's number is a
number; of the list of versions the counts come in digits (`"4"`), which the description shows too. A
text such as `"false"` would count as true, so that none is ever taken for a yes or no.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from engine.refresh.faults import refused
from engine.safe import one_line

MOST_ROWS: Final = 100_000
"""Rows of one part's list; a larger count is no count."""


@dataclass(frozen=True, slots=True)
class TitleState:
    """Where a title stands at the publisher's."""

    number: str
    name: str
    current_to: date
    """The publisher's `up_to_date_as_of`."""


@dataclass(frozen=True, slots=True)
class Titles:
    """The list of titles, as far as it was asked for."""

    states: dict[str, TitleState]
    """By number."""
    busy: bool
    """Whether the publisher is importing, or working on one of the asked titles."""


@dataclass(frozen=True, slots=True)
class ListedVersion:
    """One row of a part's list: a section (or appendix) that was changed, or removed, on a day."""

    identifier: str
    day: date
    """The amendment's day in force, which may lie before the publisher's history."""
    removed: bool
    is_section: bool


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a part's list."""

    rows: tuple[ListedVersion, ...]
    total: int
    """Rows of all pages, as the publisher counts them."""
    number: int | None
    """Which page it says that it is; None where it does not say."""
    pages: int | None
    """How many there are; a filtered list may leave it out."""


class _WrongError(Exception):
    """A value that is not of its documented form; its text completes `… is not a list of …: `."""


def read_titles(data: bytes, wanted: frozenset[str]) -> Titles:
    """Read the list of titles.

    Raises:
        SnapshotError: it is malformed, or a wanted title is missing or has no text (is reserved).

    """
    what = "the publisher's list of titles"
    try:
        table = _object(data)
        busy = _value(_value(table, "meta", dict), "import_in_progress", bool)
        states: dict[str, TitleState] = {}
        for row in _value(table, "titles", list):
            number = str(_value(row, "number", int))
            if number in wanted:
                busy = busy or _value(row, "processing_in_progress", bool, default=False)
                if row.get("up_to_date_as_of") is None:
                    raise _WrongError(f"title {number} has no text (it is reserved)")  # noqa: TRY301
                states[number] = TitleState(number, _value(row, "name", str), _day(row, "up_to_date_as_of"))
        if missing := sorted(wanted - states.keys()):
            raise _WrongError(f"title {', '.join(missing)} is not in it")  # noqa: TRY301
    except _WrongError as error:
        raise refused(what, f"cannot be used: {error}") from error
    return Titles(states, busy)


def read_page(data: bytes, title: str, part: str, what: str) -> Page:
    """Read one page of a part's list of section versions.

    Raises:
        SnapshotError: it is malformed, or of another title or part; the message names `what`.

    """
    try:
        table = _object(data)
        meta = _value(table, "meta", dict)
        if (named := _value(meta, "title", str)) != title:
            raise _WrongError(f"it is of title {one_line(named)[:40]}")  # noqa: TRY301
        rows = tuple(_row(row, title, part) for row in _value(table, "content_versions", list))
        total = _count(meta, "result_count")
        if total is None or total > MOST_ROWS:
            raise _WrongError("result_count is missing or absurd")  # noqa: TRY301
        return Page(rows, total, _count(meta, "page"), _count(meta, "total_pages"))
    except _WrongError as error:
        raise refused(what, f"cannot be used: {error}") from error


def _row(row: Any, title: str, part: str) -> ListedVersion:
    for key, asked in (("title", title), ("part", part)):
        if (given := _value(row, key, str)) != asked:
            raise _WrongError(f"a row is of {key} {one_line(given)[:40]}")
    return ListedVersion(
        identifier=_value(row, "identifier", str),
        # `date` is the deprecated name of the same day.
        day=_day(row, "amendment_date" if "amendment_date" in row else "date"),
        removed=_value(row, "removed", bool),
        is_section=_value(row, "type", str) == "section",
    )


def _object(data: bytes) -> dict[str, Any]:
    try:
        table = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _WrongError("it is not JSON, or cut off") from error
    if not isinstance(table, dict):
        raise _WrongError("it is not an object")
    return table


def _value(row: Any, key: str, kind: type, *, default: Any = None) -> Any:
    """The value of a key, of exactly that type: True is no 1 here, and a text is never a number."""
    if not isinstance(row, dict):
        raise _WrongError("a row is not an object")
    value = row.get(key, default)
    if type(value) is not kind:
        raise _WrongError(f"{key} is {_shown(value)}, which is no {kind.__name__}")
    return value


def _day(row: Any, key: str) -> date:
    text = _value(row, key, str)
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise _WrongError(f"{key} is {one_line(text)[:60]!r}, which is no date") from error
    if day.isoformat() != text:
        raise _WrongError(f"{key} is {one_line(text)[:60]!r}, which is not in the form YYYY-MM-DD")
    return day


def _count(meta: dict[str, Any], key: str) -> int | None:
    """A whole number as a number or in digits, as the publisher gives counts; None where it stands not."""
    value = meta.get(key)
    if value is None:
        return None
    if type(value) is int and value >= 0:
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MOST_ROWS)):
        return int(value)
    raise _WrongError(f"{key} is {_shown(value)}, which is no count")


def _shown(value: object) -> str:
    """A wrong value for a message; one that holds others could be as deep as it likes."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    return one_line(json.dumps(value))[:60]
