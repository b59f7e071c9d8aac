"""The nouns of the engine, as frozen values that any thread may share.

Nothing here reads a file, a clock or a setting. Days are `datetime.date`, both ends inclusive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from engine.kinds import (
    BlockKind as BlockKind,
    Change as Change,
    Coverage as Coverage,
    DropReason as DropReason,
    Origin as Origin,
    Reason as Reason,
    StandingKind as StandingKind,
    Status as Status,
    VersionStatus as VersionStatus,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from engine.abstain import Elsewhere
    from engine.baggage import Limit
    from engine.facts import Facts
    from engine.history import HistoryReading
    from engine.reading import Reading
    from engine.search.words import Topic


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, table, footnote, note or notice of a section.

    `text` has its white space collapsed to single spaces; a table has one line a row and its
    cells joined by ` | `.
    """

    kind: BlockKind
    text: str
    label: str = ""
    """The full label path such as `(a)(2)(i)`; empty before the first label."""
    term: str = ""
    """The emphasised words that the block begins with: a defined term or a caption."""

    @property
    def top(self) -> str:
        """The top-level label, `(a)` of `(a)(2)(i)`; empty when the block has none."""
        return self.label[: self.label.index(")") + 1] if self.label else ""


@dataclass(frozen=True, slots=True)
class Notice:
    """An amendment that the publisher announced in a section before it came into force."""

    text: str
    citation: str
    """Such as `89 FR 84818`; empty when the line names none."""
    published: date | None
    """The day of publication, never the first day in force."""


@dataclass(frozen=True)
class SectionText:
    """One section (or appendix) as one dated copy shows it."""

    title: str
    part: str
    section: str
    """The number alone: `250.5`, `250.2a`; for an appendix its full designation."""
    heading: str
    """As published, with the section sign: `§ 250.8 Denied boarding compensation.`"""
    blocks: tuple[Block, ...] = ()
    notices: tuple[Notice, ...] = ()
    source_note: str = ""
    """The citation of the documents that made this text; empty when the publisher gives none."""
    approvals: tuple[str, ...] = ()
    line: int = 0
    """The line of the XML file on which the section begins."""

    @cached_property
    def body(self) -> str:
        """The blocks joined by one newline: what positions count in."""
        return "\n".join(block.text for block in self.blocks)

    @property
    def rule_blocks(self) -> tuple[Block, ...]:
        """The blocks that are law, without the publisher's notices."""
        return tuple(block for block in self.blocks if block.kind is not BlockKind.NOTICE)

    @property
    def reserved(self) -> bool:
        """Whether the section holds its number and no rule."""
        return not self.rule_blocks and "[reserved]" in self.heading.casefold()

    @property
    def placeholder(self) -> bool:
        """Whether the section has neither text nor a heading that says that it is reserved."""
        return not self.rule_blocks and not self.reserved


@dataclass(frozen=True)
class SectionVersion:
    """The text of one section from one day to another."""

    text: SectionText
    effective_from: date
    effective_to: date | None
    """The last day in force; None while no later copy ends it."""
    from_origin: Origin
    status: VersionStatus
    change: Change
    url: str
    """The publisher's address of this version."""
    notes: tuple[str, ...] = ()
    """What a careful reader should know of this version, such as a source note left unchanged."""

    @property
    def section(self) -> str:
        """The section's number."""
        return self.text.section

    @property
    def heading(self) -> str:
        """The heading as published in this version."""
        return self.text.heading

    @property
    def citation(self) -> str:
        """How the section is cited: `14 CFR 250.5`."""
        return f"{self.text.title} CFR {self.text.section}"

    @property
    def pending(self) -> str | None:
        """The text of the notices that stand in this version, or None."""
        return " ".join(notice.text for notice in self.text.notices) or None

    def in_force(self, day: date) -> bool:
        """Whether `day` lies within the version's days; ask the timeline about everything else."""
        return self.effective_from <= day and (self.effective_to is None or day <= self.effective_to)


@dataclass(frozen=True, slots=True)
class Standing:
    """A timeline's answer about one day."""

    kind: StandingKind
    version: SectionVersion | None
    """In force: that version. After the up-to-date day: the last one. Not yet: the first one."""


@dataclass(frozen=True)
class Chunk:
    """The passage that is shown, cited and counted: whole blocks of one section version."""

    id: str
    """12 hex digits of SHA-256 over `section|first day|start|end`."""
    version: SectionVersion
    position: int
    """0-based place among the chunks of the version."""
    start: int
    end: int
    """Characters of the version's body, half open."""
    blocks: tuple[Block, ...]
    first_block: int
    """The place of the first block among the version's blocks."""

    @property
    def section(self) -> str:
        """The section's number."""
        return self.version.section

    @cached_property
    def body(self) -> str:
        """The chunk's own text."""
        return self.version.text.body[self.start : self.end]

    @cached_property
    def titled(self) -> str:
        """The text with its title line: `14 CFR § 250.5 Amount of …`, newline, body."""
        return f"{self.version.text.title} CFR {self.version.heading}\n{self.body}"

    @cached_property
    def words(self) -> int:
        """Words of the titled text."""
        return len(self.titled.split())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The different label paths of the blocks, in order."""
        return tuple(dict.fromkeys(block.label for block in self.blocks if block.label))

    @cached_property
    def paragraphs(self) -> str:
        """The paragraphs that the chunk covers, for people: `(a)`, `(a)–(c)`, `(e)(1)–(e)(3)`, or empty."""
        if not self.labels:
            return ""
        first, last = self.labels[0], self.labels[-1]
        if last.startswith(first):
            return first
        tops = list(dict.fromkeys(block.top for block in self.blocks if block.label))
        return f"{first}–{tops[-1] if len(tops) > 1 else last}"


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a search."""

    rank: int
    """1-based."""
    score: float
    """Comparable within one search only."""
    chunk: Chunk
    in_force: bool | None
    """On the searched day; None when the search had no day."""
    block: int = 0
    """The place in the chunk of the block that scored best."""
    blocks: tuple[float | None, ...] = ()
    """The score of each block; None for one that is no rule or shares no word with the question."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A passage that did not reach the answer, and why."""

    chunk: Chunk
    reason: DropReason
    detail: str
    rank_without_filter: int | None = None
    """1-based place in the same search without the date filter, where that is known."""


