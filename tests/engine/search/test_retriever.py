from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import given, settings, strategies as st

from engine.chunks import cut
from engine.errors import ModelError
from engine.model import BlockKind
from engine.search.retriever import (
    DEFINED,
    IDLE,
    MEANT,
    NAMED,
    NOTICE,
    OTHER_PART,
    OUTSIDE,
    SCOPED,
    Method,
    Query,
    Ranked,
    Retriever,
)
from engine.search.units import units_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.index import StoredIndex
    from engine.model import Chunk
    from tests.engine.conftest import FakeEncoder, MakeText, MakeVersion

    class MakeTerm(Protocol):
        def __call__(self, term: str) -> Retriever: ...


METHODS = list(Method)
BY_MEANING = [Method.DENSE, Method.HYBRID, Method.RERANK]
QUESTION = Query("bumped with a delay of 90 minutes", ("denied boarding compensation",))


def in_force(chunks: Sequence[Chunk], day: date) -> list[int]:
    """Places of the chunks whose version holds on the day, by plain comparison of dates."""
    return [
        place
        for place, chunk in enumerate(chunks)
        if chunk.version.effective_from <= day <= (chunk.version.effective_to or date.max)
    ]


def places(ranked: Sequence[Ranked]) -> list[int]:
    return [one.chunk for one in ranked]


def over(chunks: Sequence[Chunk], encoder: FakeEncoder) -> Retriever:
    texts = [unit.text for unit in units_of(chunks)]
    return Retriever(chunks, dict(zip(texts, encoder.passages(texts), strict=True)), encoder)


@pytest.mark.parametrize("method", METHODS)
def test_only_allowed_chunks_are_found(retriever: Retriever, method: Method) -> None:
    allowed = in_force(retriever.chunks, date(2022, 6, 10))
    found = places(retriever.rank(QUESTION, method, allowed))
    assert found
    assert set(found) <= set(allowed)
    assert len(found) == len(set(found))
    if method is not Method.BM25:
        assert set(found) == set(allowed), "every passage in force has a place"


@pytest.mark.parametrize("method", METHODS)
def test_fewer_are_found_when_fewer_are_in_force(retriever: Retriever, method: Method) -> None:
    word = Query("carrier passenger baggage boarding")
    for count in (0, 1, 2):
        allowed = in_force(retriever.chunks, date(2022, 6, 10))[-count:] if count else []
        assert sorted(places(retriever.rank(word, method, allowed))) == allowed


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_small_sets_of_chunks_are_searched_like_any_other(
    make_text: MakeText, make_version: MakeVersion, fake_encoder: FakeEncoder, method: Method, count: int
) -> None:
    texts = [make_text(f"250.{n}", f"(a)|Pay the passenger ${n}00.") for n in range(count)]
    chunks = [chunk for text in texts for chunk in cut(make_version(text))]
    ranked = over(chunks, fake_encoder).rank(Query("pay the passenger"), method, range(count))
    assert sorted(places(ranked)) == list(range(count))
    if method is Method.BM25:
        assert all(one.score > 0 for one in ranked)


@pytest.mark.parametrize("method", METHODS)
def test_near_copies_of_other_days_do_not_starve_the_text_in_force(
    make_text: MakeText, make_version: MakeVersion, fake_encoder: FakeEncoder, method: Method
) -> None:
    question = "compensation of 200 percent of the fare for a delay of one hour"
    old = [
        make_version(make_text("250.5", f"(a)|{question}, case {n}."), "2017-01-01", "2021-04-12")
        for n in range(50)
    ]
    new = make_version(make_text("250.5", "(a)|A carrier pays compensation."), "2021-04-13")
    chunks = [chunk for version in (*old, new) for chunk in cut(version)]
    retriever = over(chunks, fake_encoder)
    assert places(retriever.rank(Query(question), method, range(51)))[-1] == 50
    assert places(retriever.rank(Query(question), method, in_force(chunks, date(2022, 1, 1)))) == [50]
    assert len(retriever.rank(Query(question), method, in_force(chunks, date(2020, 1, 1)))) == 50


