from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from engine.ingest import address, ingest
from engine.model import (
    BlockKind,
    Change,
    Notice,
    Origin,
    SectionText,
    Standing,
    StandingKind,
    VersionStatus,
)
from engine.snapshot import load_collection
from engine.sources.ecfr import read
from engine.versions import (
    Built,
    DatedCopy,
    PublishedVersion,
    Timeline,
    build_timelines,
    change_between,
    identity,
)

if TYPE_CHECKING:
    from engine.snapshot import Collection
    from tests.engine.conftest import Copied, MakeText

HISTORY = date(2017, 1, 1)
CURRENT = date(2026, 10, 7)
_DAY = timedelta(days=1)
PAYS = "(a)|Every carrier shall pay $675."


def built(
    copies: dict[str, list[SectionText]], published: tuple[tuple[str, str], ...] = (), **days: date
) -> Built:
    return build_timelines(
        [DatedCopy(date.fromisoformat(day), tuple(sections)) for day, sections in copies.items()],
        history_start=days.get("history_start", HISTORY),
        current_to=CURRENT,
        address=address,
        published=[PublishedVersion(section, date.fromisoformat(day)) for section, day in published],
    )


def only(result: Built) -> Timeline:
    (timeline,) = result.timelines
    return timeline


def spans(timeline: Timeline) -> list[str]:
    return [f"{version.effective_from}..{version.effective_to or ''}" for version in timeline.versions]


class TestTheShippedTexts:
    def test_44_versions_of_18_sections_begin_on_six_days(self, timelines: dict[str, Timeline]) -> None:
        versions = [version for timeline in timelines.values() for version in timeline.versions]
        assert (len(timelines), len(versions)) == (18, 44)
        first_days = [str(version.effective_from) for version in versions]
        assert {day: first_days.count(day) for day in sorted(set(first_days))} == {
            "2017-01-01": 18,
            "2021-01-13": 8,
            "2021-04-13": 8,
            "2021-08-02": 2,
            "2024-10-24": 4,
            "2025-01-22": 4,
        }

    def test_the_publishers_list_agrees(self, collection: Collection) -> None:
        assert ingest(collection).index.warnings == ()

    def test_words_of_254_4(self, timelines: dict[str, Timeline]) -> None:
        versions = timelines["254.4"].versions
        assert [len(version.text.body.split()) for version in versions] == [71, 83, 71, 83, 71]
        assert [version.change for version in versions] == [
            Change.FIRST,
            Change.NOTICE,
            Change.TEXT,
            Change.NOTICE,
            Change.TEXT,
        ]

    @pytest.mark.parametrize(
        ("section", "label", "day", "amount"),
        [
            ("250.5", "(a)(2)", "2017-01-01", "$675"),
            ("250.5", "(a)(2)", "2021-04-12", "$675"),
            ("250.5", "(a)(2)", "2021-04-13", "$775"),
            ("250.5", "(a)(2)", "2024-12-20", "$775"),
            ("250.5", "(a)(2)", "2025-01-21", "$775"),
            ("250.5", "(a)(2)", "2025-01-22", "$1,075"),
            ("250.5", "(b)(3)", "2021-04-12", "$1,350"),
            ("250.5", "(b)(3)", "2021-08-01", "$1,350"),
            ("250.5", "(a)(3)", "2021-08-01", "$1,550"),
            ("250.5", "(b)(3)", "2021-08-02", "$1,550"),
            ("250.5", "(b)(3)", "2025-01-22", "$2,150"),
        ],
    )
    def test_the_amount_in_force(
        self, timelines: dict[str, Timeline], section: str, label: str, day: str, amount: str
    ) -> None:
        version = timelines[section].text_on(date.fromisoformat(day))
        assert version is not None
        (text,) = [block.text for block in version.text.blocks if block.label == label]
        assert re.findall(r"\$[\d,]*\d", text) == [amount]

    def test_a_pending_amendment_names_its_document_and_its_day_of_publication(
        self, timelines: dict[str, Timeline]
    ) -> None:
        version = timelines["250.5"].text_on(date(2024, 12, 20))
        assert version is not None
        text = "Link to an amendment published at 89 FR 84818, Oct. 24, 2024."
        assert version.text.notices == (Notice(text, "89 FR 84818", date(2024, 10, 24)),)
        assert version.pending == text
        assert (version.change, version.effective_from) == (Change.NOTICE, date(2024, 10, 24))

    def test_a_reserved_number_becomes_a_placeholder_and_then_a_rule(
        self, timelines: dict[str, Timeline]
    ) -> None:
        reserved, placeholder, rule = timelines["250.7"].versions
        assert (reserved.heading, reserved.status) == ("§ 250.7 [Reserved]", VersionStatus.RESERVED)
        assert (placeholder.heading, placeholder.status) == ("§ 250.7 xxx", VersionStatus.ENDED)
        assert placeholder.notes == ("The publisher shows a placeholder here: a heading without a rule.",)
        assert (rule.status, rule.notes) == (VersionStatus.IN_FORCE_AT_END, ())
        assert rule.text.rule_blocks
        assert spans(timelines["250.7"]) == [
            "2017-01-01..2021-01-12",
            "2021-01-13..2021-04-12",
            "2021-04-13..",
        ]

    def test_only_the_first_versions_may_have_begun_earlier(self, timelines: dict[str, Timeline]) -> None:
        for timeline in timelines.values():
            first, *later = timeline.versions
            assert first.from_origin is Origin.AT_OR_BEFORE
            assert {version.from_origin for version in later} <= {Origin.EXACT}

    def test_each_version_has_the_address_of_its_first_day(self, timelines: dict[str, Timeline]) -> None:
        for timeline in timelines.values():
            for version in timeline.versions:
                day = version.effective_from
                assert version.url == f"https://www.ecfr.gov/on/{day}/title-14/section-{version.section}"


