"""One collection, one day, one question: what is searched, shown, flagged and refused."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine.answerers.quote import QuoteAnswerer
from engine.checks import CLOSED_BOOK
from engine.engine import MAX_QUESTION, Engine
from engine.errors import ModelError, UsageError
from engine.model import Answer, Claim, Coverage, DropReason, Reason, Status, Usage, Warning
from engine.search.retriever import Method
from engine.search.words import load_words
from engine.settings import Settings

if TYPE_CHECKING:
    from conftest import FakeEncoder

    from engine.index import StoredIndex
    from engine.ingest import IngestReport
    from engine.model import AnswerCard, Chunk, Context, Question
    from engine.snapshot import Collection

DAY = date(2022, 6, 10)
LATER, EARLIER = date(2027, 2, 15), date(2015, 3, 10)
BAG = "How much may an airline limit its liability for lost baggage?"


@dataclass
class Says:
    """An answerer that says what it was told to, and keeps what it was given."""

    claims: tuple[Claim, ...] = ()
    rests_on: tuple[str, ...] = ()
    name: str = "says"
    given: list[Context] = field(default_factory=list)

    def answer(self, question: Question, context: Context) -> Answer:
        assert question.text
        self.given.append(context)
        status = Status.ANSWERED if self.claims else Status.ABSTAINED
        return Answer(
            status, "Said.", self.claims, rests_on=self.rests_on, model="m", usage=Usage(1, 2), seconds=0.5
        )


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    """By keywords alone."""
    words = load_words(collection.folder.parent / f"{collection.folder.name}.words.toml")
    return Engine(collection, ingested.index, word_list=words)


@pytest.fixture(scope="module")
def modelled(collection: Collection, embedded: StoredIndex, fake_encoder: FakeEncoder) -> Engine:
    """By meaning as well."""
    words = load_words(collection.folder.parent / f"{collection.folder.name}.words.toml")
    return Engine(collection, embedded, word_list=words, encoder=fake_encoder)


def passage(engine: Engine, section: str, day: date) -> Chunk:
    return next(c for c in engine.chunks if c.section == section and c.version.in_force(day))


def said(engine: Engine, *passages: str, day: date = DAY, text: str = "A bag.", **options: Any) -> AnswerCard:
    return engine.ask(BAG, day, answerer=Says((Claim(text, passages),)), **options)


def kinds(card: AnswerCard) -> list[str]:
    return [warning.kind for warning in card.warnings]


class TestMethods:
    def test_the_best_that_is_there_is_used(self, engine: Engine, modelled: Engine) -> None:
        assert (engine.has_models, engine.method) == (False, Method.BM25)
        assert (modelled.has_models, modelled.method) == (True, Method.RERANK)
        assert engine.ask(BAG, DAY).method == "bm25"
        assert modelled.ask(BAG, DAY).method == "rerank"
        assert modelled.ask(BAG, DAY, method=Method.DENSE).method == "dense"

    def test_the_settings_come_first(self, collection: Collection, ingested: IngestReport) -> None:
        chosen = Engine(collection, ingested.index, settings=Settings(method="dense", top=2, budget=900))
        assert chosen.method is Method.DENSE
        with pytest.raises(ModelError, match="needs a model"):
            chosen.search(BAG, DAY)
        card = chosen.ask(BAG, DAY, method=Method.BM25)
        assert card.context
        assert (len(card.context.hits) - len(card.context.pinned) <= 2, card.context.budget) == (True, 900)

    def test_a_method_without_its_model_is_refused_and_never_replaced(self, engine: Engine) -> None:
        for method in (Method.DENSE, Method.HYBRID, Method.RERANK):
            with pytest.raises(ModelError, match=f"The method {method} needs a model"):
                engine.ask(BAG, DAY, method=method)


class TestDays:
    def test_before_the_history_nothing_is_searched(self, engine: Engine) -> None:
        asked = Says()
        card = engine.ask(BAG, EARLIER, answerer=asked)
        assert (card.status, card.coverage, asked.given) == (Status.NOT_HELD, Coverage.BEFORE, [])
        assert (card.sources, card.dropped, card.claims, card.warnings) == ((), (), (), ())
        assert card.context
        assert card.context.hits == ()
        assert card.timings_ms["search"] == 0
        found = engine.search(BAG, EARLIER)
        assert (found.hits, found.coverage) == ((), Coverage.BEFORE)

    def test_after_the_up_to_date_day_the_latest_are_used_with_a_warning(self, engine: Engine) -> None:
        card, found = engine.ask(BAG, LATER), engine.search(BAG, LATER)
        assert (card.status, card.coverage, found.coverage) == (
            Status.ANSWERED,
            Coverage.AFTER,
            Coverage.AFTER,
        )
        assert all(source.chunk.version.effective_to is None for source in card.sources)
        assert all(hit.chunk.version.effective_to is None for hit in found.hits)
        assert "after_snapshot" in kinds(card)
        assert "after_snapshot" in [warning.kind for warning in found.warnings]

    @pytest.mark.parametrize("method", Method)
    def test_a_search_without_a_day_finds_every_version_and_says_nothing_of_force(
        self, method: Method, modelled: Engine
    ) -> None:
        found = modelled.search("§ 254.4 liability", None, method=method, top=200)
        firsts = {hit.chunk.version.effective_from for hit in found.hits if hit.chunk.section == "254.4"}
        assert len(firsts) == 5
        assert (found.coverage, {hit.in_force for hit in found.hits}) == (None, {None})
        assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))

    def test_without_the_date_filter_another_days_text_is_shown_as_not_in_force(self, engine: Engine) -> None:
        card = engine.ask(BAG, EARLIER, date_filter=False)
        assert (card.status, card.date_filter) == (Status.ANSWERED, False)
        assert card.sources
        assert not any(source.in_force for source in card.sources)
        assert all("NOT IN FORCE on 2015-03-10" in claim.problems[0] for claim in card.claims)
        assert all(drop.reason is not DropReason.NOT_IN_FORCE for drop in card.dropped)

    def test_an_amendment_that_is_pending_is_warned_about_and_not_the_rule(self, engine: Engine) -> None:
        card = engine.ask(BAG, date(2024, 12, 20))
        assert "$3,800" in card.answer
        assert "$4,700" not in card.answer
        assert kinds(card)[0] == "pending_amendment"
        assert engine.ask(BAG, date(2025, 1, 22)).warnings[0].kind != "pending_amendment"

    def test_fallbacks_stand_on_every_card(self, collection: Collection, ingested: IngestReport) -> None:
        told = Warning("index_not_saved", "It is built at each start.")
        engine = Engine(collection, ingested.index, notices=[told])
        assert told in engine.ask(BAG, DAY).warnings
        assert told in engine.search(BAG, DAY).warnings


class TestWhatAnAnswererSays:
    def test_an_unknown_id_is_flagged_and_no_source(self, engine: Engine) -> None:
        given = engine.ask(BAG, DAY).context
        assert given
        card = said(engine, "nonsense", given.ids[0], "f" * 12)
        assert [source.chunk.id for source in card.sources] == [given.ids[0]]
        assert [source.number for source in card.sources] == [1]
        assert 'The index holds no passage "nonsense".' in card.claims[0].problems

    def test_a_passage_that_was_not_given_is_flagged_and_no_source(self, engine: Engine) -> None:
        other = passage(engine, "250.10", DAY)
        card = said(engine, other.id)
        assert card.sources == ()
        assert card.claims[0].problems[0].startswith(f"The cited passage {other.id} (250.10(a)")

    def test_another_version_is_flagged_and_no_source(self, engine: Engine) -> None:
        newest = passage(engine, "254.4", LATER)
        card = said(engine, newest.id, text="It is $4,700.")
        assert "NOT IN FORCE on 2022-06-10: 254.4 of 2025-01-22" in card.claims[0].problems
        assert card.sources == ()

    def test_no_problem_of_its_own_is_kept(self, engine: Engine) -> None:
        claim = Claim("Baggage liability", (passage(engine, "254.4", DAY).id,), problems=("It is perfect.",))
        card = engine.ask(BAG, DAY, answerer=Says((claim,)))
        assert card.claims[0].problems == ()

    def test_closed_book_gives_no_passages_and_is_never_sourced(self, engine: Engine) -> None:
        real = passage(engine, "254.4", DAY)
        asked = Says((Claim("It is $3,800.", (real.id,)),), rests_on=(real.id,))
        card = engine.ask(BAG, DAY, answerer=asked, closed_book=True)
        assert [context.hits for context in asked.given] == [()]
        assert (card.sources, card.claims[0].problems, card.dropped) == ((), (CLOSED_BOOK,), ())
        assert engine.ask(BAG, EARLIER, answerer=asked, closed_book=True).status is Status.NOT_HELD
        naive = engine.ask(BAG, EARLIER, answerer=asked, closed_book=True, date_filter=False)
        assert (naive.status, naive.sources) == (Status.ANSWERED, ())

    def test_its_model_usage_and_recorded_time_are_shown(self, engine: Engine) -> None:
        card = said(engine)
        assert (card.answerer, card.model, card.usage) == ("says", "m", Usage(1, 2))
        assert card.timings_ms["recorded"] == 500
        assert card.claims[0].problems == ("The claim cites no passage.",)


class TestSources:
    def test_are_numbered_by_first_citation_with_the_paragraphs_quoted(self, engine: Engine) -> None:
        question = "When is nobody paid? § 250.6(a) or § 250.5(d)"
        context = engine.ask(question, DAY, top=200, answerer=Says()).context
        assert context
        ids = {(hit.chunk.section, hit.chunk.paragraphs): hit.chunk.id for hit in context.hits}
        six = next(name for (section, _), name in ids.items() if section == "250.6")
        five = next(name for (section, span), name in ids.items() if section == "250.5" and span == "(a)")
        claims = (
            Claim("One.", (five, six), labels=("(a)(2)",)),
            Claim("Two.", (six,), labels=("(b)", "(b)")),
            Claim("Three.", (five,), labels=("(a)(1)", "(a)(2)")),
        )
        first, second, third = engine.ask(
            question, DAY, top=200, answerer=Says(claims, rests_on=(context.ids[-1], six))
        ).sources
        assert [source.number for source in (first, second, third)] == [1, 2, 3]
        assert (first.chunk.id, second.chunk.id, third.chunk.id) == (five, six, context.ids[-1])
        assert (first.paragraphs, second.paragraphs) == ("(a)(2), (a)(1)", "(b)")
        assert first.text.startswith("(1)")
        assert first.text.count("\n") == 1
        assert "$775" in first.text
        # What is rested on without a quotation is shown whole.
        assert (third.paragraphs, third.text) == (third.chunk.paragraphs, third.chunk.body)

    def test_of_an_absent_rule_is_the_later_version(self, engine: Engine) -> None:
        card = engine.ask("Must they proactively offer compensation, unasked?", date(2020, 1, 1))
        (source,) = card.sources
        assert (card.reason, source.in_force, source.chunk.section) == (Reason.ABSENT, False, "250.2b")
        assert "came into force on 2021-04-13" in card.answer
        assert "$" not in card.answer


class TestRefusals:
    @pytest.mark.parametrize("top", [0, -1, 201])
    def test_top_out_of_range(self, top: int, engine: Engine) -> None:
        for call in (engine.ask, engine.search):
            with pytest.raises(UsageError, match=f"--top is {top}"):
                call(BAG, DAY, top=top)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "is empty"),
            (" \n\t ", "is empty"),
            ("a" * (MAX_QUESTION + 1), "4001 characters; 4000"),
            ("half \ud83d", "halves"),
        ],
    )
    def test_a_question_that_is_none(self, text: str, message: str, engine: Engine) -> None:
        for call in (engine.ask, engine.search):
            with pytest.raises(UsageError, match=message):
                call(text, DAY)

    def test_white_space_around_a_question_is_no_part_of_it(self, engine: Engine) -> None:
        assert engine.ask(f"  {BAG}\n", DAY).question == BAG
        assert engine.ask("a" * MAX_QUESTION + " ", DAY).reason is Reason.NOTHING_FITS


class TestReferences:
    @pytest.mark.parametrize(
        "reference", ["250.5", " § 250.5 ", "14 CFR 250.5(a)(2)", "§250.5", "14 C.F.R. Sec. 250.5"]
    )
    def test_every_way_to_cite_a_section(self, reference: str, engine: Engine) -> None:
        assert [line.section for line in engine.timelines_of(reference)] == ["250.5"]

    @pytest.mark.parametrize("reference", ["", "  ", "250.5a", "15 CFR 250.5", "Part 254", "250", "; DROP"])
    def test_what_is_not_held_is_said_with_what_is(self, reference: str, engine: Engine) -> None:
        with pytest.raises(UsageError, match="There is no section") as caught:
            engine.timelines_of(reference)
        assert "Held are: 250.1, 250.2," in caught.value.hint

    def test_a_passage_is_found_by_its_id(self, engine: Engine) -> None:
        chunk = engine.chunk("cde04502622d")
        assert chunk
        assert (chunk.section, engine.in_force(chunk, LATER), engine.in_force(chunk, DAY)) == (
            "250.9",
            True,
            False,
        )
        assert engine.chunk("") is None

    @pytest.mark.parametrize("method", Method)
    @pytest.mark.parametrize("section", ["250.8", "254.3", "250.11", "250.7"])
    def test_a_section_that_the_question_names_is_found_first(
        self, section: str, method: Method, modelled: Engine
    ) -> None:
        found = modelled.search(f"What does § {section} say?", DAY, method=method)
        assert found.hits[0].chunk.section == section

    def test_the_placeholder_of_earlier_days_does_not_hide_the_rule(self, engine: Engine) -> None:
        assert engine.ask("What does 250.7 say?", DAY).sources[0].chunk.version.effective_from == date(
            2021, 4, 13
        )


class TestWords:
    @pytest.mark.parametrize(
        ("asked", "meant"),
        [
            ("compensaton for denied boarding", "denied boarding compensation"),
            ("liability limit for luggege", "baggage liability"),
            ("I was bumped: how much do they owe", "denied boarding compensation"),
        ],
    )
    def test_misspelt_and_everyday_words_find_what_they_mean(
        self, asked: str, meant: str, engine: Engine
    ) -> None:
        first, wanted = (engine.search(text, DAY).hits[0].chunk.version.text for text in (asked, meant))
        assert first.part == wanted.part

    def test_without_a_word_list_the_words_of_the_text_are_known(
        self, collection: Collection, ingested: IngestReport
    ) -> None:
        plain = Engine(collection, ingested.index)
        assert plain.search("compensaton", DAY).hits
        assert not plain.search("luggege", DAY).hits

    def test_a_topic_of_other_rules_is_not_answered(self, engine: Engine) -> None:
        card = engine.ask("Who pays my hotel after I was bumped from an oversold flight?", DAY)
        assert (card.status, card.reason) == (Status.ABSTAINED, Reason.NOT_COVERED)
        assert "$" not in card.answer
        assert card.claims == ()
        assert {source.chunk.section for source in card.sources} == {"250.2"}


@pytest.mark.parametrize("method", Method)
def test_the_same_question_and_day_give_the_same_card(method: Method, modelled: Engine) -> None:
    question = "Bumped in Denver and 90 minutes late: what is the most they owe?"
    first, again = (modelled.ask(question, DAY, method=method) for _ in range(2))
    assert replace(first, timings_ms={}) == replace(again, timings_ms={})
    assert QuoteAnswerer().name == first.answerer
    parts = first.timings_ms["search"] + first.timings_ms["answer"]
    assert first.timings_ms["total"] == pytest.approx(parts, abs=0.2)
