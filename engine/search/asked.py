"""What callers ask, in sentences of ours, compared by meaning with a question.

A sentence stands for the paragraph that answers it, or for a subject that no paragraph has. It decides
where search looks and is never quoted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.search.encoder import Embedding, Floats
    from engine.search.words import Topic, WordList

CLEARLY = 0.07
"""Cosine by which a sentence of another subject must be nearer than any of a paragraph."""
DENIED = -0.05
"""The same when the question itself says that nobody was bumped."""


class AskedScorer:
    """Scores paragraphs by the sentence nearest to a question; every sentence is encoded once."""

    def __init__(
        self, word_list: WordList, vectors: Mapping[str, Embedding], paragraphs: Sequence[str]
    ) -> None:
        """Stack the sentences' vectors for the units' `paragraphs`; one without a vector is left out."""
        import numpy as np  # noqa: PLC0415 - keeps `import engine` light

        named = {name: at for at, name in enumerate(word_list.asked)}
        inside = [(at, one) for name, at in named.items() for one in word_list.asked[name] if one in vectors]
        outside = [(topic, one) for topic in word_list.topics for one in topic.asked if one in vectors]
        self._count = len(named)
        self._owner = np.array([at for at, _ in inside], np.intp)
        self._row = np.array([named.get(one, -1) for one in paragraphs], np.intp)
        self._inside = _stacked([vectors[one] for _, one in inside])
        self._topics = [topic for topic, _ in outside]
        self._outside = _stacked([vectors[one] for _, one in outside])

    def units(self, query: Embedding) -> Floats | None:
        """The best cosine of each unit's sentences, the median where it has none; None without sentences."""
        import numpy as np  # noqa: PLC0415

        if self._inside is None:
            return None
        best = np.full(self._count, -1.0, dtype=np.float32)
        np.maximum.at(best, self._owner, self._inside @ query.pooled)
        # A notice, which has no sentences, is neither nearer nor farther for that.
        scores: Floats = np.append(best, np.median(best))[self._row]
        return scores

    def topic(self, query: Embedding, lead: float) -> Topic | None:
        """The subject that is nearer to a question than any paragraph is, by a cosine of `lead`, or None."""
        if self._inside is None or self._outside is None:
            return None
        found = self._outside @ query.pooled
        best = int(found.argmax())
        return self._topics[best] if found[best] - (self._inside @ query.pooled).max() >= lead else None


def _stacked(embeddings: Sequence[Embedding]) -> Floats | None:
    import numpy as np  # noqa: PLC0415

    return np.stack([one.pooled for one in embeddings]) if embeddings else None
