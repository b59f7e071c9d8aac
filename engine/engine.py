"""The engine: one collection of texts, standing on one day, asked one question at a time."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine import abstain, checks, references, warnings_of
from engine.answerers.quote import QuoteAnswerer
from engine.card import NOTICE
from engine.errors import RegulationsError, UsageError
from engine.fact_options import apply_facts
from engine.facts import read_facts
from engine.finding import Finder
from engine.model import (
    Answer,
    AnswerCard,
    Context,
    Coverage,
    Hit,
    Question,
    Source,
    Status,
)
from engine.search.retriever import Method
from engine.search.words import WordList
from engine.settings import MAX_TOP, Settings
from engine.sources.numbers import normalise_section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from engine.answerers import Answerer
    from engine.index import StoredIndex
    from engine.model import Chunk, Warning
    from engine.notes import Note
    from engine.search.cross import CrossScorer
    from engine.search.encoder import Encoder
    from engine.snapshot import Collection
    from engine.versions import Timeline

LOG = logging.getLogger("regulations_assistant")
MAX_QUESTION = 4000
"""Characters; a longer text is refused rather than cut without a word."""


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
        notes: Sequence[Note] = (),
        encoder: Encoder | None = None,
        cross: CrossScorer | None = None,
        notices: Sequence[Warning] = (),
    ) -> None:
        """Put an engine together; `engine.open_engine` does it from folders."""
        self.collection = collection
        self.settings = settings or Settings()
        self.timelines: tuple[Timeline, ...] = index.timelines
        self.ingest_warnings = index.warnings
        self.words = word_list or WordList()
        self._finder = Finder(index, self.words, encoder, cross)
        self.chunks = self._finder.chunks
        self.notes = tuple(notes)
        self.notices = tuple(notices)
        """Fallbacks that every card has to show."""

    @property
    def has_models(self) -> bool:
        """Whether meaning can be searched as well as keywords."""
        return self._finder.has_models

    @property
    def method(self) -> Method:
        """The method that is used when none is named."""
        if self.settings.method:
            return Method(self.settings.method)
        return Method.RERANK if self.has_models else Method.BM25

    def chunk(self, chunk_id: str) -> Chunk | None:
        """The passage of that id, or None."""
        return self._finder.chunk(chunk_id)

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
        hits = self._finder.hits(text, as_of, method)[:count]
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
        facts: Mapping[str, str] | None = None,
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
            facts: facts of the trip by the names of `fact_options.FACTS`, in place of those that are read
                from the question.

        Raises:
            UsageError: the question is empty or too long, `top` is out of range, or a fact cannot be read.
            ModelError: the method needs a model and none is loaded.

        """
        begun = time.perf_counter()
        stated = facts or {}
        text = _checked_question(question)
        asked = Question(text, as_of, apply_facts(read_facts(text), stated))
        count = self._checked_top(top)
        method = method or self.method
        answerer = answerer or QuoteAnswerer(self.words)
        given = Context((), frozenset(), 0, self.settings.budget)
        held = not date_filter or self.collection.coverage(as_of) is not Coverage.BEFORE
        if held and not closed_book:
            given = self._finder.context(
                asked, method, top=count, budget=self.settings.budget, date_filter=date_filter
            )
        searched = time.perf_counter() if held else begun
        if held:
            answer = self._answer(answerer, asked, given, searched=date_filter and not closed_book)
        else:
            answer = abstain.not_held(as_of, self.collection.history_start)
        took = _timings(begun, searched, time.perf_counter(), answer)
        card = self._card(asked, answer, given, answerer.name, method, date_filter=date_filter)
        card = replace(card, corrected=tuple(stated), timings_ms=took)
        return replace(card, warnings=warnings_of.of_card(self, card))

    def _card(
        self,
        asked: Question,
        answer: Answer,
        given: Context,
        answerer: str,
        method: Method,
        *,
        date_filter: bool,
    ) -> AnswerCard:
        return AnswerCard(
            question=asked.text,
            as_of=asked.as_of,
            coverage=self.collection.coverage(asked.as_of),
            status=answer.status,
            reason=answer.reason,
            error=answer.error,
            answer=answer.text,
            claims=answer.claims,
            sources=self._sources(answer, given, asked.as_of),
            dropped=given.dropped,
            context=given,
            facts=asked.facts,
            answerer=answerer,
            model=answer.model,
            usage=answer.usage,
            method=method,
            date_filter=date_filter,
            snapshot=self.collection.stamp,
            notice=NOTICE,
            attribution=self.collection.attribution,
        )

    def ask_again(self, card: AnswerCard, answerer: Answerer) -> AnswerCard:
        """Put a card's question and the passages found for it to another answerer, without a search."""
        if card.context is None or card.status is Status.NOT_HELD:
            return card
        begun = time.perf_counter()
        asked = Question(card.question, card.as_of, card.facts)
        answer = self._answer(answerer, asked, card.context, searched=card.date_filter)
        took = round((time.perf_counter() - begun) * 1000, 1)
        made = replace(
            card,
            status=answer.status,
            reason=answer.reason,
            error=answer.error,
            answer=answer.text,
            claims=answer.claims,
            sources=self._sources(answer, card.context, card.as_of),
            answerer=answerer.name,
            model=answer.model,
            usage=answer.usage,
            timings_ms={**card.timings_ms, "answer": took},
        )
        # Another engine may have searched: what is said of its search stays.
        said = [one for one in warnings_of.of_card(self, made) if one.kind != warnings_of.KEYWORDS_ONLY]
        kept = [one for one in card.warnings if one.kind == warnings_of.KEYWORDS_ONLY]
        return replace(made, warnings=(*said, *kept))

    def in_force(self, chunk: Chunk, day: date) -> bool:
        """Whether a passage's version is the text to read for `day`."""
        return chunk.version.in_force(day)

    def _answer(self, answerer: Answerer, asked: Question, given: Context, *, searched: bool) -> Answer:
        if searched and given.elsewhere is None and not self._finder.in_force(asked.as_of):
            return abstain.nothing_in_force(asked.as_of)
        try:
            answer = answerer.answer(asked, given)
        except RegulationsError:
            raise
        except Exception as error:  # noqa: BLE001 - an answerer is a plug-in: its faults are a card, no crash
            LOG.warning("the answerer %s failed: %s", answerer.name, type(error).__name__)
            text = f"The answerer {answerer.name} failed ({type(error).__name__})."
            return Answer(Status.FAILED, error=text)
        return checks.check_answer(
            answer,
            asked,
            given,
            lookup=self.chunk,
            in_force=lambda chunk: self.in_force(chunk, asked.as_of),
            missing=lambda reference: references.fault(reference, self.timelines, asked.as_of),
        )

    def _sources(self, answer: Answer, given: Context, day: date) -> tuple[Source, ...]:
        """The source lines, numbered by first citation; what the answerer was not given never becomes one."""
        known = {hit.chunk.id: hit.chunk for hit in given.hits}
        if given.elsewhere is not None:
            known.setdefault(given.elsewhere.chunk.id, given.elsewhere.chunk)
        labels: dict[str, list[str]] = {}
        for claim in answer.claims:
            for number, chunk_id in enumerate(claim.passages):
                labels.setdefault(chunk_id, []).extend(claim.labels if number == 0 else ())
        for chunk_id in answer.rests_on:
            labels.setdefault(chunk_id, [])
        made: list[Source] = []
        for chunk_id, cited in labels.items():
            chunk = known.get(chunk_id)
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

    def _checked_top(self, top: int | None) -> int:
        count = self.settings.top if top is None else top
        if not 1 <= count <= MAX_TOP:
            raise UsageError(f"--top is {count}.", f"It takes a whole number from 1 to {MAX_TOP}.")
        return count


def _timings(begun: float, searched: float, ended: float, answer: Answer) -> dict[str, float]:
    """Milliseconds of a card's steps, from readings of one clock in seconds."""
    steps = {"search": searched - begun, "answer": ended - searched, "total": ended - begun}
    if answer.seconds is not None:
        steps["recorded"] = answer.seconds
    return {name: round(seconds * 1000, 1) for name, seconds in steps.items()}


def _checked_question(text: str) -> str:
    plain = text.strip()
    if not plain:
        raise UsageError("The question is empty.", "Say what happened, in a sentence or in a few words.")
    if any(0xD800 <= ord(char) <= 0xDFFF for char in plain):  # noqa: PLR2004 - the surrogates' range
        raise UsageError("The question holds halves of characters.", "Type it again as plain text.")
    if len(plain) > MAX_QUESTION:
        raise UsageError(
            f"The question has {len(plain)} characters; {MAX_QUESTION} are read.",
            "Shorten it to what matters.",
        )
    return plain
