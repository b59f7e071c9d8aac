"""What has to hold before a release: the repeated question, and searches that never leave the day."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from lxml import etree

from engine.model import Coverage, Reason, Status
from engine.opening import open_engine
from engine.search.retriever import Method

if TYPE_CHECKING:
    from engine.engine import Engine
    from engine.model import AnswerCard, Chunk

SHIPPED = Path(__file__).parents[2] / "regulations" / "us-14-cfr"
BUMPED = (
    "A passenger was bumped from a full domestic flight and rebooked to arrive 90 minutes late. "
    "What is the most the airline had to pay?"
)
CAPS = {
    "2019-05-01": "$675",
    "2021-02-15": "$675",
    "2022-06-10": "$775",
    "2024-12-20": "$775",
    "2025-03-01": "$1,075",
    "2027-02-15": "$1,075",
}
SAME_YEARS = {"$675": {"$675", "$1,350"}, "$775": {"$775", "$1,550"}, "$1,075": {"$1,075", "$2,150"}}
"""The two caps that stand side by side in one version."""
FIRST, CURRENT_TO = date(2017, 1, 1), date(2026, 10, 7)
KS = [1, 2, 3, 5, 10, 38, 39, 40, 100, 199, 200]
_DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def by_keywords(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return open_engine(data=tmp_path_factory.mktemp("keywords"), models=False)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def with_models(models: Path) -> Engine:
    return open_engine(data=models)


@pytest.fixture(params=["by_keywords", pytest.param("with_models", marks=pytest.mark.models)])
def engine(request: pytest.FixtureRequest) -> Engine:
    made: Engine = request.getfixturevalue(request.param)
    assert made.has_models is (request.param == "with_models")
    return made


def amounts(text: str) -> set[str]:
    return set(re.findall(r"\$\d[\d,]*\d", text))


class TestTheRepeatedQuestion:
    @pytest.mark.parametrize(("day", "cap"), CAPS.items())
    def test_shows_the_cap_in_force_and_no_other_years(self, day: str, cap: str, engine: Engine) -> None:
        as_of = date.fromisoformat(day)
        card = engine.ask(BUMPED, as_of)
        assert card.status is Status.ANSWERED
        for text in (card.answer, " ".join(claim.text for claim in card.claims)):
            assert cap in amounts(text)
            assert amounts(text) <= SAME_YEARS[cap]
        assert all(source.in_force and source.chunk.version.in_force(as_of) for source in card.sources)
        assert [claim.problems for claim in card.claims] == [()] * len(card.claims)
        holding = {
            (source.chunk.section, label)
            for source in card.sources
            for label in source.paragraphs.split(", ")
            if cap in source.text
        }
        assert holding & {("250.5", "(a)(2)"), ("250.9", "(b)")}

    def test_before_the_history_it_says_that_nothing_is_held(self, engine: Engine) -> None:
        card = engine.ask(BUMPED, date(2015, 3, 10))
        assert (card.status, card.coverage) == (Status.NOT_HELD, Coverage.BEFORE)
        assert "The texts held here begin on 2017-01-01. No version is held for 2015-03-10" in card.answer
        assert (card.sources, card.claims, amounts(card.answer)) == ((), (), set())

    def test_after_the_up_to_date_day_it_answers_and_warns(self, engine: Engine) -> None:
        card = engine.ask(BUMPED, date(2027, 2, 15))
        assert (card.status, card.coverage) == (Status.ANSWERED, Coverage.AFTER)
        assert "after_snapshot" in [warning.kind for warning in card.warnings]

    @pytest.mark.parametrize("day", ["2021-02-15", "2024-12-20"])
    def test_a_pending_amendment_is_named(self, day: str, engine: Engine) -> None:
        warnings = engine.ask(BUMPED, date.fromisoformat(day)).warnings
        assert "pending_amendment" in [warning.kind for warning in warnings]


def assert_only_in_force(engine: Engine, method: Method, day: date) -> None:
    readable = [chunk for chunk in engine.chunks if chunk.version.in_force(day)]
    longest = engine.search(BUMPED, day, method=method, top=200).hits
    assert len(longest) <= len(readable)
    if method is not Method.BM25:
        assert len(longest) == len(readable)
    for k in KS:
        hits = engine.search(BUMPED, day, method=method, top=k).hits
        assert hits == longest[:k]
        assert all(hit.in_force and hit.chunk.version.in_force(day) for hit in hits)


class TestSearch:
    @pytest.mark.parametrize("day", ["2022-06-10", "2017-01-01", "2021-04-12", "2021-04-13", "2027-01-01"])
    def test_by_keywords_finds_only_what_is_in_force(self, day: str, by_keywords: Engine) -> None:
        assert_only_in_force(by_keywords, Method.BM25, date.fromisoformat(day))

    @pytest.mark.models
    @pytest.mark.parametrize("method", Method)
    def test_by_any_method_finds_only_what_is_in_force(self, method: Method, with_models: Engine) -> None:
        assert_only_in_force(with_models, method, date(2022, 6, 10))

    @pytest.mark.models
    def test_finds_the_same_when_the_index_is_read_from_disk(self, models: Path, with_models: Engine) -> None:
        again = open_engine(data=models)
        for method in Method:
            for day in (date(2022, 6, 10), date(2024, 12, 20)):
                one, other = (e.search(BUMPED, day, method=method, top=10) for e in (with_models, again))
                assert [hit.chunk.id for hit in one.hits] == [hit.chunk.id for hit in other.hits]


@dataclass(frozen=True)
class Published:
    """The publisher's copies, read without a line of the engine."""

    days: dict[str, list[date]]
    """By part, the days of its copies, sorted."""
    letters: dict[tuple[str, date], dict[str, str]]
    """By part and day, each section's letters."""

    def shows(self, chunk: Chunk, day: date) -> bool:
        """Whether the newest copy not after `day` has the chunk's words in that section."""
        part = chunk.version.text.part
        copies = self.days[part]
        place = bisect_right(copies, day)
        text = self.letters[part, copies[place - 1]].get(chunk.section, "") if place else ""
        return squeezed(chunk.version.heading) in text and squeezed(chunk.body) in text


