"""What the benchmarks' engines are put together from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from engine import open_collection
from engine.engine import Engine
from engine.index import write_index
from engine.ingest import embed, ingest
from engine.paths import index_file
from engine.search import encoder as encoders
from engine.search.words import load_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engine.index import StoredIndex
    from engine.search.encoder import Embedding, Encoder
    from engine.search.words import WordList
    from engine.snapshot import Collection


@dataclass
class KeptEncoder:
    """An encoder that encodes each question once, for runs that measure no time."""

    encoder: Encoder
    known: dict[str, Embedding] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        return self.encoder.identity

    def passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        return self.encoder.passages(texts, progress)

    def sentences(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        return self.encoder.sentences(texts, progress)

    def query(self, text: str) -> Embedding:
        if text not in self.known:
            self.known[text] = self.encoder.query(text)
        return self.known[text]


@dataclass
class House:
    """What engines are put together from."""

    data: Path
    """A data folder with a built index."""

    @cached_property
    def collection(self) -> Collection:
        """The shipped texts."""
        return open_collection()

    @cached_property
    def words(self) -> WordList:
        folder = self.collection.folder
        return load_words(folder.parent / f"{folder.name}.words.toml")

    @cached_property
    def encoder(self) -> Encoder:
        return encoders.load(encoders.ModelSpec())

    @cached_property
    def kept(self) -> KeptEncoder:
        return KeptEncoder(self.encoder)

    @cached_property
    def index(self) -> StoredIndex:
        index = embed(ingest(self.collection).index, self.encoder, sentences=self.words.sentences)
        write_index(index_file(self.data, self.collection.folder, self.collection.id), index)
        return index

    def engine(self, *, words: WordList | None = None, index: StoredIndex | None = None) -> Engine:
        """An engine whose questions are encoded once each."""
        return Engine(
            self.collection,
            index or self.index,
            word_list=self.words if words is None else words,
            encoder=self.kept,
        )

    def timed_engine(self) -> Engine:
        """An engine as the program opens it."""
        return Engine(self.collection, self.index, word_list=self.words, encoder=self.encoder)

    def keyword_engine(self) -> Engine:
        """An engine as the program opens it with `--no-models`."""
        return Engine(self.collection, self.index, word_list=self.words)
