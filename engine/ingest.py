"""A collection's files become an index: read, cut into versions, checked against the publisher's list."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from engine.chunks import cut
from engine.errors import SnapshotError
from engine.index import IndexKey, StoredIndex, stored_form
from engine.safe import one_line
from engine.search.units import units_of
from engine.sources import reader_for
from engine.versions import DatedCopy, PublishedVersion, build_timelines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from engine.model import SectionText
    from engine.search.encoder import Embedding, Encoder
    from engine.snapshot import Collection
    from engine.sources import LeftOut
    from engine.versions import Timeline

    Progress = Callable[[str, int, int], None]
    """Called with a stage's name, how much is done and how much there is."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of the words of one file."""

    file: str
    words_in: int
    words_kept: int
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The texts of a collection, and what happened on the way."""

    index: StoredIndex
    """Without vectors; `embed` adds them."""
    files: tuple[FileReport, ...]


def ingest(collection: Collection, progress: Progress | None = None) -> IngestReport:
    """Read every dated copy of a collection into timelines.

    Raises:
        SnapshotError: a file is altered or broken; its name and line are given.

    """
    read = reader_for(collection.source)
    warnings: list[str] = list(collection.warnings)
    reports: list[FileReport] = []
    copies: dict[tuple[str, str], dict[date, tuple[SectionText, ...]]] = {}
    whole: set[tuple[str, date]] = set()
    files = collection.copies
    for done, (file, day) in enumerate(files):
        _tell(progress, "reading", done, len(files))
        result = read(collection.read(file.file), file.file, file.title)
        reports.append(FileReport(file.file, result.words_in, result.words_kept, result.left_out))
        warnings += [f"{file.file}, line {warning.line}: {warning.text}" for warning in result.warnings]
        if result.lost:
            warnings.append(f"{file.file}: {result.lost} words were neither kept nor listed as left out.")
        for part in result.parts:
            copies.setdefault((part.title, part.part), {})[day] = part.sections
        # A file without a part's number shows the whole title: a part that is not in it is not there.
        if not file.part:
            whole.add((file.title, day))
    _tell(progress, "reading", len(files), len(files))
    timelines: list[Timeline] = []
    for (title, number), by_day in copies.items():
        days = dict.fromkeys([*by_day, *(day for other, day in sorted(whole) if other == title)])
        built = build_timelines(
            [DatedCopy(day, by_day.get(day, ())) for day in days],
            history_start=collection.history_start,
            current_to=collection.current_to,
            address=address,
            published=published(collection, title, number),
        )
        timelines += built.timelines
        warnings += built.warnings
    key = IndexKey(collection.sha256, "")
    unique = tuple(dict.fromkeys(one_line(warning) for warning in warnings))
    return IngestReport(StoredIndex(key, tuple(timelines), {}, unique), tuple(reports))


def embed(
    index: StoredIndex,
    encoder: Encoder,
    progress: Progress | None = None,
    sentences: Sequence[str] = (),
) -> StoredIndex:
    """Return the index with a vector for each different text that search scores, and for `sentences`.

    Vectors that the index has already are kept.
    """
    chunks = [chunk for line in index.timelines for version in line.versions for chunk in cut(version)]
    units = dict.fromkeys(unit.text for unit in units_of(chunks) if unit.text not in index.vectors)
    others = [text for text in dict.fromkeys(sentences) if text not in units and text not in index.vectors]
    total = len(units) + len(others)
    made: list[Embedding] = []
    if units:
        made += encoder.passages(list(units), lambda done: _tell(progress, "embedding", done, total))
    if others:
        made += encoder.sentences(others, lambda done: _tell(progress, "embedding", len(units) + done, total))
    # An index in memory and the same one read from its file give the same scores.
    vectors = {text: stored_form(embedding) for text, embedding in zip((*units, *others), made, strict=True)}
    key = IndexKey(index.key.snapshot, encoder.identity)
    return StoredIndex(key, index.timelines, {**index.vectors, **vectors}, index.warnings)


def address(text: SectionText, day: date) -> str:
    """The eCFR's address of a section as it stood from `day` on."""
    kind = "section-" if text.section[:1].isdigit() else ""
    # A name from the file must not end the address, nor a link that is made of it.
    name = quote(text.section.replace(" ", "-"), safe="()~")
    return f"https://www.ecfr.gov/on/{day.isoformat()}/title-{quote(text.title)}/{kind}{name}"


def _tell(progress: Progress | None, stage: str, done: int, total: int) -> None:
    if progress:
        progress(stage, done, total)


def published(collection: Collection, title: str, part: str) -> Iterable[PublishedVersion]:
    """The rows of the publisher's list for one part.

    Raises:
        SnapshotError: the list is not of the known form.

    """
    for file in collection.of_kind("versions"):
        if (file.title, file.part) != (title, part):
            continue
        try:
            rows: list[dict[str, Any]] = json.loads(collection.read(file.file))["content_versions"]
            for row in rows:
                day = date.fromisoformat(row.get("amendment_date") or row["date"])
                yield PublishedVersion(str(row["identifier"]), day)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SnapshotError(
                f"{file.file} is not a list of versions: {one_line(str(error))}.",
                "Run `regulations-assistant snapshot verify`.",
            ) from error
