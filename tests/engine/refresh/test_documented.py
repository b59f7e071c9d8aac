"""docs/refresh.md names every option, the variable and the setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.cli import build_parser
from engine.refresh.address import VARIABLE
from engine.refresh.waiting import INTERVAL, MAX_WAIT
from engine.refresh.wire import MAX_JSON, MAX_XML, Limits

TEXT = (Path(__file__).parents[3] / "docs" / "refresh.md").read_text("utf-8")


def options(command: str) -> set[str]:
    (commands,) = [action for action in build_parser()._actions if action.dest == "command"]
    choices = commands.choices
    assert isinstance(choices, dict)
    return {name for action in choices[command]._actions for name in action.option_strings}


@pytest.mark.parametrize("name", sorted(options("refresh") | {"--upstream", "--replace"}))
def test_every_option_is_explained(name: str) -> None:
    everywhere = {"-h", "--help", "--data", "--no-models"}
    assert name in everywhere or name in TEXT


def test_the_figures_are_those_of_the_code() -> None:
    limits = Limits()
    assert f"at least {INTERVAL} seconds apart" in TEXT
    assert f"up to {MAX_WAIT:.0f} s" in TEXT
    assert f"at most {MAX_XML >> 20} MiB ({MAX_JSON >> 20} MiB for a list)" in TEXT
    assert limits.attempts == 4
    pauses = [limits.pause * 2**attempt for attempt in range(3)]
    assert f"{pauses[0]:.0f}, {pauses[1]:.0f} and {pauses[2]:.0f} seconds apart" in TEXT
    assert VARIABLE in TEXT
    assert "refresh_api" in TEXT
