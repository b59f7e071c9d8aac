"""Answers judged: right, honest, cited from the right version; and counted over a set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine.evaluation.answers import AnswerRun, JudgedAnswer, judge, run_answers
from engine.evaluation.questions import Place
from engine.model import (
    Answer,
    AnswerCard,
    Claim,
    Context,
    Question,
    Reason,
    SnapshotStamp,
    Source,
    Status,
    Usage,
)
from engine.search.retriever import Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion
    from engine.model import Chunk

    Passage = Callable[..., Chunk]
    Asked = Callable[..., DatedQuestion]

DAY = date(2022, 6, 10)
RIGHT = "At least 200 percent of the fare, or $775, whichever is lower."


def card_of(
    question: DatedQuestion,
    answer: str = RIGHT,
    status: Status = Status.ANSWERED,
    cited: tuple[Chunk, ...] = (),
    **more: Any,
) -> AnswerCard:
    sources = tuple(
        Source(number, chunk, chunk.version.in_force(question.as_of), chunk.paragraphs, chunk.body)
        for number, chunk in enumerate(cited, 1)
    )
    base = AnswerCard(
        question=question.question,
        as_of=question.as_of,
        coverage=more.pop("coverage", None),
        status=status,
        answer=answer,
        answerer="says",
        method="bm25",
        date_filter=True,
        snapshot=SnapshotStamp("us-14-cfr", date(2026, 10, 7), "0" * 64),
        notice="",
        attribution="",
        sources=sources,
    )
    return replace(base, **more)


class TestRight:
    @pytest.mark.parametrize(
        ("answer", "status", "right", "wrong"),
        [
            (RIGHT, Status.ANSWERED, True, False),
            # No key, and the amount of a later version beside the right one.
            ("At least 200 percent of the fare.", Status.ANSWERED, False, True),
            (f"{RIGHT} Later $1,075.", Status.ANSWERED, False, True),
            ("", Status.ANSWERED, False, True),
            # An abstention is no answer, whatever words it uses; it is not shown as one either.
            (RIGHT, Status.ABSTAINED, False, False),
            (RIGHT, Status.NOT_HELD, False, False),
            ("", Status.FAILED, False, False),
            ("", Status.NO_RECORDING, False, False),
        ],
    )
    @pytest.mark.parametrize("kind", ["dated", "pending", "correction", "stable", "after"])
    def test_where_there_is_an_answer_it_has_every_key_and_nothing_forbidden(
        self, kind: str, answer: str, status: Status, right: bool, wrong: bool, asked: Asked
    ) -> None:
        question = asked(kind=kind)
        judged = judge(card_of(question, answer, status), question)

        assert (judged.right, judged.shown_but_wrong) == (right, wrong)
        assert (judged.id, judged.kind, judged.status, judged.answer) == ("X1", kind, status, answer)

    @pytest.mark.parametrize(
        ("answer", "status", "right", "wrong"),
        [
            ("No such rule was in force.", Status.ABSTAINED, True, False),
            ("Nothing is held for that day.", Status.NOT_HELD, True, False),
            ("No such rule; from 2021 on it is $1,075.", Status.ABSTAINED, False, False),
            ("No such rule was in force.", Status.ANSWERED, False, True),
            # Neither a broken server nor a missing recording has judged anything.
            ("", Status.FAILED, False, False),
            ("No recording for this request.", Status.NO_RECORDING, False, False),
        ],
    )
    @pytest.mark.parametrize("kind", ["before", "absent", "not_covered"])
    def test_where_there_is_none_the_right_answer_is_an_abstention(
        self, kind: str, answer: str, status: Status, right: bool, wrong: bool, asked: Asked
    ) -> None:
        question = asked(kind=kind, relevant=(), keys=("never read",))
        judged = judge(card_of(question, answer, status), question)

        assert (judged.right, judged.shown_but_wrong) == (right, wrong)

    def test_every_key_is_wanted_in_any_case_and_across_lines(self, asked: Asked) -> None:
        question = asked(keys=("WHICHEVER", r"200 percent.*\$775"))

        assert judge(card_of(question, "whichever is lower:\n200 percent\nor $775"), question).right
        assert not judge(card_of(question, "200 percent or $775"), question).right


class TestCitations:
    def test_versions_and_places_are_counted_by_source(self, passage: Passage, asked: Asked) -> None:
        question = asked(
            relevant=(
                Place("250.5", date(2021, 8, 2), "(a)(2)"),
                Place("250.5", date(2021, 8, 2), "(a)(1)"),
                Place("250.5", date(2021, 8, 2), "(e)"),
            )
        )
        cited = (
            passage("250.5", "2022-06-10", "(a)(2)"),
            passage("250.5", "2022-06-10", "(b)(2)"),
            passage("250.5", "2025-06-01", "(a)(2)"),
        )
        claims = (Claim("a", ()), Claim("b", (), problems=("wrong", "very wrong")), Claim("c", ()))
        judged = judge(card_of(question, cited=cited, claims=claims), question)

        assert (judged.cited, judged.cited_in_force, judged.cited_relevant) == (3, 2, 1)
        # One passage holds (a)(1) and (a)(2); nothing cited holds (e).
        assert (judged.wanted, judged.wanted_cited) == (3, 2)
        assert (judged.claims, judged.flagged) == (3, 1)

    def test_what_an_abstention_rests_on_is_no_citation(self, passage: Passage, asked: Asked) -> None:
        question = asked()
        cited = (passage("250.5", "2022-06-10", "(a)(2)"),)
        judged = judge(card_of(question, status=Status.ABSTAINED, cited=cited), question)

        assert (judged.cited, judged.cited_in_force, judged.cited_relevant) == (0, 0, 0)
        assert (judged.wanted, judged.wanted_cited) == (1, 0)


@pytest.mark.parametrize(
    ("timings", "milliseconds"),
    [
        ({"search": 1.0, "answer": 2.0, "total": 3.0}, 3.0),
        ({"search": 1.0, "answer": 2.0, "total": 3.0, "recorded": 4500.0}, 4500.0),
        ({}, 0.0),
    ],
)
def test_a_recorded_answer_takes_what_it_took(
    timings: dict[str, float], milliseconds: float, asked: Asked
) -> None:
    question = asked()
    judged = judge(card_of(question, timings_ms=timings, usage=Usage(30, 4)), question)

    assert judged.milliseconds == milliseconds
    assert (judged.tokens_in, judged.tokens_out) == (30, 4)
    without = judge(card_of(question), question)
    assert (without.tokens_in, without.tokens_out) == (0, 0)


ROW = JudgedAnswer(
    id="X1",
    kind="dated",
    status=Status.ANSWERED,
    right=True,
    shown_but_wrong=False,
    cited=2,
    cited_in_force=2,
    cited_relevant=1,
    wanted=1,
    wanted_cited=1,
    claims=2,
    flagged=0,
    milliseconds=10.0,
    tokens_in=1000,
    tokens_out=50,
    answer=RIGHT,
)
ROWS = (
    ROW,
    replace(ROW, id="X2", right=False, shown_but_wrong=True, cited_in_force=1, cited_relevant=0, flagged=2,
            wanted=3, milliseconds=30.0),
    replace(ROW, id="X3", kind="stable", right=False, status=Status.ABSTAINED, cited=0, cited_in_force=0,
            cited_relevant=0, wanted_cited=0, claims=0, milliseconds=20.0),
    replace(ROW, id="X4", kind="absent", status=Status.ABSTAINED, cited=0, cited_in_force=0, cited_relevant=0,
            wanted=0, wanted_cited=0, claims=0, milliseconds=40.0),
    replace(ROW, id="X5", right=False, status=Status.NO_RECORDING, cited=0, cited_in_force=0,
            cited_relevant=0, wanted_cited=0, claims=0, tokens_in=0, tokens_out=0, milliseconds=0.1),
)  # fmt: skip


class TestFigures:
    @pytest.fixture
    def run(self) -> AnswerRun:
        return AnswerRun("replay", "small-1", "bm25", date_filter=False, rows=ROWS, stale=("X5",))

    def test_counts_are_those_worked_out_by_hand(self, run: AnswerRun) -> None:
        figures = run.figures()

        assert (
            figures
            | {
                "answerer": "replay",
                "model": "small-1",
                "method": "bm25",
                "date_filter": False,
                "questions": 5,
                "answerable": 4,
                "answerable right": 1,
                "abstained": 1,
                "no-answer": 1,
                "no-answer right": 1,
                "no-answer right interval": [1.0, 1.0],
                "shown but wrong": 1,
                "failed or not recorded": 1,
                "citations": 4,
                "citations of the right version": 3,
                "citation precision": 0.25,
                "citation recall": 0.333,
                "claims": 4,
                "claims flagged": 2,
                "tokens in": 4000,
                "tokens out": 200,
                "by kind": {
                    "dated": {"questions": 3, "right": 1, "shown but wrong": 1},
                    "stable": {"questions": 1, "right": 0, "shown but wrong": 0},
                    "absent": {"questions": 1, "right": 1, "shown but wrong": 0},
                },
                "stale": ["X5"],
            }
            == figures
        )
        low, high = figures["answerable right interval"]
        assert low <= 1 / 4 <= high

    def test_a_missing_recording_has_no_latency(self, run: AnswerRun) -> None:
        figures = run.figures()

        assert (figures["milliseconds median"], figures["milliseconds p95"]) == (20.0, 40.0)

    @pytest.mark.parametrize(("price_in", "price_out"), [(2.0, 10.0), (5.0, 0.0), (0.0, 1.0)])
    def test_cost_is_named_where_a_price_is_known(
        self, price_in: float, price_out: float, run: AnswerRun
    ) -> None:
        # 4000 tokens in and 200 out, over five questions.
        expected = (800 * price_in + 40 * price_out) / 1e6

        assert run.figures(price_in, price_out)["cost a question"] == pytest.approx(expected, abs=1e-6)
        assert "cost a question" not in run.figures()

    def test_no_questions_give_zeros(self) -> None:
        figures = AnswerRun("quote", None, "", date_filter=True, rows=()).figures(1.0, 1.0)

        assert figures["citation precision"] == figures["citation recall"] == figures["cost a question"] == 0
        assert figures["answerable right interval"] == [0.0, 0.0]
        assert (figures["milliseconds median"], figures["by kind"]) == (0.0, {})


@dataclass
class Recites:
    """An answerer that cites the first passage that it is given, and abstains from odd questions."""

    name: str = "recites"

    def answer(self, question: Question, context: Context) -> Answer:
        if "zebra" in question.text:
            return Answer(Status.ABSTAINED, "Nothing fits.", reason=Reason.NOTHING_FITS)
        claims = (Claim(RIGHT, context.ids[:1]),)
        return Answer(Status.ANSWERED, RIGHT, claims, model="small-1", usage=Usage(10, 2), seconds=1.5)


class TestRunning:
    def test_every_question_is_asked_on_its_day_and_told(self, engine: Engine, asked: Asked) -> None:
        told: list[str] = []
        questions = [
            asked(),
            asked(id="X2", kind="before", as_of=date(2015, 3, 10), relevant=()),
            asked(id="X3", kind="not_covered", question="May a zebra fly?", relevant=()),
        ]
        run = run_answers(engine, questions, Recites(), tell=told.append)

        assert told == ["X1", "X2", "X3"]
        assert [row.status for row in run.rows] == ["answered", "not_held", "abstained"]
        assert all(row.right for row in run.rows)
        assert (run.answerer, run.model, run.method, run.date_filter) == ("recites", "small-1", "bm25", True)
        assert run.rows[0].milliseconds == 1500.0
        assert run.rows[0].cited == run.rows[0].cited_in_force == 1

    def test_without_the_filter_a_day_before_the_history_is_asked_as_well(
        self, engine: Engine, asked: Asked
    ) -> None:
        question = asked(kind="before", as_of=date(2015, 3, 10), relevant=())
        run = run_answers(engine, [question], Recites(), method=Method.BM25, date_filter=False)

        (row,) = run.rows
        assert (row.status, row.right, row.shown_but_wrong) == ("answered", False, True)
        assert (row.cited, row.cited_in_force) == (1, 0)
        assert row.flagged == 1
        assert run.date_filter is False

    def test_closed_book_cites_nothing(self, engine: Engine, asked: Asked) -> None:
        (row,) = run_answers(engine, [asked()], Recites(), closed_book=True).rows

        assert (row.cited, row.flagged) == (0, 1)
