"""A history on disk only after somebody chose it, for its owner alone, and gone when it is cleared."""

from __future__ import annotations

import json
import os
import stat
from datetime import date
from typing import TYPE_CHECKING

import pytest
from screen_support import QUESTION, Copied, FakeWorker, ask, box, call, press, settle, toasts, use

from tui.app import RegulationsApp
from tui.history import KEPT, History
from tui.state import load_theme, save_keep_history, save_theme
from tui.words import cited_words

if TYPE_CHECKING:
    from pathlib import Path

    from textual.pilot import Pilot

DAY = date(2024, 12, 20)


def made(folder: Path) -> RegulationsApp:
    app = RegulationsApp(FakeWorker(), data=folder, copier=Copied())
    app.animation_level = "none"
    return app


async def act(pilot: Pilot[int], action: str) -> None:
    await pilot.app.screen.run_action(action)
    await settle(pilot)


def test_nothing_is_written_until_it_is_chosen(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot)
        assert not data.exists()
        await act(pilot, "keep_history")
        assert "readable by you alone" in toasts(pilot)[-1]
        await ask(pilot, "Lost my bag?")
        await act(pilot, "keep_history")
        assert "Nothing more is written" in toasts(pilot)[-1]
        await ask(pilot, "Not kept")

    use(made(data), steps)
    rows = [json.loads(line) for line in (data / "history.jsonl").read_text("utf-8").splitlines()]
    assert rows == [{"question": "Lost my bag?", "as_of": "2024-12-20"}]
    if os.name == "posix":
        assert stat.S_IMODE((data / "history.jsonl").stat().st_mode) == 0o600


def test_what_was_kept_comes_back_and_can_be_cleared(tmp_path: Path) -> None:
    history = History(tmp_path)
    assert history.choose(keep=True)
    assert history.add(QUESTION, DAY)

    async def steps(pilot: Pilot[int]) -> None:
        assert box(pilot).past == (QUESTION,)
        assert call(pilot).day is None
        await press(pilot, "f2", *"Asked", "down", "enter")
        assert box(pilot).text == QUESTION
        assert call(pilot).day == DAY
        await act(pilot, "clear_history")
        assert toasts(pilot)[-1] == "The history is empty, on disk too."
        assert box(pilot).past == ()

    use(made(tmp_path), steps)
    assert not (tmp_path / "history.jsonl").exists()


def test_off_reads_nothing_and_a_theme_keeps_the_choice(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.choose(keep=True)
    history.add(QUESTION, DAY)
    assert save_theme(tmp_path, "nord")
    assert History(tmp_path).questions() == ((QUESTION, DAY),)
    history.choose(keep=False)

    assert load_theme(tmp_path) == "nord"
    assert History(tmp_path).questions() == ()


def test_only_the_last_ones_are_kept_each_once(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.choose(keep=True)
    for number in range(KEPT + 3):
        history.add(f"Question {number}", DAY)
    history.add("Question 100", DAY)

    questions = [question for question, _ in history.questions()]
    assert len(questions) == KEPT
    assert questions[-1] == "Question 100"
    assert questions.count("Question 100") == 1


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"question": "a", "as_of": "never"}'])
def test_a_spoilt_line_is_passed_over(line: str, tmp_path: Path) -> None:
    save_keep_history(tmp_path, keep=True)
    good = json.dumps({"question": "a", "as_of": "2024-12-20"})
    (tmp_path / "history.jsonl").write_text(f"{line}\n{good}\n", "utf-8")

    assert History(tmp_path).questions() == (("a", DAY),)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    async def steps(pilot: Pilot[int]) -> None:
        await act(pilot, "keep_history")
        assert "cannot be written" in toasts(pilot)[-1]
        history = pilot.app.history  # type: ignore[attr-defined]
        history.kept = True
        await ask(pilot)
        assert "could not be written to the history" in toasts(pilot)[-1]
        await act(pilot, "clear_history")
        assert "Delete it by hand" in toasts(pilot)[-1]

    use(made(tmp_path / "file"), steps)


def test_without_a_folder_there_is_no_history() -> None:
    history = History(None)

    assert not history.choose(keep=True)
    assert history.add("a", DAY)
    assert history.clear()


def test_copy_takes_no_question_along(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.choose(keep=True)

    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot, "Ms Doe was bumped")
        card = call(pilot).card  # type: ignore[attr-defined]
        assert "Doe" not in cited_words(card)

    use(made(tmp_path), steps)