@dataclass(frozen=True, slots=True)
class Context:
    """What an answerer is given."""

    hits: tuple[Hit, ...]
    """In search order; pinned passages after the found ones, those of the history last."""
    pinned: frozenset[str]
    """Ids of the passages that say what the part covers or means, found by search or added."""
    tokens: int
    """Estimated: characters / 4, rounded up, headers included."""
    budget: int
    dropped: tuple[Dropped, ...] = ()
    elsewhere: Elsewhere | None = None
    """A rule of another day that fits better than any in force, where there is one."""
    unknown: str | None = None
    """A section number that no text has; empty when no word of the question stands anywhere; else None."""
    outside: str | None = None
    """Why the trip is outside the part, by its own scope passages; None when nothing says so."""
    reading: Reading | None = None
    """What compensation comes to, where that is the question."""
    limit: Limit | None = None
    """What liability for a bag may be limited to, where that is the question."""
    history: HistoryReading | None = None
    """What the timelines say, where the question is about the history of a rule."""
    subject: Topic | None = None
    """What the question is about instead, where the texts leave it to other rules."""
    aside: frozenset[str] = frozenset()
    """Ids of the last hits, which only the history cites: no model is given them."""

    @property
    def given(self) -> tuple[Hit, ...]:
        """The hits that a model is given, in order."""
        return tuple(hit for hit in self.hits if hit.chunk.id not in self.aside)

    @property
    def ids(self) -> tuple[str, ...]:
        """The given passages' ids, in order."""
        return tuple(hit.chunk.id for hit in self.given)

    @property
    def scope_ids(self) -> tuple[str, ...]:
        """The ids of the pinned passages, in order."""
        return tuple(hit.chunk.id for hit in self.hits if hit.chunk.id in self.pinned)

    def chunk(self, chunk_id: str) -> Chunk | None:
        """The given passage of that id, or None when there is none."""
        return next((hit.chunk for hit in self.given if hit.chunk.id == chunk_id), None)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and for which day."""

    text: str
    as_of: date
    facts: Facts | None = None
    """Of the trip, with what was stated beside the question; None: what the text alone says."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a model counted."""

    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer with the passages that it rests on."""

    text: str
    passages: tuple[str, ...]
    problems: tuple[str, ...] = ()
    """What the checks found; empty for a claim that passed."""
    labels: tuple[str, ...] = ()
    """The label paths that the claim quotes, where the answerer knows them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answerer gives back; nothing in it is believed before the checks."""

    status: Status
    text: str = ""
    claims: tuple[Claim, ...] = ()
    reason: Reason | None = None
    error: str | None = None
    rests_on: tuple[str, ...] = ()
    """Ids of passages that explain an abstention."""
    model: str | None = None
    usage: Usage | None = None
    seconds: float | None = None
    """What it took when it was recorded; None for an answer given now."""


@dataclass(frozen=True, slots=True)
class Warning:  # noqa: A001 - the noun of the design; the built-in category is never used here
    """Something about the date or the texts that a reader must know first."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """One source line of a card, written from the index and never by a model."""

    number: int
    """1-based, in order of first citation."""
    chunk: Chunk
    in_force: bool
    paragraphs: str
    """The cited label paths, or those that the passage covers."""
    text: str
    """The words quoted from the passage, or its whole text."""


@dataclass(frozen=True, slots=True)
class SnapshotStamp:
    """Which texts an answer was given from."""

    collection: str
    current_to: date
    sha256: str


@dataclass(frozen=True, slots=True)
class AnswerCard:
    """Everything that a reader sees of one answer."""

    question: str
    as_of: date
    coverage: Coverage
    status: Status
    answer: str
    answerer: str
    method: str
    date_filter: bool
    snapshot: SnapshotStamp
    notice: str
    attribution: str
    claims: tuple[Claim, ...] = ()
    sources: tuple[Source, ...] = ()
    warnings: tuple[Warning, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    context: Context | None = None
    facts: Facts | None = None
    """What the question says of the trip, for confirmation."""
    corrected: tuple[str, ...] = ()
    """The facts that were stated beside the question, by name."""
    reason: Reason | None = None
    error: str | None = None
    model: str | None = None
    usage: Usage | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