@pytest.mark.parametrize("method", METHODS)
def test_the_same_question_day_and_method_give_the_same_ranking(
    retriever: Retriever, embedded: StoredIndex, fake_encoder: FakeEncoder, method: Method
) -> None:
    allowed = in_force(retriever.chunks, date(2025, 2, 1))
    first = retriever.rank(QUESTION, method, allowed)
    for other in range(12):
        retriever.rank(Query(f"baggage {other}"), method, allowed[other:])
    assert retriever.rank(QUESTION, method, allowed) == first
    fresh = Retriever(retriever.chunks, embedded.vectors, fake_encoder)
    assert fresh.rank(QUESTION, method, allowed) == first


WORDS = (
    "bumped",
    "fare",
    "$1,550",
    "250.5(a)(2)",
    "carrier",
    "baggage",
    "CPI-U",
    "200%",
    "'",
    "AND",
    "xyzzy",
)
SAID = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.text(max_size=30)


@settings(max_examples=150)
@given(
    offset=st.integers(-400, 4000),
    said=SAID,
    method=st.sampled_from(METHODS),
    named=st.sampled_from([(), (("250.5", "(a)"),), (("254.4", ""),), (("999.1", ""),)]),
)
def test_no_search_on_any_day_finds_a_chunk_out_of_force(
    retriever: Retriever, offset: int, said: str, method: Method, named: tuple[tuple[str, str], ...]
) -> None:
    day = date(2017, 1, 1) + timedelta(days=offset)
    ranked = retriever.rank(Query(said, (), named), method, in_force(retriever.chunks, day))
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    for one in ranked:
        version = retriever.chunks[one.chunk].version
        assert version.effective_from <= day
        assert version.effective_to is None or day <= version.effective_to


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("section", "path"), [("250.9", "(b)"), ("254.4", ""), ("250.5", "(a)(2)"), ("250.1", "")]
)
def test_a_section_that_the_question_names_comes_first(
    retriever: Retriever, method: Method, section: str, path: str
) -> None:
    allowed = in_force(retriever.chunks, date(2022, 6, 10))
    said = f"What does {section}{path} say about the carrier?"
    best, *_ = retriever.rank(Query(said, (), ((section, path),)), method, allowed)
    chunk = retriever.chunks[best.chunk]
    assert chunk.section == section
    assert chunk.blocks[best.block].label.startswith(path)
    assert best.score > 1


def test_a_section_without_text_can_be_named(retriever: Retriever) -> None:
    allowed = in_force(retriever.chunks, date(2018, 1, 1))
    best, *_ = retriever.rank(Query("250.7", (), (("250.7", ""),)), Method.BM25, allowed)
    assert retriever.chunks[best.chunk].section == "250.7"
    assert (best.block, best.blocks) == (0, ())


@pytest.mark.parametrize("method", METHODS)
def test_a_chunk_takes_its_best_blocks_score(retriever: Retriever, method: Method) -> None:
    allowed = in_force(retriever.chunks, date(2025, 1, 1))
    ranked = retriever.rank(Query("compensation of $775 or 200 percent"), method, allowed)
    seen_none = False
    for one in ranked:
        blocks = retriever.chunks[one.chunk].blocks
        assert len(one.blocks) == len(blocks)
        if not blocks:
            continue
        scores = [score for score in one.blocks if score is not None]
        assert one.score == max(scores) == one.blocks[one.block]
        for block, score in zip(blocks, one.blocks, strict=True):
            if block.kind is BlockKind.NOTICE and len(blocks) > 1:
                assert score is None, "a notice is no rule"
                seen_none = True
    assert seen_none
    if method is not Method.DENSE:
        best = retriever.chunks[ranked[0].chunk].blocks[ranked[0].block]
        assert "$775" in best.text


