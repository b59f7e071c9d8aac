"""Where things lie: the shipped texts, and the user's own folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """The folder `regulations`, `questions` or `recordings`, in an installed package or a checkout."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def data_folder(chosen: Path | None) -> Path:
    """The folder of index and settings: the chosen one, or the platform's."""
    if chosen is not None:
        return chosen.expanduser()
    from platformdirs import user_data_path  # noqa: PLC0415 - keeps `import engine` light

    return user_data_path("regulations-assistant", appauthor=False)


def index_file(data: Path, collection: Path, name: str) -> Path:
    """The index of a collection; one that was brought with `--regulations` gets its own."""
    own = ""
    if collection.parent.resolve() != shipped("regulations").resolve():
        own = "-" + hashlib.sha256(str(collection.resolve()).encode()).hexdigest()[:8]
    safe = "".join(char if char.isalnum() or char in "-_" else "_" for char in name)
    return data / f"{safe}{own}.sqlite3"


def settings_file(data: Path) -> Path:
    """The settings."""
    return data / "settings.toml"


def consent_file(data: Path) -> Path:
    """The hosts that questions may be sent to."""
    return data / "consent.json"
