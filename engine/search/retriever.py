"""One search over chunks: candidates by date first, then a ranking by the chosen method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import ModelError
from engine.scope import SCOPE
from engine.search.asked import CLEARLY, DENIED, AskedScorer
from engine.search.bm25 import KeywordScorer
from engine.search.cross import DEPTH
from engine.search.fusion import ranking, scaled
from engine.search.tokens import stem, tokens, words
from engine.search.units import units_of
from engine.search.words import WordList

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.model import Chunk
    from engine.search.cross import CrossScorer
    from engine.search.encoder import Embedding, Encoder
    from engine.search.late import VectorScorer
    from engine.search.words import Topic


class Method(StrEnum):
    """How passages are ranked."""

    BM25 = "bm25"
    DENSE = "dense"
    HYBRID = "hybrid"
    RERANK = "rerank"


@dataclass(frozen=True, slots=True)
class Query:
    """A question as search sees it."""

    text: str
    """What the caller said."""
    added: tuple[str, ...] = ()
    """Words of the regulations for what was said."""
    sections: tuple[tuple[str, str], ...] = ()
    """Section numbers and label paths that the question names."""
    fitting: frozenset[int] = frozenset()
    """Places of units that state the step of compensation which fits the facts of the question."""
    idle: frozenset[int] = frozenset()
    """Places of units that state any step, when neither an amount is asked nor a delay told."""
    asks_scope: bool = False
    """Whether it asks what the rules apply to."""
    outside: bool = False
    """Whether it asks that of a trip which is outside by its facts."""
    asks_meaning: bool = False
    """Whether it asks what a word means or what counts as something."""
    asks_notice: bool = False
    """Whether it asks what a carrier's printed notice says."""
    parts: frozenset[str] = frozenset()
    """The parts that the question is about; empty when it may be about any."""

    @property
    def expanded(self) -> str:
        """The question with the added words behind it."""
        return f"{self.text} ({', '.join(self.added)})" if self.added else self.text


@dataclass(frozen=True, slots=True)
class Ranked:
    """One chunk in a ranking."""

    chunk: int
    """Its place among the retriever's chunks."""
    score: float
    block: int
    """The place in the chunk of its best block."""
    blocks: tuple[float | None, ...]
    """The score of each of its blocks by its words, whatever fits the facts; None for one that is no rule
    or shares no word."""


# The weights were chosen on questions/tuning.jsonl; docs/search.md has what was tried.
KEYWORDS_IN_HYBRID = 0.45
"""Weight of the keyword score, the best being 1, beside the cosine."""
KEYWORDS_IN_RERANK = 0.9
AS_SAID_IN_RERANK = 0.5
"""Weight of late interaction with the caller's own words, beside the one with the added words."""
DENSE_IN_RERANK = 0.9
ASKED = 0.5
"""Weight of the nearest sentence of ours beside the other scores by meaning."""
NAMED = 1.0
"""Added to a unit of a section that the question names: more than any other difference."""
FITTING = 0.4
"""Added to a unit that states the step of compensation which fits the question's facts."""
SCOPED = 0.25
"""Added to a section on applicability when the question is whether the rules apply."""
OUTSIDE = 0.6
"""The same when the trip is outside by its facts."""
MEANT = 0.1
"""Added to a unit that holds a whole rare phrase which the word list gives for what was said."""
RARE_WORDS = 3
"""Words of content from which a phrase of the word list points to the units that hold it."""
RARE_SHARE = 0.05
"""Of the units that may be found, the share that may hold such a phrase."""
OTHER_PART = 0.25
"""Taken from a unit of a part that the question is not about."""
NOTICE = 0.15
"""Taken from the words of a carrier's own notice, unless it is asked for: the rule comes before them."""
IDLE = 0.2
"""Taken from a step of compensation when neither an amount is asked nor a delay told."""
DEFINED = 0.5
"""Added to the definition of a term when the question asks what it means."""


