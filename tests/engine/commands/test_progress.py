"""Progress on standard error: a bar for people, a line a stage for everything else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engine.commands.common import Progress

if TYPE_CHECKING:
    import pytest


def test_a_pipe_gets_one_line_a_stage(capsys: pytest.CaptureFixture[str]) -> None:
    show = Progress()
    for stage, done in (("reading", 0), ("reading", 13), ("embedding", 5)):
        show(stage, done, 13)
    seen = capsys.readouterr()

    assert seen.err == "reading (13) …\nembedding (13) …\n"
    assert seen.out == ""


def test_a_terminal_gets_a_bar_that_fills(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show = Progress()
    show("reading", 0, 4)
    show("reading", 2, 4)
    show("reading", 4, 4)
    show("embedding", 0, 0)
    first, half, full, nothing = capsys.readouterr().err.split("\r")[1:]

    assert first == f"reading    [{' ' * 24}] 0/4"
    assert half == f"reading    [{'#' * 12}{' ' * 12}] 2/4"
    assert full == f"reading    [{'#' * 24}] 4/4\n"
    assert nothing.endswith("0/0\n")
