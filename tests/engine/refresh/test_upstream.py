"""`snapshot verify --upstream`: rebuilt files beside the publisher's, and in their place when told to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from fake_ecfr import SHIPPED

from engine.errors import SnapshotError, UsageError
from engine.refresh.run import compare_upstream, undo
from engine.refresh.shown import outcome_json, report_text
from engine.refresh.target import Named, choose, place_of
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Held, Refresh
    from fake_ecfr import FakeEcfr

    from engine.refresh.report import Report
    from engine.refresh.run import Outcome
    from engine.refresh.session import Tools

    Compare = Callable[..., Outcome]


@pytest.fixture
def shown() -> list[Report]:
    return []


@pytest.fixture
def compare(run: Refresh, tools: Tools, shown: list[Report]) -> Compare:
    def compare(*, replace: bool = False, named: Named | None = None) -> Outcome:
        def decide(report: Report) -> bool:
            shown.append(report)
            return replace

        return compare_upstream(choose(named or run.named), tools, decide)

    return compare


@pytest.fixture
def theirs(ecfr: FakeEcfr) -> FakeEcfr:
    """A publisher whose bytes, one text and one list differ from the rebuilt ones."""
    for part in ecfr.copies.values():
        for day, data in part.items():
            part[day] = data + b"\n"
    days = ecfr.copies["250"]
    days["2021-01-13"] = days["2021-01-13"].replace(b"$675", b"$676")
    row = ecfr.rows["250"][-1]
    ecfr.list("250", row["identifier"], "2021-04-13", name=row["name"])
    return ecfr


@pytest.mark.usefixtures("theirs")
def test_each_rebuilt_file_is_compared_and_nothing_is_changed(
    compare: Compare, held: Held, shown: list[Report], untouched: Callable[[], None]
) -> None:
    assert not compare().applied

    found = {one.file: one for one in shown[0].files}
    rebuilt = {file.file for file in load_collection(held.folder).files if file.origin == "rebuilt"}
    assert found.keys() == rebuilt - {"titles.json"}
    assert found["part-250_2021-01-13.xml"].differing == ("250.5", "250.9")
    assert not found["part-250_2017-01-01.xml"].same_bytes
    assert found["part-250_2017-01-01.xml"].differing == ()
    assert found["versions_part-250.json"].differing == ("250.11 2021-04-13",)
    said = report_text(shown[0])
    assert "differs in 250.5, 250.9" in said
    assert "other bytes, the same text" in said
    assert "other bytes, the same versions" in said
    untouched()


def test_they_take_the_place_of_the_rebuilt_ones_when_told_to(
    theirs: FakeEcfr, compare: Compare, held: Held, run: Refresh, shown: list[Report]
) -> None:
    before = held.state()
    outcome = compare(replace=True)
    assert outcome.applied

    renewed = load_collection(held.folder)
    assert renewed.current_to.isoformat() == "2026-10-07"
    origins = {file.file: file.origin for file in renewed.files}
    assert {name for name, origin in origins.items() if origin == "rebuilt"} == {"titles.json"}
    assert origins["part-254_2025-01-22.xml"] == "exact"
    assert renewed.read("part-250_2021-01-13.xml") == theirs.copies["250"]["2021-01-13"]
    changed = {(change.kind, change.section) for change in shown[0].changes}
    assert changed == {("reworded", "250.5"), ("reworded", "250.9")}
    assert json.dumps(outcome_json(outcome))

    undo(place_of(run.named), lambda _: None, stands_in=False)
    assert held.state() == before


def test_a_version_that_the_publisher_has_not_is_withdrawn(
    theirs: FakeEcfr, compare: Compare, shown: list[Report]
) -> None:
    days = theirs.copies["254"]
    days["2021-01-13"] = days["2017-01-01"]
    compare()
    withdrawn = {change.section for change in shown[0].changes if change.kind == "withdrawn"}
    assert "254.4" in withdrawn
    assert "14 CFR 254.4: the version of 2021-01-13 is none any more" in report_text(shown[0])


def test_the_same_bytes_are_said_to_be_the_same(compare: Compare, shown: list[Report]) -> None:
    compare()
    # The lists differ in what the rebuilt ones do not know.
    assert all(one.same_bytes for one in shown[0].files if one.kind == "part")
    assert "the same bytes" in report_text(shown[0])


def test_what_goes_on_is_not_what_a_refresh_left(theirs: FakeEcfr, compare: Compare, run: Refresh) -> None:
    run(yes=False)
    asked = len(theirs.requests)
    compare()
    assert sum("/full/" in request for request in theirs.requests[asked:]) == 11


def test_a_collection_without_rebuilt_files_costs_no_request(
    ecfr: FakeEcfr, compare: Compare, run: Refresh, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    run(named=Named(into=mine, title="14", parts=("254",)))
    asked = len(ecfr.requests)
    assert compare(named=Named(into=mine)).report is None
    assert len(ecfr.requests) == asked


def test_there_has_to_be_a_collection(compare: Compare, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to compare"):
        compare(named=Named(into=tmp_path / "mine", title="14", parts=("254",)))


def test_a_wrong_text_is_refused_here_too(
    ecfr: FakeEcfr, compare: Compare, untouched: Callable[[], None]
) -> None:
    other = ecfr.answer("/api/versioner/v1/full/2021-08-02/title-14.xml?part=254")
    ecfr.fails("full/2021-08-02", other)
    with pytest.raises(SnapshotError, match="is not of title 14, part 250"):
        compare()
    untouched()
    assert SHIPPED.exists()
