from __future__ import annotations

import numpy as np
import pytest

from engine.search.encoder import Embedding
from engine.search.late import VectorScorer

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]


def embedding(*tokens: list[float]) -> Embedding:
    rows = np.array(tokens, np.float32)
    pooled = rows.sum(axis=0)
    return Embedding(pooled / np.linalg.norm(pooled), rows)


VECTORS = {
    "east": embedding(EAST),
    "both": embedding(EAST, NORTH, EAST),
    "north": embedding(NORTH, NORTH),
    "unused": embedding([-1.0, 0.0]),
}


def test_dense_is_the_cosine_of_the_whole_texts() -> None:
    scorer = VectorScorer(VECTORS, ["east", "both", "north"])
    assert scorer.dense(embedding(EAST)) == pytest.approx([1.0, 2 / 5**0.5, 0.0])


def test_late_is_the_mean_of_each_question_tokens_best_match() -> None:
    scorer = VectorScorer(VECTORS, ["north", "east", "both"])
    question = embedding(EAST, NORTH, [0.6, 0.8])
    assert scorer.late(question) == pytest.approx([(0 + 1 + 0.8) / 3, (1 + 0 + 0.6) / 3, (1 + 1 + 0.8) / 3])


def test_late_takes_the_best_even_if_it_is_negative() -> None:
    assert VectorScorer(VECTORS, ["unused", "east"]).late(embedding(EAST)) == pytest.approx([-1.0, 1.0])


def test_a_repeated_text_is_scored_once_and_shown_everywhere() -> None:
    scorer = VectorScorer(VECTORS, ["east", "north", "east", "both", "north"])
    assert len(scorer._pooled) == 3
    assert scorer.dense(embedding(EAST))[[0, 2]].tolist() == [1.0, 1.0]
    assert scorer.late(embedding(NORTH)) == pytest.approx([0, 1, 0, 1, 1])


def test_a_text_without_a_vector_is_a_fault_of_the_index() -> None:
    with pytest.raises(KeyError, match="missing"):
        VectorScorer(VECTORS, ["east", "missing"])


def test_no_texts_have_no_scores() -> None:
    scorer = VectorScorer({}, [])
    assert scorer.dense(embedding(EAST)).shape == scorer.late(embedding(EAST)).shape == (0,)
