"""What the screen remembers between two starts: the theme and one choice; nothing of any caller."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import engine

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE = "screen.json"


def load_theme(folder: Path) -> str | None:
    """The remembered theme's name, or None when there is none that can be read."""
    name = _read(folder).get("theme")
    return name if isinstance(name, str) else None


def save_theme(folder: Path, name: str) -> bool:
    """Remember a theme; False when the folder cannot be written."""
    return _save(folder, "theme", name)


def load_keep_history(folder: Path) -> bool:
    """Whether somebody chose to keep a history on disk; anything unreadable is no choice."""
    return _read(folder).get("keep_history") is True


def save_keep_history(folder: Path, *, keep: bool) -> bool:
    """Remember that choice; False when the folder cannot be written."""
    return _save(folder, "keep_history", keep)


def _read(folder: Path) -> dict[str, Any]:
    try:
        table = json.loads((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return table if isinstance(table, dict) else {}


def _save(folder: Path, key: str, value: object) -> bool:
    try:
        write_whole(folder / FILE, [json.dumps({**_read(folder), key: value})])
    except OSError:
        return False
    return True


def write_whole(path: Path, lines: Iterable[str]) -> None:
    """Put a file of the owner's alone in the place of an older one, whole or not at all.

    Raises:
        OSError: it cannot be written; nothing of it is left then, and the older one is as it was.

    """
    engine.make_folder(path.parent)
    engine.write_whole(path, "".join(lines), mode=0o600)
