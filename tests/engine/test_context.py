from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from engine.chunks import cut
from engine.context import (
    BUDGET,
    MAX_PINNED,
    build,
    cost,
    dates,
    estimate,
    header,
    not_in_force,
    pins,
)
from engine.model import Chunk, DropReason, Hit
from engine.search.units import title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.model import Context
    from tests.engine.conftest import MakeText, MakeVersion

WORDS = (
    "every carrier shall pay compensation to passengers who are denied boarding against their will at once"
)


def hits_of(chunks: Sequence[Chunk]) -> list[Hit]:
    return [Hit(rank, 1 / rank, chunk, in_force=True) for rank, chunk in enumerate(chunks, 1)]


def listed(context: Context) -> list[tuple[str, DropReason]]:
    return [(drop.chunk.id, drop.reason) for drop in context.dropped]


@pytest.fixture(scope="module")
def passage(make_text: MakeText, make_version: MakeVersion) -> Passage:
    return Passage(make_text, make_version)


class Passage:
    """Makes one passage."""

    def __init__(self, make_text: MakeText, make_version: MakeVersion) -> None:
        self.make_text, self.make_version = make_text, make_version

    def __call__(
        self, section: str, *lines: str, heading: str = "", first: str = "2017-01-01", last: str | None = None
    ) -> Chunk:
        text = self.make_text(section, *lines, heading=heading)
        (chunk,) = cut(self.make_version(text, first, last))
        return chunk


def test_tokens_are_a_quarter_of_the_characters_rounded_up() -> None:
    assert [estimate("x" * count) for count in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("first", "last", "held", "shown"),
    [
        ("2025-01-22", None, False, "since 2025-01-22"),
        ("2021-08-02", "2024-10-23", False, "2021-08-02 to 2024-10-23"),
        ("2017-01-01", "2021-01-12", True, "held from 2017-01-01 to 2021-01-12"),
        ("2017-01-01", None, True, "held from 2017-01-01"),
    ],
)
def test_a_versions_days_for_a_reader(
    make_text: MakeText, make_version: MakeVersion, first: str, last: str | None, held: bool, shown: str
) -> None:
    assert dates(make_version(make_text(), first, last, held=held)) == shown


def test_a_header_names_the_passage_its_version_and_its_days(
    passage: Passage, chunks: tuple[Chunk, ...]
) -> None:
    chunk = passage("250.5", "(a)|Pay.", "(b)|Tell.", first="2021-08-02", last="2024-10-23")
    assert header(chunk) == (
        f"[{chunk.id}] 14 CFR 250.5 (a)–(b) | Denied boarding compensation."
        " | version 2021-08-02 to 2024-10-23"
    )
    reserved = passage("250.7", heading="§ 250.7 [Reserved]")
    assert header(reserved) == f"[{reserved.id}] 14 CFR 250.7 | [Reserved] | version since 2017-01-01"
    assert not [chunk for chunk in chunks if "earlier" in header(chunk)], "read as: in force before too"


