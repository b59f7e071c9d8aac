"""A collection on disk: one folder of dated copies, checked file by file before a word of it is read."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import stat
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from engine.errors import SnapshotError
from engine.model import Coverage, SnapshotStamp
from engine.paths import is_file
from engine.refresh.swap import recover
from engine.safe import one_line

SUMS = "SHA256SUMS"
DESCRIPTION = "collection.json"
SOURCES = "sources.csv"
_COLUMNS = ("file", "kind", "title", "part", "date", "url", "origin", "sha256", "note")
_KINDS = frozenset({"part", "versions", "titles"})
_ORIGINS = frozenset({"exact", "rebuilt", "fetched"})
_MAX_BYTES = 256 * 1024 * 1024
"""The largest file that is read; a reader may take less."""
_VERIFY = "Restore it from where you got this folder, then run `regulations-assistant snapshot verify`."


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One row of `sources.csv`."""

    file: str
    kind: str
    """`part` (a dated copy), `versions` (the publisher's list) or `titles` (the up-to-date day)."""
    title: str
    part: str
    day: date | None
    url: str
    origin: str
    """`exact` (the publisher's bytes), `rebuilt` or `fetched`."""
    sha256: str
    note: str


@dataclass(frozen=True)
class Collection:
    """A verified folder of dated copies of one publisher's texts."""

    folder: Path
    id: str
    name: str
    source: str
    """The format that the copies are in, such as `ecfr`."""
    publisher: str
    language: str
    history_start: date
    official: bool
    licence: str
    attribution: str
    current_to: date
    """The day up to which the publisher said that the texts were current."""
    files: tuple[SourceFile, ...]
    sums: dict[str, str]
    """SHA-256 in hex by file name, as listed."""
    sha256: str
    """SHA-256 over the sorted list of sums: one name for the whole state of the folder."""
    warnings: tuple[str, ...]

    def read(self, name: str) -> bytes:
        """Return a listed file's bytes, compared with its sum once more.

        Raises:
            SnapshotError: the file is missing, unreadable or altered.

        """
        return _read_checked(self.folder, name, self.sums[name])

    def of_kind(self, kind: str) -> tuple[SourceFile, ...]:
        """The files of one kind, in the order of `sources.csv`."""
        return tuple(file for file in self.files if file.kind == kind)

    @property
    def copies(self) -> tuple[tuple[SourceFile, date], ...]:
        """The dated copies with their days, in the order of `sources.csv`."""
        return tuple((file, file.day) for file in self.of_kind("part") if file.day)

    def coverage(self, day: date) -> Coverage:
        """Where `day` lies against the history's first day and the up-to-date day."""
        if day < self.history_start:
            return Coverage.BEFORE
        return Coverage.AFTER if day > self.current_to else Coverage.INSIDE

    @property
    def stamp(self) -> SnapshotStamp:
        """Which texts these are, for a card."""
        return SnapshotStamp(self.id, self.current_to, self.sha256)


def find_collections(folder: Path) -> tuple[Path, ...]:
    """Return the collection folders inside `folder` (or `folder` itself), sorted by name.

    An exchange of folders that a killed `refresh` left is brought to its end first.

    Raises:
        SnapshotError: there is none.

    """
    recover(folder)
    if is_file(folder / DESCRIPTION):
        return (folder,)
    found: tuple[Path, ...] = ()
    with suppress(OSError):
        paths = (path.parent for path in folder.glob(f"*/{DESCRIPTION}"))
        # What `refresh` keeps beside a collection is hidden.
        found = tuple(sorted(path for path in paths if not path.name.startswith(".")))
    if not found:
        raise SnapshotError(
            f"No collection of regulations in {one_line(str(folder))}.",
            f"Name a folder that holds one with --regulations DIR; a collection has a {DESCRIPTION}.",
        )
    return found


def load_collection(folder: Path) -> Collection:
    """Verify a collection folder against its sums and describe it.

    Raises:
        SnapshotError: a listed file is missing or differs (both sums are named), or a manifest is
            malformed.

    """
    sums = _read_sums(folder)
    contents = {name: _read_checked(folder, name, sums[name]) for name in sums}
    described = _json_object(contents, DESCRIPTION)
    files = _read_sources(contents)
    for file in files:
        if sums.get(file.file) != file.sha256:
            raise SnapshotError(
                f"{SOURCES} gives {one_line(file.file)} the sum {one_line(file.sha256)},"
                f" {SUMS} gives {sums.get(file.file)}.",
                _VERIFY,
            )
    titles = {file.title for file in files if file.kind == "part"}
    current_to, warnings = _current_to(contents, files, titles)
    try:
        history_start = date.fromisoformat(described["history_start"])
        official = bool(described["official"])
        words = {
            key: str(described[key])
            for key in ("id", "name", "source", "publisher", "language", "licence", "attribution")
        }
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"{DESCRIPTION} lacks or misspells {one_line(str(error))}.", _VERIFY) from error
    return Collection(
        folder=folder,
        history_start=history_start,
        official=official,
        current_to=current_to,
        files=files,
        sums=sums,
        sha256=hashlib.sha256("\n".join(f"{sums[n]}  {n}" for n in sorted(sums)).encode()).hexdigest(),
        warnings=(*warnings, *_unlisted(folder, sums)),
        **words,
    )