def test_the_added_words_reach_the_search_and_the_said_ones_stay(
    retriever: Retriever, fake_encoder: FakeEncoder
) -> None:
    assert Query("bumped").expanded == "bumped"
    query = Query("I was kicked off", ("denied boarding", "fare"))
    assert query.expanded == "I was kicked off (denied boarding, fare)"
    allowed = in_force(retriever.chunks, date(2022, 6, 10))
    fresh = Retriever(retriever.chunks, {}, None)
    assert fresh.rank(Query("kicked off"), Method.BM25, allowed) == ()
    assert fresh.rank(query, Method.BM25, allowed)
    fake_encoder.asked.clear()
    for _ in range(2):
        for method in BY_MEANING:
            retriever.rank(query, method, allowed)
    assert fake_encoder.asked == [query.text, query.expanded], "each is encoded once"


@pytest.mark.parametrize("method", BY_MEANING)
def test_a_method_that_needs_a_model_says_so_where_there_is_none(
    chunks: tuple[Chunk, ...], embedded: StoredIndex, fake_encoder: FakeEncoder, method: Method
) -> None:
    for vectors, encoder in ((None, None), (embedded.vectors, None), (None, fake_encoder)):
        retriever = Retriever(chunks, vectors, encoder)
        assert not retriever.has_models
        with pytest.raises(ModelError, match=f"The method {method} needs a model") as caught:
            retriever.rank(QUESTION, method, [0, 1])
        assert "--method bm25" in caught.value.hint
        assert retriever.rank(QUESTION, method, []) == ()
        assert retriever.rank(QUESTION, Method.BM25, range(20))


def test_it_says_whether_it_has_models(retriever: Retriever) -> None:
    assert retriever.has_models


def test_the_words_decide_between_equal_meanings(
    make_text: MakeText, make_version: MakeVersion, fake_encoder: FakeEncoder
) -> None:
    # Both texts are equally near in vectors of stems without order; only the amount is of the question.
    chunks = [
        chunk
        for amount in ("$600", "$700")
        for chunk in cut(make_version(make_text("250.5", f"(a)|Pay {amount}.")))
    ]
    retriever = over(chunks, fake_encoder)
    for method in METHODS:
        assert places(retriever.rank(Query("pay $700"), method, [0, 1]))[0] == 1
    tied = retriever.rank(Query("pay"), Method.BM25, [0, 1])
    assert [one.chunk for one in tied] == [0, 1], "of equal scores the earlier chunk"


@pytest.mark.parametrize("method", METHODS)
def test_of_equal_blocks_the_earlier_one_is_the_best(
    make_text: MakeText, make_version: MakeVersion, fake_encoder: FakeEncoder, method: Method
) -> None:
    chunks = cut(make_version(make_text("250.5", "(a)|Pay it.", "(b)|Pay it.")))
    (found,) = over(chunks, fake_encoder).rank(Query("pay"), method, [0])
    assert found.block == 0
    assert found.blocks[0] == found.blocks[1] == found.score


