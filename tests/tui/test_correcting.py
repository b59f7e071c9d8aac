"""Facts put right by the case worker, and the second date of a question."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from screen_support import QUESTION, Copied, FakeWorker, ask, call, card, press, shown, toasts, use, write

from engine import apply_facts, fact_forms
from engine.delays import Delay
from engine.facts import Cabin, Facts, Route
from engine.model import Warning
from tui.app import RegulationsApp
from tui.facts import FIELDS, values_of
from tui.screens.correct_facts import CorrectFactsScreen

if TYPE_CHECKING:
    from textual.pilot import Pilot

READ = Facts(
    route=Route.WITHIN_US, delay=Delay(90, 90, planned=None, text="90 minutes"), fare=Decimal("412.50"),
    no_alternate=True, voluntary=False, seats=50, cabin=Cabin.FIRST,
)  # fmt: skip


@pytest.fixture
def reading() -> FakeWorker:
    """A worker whose cards hold facts."""
    worker = FakeWorker()
    worker.make = lambda request: card(
        request.question, request.as_of, facts=READ, corrected=tuple(dict(request.facts))
    )
    return worker


def app_of(worker: FakeWorker) -> RegulationsApp:
    return RegulationsApp(worker, copier=Copied())


class TestForm:
    def test_the_fields_are_those_of_the_engine(self) -> None:
        assert sorted(field.name for field in FIELDS) == sorted(fact_forms())

    @pytest.mark.parametrize("field", FIELDS, ids=lambda one: one.name)
    def test_the_engine_takes_every_value_that_can_be_chosen(self, field: object) -> None:
        for value, _ in field.choices:  # type: ignore[attr-defined]
            apply_facts(Facts(), {field.name: value})  # type: ignore[attr-defined]

    def test_what_was_read_fills_it_in_words_that_the_engine_reads_the_same(self) -> None:
        values = values_of(card(facts=READ))

        assert values == {
            "route": "within_us", "delay": "90 minutes", "alternate": "no", "fare": "412.50", "award": "",
            "voluntary": "no", "seats": "50", "cabin": "first", "charter": "", "bag": "",
        }  # fmt: skip
        again = apply_facts(Facts(), values)
        assert (again.route, again.fare, again.no_alternate) == (READ.route, READ.fare, READ.no_alternate)
        assert (again.voluntary, again.seats, again.cabin) == (READ.voluntary, READ.seats, READ.cabin)

    @pytest.mark.parametrize(
        ("delay", "words"),
        [
            (Delay(60, None, planned=True, text=""), "60 minutes or more"),
            (Delay(60, 120, planned=True, text=""), "60 to 120 minutes"),
            (Delay(60, 60, planned=False, text=""), ""),
        ],
    )
    def test_a_delay_is_filled_in_unless_it_is_the_actual_one(self, delay: Delay, words: str) -> None:
        assert values_of(card(facts=Facts(delay=delay)))["delay"] == words

    def test_a_card_without_facts_leaves_it_empty(self) -> None:
        assert set(values_of(card(facts=None)).values()) == {""}


class TestCorrecting:
    def test_only_what_was_changed_is_asked_again_for_the_cards_own_day(self, reading: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "ctrl+d", "up", "f6", "f6", "f")
            assert isinstance(pilot.app.screen, CorrectFactsScreen)
            assert "◂ within the United States ▸" in shown(pilot)
            assert "◂ not said ▸" in shown(pilot)
            await press(pilot, "f", "down", *["backspace"] * 20, *"1h30", "down", "down", "down", "right")
            await press(pilot, "enter")
            first, second = reading.asked
            assert (second.question, second.as_of) == (first.question, first.as_of)
            assert dict(second.facts) == {"route": "from_us_abroad", "delay": "1h30", "award": "yes"}
            assert "✎ you corrected: route, delay, award" in " ".join(shown(pilot, ".title").split())

        use(app_of(reading), steps)

    def test_a_second_correction_keeps_the_first(self, reading: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "f", "left", "enter")
            await press(pilot, "f", "up", "right", "enter")
            assert dict(reading.asked[-1].facts) == {"route": "", "bag": "yes"}

        use(app_of(reading), steps)

    def test_what_cannot_be_read_is_said_and_nothing_is_asked(self, reading: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            await press(pilot, "f", "down", "down", "down", *["backspace"] * 9, *"x", "enter")
            assert "The fact fare is 'x'. It takes the one-way fare" in " ".join(shown(pilot).split())
            assert pilot.app.focused is not None
            assert pilot.app.focused.id == "fact-fare"
            await press(pilot, "escape")
            assert len(reading.asked) == 1

        use(app_of(reading), steps)

    def test_the_facts_on_the_card_open_it_too(self, reading: FakeWorker) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot)
            assert "Wrong? f corrects." in " ".join(shown(pilot, ".facts").split())
            await press(pilot, "down", "down", "down", "enter")
            assert isinstance(pilot.app.screen, CorrectFactsScreen)

        use(app_of(reading), steps)

    def test_without_a_card_it_says_so(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await press(pilot, "f6", "f6", "f")
            assert toasts(pilot) == ["There are no facts yet. Ask a question first."]

        use(app, steps)


class TestSecondDate:
    BOTH = "Bumped on 20 December 2024, and once more on 1 February 2025"

    def test_its_answer_is_one_key_away(self, app: RegulationsApp, worker: FakeWorker) -> None:
        worker.make = lambda request: replace(
            card(request.question, request.as_of), warnings=(Warning("several_dates", "Two dates."),)
        )

        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, self.BOTH)
            assert "The question also names 1 February 2025" in shown(pilot, "#offer")
            await press(pilot, "ctrl+u")
            assert [one.as_of for one in worker.asked] == [date(2024, 12, 20), date(2025, 2, 1)]
            assert call(pilot).day == date(2025, 2, 1)
            assert not call(pilot).query_one("#offer").display

        use(app, steps)

    def test_without_the_engines_warning_nothing_is_offered(self, app: RegulationsApp) -> None:
        async def steps(pilot: Pilot[int]) -> None:
            await ask(pilot, self.BOTH)
            assert not call(pilot).query_one("#offer").display
            await ask(pilot, QUESTION)
            await press(pilot, "ctrl+l")
            await write(pilot, "x")

        use(app, steps)
