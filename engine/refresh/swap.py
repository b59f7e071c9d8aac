"""A new folder in the place of the old one, so that whoever looks finds one of them whole.

No system exchanges two folders in one step, and Windows renames none over another. So a marker says that
an exchange is going on, each step is one rename, and whoever opens the collection afterwards
(`recover`) undoes or finishes what a killed run left. The states, with what recovery makes of them:

```
             current  previous  outgoing
before         old      (older)    -
step 1         old        -      older     put the older one back as previous
step 2          -        old     (older)   put the old one back as current, the older one as previous
step 3         new       old     (older)   the exchange is done: the older one goes
```
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import RegulationsError, UsageError
from engine.paths import is_file
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_MARKER_END: Final = ".swapping"
_TRIES: Final = 20
_TRY: Final = 0.05
"""Seconds between two looks at an exchange that another process has under way."""
_BUSY_HINT: Final = "Wait until it has ended, or end it; then run this again."


@dataclass(frozen=True, slots=True)
class Place:
    """Where a collection lies, and what lies beside it while it is renewed: hidden, and never read as one."""

    current: Path

    def _beside(self, ending: str) -> Path:
        return self.current.parent / f".{self.current.name}{ending}"

    @property
    def previous(self) -> Path:
        """The collection as it was before, kept to be put back."""
        return self._beside(".previous")

    @property
    def outgoing(self) -> Path:
        """The one before the previous, for the moment of an exchange."""
        return self._beside(".outgoing")

    @property
    def work(self) -> Path:
        """Where files are staged and the new collection is built."""
        return self._beside(".refresh")

    @property
    def built(self) -> Path:
        """The new collection, until it is accepted."""
        return self.work / "new" / self.current.name

    @property
    def marker(self) -> Path:
        """Is there while an exchange is going on."""
        return self._beside(_MARKER_END)

    @property
    def lock(self) -> Path:
        """The file by which two programs keep out of each other's way."""
        return self._beside(".lock")


@contextmanager
def held_alone(place: Place) -> Iterator[None]:
    """Keep every other refresh of this collection out; the system lets go when this process ends.

    Raises:
        UsageError: the folder cannot be written to, or another refresh is at work.

    """
    try:
        place.current.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(place.lock, timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise _unwritable(place) from error
    try:
        try:
            # A lock of the system's in a form that every system has; nothing is ever stored in the file.
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if "locked" not in str(error):
                raise _unwritable(place) from error
            where = one_line(str(place.current))
            raise UsageError(f"Another refresh of {where} is at work.", _BUSY_HINT) from error
        _recover(place)
        yield
    finally:
        connection.close()


def put_in_place(place: Place, step: Callable[[str], None]) -> None:
    """Make the built collection the current one, and the current one the previous.

    Needs `held_alone`. `step` is told of each step before it is taken.

    Raises:
        RegulationsError: a folder is in use or cannot be renamed; the old one is in place.

    """
    if not place.current.exists():
        # Nothing is in use, so that nothing of before could be put back in its stead.
        _dropped(place)
    with _exchange(place):
        step("put the older one aside")
        _move(place.previous, place.outgoing)
        step("put the old one aside")
        # An empty folder may have been made for the collection to come.
        with suppress(OSError):
            place.current.rmdir()
        _move(place.current, place.previous)
        step("put the new one in place")
        place.built.rename(place.current)
        step("end the exchange")


def put_back(place: Place, step: Callable[[str], None]) -> None:
    """Exchange the current collection and the previous one; done twice, everything is as before.

    Where there is no current one the previous becomes it, and where nothing was before the current one
    steps aside. Needs `held_alone`. `step` is told of each step before it is taken.

    Raises:
        RegulationsError: a folder is in use or cannot be renamed; the current one is in place.

    """
    with _exchange(place):
        step("put the new one aside")
        _move(place.current, place.outgoing)
        step("put the old one back")
        _move(place.previous, place.current)
        step("keep the new one")
        _move(place.outgoing, place.previous)
        step("end the exchange")


def recover(folder: Path) -> None:
    """Finish or undo an exchange that was killed, for collections in `folder` and for `folder` itself.

    Cheap where there is none. While another process exchanges, its few renames are waited for; where
    nothing may be written nothing is done.
    """
    markers = [folder.absolute().parent / f".{folder.name}{_MARKER_END}"]
    with suppress(OSError):  # a folder that may not be entered has nothing that could be read
        markers += folder.glob(f".*{_MARKER_END}")
    for marker in markers:
        place = Place(marker.parent / marker.name.removeprefix(".").removesuffix(_MARKER_END))
        for _ in range(_TRIES):
            # One that may not be looked at is none: nothing could be done about it either.
            if not is_file(marker):
                break
            try:
                with held_alone(place):
                    break
            except (RegulationsError, OSError):
                time.sleep(_TRY)


@contextmanager
def _exchange(place: Place) -> Iterator[None]:
    """Mark an exchange; when a step fails, bring back a whole state before the error goes on."""
    # Without a marker it is what is left of one that could not be removed whole.
    shutil.rmtree(place.outgoing, ignore_errors=True)
    try:
        with place.marker.open("wb") as file:
            os.fsync(file.fileno())
        yield
    except OSError as error:
        with suppress(OSError):
            _recover(place)
        raise RegulationsError(
            f"{one_line(str(place.current))} cannot be exchanged: {one_line(error.strerror or str(error))}.",
            "Close other programs that have it open, see that the folder can be written to, "
            "and run the command again.",
        ) from error
    shutil.rmtree(place.outgoing, ignore_errors=True)
    place.marker.unlink()


def _recover(place: Place) -> None:
    """Bring one of the states of the table above to its end."""
    if not place.marker.exists():
        return
    if not place.current.exists():
        _move(place.previous, place.current)
    if place.previous.exists():
        shutil.rmtree(place.outgoing, ignore_errors=True)
    else:
        _move(place.outgoing, place.previous)
    place.marker.unlink()


def _dropped(place: Place) -> None:
    """Put the previous one where the end of the run removes it."""
    with suppress(OSError):
        place.previous.rename(place.work / "dropped")


def _move(source: Path, target: Path) -> None:
    if source.exists():
        source.rename(target)


def _unwritable(place: Place) -> UsageError:
    return UsageError(
        f"{one_line(str(place.current.parent))} cannot be written to.",
        "Name a folder of your own: --into DIR for one collection, --data DIR for all that is yours.",
    )
