"""Search judged: the right paragraph of the right version, and what stands in front of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from engine.engine import SearchResult
from engine.evaluation.questions import Place, load_questions
from engine.evaluation.retrieval import holds, run_retrieval
from engine.model import BlockKind, Hit
from engine.search.retriever import Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion
    from engine.evaluation.retrieval import RetrievalRun
    from engine.model import Chunk

    Passage = Callable[..., Chunk]
    Asked = Callable[..., DatedQuestion]

QUESTIONS = Path(__file__).parents[3] / "questions" / "questions.jsonl"
SECOND = date(2021, 8, 2)


@dataclass
class Finds:
    """An engine whose searches find what a test says."""

    chunks: list[Chunk]
    searched: list[tuple[str, date | None, dict[str, Any]]] = field(default_factory=list)

    def search(self, query: str, as_of: date | None, **options: Any) -> SearchResult:
        self.searched.append((query, as_of, options))
        hits = tuple(Hit(rank, 1 / rank, chunk, in_force=None) for rank, chunk in enumerate(self.chunks, 1))
        return SearchResult(hits, Method.BM25, None, ())


def ranked(chunks: list[Chunk], question: DatedQuestion, *, date_filter: bool = True) -> RetrievalRun:
    found = cast("Engine", Finds(chunks))
    return run_retrieval(found, [question], Method.BM25, date_filter=date_filter)


class TestHolds:
    @pytest.mark.parametrize(
        ("place", "expected"),
        [
            (Place("250.5", SECOND, "(a)(2)"), True),
            (Place("250.5", SECOND, "(a)"), True),
            (Place("250.5", SECOND, "(a)(3)"), False),
            (Place("250.5", SECOND, "(b)"), False),
            (Place("250.5", date(2025, 1, 22), "(a)(2)"), False),
            (Place("254.5", SECOND, "(a)(2)"), False),
            (Place("250.5", SECOND, "(a)(2)", ("nowhere", "at least 200 percent")), True),
            (Place("250.5", SECOND, "(a)(2)", ("nowhere", "at least 400 percent")), False),
            # Every block of this passage has a label.
            (Place("250.5", SECOND, ""), False),
        ],
    )
    def test_section_version_paragraph_and_words_decide(
        self, place: Place, expected: bool, passage: Passage
    ) -> None:
        assert holds(passage("250.5", "2022-06-10", "(a)(2)"), place) is expected

    def test_any_version_will_do_when_that_is_asked(self, passage: Passage) -> None:
        place = Place("250.5", date(2025, 1, 22), "(a)(2)")

        assert holds(passage("250.5", "2022-06-10", "(a)(2)"), place, any_version=True)

    def test_text_before_the_first_label_has_an_empty_one(self, engine: Engine) -> None:
        definitions = next(chunk for chunk in engine.chunks if chunk.section == "250.1")
        first = definitions.version.effective_from

        assert holds(definitions, Place("250.1", first, ""))

    def test_a_notice_is_no_rule(self, passage: Passage) -> None:
        pending = passage("250.5", "2024-12-01", "(a)")
        notice = pending.blocks[0]

        assert notice.kind is BlockKind.NOTICE
        place = Place("250.5", date(2024, 10, 24), notice.label, ("Link to an amendment",))
        assert not holds(pending, place)


class TestFigures:
    @pytest.fixture
    def chunks(self, passage: Passage) -> list[Chunk]:
        """What was in force in 2025, the wanted one of 2022, and three more of 2022."""
        return [
            passage("250.5", "2025-06-01", "(a)(2)"),
            passage("250.5", "2022-06-10", "(a)(2)"),
            passage("250.5", "2022-06-10", "(b)(2)"),
            passage("250.5", "2022-06-10", "(c)"),
            passage("250.5", "2022-06-10", "(d)"),
            passage("250.5", "2022-06-10", "(e)"),
        ]

    def test_measures_are_those_worked_out_by_hand(self, chunks: list[Chunk], asked: Asked) -> None:
        places = (Place("250.5", SECOND, "(a)(2)"), Place("250.5", SECOND, "(e)"))
        figures = ranked(chunks, asked(relevant=places)).figures()

        # The first wanted passage is second, the other one sixth.
        assert (
            figures
            | {
                "hit@5": 1.0,
                "recall@1": 0.0,
                "recall@3": 0.5,
                "recall@5": 0.5,
                "recall@10": 1.0,
                "precision@5": 0.2,
                "mrr": 0.5,
                "mrr interval": [0.5, 0.5],
                "questions": 1,
                "method": "bm25",
                "date_filter": True,
                "places": 5,
                "places not in force": 1,
                "other version first": 1,
            }
            == figures
        )

    def test_the_right_version_first_is_not_counted_as_another(
        self, chunks: list[Chunk], asked: Asked
    ) -> None:
        (row,) = ranked(chunks[1:], asked()).rows

        assert not row.other_version_first
        assert (row.not_in_force, row.places) == (0, 5)

    def test_where_no_version_of_the_paragraph_comes_up_none_is_first(
        self, chunks: list[Chunk], asked: Asked
    ) -> None:
        (row,) = ranked(chunks[3:4], asked()).rows

        assert not row.other_version_first
        assert (row.places, row.ranking) == (1, ((False,),))

    def test_means_are_over_questions_with_passages_and_each_is_told(
        self, chunks: list[Chunk], asked: Asked
    ) -> None:
        told: list[str] = []
        found = Finds(chunks[:2])
        questions = [asked(), asked(id="X2", relevant=()), asked(id="X3", relevant=(Place("9", SECOND, ""),))]
        run = run_retrieval(
            cast("Engine", found), questions, Method.DENSE, date_filter=False, tell=told.append
        )

        assert told == ["X1", "X3"]
        assert [row.id for row in run.rows] == ["X1", "X3"]
        assert run.figures()["mrr"] == 0.25
        assert run.figures()["mrr interval"] == [0.0, 0.5]
        assert found.searched[0] == (questions[0].question, None, {"method": Method.DENSE, "top": 10})

    def test_the_filter_searches_on_the_day(self, asked: Asked) -> None:
        found = Finds([])
        run = run_retrieval(cast("Engine", found), [asked()], Method.BM25, date_filter=True)

        assert [day for _, day, _ in found.searched] == [date(2022, 6, 10)]
        assert run.figures()["recall@5"] == 0.0

    def test_without_questions_the_figures_are_zero(self) -> None:
        run = run_retrieval(cast("Engine", Finds([])), [], Method.BM25, date_filter=True)

        assert (run.figures()["mrr"], run.figures()["mrr interval"]) == (0.0, [0.0, 0.0])


class TestTheShippedQuestions:
    @pytest.fixture(scope="class")
    def runs(self, engine: Engine) -> dict[bool, RetrievalRun]:
        rows = load_questions(QUESTIONS)
        return {on: run_retrieval(engine, rows, Method.BM25, date_filter=on) for on in (True, False)}

    def test_with_the_filter_on_no_place_is_out_of_force(self, runs: dict[bool, RetrievalRun]) -> None:
        figures = runs[True].figures()

        assert (figures["questions"], figures["places"]) == (26, 130)
        assert figures["places not in force"] == 0
        assert figures["other version first"] == 0

    def test_without_it_other_versions_come_up_and_come_first(self, runs: dict[bool, RetrievalRun]) -> None:
        figures = runs[False].figures()

        assert figures["places not in force"] > 0
        assert figures["other version first"] > 0
        assert figures["mrr"] < runs[True].figures()["mrr"]

    def test_every_mean_lies_in_its_interval(self, runs: dict[bool, RetrievalRun]) -> None:
        for run in runs.values():
            figures = run.figures()
            measures = [name.removesuffix(" interval") for name in figures if name.endswith(" interval")]
            assert len(measures) == 7
            for name in measures:
                low, high = figures[f"{name} interval"]
                assert low <= figures[name] <= high

    def test_the_same_questions_give_the_same_figures(
        self, engine: Engine, runs: dict[bool, RetrievalRun]
    ) -> None:
        rows = load_questions(QUESTIONS)[:6]
        again = run_retrieval(engine, rows, Method.BM25, date_filter=True)

        assert again.rows == runs[True].rows[: len(again.rows)]
        assert replace(runs[True], rows=again.rows).figures() == again.figures()
