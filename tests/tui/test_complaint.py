"""The texts for a complaint, copied or saved, and what to check before relying on an amount."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from screen_support import NASTY, Copied, FakeWorker, ask, card, press, shown, toasts, use

from engine import safe_text
from engine.checklist import HEADING, CheckItem
from engine.facts import Facts
from engine.model import Context, Status
from engine.reading import Kind, Reading, Tier
from tui.app import RegulationsApp
from tui.drawing import card as draw

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from engine import AnswerCard


def with_checklist(text: str) -> AnswerCard:
    made = card()
    chunk = made.sources[0].chunk
    tier = Tier(
        chunk=chunk,
        label="(a)",
        block=chunk.blocks[0],
        kind=Kind.RULE,
        foreign=False,
        over=60,
        reached=False,
        under=120,
        inclusive=False,
        percent=Decimal(200),
        cap=Decimal(775),
        formula="200 percent",
    )
    item = CheckItem(chunk, "(a)", "shall not be eligible if", text, text)
    reading = Reading((tier,), (), ("fare",), (tier,), Facts(), (item,))
    return replace(made, context=Context((), frozenset(), 0, 1, reading=reading))


class TestCopy:
    def test_the_texts_are_copied_without_the_callers_words(
        self, app: RegulationsApp, copied: Copied
    ) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "f6", "C")

        use(app, steps)
        (text,) = copied.texts
        assert "version" in text
        assert "In force on 2024-12-20" in text
        assert "90 minutes late" not in text

    def test_nothing_to_cite_and_no_card_are_said(self, worker: FakeWorker, copied: Copied) -> None:
        worker.make = lambda r: card(r.question, r.as_of, status=Status.ABSTAINED)

        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f6", "f6", "C")
            assert toasts(pilot)[-1] == "There is no answer yet. Ask a question first."
            await ask(pilot)
            await press(pilot, "f6", "C")
            assert toasts(pilot)[-1] == "These texts give no answer, so there is nothing to cite."

        use(RegulationsApp(worker, copier=copied), steps)
        assert copied.texts == []


class TestExport:
    def test_only_the_texts_are_saved_when_that_is_chosen(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "e", "tab", "tab", "space", "shift+tab", "shift+tab", "enter")
            assert "Saved" in toasts(pilot)[-1]

        use(app, steps)
        text = Path("answer-2024-12-20.md").read_text("utf-8")
        assert text.startswith("14 CFR 250.5(a), § 250.5")
        assert "advice" not in text

    def test_without_an_answer_nothing_is_saved(self, worker: FakeWorker) -> None:
        worker.make = lambda r: card(r.question, r.as_of, status=Status.ABSTAINED)

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "e", "tab", "tab", "space", "shift+tab", "shift+tab", "enter")
            assert "there is nothing to cite" in shown(pilot)

        use(RegulationsApp(worker, copier=Copied()), steps)
        assert not list(Path().glob("answer-*"))


class TestChecklist:
    def test_it_stands_on_the_card(self, worker: FakeWorker) -> None:
        worker.make = lambda _: with_checklist("The passenger is late …")

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            said = " ".join(shown(pilot, ".checklist").split())
            assert said.startswith(HEADING)
            assert said.endswith("shall not be eligible if: The passenger is late …")

        use(RegulationsApp(worker, copier=Copied()), steps)

    def test_every_word_is_shown_and_none_moves_the_cursor(self) -> None:
        assert safe_text(NASTY) in draw.checklist(with_checklist(NASTY)).plain
        assert draw.checklist(card()).plain == ""
