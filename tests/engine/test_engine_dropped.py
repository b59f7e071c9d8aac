"""What did not reach the answer, and the rules of other days that have no counterpart on the asked one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Protocol

import pytest

from engine.engine import Engine
from engine.index import IndexKey, StoredIndex
from engine.ingest import embed
from engine.model import DropReason, Reason, StandingKind, Status
from engine.search.retriever import Method
from engine.settings import Settings
from engine.versions import Timeline

if TYPE_CHECKING:
    from conftest import FakeEncoder

    from engine.model import AnswerCard, SectionText, SectionVersion
    from engine.snapshot import Collection

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...


DAY = date(2022, 6, 10)
BAG = "How much may an airline limit its liability for lost baggage?"
HELD_FROM, CURRENT_TO = date(2017, 1, 1), date(2026, 10, 7)


class MakeEngine(Protocol):
    def __call__(self, *lines: tuple[SectionVersion, ...], models: bool = ..., budget: int = ...) -> Engine:
        """Each argument is one section's versions, oldest first."""
        ...


@pytest.fixture
def make_engine(collection: Collection, fake_encoder: FakeEncoder) -> MakeEngine:
    def make(*lines: tuple[SectionVersion, ...], models: bool = False, budget: int = 4000) -> Engine:
        timelines = tuple(
            Timeline("14", versions[0].section, versions, HELD_FROM, CURRENT_TO) for versions in lines
        )
        index = StoredIndex(IndexKey(collection.sha256, ""), timelines, {}, ())
        encoder = fake_encoder if models else None
        index = embed(index, encoder) if encoder else index
        return Engine(collection, index, settings=Settings(budget=budget), encoder=encoder)

    return make


@pytest.fixture(scope="module")
def shipped(collection: Collection, embedded: StoredIndex, fake_encoder: FakeEncoder) -> Engine:
    return Engine(collection, embedded, encoder=fake_encoder)


def dropped(card: AnswerCard, reason: DropReason) -> list[tuple[str, str]]:
    return [
        (drop.chunk.section, drop.chunk.version.effective_from.isoformat())
        for drop in card.dropped
        if drop.reason is reason
    ]


class TestDropped:
    def test_passages_of_other_days_with_the_rank_that_they_would_have_had(self, shipped: Engine) -> None:
        card = shipped.ask(BAG, date(2019, 5, 1), top=3)
        out = [drop for drop in card.dropped if drop.reason is DropReason.NOT_IN_FORCE]
        assert out
        assert not any(drop.chunk.version.in_force(card.as_of) for drop in out)
        unfiltered = {hit.chunk.id: hit.rank for hit in shipped.search(BAG, None, top=3).hits}
        assert all(drop.rank_without_filter == unfiltered[drop.chunk.id] for drop in out)
        missing = [
            name
            for name in unfiltered
            if (chunk := shipped.chunk(name)) and not chunk.version.in_force(card.as_of)
        ]
        assert missing == [drop.chunk.id for drop in out]

    def test_top_is_how_many_passages_are_given(self, shipped: Engine) -> None:
        for top in (1, 4):
            card = shipped.ask(BAG, DAY, top=top)
            assert card.context
            assert sum(hit.rank <= top for hit in card.context.hits) == top
            assert dropped(card, DropReason.BELOW_TOP_K)

    def test_near_duplicates_of_another_section(
        self, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine
    ) -> None:
        same = "The carrier shall tell every passenger about silver coins."
        one, two = (make_version(make_text(number, same)) for number in ("9.1", "9.2"))
        card = make_engine((one,), (two,)).ask("silver coins", DAY)
        assert dropped(card, DropReason.NEAR_DUPLICATE) == [("9.2", "2017-01-01")]
        assert len(card.claims) == 1

    def test_what_does_not_fit_the_budget(
        self, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine
    ) -> None:
        long = make_version(make_text("9.1", "silver coins " + "and more words " * 300))
        short = make_version(make_text("9.2", "About silver coins in other words."))
        card = make_engine((long,), (short,), budget=500).ask("silver coins", DAY)
        assert dropped(card, DropReason.OVER_BUDGET) == [("9.1", "2017-01-01")]
        assert card.context
        assert [hit.chunk.section for hit in card.context.hits] == ["9.2"]
        assert card.context.tokens <= card.context.budget == 500

    def test_two_versions_of_a_section_are_never_one(
        self, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine
    ) -> None:
        old = make_version(make_text("9.1", "Pay five silver coins."), "2017-01-01", "2020-12-31")
        new = make_version(make_text("9.1", "Pay six silver coins."), "2021-01-01")
        card = make_engine((old, new)).ask("silver coins", DAY)
        assert dropped(card, DropReason.NOT_IN_FORCE) == [("9.1", "2017-01-01")]
        assert dropped(card, DropReason.NEAR_DUPLICATE) == []
        assert "six" in card.answer


