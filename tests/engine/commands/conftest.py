"""The command line in this process: words in, exit code and both streams out."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from engine import paths
from engine.cli import main
from engine.opening import open_engine

if TYPE_CHECKING:
    from types import ModuleType

QUESTIONS = Path(__file__).parents[3] / "questions"


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The whole of standard output as one JSON value: nothing else may stand there."""
        return json.loads(self.out)

    @property
    def rows(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


class Run(Protocol):
    """Runs one command by keywords only, with the test's own data folder."""

    def __call__(self, *words: str, stdin: str | bytes = b"", data: Path | None = ...) -> Outcome:
        """`stdin` is what standard input holds."""
        ...


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a built index of keywords; nothing writes to it afterwards."""
    folder = tmp_path_factory.mktemp("data")
    open_engine(data=folder, models=False)
    return folder


@pytest.fixture
def run(data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    default = data

    def run(*words: str, stdin: str | bytes = b"", data: Path | None = None) -> Outcome:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        code = main([*words, "--no-models", "--data", str(data or default)])
        seen = capsys.readouterr()
        return Outcome(code, seen.out, seen.err)

    return run


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house whose questions and recordings a test may change; its regulations are the shipped ones."""
    original = paths.shipped
    folder = tmp_path / "house"
    (folder / "questions").mkdir(parents=True)
    (folder / "recordings").mkdir()
    for name in ("questions", "tuning", "heldout"):
        rows = (QUESTIONS / f"{name}.jsonl").read_text("utf-8").splitlines(keepends=True)[:8]
        (folder / "questions" / f"{name}.jsonl").write_text("".join(rows), "utf-8")
    monkeypatch.setattr(
        paths, "shipped", lambda name: original(name) if name == "regulations" else folder / name
    )
    return folder


def _beside(folder: str) -> ModuleType:
    """The fixtures of a neighbouring folder, which pytest keeps to that folder."""
    name = f"fixtures_of_{folder}"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / folder / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


server = _beside("answerers").server
"""A model server whose replies a test writes down beforehand."""
