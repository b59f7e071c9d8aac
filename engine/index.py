"""The built index: one SQLite file with versions, chunks and vectors, swapped in whole or not at all."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from engine.errors import IndexUnusableError
from engine.model import (
    Block,
    BlockKind,
    Change,
    Notice,
    Origin,
    SectionText,
    SectionVersion,
    VersionStatus,
)
from engine.paths import make_folder, replacing, sweep_leftovers
from engine.versions import Timeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from engine.search.encoder import Embedding

FORMAT = "2"
"""Changes whenever what is stored, or how it is made from the copies, changes."""
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE version (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, part TEXT NOT NULL, section TEXT NOT NULL,
  heading TEXT NOT NULL, effective_from TEXT NOT NULL, effective_to TEXT, from_origin TEXT NOT NULL,
  status TEXT NOT NULL, change TEXT NOT NULL, url TEXT NOT NULL, notes TEXT NOT NULL,
  source_note TEXT NOT NULL, approvals TEXT NOT NULL, notices TEXT NOT NULL, line INTEGER NOT NULL,
  held_from TEXT NOT NULL
);
CREATE TABLE block (
  version INTEGER NOT NULL REFERENCES version, position INTEGER NOT NULL, kind TEXT NOT NULL,
  label TEXT NOT NULL, term TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (version, position)
) WITHOUT ROWID;
CREATE TABLE vector (
  text TEXT PRIMARY KEY, pooled BLOB NOT NULL, tokens BLOB NOT NULL
) WITHOUT ROWID;
"""
_TEXTS = ("SELECT * FROM version ORDER BY id", "SELECT * FROM block ORDER BY version, position")
_VECTORS = ("SELECT * FROM vector ORDER BY text",)


@dataclass(frozen=True, slots=True)
class IndexKey:
    """What an index was made from; another one means that it is rebuilt."""

    snapshot: str
    """The collection's SHA-256."""
    model: str
    """The encoder's identity; empty for an index without vectors."""
    format: str = FORMAT


@dataclass(frozen=True)
class StoredIndex:
    """What an index file holds, in memory."""

    key: IndexKey
    timelines: tuple[Timeline, ...]
    vectors: Mapping[str, Embedding] = field(default_factory=dict)
    """By the text that was encoded."""
    warnings: tuple[str, ...] = ()
    """What was surprising in the copies."""


def write_index(path: Path, index: StoredIndex) -> None:
    """Write an index beside `path` and put it there in one step.

    Killed at any moment, the file at `path` is the old one or none, never half.

    Raises:
        IndexUnusableError: the folder cannot be written to or the disk is full.

    """
    try:
        make_folder(path.parent)
        sweep_leftovers(path)
        with replacing(path) as new, closing(sqlite3.connect(new, isolation_level=None)) as connection:
            _fill(connection, index)
    except (OSError, sqlite3.Error) as error:
        raise _unwritable(path, error) from error


def read_index(path: Path, *, current_to: date, vectors: bool) -> StoredIndex:
    """Read an index file that is whole, with or without its vectors; nothing is written.

    Raises:
        IndexUnusableError: the file is missing, of another format, or altered.

    """
    try:
        # `immutable` needs no lock file beside the index, so that the folder may be read-only.
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            meta = dict(connection.execute("SELECT name, value FROM meta"))
            key = IndexKey(meta["snapshot"], meta["model"], meta["format"])
            if key.format != FORMAT:
                raise IndexUnusableError(f"The index is of format {key.format}, this program's is {FORMAT}.")
            if _digest(connection, _TEXTS) != meta["texts"]:
                raise IndexUnusableError("The index holds other texts than were written.")
            if vectors and _digest(connection, _VECTORS) != meta["vectors"]:
                raise IndexUnusableError("The index holds other vectors than were written.")
            return StoredIndex(
                key,
                _read_timelines(connection, current_to),
                _read_vectors(connection) if vectors else {},
                tuple(json.loads(meta["warnings"])),
            )
    except (OSError, sqlite3.Error, LookupError, ValueError, TypeError, RecursionError) as error:
        raise IndexUnusableError(f"The index cannot be read: {error}.") from error


def _unwritable(path: Path, error: Exception) -> IndexUnusableError:
    return IndexUnusableError(
        f"The index cannot be written in {path.parent}: {error}.",
        "Free some space, or name a folder that can be written with --data DIR.",
    )


