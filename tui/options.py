"""What the words after the command mean when they hold no sub-command."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

DUMB_TERMINALS = frozenset({"dumb", "unknown"})
"""Values of TERM on which nothing can be drawn."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the interactive program was started with; a child process can be given it."""

    regulations: Path | None = None
    """A folder of collections; the shipped one when None."""
    collection: str | None = None
    data: Path | None = None
    """The folder of index, settings and state; the platform's when None."""
    no_models: bool = False
    plain: bool = False
    """Whether the program was asked to go line by line."""


class _NoOptions(Exception):  # noqa: N818 - it is no error: the words are meant for the command line
    """The words are no bare call of the interactive program."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Leave the words to the command line, which says what is wrong with them."""
        raise _NoOptions(message)


def option_parser() -> argparse.ArgumentParser:
    """The options that go without a sub-command; a test compares them with those of the command line."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--regulations", type=Path)
    parser.add_argument("--collection")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--no-models", action="store_true")
    parser.add_argument("--plain", action="store_true")
    return parser


def interactive(words: Sequence[str]) -> Options | None:
    """The options of a call without a sub-command; None for everything that the command line explains."""
    try:
        found = option_parser().parse_args(list(words))
    except _NoOptions:
        return None
    return Options(**vars(found))
