"""The wheel that a user installs: complete, tidy, and at work far from the checkout."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = ("regulations", "questions", "recordings")
QUESTION = (
    "I was bumped from a full domestic flight and rebooked to arrive 90 minutes late. "
    "What did the airline owe me?"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("build", "hatchling")),
        reason="not installed: build, hatchling (the extra `dev`)",
    ),
]


def run(*command: str | Path, cwd: Path, code: int = 0, **variables: str) -> str:
    """Run a command that must end with `code`, and give back its stdout."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def shipped_files(folder: str) -> dict[str, bytes]:
    return {
        path.relative_to(REPOSITORY).as_posix(): path.read_bytes()
        for path in sorted((REPOSITORY / folder).rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    options = ("--wheel", "--no-isolation", "--outdir", folder)
    run(sys.executable, "-P", "-m", "build", *options, REPOSITORY, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the wheel's files and nothing else; it goes before the checkout on the path."""
    folder = tmp_path_factory.mktemp("installed")
    options = ("--no-index", "--no-deps", "--no-compile", "--disable-pip-version-check", "-q")
    run(sys.executable, "-P", "-m", "pip", "install", *options, "--target", folder, wheel, cwd=folder)
    return folder


def program(installed: Path, cwd: Path, *arguments: str) -> str:
    command = (sys.executable, "-P", "-m", "tui", *arguments, "--data", cwd / "data")
    return run(*command, cwd=cwd, PYTHONPATH=str(installed))


def test_wheel_brings_two_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}

    assert {name for name in tops if not name.endswith(".dist-info")} == {"engine", "tui"}
    assert len(tops) == 3


@pytest.mark.parametrize("folder", DATA)
def test_wheel_carries_the_data_byte_for_byte(folder: str, wheel: Path) -> None:
    prefix = "engine/_data/"
    with zipfile.ZipFile(wheel) as archive:
        packed = {
            name.removeprefix(prefix): archive.read(name)
            for name in archive.namelist()
            if name.startswith(f"{prefix}{folder}/") and not name.endswith("/")
        }

    assert packed
    assert packed == shipped_files(folder)


def test_wheel_carries_every_module_and_no_test(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.endswith(".py")}
    written = {
        path.relative_to(REPOSITORY).as_posix()
        for package in ("engine", "tui")
        for path in (REPOSITORY / package).rglob("*.py")
    }

    assert packed == written


def test_wheel_states_licence_extras_and_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (info,) = {name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name}
        names = set(archive.namelist())
        metadata = archive.read(f"{info}/METADATA").decode()
        commands = archive.read(f"{info}/entry_points.txt").decode()

    assert f"{info}/licenses/LICENSE" in names
    assert "\nLicense-Expression: MIT\n" in metadata
    assert "\nProvides-Extra: models\n" in metadata
    assert "regulations-assistant = tui.__main__:main" in commands


def test_installed_wheel_is_what_runs(installed: Path, tmp_path: Path) -> None:
    code = "import engine, tui; print(engine.__file__); print(tui.__file__)"
    found = run(sys.executable, "-P", "-c", code, cwd=tmp_path, PYTHONPATH=str(installed))

    assert all(Path(line).resolve().is_relative_to(installed.resolve()) for line in found.splitlines())


def test_installed_wheel_holds_its_snapshot(installed: Path, tmp_path: Path) -> None:
    assert "2026-10-07" in program(installed, tmp_path, "snapshot", "--json")


def test_installed_wheel_answers_in_any_folder(installed: Path, tmp_path: Path) -> None:
    asked = program(installed, tmp_path, "ask", QUESTION, "--as-of", "2022-06-10", "--no-models", "--json")
    card = json.loads(asked)

    assert card["status"] == "answered"
    assert "$775" in card["answer"]
    assert all(source["in_force"] for source in card["sources"])
