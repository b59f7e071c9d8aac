"""Who may import whom, shown in fresh processes and in the source."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parent.parent
MAX_LINES = 400

TERMINAL = {"textual", "rich", "tui"}
HEAVY = {"torch", "sentence_transformers", "transformers", "numpy", "scipy", "sklearn"}


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (REPOSITORY / folder).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def loaded_after(code: str, folder: Path) -> set[str]:
    """The top-level packages that a fresh process holds after `code`, which must not fail."""
    report = "\nimport sys\nprint('\\nLOADED', *sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code + report],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("LOADED ")[2].split())


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Each name that a file imports, anywhere in it, with its line: `engine.cli`, `engine.Engine`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module_name(path).split(".")
                if path.stem != "__init__":
                    package.pop()
                kept = package[: len(package) - node.level + 1]
                base = ".".join([*kept, base] if base else kept)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


ENGINE_MODULES = [module_name(path) for path in sources("engine")]


def test_importing_the_engine_is_light(tmp_path: Path) -> None:
    loaded = loaded_after("import engine", tmp_path)

    assert "engine" in loaded
    assert not loaded & (TERMINAL | HEAVY)


@pytest.mark.parametrize("name", ENGINE_MODULES)
def test_no_engine_module_brings_a_terminal(name: str, tmp_path: Path) -> None:
    loaded = loaded_after(f"import {name}", tmp_path)

    assert "engine" in loaded
    assert not loaded & TERMINAL


@pytest.mark.parametrize("path", sources("engine"), ids=module_name)
def test_no_engine_file_names_a_terminal_package(path: Path) -> None:
    wrong = [(line, name) for line, name in imported(path) if name.partition(".")[0] in TERMINAL]

    assert not wrong


@pytest.mark.parametrize("path", sources("tui"), ids=module_name)
def test_the_terminal_uses_the_engine_by_its_public_door(path: Path) -> None:
    inner = set(ENGINE_MODULES) - {"engine"}
    wrong = [
        (line, name)
        for line, name in imported(path)
        if name in inner or name.rpartition(".")[0] in inner or name == "engine.*"
    ]
    if module_name(path) == "tui.__main__":
        wrong = [(line, name) for line, name in wrong if name.split(".")[:2] != ["engine", "cli"]]

    assert not wrong


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["snapshot", "--json"],
        ["search", "denied boarding compensation", "--as-of", "2022-06-10", "--no-models", "--json"],
        ["ask", "How much for a bumped passenger?", "--as-of", "2015-03-10", "--no-models", "--json"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_never_loads_the_screen(arguments: list[str], tmp_path: Path) -> None:
    arguments = [*arguments, *([] if arguments == ["--help"] else ["--data", str(tmp_path / "data")])]
    code = f"""
import sys
sys.argv = ["regulations-assistant", *{arguments!r}]
from tui.__main__ import main
try:
    main()
except SystemExit as end:
    assert end.code in (None, 0, 1), end.code
"""

    loaded = loaded_after(code, tmp_path)

    assert {"engine", "tui"} <= loaded
    assert not loaded & {"textual", "torch", "sentence_transformers"}


def test_the_layers_are_a_contract_of_the_linter() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    forbidden = {
        (source, target)
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["type"] == "forbidden"
        for source in contract["source_modules"]
        for target in contract["forbidden_modules"]
    }

    assert {("engine", name) for name in TERMINAL} <= forbidden
    assert ("tui", "engine.cli") in forbidden


def test_no_file_is_long() -> None:
    lengths = {
        path.relative_to(REPOSITORY).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources("engine", "tui", "tests")
    }

    assert lengths
    assert not {name: lines for name, lines in lengths.items() if lines > MAX_LINES}
