"""What the screen remembers between two starts: the theme, and nothing of any caller."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "screen.json"


def load_theme(folder: Path) -> str | None:
    """The remembered theme's name, or None when there is none that can be read."""
    try:
        table = json.loads((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    name = table.get("theme") if isinstance(table, dict) else None
    return name if isinstance(name, str) else None


def save_theme(folder: Path, name: str) -> bool:
    """Remember a theme; False when the folder cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(json.dumps({"theme": name}), "utf-8")
    except OSError:
        return False
    return True
