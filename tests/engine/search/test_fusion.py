from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from engine.search.fusion import RRF_K, ranking, reciprocal_rank_fusion, scaled

SCORES = st.dictionaries(st.integers(0, 200), st.floats(-10, 10), max_size=20)


def test_fusion_adds_reciprocal_ranks_by_weight() -> None:
    fused = reciprocal_rank_fusion([[3, 1], [1, 2]], [1.0, 0.5])
    assert RRF_K == 60
    assert fused == pytest.approx({3: 1 / 61, 1: 1 / 62 + 0.5 / 61, 2: 0.5 / 62})
    assert ranking(fused) == [1, 3, 2]
    assert reciprocal_rank_fusion([[7]], [1.0], k=1) == {7: 0.5}


def test_fusion_of_nothing_is_nothing() -> None:
    assert reciprocal_rank_fusion([], []) == reciprocal_rank_fusion([[]], [1.0]) == {}


def test_a_ranking_without_a_weight_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="shorter"):
        reciprocal_rank_fusion([[1], [2]], [1.0])


def test_equal_scores_are_ranked_by_number() -> None:
    assert ranking({9: 0.5, 2: 0.5, 5: 0.7, 3: -1.0}) == [5, 2, 9, 3]
    assert ranking({}) == []


@given(scores=SCORES)
def test_a_ranking_holds_everything_once_by_falling_score(scores: dict[int, float]) -> None:
    order = ranking(scores)
    assert sorted(order) == sorted(scores)
    assert all((-scores[a], a) < (-scores[b], b) for a, b in pairwise(order))
    assert ranking(dict(reversed(scores.items()))) == order


def test_scaled_scores_have_a_best_of_one() -> None:
    assert scaled({1: 2.0, 2: 4.0, 3: -1.0}) == {1: 0.5, 2: 1.0, 3: -0.25}


@pytest.mark.parametrize("scores", [{}, {1: 0.0}, {1: -2.0}])
def test_scores_without_a_positive_best_scale_to_nothing(scores: dict[int, float]) -> None:
    assert scaled(scores) == {}
