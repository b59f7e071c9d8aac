"""`ask` about the history of a rule: the statements, their sources and badges, as JSON and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Run

ASKED = "what changed in 254.4 between 2020 and 2023"


def test_json_has_each_statement_with_both_versions(run: Run) -> None:
    outcome = run("ask", ASKED, "--as-of", "2022-06-10", "--json")
    assert outcome.code == 0
    card = outcome.json
    assert card["status"] == "answered"
    assert "14 CFR 254.4, 2021-04-13: $3,500 → $3,800" in card["answer"]
    assert [claim["problems"] for claim in card["claims"]] == [[], []]
    sources = {source["id"]: source for source in card["sources"]}
    cited = [sources[one]["effective_from"] for one in card["claims"][0]["passages"]]
    assert cited == ["2021-01-13", "2021-04-13"]
    assert [source["in_force"] for source in card["sources"]] == [False, True]
    assert not set(sources) & {dropped["id"] for dropped in card["dropped"]}
    assert card["sources"][0]["id"] not in card["context"]["ids"]


def test_text_shows_the_red_badge(run: Run) -> None:
    outcome = run("ask", ASKED, "--as-of", "2022-06-10")
    assert outcome.code == 0
    assert "NOT IN FORCE" in outcome.out
    assert "Check of" not in outcome.out


def test_days_before_the_history_answer_nothing(run: Run) -> None:
    outcome = run("ask", "what changed in 254.4 between 2010 and 2015", "--as-of", "2022-06-10", "--json")
    assert outcome.code == 1
    assert outcome.json["status"] == "not_held"
    assert "$" not in outcome.json["answer"]