class Retriever:
    """Ranks chunks for a question; the same question, day and method give the same ranking."""

    def __init__(
        self,
        chunks: Sequence[Chunk],
        vectors: Mapping[str, Embedding] | None = None,
        encoder: Encoder | None = None,
        cross: CrossScorer | None = None,
        word_list: WordList | None = None,
    ) -> None:
        """Prepare the units of `chunks`; without vectors and encoder only keywords are searched."""
        word_list = word_list or WordList()
        self.chunks = tuple(chunks)
        self.units = units_of(self.chunks)
        self._by_chunk: dict[int, list[int]] = {}
        for place, unit in enumerate(self.units):
            self._by_chunk.setdefault(unit.chunk, []).append(place)
        self.keywords = KeywordScorer(self.units, self.chunks, word_list.asked)
        self._known = self.keywords.vocabulary(tuple(range(len(self.units))))
        stems = {own: frozenset(map(stem, words(own))) for own in {unit.own for unit in self.units}}
        self._stems = [stems[unit.own] for unit in self.units]
        self._holding = lru_cache(maxsize=512)(self._units_with)
        self._cross = cross
        self._vectors: VectorScorer | None = None
        if encoder is not None and vectors is not None:
            from engine.search.late import VectorScorer  # noqa: PLC0415 - brings numpy

            self._vectors = VectorScorer(vectors, [unit.text for unit in self.units])
            self._asked = AskedScorer(word_list, vectors, [unit.paragraph for unit in self.units])
            # One call ranks a question several times: with and without the date filter.
            self._embed = lru_cache(maxsize=4)(encoder.query)

    @property
    def has_models(self) -> bool:
        """Whether meaning can be searched as well as keywords."""
        return self._vectors is not None

    def rank(self, query: Query, method: Method, allowed: Sequence[int]) -> tuple[Ranked, ...]:
        """Rank the allowed chunks; a chunk takes its best unit's score.

        Args:
            query: the question.
            method: `bm25` leaves out chunks that share no word with the question.
            allowed: places of the chunks that may be found, sorted.

        Raises:
            ModelError: the method needs a model and none is loaded.

        """
        scores = self.unit_scores(query, method, allowed)
        # The step that fits the facts decides on the passage; its words may still fit less than others'.
        step = FITTING * (max(scores.values(), default=1.0) if method is Method.BM25 else 1.0)
        ordered = {place: score + step * (place in query.fitting) for place, score in scores.items()}
        best: dict[int, int] = {}
        for place in sorted(scores):
            chunk = self.units[place].chunk
            if chunk not in best or ordered[place] > ordered[best[chunk]]:
                best[chunk] = place
        found = {chunk: ordered[place] for chunk, place in best.items()}
        ranked = tuple(self._ranked(chunk, found[chunk], best[chunk], scores) for chunk in ranking(found))
        return self._read_again(query, ranked, best) if method is Method.RERANK else ranked

    def _read_again(
        self, query: Query, ranked: tuple[Ranked, ...], best: Mapping[int, int]
    ) -> tuple[Ranked, ...]:
        """Order the first passages by a cross-encoder, where there is one; the others follow as they were."""
        first = ranked[:DEPTH]
        if self._cross is None or not first:
            return ranked
        found = self._cross.scores(query.text, [self.units[best[one.chunk]].text for one in first])
        scored = {
            place: score
            + self._bonus(query, best[first[place].chunk])
            + FITTING * (best[first[place].chunk] in query.fitting)
            for place, score in enumerate(found)
        }
        last = min(scored.values())
        rest = (replace(one, score=last - 1 - place) for place, one in enumerate(ranked[DEPTH:]))
        return (*(replace(first[place], score=scored[place]) for place in ranking(scored)), *rest)

    def knows(self, query: Query) -> bool:
        """Whether any word of the question, as said or as added, stands in any text."""
        return not self._known.isdisjoint(tokens(query.expanded))

    def subject(self, query: Query, *, denied: bool) -> Topic | None:
        """What the question is clearly about instead, by meaning; None without models.

        Args:
            query: the question.
            denied: whether it says itself that nobody was bumped.

        """
        if self._vectors is None:
            return None
        return self._asked.topic(self._embed(query.text), DENIED if denied else CLEARLY)

    def unit_places(self, chunk: int, block: int) -> tuple[int, ...]:
        """The places of the units that one block of a chunk makes."""
        return tuple(place for place in self._by_chunk[chunk] if self.units[place].block == block)

    def _ranked(self, chunk: int, score: float, best: int, scores: Mapping[int, float]) -> Ranked:
        blocks: list[float | None] = [None] * len(self.chunks[chunk].blocks)
        if blocks:
            for place in self._by_chunk[chunk]:
                blocks[self.units[place].block] = scores.get(place)
        return Ranked(chunk, score, self.units[best].block, tuple(blocks))

    def unit_scores(self, query: Query, method: Method, allowed: Sequence[int]) -> dict[int, float]:
        """The score of each unit of the allowed chunks, by the unit's place."""
        candidates = self._units_in(allowed)
        if not candidates:
            return {}
        found = self.keywords.scores(tokens(query.expanded), candidates)
        if method is Method.BM25:
            # Raw scores have no upper end: a bonus is a share of the best one.
            scores, unit = found, max(found.values(), default=1.0)
        else:
            scores, unit = self._by_meaning(query, method, candidates, scaled(found)), 1.0
        meant = self._meant(query, candidates)
        return {
            place: score + unit * (self._bonus(query, place) + MEANT * (place in meant))
            for place, score in scores.items()
        }

    def meant(self, query: Query, allowed: Sequence[int]) -> frozenset[tuple[int, int]]:
        """The chunk and block of each allowed unit that holds a whole rare phrase of the added words."""
        units = (self.units[place] for place in self._meant(query, self._units_in(allowed)))
        return frozenset((unit.chunk, unit.block) for unit in units)

    def _units_in(self, chunks: Sequence[int]) -> tuple[int, ...]:
        """The places of the units of some chunks."""
        return tuple(place for chunk in chunks for place in self._by_chunk[chunk])

    def _meant(self, query: Query, candidates: Sequence[int]) -> frozenset[int]:
        """The units that hold a whole rare phrase of the added words."""
        allowed = set(candidates)
        found: set[int] = set()
        for phrase in query.added:
            holding = self._holding(phrase) & allowed
            if len(holding) <= RARE_SHARE * len(allowed):
                found |= holding
        return frozenset(found)

    def _units_with(self, phrase: str) -> frozenset[int]:
        """The units whose own words hold all words of a phrase of some length."""
        wanted = {stem(word) for word in words(phrase)}
        if len(wanted) < RARE_WORDS:
            return frozenset()
        return frozenset(place for place, own in enumerate(self._stems) if wanted <= own)

    def _by_meaning(
        self, query: Query, method: Method, candidates: Sequence[int], found: Mapping[int, float]
    ) -> dict[int, float]:
        if self._vectors is None:
            raise ModelError(
                f"The method {method} needs a model, and none is loaded.",
                "Install the extra `models`, or choose --method bm25.",
            )
        said = self._embed(query.text)
        if method is Method.RERANK:
            meant = self._embed(query.expanded)
            vector = self._vectors.late(meant) + AS_SAID_IN_RERANK * self._vectors.late(said)
            vector += DENSE_IN_RERANK * self._vectors.dense(meant)
            weight = KEYWORDS_IN_RERANK
        else:
            vector = self._vectors.dense(said)
            weight = KEYWORDS_IN_HYBRID if method is Method.HYBRID else 0.0
        asked = self._asked.units(said)
        if asked is not None and method is not Method.DENSE:
            vector = vector + ASKED * asked
        return {place: float(vector[place]) + weight * found.get(place, 0.0) for place in candidates}

    def _bonus(self, query: Query, place: int) -> float:
        """What a unit gains because the question names its section, or asks for its term's meaning."""
        unit = self.units[place]
        chunk = self.chunks[unit.chunk]
        away = bool(query.parts) and chunk.version.text.part not in query.parts
        if not chunk.blocks:
            return NAMED * any(section == chunk.section for section, _ in query.sections) - OTHER_PART * away
        block = chunk.blocks[unit.block]
        scope = query.asks_scope and SCOPE.search(chunk.version.heading) is not None
        named = any(
            (section == chunk.section and block.label.startswith(path)) or (scope and section in block.text)
            for section, path in query.sections
        )
        term = {stem(word) for word in words(block.term)} if query.asks_meaning else set()
        # One word is asked about only where it was said: every question of an airline is one of a carrier.
        said = query.expanded if len(term) > 1 else query.text
        defined = bool(term) and term <= {stem(word) for word in words(said)}
        scoped = (OUTSIDE if query.outside else SCOPED) * scope
        notice = unit.notice and not query.asks_notice
        held_back = OTHER_PART * away + NOTICE * notice + IDLE * (place in query.idle)
        return NAMED * named + DEFINED * defined + scoped - held_back
