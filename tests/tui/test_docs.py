"""docs/app.md names every command and shows pictures that are there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from make_docs import PAGE, STATES, every_command, with_table

from tui.screens.help import shown_keys

if TYPE_CHECKING:
    from tui.commands.command import Command

TEXT = PAGE.read_text("utf-8")
README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("command", every_command(), ids=lambda one: f"{one.pane}-{one.name}")
def test_every_command_is_documented(command: type[Command]) -> None:
    row = rf"\| `?\(?{re.escape(shown_keys(command).strip('()'))}\)?`? \| {re.escape(command.name)} \| "

    assert re.search(row + re.escape(command.help()), TEXT), "run: python tests/tui/make_docs.py table"


def test_the_table_is_the_programs_own() -> None:
    assert with_table(TEXT) == TEXT, "run: python tests/tui/make_docs.py table"


def test_every_picture_is_there_and_shown() -> None:
    shown = re.findall(r"\]\((screens/.*?\.svg)\)", TEXT)

    assert {f"screens/{name}.svg" for name in STATES} == set(shown)
    assert all("</svg>" in (PAGE.parent / name).read_text("utf-8") for name in shown)
    for name in re.findall(r"\]\((docs/screens/.*?)\)", README.read_text("utf-8")):
        assert (README.parent / name).is_file()
