"""A recording that ends early: what was answered is kept, and the same run goes on from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from engine.answerers.quote import QuoteAnswerer
from engine.answerers.replay import BUILT_IN, load_replay, read_recordings
from engine.errors import ServerError, UsageError
from engine.evaluation.recording import Voice, open_journal, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.answerers.replay import Recording
    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion
    from engine.evaluation.recording import Journal
    from engine.model import Answer, Context, Question

    Asked = Callable[..., DatedQuestion]


QUOTE = Voice(QuoteAnswerer(), "quote", BUILT_IN)


class Counting:
    """Quotes, counts what it is asked, and has no answer more when `last` are given."""

    name = "counting"

    def __init__(self, last: int = 99) -> None:
        self.asked = 0
        self.last = last

    def answer(self, question: Question, context: Context) -> Answer:
        if self.asked == self.last:
            raise ServerError("Nothing answers.")
        self.asked += 1
        return QuoteAnswerer().answer(question, context)


class TestGoingOn:
    SOURCE = "sha256:12"

    def run(
        self, engine: Engine, questions: list[DatedQuestion], answerer: Counting, journal: Journal
    ) -> tuple[Recording, ...]:
        return record(engine, questions, Voice(answerer, "small-1", self.SOURCE), journal=journal)

    def journal(self, folder: Path, *, only_stale: bool = False) -> Journal:
        return open_journal(folder, "small-1", date_filter=True, only_stale=only_stale)

    def test_what_was_answered_before_a_fault_is_kept_and_not_asked_again(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        first, second = Counting(last=2), Counting()
        journal = self.journal(tmp_path)
        with pytest.raises(ServerError):
            self.run(engine, questions, first, journal)
        assert [row.id for row in read_recordings(journal.path)] == ["X1", "X2"]
        assert (journal.kept(["X1", "X2", "X3", "X4"]), journal.kept(["X4"])) == (2, 0)
        assert not journal.target.exists()
        with pytest.raises(UsageError, match="There are no recordings"):
            load_replay([tmp_path], "small-1")

        again = self.journal(tmp_path)
        rows = self.run(engine, questions, second, again)
        assert again.finish() == tmp_path / "small-1" / "filter-on.jsonl"

        assert (first.asked, second.asked) == (2, 1)
        assert [row.id for row in rows] == ["X1", "X2", "X4"]
        assert [row.id for row in read_recordings(again.target)] == ["X1", "X2", "X4"]
        assert [path.name for path in again.target.parent.iterdir()] == ["filter-on.jsonl"]

    def test_a_finished_run_is_recorded_anew(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        for _ in range(2):
            counting = Counting()
            journal = self.journal(tmp_path)
            self.run(engine, questions, counting, journal)
            journal.finish()
            assert counting.asked == 3

    def test_only_what_is_stale_is_asked_on_request(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        journal = self.journal(tmp_path, only_stale=True)
        self.run(engine, questions, Counting(), journal)
        journal.finish()
        before = journal.target.read_bytes()
        same, other = Counting(), Counting()
        journal = self.journal(tmp_path, only_stale=True)
        assert [row.id for row in self.run(engine, questions, same, journal)] == ["X1", "X2", "X4"]
        journal.finish()
        assert (same.asked, journal.target.read_bytes()) == (0, before)

        questions[3] = replace(questions[3], question="What is the limit of liability for lost baggage?")
        journal = self.journal(tmp_path, only_stale=True)
        self.run(engine, questions, other, journal)
        journal.finish()
        assert other.asked == 1
        assert [row.id for row in read_recordings(journal.target)] == ["X1", "X2", "X4"]
        assert journal.target.read_bytes() != before

    @pytest.mark.parametrize("change", [{"source": "sha256:34"}, {"snapshot": "0" * 64}, {"id": "X9"}])
    def test_what_was_kept_of_another_model_text_or_question_is_not_used(
        self, change: dict[str, str], engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        (row,) = self.run(engine, questions[:1], Counting(), self.journal(tmp_path))
        journal = self.journal(tmp_path / "other")
        journal.add(replace(row, **change))
        counting = Counting()
        self.run(engine, questions[:1], counting, journal)

        assert counting.asked == 1

    def test_what_is_built_in_is_always_asked_again(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        journal = open_journal(tmp_path, "quote", date_filter=True)
        (row,) = record(engine, questions[:1], QUOTE, journal=journal)
        counting = Counting()
        record(engine, questions[:1], Voice(counting, "quote", BUILT_IN), journal=journal)

        assert counting.asked == 1
        assert [one.request for one in journal.rows] == [row.request] * 2
        assert len(read_recordings(journal.finish())) == 1

    def test_a_line_that_was_cut_off_in_the_middle_is_left_out(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        journal = self.journal(tmp_path)
        rows = self.run(engine, questions, Counting(), journal)
        data = journal.path.read_bytes()
        journal.path.write_bytes(data[:-20])
        counting = Counting()
        journal = self.journal(tmp_path)
        assert [row.request for row in journal.rows] == [row.request for row in rows[:2]]
        self.run(engine, questions, counting, journal)

        assert counting.asked == 1
        assert [row.id for row in read_recordings(journal.finish())] == ["X1", "X2", "X4"]

    def test_a_damaged_journal_is_named_and_kept(self, tmp_path: Path) -> None:
        path = self.journal(tmp_path).path
        path.parent.mkdir()
        path.write_text("{}\n", "utf-8")

        with pytest.raises(UsageError, match=r"filter-on\.jsonl\.part, line 1: not a recording") as caught:
            self.journal(tmp_path)
        assert caught.value.hint == f"Delete {path} to begin anew."
        assert path.read_text("utf-8") == "{}\n"

    def test_a_journal_that_cannot_be_opened_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = self.journal(tmp_path).path
        path.parent.mkdir()
        path.touch()

        def refuse(*_: object, **__: object) -> NoReturn:
            raise OSError("Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
        with pytest.raises(UsageError, match=r"cannot be written to .*\.part: Permission denied"):
            self.journal(tmp_path)

    def test_a_folder_that_is_a_file_is_named_at_the_first_answer(
        self, engine: Engine, questions: list[DatedQuestion], tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        counting = Counting()

        with pytest.raises(UsageError, match="cannot be written") as caught:
            self.run(engine, questions, counting, self.journal(tmp_path / "file"))
        assert (counting.asked, caught.value.hint) == (1, "Name a folder with --out.")
