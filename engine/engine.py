"""The engine: one collection of texts, standing on one day, asked one question at a time."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from engine import abstain, checks, context, warnings_of
from engine.answerers.quote import QuoteAnswerer
from engine.card import NOTICE
from engine.chunks import cut
from engine.errors import UsageError
from engine.model import (
    AnswerCard,
    Context,
    Coverage,
    Elsewhere,
    Hit,
    Question,
    Source,
)
from engine.search.retriever import Method, Query, Ranked, Retriever
from engine.search.tokens import stem, words
from engine.search.words import WordList, corrected
from engine.settings import MAX_TOP, Settings
from engine.sources.numbers import find_references, normalise_section

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from engine.answerers import Answerer
    from engine.index import StoredIndex
    from engine.model import Answer, Chunk, Warning
    from engine.search.encoder import Encoder
    from engine.snapshot import Collection
    from engine.versions import Timeline

MAX_QUESTION = 4000
"""Characters; a longer text is refused rather than cut without a word."""
_ASKS_MEANING = re.compile(
    r"\b(means?|meaning|meant|defin\w+|counts?( as)?|consider(ed)?|qualif\w+|treated as|or not"
    r"|(is|are) .{1,40} an?|what (exactly )?(is|are) an?|what makes|include[sd]?|wh?at is)\b",
    re.IGNORECASE,
)
BELOW_TOP = 5
"""Passages after the first `top` that are listed as dropped."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, and what a reader must know of it."""

    hits: tuple[Hit, ...]
    method: Method
    coverage: Coverage | None
    """Of the searched day; None for a search without one."""
    warnings: tuple[Warning, ...]


