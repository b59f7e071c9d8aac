"""The command line as a whole: exit codes, options anywhere, streams, and real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from engine import __version__, cli
from engine.cli import Exit, build_parser, guarded, main, start
from engine.errors import (
    IndexUnusableError,
    ModelError,
    RegulationsError,
    ServerError,
    SnapshotError,
    UsageError,
)
from engine.opening import open_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.engine import Engine

SEARCH = ("search", "denied boarding", "--as-of", "2022-06-10")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    open_engine(data=folder, models=False)
    return folder


def raising(error: BaseException) -> Callable[[], int]:
    def command() -> NoReturn:
        raise error

    return command


def process(*words: str | Path, data: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tui", *map(str, words), "--no-models", "--data", str(data)]
    return subprocess.run(
        command,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("What?"), 2),
        (RegulationsError("No."), 3),
        (SnapshotError("Altered."), 3),
        (IndexUnusableError("Half."), 3),
        (ModelError("Missing."), 3),
        (ServerError("Down."), 4),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_failure_has_its_exit_code_and_one_line(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raising(error)) == code
    seen = capsys.readouterr()
    assert seen.out == ""
    assert len(seen.err.splitlines()) == 1


def test_the_codes_are_those_of_the_contract() -> None:
    assert [int(code) for code in Exit] == [0, 1, 2, 3, 4, 130]


def test_an_error_shows_its_hint_and_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(UsageError("No \x1b[2J.", "Try \u202e this."))) == 2
    assert capsys.readouterr().err == "error: No \\x1b[2J.\nTry \\u202e this.\n"


def test_a_reader_who_has_seen_enough_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    assert guarded(raising(BrokenPipeError())) == 0
    # What Python writes and flushes at its exit goes nowhere.
    sys.stdout.write("more\n")
    sys.stdout.flush()
    assert not sys.stdout.isatty()


def test_streams_that_are_closed_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    assert main(["config", "path"]) == 0
    assert main(["nothing"]) == 2


class Terminal:
    """A terminal that shows Latin letters only."""

    def __init__(self) -> None:
        self.changed: dict[str, str] = {}

    def isatty(self) -> bool:
        return True

    def reconfigure(self, **changed: str) -> None:
        self.changed = changed

    def flush(self) -> None:
        pass


def test_a_terminal_keeps_its_encoding_and_a_pipe_gets_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pipe = Terminal(), Terminal()
    monkeypatch.setattr(pipe, "isatty", lambda: False)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", pipe)

    assert guarded(lambda: 0) == 0
    assert terminal.changed == {"errors": "replace"}
    assert pipe.changed == {"encoding": "utf-8", "errors": "replace"}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["answer"],
        ["ask", "What?", "--asof", "2022-06-10"],
        ["ask", "What?", "--as", "2022-06-10"],
        ["ask", "What?", "--as-of", "2022-06-10", "--js"],
        ["--regul", "x", "snapshot"],
        ["search", "bag", "--as-of"],
        ["search", "bag", "bag", "--as-of", "none"],
        ["search", "bag", "--as-of", "none", "--no-date-filter"],
        ["versions", "250.5", "--asof", "2022-06-10"],
        ["compare", "250.5", "2022-06-10"],
        ["chunks"],
        ["passage"],
        ["snapshot", "repair"],
        ["config", "set"],
        ["questions", "extra"],
        ["eval", "extra"],
        ["eval", "--set", "mine"],
        ["eval", "--compare", "a.json"],
        ["eval", "--ids"],
        ["record", "extra"],
        ["record", "--answerer", "replay"],
        ["record", "--set", "tuning"],
        ["--plain", "doctor"],
    ],
    ids=" ".join,
)
def test_what_is_not_understood_is_refused_and_nothing_is_opened(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.commands.common.open_engine", lambda *_, **__: pytest.fail("opened"))

    assert main(words) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.startswith("error: ")
    assert "--help`" in seen.err


def test_shared_options_stand_before_or_after_the_command(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = ["--no-models", "--data", str(data)]
    said = []
    for words in ([*shared, *SEARCH], [*SEARCH, *shared], [*shared[:1], *SEARCH, *shared[1:]]):
        assert main([*words, "--json"]) == 0
        said.append(capsys.readouterr().out)

    assert said[0] == said[1] == said[2]


def test_the_later_of_two_shared_options_wins(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--data", "first", "config", "path", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'settings.toml'}\n"


def test_help_names_every_command_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    out = capsys.readouterr().out

    for command in (
        "ask",
        "search",
        "versions",
        "compare",
        "chunks",
        "passage",
        "snapshot",
        "ingest",
        "questions",
        "eval",
        "record",
        "refresh",
        "doctor",
        "config",
    ):
        assert f"\n    {command} " in out
    assert "130 interrupted" in " ".join(out.split())


def test_every_command_describes_itself(capsys: pytest.CaptureFixture[str]) -> None:
    (commands,) = [action for action in build_parser()._actions if action.dest == "command"]
    for name in commands.choices or ():
        with pytest.raises(SystemExit, match="0"):
            main([name, "--help"])
        out = capsys.readouterr().out
        assert "--regulations DIR" in out
        assert "--no-models" in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"regulations-assistant {__version__}\n"


@pytest.mark.parametrize(
    "words", [["doctor"], ["--help"], ["--nothing"], ["--data"], ["--data", "x", "ask"], ["ask", "--plain"]]
)
def test_a_sub_command_does_not_open_the_program(words: Sequence[str]) -> None:
    assert start(words) is None


@pytest.mark.parametrize("closed", [True, False])
def test_the_program_needs_a_terminal(
    closed: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if closed:
        monkeypatch.setattr(sys, "stdin", None)
    opening = start(["--plain"])

    assert opening is not None
    assert opening(lambda _: pytest.fail("it was started")) == 2
    assert 'ask "…" --as-of DAY' in capsys.readouterr().err


def test_on_a_terminal_the_program_gets_an_engine_and_gives_the_exit_code(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    seen: list[Engine] = []

    def program(engine: Engine) -> int:
        seen.append(engine)
        return 7

    opening = start(["--no-models", "--data", str(data)])
    assert opening is not None
    assert opening(program) == 7
    assert seen[0].collection.id == "us-14-cfr"


def test_interrupted_while_it_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.commands.common.open_engine", interrupted)

    assert main([*SEARCH, "--json"]) == 130
    assert capsys.readouterr() == ("", "Interrupted.\n")


def test_a_process_keeps_data_and_narration_apart(tmp_path: Path) -> None:
    done = process(*SEARCH, "--json", data=tmp_path)

    assert done.returncode == 0
    assert json.loads(done.stdout)["hits"]
    assert done.stderr == "reading (13) …\n"


def test_a_note_on_standard_error_says_why_an_index_is_built_again(tmp_path: Path) -> None:
    (tmp_path / "us-14-cfr.sqlite3").write_bytes(b"no index")
    done = process(*SEARCH, "--json", data=tmp_path)

    assert json.loads(done.stdout)["hits"]
    assert done.stderr.startswith("note: the index is built again: The index cannot be read")


@pytest.mark.parametrize("locale", [{"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": "C"}])
def test_the_language_of_the_machine_changes_nothing(locale: dict[str, str], data: Path) -> None:
    words = ("ask", "Bumped, 90 minutes late: what is owed?", "--as-of", "10 June 2022")
    done = process(*words, data=data, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", **locale)

    assert done.returncode == 0
    assert "As of:    2022-06-10" in done.stdout
    assert done.stdout == process(*words, data=data).stdout


@pytest.mark.parametrize(
    "words",
    [
        ("search", "denied boarding", "--as-of", "none", "--top", "200", "--json"),
        ("versions", "--json"),
    ],
    ids=lambda words: words[0],
)
def test_a_closed_pipe_gives_no_traceback(words: tuple[str, ...], data: Path) -> None:
    command = [sys.executable, "-m", "tui", *words, "--no-models", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(1)
        running.stdout.close()
        said = running.stderr.read().decode()

    assert running.returncode == 0
    assert "Traceback" not in said
    assert "BrokenPipe" not in said


def test_a_batch_whose_reader_leaves_gives_no_traceback(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    row = json.dumps({"question": "denied boarding", "as_of": "2022-06-10"})
    file.write_text(f"{row}\n" * 30, "utf-8")
    command = [sys.executable, "-m", "tui", "ask", "--batch", str(file), "--no-models", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert json.loads(running.stdout.readline())["status"] == "answered"
        running.stdout.close()
        said = running.stderr.read().decode()

    assert running.returncode == 0
    assert "Traceback" not in said


def test_the_program_name_is_the_command_of_the_package() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")

    assert f'\n{cli.PROGRAM} = "tui.__main__:main"\n' in project


class TestAFaultOfTheProgram:
    SECRET = "Jane Doe, seat 12A"

    def broken(self) -> int:
        raise ZeroDivisionError(self.SECRET)

    def test_ends_in_two_short_lines_without_the_callers_words(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert guarded(self.broken) == 3
        told = capsys.readouterr().err
        assert "ZeroDivisionError" in told
        assert "Traceback" not in told
        assert self.SECRET not in told

    def test_is_shown_whole_to_developers_who_ask(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REGULATIONS_ASSISTANT_DEBUG", "1")
        with pytest.raises(ZeroDivisionError):
            guarded(self.broken)
