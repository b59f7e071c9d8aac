"""Histories of texts made by hand: gaps, typography, removed paragraphs and what the shipped texts lack."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine.finding import Finder
from engine.index import IndexKey, StoredIndex
from engine.model import Question
from engine.search.retriever import Method
from engine.search.words import WordList
from engine.versions import Timeline

if TYPE_CHECKING:
    from engine.history import HistoryReading
    from engine.model import SectionText, SectionVersion

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(
            self, text: SectionText, first: str = ..., last: str | None = ..., *, held: bool = ...
        ) -> SectionVersion: ...

    class Reads(Protocol):
        def __call__(
            self, question: str, day: str, *lines: tuple[SectionVersion, ...]
        ) -> HistoryReading | None: ...


CURRENT_TO, HELD_FROM = date(2026, 10, 7), date(2017, 1, 1)


@pytest.fixture
def reads() -> Reads:
    def read(question: str, day: str, *lines: tuple[SectionVersion, ...]) -> HistoryReading | None:
        timelines = tuple(
            Timeline("14", versions[0].section, versions, HELD_FROM, CURRENT_TO) for versions in lines
        )
        finder = Finder(StoredIndex(IndexKey("0", ""), timelines, {}, ()), WordList())
        asked = Question(question, date.fromisoformat(day))
        return finder.context(asked, Method.BM25, top=5, budget=4000, date_filter=True).history

    return read


class TestTextsMadeByHand:
    def test_a_section_that_goes_and_comes_back(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        first = make_version(make_text("1.1", "(a)|(a) A bag costs $10."), last="2018-12-31", held=True)
        back = make_version(make_text("1.1", "(a)|(a) A bag costs $10."), "2020-01-01", "2020-12-31")
        line = (first, back)
        found = reads("what changed in § 1.1 since 2017", "2022-01-01", line)
        assert found is not None
        assert "14 CFR 1.1 was in force until 2018-12-31 (version held from" in found.text
        assert "14 CFR 1.1 came in on 2020-01-01 (version 2020-01-01 to 2020-12-31)." in found.text
        assert "14 CFR 1.1 was in force until 2020-12-31" in found.text
        run = reads("since when is it $10 in § 1.1", "2020-06-01", line)
        assert run is not None
        assert "$10 from 2020-01-01 to 2020-12-31" in run.text
        assert "Before" not in run.text
        ended = reads("since when is it $10 in § 1.1", "2022-01-01", line)
        assert ended is not None
        assert "After" not in ended.text

    def test_a_section_that_came_later(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        line = (make_version(make_text("1.1", "(a)|(a) A bag costs $10."), "2020-01-01"),)
        found = reads("what changed in § 1.1 in 2018", "2022-01-01", line)
        assert found is not None
        assert "1.1 was not in force yet; it came in later (version since 2020-01-01)." in found.text
        coming = reads("is there a pending amendment to § 1.1", "2018-01-01", line)
        assert coming is not None
        assert (coming.claims, coming.text) == ((), "No version is in force on 2018-01-01.")

    def test_a_section_that_was_gone_the_whole_time(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        line = (make_version(make_text("1.1", "(a)|(a) A bag."), last="2018-12-31", held=True),)
        found = reads("what changed in § 1.1 in 2020", "2022-01-01", line)
        assert found is not None
        assert found.claims == ()
        assert "No version is in force on 2020-12-31." in found.text

    def test_typography_and_removed_paragraphs_are_named_as_that(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        old = make_version(
            make_text("1.1", "(a)|(a) Pay $5 now - at once.", "(b)|(b) Or else."),
            last="2017-12-31",
            held=True,
        )
        dash = make_version(
            make_text("1.1", "(a)|(a) Pay $5 now \u2013 at once.", "(b)|(b) Or else."),
            "2018-01-01",
            "2018-12-31",
        )
        less = make_version(
            make_text("1.1", "(a)|(a) Pay now - at once.", heading="§ 1.1 Payment."),
            "2019-01-01",
            "2019-12-31",
        )
        more = make_version(
            make_text("1.1", "(a)|(a) Pay $7 now - at once.", heading="§ 1.1 Payment."),
            "2020-01-01",
            "2020-12-31",
        )
        none = make_version(make_text("1.1", heading="§ 1.1 [Reserved]"), "2021-01-01", "2021-12-31")
        again = make_version(make_text("1.1", "(a)|(a) Pay."), "2022-01-01")
        found = reads("what changed in § 1.1 since 2017", "2022-06-01", (old, dash, less, more, none, again))
        assert found is not None
        assert "2018-01-01: only typography changed; the rule stayed the same." in found.text
        assert "2019-01-01: (a) $5 taken out; removed (b); the heading reads otherwise (" in found.text
        assert "2020-01-01: (a) $7 put in (" in found.text
        assert "2021-01-01: the rule was taken out (" in found.text
        assert "2022-01-01: a rule came in; before, the section was reserved (" in found.text

    def test_many_paragraphs_are_counted(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        labels = [f"({letter})" for letter in "abcdefghijk"]
        old = make_version(make_text("1.1", "An opening."), last="2019-12-31", held=True)
        new = make_version(
            make_text("1.1", "Another opening.", *(f"{one}|{one} Text." for one in labels)), "2020-01-01"
        )
        found = reads("what changed in § 1.1 since 2019", "2022-01-01", (old, new))
        assert found is not None
        assert (
            "added (a), (b), (c), (d), (e), (f), (g), (h) and 3 more; reworded the unlabelled text"
            in found.text
        )

    def test_a_paragraph_of_other_words_under_the_same_label_is_another_rule(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        old = make_version(make_text("1.1", "(a)|(a) Dogs fly free."), last="2019-12-31", held=True)
        new = make_version(make_text("1.1", "(a)|(a) Carriers must report each month."), "2020-01-01")
        found = reads("since when is § 1.1(a) in force", "2022-01-01", (old, new))
        assert found is not None
        assert "1.1(a) stands in the texts since 2020-01-01" in found.text

    def test_a_label_that_no_version_has_leaves_the_section(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        line = (make_version(make_text("1.1", "(a)|(a) Dogs fly free."), held=True),)
        found = reads("what changed in § 1.1(z) since 2019", "2022-01-01", line)
        assert found is not None
        assert found.text.endswith("14 CFR 1.1: no change of the words (version held from 2017-01-01).")
        assert reads("what changed in 12 CFR 1.1 since 2019", "2022-01-01", line) is None

    def test_a_section_without_any_rule_has_no_run(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        line = (make_version(make_text("1.1", heading="§ 1.1 [Reserved]"), held=True),)
        found = reads("since when is § 1.1 in force", "2022-01-01", line)
        assert found is not None
        assert (found.claims, found.text) == ((), "No version that is held has this rule.")

    def test_an_amount_among_others_is_found_when_it_stands_nowhere_alone(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        line = (make_version(make_text("1.1", "(a)|(a) A bag costs $10, a crate $20."), held=True),)
        found = reads("since when is it $20", "2022-01-01", line)
        assert found is not None
        assert "1.1(a): $20 since 2017-01-01 at least" in found.text
        limit = reads("since when is the bag limit in force", "2022-01-01", line)
        assert limit is not None
        assert "$10" in limit.text
        assert reads("since when is there a limit on zebras", "2022-01-01", line) is None

    def test_sections_that_come_while_many_are_looked_at(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        lines = [(make_version(make_text(f"1.{n}", "(a)|(a) Text."), held=True),) for n in range(1, 4)]
        late = (make_version(make_text("1.4", "(a)|(a) Text."), "2020-01-01"),)
        found = reads("what changed in 2020", "2022-01-01", *lines, late)
        assert found is not None
        assert "14 CFR 1.4 came in on 2020-01-01" in found.text
        assert "No words" not in found.text

    def test_a_notice_without_a_later_text_announces_and_no_more(
        self, reads: Reads, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        line = (make_version(make_text("1.1", "notice|Link to an amendment.", "(a)|(a) Pay."), held=True),)
        found = reads("will § 1.1 change", "2022-01-01", line)
        assert found is not None
        assert len(found.claims) == 1
        assert "It is not the rule on 2022-01-01" in found.text
