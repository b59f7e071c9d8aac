"""Several rankings of the same things made into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RRF_K = 60
"""The customary constant of reciprocal rank fusion."""


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[int]], weights: Sequence[float], k: int = RRF_K
) -> dict[int, float]:
    """Return the fused score of each thing: the sum of weight / (k + its 1-based rank) over rankings."""
    fused: dict[int, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, thing in enumerate(ranking, 1):
            fused[thing] = fused.get(thing, 0.0) + weight / (k + rank)
    return fused


def ranking(scores: Mapping[int, float]) -> list[int]:
    """Things by falling score; of equal ones the lower number first, so that the order never varies."""
    return sorted(scores, key=lambda thing: (-scores[thing], thing))


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores divided by the best one; empty for no scores."""
    best = max(scores.values(), default=0.0)
    return {thing: score / best for thing, score in scores.items()} if best > 0 else {}
