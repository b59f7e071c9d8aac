"""Questions and days on disk, only after somebody chose that; a file for its owner's eyes."""

from __future__ import annotations

import contextlib
import json
import os
import time
from datetime import date
from typing import TYPE_CHECKING

from tui.state import load_keep_history, save_keep_history, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "history.jsonl"
KEPT = 200
"""Questions kept; the oldest go first."""
_OWNER_ONLY = 0o600
_PATIENCE = 0.5
"""Seconds that another program may hold the history; it needs a hundredth of one."""


class History:
    """The history in a data folder; without a folder nothing is ever kept."""

    def __init__(self, folder: Path | None) -> None:
        """Look whether a history is wanted."""
        self._folder = folder
        self.kept = folder is not None and load_keep_history(folder)
        """Whether questions are written."""

    @property
    def path(self) -> Path | None:
        """The file, whether or not it is there."""
        return None if self._folder is None else self._folder / FILE

    def choose(self, *, keep: bool) -> bool:
        """Keep a history from now on, or stop; False when the choice cannot be remembered."""
        if self._folder is None or not save_keep_history(self._folder, keep=keep):
            return False
        self.kept = keep
        return True

    def questions(self) -> tuple[tuple[str, date], ...]:
        """The questions kept, oldest first; none while it is off."""
        return tuple(self._lines()) if self.kept else ()

    def add(self, question: str, day: date) -> bool:
        """Write a question down when that is wanted; False when it should have been and could not."""
        if not self.kept or self.path is None:
            return True
        try:
            # Two programs may keep one history: each reads what the other wrote before it writes.
            with _alone(self.path):
                rows = [row for row in self._lines() if row != (question, day)]
                write_whole(self.path, map(_line, [*rows, (question, day)][-KEPT:]))
        except OSError:
            return False
        return True

    def clear(self) -> bool:
        """Delete the file, and what a program that was killed left of it; False when that failed."""
        try:
            if self.path is not None:
                self.path.unlink(missing_ok=True)
                for left in self.path.parent.glob(f".{FILE}.*.new"):
                    left.unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _lines(self) -> Iterator[tuple[str, date]]:
        try:
            lines = self.path.read_text("utf-8").split("\n") if self.path else []
        except (OSError, ValueError):
            return
        for line in lines:
            try:
                row = json.loads(line)
                yield str(row["question"]), date.fromisoformat(row["as_of"])
            except (ValueError, TypeError, KeyError):
                continue


def _line(row: tuple[str, date]) -> str:
    # Plain ASCII: half a pair of a typed character has no UTF-8, and nothing moves a terminal's cursor.
    return json.dumps({"question": row[0], "as_of": row[1].isoformat()}) + "\n"


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the history against other programs for a moment; a lock that is left over holds nobody up.

    Raises:
        OSError: the folder cannot be written to.

    """
    lock = path.with_name(f"{path.name}.lock")
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY))
            break
        except FileExistsError:
            if time.monotonic() > end:
                break
            time.sleep(0.01)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
