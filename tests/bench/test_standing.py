"""Random dated searches: not one hit out of force, as the XML copies tell it."""

from __future__ import annotations

import os
import random
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from benchkit.standing import Copies
from benchkit.timing import elapsed

from engine.evaluation.questions import load_questions
from engine.search.retriever import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchkit.house import House
    from benchkit.standing import Judge
    from benchkit.tables import Tables

    from engine.engine import Engine

pytestmark = pytest.mark.models

SHARE = float(os.environ.get("BENCH_SHARE", "1"))
"""A part of the searches, for a quick look."""
KEYWORD_SEARCHES = int(100_000 * SHARE)
RERANKS = int(10_000 * SHARE)
POOL = 200
FIRST = date(2016, 1, 1)
DAYS = 4100
"""From a year before the history to half a year after the up-to-date day."""


def test_random_dated_searches_hit_only_what_is_in_force(
    house: House, tables: Tables, questions: Path
) -> None:
    engine = house.engine()
    judge = Copies.read(engine.collection.folder).judge(engine.chunks)
    assert misses(engine, judge, Method.BM25, None, "denied boarding compensation") > 0, (
        "the judge sees nothing"
    )
    chance = random.Random(250)
    spoken = [question.question for question in load_questions(questions / "tuning.jsonl")]
    known = sorted({word for chunk in engine.chunks for word in chunk.titled.split()})

    def made_up() -> str:
        if chance.random() < 0.1:
            return chance.choice(spoken)
        return " ".join(chance.choices(known, k=chance.randint(1, 8)))

    pool = [made_up() for _ in range(POOL)]
    rows = []
    for method, count, query in (
        (Method.BM25, KEYWORD_SEARCHES, made_up),
        (Method.RERANK, RERANKS, lambda: chance.choice(pool)),
    ):
        tally = Tally(engine, judge, method, chance)
        seconds = elapsed(lambda t=tally, q=query, n=count: t.run(q, n))
        rows.append(
            (method, f"{count:,}", f"{tally.hits:,}", str(tally.out), f"{seconds / count * 1000:.2f} ms")
        )
        assert tally.out == 0, tally.example
    tables.add(
        "5-standing",
        "Random dated searches",
        ("method", "searches", "hits", "hits out of force", "each"),
        rows,
        "Random days from 2016 to 2027, random words of the texts and questions, 1 to 200 hits asked for; "
        f"`rerank` draws from {POOL} questions that are encoded once. A hit is in force when its section "
        "version is, letter for letter, the section in the last XML copy that is not later than the day.",
    )


class Tally:
    """Counts the hits of one method, and those out of force."""

    def __init__(self, engine: Engine, judge: Judge, method: Method, chance: random.Random) -> None:
        self.engine, self.judge, self.method, self.chance = engine, judge, method, chance
        self.hits = self.out = 0
        self.example = ""

    def run(self, query: Callable[[], str], count: int) -> None:
        for _ in range(count):
            day = FIRST + timedelta(days=self.chance.randrange(DAYS))
            text, top = query(), self.chance.randint(1, 200)
            ids = self._ids(text, day, top)
            out = [name for name in ids if name not in self.judge.in_force(day)]
            self.hits += len(ids)
            self.out += len(out)
            if out:
                self.example = f"{text!r} on {day}: {out}"

    def _ids(self, text: str, day: date, top: int) -> Sequence[str]:
        return [hit.chunk.id for hit in self.engine.search(text, day, method=self.method, top=top).hits]


def misses(engine: Engine, judge: Judge, method: Method, day: date | None, text: str) -> int:
    """Hits of an undated search that are out of force on one day: the judge has to see some."""
    found = engine.search(text, day, method=method, top=200).hits
    return sum(hit.chunk.id not in judge.in_force(date(2022, 6, 10)) for hit in found)
