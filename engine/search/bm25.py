"""Keyword search: BM25+ over the units that may be found, and over no others."""

from __future__ import annotations

from collections import OrderedDict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.search.tokens import references, stem, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.model import Chunk
    from engine.search.units import Unit

K1 = 1.2
B = 0.6
DELTA = 0.5
_KEPT = 8
"""Sets of candidates whose statistics are kept: one a version boundary is plenty."""


class KeywordScorer:
    """Scores units by the words that they share with a question.

    How rare a word is, is counted over the candidates alone: a rule of another year neither ranks
    nor makes a word common.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        chunks: Sequence[Chunk],
        asked: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """Split each unit once; `units[n].chunk` counts in `chunks`, `asked` is the word list's."""
        said = {paragraph: set(tokens(" ".join(sentences))) for paragraph, sentences in asked.items()}
        self._documents = [_document(unit, chunks[unit.chunk], said) for unit in units]
        self._built: OrderedDict[tuple[int, ...], Any] = OrderedDict()

    def scores(self, terms: Sequence[str], candidates: tuple[int, ...]) -> dict[int, float]:
        """Return the score of each candidate that holds at least one of the terms.

        Args:
            terms: tokens of the question, as `engine.search.tokens.tokens` makes them.
            candidates: places of units.

        """
        wanted = set(terms)
        matching = [n for n, place in enumerate(candidates) if wanted & self._documents[place].keys()]
        if not matching:
            return {}
        # The package adds its delta to every document, so that only differences and matches count.
        found = self._model(candidates).get_batch_scores(list(terms), matching)
        return {candidates[n]: float(score) for n, score in zip(matching, found, strict=True)}

    def vocabulary(self, candidates: tuple[int, ...]) -> set[str]:
        """All terms that stand in the candidates."""
        return set().union(*(self._documents[place] for place in candidates))

    def _model(self, candidates: tuple[int, ...]) -> Any:
        if candidates in self._built:
            self._built.move_to_end(candidates)
            return self._built[candidates]
        from rank_bm25 import BM25Plus  # noqa: PLC0415 - brings numpy, which `import engine` does without

        documents = [_flat(self._documents[place]) for place in candidates]
        self._built[candidates] = BM25Plus(documents, k1=K1, b=B, delta=DELTA)
        if len(self._built) > _KEPT:
            self._built.popitem(last=False)
        return self._built[candidates]


def _document(unit: Unit, chunk: Chunk, said: Mapping[str, set[str]]) -> dict[str, int]:
    """The unit's terms with their counts: its text, its section, its label path, what callers say of it."""
    counted: dict[str, int] = {}
    label = chunk.blocks[unit.block].label if chunk.blocks else ""
    for term in (*tokens(unit.text), *references(chunk.section + label)):
        counted[term] = counted.get(term, 0) + 1
    counted.setdefault(stem(chunk.section), 1)
    for term in said.get(unit.paragraph, ()):
        counted.setdefault(term, 1)
    return counted


def _flat(counted: dict[str, int]) -> list[str]:
    return [term for term, count in counted.items() for _ in range(count)]
