"""Lists and texts against each other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from fake_ecfr import CURRENT_TO, NEW_DAY, SHIPPED, Answer

from engine.errors import SnapshotError
from engine.refresh import texts
from engine.refresh.listing import ListedVersion
from engine.refresh.texts import Copy, disagreements, read_copy
from engine.sources import ReadResult

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from conftest import Refresh
    from fake_ecfr import FakeEcfr

    from engine.model import SectionText

    Make = Callable[..., SectionText]


def row(section: str, day: str, *, removed: bool = False, is_section: bool = True) -> ListedVersion:
    return ListedVersion(section, date.fromisoformat(day), removed, is_section)


def copy(day: str, *sections: Any, arrived: bool = True, rebuilt: bool = False) -> Copy:
    return Copy(date.fromisoformat(day), sections, arrived, rebuilt)


class TestDisagreements:
    @pytest.fixture
    def one(self, make_text: Make) -> SectionText:
        return make_text("250.1", "(a)|Every carrier shall pay $5.")

    @pytest.fixture
    def other(self, make_text: Make) -> SectionText:
        return make_text("250.1", "(a)|Every carrier shall pay $6.")

    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            ([row("250.1", "2016-12-29"), row("250.1", "2021-01-01")], []),
            ([row("250.1", "2020-01-01")], ["250.1 differs between 2020-06-01 and 2021-01-01, and"]),
            ([row("250.1", "2020-01-01"), row("250.1", "2021-01-01"), row("250.2", "2020-01-01")],
             ["250.2 is listed for 2020-01-01 and does not stand in the text of 2020-06-01",
              "250.2 is listed for 2020-01-01 and does not stand in the text of 2021-01-01"]),
            ([row("250.1", "2020-01-01"), row("250.1", "2021-01-01", removed=True)],
             ["250.1 is listed as removed on 2021-01-01 and stands in the text of 2021-01-01"]),
            ([row("250.1", "2020-01-01"), row("250.1", "2021-01-01"),
              row("250.1", "2021-01-01", removed=True)], []),
            ([row("250.1", "2020-01-01"), row("250.1", "2021-01-01"), row("250.2", "2022-01-01")], []),
            ([row("250.1", "2020-01-01"), row("250.1", "2021-01-01"),
              row("Appendix A", "2020-01-01", is_section=False)], []),
        ],
    )  # fmt: skip
    def test_are_named(
        self, rows: list[ListedVersion], said: list[str], one: SectionText, other: SectionText
    ) -> None:
        found = list(disagreements([copy("2021-01-01", other), copy("2020-06-01", one)], rows))
        assert len(found) == len(said)
        assert all(text.startswith(start) for text, start in zip(found, said, strict=True))

    def test_a_section_that_is_not_listed_is_named(self, one: SectionText, make_text: Make) -> None:
        reserved = make_text("250.3", heading="§ 250.3 [Reserved]")
        appendix = make_text("Appendix A", "A table.", heading="Appendix A")
        found = list(
            disagreements([copy("2020-01-01", one, reserved, appendix)], [row("250.9", "2022-01-01")])
        )
        assert found == ["250.1 stands in the text of 2020-01-01 and is not listed"]

    def test_what_was_held_before_is_not_judged_again(self, one: SectionText, other: SectionText) -> None:
        copies = [copy("2020-01-01", one, arrived=False), copy("2021-01-01", other, arrived=False)]
        assert not list(disagreements(copies, [row("250.1", "2020-01-01"), row("250.7", "2019-01-01")]))

    def test_a_rebuilt_copy_is_named_as_one(self, one: SectionText, other: SectionText) -> None:
        copies = [copy("2020-01-01", one, arrived=False, rebuilt=True), copy("2021-01-01", other)]
        (found,) = disagreements(copies, [row("250.1", "2020-01-01")])
        assert "2020-01-01 (a rebuilt copy) and 2021-01-01" in found


class TestInARun:
    def test_a_change_that_is_not_listed_ends_it(
        self, ecfr: FakeEcfr, run: Refresh, untouched: Callable[[], None]
    ) -> None:
        ecfr.amend()
        ecfr.rows["250"].pop()
        with pytest.raises(SnapshotError, match=r"250\.5 differs between 2026-10-07") as caught:
            run()
        assert "snapshot verify --upstream" in caught.value.hint
        assert "--allow-disagreement" in caught.value.hint
        untouched()

    @pytest.mark.usefixtures("no_report")
    def test_the_next_run_asks_anew(self, ecfr: FakeEcfr, run: Refresh) -> None:
        ecfr.amend()
        lost = ecfr.rows["250"].pop()
        with pytest.raises(SnapshotError):
            run()
        ecfr.rows["250"].append(lost)
        assert run().applied

    def test_it_can_be_taken_all_the_same_and_is_told(self, ecfr: FakeEcfr, run: Refresh, tools: Any) -> None:
        ecfr.amend()
        ecfr.rows["250"].pop()
        assert run(tools=replace(tools, allow_disagreement=True)).applied
        assert any("250.5 differs between" in text for text in run.reports[0].warnings)

    def test_a_listed_section_that_is_not_there_ends_it(self, ecfr: FakeEcfr, run: Refresh) -> None:
        ecfr.list("250", "250.12", NEW_DAY)
        with pytest.raises(SnapshotError, match=r"250\.12 is listed for 2026-11-12 and does not stand"):
            run()

    def test_a_removed_section_that_is_still_there_ends_it(self, ecfr: FakeEcfr, run: Refresh) -> None:
        ecfr.list("250", "250.8", NEW_DAY, removed=True)
        with pytest.raises(SnapshotError, match=r"250\.8 is listed as removed on 2026-11-12 and stands"):
            run()

    def test_a_change_to_come_is_told_and_not_fetched(self, ecfr: FakeEcfr, run: Refresh) -> None:
        ecfr.list("250", "250.8", "2027-01-01", issue_date=CURRENT_TO)
        assert run().applied
        assert "Part 250: a change is listed for 2027-01-01; it has no text yet." in run.reports[0].warnings
        assert not any("2027" in request for request in ecfr.requests)


def test_words_that_a_reader_would_lose_are_a_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    data = (SHIPPED / "part-254_2025-01-22.xml").read_bytes()
    assert read_copy(data, "14", "254", "a text")

    def losing(source: str) -> Callable[..., ReadResult]:
        read = reader(source)

        def lossy(*given: Any) -> ReadResult:
            result = read(*given)
            return ReadResult(result.parts, result.warnings, result.words_in + 3, result.words_kept)

        return lossy

    reader = texts.reader_for
    monkeypatch.setattr(texts, "reader_for", losing)
    with pytest.raises(SnapshotError, match="has 3 words that the reader would lose"):
        read_copy(data, "14", "254", "a text")


def test_the_parts_text_of_another_title_is_refused(ecfr: FakeEcfr, run: Refresh) -> None:
    other = ecfr.text("254", CURRENT_TO).replace(b"title-14", b"title-15")
    ecfr.fails(
        "part=254",
        lambda answer: Answer(other, media="application/xml") if b"DIV5" in answer.body else answer,
    )
    with pytest.raises(SnapshotError, match="but of title 15 part 254"):
        run()
