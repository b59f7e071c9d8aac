"""What the same libraries give when they are put together as their own examples do.

Every version of every chunk is one document: rank-bm25 over words, one embedding a chunk with the
model's defaults, late interaction over all of them. Nothing is known of paragraphs or of dates,
except for a filter after or before the cut at k.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from rank_bm25 import BM25Okapi, BM25Plus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from engine.evaluation.questions import DatedQuestion
    from engine.model import Chunk


class Filter(StrEnum):
    """Where dates come in."""

    OFF = "none"
    AFTER = "after top 5"
    BEFORE = "before ranking"


class Plain:
    """The pipeline; `model` is a SentenceTransformer with its defaults."""

    def __init__(self, chunks: Sequence[Chunk], model: Any) -> None:
        """Keep the chunks; `build` makes the index."""
        self.chunks = tuple(chunks)
        self.model = model
        self._encode = lru_cache(maxsize=None)(self.encode)

    def build(self) -> Plain:
        """Make what a question needs."""
        documents = [_words(chunk.titled) for chunk in self.chunks]
        self.okapi = BM25Okapi(documents)
        self.plus = BM25Plus(documents)
        self.vectors = self.model.encode([chunk.titled for chunk in self.chunks], normalize_embeddings=True)
        return self

    def encode(self, question: str) -> tuple[Any, Any]:
        """The question's vector and its tokens' vectors."""
        row = self.model.encode([question], output_value=None)[0]
        vector = row["sentence_embedding"].numpy()
        return vector / np.linalg.norm(vector), _token_vectors(row)

    @cached_property
    def kept(self) -> list[Any]:
        """The vectors of every chunk's tokens, for late interaction that does not encode at each question."""
        return self.encode_all()

    def encode_all(self) -> list[Any]:
        """Encode every chunk's tokens."""
        rows = self.model.encode([chunk.titled for chunk in self.chunks], output_value=None)
        return [_token_vectors(row) for row in rows]

    def bm25_okapi(self, question: str) -> Any:
        """BM25Okapi's scores of all chunks."""
        return self.okapi.get_scores(_words(question))

    def bm25_plus(self, question: str) -> Any:
        """BM25Plus's scores of all chunks."""
        return self.plus.get_scores(_words(question))

    def dense(self, question: str) -> Any:
        """The cosine with each chunk."""
        return self.vectors @ self._encode(question)[0]

    def late(self, question: str) -> Any:
        """Late interaction with each chunk's kept token vectors."""
        return late_scores(self._encode(question)[1], self.kept)

    def forget(self) -> None:
        """Make the next question be encoded anew."""
        self._encode.cache_clear()

    def ranking(self, method: str, where: Filter, question: DatedQuestion, top: int) -> list[Chunk]:
        """Chunks by falling score; filtered after the cut there are `top` at most."""
        scores = getattr(self, method)(question.question)
        ranked = [self.chunks[place] for place in np.argsort(-scores, kind="stable")]
        if where is Filter.OFF:
            return ranked
        shown = ranked[:top] if where is Filter.AFTER else ranked
        return [chunk for chunk in shown if _in_force(chunk, question.as_of)]


def late_scores(question: Any, passages: Sequence[Any]) -> Any:
    """Mean over the question's tokens of the best cosine with a token of each passage."""
    return np.array([(question @ passage.T).max(axis=1).mean() for passage in passages])


def _in_force(chunk: Chunk, day: date) -> bool:
    version = chunk.version
    return version.effective_from <= day and (version.effective_to is None or day <= version.effective_to)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _token_vectors(row: Any) -> Any:
    vectors = row["token_embeddings"][row["attention_mask"].bool()].numpy()
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