class TestRulesOfOtherDays:
    """A paragraph that fits better than any in force is named only if nothing stands in its place."""

    @pytest.fixture
    def engine(self, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine) -> Engine:
        """§ 9.1 gets (b) in 2021, loses it in 2023, gets it back in 2025; § 9.2 is there throughout."""
        without = make_text("9.1", "(a)|(a) Boarding is free.", heading="§ 9.1 Boarding.")
        with_it = make_text(
            "9.1", "(a)|(a) Boarding is free.", "(b)|(b) Pay silver coins.", heading="§ 9.1 Boarding."
        )
        days = ["2017-01-01", "2021-01-01", "2023-01-01", "2025-01-01"]
        ends = ["2020-12-31", "2022-12-31", "2024-12-31", None]
        line = tuple(
            make_version(text, first, last)
            for text, first, last in zip((without, with_it) * 2, days, ends, strict=True)
        )
        other = make_version(make_text("9.2", "Pay attention.", heading="§ 9.2 Attention."))
        return make_engine(line, (other,))

    @pytest.mark.parametrize(
        ("day", "first"), [("2018-01-01", "2021-01-01"), ("2023-06-01", "2025-01-01"), ("2022-06-01", None)]
    )
    def test_the_next_version_that_has_it_is_named(self, day: str, first: str | None, engine: Engine) -> None:
        card = engine.ask("silver coins", date.fromisoformat(day))
        assert (card.status is Status.ANSWERED) is (first is None)
        if first:
            assert card.reason is Reason.ABSENT
            assert f"14 CFR 9.1(b), which is about this, came into force on {first}." in card.answer
            assert [str(source.chunk.version.effective_from) for source in card.sources] == [first]
            assert [source.in_force for source in card.sources] == [False]

    def test_a_paragraph_that_was_there_with_other_words_is_no_absent_rule(
        self, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine
    ) -> None:
        old = make_version(make_text("9.1", "(a)|(a) Pay in copper."), "2017-01-01", "2020-12-31")
        new = make_version(make_text("9.1", "(a)|(a) Pay in silver coins."), "2021-01-01")
        card = make_engine((old, new)).ask("pay silver coins", date(2019, 1, 1))
        assert card.status is Status.ANSWERED
        assert "copper" in card.answer

    @pytest.mark.parametrize("models", [False, True])
    def test_a_notice_or_a_placeholder_of_another_day_is_no_rule(
        self, models: bool, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine
    ) -> None:
        notice = "notice|Link to an amendment published at 86 FR 2537, Jan. 13, 2021."
        line = (
            make_version(make_text("9.7", heading="§ 9.7 [Reserved]"), "2017-01-01", "2020-12-31"),
            make_version(make_text("9.7", notice, heading="§ 9.7 xxx"), "2021-01-01", "2021-03-31"),
            make_version(
                make_text("9.7", "(a)|(a) Nobody is removed.", heading="§ 9.7 Removal."), "2021-04-01"
            ),
        )
        engine = make_engine(line, models=models)
        for day in (date(2019, 1, 1), date(2021, 2, 1)):
            card = engine.ask("§ 9.7", day)
            assert card.reason is Reason.ABSENT
            assert "it held no rule" in card.answer
            assert "14 CFR 9.7(a), which is about this, came into force on 2021-04-01." in card.answer
        answered = engine.ask("What does § 9.7 say of an amendment?", date(2022, 1, 1))
        assert answered.status is Status.ANSWERED
        assert [source.chunk.version.effective_from for source in answered.sources] == [date(2021, 4, 1)]

    def test_a_placeholder_with_nothing_after_it_is_shown_as_published(
        self, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine
    ) -> None:
        card = make_engine((make_version(make_text("9.9", heading="§ 9.9 xxx")),)).ask("§ 9.9", DAY)
        (source,) = card.sources
        assert (card.status, card.reason, source.in_force) == (Status.ABSTAINED, Reason.ABSENT, True)
        assert "14 CFR 9.9 had only the placeholder heading “§ 9.9 xxx” on 2022-06-10" in card.answer
        assert (source.text, card.claims) == ("", ())

    @pytest.mark.parametrize(
        ("day", "kind", "words"),
        [
            (date(2018, 1, 1), StandingKind.NOT_YET, "There was no section 9.1 yet."),
            (date(2021, 6, 1), StandingKind.GAP, "Section 9.1 was not there on that day."),
        ],
    )
    @pytest.mark.parametrize("method", Method)
    def test_where_nothing_at_all_is_in_force(
        self,
        day: date,
        kind: StandingKind,
        words: str,
        method: Method,
        make_text: MakeText,
        make_version: MakeVersion,
        make_engine: MakeEngine,
    ) -> None:
        version = make_version(make_text("9.1", "Pay silver coins."), "2019-01-01", "2020-12-31")
        engine = make_engine((version,), models=True)
        card = engine.ask("silver coins", day, method=method)
        assert engine.timelines[0].standing(day).kind is kind
        assert (card.reason, words in card.answer) == (Reason.ABSENT, True)
        assert engine.search("silver coins", day, method=method).hits == ()
        other = engine.ask("zebra", day, method=Method.BM25)
        assert (other.reason, other.sources) == (Reason.NOTHING_FITS, ())
        assert other.answer == f"No section held here was in force on {day}."

    def test_a_day_after_a_removal_has_no_text(
        self, make_text: MakeText, make_version: MakeVersion, make_engine: MakeEngine
    ) -> None:
        version = make_version(make_text("9.1", "Pay silver coins."), "2019-01-01", "2020-12-31")
        card = make_engine((version,)).ask("silver coins", CURRENT_TO + timedelta(days=100))
        assert (card.reason, card.claims) == (Reason.ABSENT, ())
        assert "was in force until 2020-12-31" in card.answer


def test_without_the_date_filter_no_rule_of_another_day_is_missed(shipped: Engine) -> None:
    """Every version competes: nothing is dropped for its day, and nothing is absent."""
    card = shipped.ask("Must they proactively offer compensation?", date(2020, 1, 1), date_filter=False)
    assert card.context
    assert card.context.elsewhere is None
    assert dropped(card, DropReason.NOT_IN_FORCE) == []
    again = shipped.ask("Must they proactively offer compensation?", date(2020, 1, 1), date_filter=False)
    assert replace(card, timings_ms={}) == replace(again, timings_ms={})
