"""What a reader is told about the date and the texts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine.engine import Engine
from engine.model import Warning
from engine.search.retriever import Method
from engine.warnings_of import KEYWORDS_ONLY, of_card, of_search

if TYPE_CHECKING:
    from conftest import FakeEncoder

    from engine.index import StoredIndex
    from engine.ingest import IngestReport
    from engine.snapshot import Collection

CURRENT_TO = date(2026, 10, 7)
BAG = "What is the baggage liability limit of § 254.4?"


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


def of_kind(engine: Engine, kind: str, question: str, day: str) -> list[str]:
    card = engine.ask(question, date.fromisoformat(day))
    return [warning.text for warning in card.warnings if warning.kind == kind]


@pytest.mark.parametrize("day", ["2026-10-08", "2027-02-15"])
def test_after_the_up_to_date_day(day: str, engine: Engine) -> None:
    (text,) = of_kind(engine, "after_snapshot", BAG, day)

    assert "up to date to 2026-10-07" in text
    assert day in text
    assert of_kind(engine, "near_current_to", BAG, day) == []


@pytest.mark.parametrize(
    ("day", "warned"),
    [("2026-10-07", True), ("2026-10-01", True), ("2026-09-30", False), ("2022-06-10", False)],
)
def test_close_to_the_up_to_date_day(day: str, warned: bool, engine: Engine) -> None:
    assert bool(of_kind(engine, "near_current_to", BAG, day)) is warned
    assert of_kind(engine, "after_snapshot", BAG, day) == []


@pytest.mark.parametrize(
    ("day", "citation", "published", "until"),
    [
        ("2021-02-15", "86 FR", "2021-01-13", "2021-04-12"),
        ("2024-12-20", "89 FR 84819", "2024-10-24", "2025-01-21"),
    ],
)
def test_a_pending_amendment_is_named_with_citation_and_day(
    day: str, citation: str, published: str, until: str, engine: Engine
) -> None:
    texts = of_kind(engine, "pending_amendment", BAG, day)
    (text,) = [text for text in texts if text.startswith("14 CFR 254.4:")]

    assert f"published on {published} ({citation}" in text
    assert f"is not the rule on {day}. The version used is in force until {until}." in text


def test_a_rule_without_notice_has_nothing_pending(engine: Engine) -> None:
    assert of_kind(engine, "pending_amendment", BAG, "2022-06-10") == []


def test_a_notice_without_citation_and_day_is_still_told(engine: Engine) -> None:
    card = engine.ask(BAG, date(2024, 12, 20))
    source = next(source for source in card.sources if source.chunk.section == "254.4")
    version = source.chunk.version
    bare = replace(version.text, notices=(replace(version.text.notices[0], citation="", published=None),))
    chunk = replace(source.chunk, version=replace(version, text=bare, effective_to=None))
    told = of_card(engine, replace(card, sources=(replace(source, chunk=chunk),)))

    assert (
        Warning(
            "pending_amendment",
            "14 CFR 254.4: an amendment was published and is not the rule on 2024-12-20.",
        )
        in told
    )


@pytest.mark.parametrize(
    ("question", "day", "warned"),
    [
        ("Bumped on 20 December 2024, what is owed?", "2024-12-02", True),
        ("Bumped on 20 December 2024, what is owed?", "2024-12-20", False),
        ("Flew on 2 December 2024, claimed on 20 December 2024", "2024-12-02", False),
        ("Bumped in December 2024, what is owed?", "2024-12-02", False),
        ("Bumped in December 2024, what is owed?", "2024-11-02", True),
        ("Bumped in 2024, what is owed?", "2024-12-02", False),
        ("Bumped in 2023, what is owed?", "2024-12-02", True),
        ("Bumped on 12/2/2024, what is owed?", "2024-12-02", False),
        ("Bumped on 12/2/2024, what is owed?", "2024-02-12", False),
        ("Bumped on 12/2/2024, what is owed?", "2024-12-20", True),
        ("Bumped on December 2, what is owed?", "2024-12-02", False),
        ("Bumped, what is owed?", "2024-12-02", False),
        ("Bumped on 20 December 2014, what is owed?", "2015-03-10", True),
    ],
)
def test_a_date_in_the_question_that_is_not_the_one_asked_for(
    question: str, day: str, warned: bool, engine: Engine
) -> None:
    texts = of_kind(engine, "date_in_question_differs", question, day)

    assert bool(texts) is warned
    assert all(day in text for text in texts)


def test_each_date_of_the_question_is_named_once_and_comes_first(engine: Engine) -> None:
    question = "Bumped on 20 December 2024 (20 December 2024!) or 2024-12-21?"
    card = engine.ask(question, date(2026, 10, 5))

    assert card.warnings[0] == Warning(
        "date_in_question_differs",
        "The question says “20 December 2024”, “2024-12-21”; the date asked for is 2026-10-05. "
        "Check which is right.",
    )


def test_keywords_alone_are_told_once(engine: Engine, collection: Collection, ingested: IngestReport) -> None:
    assert len(of_kind(engine, KEYWORDS_ONLY, BAG, "2022-06-10")) == 1
    reason = Warning(KEYWORDS_ONLY, "Only keywords are searched. The extra is not installed.")
    told = Engine(collection, ingested.index, notices=[reason])
    assert of_kind(told, KEYWORDS_ONLY, BAG, "2022-06-10") == [reason.text]


def test_with_a_model_keywords_are_told_only_when_chosen(
    collection: Collection, embedded: StoredIndex, fake_encoder: FakeEncoder
) -> None:
    engine = Engine(collection, embedded, encoder=fake_encoder)

    assert of_kind(engine, KEYWORDS_ONLY, BAG, "2022-06-10") == []
    chosen = engine.search(BAG, date(2022, 6, 10), method=Method.BM25)
    assert [warning.kind for warning in chosen.warnings] == [KEYWORDS_ONLY]


def test_before_the_history_only_the_question_is_warned_about(engine: Engine) -> None:
    assert engine.ask(BAG, date(2015, 3, 10)).warnings == ()


def test_a_search_without_a_day_is_not_warned_about_days(engine: Engine) -> None:
    assert of_search(engine, None, Method.DENSE) == ()
    assert [warning.kind for warning in of_search(engine, CURRENT_TO, Method.DENSE)] == ["near_current_to"]


def test_a_second_date_asks_for_an_answer_of_its_own(engine: Engine) -> None:
    question = "Bumped on 10 June 2022, and my wife on 3 March 2025: what is owed?"
    (text,) = of_kind(engine, "several_dates", question, "2022-06-10")

    assert "“3 March 2025” as well; this answer stands on 2022-06-10 only" in text
    assert "10 June" not in text
    assert of_kind(engine, "several_dates", "Bumped on 10 June 2022, in June", "2022-06-10") == []
    assert of_kind(engine, "several_dates", question, "2024-06-10") == []
