"""What all commands share: opening the engine, progress, printing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engine.opening import open_engine
from engine.safe import safe_json
from engine.search.retriever import Method

if TYPE_CHECKING:
    from argparse import Namespace

    from engine.engine import Engine

ANSWERED, NOTHING, UNUSABLE, SERVER = 0, 1, 3, 4
"""Exit codes."""
_BAR = 24


def open_for(options: Namespace, *, models: bool | None = None, rebuild: bool = False) -> Engine:
    """Open the engine that the shared options name; without `models` said, as the options want it."""
    if models is None:
        # Keywords need no model, and loading one takes seconds.
        keywords = getattr(options, "method", None) == Method.BM25
        models = not (getattr(options, "no_models", False) or keywords)
    return open_engine(
        getattr(options, "regulations", None),
        getattr(options, "data", None),
        collection=getattr(options, "collection", None),
        models=models,
        rebuild=rebuild,
        progress=Progress(),
    )


def print_json(value: object) -> None:
    """Print JSON in which nothing can disturb a terminal."""
    print(safe_json(value, indent=1))


class Progress:
    """A bar on a terminal; elsewhere one line a stage."""

    def __init__(self) -> None:
        """Begin with no stage."""
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        if sys.stderr.isatty():
            filled = _BAR * done // max(total, 1)
            end = "\n" if done >= total else ""
            print(
                f"\r{stage:10} [{'#' * filled:{_BAR}}] {done}/{total}", end=end, file=sys.stderr, flush=True
            )
        elif stage != self._stage:
            print(f"{stage} ({total}) …", file=sys.stderr)
        self._stage = stage
