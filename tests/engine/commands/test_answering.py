"""`ask --answerer replay` and `ask --answerer chat`: whose answers are shown, and what they may cost."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from engine import paths

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

    from tests.engine.answerers.conftest import ScriptedServer

DAY = ("--as-of", "2022-06-10")
BUMPED = "Bumped on a domestic flight, 90 minutes late: what is owed?"


class TestReplay:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """No recordings are shipped; a test records its own."""
        original = paths.shipped
        folder = tmp_path / "recordings"
        monkeypatch.setattr(paths, "shipped", lambda name: folder if name == "recordings" else original(name))
        return folder

    @pytest.mark.parametrize("words", [[], ["--no-date-filter"]])
    def test_a_recorded_question_gets_the_same_answer(self, words: list[str], run: Run, folder: Path) -> None:
        run("record", "--ids", "Q04", "--out", str(folder), *words)
        live = run("ask", "--id", "Q04", "--json", *words)
        again = run("ask", "--id", "Q04", "--answerer", "replay", "--model", "quote", "--json", *words)

        assert (again.code, again.err) == (live.code, live.err) == (0, "")
        for name in ("status", "answer", "claims", "sources", "warnings", "dropped", "context"):
            assert again.json[name] == live.json[name]
        assert (again.json["answerer"], again.json["model"]) == ("replay", "quote")
        assert again.json["timings_ms"]["recorded"] < 1000

    def test_any_other_question_has_no_recording(self, run: Run, folder: Path) -> None:
        run("record", "--ids", "Q04", "--out", str(folder))
        words = ("ask", BUMPED, *DAY, "--answerer", "replay", "--model", "quote")
        done = run(*words, "--json")

        assert done.code == 1
        assert (done.json["status"], done.json["answer"]) == (
            "no_recording",
            "No recording for this request.",
        )
        assert (done.json["claims"], done.json["sources"]) == ([], [])
        text = run(*words)
        assert (text.code, text.err) == (1, "")
        assert "No recording:\nNo recording for this request.\n" in text.out

    def test_the_users_own_recordings_come_first(self, run: Run, folder: Path, tmp_path: Path) -> None:
        own = tmp_path / "own"
        run("record", "--ids", "Q04", "--out", str(folder))
        run("record", "--ids", "Q05", data=own)
        words = ("ask", "--answerer", "replay", "--model", "quote", "--json", "--id")

        assert run(*words, "Q04", data=own).json["status"] == "no_recording"
        assert run(*words, "Q05", data=own).json["status"] == "answered"

    def test_a_batch_is_replayed_too(self, run: Run, folder: Path) -> None:
        run("record", "--ids", "Q04", "--out", str(folder))
        words = ("ask", "--batch", "-", "--answerer", "replay", "--model", "quote")
        row = json.dumps({"id": "mine", "question": BUMPED, "as_of": "2022-06-10"})

        (made,) = run(*words, stdin=row).rows
        assert (made["id"], made["status"]) == ("mine", "no_recording")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--answerer", "replay"], "Name the model with --model"),
            (["--answerer", "replay", "--model", "nobody"], "There are no recordings of nobody."),
            (["--model", "quote"], "Add --answerer replay"),
            (["--answerer", "chat", "--model", "quote"], "Add --answerer replay"),
        ],
    )
    def test_whose_recordings_must_be_said(self, words: list[str], said: str, run: Run) -> None:
        done = run("ask", BUMPED, *DAY, *words)

        assert (done.code, done.out) == (2, "")
        assert said in done.err

    def test_a_malformed_recording_is_named_by_its_line(self, run: Run, folder: Path) -> None:
        (folder / "quote").mkdir(parents=True)
        (folder / "quote" / "filter-on.jsonl").write_text("\n{", "utf-8")
        done = run("ask", BUMPED, *DAY, "--answerer", "replay", "--model", "quote")

        assert (done.code, done.out) == (2, "")
        assert "filter-on.jsonl, line 2: not a recording" in done.err


CHAT = ("ask", BUMPED, *DAY, "--answerer", "chat", "--json")
ABSTAINS = json.dumps({"status": "abstained", "reason": "nothing_fits", "claims": []})


class Terminal:
    """A person at a terminal who types one line."""

    def __init__(self, line: str) -> None:
        self.line = line

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self.line


def settings(folder: Path, **values: str) -> Path:
    folder.mkdir(exist_ok=True)
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())
    (folder / "settings.toml").write_text(lines, "utf-8")
    return folder


class TestChat:
    def test_without_a_server_the_error_says_what_to_set(self, run: Run, tmp_path: Path) -> None:
        done = run(*CHAT, data=tmp_path)

        assert (done.code, done.out) == (2, "")
        assert "chat_url is not set" in done.err
        assert "Set chat_url to the server's base address, such as http://localhost:11434/v1." in done.err

    def test_without_a_model_too(self, run: Run, tmp_path: Path) -> None:
        done = run(*CHAT, data=settings(tmp_path, chat_url="http://localhost:1/v1"))

        assert (done.code, done.out) == (2, "")
        assert "chat_model is not set." in done.err

    def test_an_answer_of_a_server_is_checked_and_shown(
        self, run: Run, server: ScriptedServer, tmp_path: Path
    ) -> None:
        data = settings(tmp_path, chat_url=server.url, chat_model="small-1")
        given = run("ask", BUMPED, *DAY, "--json", data=data).json["context"]["ids"]
        claim = {"text": "At least 200 percent of the fare or $9,999.", "passages": [given[0], "made-up"]}
        server.says(json.dumps({"status": "answered", "reason": None, "claims": [claim]}))
        done = run(*CHAT, data=data)

        assert (done.code, done.err) == (0, "")
        assert (done.json["status"], done.json["answerer"], done.json["model"]) == (
            "answered",
            "chat",
            "small-1",
        )
        (shown,) = done.json["claims"]
        assert any("9,999" in problem for problem in shown["problems"])
        assert [source["id"] for source in done.json["sources"]] == given[:1]
        assert done.json["usage"] == {"tokens_in": 100, "tokens_out": 20}
        (request,) = server.requests
        assert BUMPED in json.dumps(request.body["messages"])

    def test_a_failing_server_has_its_exit_code(
        self, run: Run, server: ScriptedServer, tmp_path: Path
    ) -> None:
        data = settings(tmp_path, chat_url=server.url, chat_model="small-1")
        server.replies(401, {"error": {"message": "bad key"}})
        refused = run(*CHAT, data=data)
        server.says("no JSON", "no JSON either")
        unusable = run(*CHAT, data=data)

        assert (refused.code, refused.out) == (4, "")
        assert "error: 127.0.0.1" in refused.err
        assert "REGULATIONS_ASSISTANT_API_KEY" in refused.err
        assert unusable.code == 4
        assert unusable.json["status"] == "failed"
        assert unusable.err == f"error: {unusable.json['error']}\n"

    def test_closed_book_sends_no_passages(self, run: Run, server: ScriptedServer, tmp_path: Path) -> None:
        data = settings(tmp_path, chat_url=server.url, chat_model="small-1")
        server.says(ABSTAINS)
        done = run(*CHAT, "--closed-book", data=data)

        assert (done.code, done.json["status"]) == (1, "abstained")
        assert "<<passage" not in json.dumps(server.requests[0].body)

    def test_answers_of_a_server_are_recorded_and_replayed(
        self, run: Run, server: ScriptedServer, tmp_path: Path
    ) -> None:
        data = settings(tmp_path, chat_url=server.url, chat_model="org/small:1")
        server.says(ABSTAINS, ABSTAINS)
        done = run("record", "--answerer", "chat", "--ids", "Q02", "Q04", data=data)
        again = run(
            "ask", "--id", "Q04", "--answerer", "replay", "--model", "org/small:1", "--json", data=data
        )

        file = data / "recordings" / "org_small_1" / "filter-on.jsonl"
        assert done.out == f"2 answers of org/small:1 in {file}\n"
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        assert [row["source"] for row in rows] == [f"server 127.0.0.1:{server.port}"] * 2
        assert again.code == 1
        assert (again.json["status"], again.json["usage"]) == (
            "abstained",
            {"tokens_in": 100, "tokens_out": 20},
        )
        figures = run("eval", "--model", "org/small:1", "--ids", "Q02", "Q04", "--json", data=data).json
        assert (figures["answers"][0]["abstained"], figures["answers"][0]["tokens in"]) == (2, 200)

    @pytest.mark.parametrize("words", [CHAT, ("record", "--answerer", "chat", "--ids", "Q04")])
    def test_another_computer_needs_somebody_to_agree(
        self, words: tuple[str, ...], run: Run, tmp_path: Path
    ) -> None:
        data = settings(tmp_path, chat_url="https://api.example.invalid/v1", chat_model="m")
        done = run(*words, data=data)

        assert (done.code, done.out) == (2, "")
        assert "nobody has agreed to send questions to it" in done.err
        assert 'chat_consent = ["api.example.invalid"]' in done.err
        assert not (data / "consent.json").exists()

    @pytest.mark.parametrize(
        ("line", "agreed"), [("y\n", True), (" YES \n", True), ("\n", False), ("", False)]
    )
    def test_on_a_terminal_a_person_is_asked_once(
        self,
        line: str,
        agreed: bool,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        # A name that leads nowhere: what is asked can be seen, and nothing leaves this computer.
        for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        data = settings(tmp_path, chat_url="https://api.example.invalid/v1", chat_model="m")
        code = at_terminal([*CHAT, "--no-models", "--data", str(data)], line, monkeypatch)
        seen = capsys.readouterr()

        assert seen.out == ""
        assert "api.example.invalid is not this computer." in seen.err
        assert "Send it? [y/N] " in seen.err
        assert (data / "consent.json").exists() is agreed
        assert code == (4 if agreed else 2)


def at_terminal(words: list[str], line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command whose standard input and error are a terminal."""
    from engine.cli import main  # noqa: PLC0415 - after the fixtures have set up the streams

    monkeypatch.setattr(sys, "stdin", Terminal(line))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    return main(words)
