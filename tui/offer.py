"""Dates in the question: offered for the flight date, never taken without being asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import find_days, one_line

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from engine import FoundDay


def offered_day(question: str, day: date | None) -> date | None:
    """The first whole date of the question, unless the flight date is already one that stands in it."""
    found = _whole(question)
    if not found or day in [one.day for one in found]:
        return None
    return found[0].day


def other_day(question: str, day: date, answered: Collection[date]) -> FoundDay | None:
    """A date of the question beside the one that was asked for, unless it has its answer already."""
    found = _whole(question)
    if day not in [one.day for one in found]:
        return None
    return next((one for one in found if one.day not in {day, *answered}), None)


def other_line(other: FoundDay) -> str:
    """The offer to ask for another date of the question as well."""
    return f"The question also names {one_line(other.text)}: ask for {other.day} as well? Ctrl+U"


def offer_line(question: str, day: date | None) -> str:
    """The question that goes with the offer; empty when there is nothing to offer or to mend."""
    found = _whole(question)
    if found and day not in [one.day for one in found]:
        said = one_line(found[0].text)
        if day is None:
            return f"The question says {said}: use it as the flight date? Ctrl+U"
        return f"The question says {said}, the date is {day}: use it? Ctrl+U"
    unclear = [one for one in find_days(question) if one.day is None and one.precision == "day"]
    if unclear and day is None:
        two = " or ".join(map(str, unclear[0].readings))
        means = f"can mean {two}" if two else "names no whole day"
        return f"“{one_line(unclear[0].text)}” {means}: set the flight date."
    return ""


def _whole(question: str) -> list[FoundDay]:
    return [one for one in find_days(question) if one.day is not None]
