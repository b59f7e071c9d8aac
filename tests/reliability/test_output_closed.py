"""Whoever reads the output may leave at any time, and a stream may not be there at all."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from faultkit import ASK, INDEX, NOT_POSIX, PATIENCE, answers, program, run, start

from engine.cli import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason=NOT_POSIX)


@pytest.mark.parametrize("words", [("chunks", "250.5", "--json"), ("ingest",), ("eval", "--ids", "Q02")])
def test_a_reader_who_leaves_at_once_is_no_error(words: tuple[str, ...], data: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = start(program(*words, data=data), stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=PATIENCE)

    assert process.returncode == 0
    assert b"Traceback" not in err
    assert b"rror" not in err


def test_a_lost_reader_of_the_narration_loses_no_answer_and_no_index(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run(*ASK, data=tmp_path, stderr=writing)
    os.close(writing)

    assert answers(done)
    assert (tmp_path / INDEX).is_file()


def test_both_streams_into_a_pipe_that_closes(data: Path) -> None:
    process = start(program("chunks", "250.5", data=data), stderr=subprocess.STDOUT)
    assert process.stdout is not None
    process.stdout.read(1)
    process.stdout.close()

    assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "words",
    [("ask", "-", "--as-of", "2022-06-10"), ("ask", "--batch", "-"), ("search", "-", "--as-of", "none")],
)
def test_without_standard_input_there_is_nothing_to_read(words: tuple[str, ...], data: Path) -> None:
    done = run(*words, data=data, preexec_fn=lambda: os.close(0))

    assert done.code == 2
    assert done.err.startswith("error: There is no standard input.\n")


def test_without_standard_input_it_is_said_in_this_process_too(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["ask", "-", "--as-of", "2022-06-10", "--no-models", "--data", str(data)]) == 2
    assert "There is no standard input." in capsys.readouterr().err


def test_words_that_are_too_many_may_be_a_question_and_are_not_repeated(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ["ask", "Xanthippe", "was", "bumped", "--as-of", "2022-06-10"],
        ["Xanthippe was bumped"],
        ["ask", "bumped", "--fo=Xanthippe", "--as-of", "2022-06-10"],
        ["ask", "bumped", "--as-of", "2022-06-10", "--answerer", "Xanthippe was bumped"],
        ["ask", "--as-of", "2022-06-10", "--json=Xanthippe was bumped"],
        ["ask", "--as-of", "2022-06-10", "--no-models=Xanthippe was bumped"],
    ):
        assert main([*words, "--data", str(data)]) == 2
        seen = capsys.readouterr()
        assert "Xanthippe" not in seen.out + seen.err
        assert "bumped" not in seen.err
        assert "--help`" in seen.err
    assert main(["ask", "bumped", "--fo=Xanthippe"]) == 2
    assert "--fo" in capsys.readouterr().err
