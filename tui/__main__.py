"""The program's entry: without a sub-command the interactive program, with one the command line.

Nothing is imported before it is known to be needed: the screen does not wait for the command line's
modules, and a sub-command never loads the screen's.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from tui.options import DUMB_TERMINALS, interactive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tui.options import Options


INTERRUPTED = 130
"""The exit code after Ctrl+C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    try:
        return _run(argv)
    except KeyboardInterrupt:
        # Before the command line or the screen could take care of it, or once more while they did.
        with contextlib.suppress(OSError):
            print("Interrupted.", file=sys.stderr)  # noqa: T201 - the program's last word
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    options = interactive(words)
    if options is not None and _draws(options):
        from tui.app import run as run_app  # noqa: PLC0415 - a sub-command does without it

        return run_app(options)
    from engine.cli import main as command_line, start  # noqa: PLC0415 - the screen is there sooner

    opening = start(words)
    if options is None or opening is None:
        return command_line(words)
    from tui.plain import run as run_plain  # noqa: PLC0415 - a sub-command does without it

    return opening(run_plain)


def _draws(options: Options) -> bool:
    """Whether boxes can be drawn here, and are wanted."""
    if options.plain or os.environ.get("TERM", "").casefold() in DUMB_TERMINALS:
        return False
    # The screen is drawn on stderr; stdout stays a terminal so that nothing piped is lost.
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


if __name__ == "__main__":
    sys.exit(main())
