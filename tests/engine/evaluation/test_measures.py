"""The measures against values worked out by hand."""

from __future__ import annotations

from statistics import fmean, median

import pytest
from hypothesis import given, strategies as st

from engine.evaluation.measures import hit_at, interval, percentile, precision_at, recall_at, reciprocal_rank

# Three passages are wanted. The second place holds the first of them, the fourth the first and the second.
RANKING = ((False, False, False), (True, False, False), (False, False, False), (True, True, False))


@pytest.mark.parametrize(
    ("k", "hit", "recall", "precision"),
    [
        (1, 0.0, 0.0, 0.0),
        (2, 1.0, 1 / 3, 1 / 2),
        (3, 1.0, 1 / 3, 1 / 3),
        (4, 1.0, 2 / 3, 2 / 4),
        (10, 1.0, 2 / 3, 2 / 10),
    ],
)
def test_the_first_k_places(k: int, hit: float, recall: float, precision: float) -> None:
    assert hit_at(RANKING, k) == hit
    assert recall_at(RANKING, k) == pytest.approx(recall)
    assert precision_at(RANKING, k) == pytest.approx(precision)


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [(RANKING, 1 / 2), (RANKING[1:], 1.0), (RANKING[:1], 0.0), ((), 0.0)],
)
def test_reciprocal_rank(ranking: tuple[tuple[bool, ...], ...], expected: float) -> None:
    assert reciprocal_rank(ranking) == expected


def test_an_empty_ranking_finds_nothing() -> None:
    assert (hit_at((), 5), recall_at((), 5), precision_at((), 5)) == (0.0, 0.0, 0.0)


@given(st.lists(st.integers(0, 8), min_size=1, max_size=12))
def test_the_interval_is_the_same_every_time_and_holds_the_mean(eighths: list[int]) -> None:
    values = [eighth / 8 for eighth in eighths]
    low, high = interval(values)

    assert (low, high) == interval(values)
    assert min(values) <= low <= fmean(values) <= high <= max(values)


def test_the_interval_of_half_of_34_questions_is_wide() -> None:
    low, high = interval([1.0, 0.0] * 17)

    # The normal approximation gives .5 ± 1.96 x √(.25 / 34), which is .33 to .67.
    assert low == pytest.approx(0.33, abs=0.03)
    assert high == pytest.approx(0.67, abs=0.03)


def test_another_seed_draws_other_samples_and_another_statistic_is_taken() -> None:
    values = [float(number) for number in range(30)]

    assert interval(values) != interval(values, seed=1)
    low, high = interval(values, max)
    assert 25 <= low < high == 29
    assert interval(values, median)[0] != interval(values)[0]


def test_without_values_there_is_no_interval() -> None:
    assert interval([]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([4, 1, 3, 2], 0.5, 2),
        ([3, 1, 2], 0.5, 2),
        (range(1, 21), 0.95, 19),
        (range(1, 35), 0.95, 33),
        ([7], 0.95, 7),
        ([7, 8], 0.0, 7),
        ([7, 8], 1.0, 8),
        ([], 0.5, 0.0),
    ],
)
def test_percentiles_by_nearest_rank(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == expected
