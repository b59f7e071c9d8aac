"""Questions and days on disk, only after somebody chose that; a file for its owner's eyes."""

from __future__ import annotations

import json
import os
from datetime import date
from typing import TYPE_CHECKING

from tui.state import load_keep_history, save_keep_history

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "history.jsonl"
KEPT = 200
"""Questions kept; the oldest go first."""
_OWNER_ONLY = 0o600


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
        rows = [row for row in self._lines() if row != (question, day)]
        try:
            self._write(self.path, [*rows, (question, day)][-KEPT:])
        except OSError:
            return False
        return True

    def clear(self) -> bool:
        """Delete the file; False when it could not be deleted."""
        try:
            if self.path is not None:
                self.path.unlink(missing_ok=True)
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

    def _write(self, path: Path, rows: list[tuple[str, date]]) -> None:
        made = "".join(
            json.dumps({"question": question, "as_of": day.isoformat()}, ensure_ascii=False) + "\n"
            for question, day in rows
        )
        # A file beside it, never readable by others, takes its place: no half-written history stays.
        fresh = path.with_name(f"{path.name}.new")
        fresh.unlink(missing_ok=True)
        with open(
            fresh, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, _OWNER_ONLY)
        ) as file:
            file.write(made)
        fresh.replace(path)