@given(data=st.data())
def test_the_order_of_the_copies_does_not_matter(data: st.DataObject, collection: Collection) -> None:
    copies = _parts_of(collection, "250")
    rows = [PublishedVersion("250.5", date(2021, 4, 13)), PublishedVersion("250.12", date(2021, 4, 13))]

    def build(order: list[DatedCopy]) -> Built:
        return build_timelines(
            order, history_start=HISTORY, current_to=CURRENT, address=address, published=rows
        )

    assert build(data.draw(st.permutations(copies))) == build(copies)


_READ: dict[str, list[DatedCopy]] = {}


def _parts_of(collection: Collection, part: str) -> list[DatedCopy]:
    if part not in _READ:
        _READ[part] = [
            DatedCopy(day, read(collection.read(file.file), file.file).parts[0].sections)
            for file, day in collection.copies
            if file.part == part
        ]
    return _READ[part]


def test_copies_from_before_the_history_count_as_of_its_first_day(make_text: MakeText) -> None:
    older, old, new = (make_text("250.5", f"(a)|Pay ${amount}.") for amount in (1, 2, 3))
    copies = {"2016-12-20": [old], "2016-11-28": [older], "2021-04-13": [new]}
    result = built(copies)
    assert spans(only(result)) == ["2017-01-01..2021-04-12", "2021-04-13.."]
    assert only(result).versions[0].text is old
    assert only(result).versions[0].from_origin is Origin.AT_OR_BEFORE
    assert result.warnings == ("Two copies of 2017-01-01 differ; the one given last was used.",)
    assert built(dict(reversed(copies.items()))) == result


def test_two_equal_copies_of_a_day_are_no_matter(make_text: MakeText) -> None:
    text = make_text("250.5", PAYS)
    result = built({"2016-11-28": [text], "2017-01-01": [text]})
    assert result.warnings == ()
    assert spans(only(result)) == ["2017-01-01.."]


def test_no_copies_give_no_timelines() -> None:
    assert built({}) == Built((), ())


def test_one_document_may_change_two_sections_on_two_days(make_text: MakeText) -> None:
    note = "[86 FR 2537, Jan. 13, 2021]"
    before = [make_text("250.5", PAYS), make_text("250.9", "(a)|Tell.")]
    amended = [
        make_text("250.5", "(a)|Pay $775.", note=note),
        make_text("250.9", "(a)|Tell aloud.", note=note),
    ]
    result = built(
        {"2020-01-01": before, "2021-01-01": [amended[0], before[1]], "2021-03-01": amended},
    )
    assert [spans(timeline)[-1] for timeline in result.timelines] == ["2021-01-01..", "2021-03-01.."]


def test_a_section_may_come_later(make_text: MakeText) -> None:
    other, new = make_text("250.1", "Terms."), make_text("250.12", PAYS)
    result = built({"2017-01-01": [other], "2021-04-13": [other, new]})
    timeline = result.timelines[1]
    assert timeline.standing(date(2016, 12, 31)) == Standing(StandingKind.NOT_HELD, None)
    assert timeline.standing(date(2021, 4, 12)) == Standing(StandingKind.NOT_YET, timeline.versions[0])
    assert timeline.text_on(date(2021, 4, 12)) is None
    assert timeline.standing(date(2021, 4, 13)) == Standing(StandingKind.IN_FORCE, timeline.versions[0])
    assert timeline.versions[0].from_origin is Origin.EXACT