def _fill(connection: sqlite3.Connection, index: StoredIndex) -> None:
    # The file counts only once it has its name, so that no journal is needed.
    connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {_SCHEMA}")
    number = 0
    for timeline in index.timelines:
        for version in timeline.versions:
            _write_version(connection, number, version, timeline.held_from)
            number += 1
    connection.executemany(
        "INSERT INTO vector VALUES (?, ?, ?)",
        ((text, *_packed(embedding)) for text, embedding in index.vectors.items()),
    )
    meta = {
        "format": index.key.format,
        "snapshot": index.key.snapshot,
        "model": index.key.model,
        "warnings": json.dumps(index.warnings),
        "texts": _digest(connection, _TEXTS),
        "vectors": _digest(connection, _VECTORS),
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    connection.execute("COMMIT")


def _write_version(
    connection: sqlite3.Connection, number: int, version: SectionVersion, held_from: date
) -> None:
    text = version.text
    notices = [[n.text, n.citation, n.published and n.published.isoformat()] for n in text.notices]
    connection.execute(
        "INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            text.title,
            text.part,
            text.section,
            text.heading,
            version.effective_from.isoformat(),
            version.effective_to and version.effective_to.isoformat(),
            version.from_origin,
            version.status,
            version.change,
            version.url,
            json.dumps(version.notes),
            text.source_note,
            json.dumps(text.approvals),
            json.dumps(notices),
            text.line,
            held_from.isoformat(),
        ),
    )
    connection.executemany(
        "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?)",
        ((number, at, b.kind, b.label, b.term, b.text) for at, b in enumerate(text.blocks)),
    )


def _digest(connection: sqlite3.Connection, queries: Iterable[str]) -> str:
    """SHA-256 over every stored row: a flipped bit anywhere shows."""
    total = hashlib.sha256()
    for query in queries:
        for row in connection.execute(query):
            for value in row:
                data = value if isinstance(value, bytes) else str(value).encode()
                total.update(b"%d:" % len(data))
                total.update(data)
    return total.hexdigest()


def _read_timelines(connection: sqlite3.Connection, current_to: date) -> tuple[Timeline, ...]:
    blocks: dict[int, list[Block]] = {}
    for number, kind, label, term, text in connection.execute(
        "SELECT version, kind, label, term, text FROM block ORDER BY version, position"
    ):
        blocks.setdefault(number, []).append(Block(BlockKind(kind), text, label, term))
    grouped: dict[tuple[str, str], list[SectionVersion]] = {}
    held: dict[tuple[str, str], date] = {}
    connection.row_factory = sqlite3.Row
    for row in connection.execute("SELECT * FROM version ORDER BY id"):
        key = (row["title"], row["section"])
        grouped.setdefault(key, []).append(_read_version(row, blocks.get(row["id"], [])))
        held[key] = date.fromisoformat(row["held_from"])
    return tuple(
        Timeline(title, section, tuple(versions), held[title, section], current_to)
        for (title, section), versions in grouped.items()
    )


def _read_version(row: Any, blocks: Sequence[Block]) -> SectionVersion:
    notices: Iterable[tuple[str, str, str | None]] = json.loads(row["notices"])
    return SectionVersion(
        text=SectionText(
            title=row["title"],
            part=row["part"],
            section=row["section"],
            heading=row["heading"],
            blocks=tuple(blocks),
            notices=tuple(
                Notice(text, citation, date.fromisoformat(day) if day else None)
                for text, citation, day in notices
            ),
            source_note=row["source_note"],
            approvals=tuple(json.loads(row["approvals"])),
            line=row["line"],
        ),
        effective_from=date.fromisoformat(row["effective_from"]),
        effective_to=date.fromisoformat(row["effective_to"]) if row["effective_to"] else None,
        from_origin=Origin(row["from_origin"]),
        status=VersionStatus(row["status"]),
        change=Change(row["change"]),
        url=row["url"],
        notes=tuple(json.loads(row["notes"])),
    )


def stored_form(embedding: Embedding) -> Embedding:
    """An embedding as it comes back from the file: rounded to half precision."""
    return _unpacked(*_packed(embedding))


def _packed(embedding: Embedding) -> tuple[bytes, bytes]:
    return embedding.pooled.astype("<f2").tobytes(), embedding.tokens.astype("<f2").tobytes()


def _unpacked(pooled: bytes, tokens: bytes) -> Embedding:
    import numpy as np  # noqa: PLC0415 - not needed for an index of keywords

    from engine.search.encoder import Embedding  # noqa: PLC0415

    vector = np.frombuffer(pooled, "<f2").astype(np.float32)
    return Embedding(vector, np.frombuffer(tokens, "<f2").astype(np.float32).reshape(-1, len(vector)))


def _read_vectors(connection: sqlite3.Connection) -> dict[str, Embedding]:
    rows = connection.execute("SELECT text, pooled, tokens FROM vector")
    return {text: _unpacked(pooled, tokens) for text, pooled, tokens in rows}