class Engine:
    """Answers from one collection. Every search wants a day, or is told aloud to do without."""

    def __init__(
        self,
        collection: Collection,
        index: StoredIndex,
        *,
        settings: Settings | None = None,
        word_list: WordList | None = None,
        encoder: Encoder | None = None,
        notices: Sequence[Warning] = (),
    ) -> None:
        """Put an engine together; `engine.open_engine` does it from folders."""
        self.collection = collection
        self.settings = settings or Settings()
        self.timelines: tuple[Timeline, ...] = index.timelines
        self.ingest_warnings = index.warnings
        self.words = word_list or WordList()
        self.notices = tuple(notices)
        """Fallbacks that every card has to show."""
        self.chunks = tuple(c for line in index.timelines for version in line.versions for c in cut(version))
        self._place = {chunk.id: place for place, chunk in enumerate(self.chunks)}
        self._retriever = Retriever(self.chunks, index.vectors or None, encoder)
        self._in_force = lru_cache(maxsize=64)(self._places_on)
        # What can be corrected to: a word of the texts, or a word that the list explains.
        self._vocabulary = {stem(word): word for word in self.words.written} | {
            stem(word): word for unit in self._retriever.units for word in words(unit.text)
        }

    @property
    def has_models(self) -> bool:
        """Whether meaning can be searched as well as keywords."""
        return self._retriever.has_models

    @property
    def method(self) -> Method:
        """The method that is used when none is named."""
        if self.settings.method:
            return Method(self.settings.method)
        return Method.RERANK if self.has_models else Method.BM25

    def chunk(self, chunk_id: str) -> Chunk | None:
        """The passage of that id, or None."""
        place = self._place.get(chunk_id)
        return None if place is None else self.chunks[place]

    def timelines_of(self, reference: str) -> tuple[Timeline, ...]:
        """The timelines that a reference names: `250.5`, `§ 250.5(a)`, `14 CFR 250.5`.

        Raises:
            UsageError: it is no reference, or no such section is held.

        """
        named = normalise_section(reference)
        wanted = named.section if named else reference.strip()
        title = named.title if named else ""
        found = tuple(line for line in self.timelines if line.section == wanted and title in {"", line.title})
        if not wanted or not found:
            held = ", ".join(line.section for line in self.timelines[:40])
            raise UsageError(
                f"There is no section {wanted or '(empty)'!r} in {self.collection.name}.",
                f"Held are: {held}.",
            )
        return found

    def search(
        self, query: str, as_of: date | None, *, method: Method | None = None, top: int | None = None
    ) -> SearchResult:
        """Return the best passages in force on `as_of`; with None those of every version.

        Raises:
            UsageError: the query is empty or too long, or `top` is not 1 to 200.
            ModelError: the method needs a model and none is loaded.

        """
        text = _checked_question(query)
        count = self._checked_top(top)
        method = method or self.method
        coverage = None if as_of is None else self.collection.coverage(as_of)
        allowed = self._everything if as_of is None else self._in_force(as_of)
        ranked = self._retriever.rank(self._query(text), method, allowed)[:count]
        hits = self._hits(ranked, as_of)
        return SearchResult(hits, method, coverage, warnings_of.of_search(self, as_of, method))

    def ask(
        self,
        question: str,
        as_of: date,
        *,
        answerer: Answerer | None = None,
        method: Method | None = None,
        top: int | None = None,
        date_filter: bool = True,
        closed_book: bool = False,
    ) -> AnswerCard:
        """Answer a question from the texts in force on `as_of`, checked claim by claim.

        Args:
            question: what is asked; at most `MAX_QUESTION` characters.
            as_of: the day that the answer has to stand on.
            answerer: what gives the answer; the quoting one when None.
            method: the search method; the best that is there when None.
            top: passages for the answer, 1 to 200.
            date_filter: False searches every version and skips the coverage check, to compare with.
            closed_book: no passages at all; for answerers that know something themselves.

        Raises:
            UsageError: the question is empty or too long, or `top` is out of range.
            ModelError: the method needs a model and none is loaded.

        """
        begun = time.perf_counter()
        asked = Question(_checked_question(question), as_of)
        count = self._checked_top(top)
        method = method or self.method
        answerer = answerer or QuoteAnswerer(self.words)
        coverage = self.collection.coverage(as_of)
        given = Context((), frozenset(), 0, self.settings.budget)
        if date_filter and coverage is Coverage.BEFORE:
            answer = abstain.not_held(as_of, self.collection.history_start)
            searched = begun
        else:
            if not closed_book:
                given = self._context(asked, method, count, date_filter=date_filter)
            searched = time.perf_counter()
            answer = self._answer(answerer, asked, given)
        ended = time.perf_counter()
        card = AnswerCard(
            question=asked.text,
            as_of=as_of,
            coverage=coverage,
            status=answer.status,
            reason=answer.reason,
            error=answer.error,
            answer=answer.text,
            claims=answer.claims,
            sources=self._sources(answer, as_of),
            dropped=given.dropped,
            context=given,
            answerer=answerer.name,
            model=answer.model,
            usage=answer.usage,
            method=method,
            date_filter=date_filter,
            snapshot=self.collection.stamp,
            notice=NOTICE,
            attribution=self.collection.attribution,
            timings_ms={
                "search": round((searched - begun) * 1000, 1),
                "answer": round((ended - searched) * 1000, 1),
                "total": round((ended - begun) * 1000, 1),
            },
        )
        return replace(card, warnings=warnings_of.of_card(self, card))

    def in_force(self, chunk: Chunk, day: date) -> bool:
        """Whether a passage's version is the text to read for `day`."""
        return chunk.version.in_force(day)

    def _answer(self, answerer: Answerer, asked: Question, given: Context) -> Answer:
        return checks.check_answer(
            answerer.answer(asked, given),
            asked,
            given,
            lookup=self.chunk,
            in_force=lambda chunk: self.in_force(chunk, asked.as_of),
        )

    def _context(self, asked: Question, method: Method, top: int, *, date_filter: bool) -> Context:
        query = self._query(asked.text)
        day = asked.as_of
        everything = self._retriever.rank(query, method, self._everything)
        in_force = set(self._in_force(day))
        ranked = everything
        if date_filter:
            ranked = self._retriever.rank(query, method, self._in_force(day))
        hits = self._hits(ranked, day)
        by_id = {hit.chunk.id: hit for hit in hits}
        candidates = [self.chunks[place] for place in sorted(in_force)]
        pinned = context.pins(query.expanded, [hit.chunk for hit in hits], candidates)
        built = context.build(
            hits,
            # A pinned passage may share no word with the question and so have no place of its own.
            [by_id.get(chunk.id) or Hit(len(hits) + 1, 0.0, chunk, in_force=True) for chunk in pinned],
            top=top,
            budget=self.settings.budget,
            below=BELOW_TOP,
        )
        if not date_filter:
            return built
        dropped = context.not_in_force(hits, self._hits(everything[:top], day), top)
        elsewhere = self._elsewhere(everything, in_force, day)
        return replace(built, dropped=(*dropped, *built.dropped), elsewhere=elsewhere)

    def _elsewhere(self, everything: Sequence[Ranked], in_force: set[int], day: date) -> Elsewhere | None:
        """The paragraph of another day that fits better than any in force and has no counterpart there."""
        there = {
            (self.chunks[place].section, block.label)
            for place in in_force
            for block in self.chunks[place].blocks
        }
        for ranked in everything:
            chunk = self.chunks[ranked.chunk]
            if not chunk.blocks:
                continue
            if ranked.chunk in in_force:
                return None
            label = chunk.blocks[ranked.block].label
            if (chunk.section, label) not in there:
                return self._nearest(chunk, label, day)
        return None

    def _nearest(self, chunk: Chunk, label: str, day: date) -> Elsewhere:
        """The version nearest to the day that has the paragraph, the next one before an ended one."""
        line = next(line for line in self.timelines if chunk.version in line.versions)
        holding = [
            other
            for other in self.chunks
            if other.version in line.versions and any(block.label == label for block in other.blocks)
        ]
        later = [other for other in holding if other.version.effective_from > day]
        best = min(later or holding, key=lambda c: abs(c.version.effective_from - day))
        return Elsewhere(best, label, line.standing(day))

    def _sources(self, answer: Answer, day: date) -> tuple[Source, ...]:
        """The source lines, numbered by first citation; an unknown id never becomes one."""
        labels: dict[str, list[str]] = {}
        for claim in answer.claims:
            for number, chunk_id in enumerate(claim.passages):
                labels.setdefault(chunk_id, []).extend(claim.labels if number == 0 else ())
        for chunk_id in answer.rests_on:
            labels.setdefault(chunk_id, [])
        made: list[Source] = []
        for chunk_id, cited in labels.items():
            chunk = self.chunk(chunk_id)
            if chunk is None:
                continue
            named = tuple(dict.fromkeys(cited))
            quoted = [block.text for block in chunk.blocks if block.label in named]
            made.append(
                Source(
                    number=len(made) + 1,
                    chunk=chunk,
                    in_force=self.in_force(chunk, day),
                    paragraphs=", ".join(label for label in named if label) or chunk.paragraphs,
                    text="\n".join(quoted) or chunk.body,
                )
            )
        return tuple(made)

    def _query(self, text: str) -> Query:
        spelt = corrected(text, self._vocabulary)
        added = (*self.words.expand(" ".join((text, *spelt))), *spelt)
        sections = tuple((ref.section, ref.label) for ref in find_references(text) if ref.section)
        return Query(text, tuple(dict.fromkeys(added)), sections, bool(_ASKS_MEANING.search(text)))

    def _hits(self, ranked: Sequence[Ranked], day: date | None) -> tuple[Hit, ...]:
        return tuple(
            Hit(
                rank,
                one.score,
                self.chunks[one.chunk],
                None if day is None else self.in_force(self.chunks[one.chunk], day),
                one.block,
                one.blocks,
            )
            for rank, one in enumerate(ranked, 1)
        )

    @property
    def _everything(self) -> range:
        return range(len(self.chunks))

    def _places_on(self, day: date) -> tuple[int, ...]:
        """The places of the chunks that may be read for a day, by the timelines' word."""
        readable = {id(version) for line in self.timelines if (version := line.text_on(day))}
        return tuple(place for place, chunk in enumerate(self.chunks) if id(chunk.version) in readable)

    def _checked_top(self, top: int | None) -> int:
        count = self.settings.top if top is None else top
        if not 1 <= count <= MAX_TOP:
            raise UsageError(f"--top is {count}.", f"It takes a whole number from 1 to {MAX_TOP}.")
        return count


def _checked_question(text: str) -> str:
    plain = text.strip()
    if not plain:
        raise UsageError("The question is empty.", "Say what happened, in a sentence or in a few words.")
    if len(plain) > MAX_QUESTION:
        raise UsageError(
            f"The question has {len(plain)} characters; {MAX_QUESTION} are read.",
            "Shorten it to what matters.",
        )
    return plain
