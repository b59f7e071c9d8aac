"""`ask`: one question, one day, one card."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from engine.commands import asking
from engine.model import Status
from engine.opening import open_engine

if TYPE_CHECKING:
    from conftest import Run

BUMPED = (
    "A passenger was bumped from a full domestic flight and rebooked to arrive 90 minutes late. "
    "What is the most the airline had to pay?"
)
QUESTIONS = Path(__file__).parents[3] / "questions" / "questions.jsonl"

TEXT, NUMBER, DAY = str, (int, float), re.compile(r"\d{4}-\d{2}-\d{2}")
CARD = {
    "question": TEXT,
    "as_of": DAY,
    "coverage": {"inside", "before", "after"},
    "status": {"answered", "abstained", "not_held", "no_recording", "failed"},
    "reason": {None, "absent", "out_of_scope", "not_covered", "nothing_fits"},
    "error": (str, type(None)),
    "answer": TEXT,
    "claims": [{"text": TEXT, "passages": [TEXT], "problems": [TEXT]}],
    "sources": [
        {
            "number": int,
            "id": re.compile(r"[0-9a-f]{12}"),
            "section": TEXT,
            "paragraphs": TEXT,
            "heading": TEXT,
            "effective_from": DAY,
            "effective_to": (str, type(None)),
            "effective_from_origin": {"exact", "at_or_before"},
            "in_force": bool,
            "pending": (str, type(None)),
            "url": re.compile(r"https://www\.ecfr\.gov/on/\d{4}-\d\d-\d\d/title-14/section-[\w.]+"),
            "text": TEXT,
        }
    ],
    "warnings": [{"kind": TEXT, "text": TEXT}],
    "dropped": [
        {
            "id": re.compile(r"[0-9a-f]{12}"),
            "section": TEXT,
            "paragraphs": TEXT,
            "effective_from": DAY,
            "effective_to": (str, type(None)),
            "reason": {"not_in_force", "near_duplicate", "over_budget", "below_top_k"},
            "rank_without_filter": (int, type(None)),
            "detail": TEXT,
        }
    ],
    "context": {"ids": [TEXT], "tokens": int, "budget": int},
    "usage": (dict, type(None)),
    "answerer": TEXT,
    "model": (str, type(None)),
    "method": {"bm25", "dense", "hybrid", "rerank"},
    "date_filter": bool,
    "snapshot": {"collection": TEXT, "current_to": DAY, "sha256": re.compile(r"[0-9a-f]{64}")},
    "timings_ms": {"search": NUMBER, "answer": NUMBER, "total": NUMBER},
    "notice": TEXT,
    "attribution": TEXT,
}


def assert_shape(value: Any, shape: Any, place: str = "card") -> None:
    """Every key of the contract is there with a value of its type; further keys may be."""
    if isinstance(shape, dict):
        assert shape.keys() <= value.keys(), f"{place}: {shape.keys() - value.keys()}"
        for key, inner in shape.items():
            assert_shape(value[key], inner, f"{place}.{key}")
    elif isinstance(shape, list):
        assert isinstance(value, list), place
        for number, row in enumerate(value):
            assert_shape(row, shape[0], f"{place}[{number}]")
    elif isinstance(shape, set):
        assert value in shape, f"{place}: {value}"
    elif isinstance(shape, re.Pattern):
        assert shape.fullmatch(value), f"{place}: {value}"
    else:
        assert isinstance(value, shape), f"{place}: {value!r}"
        assert isinstance(value, bool) == (shape is bool), place


@pytest.mark.parametrize(
    ("question", "day", "status", "coverage", "code"),
    [
        (BUMPED, "2022-06-10", "answered", "inside", 0),
        (BUMPED, "2021-02-15", "answered", "inside", 0),
        (BUMPED, "2027-02-15", "answered", "after", 0),
        ("zebra xylophone quokka", "2022-06-10", "abstained", "inside", 1),
        (BUMPED, "2015-03-10", "not_held", "before", 1),
    ],
)
def test_json_keeps_the_contract_in_every_case(
    question: str, day: str, status: str, coverage: str, code: int, run: Run
) -> None:
    done = run("ask", question, "--as-of", day, "--json")
    card = done.json

    assert_shape(card, CARD)
    assert (card["status"], card["coverage"], done.code) == (status, coverage, code)
    assert (card["question"], card["as_of"]) == (question, day)
    assert (card["reason"] is not None) == (status == "abstained")
    assert card["error"] is None
    assert card["date_filter"] is True
    assert card["snapshot"]["current_to"] == "2026-10-07"


def test_every_source_and_claim_of_an_answer_is_in_force(run: Run) -> None:
    card = run("ask", BUMPED, "--as-of", "2022-06-10", "--json").json

    assert card["claims"]
    assert [source["number"] for source in card["sources"]] == list(range(1, len(card["sources"]) + 1))
    assert all(source["in_force"] for source in card["sources"])
    assert all(not claim["problems"] for claim in card["claims"])
    cited = {passage for claim in card["claims"] for passage in claim["passages"]}
    assert cited == {source["id"] for source in card["sources"]}
    assert cited <= set(card["context"]["ids"])
    assert 0 < card["context"]["tokens"] <= card["context"]["budget"]


def test_before_the_history_nothing_is_searched_or_shown(run: Run) -> None:
    done = run("ask", BUMPED, "--as-of", "2015-03-10", "--json")
    card = done.json

    assert (card["claims"], card["sources"], card["dropped"], card["context"]["ids"]) == ([], [], [], [])
    assert "2017-01-01" in card["answer"]
    assert "$" not in card["answer"]
    assert card["timings_ms"]["search"] == 0


def test_an_abstention_gives_no_amount_of_another_day(run: Run) -> None:
    card = run("ask", "What does § 250.7 say?", "--as-of", "2020-06-01", "--json").json

    assert card["status"] == "abstained"
    assert card["reason"] == "absent"
    assert "$" not in card["answer"]
    assert card["claims"] == []
    assert [source["in_force"] for source in card["sources"]] == [False]


def test_passages_of_other_days_are_listed_with_the_place_they_would_have_had(run: Run) -> None:
    card = run("ask", BUMPED, "--as-of", "2022-06-10", "--json").json
    others = [row for row in card["dropped"] if row["reason"] == "not_in_force"]

    assert others
    assert all(1 <= row["rank_without_filter"] <= 5 for row in others)
    assert all(
        not (row["effective_from"] <= "2022-06-10" <= (row["effective_to"] or "9999")) for row in others
    )


def test_text_has_status_sources_notice_and_attribution(run: Run) -> None:
    done = run("ask", BUMPED, "--as-of", "2022-06-10")

    assert done.code == 0
    assert done.out.startswith("Question: A passenger was bumped")
    assert "As of:    2022-06-10" in done.out
    assert "✓ IN FORCE" in done.out
    assert "NOT IN FORCE" not in done.out
    assert "This is not legal advice." in done.out
    assert "Source: eCFR" in done.out


def test_markdown_is_marked_up(run: Run) -> None:
    done = run("ask", BUMPED, "--as-of", "2022-06-10", "--markdown")

    assert done.out.startswith("## Answer as of 2022-06-10\n")
    assert "**✓ IN FORCE**" in done.out


def test_without_the_date_filter_a_2017_text_for_2015_earns_the_red_words(run: Run) -> None:
    words = ("ask", BUMPED, "--as-of", "2015-03-10", "--no-date-filter")
    card = run(*words, "--json").json
    text = run(*words).out

    assert card["date_filter"] is False
    assert card["coverage"] == "before"
    assert card["status"] == "answered"
    assert card["sources"]
    assert {source["in_force"] for source in card["sources"]} == {False}
    assert "2017-01-01" in {source["effective_from"] for source in card["sources"]}
    assert all(claim["problems"] for claim in card["claims"])
    assert "✗ NOT IN FORCE 2015-03-10" in text
    assert "DATE FILTER OFF" in text
    assert "DATE FILTER OFF" in run(*words, "--markdown").out


def test_closed_book_gives_the_quoting_answerer_nothing_to_quote(run: Run) -> None:
    done = run("ask", BUMPED, "--as-of", "2022-06-10", "--closed-book", "--json")

    assert done.code == 1
    assert (done.json["status"], done.json["sources"], done.json["context"]["ids"]) == ("abstained", [], [])


@pytest.mark.parametrize("form", ["2022-06-10", "10 June 2022", "June 10, 2022", " 10-Jun-2022 "])
def test_days_of_one_reading_are_taken(form: str, run: Run) -> None:
    assert run("ask", BUMPED, "--as-of", form, "--json").json["as_of"] == "2022-06-10"


@pytest.mark.parametrize("form", ["06/10/2022", "2022-13-01", "2023-02-29", "tomorrow", "", "none"])
def test_other_days_are_refused_with_the_forms_that_are_taken(form: str, run: Run) -> None:
    done = run("ask", BUMPED, "--as-of", form, "--json")

    assert (done.code, done.out) == (2, "")
    assert "2022-06-10, 10 June 2022 or June 10, 2022" in done.err


def test_a_question_without_a_day_is_refused_and_its_days_are_named(run: Run) -> None:
    done = run("ask", "Bumped on 10 June 2022, and again on 2022-06-11. What is owed?")

    assert (done.code, done.out) == (2, "")
    assert "2022-06-10, 2022-06-11: add --as-of 2022-06-10" in done.err


@pytest.mark.parametrize("text", ["What is owed?", "Bumped on 6/10/2022", "Bumped in June 2022"])
def test_without_a_whole_day_in_the_question_the_form_is_named(text: str, run: Run) -> None:
    done = run("ask", text)

    assert (done.code, done.out) == (2, "")
    assert "Add --as-of with the day of the flight" in done.err


def test_a_question_of_the_set_brings_its_day(run: Run) -> None:
    row = json.loads(QUESTIONS.read_text("utf-8").splitlines()[3])
    card = run("ask", "--id", "Q04", "--json").json

    assert (card["question"], card["as_of"]) == (row["question"], row["as_of"])
    assert run("ask", "--id", "Q04", "--as-of", "2019-05-01", "--json").json["as_of"] == "2019-05-01"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--id", "Q99"], "There is no question Q99."),
        (["--id", "Q04", "What?"], "not both"),
        (["--as-of", "2022-06-10"], "There is no question."),
        (["", "--as-of", "2022-06-10"], "empty"),
        (["   \n", "--as-of", "2022-06-10"], "empty"),
        (["x" * 4001, "--as-of", "2022-06-10"], "4001 characters; 4000 are read"),
        (["bag \udcff", "--as-of", "2022-06-10"], "not UTF-8"),
        (["bag", "--as-of", "2022-06-10", "--top", "0"], "1 to 200"),
        (["bag", "--as-of", "2022-06-10", "--top", "201"], "1 to 200"),
        (["bag", "--as-of", "2022-06-10", "--top", "-1"], "1 to 200"),
        (["bag", "--as-of", "2022-06-10", "--top", "x"], "'x' is no number"),
        (["bag", "--as-of", "2022-06-10", "--method", "magic"], "'magic'"),
        (["bag", "--as-of", "2022-06-10", "--answerer", "oracle"], "'oracle'"),
    ],
)
def test_what_cannot_be_asked_is_a_usage_error(words: list[str], said: str, run: Run) -> None:
    done = run("ask", *words, "--json")

    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_question_of_4000_characters_is_read(run: Run) -> None:
    question = f"{BUMPED} {'x' * (3999 - len(BUMPED))}"

    assert run("ask", question, "--as-of", "2022-06-10").code == 0


def test_question_comes_from_standard_input(run: Run) -> None:
    done = run("ask", "-", "--as-of", "2022-06-10", "--json", stdin=f"{BUMPED}\n")

    assert done.json["question"] == BUMPED


@pytest.mark.parametrize(("given", "said"), [(b"bag \xff", "not UTF-8"), (b"", "empty"), (b" \n", "empty")])
def test_unreadable_standard_input_is_refused(given: bytes, said: str, run: Run) -> None:
    done = run("ask", "-", "--as-of", "2022-06-10", stdin=given)

    assert (done.code, done.out) == (2, "")
    assert said in done.err


HOSTILE = "bag \x1b[31mred\x07\x9b2J \u202ereversed\u2066 [b]<script>*x*</script> “90 minutes” \U000e0041"


def test_hostile_words_are_harmless_as_text_and_whole_as_json(run: Run) -> None:
    as_json = run("ask", HOSTILE, "--as-of", "2022-06-10", "--json")
    text = run("ask", HOSTILE, "--as-of", "2022-06-10")
    markdown = run("ask", HOSTILE, "--as-of", "2022-06-10", "--markdown")

    assert as_json.json["question"] == HOSTILE
    for stream in (as_json.out, text.out, text.err, markdown.out):
        assert not set(stream) & set("\x1b\x07\x9b\u202e\u2066")
    assert "\\x1b[31mred" in text.out


def test_a_failed_answer_says_so_and_ends_as_a_failed_server_does(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = open_engine(data=data, models=False).ask("bag", date(2022, 6, 10))
    failed = replace(card, status=Status.FAILED, answer="", error="cut off\x1b[0m")
    stub = SimpleNamespace(ask=lambda *_, **__: failed)
    monkeypatch.setattr(asking, "open_for", lambda _: stub)

    done = run("ask", "bag", "--as-of", "2022-06-10", "--json")

    assert done.code == 4
    assert done.json["error"] == "cut off\x1b[0m"
    assert done.err == "error: cut off\\x1b[0m\n"


class TestStatedFacts:
    def test_they_decide_the_step_and_are_named(self, run: Run) -> None:
        words = ("ask", "I was bumped from a full flight. How much do they owe?", "--as-of", "2022-06-10")
        read = run(*words, "--json").json
        stated = run(
            *words, "--json", "--fact", "route=within_us", "--fact", "delay=90", "--fact", "fare=300"
        ).json

        assert read["facts_corrected"] == []
        assert not read["reading"]["decided"]
        assert stated["facts_corrected"] == ["route", "delay", "fare"]
        assert stated["reading"]["decided"]
        assert [tier["paragraph"] for tier in stated["reading"]["tiers"]] == ["(a)(2)"]
        assert stated["reading"]["tiers"][0]["amount"] == "600"
        assert "$775" in stated["answer"]

    def test_they_are_said_on_the_card(self, run: Run) -> None:
        done = run("ask", "Bumped. How much?", "--as-of", "2022-06-10", "--fact", "route=within_us")

        assert "flight within the United States. Stated by the asker: route." in done.out

    def test_the_price_paid_for_an_award_ticket_is_no_basis(self, run: Run) -> None:
        words = ("ask", "Bumped. How much?", "--as-of", "2022-06-10", "--json", "--fact", "route=within_us")
        found = run(*words, "--fact", "delay=90", "--fact", "fare=11", "--fact", "award=yes").json

        assert found["reading"]["open"] == ["fare"]
        assert [tier["amount"] for tier in found["reading"]["tiers"]] == [None]

    def test_a_route_can_take_the_trip_out_of_the_part(self, run: Run) -> None:
        done = run("ask", "Bumped. How much?", "--as-of", "2022-06-10", "--fact", "route=to_us", "--json")

        assert (done.code, done.json["reason"]) == (1, "out_of_scope")

    @pytest.mark.parametrize(
        "facts",
        [["delay"], ["delay=90", "delay=100"], ["nothing=1"], ["delay=later"]],
        ids=["no value", "twice", "unknown", "unreadable"],
    )
    def test_what_cannot_be_read_is_usage(self, facts: list[str], run: Run) -> None:
        options = [word for fact in facts for word in ("--fact", fact)]
        done = run("ask", "Bumped. How much?", "--as-of", "2022-06-10", *options)

        assert (done.code, done.out) == (2, "")
        assert "Traceback" not in done.err
