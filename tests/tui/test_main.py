"""The console script: a sub-command goes to the command line, nothing else opens the program."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tui.__main__ as script
from engine import open_engine
from engine.cli import _shared_options
from tui.options import Options, interactive, option_parser

if TYPE_CHECKING:
    import argparse

    from engine import Engine


def process(*words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "tui"]
    return subprocess.run(
        [*command, *words],
        env={**os.environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("words", [[], ["--plain"], ["--no-models", "--data", "x"]])
def test_without_a_terminal_the_program_says_what_to_do_instead(words: list[str]) -> None:
    done = process(*words)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: The interactive program needs a terminal.\n")
    assert 'regulations-assistant ask "…" --as-of DAY' in done.stderr


def test_a_sub_command_imports_nothing_of_the_screen(tmp_path: Path) -> None:
    code = (
        "import sys; from tui.__main__ import main; code = main(sys.argv[1:]);"
        "print(sorted(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = process("snapshot", "--json", "--data", str(tmp_path), code=code)

    assert done.returncode == 0
    assert "'engine.cli'" in done.stderr
    for name in ("textual", "rich", "tui.plain", "torch", "sentence_transformers"):
        assert f"'{name}'" not in done.stderr


def test_a_sub_command_gives_its_exit_code(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert script.main(["config", "path", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'settings.toml'}\n"
    assert script.main(["nothing"]) == 2
    assert script.main(["--nothing"]) == 2


def test_words_come_from_the_process_when_none_are_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["regulations-assistant", "config", "path", "--data", str(tmp_path)])

    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(Path(script.__file__)), run_name="__main__")

    assert ended.value.code == 0
    assert capsys.readouterr().out == f"{tmp_path / 'settings.toml'}\n"


def test_without_a_sub_command_the_program_is_run_with_an_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    open_engine(data=tmp_path, models=False)
    seen: list[Engine] = []

    def program(engine: Engine) -> int:
        seen.append(engine)
        return 0

    monkeypatch.setattr("tui.plain.run", program)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    assert script.main(["--plain", "--no-models", "--data", str(tmp_path)]) == 0
    monkeypatch.setenv("TERM", "dumb")
    assert script.main(["--no-models", "--data", str(tmp_path)]) == 0
    assert [engine.collection.id for engine in seen] == ["us-14-cfr"] * 2


def test_on_a_terminal_the_screen_is_opened_with_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Options] = []

    def run(options: Options) -> int:
        seen.append(options)
        return 7

    monkeypatch.setattr("tui.app.run", run)
    monkeypatch.setenv("TERM", "xterm-256color")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)

    assert script.main(["--data", "x", "--no-models"]) == 7
    assert seen == [Options(data=Path("x"), no_models=True)]


def test_the_screen_knows_the_options_that_the_command_line_shares() -> None:
    def flags(parser: argparse.ArgumentParser) -> set[str]:
        return {flag for action in parser._actions for flag in action.option_strings}

    assert flags(option_parser()) == flags(_shared_options()) | {"--plain"}


@pytest.mark.parametrize("words", [["ask"], ["--help"], ["--data"], ["--nothing"], ["--version"]])
def test_everything_else_is_the_command_lines(words: list[str]) -> None:
    assert interactive(words) is None


def test_the_first_screen_waits_for_nothing_that_reads_or_searches() -> None:
    code = "import sys, tui.app; print([name for name in sys.modules if name.startswith('engine.')])"
    done = process(code=code)

    assert done.returncode == 0
    for name in ("facts", "search", "snapshot", "answerers.chat", "redline", "card"):
        assert f"'engine.{name}'" not in done.stdout
