"""The date filter on the days that decide, and rules of other days that fit better or nearly as well."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from engine import references
from engine.finding import NEARLY, Finder
from engine.index import IndexKey, StoredIndex
from engine.model import Question, StandingKind
from engine.search.retriever import Method, Ranked
from engine.search.words import WordList
from engine.versions import Timeline

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.abstain import Elsewhere
    from engine.model import SectionVersion
    from tests.engine.conftest import MakeText, MakeVersion

    MakeFinder = Callable[..., Finder]

HELD_FROM, CURRENT_TO = date(2017, 1, 1), date(2026, 10, 7)
DAY = date(2021, 6, 1)
PAY, TELL = "(a)|(a) Pay in silver.", "(b)|(b) Tell of pudding."


@pytest.fixture
def make_finder() -> MakeFinder:
    def make(*lines: tuple[SectionVersion, ...]) -> Finder:
        timelines = tuple(
            Timeline("14", versions[0].section, versions, HELD_FROM, CURRENT_TO) for versions in lines
        )
        return Finder(StoredIndex(IndexKey("0", ""), timelines, {}, ()), WordList())

    return make


@pytest.fixture
def finder(make_finder: MakeFinder, make_text: MakeText, make_version: MakeVersion) -> Finder:
    """§ 9.1 has (b) in 2018, 2019 and from 2023 on; § 9.2 ended with 2018; § 9.3 is there throughout."""
    return make_finder(
        (
            make_version(make_text("9.1", PAY), "2017-01-01", "2017-12-31"),
            make_version(make_text("9.1", PAY, TELL), "2018-01-01", "2018-12-31"),
            make_version(make_text("9.1", PAY, TELL + " More."), "2019-01-01", "2019-12-31"),
            make_version(make_text("9.1", PAY), "2020-01-01", "2022-12-31"),
            make_version(make_text("9.1", PAY, TELL), "2023-01-01", "2023-12-31"),
            make_version(make_text("9.1", PAY, TELL + " Again."), "2024-01-01"),
        ),
        (make_version(make_text("9.2", "(a)|(a) Weigh bags."), "2017-01-01", "2018-12-31"),),
        (make_version(make_text("9.3", "notice|Link to pudding.", "(a)|(a) Board early."), "2017-01-01"),),
    )


def firsts(finder: Finder, day: date) -> list[str]:
    return [
        f"{finder.chunks[place].section} {finder.chunks[place].version.effective_from}"
        for place in finder.in_force(day)
    ]


def named(found: Elsewhere | None) -> tuple[str, str, str, StandingKind] | None:
    if found is None:
        return None
    version = found.chunk.version
    return version.section, found.label, str(version.effective_from), found.standing.kind


class TestTheDateFilter:
    @pytest.mark.parametrize(
        ("day", "readable"),
        [
            ("2016-12-31", []),
            ("2017-01-01", ["9.1 2017-01-01", "9.2 2017-01-01", "9.3 2017-01-01"]),
            ("2018-12-31", ["9.1 2018-01-01", "9.2 2017-01-01", "9.3 2017-01-01"]),
            ("2019-01-01", ["9.1 2019-01-01", "9.3 2017-01-01"]),
            ("2022-12-31", ["9.1 2020-01-01", "9.3 2017-01-01"]),
            ("2023-01-01", ["9.1 2023-01-01", "9.3 2017-01-01"]),
            ("2026-10-07", ["9.1 2024-01-01", "9.3 2017-01-01"]),
            ("2027-10-07", ["9.1 2024-01-01", "9.3 2017-01-01"]),
        ],
    )
    def test_first_and_last_days_decide_what_may_be_read(
        self, day: str, readable: list[str], finder: Finder
    ) -> None:
        assert firsts(finder, date.fromisoformat(day)) == readable

    def test_hits_of_a_first_and_of_a_last_day_are_of_that_version(self, finder: Finder) -> None:
        for day, first in (("2022-12-31", "2020-01-01"), ("2023-01-01", "2023-01-01")):
            hits = finder.hits("pay silver", date.fromisoformat(day), Method.BM25)
            found = [(hit.rank, str(hit.chunk.version.effective_from), hit.in_force) for hit in hits]
            assert found == [(1, first, True)]

    def test_after_the_texts_end_what_is_read_is_in_force_as_far_as_is_known(self, finder: Finder) -> None:
        (hit,) = finder.hits("pay silver", CURRENT_TO + timedelta(days=9), Method.BM25)
        assert (str(hit.chunk.version.effective_from), hit.in_force) == ("2024-01-01", True)

    def test_without_a_day_nothing_is_said_of_force(self, finder: Finder) -> None:
        hits = finder.hits("pay silver", None, Method.BM25)
        assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5, 6]
        assert {hit.in_force for hit in hits} == {None}

    def test_versions_out_of_force_are_marked_where_every_version_competes(self, finder: Finder) -> None:
        asked = Question("pay silver", date(2022, 12, 31))
        built = finder.context(asked, Method.BM25, top=6, budget=4000, date_filter=False)
        marked = {str(hit.chunk.version.effective_from): hit.in_force for hit in built.hits}
        assert [first for first, held in marked.items() if held] == ["2020-01-01"]
        assert len(marked) > 1


class TestNamedElsewhere:
    @pytest.mark.parametrize(
        ("text", "day", "found"),
        [
            ("What does § 9.1(b) say?", "2022-12-31", ("9.1", "(b)", "2023-01-01", StandingKind.IN_FORCE)),
            ("What does § 9.1(b) say?", "2017-12-31", ("9.1", "(b)", "2018-01-01", StandingKind.IN_FORCE)),
            ("What does § 9.1(b) say?", "2018-01-01", None),
            ("What does § 9.1(b) say?", "2023-01-01", None),
            ("What do § 9.1(a) and § 9.1(b) say?", "2021-06-01", None),
            ("§ 9.1(z) or § 9.1(b)?", "2021-06-01", ("9.1", "(b)", "2023-01-01", StandingKind.IN_FORCE)),
            ("What does § 9.2 say?", "2018-12-31", None),
            ("What does § 9.2 say?", "2019-01-01", ("9.2", "(a)", "2017-01-01", StandingKind.GAP)),
            ("What does § 9.1(z) say?", "2021-06-01", None),
            ("What does § 9.7 say?", "2021-06-01", None),
            ("What is owed?", "2021-06-01", None),
        ],
    )  # fmt: skip
    def test_the_paragraph_that_the_day_does_not_have(
        self, text: str, day: str, found: tuple[str, str, str, StandingKind] | None, finder: Finder
    ) -> None:
        asked = references.named(text, finder.timelines)
        assert named(finder._named_elsewhere(asked, date.fromisoformat(day))) == found


class TestElsewhere:
    def elsewhere(
        self, finder: Finder, text: str, *ranked: tuple[str, str, float, int], day: date = DAY
    ) -> tuple[str, str, str, StandingKind] | None:
        """Rank passages by section, first day, score and block; as if search had found them so."""
        place = {f"{one.section} {one.version.effective_from}": at for at, one in enumerate(finder.chunks)}
        found = [
            Ranked(place[f"{section} {first}"], score, block, ()) for section, first, score, block in ranked
        ]
        return named(finder._elsewhere(Question(text, day), found, set(finder.in_force(day))))

    B_OF_2018 = ("9.1", "2018-01-01", 1.88, 1)
    A_OF_2018 = ("9.1", "2018-01-01", 3.0, 0)
    HELD = ("9.3", "2017-01-01", 2.0, 1)
    LESS = ("9.1", "2020-01-01", 0.5, 0)
    NEXT = ("9.1", "(b)", "2023-01-01", StandingKind.IN_FORCE)
    WAS_THERE = "Was there a rule on pudding?"

    def test_a_better_one_counts_and_a_worse_one_does_not(self, finder: Finder) -> None:
        better = (*self.B_OF_2018[:2], 2.0, 1)
        assert self.elsewhere(finder, "pudding", better, self.HELD) == self.NEXT
        assert self.elsewhere(finder, "pudding", self.HELD, better) == self.NEXT
        assert self.elsewhere(finder, "pudding", self.HELD, self.B_OF_2018) is None

    def test_nearly_as_well_is_enough_when_its_existence_is_asked(self, finder: Finder) -> None:
        assert self.elsewhere(finder, self.WAS_THERE, self.HELD, self.B_OF_2018) == self.NEXT
        exactly = (*self.B_OF_2018[:2], 2 * NEARLY, 1)
        below = (*self.B_OF_2018[:2], 2 * NEARLY - 0.001, 1)
        assert self.elsewhere(finder, self.WAS_THERE, self.HELD, exactly) == self.NEXT
        assert self.elsewhere(finder, self.WAS_THERE, self.HELD, below) is None

    def test_the_best_one_in_force_is_the_measure(self, finder: Finder) -> None:
        assert self.elsewhere(finder, "pudding", self.HELD, self.LESS, self.B_OF_2018) is None
        assert self.elsewhere(finder, self.WAS_THERE, self.HELD, self.LESS, self.B_OF_2018) == self.NEXT

    def test_a_paragraph_with_a_counterpart_that_day_is_passed_over(self, finder: Finder) -> None:
        assert self.elsewhere(finder, "pudding", self.A_OF_2018) is None
        assert self.elsewhere(finder, "pudding", self.A_OF_2018, self.B_OF_2018) == self.NEXT
        bags = ("9.2", "2017-01-01", 2.0, 0)
        assert self.elsewhere(finder, "bags", bags) == ("9.2", "(a)", "2017-01-01", StandingKind.GAP)

    def test_with_nothing_in_force_or_nothing_found(self, finder: Finder) -> None:
        assert self.elsewhere(finder, "pudding") is None
        early = date(2016, 1, 1)
        assert self.elsewhere(finder, "pudding", self.B_OF_2018, day=early) == (
            "9.1", "(b)", "2018-01-01", StandingKind.NOT_HELD,
        )  # fmt: skip

    def test_a_passage_of_notices_alone_is_passed_over(
        self, make_finder: MakeFinder, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        finder = make_finder(
            (
                make_version(make_text("9.1", "notice|Link to pudding."), "2017-01-01", "2018-12-31"),
                make_version(make_text("9.1", PAY), "2019-01-01"),
            ),
            (make_version(make_text("9.4", TELL), "2018-01-01", "2018-12-31"),),
        )
        notice, other = ("9.1", "2017-01-01", 3.0, 0), ("9.4", "2018-01-01", 2.0, 0)
        assert self.elsewhere(finder, "pudding", notice) is None
        found = ("9.4", "(b)", "2018-01-01", StandingKind.GAP)
        assert self.elsewhere(finder, "pudding", notice, other) == found


class TestNearest:
    @pytest.mark.parametrize(
        ("day", "first"),
        [
            ("2017-06-01", "2018-01-01"),
            ("2019-06-01", "2023-01-01"),
            ("2022-12-31", "2023-01-01"),
            ("2023-01-01", "2024-01-01"),
            ("2024-01-01", "2024-01-01"),
            ("2025-01-01", "2024-01-01"),
        ],
    )
    def test_the_next_version_with_the_paragraph_or_else_the_nearest(
        self, day: str, first: str, finder: Finder
    ) -> None:
        chunk = next(one for one in finder.chunks if str(one.version.effective_from) == "2018-01-01")
        found = finder._nearest(chunk, "(b)", date.fromisoformat(day))
        assert (found.label, str(found.chunk.version.effective_from)) == ("(b)", first)
        assert found.standing == finder.timelines[0].standing(date.fromisoformat(day))