class TestWhatTheQuestionIsAbout:
    @pytest.fixture
    def three(self, make_text: MakeText, make_version: MakeVersion, fake_encoder: FakeEncoder) -> Retriever:
        texts = (
            make_text(
                "250.2", "(a)|Large planes are meant, except as § 250.7 says.", heading="§ 250.2 Scope."
            ),
            make_text("250.7", "(a)|Nobody with a scanned boarding pass is put off large planes."),
            make_text("254.4", "(a)|Lost bags of large planes are paid."),
        )
        return over([chunk for text in texts for chunk in cut(make_version(text))], fake_encoder)

    def score(self, retriever: Retriever, query: Query) -> dict[str, float]:
        ranked = retriever.rank(query, Method.DENSE, range(3))
        return {retriever.chunks[one.chunk].section: one.score for one in ranked}

    def test_a_rare_phrase_of_the_list_points_to_the_blocks_that_hold_it(
        self, three: Retriever, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engine.search.retriever.RARE_SHARE", 0.4)
        plain = self.score(three, Query("put off"))
        meant = self.score(
            three, Query("put off", ("scanned boarding pass", "large planes", "boarding pass"))
        )

        assert meant["250.7"] - plain["250.7"] == pytest.approx(MEANT)
        assert {section for section in plain if meant[section] == plain[section]} == {"250.2", "254.4"}

    def test_a_phrase_that_many_blocks_hold_points_nowhere(self, three: Retriever) -> None:
        query = Query("put off", ("scanned boarding pass",))

        assert self.score(three, query) == self.score(three, Query("put off"))

    def test_a_part_that_it_is_not_about_falls_back(self, three: Retriever) -> None:
        plain = self.score(three, Query("large planes"))
        about = self.score(three, Query("large planes", parts=frozenset({"250"})))

        assert plain["254.4"] - about["254.4"] == pytest.approx(OTHER_PART)
        assert about["250.7"] == plain["250.7"]

    def test_whether_the_rules_apply_is_said_by_the_scope_first_of_all_of_a_trip_outside(
        self, three: Retriever
    ) -> None:
        plain, asks, outside = (
            self.score(three, Query("large planes", asks_scope=asks, outside=outside))["250.2"]
            for asks, outside in ((False, False), (True, False), (True, True))
        )

        assert asks - plain == pytest.approx(SCOPED)
        assert outside - plain == pytest.approx(OUTSIDE)

    def test_the_scope_that_names_the_section_asked_about_is_named_with_it(self, three: Retriever) -> None:
        named = Query("large planes", sections=(("250.7", ""),), asks_scope=True)
        scores, plain = self.score(three, named), self.score(three, Query("large planes"))

        assert scores["250.2"] - plain["250.2"] == pytest.approx(NAMED + SCOPED)
        assert scores["250.7"] - plain["250.7"] == pytest.approx(NAMED)

    def test_a_step_falls_back_where_no_amount_is_asked(self, three: Retriever) -> None:
        plain = self.score(three, Query("large planes"))
        idle = self.score(three, Query("large planes", idle=frozenset({1})))

        assert plain["250.7"] - idle["250.7"] == pytest.approx(IDLE)
        assert idle["250.2"] == plain["250.2"]

    def test_the_words_of_a_notice_come_after_the_rule_unless_they_are_asked_for(
        self, make_text: MakeText, make_version: MakeVersion, fake_encoder: FakeEncoder
    ) -> None:
        text = make_text(
            "250.9", "(a)|(a) Hand out the following statement:", "(a)|Large planes are full.", "(b)|(b) End."
        )
        retriever = over(cut(make_version(text)), fake_encoder)
        rule, notice, after = (unit.notice for unit in retriever.units)
        assert (rule, notice, after) == (False, True, False)
        plain, asked = (
            retriever.unit_scores(Query("large planes", asks_notice=asks), Method.DENSE, [0])
            for asks in (False, True)
        )
        assert [asked[place] - plain[place] for place in (0, 1, 2)] == pytest.approx([0.0, NOTICE, 0.0])

    @pytest.mark.parametrize(
        ("term", "said", "added", "lifted"),
        [
            ("Carrier", "what is a carrier", (), True),
            ("Carrier", "what is it for an airline", ("carrier",), False),
            ("Zero fare ticket", "what is an award ticket", ("zero fare ticket",), True),
        ],
    )
    def test_a_term_of_one_word_is_defined_only_where_it_was_said(
        self, make_term: MakeTerm, term: str, said: str, added: tuple[str, ...], lifted: bool
    ) -> None:
        retriever = make_term(term)
        plain, asks = (
            retriever.unit_scores(Query(said, added, asks_meaning=asks), Method.DENSE, [0])[0]
            for asks in (False, True)
        )
        assert asks - plain == pytest.approx(DEFINED * lifted)

    @pytest.fixture
    def make_term(self, chunks: tuple[Chunk, ...], fake_encoder: FakeEncoder) -> MakeTerm:
        def make(term: str) -> Retriever:
            (first, *_) = [c for c in chunks if any(block.term == term for block in c.blocks)]
            block = next(block for block in first.blocks if block.term == term)
            return over([replace(first, blocks=(block,), first_block=0)], fake_encoder)

        return make
