"""What a reader sees of an answer."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine import card as cards
from engine.delays import Delay
from engine.engine import Engine
from engine.facts import Cabin, Facts, Route
from engine.model import (
    AnswerCard,
    Claim,
    Context,
    Coverage,
    Dropped,
    DropReason,
    Hit,
    Reason,
    SnapshotStamp,
    Source,
    Status,
    Usage,
    Warning,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.ingest import IngestReport
    from engine.model import Chunk
    from engine.snapshot import Collection

DAY = date(2022, 6, 10)


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


@pytest.fixture
def passages(chunks: Sequence[Chunk]) -> dict[str, Chunk]:
    return {chunk.id: chunk for chunk in chunks}


@pytest.fixture
def made(passages: dict[str, Chunk]) -> AnswerCard:
    """A card with everything on it: § 254.4 in force, and as it was before."""
    now, before = passages["e9c55bed3e23"], passages["db8de54f5d91"]
    return AnswerCard(
        question="How much for\x1b[31m a bag?",
        as_of=DAY,
        coverage=Coverage.INSIDE,
        status=Status.ANSWERED,
        answer="Up to <b>$3,800</b> [see](http://x)\u202e.",
        answerer="chat",
        method="bm25",
        date_filter=True,
        snapshot=SnapshotStamp("us-14-cfr", date(2026, 10, 7), "ab" * 32),
        notice=cards.NOTICE,
        attribution="Source: eCFR.",
        claims=(Claim("It is $3,500.", (before.id,), ("NOT IN FORCE on 2022-06-10",)),),
        sources=(
            Source(1, now, in_force=True, paragraphs="", text=now.body),
            Source(2, before, in_force=False, paragraphs="(a)", text="…"),
        ),
        warnings=(Warning("near_current_to", "Close *to* the end."),),
        dropped=(
            Dropped(before, DropReason.NOT_IN_FORCE, "version of 2017", 3),
            Dropped(now, DropReason.BELOW_TOP_K, "place 6"),
        ),
        context=Context((Hit(1, 1.0, now, in_force=True),), frozenset(), 120, 4000),
        model="small\x07",
        usage=Usage(10, 20),
        timings_ms={"total": 1.5},
    )


def test_text_says_everything_in_order(made: AnswerCard) -> None:
    text = cards.to_text(made)
    order = [
        "Question: How much for\\x1b[31m a bag?",
        "As of:    2022-06-10",
        "! Close *to* the end.",
        "Answer:",
        "Up to <b>$3,800</b>",
        "NOT IN FORCE on 2022-06-10",
        "[1] 14 CFR 254.4, 2021-04-13 to 2024-10-23  ✓ IN FORCE",
        "https://www.ecfr.gov/on/2021-04-13/title-14/section-254.4",
        "[2] 14 CFR 254.4 (a), held from 2017-01-01 to 2021-01-12  ✗ NOT IN FORCE 2022-06-10",
        "(the first version that is held: it may have begun earlier)",
        "Dropped, not in force: 14 CFR 254.4: version of 2017 (would have been no. 3)",
        "Dropped, below top k: 14 CFR 254.4: place 6\n",
        "Answered by chat, model small\\x07; search: bm25.",
        cards.NOTICE,
        "Source: eCFR.",
    ]

    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert "DATE FILTER OFF" not in text
    assert not set(text) & set("\x1b\x07\u202e")


def test_text_of_an_empty_card_has_no_empty_parts(made: AnswerCard) -> None:
    bare = replace(
        made,
        status=Status.FAILED,
        answer="",
        error="The server is down.",
        claims=(),
        sources=(),
        warnings=(),
        dropped=(),
        model=None,
        date_filter=False,
    )
    text = cards.to_text(bare)

    assert "Failed:\nThe server is down.\n\nAnswered by chat; search: bm25.\n" in text
    assert "DATE FILTER OFF" in text
    assert "\n\n\n" not in text


def test_markdown_reads_no_marks_into_the_words(made: AnswerCard) -> None:
    text = cards.to_markdown(made)

    assert text.startswith("## Answer as of 2022-06-10\n")
    assert "> **Close \\*to\\* the end.**" in text
    assert "Up to \\<b\\>$3,800\\</b\\> \\[see\\](http://x)\\u202e." in text
    assert "- Check: NOT IN FORCE on 2022-06-10" in text
    assert "**✓ IN FORCE**, <https://www.ecfr.gov/on/2021-04-13/title-14/section-254.4>" in text
    assert "**✗ NOT IN FORCE 2022-06-10**" in text
    assert text.endswith("*Source: eCFR.*")
    off = cards.to_markdown(replace(made, date_filter=False, answer="", error="Down."))
    assert "DATE FILTER OFF" in off
    assert "\nDown.\n" in off


def test_markdown_marks_are_escaped_once() -> None:
    assert cards.markdown_safe(r"\ ` * _ [ ] < > # | ~") == r"\\ \` \* \_ \[ \] \< \> \# \| \~"
    assert cards.markdown_safe("$3,800 (a)(2)") == "$3,800 (a)(2)"


def test_json_is_plain_data(made: AnswerCard) -> None:
    shown = json.loads(json.dumps(cards.to_json(made)))

    assert shown["usage"] == {"tokens_in": 10, "tokens_out": 20}
    assert shown["context"] == {"ids": ["e9c55bed3e23"], "tokens": 120, "budget": 4000}
    assert shown["claims"][0]["problems"] == ["NOT IN FORCE on 2022-06-10"]
    assert [row["in_force"] for row in shown["sources"]] == [True, False]
    assert [row["effective_from_origin"] for row in shown["sources"]] == ["exact", "at_or_before"]
    assert [row["rank_without_filter"] for row in shown["dropped"]] == [3, None]
    assert (shown["question"], shown["model"]) == (made.question, "small\x07")


def test_json_of_a_card_without_a_context(made: AnswerCard) -> None:
    shown = cards.to_json(replace(made, context=None, usage=None, reason=Reason.ABSENT))

    assert shown["context"] == {"ids": [], "tokens": 0, "budget": 0}
    assert shown["usage"] is None
    assert shown["reason"] == "absent"


def test_an_open_version_has_no_last_day(passages: dict[str, Chunk]) -> None:
    place = cards.place_json(passages["ef9d00e64081"])

    assert (place["effective_from"], place["effective_to"]) == ("2025-01-22", None)
    assert cards.place_line(passages["ef9d00e64081"]) == (
        "[ef9d00e64081] 14 CFR 254.4, version since 2025-01-22"
    )


def test_an_ended_version_is_never_shown_as_reaching_today(engine: Engine) -> None:
    text = cards.to_text(engine.ask("What is the baggage liability limit in § 254.4?", DAY))

    assert "14 CFR 254.4, 2021-04-13 to 2024-10-23  ✓ IN FORCE" in text
    assert "today" not in text
    assert "since 2021-04-13" not in text.partition("254.4, 2021")[2].partition("\n")[0]


def test_hit_as_json(engine: Engine) -> None:
    hit = engine.search("baggage", DAY).hits[0]
    shown = cards.hit_json(hit)

    assert shown["text"] == hit.chunk.body
    assert shown["heading"] == hit.chunk.version.heading
    assert (shown["rank"], shown["in_force"]) == (1, True)


def test_passage_as_text(passages: dict[str, Chunk]) -> None:
    text = cards.passage_text(passages["e9c55bed3e23"])

    assert text.startswith("[e9c55bed3e23] 14 CFR 254.4 | ")
    assert "\n§ 254.4 " in text
    assert text.endswith("https://www.ecfr.gov/on/2021-04-13/title-14/section-254.4")


def test_every_status_has_words(made: AnswerCard) -> None:
    assert len({cards.to_text(replace(made, status=status)) for status in Status}) == len(Status)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "Bumped from a domestic flight, fare $410, planned arrival 90 minutes late. How much is owed?",
            [
                (
                    "Read from the question: flight within the United States; "
                    "planned arrival 90 minutes late; "
                    "one-way fare $410."
                ),
                (
                    "Step: 200 % of the one-way fare, at most $775 "
                    "(14 CFR 250.5(a)(2), 2021-08-02 to 2024-10-23)."
                ),
                "Worked out: 200 % of $410 = $820, the limit is $775: $775.",
            ],
        ),
        (
            "Bumped from Boston to Dublin, one-way ticket $310.50, arrived 3 hours late, what is owed?",
            [
                (
                    "Read from the question: flight from the United States abroad; arrival 180 minutes late; "
                    "one-way fare $310.50."
                ),
                (
                    "Step: 200 % of the one-way fare, at most $775 "
                    "(14 CFR 250.5(b)(2), 2021-08-02 to 2024-10-23)."
                ),
                "Worked out: 200 % of $310.50 = $621, the limit is $775: $621.",
            ],
        ),
        (
            "Bumped, and 3 hours late. What is owed?",
            [
                "Read from the question: arrival 180 minutes late. Not said: route, fare.",
                (
                    "Steps that fit: 400 %, at most $1,550 (14 CFR 250.5(a)(3)) or "
                    "200 %, at most $775 (14 CFR 250.5(b)(2))."
                ),
            ],
        ),
        (
            "Bumped, what is owed?",
            [
                "Read from the question: nothing that decides. Not said: route, delay, fare.",
                "Steps that fit: 6; the highest is 400 %, at most $1,550 (14 CFR 250.5(a)(3)).",
            ],
        ),
        (
            "Bumped from a domestic flight, fare $200, 40 minutes late. How much is owed?",
            [
                (
                    "Read from the question: flight within the United States; arrival 40 minutes late; "
                    "one-way fare $200."
                ),
                "Step: no compensation (14 CFR 250.5(a)(1), 2021-08-02 to 2024-10-23).",
            ],
        ),
        (
            "What is the baggage liability limit in § 254.4?",
            [
                "Read from the question: nothing that decides. Not said: route, seats, value.",
                (
                    "Limit: “shall not limit its liability … to an amount less than $3,800 for each "
                    "passenger” (14 CFR 254.4), on aircraft of more than 60 seats, or on one ticket with "
                    "such a flight."
                ),
            ],
        ),
    ],
)
def test_what_was_read_is_shown_with_what_it_comes_to(
    question: str, lines: list[str], engine: Engine
) -> None:
    card = engine.ask(question, DAY)
    markdown = cards.to_markdown(card)

    assert list(cards.facts_lines(card)) == lines
    assert all(line in cards.to_text(card) for line in lines)
    assert all(f"- {cards.markdown_safe(line)}" in markdown for line in lines)


def test_every_fact_has_words(made: AnswerCard) -> None:
    def said(**facts: object) -> str:
        return " ".join(cards.facts_lines(replace(made, facts=Facts(**facts))))  # type: ignore[arg-type]

    assert "award or free ticket; aircraft of 30 seats" in said(award=True, seats=30)
    assert "no alternate transportation offered; not a volunteer" in said(no_alternate=True, voluntary=False)
    assert "gave up the seat as a volunteer" in said(voluntary=True)
    assert "charter flight; premium economy cabin" in said(charter=True, cabin=Cabin.PREMIUM)
    assert "actual arrival 60 to 120 minutes late" in said(delay=Delay(60, 120, planned=False, text=""))
    assert "planned arrival 240 minutes late or more" in said(delay=Delay(240, None, planned=True, text=""))
    assert len({said(route=route) for route in Route}) == len(Route)
    assert said() == ""


def test_a_step_of_another_version_is_not_shown(engine: Engine) -> None:
    card = engine.ask("Bumped from a domestic flight, 90 minutes late. How much is owed?", DAY)
    other = replace(card, as_of=date(2019, 1, 1))

    assert "Step:" in " ".join(cards.facts_lines(card))
    assert "Step:" not in " ".join(cards.facts_lines(other))
    assert "Not said" not in " ".join(cards.facts_lines(replace(card, status=Status.ABSTAINED)))
