"""The usual measurement in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation.measured import measure

if TYPE_CHECKING:
    from engine.engine import Engine


def test_search_and_answers_are_measured_with_the_filter_and_without(engine: Engine) -> None:
    heard: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> bool:
        heard.append((done, total))
        return True

    made = measure(engine, tell)

    assert made is not None
    assert made.method == "bm25"
    assert [run["date_filter"] for run in made.retrieval] == [True, False]
    assert [run["date_filter"] for run in made.answers] == [True, False]
    assert made.retrieval[0]["places not in force"] == 0
    assert made.retrieval[1]["places not in force"] > 0
    total = heard[0][1]
    assert heard == [(done, total) for done in range(1, total + 1)]


def test_it_stops_when_it_is_told_to(engine: Engine) -> None:
    heard: list[int] = []

    def tell(done: int, _: int) -> bool:
        heard.append(done)
        return done < 3

    assert measure(engine, tell) is None
    assert heard == [1, 2, 3]
