"""Copying by the system's own programs, and what leaves the screen as words."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from screen_support import card

from tui import clipboard, words
from tui.state import load_theme, save_theme

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("platform", "environment", "programs"),
    [
        ("darwin", {}, ["pbcopy"]),
        ("win32", {}, ["clip.exe"]),
        ("linux", {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, ["wl-copy", "xclip", "xsel"]),
        ("linux", {"WSL_DISTRO_NAME": "Debian"}, ["clip.exe"]),
        ("linux", {"DISPLAY": ":0", "SSH_CONNECTION": "x"}, []),
        ("linux", {}, []),
    ],
)
def test_which_programs_are_tried(platform: str, environment: dict[str, str], programs: list[str]) -> None:
    assert [command[0] for command in clipboard._programs(environment, platform)] == programs


def test_the_first_program_that_works_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, bytes]] = []

    def run(command: tuple[str, ...], **options: Any) -> None:
        if command[0] == "wl-copy":
            raise subprocess.CalledProcessError(1, command)
        given.append((command[0], options["input"]))

    monkeypatch.setattr("tui.clipboard.shutil.which", lambda name: None if name == "xsel" else name)
    monkeypatch.setattr("tui.clipboard.subprocess.run", run)
    monkeypatch.setattr("tui.clipboard.sys.platform", "linux")
    for name in ("WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.setenv(name, "x")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)

    assert clipboard.copy_natively("§ 250.5") == "xclip"
    assert given == [("xclip", "§ 250.5".encode())]


def test_without_a_program_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.clipboard.shutil.which", lambda _: None)
    monkeypatch.setattr("tui.clipboard.sys.platform", "darwin")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)

    assert clipboard.copy_natively("x") is None


def test_words_of_another_version_never_leave_without_their_badge() -> None:
    from dataclasses import replace  # noqa: PLC0415

    made = card()
    made = replace(made, sources=tuple(replace(one, in_force=False) for one in made.sources))

    for text in (
        words.answer_words(made),
        words.cited_words(made),
        words.file_words(made, markdown=True, with_question=False),
        words.file_words(made, markdown=False, with_question=False),
    ):
        assert "✗ NOT IN FORCE 2024-12-20" in text


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.md").touch()
    (tmp_path / "a-2.md").touch()

    assert words.free_path(tmp_path / "a.md").name == "a-3.md"


def test_the_theme_is_remembered_and_a_broken_file_forgotten(tmp_path: Path) -> None:
    assert load_theme(tmp_path) is None
    assert save_theme(tmp_path / "new", "nord")
    assert load_theme(tmp_path / "new") == "nord"
    (tmp_path / "screen.json").write_text("[1")
    assert load_theme(tmp_path) is None
    assert not save_theme(tmp_path / "screen.json" / "x", "nord")
