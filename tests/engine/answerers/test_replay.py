"""Recordings as files: read whole or refused by line, and played by request."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine.answerers.prompt import request_key
from engine.answerers.replay import (
    NO_RECORDING,
    Recording,
    ReplayAnswerer,
    as_line,
    load_replay,
    read_recordings,
    slug,
)
from engine.errors import UsageError
from engine.model import Answer, Claim, Reason, Status, Usage

if TYPE_CHECKING:
    from pathlib import Path

    from engine.model import Context, Question

SAID = Answer(
    Status.ANSWERED,
    "“At least 200 percent” …\nsecond\u2028line",
    (Claim("“At least 200 percent”", ("5c6402109df1", "89fb7a08b005"), labels=("(a)(2)",)),),
    model="org/small:1",
    usage=Usage(120, 30),
    seconds=1.25,
)
ABSTAINED = Answer(
    Status.ABSTAINED,
    "No such rule.",
    reason=Reason.ABSENT,
    rests_on=("5c6402109df1",),
    model="org/small:1",
    seconds=0.5,
)
FAILED = Answer(Status.FAILED, error="cut off", model="org/small:1", seconds=9.0)


def recording(answer: Answer = SAID, **changes: Any) -> Recording:
    row = Recording(
        id="Q04",
        date_filter=True,
        request="0" * 64,
        model="org/small:1",
        source="sha256:12",
        snapshot="1" * 64,
        answer=answer,
        seconds=answer.seconds or 0.0,
    )
    return replace(row, **changes)


def written(path: Path, *rows: Recording) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{as_line(row)}\n" for row in rows), "utf-8", newline="\n")
    return path


@pytest.mark.parametrize("answer", [SAID, ABSTAINED, FAILED], ids=lambda answer: answer.status)
def test_a_recording_comes_back_as_it_was(answer: Answer, tmp_path: Path) -> None:
    row = recording(answer)

    assert read_recordings(written(tmp_path / "a.jsonl", row, row)) == (row, row)


def test_seconds_are_kept_to_the_millisecond() -> None:
    assert json.loads(as_line(recording(seconds=1.23456)))["seconds"] == 1.235


def test_what_the_checks_found_is_not_kept_and_is_found_again() -> None:
    flagged = replace(SAID, claims=(replace(SAID.claims[0], problems=("wrong",)),))

    assert as_line(recording(flagged)) == as_line(recording())


GOOD = as_line(recording())


def without(*path: str) -> str:
    row = json.loads(GOOD)
    at = row
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    return json.dumps(row)


def changed(value: Any, *path: str) -> str:
    row = json.loads(GOOD)
    at = row
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(row)


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        " ",
        "[]",
        "5",
        "null",
        "{}",
        "[" * 90_000,
        GOOD[:-5],
        *(without(key) for key in json.loads(GOOD)),
        *(without("answer", key) for key in json.loads(GOOD)["answer"]),
        changed([], "answer"),
        changed("done", "answer", "status"),
        changed("because", "answer", "reason"),
        changed("abc", "answer", "rests_on"),
        changed(None, "answer", "claims"),
        changed([{"text": "a", "passages": "abc", "labels": []}], "answer", "claims"),
        changed([{"text": "a", "passages": [], "labels": "(a)"}], "answer", "claims"),
        changed([{"text": "a", "passages": []}], "answer", "claims"),
        changed(["a"], "answer", "claims"),
        changed("soon", "seconds"),
        changed(None, "seconds"),
        changed({"tokens_in": 1}, "usage"),
        changed({"tokens_in": 1, "tokens_out": "many"}, "usage"),
        changed([1, 2], "usage"),
    ],
    ids=lambda bad: bad[-30:],
)
def test_a_malformed_line_is_named_by_its_number(bad: str, tmp_path: Path) -> None:
    file = tmp_path / "filter-on.jsonl"
    file.write_text(f"{GOOD}\n\n{bad}\n{GOOD}\n", "utf-8")

    with pytest.raises(UsageError, match=r"filter-on\.jsonl, line 3: not a recording: ") as caught:
        read_recordings(file)
    assert caught.value.exit_code == 2
    assert "\n" not in caught.value.message


def test_odd_values_become_texts_that_can_be_shown(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(
        changed([{"text": 1, "passages": [2], "labels": [3]}], "answer", "claims")
        + "\n"
        + changed(4, "answer", "error"),
        "utf-8",
    )
    first, second = read_recordings(file)

    assert first.answer.claims == (Claim("1", ("2",), labels=("3",)),)
    assert second.answer.error == "4"


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_named(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(UsageError, match=r"a\.jsonl cannot be read"):
        read_recordings(file)


@pytest.mark.parametrize(
    ("model", "folder"),
    [
        ("quote", "quote"),
        ("Qwen2.5-Coder-1.5B-Instruct_Q4", "Qwen2.5-Coder-1.5B-Instruct_Q4"),
        ("org/small:1", "org_small_1"),
        ("../../etc", "_.._etc"),
        (".hidden", "hidden"),
        ("..", "_"),
        ("", "_"),
    ],
)
def test_a_models_name_becomes_a_folder_below_the_recordings(model: str, folder: str) -> None:
    assert slug(model) == folder


class TestLoading:
    def test_every_file_of_the_model_is_read(self, tmp_path: Path) -> None:
        written(tmp_path / "org_small_1" / "filter-on.jsonl", recording(id="Q01"))
        written(tmp_path / "org_small_1" / "filter-off.jsonl", recording(id="Q02", date_filter=False))
        replay = load_replay([tmp_path], "org/small:1")

        assert {row.id for row in replay.recordings} == {"Q01", "Q02"}
        assert (replay.model, replay.name) == ("org/small:1", "replay")

    def test_the_models_own_name_is_used_when_the_folder_is_named(self, tmp_path: Path) -> None:
        written(tmp_path / "org_small_1" / "filter-on.jsonl", recording())

        assert load_replay([tmp_path], "org_small_1").model == "org/small:1"

    def test_the_first_folder_that_has_some_is_used(self, tmp_path: Path) -> None:
        mine, shipped = tmp_path / "mine", tmp_path / "shipped"
        written(shipped / "org_small_1" / "filter-on.jsonl", recording(source="shipped"))
        assert load_replay([mine, shipped], "org/small:1").recordings[0].source == "shipped"
        written(mine / "org_small_1" / "filter-on.jsonl", recording(source="mine"))
        assert load_replay([mine, shipped], "org/small:1").recordings[0].source == "mine"

    def test_an_empty_file_holds_no_recording(self, tmp_path: Path) -> None:
        written(tmp_path / "quote" / "filter-on.jsonl")

        assert load_replay([tmp_path], "quote") == ReplayAnswerer("quote", ())

    def test_an_unknown_model_is_refused_and_the_held_ones_are_named(self, tmp_path: Path) -> None:
        written(tmp_path / "a" / "b" / "filter-on.jsonl", recording())
        written(tmp_path / "a" / "c" / "filter-off.jsonl", recording())

        with pytest.raises(UsageError, match=r"There are no recordings of small \\x1b\[2J\.") as caught:
            load_replay([tmp_path / "a", tmp_path / "none"], "small\n\x1b[2J")
        assert caught.value.hint == "Held are: b, c."
        with pytest.raises(UsageError) as caught:
            load_replay([tmp_path / "none"], "small")
        assert caught.value.hint == "Held are: none."


class TestPlaying:
    def test_a_request_that_was_recorded_gets_its_answer(self, question: Question, context: Context) -> None:
        request = request_key(question, context, "m")
        replay = ReplayAnswerer("m", (recording(request="1" * 64), recording(ABSTAINED, request=request)))

        assert replay.answer(question, context) == ABSTAINED

    def test_any_other_request_gets_none(self, question: Question, context: Context) -> None:
        replay = ReplayAnswerer("m", (recording(request=request_key(question, context, "another")),))

        assert replay.answer(question, context) == Answer(Status.NO_RECORDING, NO_RECORDING, model="m")


class TestStale:
    BOTH = (
        recording(id="Q01"),
        recording(id="Q01", date_filter=False),
        recording(id="Q02", request="2" * 64),
        recording(id="Q03", request="3" * 64, snapshot="9" * 64),
    )

    @pytest.mark.parametrize(
        ("played", "date_filter", "expected"),
        [
            (["Q01", "Q02", "Q03"], True, ("Q03",)),
            (["Q01"], True, ("Q02", "Q03")),
            ([], True, ("Q01", "Q02", "Q03")),
            # The request is that of the filter on; the recording is held for both all the same.
            ([], False, ("Q01",)),
            (["Q01"], False, ()),
        ],
    )
    def test_what_is_held_and_not_played_or_of_other_texts(
        self, played: list[str], date_filter: bool, expected: tuple[str, ...]
    ) -> None:
        replay = ReplayAnswerer("m", self.BOTH)
        ids = ["Q01", "Q02", "Q03", "Q04"]

        assert replay.stale(ids, played, date_filter=date_filter, snapshot="1" * 64) == expected
