"""This search beside a plain pipeline of the same libraries, in the same run."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import pytest
from benchkit.measures import COLUMNS, TOP, measure, with_passages
from benchkit.plain import Filter, Plain, late_scores
from benchkit.quiet import Quiet, load
from benchkit.timing import calmly, forget

from engine.index import write_index
from engine.ingest import embed, ingest
from engine.search import encoder as encoders
from engine.search.retriever import Method

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

SLOW_QUESTIONS = 3
"""Questions on which the slowest row is timed."""
NAMES = {
    "bm25_okapi": "BM25Okapi",
    "bm25_plus": "BM25Plus",
    "dense": "one embedding",
    "late": "late interaction",
}


@pytest.fixture(scope="module")
def plain(house: House) -> Plain:
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - needs the models

    folder = encoders.locate(encoders.ModelSpec())
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return Plain(house.engine().chunks, model).build()


def test_what_is_found(house: House, plain: Plain, tables: Tables, questions: Path) -> None:
    asked = with_passages(questions / "questions.jsonl")
    engine = house.engine()
    rows = [
        ("this search", method, where, *measure(asked, ours(engine, method, where)).cells)
        for method in Method
        for where in (Filter.BEFORE, Filter.OFF)
    ]
    rows += [
        ("plain", name, where, *measure(asked, theirs(plain, method, where)).cells)
        for method, name in NAMES.items()
        for where in (Filter.BEFORE, Filter.AFTER, Filter.OFF)
    ]
    tables.add(
        "3-found",
        "What is found, on the test questions",
        ("", "method", "date filter", *COLUMNS),
        rows,
        f"The {len(asked)} questions of `questions/questions.jsonl` that have passages; nothing is tuned on "
        "them. A passage counts when it is of the right version and holds the paragraph. MRR looks at the "
        f"whole ranking; filtered after the cut, at what is left of the first {TOP}.",
    )


def test_how_long_it_takes(
    house: House, plain: Plain, tables: Tables, questions: Path, tmp_path: Path
) -> None:
    asked = with_passages(questions / "questions.jsonl")
    quiet = Quiet()
    index = [
        (calmly(lambda n=n: index_into(tmp_path / str(n), house), quiet), calmly(plain.build, quiet))
        for n in range(3)
    ]
    ours_index, plain_index = (median(column) for column in zip(*index, strict=True))
    engine = house.timed_engine()
    times = {method: timed_search(engine, asked, method, quiet) for method in Method}
    plain_times = {name: timed_plain(plain, asked, name, quiet) for name in NAMES}
    slow = [calmly(lambda q=q: encode_and_score(plain, q.question), quiet) for q in asked[:SLOW_QUESTIONS]]
    pairs = [
        ("index, models loaded", ours_index, "BM25 and one embedding a chunk", plain_index),
        ("`bm25`", times[Method.BM25], "BM25Okapi", plain_times["bm25_okapi"]),
        ("`bm25`", times[Method.BM25], "BM25Plus", plain_times["bm25_plus"]),
        ("`dense`", times[Method.DENSE], "one embedding", plain_times["dense"]),
        ("`hybrid`", times[Method.HYBRID], "one embedding", plain_times["dense"]),
        ("`rerank`", times[Method.RERANK], "late interaction, token vectors kept", plain_times["late"]),
        ("`rerank`", times[Method.RERANK], "late interaction, all encoded at the question", median(slow)),
    ]
    texts = len(house.index.vectors)
    tables.add(
        "4-time",
        "Time beside the plain pipeline",
        ("this search", "takes", "plain", "takes", "ratio"),
        [(a, shown(x), b, shown(y), f"{x / y:.2f}") for a, x, b, y in pairs],
        f"Medians, over 3 runs for the index and {len(asked)} questions for a warm search. The index here "
        f"reads the XML, encodes {texts} different texts with all their tokens and is written to disk; the "
        f"plain one is given its {len(plain.chunks)} chunks, encodes each with the model's own limit of 256 "
        "word pieces and stays in memory. Ratio: this search by plain; below 1 is faster." + load(),
    )


def ours(engine: Engine, method: Method, where: Filter) -> Ranking:
    def ranking(question: DatedQuestion) -> list[Chunk]:
        day = question.as_of if where is Filter.BEFORE else None
        return [hit.chunk for hit in engine.search(question.question, day, method=method, top=200).hits]

    return ranking


def theirs(plain: Plain, method: str, where: Filter) -> Ranking:
    return lambda question: plain.ranking(method, where, question, TOP)


def index_into(path: Path, house: House) -> None:
    index = embed(ingest(house.collection).index, house.encoder, sentences=house.words.sentences)
    write_index(path, index)


def timed_search(engine: Engine, asked: Sequence[DatedQuestion], method: Method, quiet: Quiet) -> float:
    def one(question: DatedQuestion) -> float:
        forget(engine)
        return calmly(lambda: engine.search(question.question, question.as_of, method=method), quiet)

    one(asked[0])
    return median(one(question) for question in asked)


def timed_plain(plain: Plain, asked: Sequence[DatedQuestion], method: str, quiet: Quiet) -> float:
    def one(question: DatedQuestion) -> float:
        plain.forget()
        return calmly(lambda: plain.ranking(method, Filter.BEFORE, question, TOP), quiet)

    one(asked[0])
    return median(one(question) for question in asked)


def encode_and_score(plain: Plain, question: str) -> None:
    late_scores(plain.encode(question)[1], plain.encode_all())


def shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
