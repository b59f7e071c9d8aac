"""Each row of `docs/reliability.md` names a test that is there; each test file here stands in a row."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLES = (ROOT / "docs" / "reliability.md").read_text("utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")


def rows() -> list[str]:
    """The rows of every table of faults, without heads and rulers."""
    faults = TABLES.partition("## Load")[0]
    table = [line for line in faults.splitlines() if line.startswith("| ")]
    return [line for line in table if not line.startswith(("| fault |", "| what was tried |"))]


def named_tests(path: Path) -> set[str]:
    """The tests of a file as pytest names them, `Class::test` too."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            found |= {f"{node.name}::{name}" for name in functions(node.body)}
    return found | set(functions(ast.parse(path.read_text("utf-8")).body))


def functions(body: list[ast.stmt]) -> list[str]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [node.name for node in body if isinstance(node, kinds) and node.name.startswith("test_")]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.split("|")[1].strip()[:60])
def test_every_row_names_tests_that_are_there(row: str) -> None:
    cells = re.split(r"(?<!\\)\|", row.strip("|"))
    assert len(cells) == 4
    assert cells[0].strip()
    assert cells[1].strip()
    named = NAMED.findall(cells[3])
    assert named
    assert re.sub(NAMED, "", cells[3]).strip(" ,") == ""
    for file, name in named:
        assert name in named_tests(ROOT / file), f"{file}::{name}"


def test_every_file_of_these_tests_stands_in_a_row() -> None:
    files = {f"tests/reliability/{path.name}" for path in Path(__file__).parent.glob("test_*.py")}
    assert files - {file for file, _ in NAMED.findall(TABLES)} == {f"tests/reliability/{Path(__file__).name}"}


def test_the_figures_of_the_load_run_are_there() -> None:
    load = TABLES.partition("## Load")[2]
    assert "1000 questions in each of two processes" in load
    assert "Nothing lost, both gave the same answers, memory flat." in load
