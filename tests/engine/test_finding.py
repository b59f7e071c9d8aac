"""From a question to its passages: what is pinned, what fits, and what stands on another day."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine.facts import read_facts
from engine.finding import Finder
from engine.index import IndexKey, StoredIndex
from engine.ingest import embed
from engine.model import DropReason, Question, StandingKind
from engine.search.retriever import FITTING, Method
from engine.search.words import Topic, WordList
from engine.versions import Timeline

if TYPE_CHECKING:
    from conftest import FakeEncoder

    from engine.ingest import IngestReport
    from engine.model import Context, SectionText, SectionVersion

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...

    class MakeFinder(Protocol):
        def __call__(self, *lines: tuple[SectionVersion, ...]) -> Finder: ...


HELD_FROM, CURRENT_TO = date(2017, 1, 1), date(2026, 10, 7)
DAY = date(2022, 6, 10)
BUMPED = "Bumped involuntarily, Boston to Denver, 90 minutes late: what is the maximum?"


@pytest.fixture(scope="module")
def shipped(ingested: IngestReport) -> Finder:
    return Finder(ingested.index, WordList())


@pytest.fixture(scope="module")
def by_meaning(embedded: StoredIndex, fake_encoder: FakeEncoder) -> Finder:
    return Finder(embedded, WordList(), fake_encoder)


@pytest.fixture(scope="module")
def make_finder() -> MakeFinder:
    def make(*lines: tuple[SectionVersion, ...]) -> Finder:
        timelines = tuple(
            Timeline("14", versions[0].section, versions, HELD_FROM, CURRENT_TO) for versions in lines
        )
        return Finder(StoredIndex(IndexKey("0", ""), timelines, {}, ()), WordList())

    return make


def context(finder: Finder, text: str, day: date = DAY, *, date_filter: bool = True, top: int = 5) -> Context:
    return finder.context(Question(text, day), Method.BM25, top=top, budget=4000, date_filter=date_filter)


class TestPassages:
    def test_are_found_by_their_ids(self, shipped: Finder) -> None:
        chunk = shipped.chunks[7]
        assert shipped.chunk(chunk.id) is chunk
        assert shipped.chunk("0" * 12) is None

    def test_in_force_are_those_of_the_day(self, shipped: Finder) -> None:
        for day in (date(2017, 1, 1), date(2021, 6, 15), DAY, date(2025, 1, 22)):
            places = shipped.in_force(day)
            assert list(places) == sorted(places)
            assert all(shipped.chunks[place].version.in_force(day) for place in places)
            assert len({shipped.chunks[place].section for place in places}) > 10

    def test_hits_of_a_day_are_in_force_and_ranked_from_one(self, shipped: Finder) -> None:
        hits = shipped.hits("lost baggage limit", DAY, Method.BM25)
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        assert all(hit.in_force and hit.chunk.version.in_force(DAY) for hit in hits)

    def test_hits_without_a_day_come_from_every_version(self, shipped: Finder) -> None:
        hits = shipped.hits("lost baggage limit", None, Method.BM25)
        assert {hit.in_force for hit in hits} == {None}
        assert len({hit.chunk.version.effective_from for hit in hits}) > 3

    def test_a_finder_says_whether_it_searches_by_meaning(self, shipped: Finder, by_meaning: Finder) -> None:
        assert (shipped.has_models, by_meaning.has_models) == (False, True)


class TestPins:
    def test_the_scope_of_the_part_is_always_there(self, shipped: Finder) -> None:
        built = context(shipped, "lost baggage limit", top=1)
        sections = [hit.chunk.section for hit in built.hits if hit.chunk.id in built.pinned]
        assert {"254.1", "254.2"} <= set(sections)

    def test_a_pin_that_search_found_keeps_its_place(self, shipped: Finder) -> None:
        built = context(shipped, "to which aircraft with passenger seats does part 250 apply")
        pinned = [hit for hit in built.hits if hit.chunk.section == "250.2"]
        assert len(pinned) == 1
        assert pinned[0].score > 0

    def test_a_pin_that_search_did_not_find_stands_behind_with_no_score(
        self, make_finder: MakeFinder, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        finder = make_finder(
            (make_version(make_text("9.1", "Aircraft.", heading="§ 9.1 Applicability.")),),
            (make_version(make_text("9.5", "The carrier shall pay.", heading="§ 9.5 Money.")),),
        )
        built = context(finder, "must the carrier pay")
        assert [(hit.chunk.section, hit.rank, hit.score) for hit in built.hits[1:]] == [("9.1", 2, 0.0)]


class TestElsewhere:
    @pytest.fixture
    def rules(self, make_finder: MakeFinder, make_text: MakeText, make_version: MakeVersion) -> Finder:
        common = "(a)|(a) The carrier shall pay."
        wish = "(d)|(d) The carrier shall offer pudding unasked."
        notice = "notice|Link to an amendment on pudding."
        other = "(a)|(a) The carrier shall weigh the bags."
        return make_finder(
            (
                make_version(make_text("9.5", common), "2017-01-01", "2019-12-31"),
                make_version(make_text("9.5", common, wish), "2020-01-01", "2020-12-31"),
                make_version(make_text("9.5", notice, common), "2021-01-01", "2022-12-31"),
                make_version(make_text("9.5", common, wish), "2023-01-01", "2023-12-31"),
                make_version(make_text("9.5", common, wish + " And cream."), "2024-01-01"),
            ),
            (make_version(make_text("9.6", other), "2021-06-01"),),
        )

    @pytest.mark.parametrize(
        ("day", "first"),
        [("2018-05-01", "2020-01-01"), ("2021-03-01", "2023-01-01"), ("2022-12-31", "2023-01-01")],
    )
    def test_the_next_version_with_the_rule_is_named(self, rules: Finder, day: str, first: str) -> None:
        found = context(rules, "must they offer pudding", date.fromisoformat(day)).elsewhere
        assert found is not None
        assert (found.label, found.chunk.version.effective_from.isoformat()) == ("(d)", first)
        assert found.standing.kind is StandingKind.IN_FORCE

    def test_a_rule_that_ended_is_named_when_none_follows(
        self, make_finder: MakeFinder, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        lines = ("(a)|(a) The carrier shall pay.", "(d)|(d) The carrier shall offer pudding.")
        finder = make_finder(
            (
                make_version(make_text("9.5", *lines), "2017-01-01", "2018-12-31"),
                make_version(make_text("9.5", *lines), "2019-01-01", "2019-12-31"),
                make_version(make_text("9.5", lines[0]), "2020-01-01"),
            )
        )
        found = context(finder, "must they offer pudding").elsewhere
        assert found is not None
        assert found.chunk.version.effective_from == date(2019, 1, 1)

    def test_a_rule_in_force_that_fits_best_leaves_nothing_elsewhere(self, rules: Finder) -> None:
        assert context(rules, "must they offer pudding", date(2023, 5, 1)).elsewhere is None
        assert context(rules, "how do they weigh bags").elsewhere is None

    def test_other_words_for_a_paragraph_in_force_are_no_other_rule(self, rules: Finder) -> None:
        # (d) of 2024 says more, and is the same paragraph as that of 2023.
        assert context(rules, "cream pudding", date(2023, 5, 1)).elsewhere is None

    def test_nothing_found_anywhere_is_nothing_elsewhere(self, rules: Finder) -> None:
        built = context(rules, "zebra")
        assert (built.hits, built.elsewhere, built.outside) == ((), None, None)

    def test_a_notice_alone_is_no_rule(
        self, make_finder: MakeFinder, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        finder = make_finder(
            (
                make_version(
                    make_text("9.7", "notice|Link to an amendment on pudding."), "2018-01-01", "2018-12-31"
                ),
                make_version(make_text("9.7", "(a)|(a) The carrier shall pay."), "2019-01-01"),
            ),
        )
        assert context(finder, "pudding and amendment").elsewhere is None


class TestCompensation:
    def test_the_step_that_fits_the_facts_is_read_and_leads(self, shipped: Finder) -> None:
        built = context(shipped, BUMPED)
        assert built.reading is not None
        assert [(tier.label, tier.cap) for tier in built.reading.tiers] == [("(a)(2)", 775)]
        assert built.hits[0].chunk.id == built.reading.tiers[0].chunk.id

    def test_the_step_that_fits_lifts_its_passage_and_no_block(self, by_meaning: Finder) -> None:
        lifted = {
            (hit.chunk.section, hit.chunk.blocks[hit.block].label): hit.score - (hit.blocks[hit.block] or 0)
            for hit in by_meaning.hits(BUMPED, DAY, Method.DENSE)
        }
        assert lifted.pop(("250.5", "(a)(2)")) == pytest.approx(FITTING)
        assert set(lifted.values()) == {0.0}

    def test_the_step_is_that_of_the_day(self, shipped: Finder) -> None:
        caps = []
        for day in (date(2020, 5, 1), DAY, date(2025, 2, 1)):
            reading = context(shipped, BUMPED, day).reading
            assert reading is not None
            caps.append(reading.tiers[0].cap)
        assert caps == [675, 775, 1075]

    def test_a_question_on_something_else_has_no_reading(self, shipped: Finder) -> None:
        assert context(shipped, "What must the sign at the counter say?").reading is None

    def test_where_no_rule_has_steps_there_is_no_reading(
        self, make_finder: MakeFinder, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        finder = make_finder((make_version(make_text("9.5", "The carrier shall pay the maximum.")),))
        assert context(finder, BUMPED).reading is None


class TestSubject:
    PETS = Topic("pets", "Pets are not said.", (("cat",),), asked=("walrus pelican",))

    @pytest.fixture(scope="class")
    def finders(self, embedded: StoredIndex, fake_encoder: FakeEncoder) -> tuple[Finder, Finder]:
        words = WordList(topics=(self.PETS,), asked={"250.2a": ("smallest number",)})
        index = embed(embedded, fake_encoder, sentences=words.sentences)
        return Finder(index, words), Finder(index, words, fake_encoder)

    def test_it_is_found_by_a_phrase_without_models(self, finders: tuple[Finder, Finder]) -> None:
        keywords, _ = finders
        assert context(keywords, "my cat").subject is self.PETS
        assert context(keywords, "my cat", date_filter=False).subject is self.PETS
        assert context(keywords, "walrus pelican").subject is None

    def test_it_is_found_by_its_meaning_with_models(self, finders: tuple[Finder, Finder]) -> None:
        _, meaning = finders
        assert context(meaning, "walrus pelican").subject is self.PETS
        assert context(meaning, "smallest number").subject is None

    @pytest.mark.parametrize(
        "text", ["walrus pelican, bumped", "walrus pelican § 250.5", "pelican, volunteered"]
    )
    def test_not_by_its_meaning_where_the_texts_are_spoken_of(
        self, finders: tuple[Finder, Finder], text: str
    ) -> None:
        assert context(finders[1], text).subject is None

    def test_a_story_of_a_bumped_passenger_is_not_about_what_is_told_by_the_way(
        self, finders: tuple[Finder, Finder]
    ) -> None:
        assert context(finders[0], "My cat slept. I was bumped. How much?").subject is None
        assert context(finders[0], "I was bumped. Is my cat due anything?").subject is self.PETS


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("which notice on the ticket for luggage", {"254"}),
        ("bumped", {"250"}),
        ("bumped, and my bag is lost", set()),
        ("what must the sign say", set()),
        ("200 percent, is the bag fee in the fare", set()),
        ("200% of the fare", {"250"}),
        ("the limit for international flights after CPI", {"250"}),
    ],
)
def test_a_question_is_of_the_part_on_bags_or_of_the_other(
    shipped: Finder, text: str, parts: set[str]
) -> None:
    assert shipped._parts_about(read_facts(text), text) == parts


def test_whoever_tells_a_whole_case_does_not_ask_for_its_history(shipped: Finder) -> None:
    told = "Bumped, Boston to Denver, 90 minutes late. What changed in the limits between 2020 and 2023?"
    assert context(shipped, told).history is None
    assert context(shipped, "What changed in § 250.5 between 2020 and 2023?").history is not None


class TestScope:
    def test_a_trip_outside_the_part_is_said_to_be(self, shipped: Finder) -> None:
        assert context(shipped, "Lost baggage liability from Boston to Paris?").outside
        assert context(shipped, "Lost baggage liability from Boston to Reno?").outside is None

    def test_a_question_about_scope_is_answered_and_not_turned_away(self, shipped: Finder) -> None:
        assert context(shipped, "Does part 254 apply to a bag from Boston to Paris?").outside is None


class TestUnknown:
    def test_a_section_that_no_text_has_is_named(self, shipped: Finder) -> None:
        assert context(shipped, "What does § 250.99 say on baggage?").unknown == "250.99"

    def test_words_that_stand_in_no_text_are_unknown(self, shipped: Finder) -> None:
        assert context(shipped, "zebra xylophone").unknown == ""

    @pytest.mark.parametrize(
        "text", ["lost baggage", "What does § 250.5 say, and § 250.99?", "§ 259.4 on baggage"]
    )
    def test_what_the_texts_hold_is_known(self, shipped: Finder, text: str) -> None:
        assert context(shipped, text).unknown is None


class TestWithoutTheDateFilter:
    def test_every_version_competes_and_nothing_is_said_of_scope_or_steps(self, shipped: Finder) -> None:
        built = context(shipped, BUMPED, date(2015, 3, 10), date_filter=False)
        assert built.hits
        assert not any(hit.in_force for hit in built.hits)
        assert (built.reading, built.outside, built.elsewhere) == (None, None, None)
        assert all(drop.reason is not DropReason.NOT_IN_FORCE for drop in built.dropped)

    def test_a_filter_lists_what_it_kept_out(self, shipped: Finder) -> None:
        kept_out = [
            drop for drop in context(shipped, BUMPED).dropped if drop.reason is DropReason.NOT_IN_FORCE
        ]
        assert kept_out
        assert not any(drop.chunk.version.in_force(DAY) for drop in kept_out)


def test_a_misspelt_word_of_the_texts_is_found(shipped: Finder) -> None:
    assert shipped.hits("bagage liabilty", DAY, Method.BM25)[0].chunk.section.startswith("254.")


def test_a_section_that_the_question_names_leads(shipped: Finder) -> None:
    assert shipped.hits("what is in § 250.8", DAY, Method.BM25)[0].chunk.section == "250.8"
