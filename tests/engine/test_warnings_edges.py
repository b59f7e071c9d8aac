"""The warnings about days, word by word and on the days that decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from engine.engine import Engine
from engine.model import Warning
from engine.search.retriever import Method
from engine.warnings_of import NEAR, of_card, of_search

if TYPE_CHECKING:
    from engine.ingest import IngestReport
    from engine.snapshot import Collection

CURRENT_TO = date(2026, 10, 7)
BAG = "What is the baggage liability limit of § 254.4?"


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


def about_days(engine: Engine, day: date) -> list[Warning]:
    return list(of_search(engine, day, Method.DENSE))


def test_the_day_after_the_texts_end_is_told_word_by_word(engine: Engine) -> None:
    assert about_days(engine, CURRENT_TO + timedelta(days=1)) == [
        Warning(
            "after_snapshot",
            "The texts are up to date to 2026-10-07. For 2026-10-08 the latest versions are used; "
            "whether they were still in force then is not known here.",
        )
    ]


def test_the_week_before_the_texts_end_is_told_word_by_word(engine: Engine) -> None:
    assert timedelta(days=7) == NEAR
    for days in range(7):
        day = CURRENT_TO - timedelta(days=days)
        assert about_days(engine, day) == [
            Warning(
                "near_current_to",
                f"{day} is close to 2026-10-07, the day the texts are up to date to; "
                "the publisher runs some business days behind.",
            )
        ]
    assert about_days(engine, CURRENT_TO - timedelta(days=7)) == []


def test_a_day_before_the_history_is_never_close_to_its_end(engine: Engine) -> None:
    start = engine.collection.history_start
    short = replace(engine.collection, current_to=start + timedelta(days=1))
    held = Engine.__new__(Engine)
    held.__dict__.update(engine.__dict__ | {"collection": short})
    assert [one.kind for one in about_days(held, start)] == ["near_current_to"]
    assert about_days(held, start - timedelta(days=1)) == []


def test_an_amendment_that_is_pending_is_told_word_by_word(engine: Engine) -> None:
    card = engine.ask(BAG, date(2024, 12, 20))
    text = next(one.text for one in card.warnings if one.text.startswith("14 CFR 254.4:"))
    assert text == (
        "14 CFR 254.4: an amendment was published on 2024-10-24 (89 FR 84819) and is not the rule on "
        "2024-12-20. The version used is in force until 2025-01-21."
    )


def test_every_notice_of_a_version_is_told_with_what_it_has(engine: Engine) -> None:
    card = engine.ask(BAG, date(2024, 12, 20))
    source = next(source for source in card.sources if source.chunk.section == "254.4")
    notice = source.chunk.version.text.notices[0]
    notices = (replace(notice, citation=""), replace(notice, published=None))
    version = source.chunk.version
    version = replace(version, text=replace(version.text, notices=notices), effective_to=None)
    spoilt = replace(card, sources=(replace(source, chunk=replace(source.chunk, version=version)),))
    assert [one.text for one in of_card(engine, spoilt) if one.kind == "pending_amendment"] == [
        "14 CFR 254.4: an amendment was published on 2024-10-24 and is not the rule on 2024-12-20.",
        "14 CFR 254.4: an amendment was published (89 FR 84819) and is not the rule on 2024-12-20.",
    ]


def test_that_only_keywords_were_searched_is_told_word_by_word(engine: Engine) -> None:
    assert of_search(engine, None, Method.BM25) == (
        Warning(
            "keyword_search_only",
            "Only keywords were searched; other words for the same thing may be missed.",
        ),
    )


class TestDaysOfTheQuestion:
    def told(self, engine: Engine, question: str, day: str) -> list[Warning]:
        card = engine.ask(question, date.fromisoformat(day))
        return [one for one in card.warnings if one.kind in {"date_in_question_differs", "several_dates"}]

    def test_one_that_differs_is_told_once_and_alone(self, engine: Engine) -> None:
        assert self.told(engine, "Bumped on 3 March 2025: what is owed?", "2025-03-02") == [
            Warning(
                "date_in_question_differs",
                "The question says “3 March 2025”; the date asked for is 2025-03-02. Check which is right.",
            )
        ]
        assert self.told(engine, "Bumped on 3 March 2025: what is owed?", "2025-03-03") == []

    def test_a_card_without_passages_is_held_against_the_question_too(self, engine: Engine) -> None:
        card = engine.ask("Bumped on 3 March 2025: what is owed?", date(2025, 3, 2))
        bare = replace(card, context=None)
        assert next(one.kind for one in of_card(engine, bare)) == "date_in_question_differs"

    def test_several_are_told_without_the_one_that_is_asked_for(self, engine: Engine) -> None:
        question = "Bumped on 10 June 2022, on 3 March 2025 and on 4 March 2025, 4 March 2025: what is owed?"
        assert self.told(engine, question, "2022-06-10") == [
            Warning(
                "several_dates",
                "The question names “3 March 2025”, “4 March 2025” as well; this answer stands on 2022-06-10 "
                "only. For another flight ask again with its date.",
            )
        ]

    def test_a_question_about_the_history_is_about_its_own_days(self, engine: Engine) -> None:
        question = "Did § 254.4 change between 1 January 2020 and 1 June 2022?"
        card = engine.ask(question, date(2024, 6, 10))
        assert card.context is not None
        assert card.context.history is not None
        assert self.told(engine, question, "2024-06-10") == []
        other = replace(card, answer="Something else.")
        assert next(one.kind for one in of_card(engine, other)) == "date_in_question_differs"
