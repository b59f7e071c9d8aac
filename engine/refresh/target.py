"""Which collection is renewed, and where the renewed one goes.

The shipped collection is never altered: its renewed form lies in the user's data folder and is read in
its place from then on. A folder that the user named is renewed where it lies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine import paths
from engine.errors import UsageError
from engine.opening import collections_of, open_collection
from engine.refresh.swap import Place, recover
from engine.safe import one_line
from engine.snapshot import DESCRIPTION, load_collection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engine.snapshot import Collection

_TITLE: Final = re.compile(r"[1-9][0-9]?")
_PART: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,19}")
_HOW: Final = "A new collection is made with: refresh --title 14 --part 259 --into DIR"


@dataclass(frozen=True, slots=True)
class Named:
    """What the caller named; everything empty means the collection in use."""

    regulations: Path | None = None
    data: Path | None = None
    collection: str | None = None
    into: Path | None = None
    """The folder of a collection of the caller's own, there already or to be made."""
    title: str | None = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A collection to be renewed or made."""

    place: Place
    base: Collection | None
    """What is held now; None for a collection that is to be made."""
    title: str
    """Of a collection to be made; empty where there is a base."""
    parts: tuple[str, ...]
    """Of a collection to be made."""
    elsewhere: bool
    """Whether the base stays where it is, and the renewed one goes to the data folder."""

    @property
    def wanted(self) -> tuple[tuple[str, str], ...]:
        """Title and part of every text, in the order of `sources.csv`."""
        if self.base is None:
            return tuple((self.title, part) for part in self.parts)
        return tuple(dict.fromkeys((file.title, file.part) for file in self.base.of_kind("part")))


def place_of(named: Named) -> Place:
    """Where the named collection lies or will lie; what lies there may be broken.

    Raises:
        UsageError: none or more than one is named, or options exclude each other.
        SnapshotError: there is no collection.

    """
    _check_options(named)
    if named.into is not None:
        return Place(named.into.expanduser().absolute())
    folders = collections_of(named.regulations, named.data, damaged=True)
    chosen = [folder for folder in folders if named.collection in {None, folder.name}]
    names = ", ".join(folder.name for folder in folders)
    if len(chosen) != 1:
        raise UsageError("Which collection?", f"Name one with --collection: {names}.")
    if named.regulations is not None:
        return Place(chosen[0].absolute())
    return Place(paths.own_regulations(paths.data_folder(named.data)).absolute() / chosen[0].name)


def choose(named: Named) -> Target:
    """The collection that is to be renewed or made.

    Raises:
        UsageError: the options do not name exactly one, or it cannot be renewed part by part.
        SnapshotError: what is held there is not what its sums say.

    """
    _check_options(named)
    if named.into is not None:
        return _own(named, named.into.expanduser().absolute())
    base = _renewable(open_collection(named.regulations, named.collection, named.data))
    if named.regulations is not None:
        return Target(Place(base.folder.absolute()), base, "", (), elsewhere=False)
    place = Place(paths.own_regulations(paths.data_folder(named.data)).absolute() / base.folder.name)
    return Target(place, base, "", (), elsewhere=base.folder.absolute() != place.current)


def _own(named: Named, folder: Path) -> Target:
    """A collection in a folder of the caller's own."""
    recover(folder)
    parts = tuple(dict.fromkeys(named.parts))
    if (folder / DESCRIPTION).is_file():
        base = _renewable(load_collection(folder))
        target = Target(Place(folder), base, "", (), elsewhere=False)
        asked = {(named.title or "", part) for part in parts}
        if parts and asked != set(target.wanted):
            raise UsageError(
                f"{one_line(str(folder))} holds {base.name}.",
                "Leave --title and --part away to renew it, or name another folder with --into.",
            )
        return target
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"{one_line(str(folder))} is there already and is no collection.",
            "Name a folder that is empty or not there yet.",
        )
    if named.title is None:
        raise UsageError(f"There is no collection in {one_line(str(folder))}.", f"{_HOW}.")
    return Target(Place(folder), None, named.title, parts, elsewhere=False)


def _check_options(named: Named) -> None:
    if named.into is not None and (named.regulations is not None or named.collection is not None):
        raise UsageError(
            "--into names a collection's own folder.", "Leave --regulations and --collection away."
        )
    if (named.title is None) != (not named.parts):
        raise UsageError("--title and --part belong together.", f"{_HOW}.")
    if named.title is not None and named.into is None:
        raise UsageError("Where is the collection to be made?", f"{_HOW}.")
    _check_form("--title", (named.title or "1",), _TITLE, "a number from 1 to 99, such as 14")
    _check_form("--part", named.parts, _PART, "a part's number, such as 259")


def _check_form(option: str, values: Sequence[str], form: re.Pattern[str], what: str) -> None:
    for value in values:
        if not form.fullmatch(value):
            raise UsageError(f"{option} is {one_line(value)[:40]!r}.", f"It takes {what}.")


def _renewable(base: Collection) -> Collection:
    if base.source != "ecfr" or not all(file.title and file.part for file in base.of_kind("part")):
        raise UsageError(
            f"{base.name} is not held part by part in the eCFR's form.",
            "Only such collections can be renewed from the publisher.",
        )
    return base