def squeezed(text: str) -> str:
    """The text without white space and without the lines that part a table's cells."""
    return "".join(text.split()).replace("|", "")


@pytest.fixture(scope="module")
def published() -> Published:
    days: dict[str, list[date]] = {}
    letters: dict[tuple[str, date], dict[str, str]] = {}
    for path in sorted(SHIPPED.glob("part-*.xml")):
        part, _, day = path.stem.removeprefix("part-").partition("_")
        days.setdefault(part, []).append(date.fromisoformat(day))
        letters[part, date.fromisoformat(day)] = {
            str(section.get("N")): squeezed("".join(section.itertext()))
            for section in etree.parse(path).iter("DIV8")
        }
    return Published(days, letters)


SAID = """
bumped denied boarding compensation baggage luggege airline oversold volunteer $775 $1,075 200% 90 minutes
hotel late domestic Paris liability limit notice reserved xxx amendment unasked removed seat "charter AND (
§ 250.7 250.5(a)(2) 254.4 what's owed? 2021 Jan. 13 percent fare check written statement large aircraft zebra
"""
QUESTIONS = st.lists(st.sampled_from(SAID.split()), min_size=1, max_size=8).map(" ".join) | st.just(BUMPED)
BOUNDARIES = [
    date.fromisoformat(first) + shift * _DAY
    for first in (
        "2017-01-01",
        "2021-01-13",
        "2021-04-13",
        "2021-08-02",
        "2024-10-24",
        "2025-01-22",
        "2026-10-07",
    )
    for shift in (-1, 0, 1)
]
DAYS = st.sampled_from(BOUNDARIES) | st.dates(date(2015, 1, 1), date(2029, 1, 1))


@given(query=QUESTIONS, day=DAYS, k=st.integers(1, 200))
@settings(max_examples=200)
def test_any_dated_search_finds_what_the_publishers_copies_show_on_that_day(
    query: str, day: date, k: int, by_keywords: Engine, published: Published
) -> None:
    found = by_keywords.search(query, day, top=k)
    assert len({hit.chunk.id for hit in found.hits}) == len(found.hits) <= k
    assert all(hit.in_force for hit in found.hits)
    assert all(published.shows(hit.chunk, day) for hit in found.hits)
    assert (day >= FIRST) or not found.hits
    assert found == by_keywords.search(query, day, top=k)


@given(question=QUESTIONS, day=DAYS, k=st.integers(1, 20))
@settings(max_examples=200)
def test_any_dated_answer_rests_on_what_the_publishers_copies_show_on_that_day(
    question: str, day: date, k: int, by_keywords: Engine, published: Published
) -> None:
    card = by_keywords.ask(question, day, top=k)
    assert_right_for_the_day(card, day, by_keywords, published)
    again = by_keywords.ask(question, day, top=k)
    assert replace(card, timings_ms={}) == replace(again, timings_ms={})


def assert_right_for_the_day(card: AnswerCard, day: date, engine: Engine, published: Published) -> None:
    assert card.status in {Status.ANSWERED, Status.ABSTAINED, Status.NOT_HELD}
    assert (card.status is Status.NOT_HELD) == (day < FIRST) == (card.coverage is Coverage.BEFORE)
    assert ("after_snapshot" in [warning.kind for warning in card.warnings]) == (day > CURRENT_TO)
    for source in card.sources:
        assert source.in_force == published.shows(source.chunk, day) or card.reason is Reason.ABSENT
        # Only a rule that is said to be absent may be shown from another day, and never as an answer.
        assert source.in_force or (card.reason is Reason.ABSENT and not card.claims)
    for claim in card.claims:
        assert claim.problems == ()
        cited: list[Any] = [engine.chunk(name) for name in claim.passages]
        assert all(chunk and published.shows(chunk, day) for chunk in cited)
    if card.status is not Status.ANSWERED:
        assert not card.claims
        assert not amounts(card.answer)
