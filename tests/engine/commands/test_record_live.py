"""`record --answerer chat`: what is done is kept, a broken run goes on, and the model's file is named."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, NoReturn

import pytest

from engine.answerers.replay import read_recordings
from engine.commands import measuring

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Run

    from tests.engine.answerers.conftest import ScriptedServer


GOOD = json.dumps(
    {"status": "answered", "reason": None, "claims": [{"text": "At most $999 is owed.", "passages": ["id"]}]}
)
WORDS = ("record", "--answerer", "chat", "--ids", "Q02", "Q03", "Q04")


@pytest.fixture
def live(server: ScriptedServer, tmp_path: Path) -> Path:
    """A data folder whose settings name the scripted server."""
    (tmp_path / "settings.toml").write_text(f'chat_url = "{server.url}"\nchat_model = " small-1 "\n', "utf-8")
    return tmp_path


def test_a_fault_leaves_what_was_answered_and_the_same_command_goes_on(
    run: Run, live: Path, server: ScriptedServer
) -> None:
    server.says(GOOD)
    server.replies(401)
    done = run(*WORDS, data=live)
    part = live / "recordings" / "small-1" / "filter-on.jsonl.part"

    assert (done.code, done.out) == (4, "")
    assert f"1 of 3 answers are kept in {part}; the same command goes on from there.\n" in done.err
    assert list(part.parent.iterdir()) == [part]

    server.says(GOOD, GOOD)
    again = run(*WORDS, data=live)

    assert again.code == 0
    assert again.out == f"3 answers of small-1 in {part.with_suffix('')}\n"
    assert len(server.requests) == 4
    assert list(part.parent.iterdir()) == [part.with_suffix("")]


def test_ctrl_c_leaves_what_was_answered_too(
    run: Run, live: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.says(GOOD)

    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    def tell(_stage: str, _total: int) -> Callable[[str], None]:
        return interrupted

    monkeypatch.setattr(measuring, "_counter", tell)
    done = run(*WORDS, data=live)

    assert done.code == 130
    assert "1 of 3 answers are kept in " in done.err


def test_a_fault_before_the_first_answer_leaves_nothing(run: Run, live: Path, server: ScriptedServer) -> None:
    server.replies(401)
    done = run(*WORDS, data=live)

    assert done.code == 4
    assert "kept" not in done.err
    assert not (live / "recordings").exists()


def test_the_server_is_named_or_its_file_by_hash(run: Run, live: Path, server: ScriptedServer) -> None:
    weights = live / "small.gguf"
    weights.write_bytes(b"weights")
    file = live / "recordings" / "small-1" / "filter-on.jsonl"
    words = (*WORDS[:4], "Q02")
    server.says(GOOD, GOOD)

    assert run(*words, data=live).code == 0
    (row,) = read_recordings(file)
    assert (row.model, row.source) == ("small-1", f"server 127.0.0.1:{server.port}")
    assert run(*words, "--weights", str(weights), "--only-stale", data=live).code == 0
    (row,) = read_recordings(file)
    assert row.source == f"sha256:{hashlib.sha256(b'weights').hexdigest()}"
    # The request and the file are those of the recording now: nothing is asked.
    assert run(*words, "--weights", str(weights), "--only-stale", data=live).code == 0
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--answerer", "quote", "--weights", "small.gguf"), "quote has no model file."),
        (("--answerer", "chat", "--weights", "nowhere.gguf"), "nowhere.gguf cannot be read: "),
    ],
)
def test_weights_that_cannot_be_meant_are_refused(
    words: tuple[str, ...], said: str, run: Run, live: Path
) -> None:
    done = run("record", *words, data=live)

    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_recorded_answers_of_a_model_are_played_by_its_name(
    run: Run, live: Path, server: ScriptedServer
) -> None:
    server.says(GOOD)
    run(*WORDS[:4], "Q02", data=live)
    done = run("ask", "--id", "Q02", "--answerer", "replay", "--model", "small-1", "--json", data=live)

    assert (done.json["answerer"], done.json["model"]) == ("replay", "small-1")
    assert done.json["usage"] == {"tokens_in": 100, "tokens_out": 20}
    assert done.json["claims"][0]["problems"]
    report = run("eval", "--model", "small-1", "--ids", "Q02", "--json", data=live).json
    assert [row["stale"] for row in report["answers"]] == [[], []]
    assert report["answers"][0]["claims flagged"] == 1
