"""Ctrl+C anywhere: exit code 130, one word, no traceback, no half-written file."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest
from faultkit import INDEX, NOT_POSIX, QUESTION, end, files, paused, program, raising, start

import tui.__main__ as script

if TYPE_CHECKING:
    from pathlib import Path

posix = pytest.mark.skipif(os.name != "posix", reason=NOT_POSIX)
ASK = ("ask", QUESTION, "--as-of", "2022-06-10")
MOMENTS = [
    ("engine.opening:ingest", 1, ("ingest",)),
    ("engine.index:_write_version", 30, ("ingest",)),
    ("engine.paths:_exchange", 1, ("ingest",)),
    ("engine.cli:build_parser", 1, ASK),
    ("engine.opening:read_index", 1, ASK),
    ("engine.engine:Engine.ask", 1, ASK),
    ("engine.engine:Engine.search", 1, ("search", "bag", "--as-of", "none")),
    ("engine.commands.measuring:run_retrieval", 2, ("eval", "--ids", "Q02", "--report", "{out}/report.md")),
    ("engine.paths:write_whole", 2, ("eval", "--ids", "Q02", "--report", "{out}/report.md")),
    ("engine.evaluation.recording:as_line", 2, ("record", "--out", "{out}")),
    ("engine.engine:Engine.ask", 2, ("ask", "--batch", "{out}/rows.jsonl")),
]


@posix
@pytest.mark.parametrize(
    ("place", "call", "words"),
    MOMENTS,
    ids=[f"{words[0]}-{place.partition(':')[2]}" for place, _, words in MOMENTS],
)
def test_ends_at_once_and_leaves_whole_files(
    place: str, call: int, words: tuple[str, ...], data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    row = json.dumps({"id": 1, "question": QUESTION, "as_of": "2022-06-10"})
    (out / "rows.jsonl").write_text(f"{row}\n" * 3, "utf-8")
    before = files(data)
    done = end(paused(place, *(word.format(out=out) for word in words), data=data, call=call), signal.SIGINT)

    assert done.code == 130
    assert done.clean
    assert done.err.endswith("Interrupted.\n")
    assert files(data) == before
    for name, content in files(out).items():
        assert not name.endswith(".new")
        if ".jsonl" in name:
            assert all(json.loads(line) for line in content.decode().splitlines())
        elif name.endswith(".json"):
            assert json.loads(content)
    if words[1:2] == ("--batch",):
        assert [json.loads(line)["status"] for line in done.out.splitlines()] == ["answered"]


@posix
def test_while_a_batch_waits_for_its_next_line(data: Path) -> None:
    import subprocess  # noqa: PLC0415 - this test alone needs it

    process = start(program("ask", "--batch", "-", data=data), stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"question": QUESTION, "as_of": "2022-06-10"}).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["status"] == "answered"

    done = end(process, signal.SIGINT)
    assert (done.code, done.err, done.clean) == (130, "Interrupted.\n", True)
    assert list(files(data)) == [INDEX]


def test_before_anything_is_there_to_take_care_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "interactive", raising(KeyboardInterrupt()))

    assert script.main(["ask"]) == 130
    assert capsys.readouterr() == ("", "Interrupted.\n")
