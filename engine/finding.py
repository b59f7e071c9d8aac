"""From a question to its passages: what may be found on a day, what fits best, what the answerer gets."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from engine import context, references
from engine.abstain import Elsewhere
from engine.baggage import read_limit
from engine.checklist import checklist
from engine.chunks import cut
from engine.facts import denies_bumping, read_facts
from engine.history import read_history
from engine.model import BlockKind, Context, Hit
from engine.reading import read, read_tiers
from engine.scope import outside, scope_passages
from engine.search.retriever import Query, Ranked, Retriever
from engine.search.tokens import stem, words
from engine.search.words import WordList, corrected
from engine.sources.numbers import find_references

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from engine.facts import Facts
    from engine.index import StoredIndex
    from engine.model import Block, Chunk, Question
    from engine.reading import Tier
    from engine.search.cross import CrossScorer
    from engine.search.encoder import Encoder
    from engine.search.retriever import Method
    from engine.search.words import Topic
    from engine.sources.numbers import Reference

BELOW_TOP = 5
"""Passages after the first `top` that are listed as dropped."""
NEARLY = 0.93
"""Share of the best score in force from which a rule of another day counts when its existence is asked."""
_ASKS_EXISTENCE = re.compile(
    r"\b((was|were|is|are) there|already|anywhere|at all|then (contain|say|exist)|in force yet"
    r"|(did|does|do) .{1,60}\b(say|state|contain|provide|exist|carry|mention)"
    r"|(which|what) (paragraph|provision|rule|section|sentence|part)|where in)\b",
    re.IGNORECASE,
)
_ASKS_MEANING = re.compile(
    r"\b(means?|meaning|meant|defin\w+|counts?( as)?|consider(ed)?|qualif\w+|treated as|or not"
    r"|what (exactly )?(is|are) an?|what makes|include[sd]?|wh?at is)\b"
    r"|(?:^|[.?!,;] +)(is|are|was|were) [^.?!]{1,40} an?\b",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"%|\bper ?cent", re.IGNORECASE)
_INTERNATIONAL = re.compile(r"\binternational (?:flights?|trips?|travel|transportation)\b", re.IGNORECASE)
_ASKS_NOTICE = re.compile(
    r"\b(handouts?|leaflets?|brochures?|flyers?|statements?|notices?|signs?|posters?|placards?|print(s|ed)?|wording)\b",
    re.IGNORECASE,
)


class Finder:
    """Finds passages of one collection; every ranking is told which chunks it may see."""

    def __init__(
        self,
        index: StoredIndex,
        word_list: WordList,
        encoder: Encoder | None = None,
        cross: CrossScorer | None = None,
    ) -> None:
        """Prepare the chunks and units of an index."""
        self.timelines = index.timelines
        self.words = word_list
        self.chunks = tuple(c for line in index.timelines for version in line.versions for c in cut(version))
        self._parts = frozenset(chunk.version.text.part for chunk in self.chunks)
        self._about_bags = frozenset(part for part in self._parts if self._is_about_bags(part))
        self._place = {chunk.id: place for place, chunk in enumerate(self.chunks)}
        self._retriever = Retriever(self.chunks, index.vectors or None, encoder, cross, word_list)
        self.in_force = lru_cache(maxsize=64)(self._places_on)
        """The places of the chunks that may be read for a day, sorted."""
        self._tiers = lru_cache(maxsize=16)(lambda places: read_tiers(self.chunks[place] for place in places))
        self._steps = lru_cache(maxsize=16)(lambda places: self._units_of(self._tiers(places)))
        # What can be corrected to: a word of the texts, or a word that the list explains.
        self._vocabulary = {stem(word): word for word in self.words.written} | {
            stem(word): word for unit in self._retriever.units for word in words(unit.text)
        }

    @property
    def has_models(self) -> bool:
        """Whether meaning can be searched as well as keywords."""
        return self._retriever.has_models

    def chunk(self, chunk_id: str) -> Chunk | None:
        """The passage of that id, or None."""
        place = self._place.get(chunk_id)
        return None if place is None else self.chunks[place]

    def hits(self, text: str, as_of: date | None, method: Method) -> tuple[Hit, ...]:
        """All passages that may be read for a day, best first; with None those of every version."""
        allowed = self._everything if as_of is None else self.in_force(as_of)
        query = self._query(text, read_facts(text), allowed)
        return self._hits(self._retriever.rank(query, method, allowed), as_of)

    @property
    def _everything(self) -> range:
        return range(len(self.chunks))

    def _places_on(self, day: date) -> tuple[int, ...]:
        """The timelines' word on which chunks may be read for a day."""
        readable = {id(version) for line in self.timelines if (version := line.text_on(day))}
        return tuple(place for place, chunk in enumerate(self.chunks) if id(chunk.version) in readable)

    def context(
        self, asked: Question, method: Method, *, top: int, budget: int, date_filter: bool
    ) -> Context:
        """Return what an answerer is given for a question, and what it is not given.

        Without the date filter the passages of every version compete, and nothing is said of scope,
        steps of compensation or rules of other days: that is the naive assistant, to compare with.
        """
        day = asked.as_of
        readable = self.in_force(day)
        facts = asked.facts or read_facts(asked.text)
        query = self._query(asked.text, facts, readable if date_filter else self._everything)
        everything = self._retriever.rank(query, method, self._everything)
        ranked = self._retriever.rank(query, method, readable) if date_filter else everything
        hits = self._hits(ranked, day)
        candidates = [self.chunks[place] for place in readable]
        pinned = context.pins(query.expanded, [hit.chunk for hit in hits], candidates)
        named = references.named(asked.text, self.timelines)
        subject = self._subject(query, facts, named)
        if not date_filter:
            built = context.build(hits, _placed(pinned, hits), top=top, budget=budget, below=BELOW_TOP)
            return replace(built, subject=subject)
        reading = read(self._tiers(readable), facts) if facts.compensation else None
        if reading:
            leads = not self._outdone(query, ranked, readable)
            reading = replace(reading, checklist=checklist(reading, candidates), leads=leads)
        stated = list({tier.chunk.id: tier.chunk for tier in reading.tiers}.values()) if reading else []
        stated = stated if len(stated) <= top else []
        needed = _placed((*pinned, *stated), hits)
        built = context.build(hits, needed, top=top, budget=budget, below=BELOW_TOP)
        part = hits[0].chunk.version.text.part if hits else ""
        if not facts.is_case:
            built = self._with_history(asked, built, method)
        dropped = (*context.not_in_force(hits, self._hits(everything[:top], day), top), *built.dropped)
        return replace(
            built,
            pinned=frozenset(chunk.id for chunk in pinned),
            dropped=tuple(one for one in dropped if one.chunk.id not in built.aside),
            elsewhere=self._named_elsewhere(named, day) or self._elsewhere(asked, everything, set(readable)),
            outside=None if facts.asks_scope else outside(facts, scope_passages(candidates, part)),
            reading=reading,
            limit=read_limit(candidates, facts, asked.text),
            unknown=self._unknown(named, query),
            subject=subject,
        )

    def _outdone(self, query: Query, ranked: Sequence[Ranked], readable: Sequence[int]) -> bool:
        """Whether a paragraph that holds rare words of the question fits better than any step."""
        steps = {id(tier.block) for tier in self._tiers(tuple(readable))}
        meant = self._retriever.meant(query, readable)
        best = {True: 0.0, False: 0.0}
        for one in ranked:
            for place, score in enumerate(one.blocks):
                step = id(self.chunks[one.chunk].blocks[place]) in steps
                if score is not None and (step or (one.chunk, place) in meant):
                    best[step] = max(best[step], score)
        return best[False] > best[True]

    def _with_history(self, asked: Question, built: Context, method: Method) -> Context:
        """The context with what the timelines say, and the passages that this alone rests on."""
        history = read_history(
            asked, self.timelines, self.chunks, lambda text, day: self.hits(text, day, method)
        )
        if history is None:
            return built
        own = [
            Hit(len(self.chunks), 0.0, chunk, chunk.version.in_force(asked.as_of))
            for chunk in history.chunks
            if chunk.id not in built.ids
        ]
        aside = frozenset(hit.chunk.id for hit in own)
        return replace(built, hits=(*built.hits, *own), history=history, aside=aside)

    def _subject(self, query: Query, facts: Facts, named: Sequence[Reference]) -> Topic | None:
        """The subject of other rules that the question is about: by its words, or clearly by its meaning."""
        about = facts.bumped or facts.voluntary is not None or self.words.covers(query.text)
        topic = self.words.topic(query.text, covered=about)
        if topic or about or named:
            return topic
        return self._retriever.subject(query, denied=denies_bumping(query.text) and not facts.bag)

    def _unknown(self, named: Sequence[Reference], query: Query) -> str | None:
        """What the question asks about that no text of any day has: a section, a paragraph, or every word."""
        if named and not any(references.ever(one, self.timelines) for one in named):
            return f"{named[0].section}{named[0].label}"
        return None if self._retriever.knows(query) else ""

    def _named_elsewhere(self, named: Sequence[Reference], day: date) -> Elsewhere | None:
        """The paragraph that is named and stands in the texts of other days, where none stands that day."""
        if not all(references.fault(one, self.timelines, day) for one in named):
            return None
        for reference in named:
            for chunk in self.chunks:
                labels = [block.label for block in _rules(chunk)]
                label = reference.label or (labels[0] if labels else "")
                if chunk.section == reference.section and label in labels:
                    return self._nearest(chunk, label, day)
        return None

    def _elsewhere(
        self, asked: Question, everything: Sequence[Ranked], in_force: set[int]
    ) -> Elsewhere | None:
        """The paragraph of another day that fits better than any in force and has no counterpart there.

        A question whether there was a rule at all is answered so when that paragraph fits nearly as well.
        """
        share = NEARLY if _ASKS_EXISTENCE.search(asked.text) else 1.0
        enough = 0.0
        there = {
            (self.chunks[place].section, block.label)
            for place in in_force
            for block in _rules(self.chunks[place])
        }
        for ranked in everything:
            chunk = self.chunks[ranked.chunk]
            if not _rules(chunk):
                continue
            if ranked.chunk in in_force:
                enough = enough or share * ranked.score
                continue
            if enough and ranked.score < enough:
                return None
            label = chunk.blocks[ranked.block].label
            if (chunk.section, label) not in there:
                return self._nearest(chunk, label, asked.as_of)
        return None

    def _nearest(self, chunk: Chunk, label: str, day: date) -> Elsewhere:
        """The version nearest to the day that has the paragraph, the next one before an ended one."""
        line = next(line for line in self.timelines if chunk.version in line.versions)
        holding = [
            other
            for other in self.chunks
            if other.version in line.versions and any(block.label == label for block in _rules(other))
        ]
        later = [other for other in holding if other.version.effective_from > day]
        best = min(later or holding, key=lambda c: abs(c.version.effective_from - day))
        return Elsewhere(best, label, line.standing(day))

    def _query(self, text: str, facts: Facts, allowed: Sequence[int]) -> Query:
        spelt = corrected(text, self._vocabulary)
        added = (*self.words.expand(" ".join((text, *spelt))), *spelt)
        sections = tuple((ref.section, ref.label) for ref in find_references(text) if ref.section)
        return Query(
            text,
            tuple(dict.fromkeys(added)),
            sections,
            self._fitting(facts, allowed),
            idle=frozenset() if facts.asks_amount or facts.delay else self._steps(tuple(allowed)),
            asks_scope=facts.asks_scope,
            outside=facts.asks_scope and self._is_outside(facts, text, allowed),
            parts=self._parts_about(facts, text),
            asks_meaning=_ASKS_MEANING.search(text) is not None,
            asks_notice=_ASKS_NOTICE.search(text) is not None,
        )

    def _is_about_bags(self, part: str) -> bool:
        """Whether most passages of a part speak of baggage."""
        bodies = [chunk.body.casefold() for chunk in self.chunks if chunk.version.text.part == part]
        return 2 * sum("baggage" in body for body in bodies) > len(bodies)

    def _parts_about(self, facts: Facts, text: str) -> frozenset[str]:
        """The parts about bumped passengers or those about bags, when the question is about one of the two.

        No limit for a bag is a percentage, and none is for flights abroad.
        """
        bumped = facts.bumped or _PERCENT.search(text) is not None or _INTERNATIONAL.search(text) is not None
        if bumped == facts.bag:
            return frozenset()
        return self._about_bags if facts.bag else self._parts - self._about_bags

    def _is_outside(self, facts: Facts, text: str, allowed: Sequence[int]) -> bool:
        """Whether the facts put the trip outside a part that the question may be about."""
        readable = [self.chunks[place] for place in allowed]
        return any(
            outside(facts, scope_passages(readable, part))
            for part in self._parts_about(facts, text) or self._parts
        )

    def _fitting(self, facts: Facts, allowed: Sequence[int]) -> frozenset[int]:
        """The units that state the step of compensation which the facts lead to."""
        reading = read(self._tiers(tuple(allowed)), facts) if facts.compensation else None
        return frozenset() if reading is None else self._units_of(reading.tiers)

    def _units_of(self, tiers: Iterable[Tier]) -> frozenset[int]:
        """The units that state one of some steps of compensation."""
        return frozenset(
            place
            for tier in tiers
            for place in self._retriever.unit_places(
                self._place[tier.chunk.id], tier.chunk.blocks.index(tier.block)
            )
        )

    def _hits(self, ranked: Sequence[Ranked], day: date | None) -> tuple[Hit, ...]:
        return tuple(
            Hit(
                rank,
                one.score,
                self.chunks[one.chunk],
                None if day is None else self.chunks[one.chunk].version.in_force(day),
                one.block,
                one.blocks,
            )
            for rank, one in enumerate(ranked, 1)
        )


def _placed(chunks: Sequence[Chunk], hits: Sequence[Hit]) -> list[Hit]:
    """Chunks as hits, each once; one may share no word with the question and have no place of its own."""
    by_id = {hit.chunk.id: hit for hit in hits}
    once = {chunk.id: chunk for chunk in chunks}
    return [by_id.get(one) or Hit(len(hits) + 1, 0.0, chunk, in_force=True) for one, chunk in once.items()]


def _rules(chunk: Chunk) -> tuple[Block, ...]:
    """The blocks that are law: a notice of the publisher alone makes no rule."""
    return tuple(block for block in chunk.blocks if block.kind is not BlockKind.NOTICE)