def test_a_passage_costs_its_header_and_body(passage: Passage) -> None:
    chunk = passage("250.5", f"(a)|{WORDS}")
    assert cost(chunk) == -(-(len(header(chunk)) + len(chunk.body) + 2) // 4)


class TestWhatIsKept:
    def test_the_first_in_search_order_and_the_rest_listed(self, chunks: tuple[Chunk, ...]) -> None:
        chosen = hits_of([c for c in chunks if c.version.in_force(date(2025, 2, 1))][:14])
        context = build(chosen, top=5, below=3)
        assert context.ids == tuple(hit.chunk.id for hit in chosen[:5])
        assert context.hits == tuple(chosen[:5])
        assert context.pinned == frozenset()
        assert (context.tokens, context.budget) == (sum(cost(hit.chunk) for hit in chosen[:5]), BUDGET)
        assert listed(context) == [(hit.chunk.id, DropReason.BELOW_TOP_K) for hit in chosen[5:8]]
        assert context.dropped[0].detail == "place 6, the first 5 were taken"

    def test_nothing_found_is_an_empty_context(self) -> None:
        context = build([], top=5)
        assert (context.hits, context.tokens, context.dropped) == ((), 0, ())

    def test_fewer_hits_than_wanted_are_all_kept(self, passage: Passage) -> None:
        context = build(hits_of([passage("250.5", "(a)|Pay."), passage("250.6", "(a)|Except.")]), top=5)
        assert (len(context.hits), context.dropped) == (2, ())


class TestNearDuplicates:
    def test_of_another_section_are_dropped_and_the_next_is_tried(self, passage: Passage) -> None:
        kept = passage("250.5", f"(a)|{WORDS}")
        twin = passage("250.9", f"(b)|{WORDS.title()}")
        other = passage("250.6", "(a)|Exceptions to eligibility.")
        context = build(hits_of([kept, twin, other]), top=2)
        assert context.ids == (kept.id, other.id)
        (drop,) = context.dropped
        assert (drop.chunk.id, drop.reason) == (twin.id, DropReason.NEAR_DUPLICATE)
        assert drop.detail == "nearly the words of 14 CFR 250.5 (a)"

    def test_below_nine_tenths_are_not(self, passage: Passage) -> None:
        words = WORDS.split()
        assert len(set(words)) == 16
        one, two = " ".join(words[:10]), " ".join(words[:9])
        pair = [passage("250.5", one), passage("250.9", two)]
        assert listed(build(hits_of(pair), top=2)) == [(pair[1].id, DropReason.NEAR_DUPLICATE)]
        pair = [passage("250.5", one), passage("250.9", " ".join(words[:8]))]
        assert build(hits_of(pair), top=2).dropped == ()

    def test_two_versions_of_one_section_are_never_merged(self, passage: Passage) -> None:
        old = passage("250.5", f"(a)|{WORDS}", last="2021-04-12")
        new = passage("250.5", f"(a)|{WORDS}", first="2021-04-13")
        context = build(hits_of([old, new]), top=5)
        assert context.ids == (old.id, new.id)
        assert context.dropped == ()

    def test_the_shipped_versions_are_never_merged(self, chunks: tuple[Chunk, ...]) -> None:
        versions = [chunk for chunk in chunks if chunk.section == "254.4"]
        assert build(hits_of(versions), top=9).ids == tuple(chunk.id for chunk in versions)

    def test_a_notice_is_not_what_a_passage_says(self, passage: Passage) -> None:
        notice = "notice|Link to an amendment published at 86 FR 2537, Jan. 13, 2021."
        pair = [passage("250.5", f"(a)|{WORDS}"), passage("250.9", notice, f"(a)|{WORDS}")]
        assert listed(build(hits_of(pair), top=2)) == [(pair[1].id, DropReason.NEAR_DUPLICATE)]

    def test_passages_without_words_are_no_twins(self, passage: Passage) -> None:
        pair = [
            passage("250.7", heading="§ 250.7 [Reserved]"),
            passage("250.4", heading="§ 250.4 [Reserved]"),
        ]
        assert build(hits_of(pair), top=2).dropped == ()


class TestTheBudget:
    def test_what_does_not_fit_is_skipped_and_the_next_tried(self, passage: Passage) -> None:
        small = passage("250.5", "(a)|Pay.")
        large = passage("250.6", f"(a)|{'exception ' * 100}")
        last = passage("250.9", "(a)|Tell.")
        budget = cost(small) + cost(last)
        context = build(hits_of([small, large, last]), top=3, budget=budget)
        assert context.ids == (small.id, last.id)
        assert context.tokens == context.budget == budget
        (drop,) = context.dropped
        assert (drop.chunk.id, drop.reason) == (large.id, DropReason.OVER_BUDGET)
        assert drop.detail == f"{cost(large)} tokens do not fit beside {cost(small)} of {budget}"
        assert build(hits_of([small, last]), top=3, budget=budget - 1).ids == (small.id,)

    def test_only_so_many_below_the_top_are_tried(self, passage: Passage) -> None:
        large = [passage(f"250.{n}", f"(a)|{f'word{n} ' * 99}") for n in range(6)]
        small = passage("250.9", "(a)|Tell.")
        context = build(hits_of([*large, small]), top=2, budget=60, below=3)
        assert context.hits == ()
        assert listed(context) == [(chunk.id, DropReason.OVER_BUDGET) for chunk in large[:5]]

    def test_pinned_passages_count(self, passage: Passage) -> None:
        scope, rule = passage("250.2", "This part applies."), passage("250.5", "(a)|Pay.")
        pinned = [Hit(9, 0.0, scope, in_force=True)]
        context = build(hits_of([rule]), pinned, top=1, budget=cost(scope) + cost(rule))
        assert context.ids == (rule.id, scope.id)
        assert context.pinned == {scope.id}
        assert context.tokens == cost(scope) + cost(rule)
        context = build(hits_of([rule]), pinned, top=1, budget=cost(scope) + cost(rule) - 1)
        assert context.ids == (scope.id,)
        assert listed(context) == [(rule.id, DropReason.OVER_BUDGET)]

    def test_fits_the_five_largest_passages_and_the_pinned_ones_of_any_day(
        self, chunks: tuple[Chunk, ...]
    ) -> None:
        starts = {chunk.version.effective_from for chunk in chunks}
        for day in sorted(starts | {start + timedelta(days=1) for start in starts}):
            current = [chunk for chunk in chunks if chunk.version.in_force(day)]
            largest = sorted(current, key=cost, reverse=True)
            for part in ("250", "254"):
                of_part = [chunk for chunk in current if chunk.version.text.part == part]
                titles = ("Applicability.", "Purpose.", "Definitions.")
                could_be_pinned = [c for c in of_part if title_of(c.version.text) in titles]
                pinned = sorted(could_be_pinned, key=cost, reverse=True)[:MAX_PINNED]
                found = [chunk for chunk in largest if chunk not in pinned][:5]
                context = build(hits_of(found), hits_of(pinned), top=5)
                assert len(context.hits) == 5 + len(pinned), day
                assert sum(map(cost, largest[:5])) + sum(map(cost, pinned)) <= BUDGET
                assert context.tokens <= BUDGET


def test_a_passage_that_was_found_anyway_is_not_pinned_again(passage: Passage) -> None:
    scope, rule = passage("250.2", "This part applies."), passage("250.5", "(a)|Pay.")
    context = build(hits_of([rule, scope]), [Hit(2, 0.5, scope, in_force=True)], top=2)
    assert context.ids == (rule.id, scope.id)
    assert context.pinned == {scope.id}


def test_a_pinned_passage_that_moves_up_for_a_dropped_one_stands_once(passage: Passage) -> None:
    rule, twin = passage("250.5", f"(a)|{WORDS}"), passage("250.9", f"(a)|{WORDS}")
    scope = passage("250.2", "This part applies.")
    context = build(hits_of([rule, twin, scope]), [Hit(3, 0.3, scope, in_force=True)], top=2)
    assert context.ids == (rule.id, scope.id)
    assert context.tokens == cost(rule) + cost(scope)


def test_a_pinned_passage_below_the_top_is_not_listed_as_dropped(passage: Passage) -> None:
    rule, scope = passage("250.5", "(a)|Pay."), passage("250.2", "This part applies.")
    context = build(hits_of([rule, scope]), [Hit(2, 0.5, scope, in_force=True)], top=1)
    assert context.ids == (rule.id, scope.id)
    assert context.dropped == ()


def test_passages_of_other_days_are_listed_with_the_rank_that_they_would_have_had(passage: Passage) -> None:
    old = passage("250.5", "(a)|Pay $675.", last="2021-04-12")
    new = passage("250.5", "(a)|Pay $775.", first="2021-04-13")
    other = passage("250.6", "(a)|Except.", last="2020-01-01")
    dropped = not_in_force(hits_of([new]), hits_of([old, new, other]), 2)
    (drop,) = dropped
    assert (drop.chunk.id, drop.reason, drop.rank_without_filter) == (old.id, DropReason.NOT_IN_FORCE, 1)
    assert "2017-01-01 to 2021-04-12" in drop.detail
    assert [d.rank_without_filter for d in not_in_force(hits_of([new]), hits_of([old, new, other]), 3)] == [
        1,
        3,
    ]
    assert not_in_force(hits_of([new]), hits_of([new]), 5) == ()


class TestPins:
    @pytest.fixture
    def current(self, chunks: tuple[Chunk, ...]) -> list[Chunk]:
        return [chunk for chunk in chunks if chunk.version.in_force(date(2022, 6, 10))]

    def of(self, current: list[Chunk], section: str) -> list[Chunk]:
        return [chunk for chunk in current if chunk.section == section]

    def sections(self, found: tuple[Chunk, ...]) -> list[str]:
        return [chunk.section for chunk in found]

    def test_the_scope_of_the_leading_part(self, current: list[Chunk]) -> None:
        baggage, boarding = self.of(current, "254.4"), self.of(current, "250.5")
        assert self.sections(pins("a flight to Paris", baggage, current)) == ["254.1", "254.2"]
        assert self.sections(pins("a flight to Paris", boarding, current)) == ["250.2"]
        assert self.sections(pins("a flight to Paris", [*boarding, *baggage], current)) == ["250.2"]

    def test_a_definition_of_a_word_of_the_question(self, current: list[Chunk]) -> None:
        boarding = self.of(current, "250.5")
        found = pins("Was there a class with better service?", boarding, current)
        assert self.sections(found) == ["250.2", "250.1"]
        assert "Class of service" in [block.term for block in found[1].blocks]
        assert self.sections(pins("Was there a better class?", boarding, current)) == ["250.2"]

    def test_never_more_than_a_few(self, passage: Passage) -> None:
        scope = [
            passage("250.2", "Applies.", heading="§ 250.2 Scope.", first=f"201{n}-01-01") for n in range(5)
        ]
        meaning = passage("250.1", "Fare|means price.", heading="§ 250.1 Definition.")
        found = pins("fare", scope, [meaning, *scope])
        assert found == tuple(scope[:MAX_PINNED])
        assert pins("fare", [meaning], [meaning, scope[0]]) == (scope[0], meaning)

    def test_headings_decide_and_no_numbers(self, passage: Passage) -> None:
        headings = ("Applicability and purpose.", "PURPOSE.", "Scope", "Periscopes.", "Applicable fees.")
        made = [passage(f"99.{n}", "Text.", heading=f"§ 99.{n} {title}") for n, title in enumerate(headings)]
        assert pins("x", made, made) == tuple(made[:3])

    def test_nothing_is_pinned_when_nothing_was_found(self, current: list[Chunk]) -> None:
        assert pins("fare", [], current) == ()
        assert pins("fare", self.of(current, "250.5"), []) == ()

    def test_a_definition_without_a_term_is_none(self, passage: Passage) -> None:
        untitled = passage("250.1", "Words are used as usual.", heading="§ 250.1 Definitions.")
        assert pins("words used usual", [untitled], [untitled]) == ()
