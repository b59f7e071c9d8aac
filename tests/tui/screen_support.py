"""A small made-up collection, an engine worker that answers at once, and hands on the keyboard."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events

from engine import Choice
from engine.engine import SearchResult
from engine.evaluation.measured import Measured
from engine.model import (
    AnswerCard,
    Block,
    BlockKind,
    Change,
    Chunk,
    Claim,
    Coverage,
    Dropped,
    DropReason,
    Hit,
    Notice,
    Origin,
    SectionText,
    SectionVersion,
    SnapshotStamp,
    Source,
    Status,
    VersionStatus,
    Warning,
)
from engine.search.retriever import Method
from engine.snapshot import Collection
from engine.versions import Timeline
from tui.messages import Answered, AnswerersFound, AskFailed, EngineOpened, Meaning, MeaningChanged
from tui.screens.call import CallScreen
from tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.message import Message
    from textual.pilot import Pilot

    from tui.app import RegulationsApp
    from tui.desk import Request

FIRST, LAST = date(2017, 1, 1), date(2026, 10, 7)
DAY = date(2024, 12, 20)
NEW = date(2025, 1, 22)
QUESTION = "Bumped, and 90 minutes late. What is owed?"
NASTY = "[Reserved] [/] [$100] [bold]x[/bold] \\[a] \x1b[31mred\x07 \u202eright to left 界 " + "w" * 200
"""What eats screens: markup, escape sequences, direction marks, wide characters, a very long word."""


def version(
    section: str,
    begins: date,
    ends: date | None,
    *paragraphs: str,
    change: Change = Change.TEXT,
    notice: str = "",
) -> SectionVersion:
    blocks = [Block(BlockKind.PARAGRAPH, text, f"({'abcdef'[at]})") for at, text in enumerate(paragraphs)]
    notices: tuple[Notice, ...] = ()
    if notice:
        blocks.insert(0, Block(BlockKind.NOTICE, notice))
        notices = (Notice(notice, "89 FR 84818", date(2024, 10, 24)),)
    return SectionVersion(
        text=SectionText(
            title="14", part=section.split(".", maxsplit=1)[0], section=section,
            heading=f"§ {section} Amount of {section}.",
            blocks=tuple(blocks), notices=notices, source_note="[86 FR 2534, Jan. 13, 2021]",
        ),
        effective_from=begins,
        effective_to=ends,
        from_origin=Origin.AT_OR_BEFORE if begins == FIRST else Origin.EXACT,
        status=VersionStatus.ENDED if ends else VersionStatus.IN_FORCE_AT_END,
        change=Change.FIRST if begins == FIRST else change,
        url=f"https://www.ecfr.gov/on/{begins}/title-14/section-{section}",
    )  # fmt: skip


def amounts(low: str, high: str) -> tuple[str, ...]:
    return (
        f"(a) At least 200 percent of the fare, or {low}, whichever is lower.",
        f"(b) At least 400 percent of the fare, or {high}, whichever is lower.",
    )


def timelines() -> tuple[Timeline, ...]:
    five = (
        version("250.5", FIRST, date(2021, 8, 1), *amounts("$675", "$1,350")),
        version("250.5", date(2021, 8, 2), date(2024, 10, 23), *amounts("$775", "$1,550")),
        version(
            "250.5", date(2024, 10, 24), date(2025, 1, 21), *amounts("$775", "$1,550"), change=Change.NOTICE,
            notice="Link to an amendment published at 89 FR 84818, Oct. 24, 2024.",
        ),
        version("250.5", NEW, None, *amounts("$1,075", "$2,150")),
    )  # fmt: skip
    gap = (
        version("250.2a", FIRST, date(2019, 5, 31), "It is the policy to reduce denied boarding."),
        version("250.2a", date(2022, 1, 1), None, "It is the policy of the Department to reduce it."),
    )
    steady = (version("254.4", FIRST, None, "A carrier shall not limit its liability to less than $3,800."),)
    return tuple(Timeline("14", line[0].section, line, FIRST, LAST) for line in (gap, five, steady))


def chunk_of(one: SectionVersion, block: int | None = None) -> Chunk:
    blocks = one.text.rule_blocks if block is None else (one.text.rule_blocks[block],)
    body = one.text.body
    start = body.index(blocks[0].text)
    return Chunk(
        id=f"{one.section}-{one.effective_from}-{block}".replace(".", ""),
        version=one, position=0, start=start, end=body.index(blocks[-1].text) + len(blocks[-1].text),
        blocks=blocks, first_block=0,
    )  # fmt: skip


def card(question: str = QUESTION, as_of: date = DAY, *, method: str = "bm25", **other: Any) -> AnswerCard:
    """The answer from the version of 250.5 in force, with what the other versions would have said."""
    line = timelines()[1]
    held = line.text_on(as_of) or line.versions[0]
    cited, newest, oldest = chunk_of(held, 0), chunk_of(line.versions[-1], 0), chunk_of(line.versions[0], 0)
    text = f"“{cited.body}”"
    made = AnswerCard(
        question=question, as_of=as_of, coverage=Coverage.INSIDE, status=Status.ANSWERED,
        answer=f"14 CFR 250.5(a): {text}", answerer="quote", method=method, date_filter=True,
        snapshot=SnapshotStamp("made-up", LAST, "0" * 64),
        notice="This is not legal advice.", attribution="Source: eCFR.",
        claims=(Claim(text, (cited.id,), labels=("(a)",)),),
        sources=(Source(1, cited, held.in_force(as_of), "(a)", cited.body),),
        warnings=(Warning("pending_amendment", "14 CFR 250.5: an amendment was published."),)
        if held.pending else (),
        dropped=(
            Dropped(newest, DropReason.NOT_IN_FORCE, "version since 2025-01-22", 1),
            Dropped(oldest, DropReason.NOT_IN_FORCE, "version held from 2017-01-01", 2),
            Dropped(chunk_of(held, 1), DropReason.BELOW_TOP_K, "place 6, the first 5 were taken", 6),
        ),
    )  # fmt: skip
    return replace(made, **other)


def figures(share: float, wrong: int, *, on: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"date_filter": on, "questions": 29, "places": 145, "places not in force": wrong}
    for cut in (1, 3, 5, 10):
        made[f"recall@{cut}"] = share
        made[f"recall@{cut} interval"] = [share - 0.1, share + 0.1]
    return made


def answers(right: int, *, on: bool) -> dict[str, Any]:
    return {
        "date_filter": on, "answerable right": right, "answerable": 24, "no-answer right": 9,
        "no-answer": 10, "shown but wrong": 24 - right,
    }  # fmt: skip


MEASURED = Measured(
    "bm25",
    (figures(0.8, 0, on=True), figures(0.3, 87, on=False)),
    (answers(22, on=True), answers(7, on=False)),
)


class FakeEngine:
    """What the screen reads of an engine."""

    def __init__(self) -> None:
        self.timelines = timelines()
        self.chunks = tuple(
            replace(chunk_of(one, at), position=at)
            for line in self.timelines
            for one in line.versions
            for at in range(len(one.text.rule_blocks))
        )
        self.searched: list[tuple[str, date | None]] = []
        self.collection = Collection(
            folder=Path("made-up"), id="made-up", name="14 CFR Parts 250 and 254", source="ecfr",
            publisher="eCFR", language="en", history_start=FIRST, official=False, licence="public domain",
            attribution="Source: eCFR.", current_to=LAST, files=(), sums={}, sha256="0" * 64, warnings=(),
        )  # fmt: skip

    def search(self, query: str, as_of: date | None, *, top: int) -> SearchResult:
        self.searched.append((query, as_of))
        held = [one for one in self.chunks if not as_of or one.version.in_force(as_of)]
        found = [one for one in held if query in one.body]
        hits = tuple(Hit(at, 1 / at, one, as_of and True) for at, one in enumerate(found[:top], 1))
        return SearchResult(hits, Method.BM25, None, ())


class FakeWorker:
    """An engine worker that answers in the same moment, or when it is told to."""

    def __init__(self, *, meaning: bool = False, held_back: bool = False) -> None:
        self.with_meaning = meaning
        self.choices = (Choice("quote"), Choice("replay small"), Choice("chat", "localhost:11434", "qwen"))
        self.agreed = 0
        self.meaning_ready = False
        self.measure: Callable[[Callable[[int, int], bool]], Measured | None] = lambda _: None
        self.engine = FakeEngine()
        self.held_back = held_back
        self.asked: list[Request] = []
        self.abandoned: list[int] = []
        self.closed = False
        self.make: Callable[[Request], AnswerCard] = lambda request: card(
            request.question, request.as_of, date_filter=request.date_filter, answerer=request.answerer
        )
        self._tell: Callable[[Message], object] = lambda _: None

    def start(self, tell: Callable[[Message], object]) -> None:
        self._tell = tell
        tell(EngineOpened(self.engine))  # type: ignore[arg-type]
        tell(AnswerersFound(self.choices))
        tell(MeaningChanged(Meaning.LOADING if self.with_meaning else Meaning.OFF))

    def tell(self, message: Message) -> None:
        self._tell(message)

    def ask(self, request: Request) -> None:
        self.asked.append(request)
        if not self.held_back:
            self.answer(request)

    def answer(self, request: Request, method: str = "bm25") -> None:
        by = "keywords" if method == "bm25" else "meaning"
        self._tell(Answered(request.number, by, replace(self.make(request), method=method)))  # type: ignore[arg-type]

    def fail(self, request: Request, text: str) -> None:
        self._tell(AskFailed(request.number, "keywords", text))

    def agree(self) -> None:
        self.agreed += 1
        self.choices = tuple(replace(one, consent="") for one in self.choices)
        self._tell(AnswerersFound(self.choices))

    def abandon(self, number: int) -> None:
        self.abandoned.append(number)

    def close(self) -> None:
        self.closed = True


class Copied:
    """A clipboard that remembers; `None` as its name plays a system without one."""

    def __init__(self, name: str | None = "xclip") -> None:
        self.name = name
        self.texts: list[str] = []

    def __call__(self, text: str) -> str | None:
        self.texts.append(text)
        return self.name


def use(
    app: RegulationsApp, steps: Callable[[Pilot[int]], Awaitable[None]], size: tuple[int, int] = (120, 40)
) -> None:
    """Run the app without a terminal and let `steps` use it."""

    async def run() -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            await steps(pilot)

    asyncio.run(run())


async def settle(pilot: Pilot[int]) -> None:
    """Wait until messages and workers are through."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys and wait for what they start."""
    await pilot.press(*keys)
    await settle(pilot)


