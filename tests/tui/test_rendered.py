"""What is rendered is what went in: markup, escapes and wide characters survive every pane."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from screen_support import DAY, NASTY, QUESTION, Copied, FakeWorker, ask, card, press, shown, timelines, use

from engine import compare, safe_text
from engine.model import Block, BlockKind, Warning
from tui.app import RegulationsApp
from tui.desk import Desk, Entry, Request
from tui.drawing import card as draw, passage, redline, timeline

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from engine.model import SectionVersion

WORDS = st.one_of(
    st.sampled_from(["[Reserved]", "[/]", "[$100]", "[amended]", "\\[x]", "\x1b[2J", "\u202e", NASTY]),
    st.text(max_size=30),
).filter(str.strip)
FORBIDDEN = set("\x1b\x07\u202e\x9b")


def with_text(one: SectionVersion, text: str) -> SectionVersion:
    body = replace(
        one.text, heading=text, blocks=(Block(BlockKind.PARAGRAPH, text, "(a)"),), source_note=text
    )
    return replace(one, text=body)


@given(WORDS, WORDS, WORDS)
def test_a_card_shows_every_word(answer: str, problem: str, warning: str) -> None:
    made = card()
    claim = replace(made.claims[0], text=answer, problems=(problem,))
    made = replace(
        made, claims=(claim,), warnings=(Warning("x", warning),), notice=answer, attribution=problem
    )

    assert safe_text(answer) in draw.claim(made, claim).plain
    assert safe_text(problem) in draw.claim(made, claim).plain
    assert safe_text(warning) in draw.warning_lines(made).plain
    assert draw.closing(made).plain == f"{safe_text(answer)}\n{safe_text(problem)}"


@given(WORDS, WORDS)
def test_titles_and_notes_show_every_word(question: str, note: str) -> None:
    entry = Entry(Request(1, question, DAY), "failed", note=note)

    assert " ".join(safe_text(question).split()) in draw.title(entry, opened=True).plain
    assert safe_text(note) in draw.status_line(entry).plain


@given(WORDS)
def test_a_passage_shows_every_word_and_marks_what_is_cited(text: str) -> None:
    one = with_text(timelines()[1].versions[0], text)

    assert safe_text(text) in passage.head(one, DAY).plain
    drawn = passage.body(one, (text,)).plain
    assert (
        safe_text(text) in drawn.replace("»", "", 1).replace("«", "", 1) or safe_text(text).strip() in drawn
    )


@given(WORDS, WORDS)
def test_a_redline_shows_every_word_of_both(before: str, after: str) -> None:
    versions = timelines()[1].versions
    drawn = redline.body(compare(with_text(versions[0], before), with_text(versions[1], after))).plain

    if before.split() != after.split():
        assert all(safe_text(word) in drawn for word in (*before.split(), *after.split()))


@given(st.dates(date(2010, 1, 1), date(2035, 1, 1)), st.integers(9, 120))
def test_a_timeline_is_as_wide_as_it_may_be_and_marks_the_day(day: date, width: int) -> None:
    lines = timeline.drawing(timelines(), day, 1, width).plain.split("\n")

    assert {len(line) for line in lines[1:-1]} == {max(width, timeline.LABEL + 1)}
    assert "▲" in lines[-1]
    assert day.isoformat() in lines[-1]


def test_a_gap_a_pending_window_and_a_new_text_are_drawn() -> None:
    gap, five, _ = timeline.drawing(timelines(), None, 0, 128).plain.split("\n")[1:4]

    assert "·" in gap
    assert "┅" in five
    assert five.count("┿") == 2
    assert "░" in timeline.drawing(timelines(), date(2030, 1, 1), 0, 128).plain


def test_days_outside_the_scale_stand_at_its_ends() -> None:
    scale = timeline.scale_for(timelines(), None, 28)

    assert (scale.column(date(1999, 1, 1)), scale.column(date(2050, 1, 1))) == (0, 19)
    assert scale.span(0)[0] == date(2017, 1, 1)
    assert scale.span(19)[1] == date(2026, 10, 7)


@pytest.mark.parametrize("nasty", [NASTY])
def test_the_whole_screen_takes_nasty_words(nasty: str) -> None:
    worker = FakeWorker()
    worker.make = lambda request: replace(
        card(request.question, request.as_of),
        answer=nasty, claims=(), warnings=(Warning("x", nasty),), attribution=nasty, answerer=nasty,
    )  # fmt: skip

    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot, f"{nasty} {QUESTION}")
        text = shown(pilot)
        for word in ("[Reserved]", "[/]", "[$100]", "[bold]x[/bold]", "\\x1b[31mred\\x07", "\\u202e"):
            assert word in text
        assert not FORBIDDEN & set(text)
        await press(pilot, "f2", "escape", "y", "e", "escape")

    use(RegulationsApp(worker, copier=Copied()), steps)


@pytest.mark.parametrize("opened", [True, False])
def test_the_title_tells_whether_the_card_is_open(opened: bool) -> None:
    entry = Entry(Desk().ask("x", DAY, date_filter=False, answerer="quote"))

    assert draw.title(entry, opened=opened).plain.startswith("▼" if opened else "▶")
    assert "DATE FILTER OFF" in draw.title(entry, opened=opened).plain
