"""Answers recorded, saved and played again; and what makes a recording stale."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from engine.answerers import prompt
from engine.answerers.quote import QuoteAnswerer
from engine.answerers.replay import BUILT_IN, NO_RECORDING, load_replay, read_recordings
from engine.engine import Engine
from engine.errors import UsageError
from engine.evaluation.answers import run_answers
from engine.evaluation.questions import load_questions
from engine.evaluation.recording import Beside, Voice, open_journal, record, save
from engine.model import Answer, Status, Usage
from engine.search.retriever import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.answerers.replay import Recording, ReplayAnswerer
    from engine.evaluation.questions import DatedQuestion
    from engine.ingest import IngestReport
    from engine.model import AnswerCard, Context, Question
    from engine.snapshot import Collection

    Asked = Callable[..., DatedQuestion]

CHECKOUT = Path(__file__).parents[3]


QUOTE = Voice(QuoteAnswerer(), "quote", BUILT_IN)


def recorded(
    engine: Engine, questions: list[DatedQuestion], *, date_filter: bool = True
) -> tuple[Recording, ...]:
    return record(engine, questions, QUOTE, date_filter=date_filter)


def saved(folder: Path, rows: Iterable[Recording]) -> Path:
    """The rows kept one by one and made one file, as `record` does it."""
    given = list(rows)
    journal = open_journal(folder, given[0].model, date_filter=given[0].date_filter)
    for row in given:
        journal.add(row)
    return journal.finish()


def replayed(
    engine: Engine, folder: Path, question: DatedQuestion, *, date_filter: bool = True
) -> AnswerCard:
    replay = load_replay([folder], "quote")
    return engine.ask(question.question, question.as_of, answerer=replay, date_filter=date_filter)


def stale(engine: Engine, replay: ReplayAnswerer, questions: list[DatedQuestion]) -> tuple[str, ...]:
    run = run_answers(engine, questions, replay)
    played = [row.id for row in run.rows if row.status != Status.NO_RECORDING]
    asked = [row.id for row in questions]
    return replay.stale(asked, played, date_filter=True, snapshot=engine.collection.sha256)


class TestRecording:
    def test_a_question_before_the_history_reaches_no_answerer(
        self, engine: Engine, questions: list[DatedQuestion]
    ) -> None:
        on, off = (recorded(engine, questions, date_filter=state) for state in (True, False))

        assert [row.id for row in on] == ["X1", "X2", "X4"]
        assert [row.id for row in off] == ["X1", "X2", "X3", "X4"]
        assert {row.date_filter for row in on} == {True}
        assert {row.date_filter for row in off} == {False}

    def test_a_recording_names_model_source_texts_and_time(
        self, engine: Engine, questions: list[DatedQuestion]
    ) -> None:
        (row,) = recorded(engine, questions[:1])

        assert (row.model, row.answer.model, row.source) == ("quote", "quote", "built in")
        assert row.snapshot == engine.collection.sha256
        assert len(row.request) == 64
        assert row.seconds > 0

    def test_every_question_is_told_recorded_or_not(
        self, engine: Engine, questions: list[DatedQuestion]
    ) -> None:
        told: list[str] = []
        record(engine, questions, Voice(QuoteAnswerer(), "m", "s"), method=Method.BM25, tell=told.append)

        assert told == ["X1", "X2", "X3", "X4"]

    def test_the_question_itself_is_not_kept(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        path = saved(tmp_path, recorded(engine, questions))
        text = path.read_text("utf-8")

        for question in questions:
            assert question.question not in text
        for line in text.splitlines():
            assert json.loads(line).keys() == {
                "id",
                "date_filter",
                "request",
                "model",
                "source",
                "snapshot",
                "seconds",
                "usage",
                "answer",
            }


class TestSaving:
    def test_the_file_is_named_by_model_and_filter(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        on = saved(tmp_path, recorded(engine, questions))
        off = saved(tmp_path, recorded(engine, questions, date_filter=False))

        assert on == tmp_path / "quote" / "filter-on.jsonl"
        assert off == tmp_path / "quote" / "filter-off.jsonl"

    @pytest.mark.skipif(os.name != "posix", reason="this system has no modes of files")
    def test_everybody_can_read_it(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        assert saved(tmp_path, recorded(engine, questions[:1])).stat().st_mode & 0o777 == 0o644

    def test_other_questions_keep_their_recordings_and_the_same_ones_are_replaced(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        rows = recorded(engine, questions)
        path = saved(tmp_path, reversed(rows))
        saved(tmp_path, [replace(rows[1], source="again")])

        assert [(row.id, row.source) for row in read_recordings(path)] == [
            ("X1", "built in"),
            ("X2", "again"),
            ("X4", "built in"),
        ]

    def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
        self,
        engine: Engine,
        questions: list[DatedQuestion],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        rows = recorded(engine, questions)
        path = saved(tmp_path, rows)
        before = path.read_bytes()

        def full(*_: object) -> NoReturn:
            raise OSError("No space left")

        monkeypatch.setattr(Path, "replace", full)
        with pytest.raises(UsageError, match=r"cannot be written to .*filter-on\.jsonl: No space left"):
            save(path, [replace(rows[0], source="again")])

        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    def test_a_folder_that_is_a_file_is_named(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()

        with pytest.raises(UsageError, match="cannot be written") as caught:
            save(tmp_path / "file" / "filter-on.jsonl", recorded(engine, questions[:1]))
        assert "--out" in caught.value.hint

    def test_nothing_recorded_is_nothing_to_save(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        with pytest.raises(UsageError, match="Nothing was recorded"):
            save(tmp_path / "filter-on.jsonl", recorded(engine, questions[2:3]))

        assert list(tmp_path.iterdir()) == []

    def test_a_damaged_file_is_not_written_over(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        path = tmp_path / "quote" / "filter-on.jsonl"
        path.parent.mkdir()
        path.write_text("half a li", "utf-8")

        with pytest.raises(UsageError, match=r"filter-on\.jsonl, line 1"):
            save(path, recorded(engine, questions[:1]))
        assert path.read_text("utf-8") == "half a li"


class TestPlaying:
    @pytest.mark.parametrize("date_filter", [True, False])
    def test_the_same_requests_get_the_same_answers(
        self, date_filter: bool, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        saved(tmp_path, recorded(engine, questions, date_filter=date_filter))

        for question in questions:
            live = engine.ask(question.question, question.as_of, date_filter=date_filter)
            again = replayed(engine, tmp_path, question, date_filter=date_filter)
            for name in ("status", "reason", "error", "answer", "claims", "sources", "warnings", "dropped"):
                assert getattr(again, name) == getattr(live, name), (question.id, name)
            assert again.answerer == "replay"

    def test_model_tokens_and_time_are_those_of_the_recording(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        @dataclass
        class Slow:
            name: str = "slow"

            def answer(self, question: Question, context: Context) -> Answer:
                said = QuoteAnswerer().answer(question, context)
                return replace(said, model="whatever the server says", usage=Usage(120, 30))

        (row,) = record(engine, questions[:1], Voice(Slow(), "org/small:1", "server localhost:1"))
        saved(tmp_path, [replace(row, seconds=12.3456)])
        replay = load_replay([tmp_path], "org/small:1")
        run = run_answers(engine, questions[:1], replay)

        assert [path.name for path in tmp_path.iterdir()] == ["org_small_1"]
        assert run.model == "org/small:1"
        assert (run.rows[0].tokens_in, run.rows[0].tokens_out) == (120, 30)
        assert run.rows[0].milliseconds == 12346.0
        assert run.figures()["milliseconds median"] == 12346.0

    def test_another_question_has_no_recording(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        saved(tmp_path, recorded(engine, questions[:1]))
        card = replayed(engine, tmp_path, replace(questions[0], question="How much for a bag?"))

        assert (card.status, card.answer, card.model) == (Status.NO_RECORDING, NO_RECORDING, "quote")
        assert (card.claims, card.sources) == ((), ())

    def test_another_day_has_no_recording(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        saved(tmp_path, recorded(engine, questions[:1]))
        card = replayed(engine, tmp_path, replace(questions[0], as_of=date(2022, 6, 11)))

        assert card.status is Status.NO_RECORDING


class TestStale:
    @pytest.fixture
    def replay(self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path) -> ReplayAnswerer:
        saved(tmp_path, recorded(engine, [questions[0], questions[3]]))
        return load_replay([tmp_path], "quote")

    def test_fresh_recordings_are_not(
        self, engine: Engine, questions: list[DatedQuestion], replay: ReplayAnswerer
    ) -> None:
        assert stale(engine, replay, questions) == ()

    def test_a_changed_prompt_makes_all_stale(
        self,
        engine: Engine,
        questions: list[DatedQuestion],
        replay: ReplayAnswerer,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(prompt, "SYSTEM", prompt.SYSTEM + " Be brief.")
        prompt.prompt_hash.cache_clear()
        try:
            # What was never recorded is not stale.
            assert stale(engine, replay, questions) == ("X1", "X4")
        finally:
            monkeypatch.undo()
            prompt.prompt_hash.cache_clear()

    def test_another_context_makes_stale(
        self,
        collection: Collection,
        ingested: IngestReport,
        questions: list[DatedQuestion],
        replay: ReplayAnswerer,
    ) -> None:
        engine = Engine(collection, ingested.index)
        engine.settings = replace(engine.settings, top=1)

        assert stale(engine, replay, questions) == ("X1", "X4")

    def test_other_texts_make_stale_even_where_the_request_is_the_same(
        self,
        collection: Collection,
        ingested: IngestReport,
        questions: list[DatedQuestion],
        replay: ReplayAnswerer,
    ) -> None:
        engine = Engine(replace(collection, sha256="0" * 64), ingested.index)
        run = run_answers(engine, questions[:1], replay)

        assert run.rows[0].status == Status.ANSWERED
        assert stale(engine, replay, questions) == ("X1", "X4")

    def test_one_changed_question_is_stale_alone(
        self, engine: Engine, questions: list[DatedQuestion], replay: ReplayAnswerer
    ) -> None:
        questions[3] = replace(questions[3], question="What is the limit of liability for lost baggage?")

        assert stale(engine, replay, questions) == ("X4",)


class TestBeside:
    """What is built in is known to be stale by what it says today."""

    def test_the_same_words_change_nothing(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        saved(tmp_path, recorded(engine, questions))
        replay = load_replay([tmp_path], "quote")
        beside = Beside(replay, QuoteAnswerer())
        run = run_answers(engine, questions, beside)

        assert replay.built_in
        assert [row.status for row in run.rows] == [
            row.status for row in run_answers(engine, questions, replay).rows
        ]
        assert (run.answerer, beside.changed) == ("replay", set())

    def test_another_answer_to_the_same_request_is_noted_and_the_recorded_one_is_played(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        rows = recorded(engine, questions)
        saved(tmp_path, [replace(rows[0], answer=Answer(Status.FAILED, error="once")), *rows[1:2]])
        beside = Beside(load_replay([tmp_path], "quote"), QuoteAnswerer())
        run = run_answers(engine, questions, beside)

        assert beside.changed == {"X1"}
        assert [row.status for row in run.rows] == [
            Status.FAILED,
            Status.ABSTAINED,
            Status.NOT_HELD,
            Status.NO_RECORDING,
        ]

    def test_a_model_is_not_built_in(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        saved(tmp_path, record(engine, questions[:1], Voice(QuoteAnswerer(), "small-1", "sha256:12")))

        assert not load_replay([tmp_path], "small-1").built_in


SHIPPED = sorted((CHECKOUT / "recordings").glob("*/*.jsonl"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_shipped_recordings_are_whole_and_of_the_shipped_texts(path: Path, collection: Collection) -> None:
    rows = read_recordings(path)
    asked = {row.id: row for row in load_questions(CHECKOUT / "questions" / "questions.jsonl")}
    on = path.stem == "filter-on"

    assert [row.id for row in rows] == [one for one, row in asked.items() if not on or row.kind != "before"]
    assert {row.date_filter for row in rows} == {on}
    assert {row.snapshot for row in rows} == {collection.sha256}
    text = path.read_text("utf-8")
    assert not [one for one, row in asked.items() if row.question in text]