def _read_sums(folder: Path) -> dict[str, str]:
    try:
        text = _read(folder / SUMS).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SnapshotError(f"{SUMS} cannot be read in {one_line(str(folder))}.", _VERIFY) from error
    sums: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        digest, _, name = line.partition(" ")
        name = name.lstrip(" *")
        is_sum = len(digest) == hashlib.sha256().digest_size * 2 and set(digest) <= set("0123456789abcdef")
        # A name with a folder in it could lead the reader out of the collection.
        is_plain = name == Path(name).name and "\\" not in name and name.isprintable()
        if not is_sum or not name or not is_plain:
            raise SnapshotError(f"{SUMS}, line {number}: not a sum and a plain file name.", _VERIFY)
        sums[name] = digest
    for needed in (DESCRIPTION, SOURCES):
        if needed not in sums:
            raise SnapshotError(f"{SUMS} does not list {needed}.", _VERIFY)
    return sums


def _read(path: Path) -> bytes:
    """The bytes of a plain file, or of the one that a link leads to: what it holds is compared with its sum.

    Raises:
        OSError: it is missing, not readable, something else than a file, or larger than any text is.

    """
    # Opening a pipe would wait for ever, and a device never ends.
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > _MAX_BYTES:
        raise OSError(f"{path.name} is no file of at most {_MAX_BYTES} bytes")
    return path.read_bytes()


def _read_checked(folder: Path, name: str, expected: str) -> bytes:
    try:
        data = _read(folder / name)
    except OSError as error:
        raise SnapshotError(f"{name} is listed in {SUMS} and missing or unreadable.", _VERIFY) from error
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise SnapshotError(
            f"{name} is not the listed file: its SHA-256 is {found}, listed is {expected}.", _VERIFY
        )
    return data


def _unlisted(folder: Path, sums: dict[str, str]) -> list[str]:
    names = sorted(path.name for path in folder.iterdir())
    return [
        f"{one_line(name)} is not listed in {SUMS} and was not read."
        for name in names
        if name not in sums and name != SUMS
    ]


def _json_object(contents: dict[str, bytes], name: str) -> dict[str, Any]:
    try:
        value = json.loads(contents[name])
    except (KeyError, ValueError, RecursionError) as error:
        raise SnapshotError(f"{one_line(name)} is not listed or not JSON.", _VERIFY) from error
    if not isinstance(value, dict):
        raise SnapshotError(f"{one_line(name)} is not a JSON object.", _VERIFY)
    return value


def _read_sources(contents: dict[str, bytes]) -> tuple[SourceFile, ...]:
    try:
        rows = list(csv.DictReader(io.StringIO(contents[SOURCES].decode("utf-8"))))
    except (UnicodeDecodeError, csv.Error) as error:
        raise SnapshotError(f"{SOURCES} is not a table in UTF-8.", _VERIFY) from error
    files = tuple(_source(row, number) for number, row in enumerate(rows, 2))
    if not any(file.kind == "part" for file in files):
        raise SnapshotError(f"{SOURCES} lists no dated copy.", _VERIFY)
    return files


def _source(row: dict[str, Any], number: int) -> SourceFile:
    values = [row.get(column) for column in _COLUMNS]
    if None in values or None in row:
        raise SnapshotError(f"{SOURCES}, line {number}: the columns are not {','.join(_COLUMNS)}.", _VERIFY)
    name, kind, title, part, day, url, origin, digest, note = (str(value) for value in values)
    if kind not in _KINDS or origin not in _ORIGINS:
        raise SnapshotError(
            f"{SOURCES}, line {number}: unknown kind or origin: {one_line(kind)}, {one_line(origin)}.",
            _VERIFY,
        )
    try:
        written = date.fromisoformat(day) if day else None
    except ValueError as error:
        raise SnapshotError(f"{SOURCES}, line {number}: {one_line(day)} is not a date.", _VERIFY) from error
    if kind == "part" and written is None:
        raise SnapshotError(f"{SOURCES}, line {number}: a copy without a date.", _VERIFY)
    return SourceFile(name, kind, title, part, written, url, origin, digest, note)


def _current_to(
    contents: dict[str, bytes], files: tuple[SourceFile, ...], titles: set[str]
) -> tuple[date, list[str]]:
    """The earliest up-to-date day of the titles held, and what was odd about it."""
    warnings: list[str] = []
    days: dict[str, date] = {}
    for file in files:
        if file.kind != "titles":
            continue
        listing = _json_object(contents, file.file)
        meta, rows = listing.get("meta") or {}, listing.get("titles") or []
        if not isinstance(meta, dict) or not isinstance(rows, list):
            raise SnapshotError(f"{file.file} is not a list of titles.", _VERIFY)
        if meta.get("import_in_progress"):
            warnings.append(f"{file.file} was taken while the publisher was importing; texts may disagree.")
        for row in rows:
            days.update(_title_day(row, file.file))
    missing = sorted(titles - days.keys())
    if missing:
        raise SnapshotError(f"No up-to-date day is listed for title {', '.join(missing)}.", _VERIFY)
    return min(days[title] for title in titles), warnings


def _title_day(row: dict[str, Any], name: str) -> dict[str, date]:
    try:
        day = row["up_to_date_as_of"]
        # A reserved title has no day; that is no fault unless its text is held.
        return {} if day is None else {str(row["number"]): date.fromisoformat(day)}
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"{name}: a title without a readable up_to_date_as_of.", _VERIFY) from error
