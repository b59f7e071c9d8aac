"""Where things lie: the shipped texts, and the user's own folder."""

from __future__ import annotations

import glob
import hashlib
import os
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEFTOVER_AGE = 3600
"""Seconds after which a half-written file is of a run that was killed, not of one at work."""
_PACKAGE = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """The folder `regulations`, `questions` or `recordings`, in an installed package or a checkout."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def data_folder(chosen: Path | None) -> Path:
    """The folder of index and settings: the chosen one, or the platform's.

    Raises:
        UsageError: it depends on a home folder that does not exist.

    """
    from platformdirs import user_data_path  # noqa: PLC0415 - keeps `import engine` light

    try:
        # Some releases of platformdirs leave a `~` in: no folder of that name is ever to be made.
        path = user_data_path("regulations-assistant", appauthor=False) if chosen is None else chosen
        return path.expanduser()
    except RuntimeError as error:
        raise UsageError("There is no home folder.", "Name a folder in full with --data DIR.") from error


def is_file(path: Path) -> bool:
    """Whether there is a file; one that may not be looked at is none."""
    try:
        return path.is_file()
    except OSError:
        return False


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give an empty file beside `path`, its owner's alone, to be filled; at the end it takes that place.

    Killed at any moment, the file at `path` is the old one or none, never half.

    Raises:
        OSError: it cannot be made or put in place; nothing of it is left then, and an older one is as it was.

    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(handle)
    new = Path(name)
    try:
        yield new
        _exchange(new, path)
    finally:
        with suppress(OSError):
            new.unlink()


def _exchange(new: Path, path: Path) -> None:
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    new.replace(path)


def write_whole(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Put a text in the place of a file, whole or not at all.

    Raises:
        OSError: it cannot be written; nothing of it is left then, and an older file is as it was.

    """
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8", newline="\n")
        new.chmod(mode)


def sweep_leftovers(path: Path) -> None:
    """Remove what killed runs left beside a file that they meant to put in place, if it is old enough."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
        with suppress(OSError):  # another run may be sweeping too
            if time.time() - leftover.stat().st_mtime > _LEFTOVER_AGE:
                leftover.unlink()


def make_folder(path: Path) -> None:
    """Make a folder of the user's own, closed to others where the system knows that.

    Raises:
        OSError: it cannot be made, or something else has its name.

    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def own_regulations(data: Path) -> Path:
    """The user's own collections: each stands in for the shipped one of its name."""
    return data / "regulations"


def index_file(data: Path, collection: Path, name: str) -> Path:
    """The index of a collection; one that was brought with `--regulations` gets its own."""
    own = ""
    if collection.parent.resolve() != shipped("regulations").resolve():
        own = "-" + hashlib.sha256(os.fsencode(collection.resolve())).hexdigest()[:8]
    safe = "".join(char if char.isalnum() or char in "-_" else "_" for char in name)
    return data / f"{safe}{own}.sqlite3"


def settings_file(data: Path) -> Path:
    """The settings."""
    return data / "settings.toml"


def consent_file(data: Path) -> Path:
    """The hosts that questions may be sent to."""
    return data / "consent.json"
