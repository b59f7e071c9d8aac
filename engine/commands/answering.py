"""The answerer that a command's options name."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from engine import paths
from engine.answerers.replay import ReplayAnswerer, load_replay
from engine.errors import UsageError
from engine.safe import safe_text
from engine.settings import load_settings

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from engine.answerers import Answerer
    from engine.answerers.chat import ChatAnswerer


def chosen_answerer(options: Namespace) -> Answerer | None:
    """The answerer that is asked for; None for the quoting one, which the engine has itself.

    Raises:
        UsageError: recordings or settings are missing, or consent is.

    """
    if options.answerer == "replay":
        if options.model is None:
            raise UsageError("Whose recordings?", "Name the model with --model, such as --model quote.")
        return replay_of(options, options.model)
    if options.model is not None:
        raise UsageError(
            "--model names recordings to replay.", "Add --answerer replay; the settings name a live model."
        )
    if options.answerer == "chat":
        return live(options, closed_book=options.closed_book)
    return None


def replay_of(options: Namespace, model: str) -> ReplayAnswerer:
    """The recordings of a model: the user's own first, then the shipped ones."""
    return load_replay([_data(options) / "recordings", paths.shipped("recordings")], model)


def live(options: Namespace, *, closed_book: bool = False) -> ChatAnswerer:
    """The answerer over the server that the settings name; what is sent where is said on the terminal."""
    from engine.answerers.chat import chat_answerer  # noqa: PLC0415 - only a live model needs it
    from engine.answerers.consent import ConsentStore  # noqa: PLC0415

    data = _data(options)
    at_terminal = bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())
    return chat_answerer(
        load_settings(paths.settings_file(data)),
        environment=os.environ,
        consent_store=ConsentStore(paths.consent_file(data)),
        confirm=_confirm if at_terminal else None,
        closed_book=closed_book,
    )


def _confirm(text: str) -> bool:
    print(safe_text(text), file=sys.stderr)
    print("Send it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def _data(options: Namespace) -> Path:
    return paths.data_folder(getattr(options, "data", None))
