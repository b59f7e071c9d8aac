"""The program's entry: without a sub-command the interactive program, with one the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engine.cli import main as command_line, start

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; a sub-command never imports what only the interactive program needs."""
    words = list(sys.argv[1:] if argv is None else argv)
    opening = start(words)
    if opening is None:
        return command_line(words)
    from tui.plain import run  # noqa: PLC0415 - a sub-command does without it

    return opening(run)


if __name__ == "__main__":
    sys.exit(main())
