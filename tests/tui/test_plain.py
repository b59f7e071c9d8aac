"""The program line by line."""

from __future__ import annotations

import io
import sys
from datetime import date
from typing import TYPE_CHECKING, NoReturn

import pytest

from engine import RegulationsError, open_engine
from tui.plain import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Engine

BUMPED = "I was bumped and arrived 90 minutes late. What am I owed?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return open_engine(data=tmp_path_factory.mktemp("data"), models=False)


class Talk:
    """Somebody who types lines and then closes the input."""

    def __init__(self, *lines: str | BaseException) -> None:
        self.lines: Iterator[str | BaseException] = iter(lines)
        self.prompts: list[str] = []
        self.out = io.StringIO()

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        self.out.write("<<<")
        line = next(self.lines, EOFError())
        if isinstance(line, BaseException):
            raise line
        return line

    @property
    def said(self) -> list[str]:
        """What was said before the first line, and after each."""
        return self.out.getvalue().split("<<<")


def talk(engine: Engine, *lines: str | BaseException, as_of: date | None = None) -> Talk:
    made = Talk(*lines)
    assert run(engine, made.read, made.out, as_of) == 0
    return made


def test_it_says_what_is_held_and_how_to_use_it(engine: Engine) -> None:
    (greeting, last) = talk(engine).said

    assert greeting.startswith(
        "14 CFR Parts 250 and 254. History from 2017-01-01, up to date to 2026-10-07.\n"
    )
    assert "date 2022-06-10" in greeting
    assert last == ""


def test_a_question_is_answered_for_the_date_that_was_set(engine: Engine) -> None:
    made = talk(engine, "date 10 June 2022", BUMPED)

    assert made.said[1] == "Flight date 2022-06-10: inside the days that the texts cover.\n"
    assert "As of:    2022-06-10" in made.said[2]
    assert "✓ IN FORCE" in made.said[2]
    assert made.prompts == ["\n[no flight date] > ", *["\n[2022-06-10] > "] * 2]


def test_a_date_may_be_given_at_the_start(engine: Engine) -> None:
    assert "As of:    2019-05-01" in talk(engine, BUMPED, as_of=date(2019, 5, 1)).said[1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (BUMPED, "Set the flight date first, such as: date 2022-06-10\n"),
        (
            f"On 20 December 2024 {BUMPED}",
            "The question names 2024-12-20. Type: date 2024-12-20   and then the question again.\n",
        ),
        (f"In June 2022 {BUMPED}", "Set the flight date first, such as: date 2022-06-10\n"),
    ],
)
def test_without_a_date_nothing_is_answered(line: str, said: str, engine: Engine) -> None:
    assert talk(engine, line).said[1] == said


@pytest.mark.parametrize("word", ["quit", "exit", "q", " quit "])
def test_words_that_leave(word: str, engine: Engine) -> None:
    assert len(talk(engine, word, "help").prompts) == 1


def test_a_question_that_begins_with_such_a_word_stays(engine: Engine) -> None:
    assert len(talk(engine, "quit flying?", as_of=date(2022, 6, 10)).prompts) == 2


@pytest.mark.parametrize("line", ["", "  ", "help", "?"])
def test_help(line: str, engine: Engine) -> None:
    assert "quit              leave" in talk(engine, line).said[1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("date", "No day was given. Write it as 2022-06-10"),
        ("date 06/10/2022", '"06/10/2022" can mean 2022-06-10 or 2022-10-06.'),
        ("date \x1b[31m\u202e", "\\x1b[31m\\u202e"),
        ("x" * 4001, "4001 characters; 4000 are read"),
    ],
)
def test_an_error_is_shown_and_the_talk_goes_on(line: str, said: str, engine: Engine) -> None:
    made = talk(engine, line, BUMPED, as_of=date(2022, 6, 10))

    assert said in made.said[1]
    assert not set(made.said[1]) & set("\x1b\u202e")
    assert "As of:    2022-06-10" in made.said[2]


def test_an_error_of_the_engine_is_shown_and_the_talk_goes_on(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> NoReturn:
        raise RegulationsError("The model is gone.", "Install it.")

    monkeypatch.setattr(engine, "ask", fails)
    made = talk(engine, BUMPED, "help", as_of=date(2022, 6, 10))

    assert made.said[1] == "The model is gone. Install it.\n"
    assert "quit" in made.said[2]


def test_a_line_that_is_not_utf_8_is_refused_and_the_talk_goes_on(engine: Engine) -> None:
    made = talk(engine, UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "help")

    assert made.said[1] == "That line is not UTF-8. Type it again.\n"
    assert "quit" in made.said[2]


def test_hostile_words_are_harmless(engine: Engine) -> None:
    said = talk(engine, "bag \x1b[2J\u202e\x07 [b]x", as_of=date(2022, 6, 10)).said[1]

    assert "bag \\x1b[2J\\u202e\\x07 [b]x" in said
    assert not set(said) & set("\x1b\u202e\x07")


def test_before_the_history_it_says_so(engine: Engine) -> None:
    made = talk(engine, "date 2015-03-10", BUMPED)

    assert "before the days that the texts cover" in made.said[1]
    assert "Not held:" in made.said[2]
    assert "$" not in made.said[2]


def test_it_speaks_on_standard_output_by_itself(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(engine, Talk("help").read) == 0
    assert "date 2022-06-10" in capsys.readouterr().out


def test_it_reads_standard_input_by_itself(
    engine: Engine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("date 2022-06-10\nquit\n"))

    assert run(engine) == 0
    assert "Flight date 2022-06-10" in capsys.readouterr().out
