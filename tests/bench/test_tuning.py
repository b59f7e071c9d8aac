"""What was tried on the tuning questions: methods, and what each part of them is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from benchkit.measures import COLUMNS, measure, with_passages

from engine import ingest as ingesting
from engine.search import retriever
from engine.search.fusion import ranking as by_score, reciprocal_rank_fusion
from engine.search.retriever import Method
from engine.search.units import Unit, title_of
from engine.search.words import WordList

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchkit.house import House
    from benchkit.measures import Ranking
    from benchkit.tables import Tables

    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion
    from engine.model import Chunk

pytestmark = pytest.mark.models

WEIGHTS = {
    "no keyword share": {"KEYWORDS_IN_RERANK": 0.0},
    "no share of the pooled cosine": {"DENSE_IN_RERANK": 0.0},
    "no share of the question as said": {"AS_SAID_IN_RERANK": 0.0},
    "no definitions bonus": {"DEFINED": 0.0},
    "no bonus for named sections": {"NAMED": 0.0},
    "no bonus for the fitting step": {"FITTING": 0.0},
    "no sentences by meaning": {"ASKED": 0.0},
    "no bonus for scope": {"SCOPED": 0.0},
    "notices as rules": {"NOTICE": 0.0},
    "idle steps as others": {"IDLE": 0.0},
}
SHORT_OF_MODELS = tuple(
    name for name in WEIGHTS if "bonus" in name or name in {"notices as rules", "idle steps as others"}
)
"""What can be taken from `bm25` as well."""


def test_methods_and_ablations(
    house: House, tables: Tables, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = with_passages(questions / "tuning.jsonl")
    whole = house.engine()
    rows = [(f"`{method}`", *measure(asked, found_by(whole, method)).cells) for method in Method]
    rows.append(("`bm25` and `dense` by RRF", *measure(asked, fused(whole)).cells))
    rows += [
        (f"`{method}`, no date filter", *measure(asked, undated(whole, method)).cells) for method in Method
    ]
    for name, weights in WEIGHTS.items():
        with monkeypatch.context() as patch:
            for weight, value in weights.items():
                patch.setattr(retriever, weight, value)
            methods = [Method.BM25, Method.RERANK] if name in SHORT_OF_MODELS else [Method.RERANK]
            rows += [
                (f"`{method}`, {name}", *measure(asked, found_by(whole, method)).cells) for method in methods
            ]
    rows += of_engine(asked, house.engine(words=replace(whole.words, asked={})), "no sentences")
    rows += of_engine(asked, house.engine(words=WordList()), "no everyday words and no sentences")
    with monkeypatch.context() as patch:
        patch.setattr(retriever, "units_of", whole_chunks)
        patch.setattr(ingesting, "units_of", whole_chunks)
        coarse = house.engine(index=ingesting.embed(house.index, house.encoder))
        rows += of_engine(asked, coarse, "whole chunks for blocks")
    tables.add(
        "6-tuning",
        "What was tried, on the tuning questions",
        ("method", *COLUMNS),
        rows,
        f"The {len(asked)} questions of `questions/tuning.jsonl` that have passages, date filter before the "
        "ranking unless said otherwise. This set was tuned on: it compares variants and promises nothing.",
    )


def of_engine(asked: Sequence[DatedQuestion], engine: Engine, what: str) -> list[tuple[str, ...]]:
    return [(f"`{method}`, {what}", *measure(asked, found_by(engine, method)).cells) for method in Method]


def found_by(engine: Engine, method: Method) -> Ranking:
    return lambda asked: chunks_of(engine, asked, method)


def undated(engine: Engine, method: Method) -> Ranking:
    return lambda asked: [
        hit.chunk for hit in engine.search(asked.question, None, method=method, top=200).hits
    ]


def fused(engine: Engine) -> Ranking:
    def ranking(asked: DatedQuestion) -> list[Chunk]:
        places = {chunk.id: place for place, chunk in enumerate(engine.chunks)}
        rankings = [
            [places[chunk.id] for chunk in chunks_of(engine, asked, method)]
            for method in (Method.BM25, Method.DENSE)
        ]
        return [engine.chunks[place] for place in by_score(reciprocal_rank_fusion(rankings, (1.0, 1.0)))]

    return ranking


def chunks_of(engine: Engine, asked: DatedQuestion, method: Method) -> list[Chunk]:
    return [hit.chunk for hit in engine.search(asked.question, asked.as_of, method=method, top=200).hits]


def whole_chunks(chunks: Sequence[Chunk]) -> tuple[Unit, ...]:
    """One unit a chunk, with the section's title; a definition below the first block earns no bonus then."""
    return tuple(
        Unit(place, 0, f"{title_of(chunk.version.text)}\n{chunk.body}", chunk.body)
        for place, chunk in enumerate(chunks)
    )
