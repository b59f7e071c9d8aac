"""What has arrived, kept file by file beside the collection, so that a run that stops can go on.

The folder holds `journal.jsonl` and the files. A file counts once it is whole on the disk *and* a line
of the journal gives its sum; whatever a killed run left half is fetched again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

JOURNAL: Final = "journal.jsonl"
_FILES: Final = "files"
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: a file that has arrived."""

    file: str
    url: str
    sha256: str
    fetched: str
    """The day, in ISO form."""


@dataclass
class Staging:
    """The folder of one run's files."""

    folder: Path
    entries: dict[str, Entry] = field(default_factory=dict)
    """By file name."""

    def begin(self, key: Mapping[str, str]) -> int:
        """Go on with what a run of the same key left, or begin anew; the number of files there already.

        The key says what the files belong to: the publisher's address and day, and the texts held.
        """
        header = {"format": _FORMAT, **key}
        self.entries = read_journal(self._journal_bytes(), header)
        if not self.entries:
            self.discard()
            (self.folder / _FILES).mkdir(parents=True)
            self._append(header)
        return len(self.entries)

    def held(self, file: str) -> tuple[Entry, bytes] | None:
        """A file that arrived before, if it is still what its sum says."""
        entry = self.entries.get(file)
        if entry is None:
            return None
        try:
            data = (self.folder / _FILES / file).read_bytes()
        except OSError:
            return None
        return (entry, data) if hashlib.sha256(data).hexdigest() == entry.sha256 else None

    def keep(self, file: str, url: str, data: bytes, fetched: str) -> Entry:
        """Put a checked file on the disk, then into the journal.

        Raises:
            OSError: the disk is full or the folder cannot be written to.

        """
        entry = Entry(file, url, hashlib.sha256(data).hexdigest(), fetched)
        write_whole(self.folder / _FILES / file, data)
        self._append(asdict(entry))
        self.entries[file] = entry
        return entry

    def discard(self) -> None:
        """Remove the folder and everything in it."""
        self.entries = {}
        shutil.rmtree(self.folder, ignore_errors=True)

    def _journal_bytes(self) -> bytes:
        try:
            return (self.folder / JOURNAL).read_bytes()
        except OSError:
            return b""

    def _append(self, row: Mapping[str, Any]) -> None:
        with (self.folder / JOURNAL).open("ab") as file:
            # A line that a killed run left half must not swallow this one.
            file.write(f"\n{json.dumps(row)}\n".encode())
            file.flush()
            os.fsync(file.fileno())


def read_journal(data: bytes, header: Mapping[str, Any]) -> dict[str, Entry]:
    """The files that a journal lists, by name; none when it belongs to another run.

    Any bytes are taken: a line that is not whole, or names a file outside the folder, is left out.
    """
    rows = [row for row in map(_row, data.splitlines()) if row is not None]
    if not rows or rows[0] != header:
        return {}
    entries = (_entry(row) for row in rows[1:])
    return {entry.file: entry for entry in entries if entry is not None}


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is whole under its name or not there, and on the disk when this returns.

    Raises:
        OSError: the disk is full or the folder cannot be written to.

    """
    part = path.with_name(f".{path.name}.new")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _entry(row: Mapping[str, Any]) -> Entry | None:
    values = [row.get(part.name) for part in fields(Entry)]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < len(values):
        return None
    entry = Entry(*texts)
    plain = entry.file.isprintable() and entry.file.strip(".") and not set(entry.file) & set("/\\:")
    return entry if plain else None
