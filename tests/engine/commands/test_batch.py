"""`--batch`: JSON lines in, one JSON line out for each, and a bad line fails alone."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from engine.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

GOOD: list[dict[str, object]] = [
    {"id": "a", "question": "denied boarding compensation", "as_of": "2022-06-10"},
    {"id": 2, "question": "denied boarding compensation", "as_of": "2015-03-10"},
    {"question": "zebra quokka", "as_of": "10 June 2022"},
]
BAD: dict[str, tuple[str | bytes, str]] = {
    "no json": ('{"id": "x", ', "not JSON"),
    "nan": ('{"id": NaN, "question": "bag", "as_of": "2022-06-10"}', "NaN is no number"),
    "deep": ("[" * 50_000, "not JSON"),
    "list": ('["bag"]', "not a JSON object"),
    "word": ('"bag"', "not a JSON object"),
    "no question": ('{"as_of": "2022-06-10"}', '"question"'),
    "number": ('{"question": 5, "as_of": "2022-06-10"}', '"question"'),
    "no day": ('{"question": "bag"}', '"as_of"'),
    "null day": ('{"question": "bag", "as_of": null}', '"as_of"'),
    "bad day": ('{"question": "bag", "as_of": "06/10/2022"}', "can mean 2022-06-10 or 2022-10-06"),
    "empty": ('{"question": " ", "as_of": "2022-06-10"}', "empty"),
    "half a pair": ('{"question": "bag \\ud800", "as_of": "2022-06-10"}', "not UTF-8"),
    "bytes": (b'{"question": "bag \xff"', "not JSON"),
}


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_ask_keeps_the_order_and_adds_the_id(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(lines(GOOD), "utf-8")
    done = run("ask", "--batch", str(file))

    assert done.code == 0
    assert [row["id"] for row in done.rows] == ["a", 2, None]
    assert [row["status"] for row in done.rows] == ["answered", "not_held", "abstained"]
    assert [row["as_of"] for row in done.rows] == ["2022-06-10", "2015-03-10", "2022-06-10"]


def test_a_row_of_the_batch_is_what_ask_alone_says(run: Run) -> None:
    (row,) = run("ask", "--batch", "-", "--json", stdin=lines(GOOD[:1])).rows
    alone = run("ask", str(GOOD[0]["question"]), "--as-of", "2022-06-10", "--json").json

    assert {key: row[key] for key in alone if key != "timings_ms"} == {
        key: value for key, value in alone.items() if key != "timings_ms"
    }


def test_options_of_the_command_hold_for_each_row(run: Run) -> None:
    done = run("ask", "--batch", "-", "--no-date-filter", "--top", "2", stdin=lines(GOOD[1:2]))

    assert done.rows[0]["date_filter"] is False
    assert done.rows[0]["status"] == "answered"


def test_search_takes_the_same_lines_and_none_as_a_day(run: Run) -> None:
    rows: list[dict[str, object]] = [*GOOD, {"id": "z", "question": "baggage", "as_of": "none"}]
    done = run("search", "--batch", "-", stdin=lines(rows))

    assert done.code == 0
    assert [row["id"] for row in done.rows] == ["a", 2, None, "z"]
    assert [bool(row["hits"]) for row in done.rows] == [True, False, False, True]
    assert done.rows[3]["as_of"] is None


@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_bad_line_fails_alone(command: str, run: Run) -> None:
    given = [line if isinstance(line, bytes) else line.encode() for line, _ in BAD.values()]
    good = lines(GOOD[:1]).encode()
    done = run(command, "--batch", "-", stdin=good + b"\n".join(given) + b"\n\n" + good)

    assert done.code == 0
    first, *failed, last = done.rows
    assert first["id"] == last["id"] == "a"
    assert "status" not in first or first["status"] == "answered"
    assert len(failed) == len(BAD)
    for number, (row, (_, said)) in enumerate(zip(failed, BAD.values(), strict=True), 2):
        assert row["status"] == "failed"
        assert row["error"].startswith(f"line {number}: ")
        assert said in row["error"]


def test_a_bad_line_keeps_its_id(run: Run) -> None:
    (row,) = run("ask", "--batch", "-", stdin='{"id": "x7", "question": "bag", "as_of": "?"}').rows

    assert row["id"] == "x7"


def test_a_line_that_is_too_long_fails_alone(run: Run) -> None:
    long = json.dumps({"question": "x" * 200_000, "as_of": "2022-06-10"})
    done = run("ask", "--batch", "-", stdin=f"{long}\n{lines(GOOD[:1])}")

    assert [row["status"] for row in done.rows] == ["failed", "answered"]


def test_hostile_words_stay_on_one_harmless_line(run: Run) -> None:
    question = "bag\u2028\x1b[31m\u202e\x85 <b>"
    done = run("ask", "--batch", "-", stdin=lines([{"question": question, "as_of": "2022-06-10"}]))

    assert len(done.out.splitlines()) == 1
    assert done.rows[0]["question"] == question
    assert "\x1b" not in done.out


def test_lines_of_standard_input_are_answered_as_they_come(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []

    class Slow(io.BytesIO):
        def __iter__(self) -> Slow:
            return self

        def __next__(self) -> bytes:
            seen.append(capsys.readouterr().out)
            return super().__next__()

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Slow(lines(GOOD).encode())))
    assert main(["ask", "--batch", "-", "--no-models", "--data", str(data)]) == 0
    assert [text.count("\n") for text in seen] == [0, 1, 1, 1]


def test_an_empty_batch_is_no_error(run: Run) -> None:
    done = run("ask", "--batch", "-")

    assert (done.code, done.out) == (0, "")


def test_a_file_may_hold_line_separators_inside_a_text(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    row = {"id": "a", "question": "denied\u2028boarding\x85compensation", "as_of": "2022-06-10"}
    file.write_text(json.dumps(row, ensure_ascii=False), "utf-8")

    assert [one["status"] for one in run("ask", "--batch", str(file)).rows] == ["answered"]


@pytest.mark.parametrize(
    "words",
    [
        ["ask", "What?"],
        ["ask", "--id", "Q04"],
        ["ask", "--as-of", "2022-06-10"],
        ["search", "bag"],
        ["search", "--as-of", "none"],
    ],
)
def test_a_batch_takes_no_question_beside_it(words: list[str], run: Run) -> None:
    done = run(*words, "--batch", "-", stdin=lines(GOOD))

    assert (done.code, done.out) == (2, "")
    assert "--batch takes questions, days and facts from the file." in done.err


def test_a_missing_file_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    done = run("ask", "--batch", str(tmp_path / "none.jsonl"))

    assert (done.code, done.out) == (2, "")
    assert "cannot be read: No such file or directory" in done.err


def test_a_method_that_needs_a_model_fails_every_line(run: Run) -> None:
    done = run("search", "--batch", "-", "--method", "dense", stdin=lines(GOOD[:1]))

    assert done.code == 0
    assert "needs a model" in done.rows[0]["error"]


def test_a_row_may_state_facts(run: Run) -> None:
    row = {"question": "Bumped. How much do they owe?", "as_of": "2022-06-10"}
    rows = [
        {**row, "facts": {"route": "within_us", "delay": "90"}},
        {**row, "facts": {"delay": 90}},
        {**row, "facts": "delay"},
        {**row, "facts": {"delay": "?"}},
    ]
    done = run("ask", "--batch", "-", stdin=lines(rows))

    first, *refused = done.rows
    assert done.code == 0
    assert first["facts_corrected"] == ["route", "delay"]
    assert [tier["paragraph"] for tier in first["reading"]["tiers"]] == ["(a)(2)"]
    assert [line["status"] for line in refused] == ["failed"] * 3
    assert "texts by name" in refused[0]["error"]
