"""`refresh` and `snapshot verify --upstream`: ask the publisher, show the report, take the user's word."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import paths
from engine.commands.common import ANSWERED, Progress, print_json
from engine.errors import UsageError
from engine.refresh.address import api_address
from engine.refresh.run import Outcome, compare_upstream, refresh, undo
from engine.refresh.session import Tools
from engine.refresh.shown import outcome_json, report_text
from engine.refresh.target import Named, choose, place_of
from engine.safe import safe_text
from engine.settings import load_settings

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from engine.refresh.report import Report
    from engine.refresh.target import Target

_GUESS = "Say --check to see what would change, or --yes to take it without being asked."


def refresh_now(options: Namespace) -> int:
    """Bring a collection up to the publisher's day, make one, or put the one before back."""
    if options.undo:
        return _undo(options)
    _check_word(options, wanted=not options.check)
    target = choose(_named(options))
    tools = _tools(options)
    _say_what(target, tools)
    outcome = refresh(target, tools, _decision(options, ask=not options.check))
    if outcome.report is None and target.base is not None:
        day = target.base.current_to
        _tell(f"Nothing to do: the publisher's texts are up to date to {day}, as the held ones are.")
    return _concluded(options, outcome, target)


def verify_upstream(options: Namespace) -> int:
    """Compare rebuilt files with the publisher's, and replace them when told to."""
    _check_word(options, wanted=options.replace)
    target = choose(_named(options))
    tools = _tools(options)
    _say_what(target, tools)
    # A comparison that takes nothing has to show what does not fit, and not to stop at it.
    tools = replace(tools, allow_disagreement=options.allow_disagreement or not options.replace)
    outcome = compare_upstream(target, tools, _decision(options, ask=options.replace))
    if outcome.report is None:
        _tell("Nothing to compare: no file of the collection is a rebuilt one.")
    return _concluded(options, outcome, target)


def _undo(options: Namespace) -> int:
    used = [name for name in ("check", "yes", "title", "part", "api") if getattr(options, name)]
    if used:
        raise UsageError(f"--undo asks nobody anything; --{used[0]} is not used.", "Leave it away.")
    named = _named(options)
    stands_in = named.into is None and named.regulations is None
    held = undo(place_of(named), _tell, stands_in=stands_in)
    if options.json:
        state = None if held is None else {"folder": str(held.folder), "sha256": held.sha256}
        print_json({"undone": True, "in_use": state})
    return ANSWERED


def _named(options: Namespace) -> Named:
    values: dict[str, Any] = {
        name: getattr(options, name, None) for name in ("regulations", "data", "collection", "into", "title")
    }
    return Named(**values, parts=tuple(getattr(options, "part", None) or ()))


def _tools(options: Namespace) -> Tools:
    data = paths.data_folder(getattr(options, "data", None))
    settings = load_settings(paths.settings_file(data))
    return Tools(
        address=api_address(options.api, os.environ, settings.refresh_api),
        progress=Progress(),
        tell=_tell,
        recordings=(data / "recordings", paths.shipped("recordings")),
        allow_disagreement=options.allow_disagreement,
    )


def _say_what(target: Target, tools: Tools) -> None:
    """Say which computer is spoken to, and where the texts will lie, before anything is sent."""
    _tell(f"Asking {tools.address.named} for the publisher's texts. Nothing of yours is sent there.")
    if target.elsewhere and target.base is not None:
        _tell(f"{target.base.folder} stays as it is. What is accepted goes into {target.place.current}")
        _tell("and is used instead from then on.")
    else:
        _tell(f"What is accepted goes into {target.place.current}.")


def _at_terminal() -> bool:
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


def _check_word(options: Namespace, *, wanted: bool) -> None:
    """See before the first request that somebody can say yes, or has said it."""
    if options.yes and not wanted:
        raise UsageError(
            "--yes takes what comes, and here nothing is to be taken.", "Leave one of them away."
        )
    if wanted and not options.yes and not _at_terminal():
        raise UsageError("Nobody is here to be asked whether the texts are to be replaced.", _GUESS)


def _decision(options: Namespace, *, ask: bool) -> Callable[[Report], bool]:
    def decide(report: Report) -> bool:
        # With --json the report is printed once, with how it ended.
        print(report_text(report), file=sys.stderr if options.json else sys.stdout)
        if not ask or options.yes:
            return ask
        print("Replace the texts in use? [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().casefold() in {"y", "yes"}

    return decide


def _concluded(options: Namespace, outcome: Outcome, target: Target) -> int:
    if options.json:
        place = target.place
        where = {
            "folder": str(place.current),
            "previous": str(place.previous) if place.previous.exists() else None,
        }
        print_json(outcome_json(outcome) | where)
    if outcome.applied:
        _tell(f"In place: {target.place.current}.")
        if target.elsewhere or target.place.previous.exists():
            _tell("The texts before it are kept; `refresh --undo` puts them back.")
    elif outcome.report is not None:
        _tell("Nothing was replaced. What was fetched is kept for the next run.")
    return ANSWERED


def _tell(text: str) -> None:
    print(safe_text(text), file=sys.stderr)