def test_a_section_that_goes_and_comes_back_leaves_a_gap(make_text: MakeText) -> None:
    other = make_text("250.1", "Terms.")
    gone = make_text("250.12", PAYS, note="[86 FR 2537]")
    copies = {"2017-01-01": [gone, other], "2018-01-01": [other], "2019-01-01": [other]}
    timeline = built({**copies, "2020-01-01": [gone, other]}).timelines[0]
    assert spans(timeline) == ["2017-01-01..2017-12-31", "2020-01-01.."]
    assert [version.status for version in timeline.versions] == [
        VersionStatus.REMOVED,
        VersionStatus.IN_FORCE_AT_END,
    ]
    assert timeline.standing(date(2017, 12, 31)).kind is StandingKind.IN_FORCE
    for day in (date(2018, 1, 1), date(2019, 12, 31)):
        assert timeline.standing(day) == Standing(StandingKind.GAP, None)
    assert timeline.standing(date(2020, 1, 1)) == Standing(StandingKind.IN_FORCE, timeline.versions[1])
    assert timeline.versions[1].change is Change.TEXT, "a rule came back, not a notice"


def test_a_section_that_is_removed_at_the_end_has_nothing_to_read(make_text: MakeText) -> None:
    other = make_text("250.1", "Terms.")
    timeline = built({"2017-01-01": [make_text("250.12", PAYS), other], "2018-01-01": [other]}).timelines[0]
    assert spans(timeline) == ["2017-01-01..2017-12-31"]
    assert timeline.versions[0].status is VersionStatus.REMOVED
    assert timeline.standing(CURRENT).kind is StandingKind.GAP
    assert timeline.standing(CURRENT + _DAY) == Standing(StandingKind.AFTER, None)
    assert timeline.text_on(CURRENT + _DAY) is None


def test_after_the_up_to_date_day_the_last_version_is_read_and_named_so(make_text: MakeText) -> None:
    timeline = only(built({"2017-01-01": [make_text("250.5", PAYS)]}))
    assert timeline.standing(CURRENT).kind is StandingKind.IN_FORCE
    assert timeline.standing(CURRENT + _DAY) == Standing(StandingKind.AFTER, timeline.versions[0])
    assert timeline.text_on(CURRENT + _DAY) is timeline.versions[0]


def test_removed_and_reserved_keeps_being_known_as_reserved(make_text: MakeText) -> None:
    other = make_text("250.1", "Terms.")
    reserved = make_text("250.7", heading="§ 250.7 [Reserved]")
    copies = {"2017-01-01": [make_text("250.7", PAYS), other], "2018-01-01": [reserved, other]}
    timeline = built({**copies, "2019-01-01": [other]}).timelines[0]
    assert [version.status for version in timeline.versions] == [VersionStatus.ENDED, VersionStatus.RESERVED]
    assert spans(timeline)[-1] == "2018-01-01..2018-12-31"


class TestWhatChanged:
    def test_words_may_change_while_the_source_note_does_not(self, make_text: MakeText) -> None:
        note = "[73 FR 21033, Apr. 18, 2008]"
        texts = [make_text("250.5", f"(a)|Pay ${amount}.", note=note) for amount in (675, 775)]
        result = built({"2017-01-01": [texts[0]], "2021-04-13": [texts[1]]})
        second = only(result).versions[1]
        assert (second.change, second.notes) == (
            Change.TEXT,
            ("The words changed and the source note did not.",),
        )
        assert result.warnings == ()

    def test_a_section_without_source_notes_has_none_that_did_not_change(self, make_text: MakeText) -> None:
        texts = [make_text("250.5", f"(a)|Pay ${amount}.") for amount in (675, 775)]
        assert only(built({"2017-01-01": [texts[0]], "2021-04-13": [texts[1]]})).versions[1].notes == ()

    def test_a_source_note_alone_makes_no_version_and_a_warning(self, make_text: MakeText) -> None:
        texts = [make_text("250.5", PAYS, note=note) for note in ("[73 FR 21033]", "[86 FR 2537]")]
        result = built({"2017-01-01": [texts[0]], "2021-04-13": [texts[1]]})
        assert spans(only(result)) == ["2017-01-01.."]
        assert result.warnings == ("250.5: on 2021-04-13 the source note changed and the words did not.",)

    @pytest.mark.parametrize(
        ("lines", "change"),
        [
            (["notice|Link to an amendment.", PAYS, "(b)|Don't wait."], Change.NOTICE),
            ([PAYS, "(b)|Don\u2019t wait."], Change.TYPOGRAPHIC),
            (["notice|Link.", PAYS, "(b)|Don\u2019t  wait."], Change.TYPOGRAPHIC),
            (["heading|Every carrier shall pay $675.", "(b)|Don't wait."], Change.TYPOGRAPHIC),
            (["(a)|Every carrier shall pay $775.", "(b)|Don't wait."], Change.TEXT),
            ([PAYS], Change.TEXT),
        ],
    )
    def test_kinds_of_change(self, make_text: MakeText, lines: list[str], change: Change) -> None:
        before, after = make_text("250.5", PAYS, "(b)|Don't wait."), make_text("250.5", *lines)
        assert identity(before) != identity(after)
        assert change_between(before, after) is change
        assert change_between(after, before) is change
        assert [v.change for v in only(built({"2017-01-01": [before], "2018-01-01": [after]})).versions] == [
            Change.FIRST,
            change,
        ]

    def test_another_heading_is_another_version(self, make_text: MakeText) -> None:
        texts = [make_text("250.5", PAYS, heading=f"§ 250.5 {name}.") for name in ("Amount", "Amounts")]
        versions = only(built({"2017-01-01": [texts[0]], "2018-01-01": [texts[1]]})).versions
        assert [version.change for version in versions] == [Change.FIRST, Change.TEXT]

    def test_labels_and_lines_alone_make_no_version(self, make_text: MakeText) -> None:
        text = make_text("250.5", PAYS)
        moved = SectionText(text.title, text.part, text.section, text.heading, text.blocks, line=99)
        assert identity(text) == identity(moved)


