"""The options of `refresh` and of `snapshot verify --upstream`; apart from what they do, which loads more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_refresh_options(parser: ArgumentParser) -> None:
    """The options of `refresh`."""
    parser.add_argument(
        "--title", metavar="N", help="with --part and --into: make a collection of this title"
    )
    parser.add_argument(
        "--part", action="append", metavar="P", help="with --title and --into: a part; may be given again"
    )
    parser.add_argument("--into", type=Path, metavar="DIR", help="the collection's own folder")
    parser.add_argument("--check", action="store_true", help="show what would change, and change nothing")
    parser.add_argument("--undo", action="store_true", help="put the texts before the last refresh back")
    _add_shared(parser)


def add_verify_options(parser: ArgumentParser) -> None:
    """What `snapshot verify` has in common with `refresh`."""
    parser.add_argument(
        "--upstream", action="store_true", help="with verify: compare rebuilt files with the publisher's"
    )
    parser.add_argument(
        "--replace", action="store_true", help="with --upstream: take the publisher's files instead"
    )
    _add_shared(parser)


def wants_upstream(options: Namespace) -> bool:
    """Whether `snapshot` was called to compare with the publisher.

    Raises:
        UsageError: options are given that mean nothing without `verify --upstream`.

    """
    given = {name: getattr(options, name) for name in ("replace", "yes", "api", "allow_disagreement")}
    if options.upstream and options.action != "verify":
        raise UsageError("--upstream belongs to `snapshot verify`.", "See `snapshot --help`.")
    if not options.upstream and any(given.values()):
        names = ", ".join(f"--{name.replace('_', '-')}" for name, value in given.items() if value)
        raise UsageError(f"{names}: only with `snapshot verify --upstream`.", "See `snapshot --help`.")
    return bool(options.upstream)


def _add_shared(parser: ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="take what comes without being asked")
    parser.add_argument("--api", metavar="URL", help="the base address of the publisher's API (the eCFR's)")
    parser.add_argument(
        "--allow-disagreement", action="store_true", help="take texts that do not fit the publisher's list"
    )
