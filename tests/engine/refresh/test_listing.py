"""Whatever a publisher sends as JSON is a list of the documented form, or refused with a message."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine.errors import SnapshotError
from engine.refresh.listing import Page, Titles, read_page, read_titles
from engine.refresh.plan import days_wanted

ROW = {"amendment_date": "2021-04-13", "identifier": "250.5", "part": "250", "removed": False}
ROW |= {"title": "14", "type": "section"}
PAGE: dict[str, Any] = {"content_versions": [ROW], "meta": {"title": "14", "result_count": "1"}}
TITLE = {"number": 14, "name": "Aeronautics and Space", "up_to_date_as_of": "2026-11-20"}
TITLES: dict[str, Any] = {"titles": [TITLE], "meta": {"import_in_progress": False}}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


def page(table: object) -> Page:
    return read_page(json.dumps(table).encode(), "14", "250", "the list")


def titles(table: object) -> Titles:
    return read_titles(json.dumps(table).encode(), frozenset({"14"}))


def test_a_row_and_a_title_are_read() -> None:
    (row,) = page(PAGE).rows
    assert (row.identifier, row.day, row.removed, row.is_section) == ("250.5", date(2021, 4, 13), False, True)
    assert titles(TITLES).states["14"].current_to == date(2026, 11, 20)


def test_the_deprecated_name_of_the_day_will_do() -> None:
    row = {key: value for key, value in ROW.items() if key != "amendment_date"}
    assert page(PAGE | {"content_versions": [row | {"date": "2021-04-13"}]}).rows == page(PAGE).rows


@pytest.mark.parametrize("count", [1, "1"])
def test_a_count_is_a_number_or_in_digits(count: object) -> None:
    assert page(PAGE | {"meta": {"title": "14", "result_count": count}}).total == 1


@given(anything, st.sampled_from(sorted(ROW)))
def test_any_value_in_a_row_is_read_or_refused(value: object, key: str) -> None:
    try:
        rows = page(PAGE | {"content_versions": [ROW | {key: value}]}).rows
    except SnapshotError:
        return
    # Nothing but the value's own type was taken.
    assert type(value) is type(ROW[key])
    assert len(rows) == 1


@pytest.mark.parametrize(("value", "said"), [([1], "a list"), ({"a": 1}, "an object"), (7, "7")])
def test_a_wrong_value_is_shown(value: object, said: str) -> None:
    with pytest.raises(SnapshotError, match=f"identifier is {said}, which is no str"):
        page(PAGE | {"content_versions": [ROW | {"identifier": value}]})


def test_a_deep_value_is_refused_like_any_other() -> None:
    deep = "[" * 900 + "]" * 900
    data = json.dumps(PAGE).replace('"250.5"', deep).encode()
    with pytest.raises(SnapshotError, match="cannot be used"):
        read_page(data, "14", "250", "the list")


@given(anything, st.sampled_from(["title", "result_count", "page", "total_pages"]))
def test_any_value_in_the_meta_data_is_read_or_refused(value: object, key: str) -> None:
    try:
        made = page(PAGE | {"meta": PAGE["meta"] | {key: value}})
    except SnapshotError:
        return
    assert made.total >= 0


@given(anything, st.sampled_from(["titles", "meta"]))
def test_any_list_of_titles_is_read_or_refused(value: object, key: str) -> None:
    for table in (TITLES | {key: value}, value):
        with pytest.raises(SnapshotError):
            titles(table)


@given(st.binary())
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        read_page(data, "14", "250", "the list")


@given(st.lists(st.dates(date(2016, 1, 1), date(2030, 1, 1))))
def test_the_days_wanted_lie_in_the_history_and_end_with_the_up_to_date_day(days: list[date]) -> None:
    rows = [page(PAGE | {"content_versions": [ROW | {"amendment_date": str(day)}]}).rows[0] for day in days]
    start, end = date(2017, 1, 1), date(2026, 11, 20)
    wanted, later = days_wanted(rows, history_start=start, current_to=end)
    assert wanted[-1] == end
    assert all(start <= day <= end for day in wanted)
    assert all(day > end for day in later)
    assert {max(day, start) for day in days} <= {*wanted, *later}
