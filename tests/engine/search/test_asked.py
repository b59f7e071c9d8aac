"""Sentences of ours that decide where search looks: by keywords, by meaning, and what lies outside."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.ingest import embed
from engine.model import BlockKind
from engine.search.asked import CLEARLY, DENIED, AskedScorer
from engine.search.encoder import Embedding
from engine.search.retriever import ASKED, Method, Query, Retriever
from engine.search.units import units_of
from engine.search.words import Topic, WordList, load_words

if TYPE_CHECKING:
    from engine.index import StoredIndex
    from engine.model import Chunk
    from tests.engine.conftest import FakeEncoder

SHIPPED = Path(__file__).parents[3] / "regulations" / "us-14-cfr.words.toml"
DAY = date(2022, 6, 10)
EAST, NORTH = (
    Embedding(np.array([1, 0], np.float32), np.zeros((0, 2), np.float32)),
    Embedding(np.array([0, 1], np.float32), np.zeros((0, 2), np.float32)),
)
BETWEEN = Embedding(np.array([0.8, 0.6], np.float32), np.zeros((0, 2), np.float32))
PETS = Topic("pets", "Pets are not said.", asked=("My cat?",))


def scorer(inside: dict[str, tuple[str, ...]], topics: tuple[Topic, ...], places: list[str]) -> AskedScorer:
    vectors = {"Was I bumped?": EAST, "Who was?": BETWEEN, "My cat?": NORTH}
    return AskedScorer(WordList(asked=inside, topics=topics), vectors, places)


def test_every_place_of_the_shipped_list_is_a_paragraph_of_some_day(chunks: tuple[Chunk, ...]) -> None:
    held = {unit.paragraph for unit in units_of(chunks)}
    assert set(load_words(SHIPPED).asked) <= held


def test_nearly_every_rule_has_sentences(chunks: tuple[Chunk, ...]) -> None:
    words = load_words(SHIPPED)
    without = {
        place
        for unit in units_of(chunks)
        if not unit.notice
        and (place := unit.paragraph)
        and chunks[unit.chunk].blocks[unit.block].kind is BlockKind.PARAGRAPH
        and place not in words.asked
    }
    assert without == {"250.11(d)"}  # [Reserved]


def test_no_sentence_names_an_amount_or_a_day() -> None:
    for sentence in load_words(SHIPPED).sentences:
        assert not any(sign in sentence for sign in "$%"), sentence
        assert not any(str(year) in sentence for year in range(2010, 2030)), sentence


def test_a_place_is_a_label_a_term_or_the_first_words_of_a_notice(chunks: tuple[Chunk, ...]) -> None:
    found = {unit.paragraph for unit in units_of(chunks)}
    assert {"250.5(a)(2)", "250.1 Zero fare ticket", "250.2a", "250.9(b) Acceptance of the", ""} <= found


def test_a_unit_takes_the_cosine_of_its_nearest_sentence_and_the_median_without_one() -> None:
    inside = {"9.1(a)": ("Was I bumped?", "Who was?"), "9.1(b)": ("Who was?",)}
    found = scorer(inside, (), ["9.1(a)", "9.1(b)", "9.2", "9.1(a)"]).units(EAST)
    assert found is not None
    assert found.tolist() == pytest.approx([1.0, 0.8, 0.9, 1.0])


def test_without_sentences_nothing_is_scored() -> None:
    assert scorer({}, (PETS,), ["9.1"]).units(EAST) is None
    assert scorer({}, (PETS,), ["9.1"]).topic(NORTH, CLEARLY) is None
    assert scorer({"9.1": ("Was I bumped?",)}, (), ["9.1"]).topic(NORTH, CLEARLY) is None


def test_a_sentence_without_a_vector_is_left_out() -> None:
    one = scorer({"9.1": ("Was I bumped?", "never encoded")}, (), ["9.1"]).units(EAST)
    assert one is not None
    assert one.tolist() == [1.0]


def test_a_subject_must_be_clearly_nearer_than_any_paragraph() -> None:
    of_two = scorer({"9.1": ("Was I bumped?",)}, (PETS,), ["9.1"])
    assert of_two.topic(NORTH, CLEARLY) is PETS
    assert of_two.topic(EAST, CLEARLY) is None
    assert of_two.topic(BETWEEN, CLEARLY) is None
    assert of_two.topic(BETWEEN, -0.21) is PETS
    assert of_two.topic(BETWEEN, DENIED) is None


class TestSearch:
    def words(self) -> WordList:
        return WordList(
            asked={"250.8(b)": ("zanzibar quagga",), "250.11(c)": ("xylophone",)},
            topics=(Topic("pets", "Pets are not said.", asked=("walrus pelican",)),),
        )

    def over(self, chunks: tuple[Chunk, ...], index: StoredIndex, encoder: FakeEncoder) -> Retriever:
        words = self.words()
        vectors = embed(index, encoder, sentences=words.sentences).vectors
        return Retriever(chunks, vectors, encoder, word_list=words)

    @pytest.mark.parametrize("method", [Method.BM25, Method.HYBRID, Method.RERANK])
    def test_what_callers_say_leads_to_the_paragraph(
        self, chunks: tuple[Chunk, ...], embedded: StoredIndex, fake_encoder: FakeEncoder, method: Method
    ) -> None:
        found = self.over(chunks, embedded, fake_encoder)
        allowed = [n for n, chunk in enumerate(chunks) if chunk.version.in_force(DAY)]
        first = found.rank(Query("zanzibar quagga"), method, allowed)[0]
        assert chunks[first.chunk].section == "250.8"
        assert chunks[first.chunk].blocks[first.block].label == "(b)"

    def test_plain_vectors_know_nothing_of_it(
        self, chunks: tuple[Chunk, ...], embedded: StoredIndex, fake_encoder: FakeEncoder
    ) -> None:
        with_list, without = (
            self.over(chunks, embedded, fake_encoder),
            Retriever(chunks, embedded.vectors, fake_encoder),
        )
        query, allowed = Query("zanzibar quagga"), list(range(len(chunks)))
        assert with_list.rank(query, Method.DENSE, allowed) == without.rank(query, Method.DENSE, allowed)

    def test_a_sentence_adds_its_share_of_the_cosine(
        self, chunks: tuple[Chunk, ...], embedded: StoredIndex, fake_encoder: FakeEncoder
    ) -> None:
        found = self.over(chunks, embedded, fake_encoder)
        plain = Retriever(chunks, embedded.vectors, fake_encoder)
        place = next(
            n
            for n, unit in enumerate(found.units)
            if unit.paragraph == "250.11(c)" and chunks[unit.chunk].version.in_force(DAY)
        )
        query, only = Query("pelican"), [found.units[place].chunk]
        added = found.unit_scores(query, Method.RERANK, only)[place]
        added -= plain.unit_scores(query, Method.RERANK, only)[place]
        cosine = float(fake_encoder.query("pelican").pooled @ fake_encoder.query("xylophone").pooled)
        assert added == pytest.approx(ASKED * cosine, abs=2e-3)

    def test_the_subject_is_known_by_meaning_alone(
        self, chunks: tuple[Chunk, ...], embedded: StoredIndex, fake_encoder: FakeEncoder
    ) -> None:
        found = self.over(chunks, embedded, fake_encoder).subject(Query("walrus pelican"), denied=False)
        assert found is not None
        assert found.name == "pets"
        keywords = Retriever(chunks, word_list=self.words())
        assert keywords.subject(Query("walrus pelican"), denied=False) is None