async def ask(pilot: Pilot[int], question: str = QUESTION, day: str = "2024-12-20") -> None:
    """Type a question and a day by keys, and ask."""
    await press(pilot, "ctrl+l")
    await write(pilot, question)
    await press(pilot, "ctrl+d")
    await write(pilot, day)
    await press(pilot, "enter")


async def write(pilot: Pilot[int], text: str) -> None:
    """Put a text into what is focused, in place of what is selected; typing it would take seconds."""
    pilot.app.post_message(events.Paste(text))
    await settle(pilot)


def shown(pilot: Pilot[int], selector: str = "Screen") -> str:
    """The words of a part of the screen, as drawn, line by line."""
    nodes = [pilot.app.screen] if selector == "Screen" else list(pilot.app.screen.query(selector))
    region_lines = []
    for node in nodes:
        lines = pilot.app.screen._compositor.render_strips() if node is pilot.app.screen else None
        if lines is not None:
            region_lines += [strip.text for strip in lines]
        else:
            region_lines += [node.render_line(y).text for y in range(node.size.height)]
    return "\n".join(region_lines)


def toasts(pilot: Pilot[int]) -> list[str]:
    return [note.message for note in pilot.app._notifications]


def call(pilot: Pilot[int]) -> CallScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, CallScreen)
    return screen


def box(pilot: Pilot[int]) -> QuestionBox:
    return call(pilot).query_one(QuestionBox)