class TestThePublishersList:
    def test_a_day_before_the_history_becomes_a_note_and_no_warning(self, make_text: MakeText) -> None:
        result = built({"2017-01-01": [make_text("250.5", PAYS)]}, (("250.5", "2016-11-28"),))
        (version,) = only(result).versions
        assert version.notes == (
            "The publisher's list also names 2016-11-28, a time before the texts that are held.",
        )
        assert version.from_origin is Origin.AT_OR_BEFORE
        assert result.warnings == ()

    def test_a_version_newer_than_all_copies_is_not_silently_missing(self, make_text: MakeText) -> None:
        rows = (("250.5", "2017-01-01"), ("250.5", "2026-12-01"))
        result = built({"2017-01-01": [make_text("250.5", PAYS)]}, rows)
        assert result.warnings == (
            "The publisher lists a version of 250.5 of 2026-12-01 that no copy holds.",
        )

    def test_a_section_that_no_copy_holds_is_a_warning(self, make_text: MakeText) -> None:
        rows = (("250.5", "2017-01-01"), ("250.12", "2020-01-01"))
        result = built({"2017-01-01": [make_text("250.5", PAYS)]}, rows)
        assert result.warnings == (
            "The publisher lists a version of 250.12 of 2020-01-01 that no copy holds.",
        )

    def test_a_version_of_ours_that_is_not_listed_is_a_warning(self, make_text: MakeText) -> None:
        copies = {"2017-01-01": [make_text("250.5", PAYS)], "2018-01-01": [make_text("250.5", "(a)|Pay.")]}
        result = built(copies, (("250.5", "2017-01-01"),))
        assert result.warnings == ("The publisher's list does not name the version of 250.5 of 2018-01-01.",)

    def test_a_section_of_ours_that_is_not_listed_is_a_warning(self, make_text: MakeText) -> None:
        copies = {"2017-01-01": [make_text("250.5", PAYS), make_text("250.6", "(a)|Except.")]}
        result = built(copies, (("250.5", "2017-01-01"),))
        assert result.warnings == ("The publisher's list does not name the version of 250.6 of 2017-01-01.",)

    def test_the_day_of_a_removal_is_known(self, make_text: MakeText) -> None:
        other = make_text("250.1", "Terms.")
        rows = (("250.1", "2017-01-01"), ("250.5", "2017-01-01"), ("250.5", "2018-01-01"))
        result = built({"2017-01-01": [make_text("250.5", PAYS), other], "2018-01-01": [other]}, rows)
        assert result.warnings == ()

    def test_without_a_list_nothing_is_compared(self, make_text: MakeText) -> None:
        assert built({"2017-01-01": [make_text("250.5", PAYS)]}).warnings == ()


def test_the_day_of_the_download_is_never_an_effective_day(copied: Copied) -> None:
    for name in ("part-250_2021-04-13.xml", "part-254_2024-10-24.xml"):
        (copied.folder / name).touch()
    days = {
        version.effective_from
        for timeline in ingest(load_collection(copied.folder)).index.timelines
        for version in timeline.versions
    }
    assert max(days) == date(2025, 1, 22)


def test_a_notice_is_no_rule(timelines: dict[str, Timeline]) -> None:
    version = timelines["250.2"].text_on(date(2021, 2, 15))
    assert version is not None
    assert version.text.blocks[0].kind is BlockKind.NOTICE
    assert version.text.rule_blocks == version.text.blocks[1:]
