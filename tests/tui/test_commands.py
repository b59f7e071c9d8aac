"""Each command speaks for itself in footer, palette and help."""

from __future__ import annotations

import pytest

from tui import commands
from tui.screens.help import ALONE, lines, shown_keys

GROUPS = {"everywhere": commands.EVERYWHERE, "calendar": commands.CALENDAR, **commands.PANES}


@pytest.mark.parametrize("group", GROUPS)
def test_no_key_means_two_things_in_one_place(group: str) -> None:
    keys = [key for command in GROUPS[group] for key in command.keys.split(",") if key]

    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    "command", {one for group in GROUPS.values() for one in group}, ids=lambda one: one.name
)
def test_every_command_explains_itself(command: type[commands.Command]) -> None:
    assert command.help().endswith(".")
    assert command.name
    assert command.action


@pytest.mark.parametrize("pane", commands.PANES)
def test_the_help_page_names_every_key(pane: str) -> None:
    page = lines(pane).plain
    wanted = commands.PANES[pane]
    if pane not in ALONE:
        wanted += commands.EVERYWHERE

    for command in wanted:
        assert shown_keys(command) in page
        assert command.help() in page


def test_long_help_is_wrapped_below_its_own_words() -> None:
    page = lines("answers", 60).plain.split("\n")
    wrapped = [line for line in page if line.startswith(" " * 13)]

    assert wrapped
    assert all(len(line) <= 60 for line in page if line.startswith("  "))
