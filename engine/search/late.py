"""Dense and late-interaction scores of texts against one question, from vectors made beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.search.encoder import Embedding, Floats


class VectorScorer:
    """Scores every different text once, however many versions share it."""

    def __init__(self, vectors: Mapping[str, Embedding], texts: Sequence[str]) -> None:
        """Stack the vectors of `texts`, which are the units' texts in order, repeats allowed."""
        import numpy as np  # noqa: PLC0415 - keeps `import engine` light

        unique = list(dict.fromkeys(texts))
        places = {text: place for place, text in enumerate(unique)}
        self._row = np.array([places[text] for text in texts], dtype=np.intp)
        if not unique:
            return
        self._pooled = np.stack([vectors[text].pooled for text in unique])
        self._tokens = np.concatenate([vectors[text].tokens for text in unique])
        lengths = [len(vectors[text].tokens) for text in unique]
        self._starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.intp)

    def dense(self, query: Embedding) -> Floats:
        """The cosine of the pooled vectors, one a unit, in -1 to 1."""
        if not self._row.size:
            return query.pooled[:0]
        scores: Floats = (self._pooled @ query.pooled)[self._row]
        return scores

    def late(self, query: Embedding) -> Floats:
        """Mean over the question's tokens of the best cosine with a token of the text, one a unit."""
        import numpy as np  # noqa: PLC0415 - keeps `import engine` light

        if not self._row.size:
            return query.pooled[:0]
        # One matrix product over all tokens, then the best of each text's own rows.
        best = np.maximum.reduceat(self._tokens @ query.tokens.T, self._starts, axis=0)
        scores: Floats = best.mean(axis=1)[self._row]
        return scores
