"""A collection folder written file by file, with its manifests, and read back as the engine reads it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
from typing import TYPE_CHECKING, Final

from engine.refresh.staging import write_whole
from engine.snapshot import DESCRIPTION, SOURCES, SUMS, Collection, SourceFile, load_collection

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from engine.answerers.chat_address import Address

COLUMNS: Final = ("file", "kind", "title", "part", "date", "url", "origin", "sha256", "note")
"""Of `sources.csv`, in order."""
_ECFR_HOST: Final = "www.ecfr.gov"
_NOT_OFFICIAL: Final = "The eCFR is not an official legal edition of the CFR."
_FREE: Final = "US government work, public domain"


def build(
    folder: Path, description: bytes, files: Sequence[SourceFile], contents: Mapping[str, bytes]
) -> Collection:
    """Write a collection into a new folder and verify it.

    Args:
        folder: is emptied first; nothing that counts lies there.
        description: the bytes of `collection.json`.
        files: the rows of `sources.csv`, in order.
        contents: the bytes of each of these files, by name.

    Raises:
        OSError: the disk is full or the folder cannot be written to.
        SnapshotError: what was written does not make a collection.

    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    written = {DESCRIPTION: description, SOURCES: sources_csv(files)}
    written |= {file.file: contents[file.file] for file in files}
    for name, data in written.items():
        write_whole(folder / name, data)
    # The sums come last: a folder that has them has everything.
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in written.items()}
    lines = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    write_whole(folder / SUMS, lines.encode())
    return load_collection(folder)


def sources_csv(files: Iterable[SourceFile]) -> bytes:
    """The table `sources.csv`: UTF-8, one line a file, each ended by a line feed."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    for file in files:
        day = file.day.isoformat() if file.day else ""
        writer.writerow(
            (file.file, file.kind, file.title, file.part, day, file.url, file.origin, file.sha256, file.note)
        )
    return table.getvalue().encode()


def description_of(address: Address, title: str, parts: Sequence[str], history_start: date) -> bytes:
    """The `collection.json` of a collection that a user makes: whose texts these are, and since when."""
    numbers = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    name = f"{title} CFR Part{'s' if len(parts) > 1 else ''} {numbers}"
    ours = address.host == _ECFR_HOST
    publisher = "Electronic Code of Federal Regulations (ecfr.gov)" if ours else address.named
    source = "eCFR (ecfr.gov)" if ours else address.named
    table = {
        "id": f"us-{title}-cfr-{'-'.join(parts)}",
        "name": name,
        "source": "ecfr",
        "publisher": publisher,
        "language": "en",
        "history_start": history_start.isoformat(),
        "official": False,
        "licence": _FREE,
        "attribution": f"Source: {source}, {name}. {_FREE}. {_NOT_OFFICIAL}",
    }
    return f"{json.dumps(table, indent=1)}\n".encode()
