"""Measures of rankings and of proportions, as pure functions."""

from __future__ import annotations

import math
import random
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RESAMPLES = 2000
"""Of the bootstrap; 95 % intervals move by less than a point beyond it."""

Found = tuple[bool, ...]
"""For one place of a ranking: which of the relevant passages it holds."""


def hit_at(ranking: Sequence[Found], k: int) -> float:
    """1 when one of the first `k` places holds a relevant passage, else 0."""
    return float(any(any(found) for found in ranking[:k]))


def recall_at(ranking: Sequence[Found], k: int) -> float:
    """The share of the relevant passages that stand in the first `k` places."""
    if not ranking:
        return 0.0
    wanted = len(ranking[0])
    return sum(any(found[n] for found in ranking[:k]) for n in range(wanted)) / wanted


def precision_at(ranking: Sequence[Found], k: int) -> float:
    """The share of the first `k` places, filled or not, that hold a relevant passage."""
    return sum(any(found) for found in ranking[:k]) / k


def reciprocal_rank(ranking: Sequence[Found]) -> float:
    """1 / the 1-based place of the first relevant passage; 0 when there is none."""
    return next((1 / place for place, found in enumerate(ranking, 1) if any(found)), 0.0)


def interval(
    values: Sequence[float], statistic: Callable[[Sequence[float]], float] = fmean, seed: int = 0
) -> tuple[float, float]:
    """The 95 % bootstrap interval (percentiles) of a statistic over questions; the same every time.

    Questions are drawn with repetition. Few questions give wide intervals: that is what it is for.
    """
    if not values:
        return (0.0, 0.0)
    draw = random.Random(seed)  # noqa: S311 - a repeatable sample, no secret
    made = sorted(statistic(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return made[round(0.025 * (RESAMPLES - 1))], made[round(0.975 * (RESAMPLES - 1))]


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that `share` of the values do not exceed (nearest rank); 0 for none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
