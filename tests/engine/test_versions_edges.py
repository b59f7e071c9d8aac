"""Timelines where one day, one sign or one row of a list decides."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine.ingest import address
from engine.model import Change, StandingKind
from engine.versions import Built, DatedCopy, PublishedVersion, build_timelines, change_between, folded

if TYPE_CHECKING:
    from engine.model import SectionText
    from tests.engine.conftest import MakeText

HISTORY = date(2017, 1, 1)
CURRENT = date(2026, 10, 7)
PAYS = "(a)|Every carrier shall pay $675."
BEFORE = "The publisher's list also names {}, a time before the texts that are held."


def built(copies: dict[str, list[SectionText]], rows: tuple[tuple[str, str], ...] = ()) -> Built:
    return build_timelines(
        [DatedCopy(date.fromisoformat(day), tuple(sections)) for day, sections in copies.items()],
        history_start=HISTORY,
        current_to=CURRENT,
        address=address,
        published=[PublishedVersion(section, date.fromisoformat(day)) for section, day in rows],
    )


@pytest.fixture
def amounts(make_text: MakeText) -> list[SectionText]:
    return [make_text("250.5", f"(a)|Pay ${amount}.") for amount in (1, 2, 3)]


class TestTypography:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("A “zero fare” ticket", 'A "zero fare" ticket'),
            ("domestic–foreign", "domestic-foreign"),
            ("non refundable", "nonrefundable"),
            ("the carrier\N{RIGHT SINGLE QUOTATION MARK}s", "the carrier's"),
        ],
    )
    def test_signs_and_white_space_are_no_words(self, one: str, other: str, make_text: MakeText) -> None:
        assert folded(one) == folded(other)
        assert change_between(make_text("250.5", one), make_text("250.5", other)) is Change.TYPOGRAPHIC

    def test_a_sign_that_is_left_out_is_a_change_of_words(self, make_text: MakeText) -> None:
        quoted, dashed = make_text("250.5", "A “zero” fare"), make_text("250.5", "A-zero fare")
        assert change_between(quoted, make_text("250.5", "A zero fare")) is Change.TEXT
        assert change_between(dashed, make_text("250.5", "A zero fare")) is Change.TEXT

    def test_a_notice_that_only_moves_is_no_other_notice(self, make_text: MakeText) -> None:
        first, last = make_text("250.5", "notice|Link.", PAYS), make_text("250.5", PAYS, "notice|Link.")
        assert change_between(first, last) is Change.TYPOGRAPHIC


class TestThePublishersList:
    def test_days_before_the_texts_are_named_in_order_on_the_first_version_alone(
        self, amounts: list[SectionText]
    ) -> None:
        copies = {f"20{17 + n}-01-01": [text] for n, text in enumerate(amounts)}
        rows = ["2016-12-28", "2015-05-01", "2017-01-01", "2018-01-01", "2019-01-01"]
        result = built(copies, tuple(("250.5", day) for day in rows))
        assert [version.notes for version in result.timelines[0].versions] == [
            (BEFORE.format("2015-05-01, 2016-12-28"),),
            (),
            (),
        ]
        assert result.warnings == ()

    def test_a_list_that_begins_on_the_first_day_leaves_no_note(self, amounts: list[SectionText]) -> None:
        result = built({"2017-01-01": amounts[:1]}, (("250.5", "2017-01-01"),))
        assert result.timelines[0].versions[0].notes == ()

    def test_what_is_missing_on_either_side_is_told_in_the_order_of_days(
        self, amounts: list[SectionText]
    ) -> None:
        ours = {"2017-01-01": amounts[:1]}
        ours |= {f"20{n}-03-01": [amounts[1 + n % 2]] for n in range(18, 26)}
        rows = tuple(("250.5", f"20{n}-09-01") for n in (25, 19, 23, 18, 21, 24, 20, 22))
        result = built(ours, (("250.5", "2017-01-01"), *rows))
        listed = "The publisher lists a version of 250.5 of {} that no copy holds."
        unnamed = "The publisher's list does not name the version of 250.5 of {}."
        assert result.warnings == (
            *(listed.format(f"20{n}-09-01") for n in range(18, 26)),
            *(unnamed.format(f"20{n}-03-01") for n in range(18, 26)),
        )

    def test_a_list_without_copies_is_a_warning_for_each_row(self) -> None:
        result = built({}, (("250.5", "2017-01-01"),))
        assert result.timelines == ()
        assert result.warnings == (
            "The publisher lists a version of 250.5 of 2017-01-01 that no copy holds.",
        )


def test_the_first_day_of_the_copies_is_held_and_the_day_before_is_not(amounts: list[SectionText]) -> None:
    timeline = built({"2018-01-01": amounts[:1]}).timelines[0]
    assert timeline.standing(date(2017, 12, 31)).kind is StandingKind.NOT_HELD
    assert timeline.standing(date(2018, 1, 1)).kind is StandingKind.IN_FORCE
