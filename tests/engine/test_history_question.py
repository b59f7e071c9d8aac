"""Which questions are about the history of a rule, and which only look like it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from engine.evaluation.questions import load_questions
from engine.facts import read_facts
from engine.history_question import Span, Wants, read_question

ROOT = Path(__file__).parents[2]
DAY = date(2026, 1, 1)

HISTORY = {
    "what changed in 254.4 between 2020 and 2023": Wants.CHANGES,
    "how did 250.5 change since 2021": Wants.CHANGES,
    "what is different in the baggage limit now compared with 2019": Wants.CHANGES,
    "What is the difference between 254.4 in 2019 and in 2022?": Wants.CHANGES,
    "compare the wording of 250.5 between 2019 and 2022": Wants.CHANGES,
    "when did the maximum go up": Wants.CHANGES,
    "has the limit changed?": Wants.CHANGES,
    "Was the baggage minimum raised in 2021?": Wants.CHANGES,
    "By how much did the maximum rise between 2020 and 2025?": Wants.CHANGES,
    "What's changed in § 250.9 since 10 June 2022?": Wants.CHANGES,
    "what changed on 2021-04-13": Wants.CHANGES,
    "when did 254.4 last change": Wants.LAST,
    "what was the last change to 254.4": Wants.LAST,
    "since when is it $775": Wants.RUN,
    "since when has the limit been $3,800": Wants.RUN,
    "until when was the limit $3,500": Wants.RUN,
    "how long was it $675": Wants.RUN,
    "from what date was the limit $4,700?": Wants.RUN,
    "when was the limit raised to $775?": Wants.RUN,
    "since when is there a rule on boarded passengers": Wants.RUN,
    "since when must airlines offer the money unasked?": Wants.RUN,
    "when did the rule on boarded passengers come into force": Wants.RUN,
    "When was 250.7 introduced?": Wants.RUN,
    "will the limit change": Wants.COMING,
    "When will the baggage limit go up?": Wants.COMING,
    "Is the maximum going to be raised?": Wants.COMING,
    "Is there a pending amendment to 254.4?": Wants.COMING,
}
OTHERS = (
    "bumped in 2022, what do they owe",
    "bag lost between Boston and Miami, what is the limit",
    "since I volunteered, do I get the maximum",
    "my flight changed to a later one, what is the maximum",
    "they changed planes and I was bumped, what is the limit",
    "Since when I arrived the gate was closed, what is the limit?",
    "Since when you are bumped you get $775, must they pay cash?",
    "What changed flights are covered by the rule?",
    "What changed?",
    "What is new?",
    "how long was the delay to get $675",
    "how long is the carrier allowed to wait before paying $775",
    "how long was the $300 voucher valid",
    "until when must the airline pay the compensation",
    "How often are the limits adjusted?",
    "how is the limit adjusted",
    "is the limit raised for inflation",
    "Once the limit has been raised for CPI how are the limits set?",
    "Somebody says the amounts were raised in January 2021. Which maximum do I tell her?",
    "From when on must airlines report their code-share partners' oversales?",
    "Is the limit different for international flights?",
    "in 2022, what's the difference between the domestic and foreign maximum?",
    "When is the compensation due?",
    "Has the flight changed its schedule?",
    "When did the airline have to pay the compensation?",
    "When did my compensation change?",
    "I was bumped 10 June 2022, and the flight was changed. What is the limit?",
    "was the amount in the notice $775 in 2022?",
    "What changes are allowed to the notice?",
    "will the compensation be raised if I wait longer",
    "Had the limit changed in 2021, and what do they owe her?",
)
SPANS = {
    "between 2020 and 2023": ("2020-01-01", "2023-12-31"),
    "from 2023 to 2020": ("2020-01-01", "2023-12-31"),
    "between 2021-01-01 and 2021-08-02": ("2021-01-02", "2021-08-02"),
    "since 2021": ("2021-01-01", "2026-01-01"),
    "since April 2021": ("2021-04-01", "2026-01-01"),
    "since 2021-04-13": ("2021-04-14", "2026-01-01"),
    "since 2027": ("2026-01-02", "2027-01-01"),
    "compared with 2019": ("2019-01-01", "2026-01-01"),
    "in 2021": ("2021-01-01", "2021-12-31"),
    "in December 2021": ("2021-12-01", "2021-12-31"),
    "on 2021-04-13": ("2021-04-13", "2021-04-13"),
    "until 2021": ("0001-01-01", "2021-01-01"),
    "since 2021, as of 10 June 2022": ("2021-01-01", "2026-01-01"),
    "since 6/10/2022": None,
    "since 10 June": None,
    "so far": None,
}


@pytest.mark.parametrize(("text", "wants"), HISTORY.items(), ids=HISTORY)
def test_a_question_of_history_is_known(text: str, wants: Wants) -> None:
    found = read_question(text, DAY)
    assert found is not None
    assert found.wants is wants


@pytest.mark.parametrize("text", OTHERS)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    assert read_question(text, DAY) is None


def test_no_question_of_the_tuning_set_is_one() -> None:
    asked = load_questions(ROOT / "questions" / "tuning.jsonl")
    # Who tells a whole case of their own is never taken for one, whatever the words.
    others = [one for one in asked if not read_facts(one.question).is_case]
    assert len(others) > len(asked) // 2
    assert [one.id for one in others if read_question(one.question, one.as_of)] == []


@pytest.mark.parametrize(("said", "days"), SPANS.items(), ids=SPANS)
def test_the_days_are_those_of_the_question(said: str, days: tuple[str, str] | None) -> None:
    found = read_question(f"what changed in 250.5 {said}", DAY)
    assert found is not None
    assert found.span == (days and Span(*map(date.fromisoformat, days)))


def test_a_question_for_days_alone_is_about_every_section() -> None:
    every = read_question("what changed between 2020 and 2023", DAY)
    named = read_question("what changed in the limit between 2020 and 2023", DAY)
    assert every
    assert named
    assert every.everything
    assert not named.everything


def test_the_topic_is_what_is_left_for_search() -> None:
    found = read_question("since when is there a rule on boarded passengers", DAY)
    assert found is not None
    assert found.topic.endswith("boarded passengers")
    assert not found.vague


def test_a_limit_of_nothing_named_is_vague() -> None:
    vague, clear = (
        read_question("has the limit changed?", DAY),
        read_question("has the baggage limit changed?", DAY),
    )
    assert vague
    assert clear
    assert vague.vague
    assert not clear.vague


def test_amounts_are_read_once_each() -> None:
    found = read_question("when did the limit go up from $3,800 to $4,700, not $3,800?", DAY)
    assert found is not None
    assert [one.text for one in found.amounts] == ["$3,800", "$4,700"]
    assert found.wants is Wants.RUN
    assert found.span is None
