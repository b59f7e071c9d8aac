"""The shipped texts read once, small texts made by hand, and an encoder that needs no model."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pytest
from hypothesis import settings

from engine.chunks import cut
from engine.ingest import IngestReport, embed, ingest
from engine.model import (
    Block,
    BlockKind,
    Change,
    Chunk,
    Notice,
    Origin,
    SectionText,
    SectionVersion,
    VersionStatus,
)
from engine.search.encoder import Embedding
from engine.search.retriever import Retriever
from engine.search.tokens import tokens
from engine.snapshot import Collection, load_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.index import StoredIndex
    from engine.versions import Timeline

settings.register_profile("regulations", deadline=None, derandomize=True)
settings.load_profile("regulations")

SHIPPED = Path(__file__).parents[2] / "regulations" / "us-14-cfr"
DIMENSIONS = 24


@dataclass
class FakeEncoder:
    """Gives each stem a vector of its own; texts that share words are alike."""

    identity: str = "fake|hashed stems"
    asked: list[str] = field(default_factory=list)
    """Every question that was encoded, in order."""

    def passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        made = [_embedding(text) for text in texts]
        if progress:
            progress(len(made))
        return made

    def sentences(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        return [replace(one, tokens=one.tokens[:0]) for one in self.passages(texts, progress)]

    def query(self, text: str) -> Embedding:
        self.asked.append(text)
        return _embedding(text)


def _embedding(text: str) -> Embedding:
    vectors = np.stack([_vector(stem) for stem in tokens(text) or ["nothing"]])
    pooled = vectors.sum(axis=0)
    return Embedding((pooled / np.linalg.norm(pooled)).astype(np.float32), vectors)


def _vector(stem: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    digest = hashlib.sha256(stem.encode()).digest()[:DIMENSIONS]
    vector = np.frombuffer(digest, np.uint8).astype(np.float32) - 127.5
    return vector / np.linalg.norm(vector)


@dataclass(frozen=True)
class Copied:
    """A copy of the shipped folder that a test may spoil."""

    folder: Path

    def reseal(self) -> None:
        """List every file as it now is."""
        names = sorted(path.name for path in self.folder.iterdir() if path.name != "SHA256SUMS")
        self.list_as({name: self.sum_of(name) for name in names})

    def list_as(self, sums: dict[str, str]) -> None:
        lines = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
        (self.folder / "SHA256SUMS").write_text(lines, "utf-8", newline="\n")

    def sum_of(self, name: str) -> str:
        return hashlib.sha256((self.folder / name).read_bytes()).hexdigest()

    def write(self, name: str, content: str | bytes) -> None:
        """Put other content into a file and bring `sources.csv` and `SHA256SUMS` up to it."""
        path = self.folder / name
        before = self.sum_of(name) if path.exists() else None
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if before and name != "sources.csv":
            rows = self.text("sources.csv").splitlines(keepends=True)
            changed = [
                row.replace(before, self.sum_of(name)) if row.startswith(f"{name},") else row for row in rows
            ]
            (self.folder / "sources.csv").write_text("".join(changed), "utf-8", newline="")
        self.reseal()

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def replace(self, name: str, old: str, new: str) -> None:
        assert old in self.text(name)
        self.write(name, self.text(name).replace(old, new))


@pytest.fixture(scope="session")
def collection() -> Collection:
    return load_collection(SHIPPED)


@pytest.fixture(scope="session")
def ingested(collection: Collection) -> IngestReport:
    return ingest(collection)


@pytest.fixture(scope="session")
def timelines(ingested: IngestReport) -> dict[str, Timeline]:
    return {timeline.section: timeline for timeline in ingested.index.timelines}


@pytest.fixture(scope="session")
def chunks(timelines: dict[str, Timeline]) -> tuple[Chunk, ...]:
    return tuple(
        chunk for timeline in timelines.values() for version in timeline.versions for chunk in cut(version)
    )


@pytest.fixture(scope="session")
def fake_encoder() -> FakeEncoder:
    return FakeEncoder()


@pytest.fixture(scope="session")
def embedded(ingested: IngestReport, fake_encoder: FakeEncoder) -> StoredIndex:
    return embed(ingested.index, fake_encoder)


@pytest.fixture(scope="session")
def retriever(chunks: tuple[Chunk, ...], embedded: StoredIndex, fake_encoder: FakeEncoder) -> Retriever:
    return Retriever(chunks, embedded.vectors, fake_encoder)


@pytest.fixture
def copied(tmp_path: Path) -> Copied:
    folder = tmp_path / "us-14-cfr"
    shutil.copytree(SHIPPED, folder)
    return Copied(folder)


class MakeText(Protocol):
    """Makes a section's text from lines such as `(a)|Every carrier shall pay.`"""

    def __call__(self, section: str = ..., *lines: str, heading: str = ..., note: str = ...) -> SectionText:
        """Lines before which no label stands have none; `notice|…` and `heading|…` name a kind."""
        ...


class MakeVersion(Protocol):
    """Makes one version of a section."""

    def __call__(
        self, text: SectionText, first: str = ..., last: str | None = ..., *, held: bool = ...
    ) -> SectionVersion:
        """Days are ISO; `held` says that the version may have begun earlier."""
        ...


@pytest.fixture(scope="session")
def make_text() -> MakeText:
    def make(section: str = "250.5", *lines: str, heading: str = "", note: str = "") -> SectionText:
        blocks = tuple(_block(line) for line in lines)
        notices = tuple(
            Notice(block.text, "86 FR 2537", date(2021, 1, 13))
            for block in blocks
            if block.kind is BlockKind.NOTICE
        )
        title = heading or f"§ {section} Denied boarding compensation."
        part = section.partition(".")[0]
        return SectionText("14", part, section, title, blocks, notices, source_note=note)

    return make


def _block(line: str) -> Block:
    mark, bar, text = line.partition("|")
    if not bar:
        return Block(BlockKind.PARAGRAPH, line)
    if mark in set(map(str, BlockKind)):
        return Block(BlockKind(mark), text)
    if mark.startswith("("):
        return Block(BlockKind.PARAGRAPH, text, mark)
    return Block(BlockKind.PARAGRAPH, f"{mark} {text}", term=mark)


@pytest.fixture(scope="session")
def make_version() -> MakeVersion:
    def make(
        text: SectionText, first: str = "2017-01-01", last: str | None = None, *, held: bool = False
    ) -> SectionVersion:
        return SectionVersion(
            text=text,
            effective_from=date.fromisoformat(first),
            effective_to=date.fromisoformat(last) if last else None,
            from_origin=Origin.AT_OR_BEFORE if held else Origin.EXACT,
            status=VersionStatus.ENDED if last else VersionStatus.IN_FORCE_AT_END,
            change=Change.FIRST,
            url=f"https://www.ecfr.gov/on/{first}/title-14/section-{text.section}",
        )

    return make
