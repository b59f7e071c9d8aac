"""`search`: the passages in force on a day, best first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from engine.cli import main
from engine.search import encoder as encoders

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

    from engine.search.encoder import Encoder

QUERY = "How much compensation for denied boarding?"
HIT = {
    "rank",
    "score",
    "id",
    "section",
    "paragraphs",
    "effective_from",
    "effective_to",
    "in_force",
    "text",
}


def test_json_keeps_the_contract(run: Run) -> None:
    found = run("search", QUERY, "--as-of", "2022-06-10", "--json").json

    assert {"query", "as_of", "method", "hits"} <= found.keys()
    assert (found["query"], found["as_of"], found["method"]) == (QUERY, "2022-06-10", "bm25")
    assert [hit["rank"] for hit in found["hits"]] == [1, 2, 3, 4, 5]
    assert all(hit.keys() >= HIT for hit in found["hits"])
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("top", [1, 3, 200])
def test_only_passages_in_force_are_found(top: int, run: Run) -> None:
    hits = run("search", QUERY, "--as-of", "2022-06-10", "--top", str(top), "--json").json["hits"]

    assert 0 < len(hits) <= top
    assert all(hit["in_force"] is True for hit in hits)
    assert all(hit["effective_from"] <= "2022-06-10" <= (hit["effective_to"] or "9999") for hit in hits)


def test_none_searches_every_version_and_claims_nothing_about_force(run: Run) -> None:
    found = run("search", QUERY, "--as-of", "none", "--top", "200", "--json").json

    assert found["as_of"] is None
    assert found["coverage"] is None
    assert {hit["in_force"] for hit in found["hits"]} == {None}
    days = {hit["effective_from"] for hit in found["hits"]}
    assert {"2017-01-01", "2021-04-13", "2025-01-22"} <= days
    assert "IN FORCE" not in run("search", QUERY, "--as-of", "NONE").out


def test_after_the_up_to_date_day_the_latest_versions_are_found_and_a_warning(run: Run) -> None:
    done = run("search", QUERY, "--as-of", "2027-02-15", "--json")

    assert {"after_snapshot", "keyword_search_only"} == {row["kind"] for row in done.json["warnings"]}
    assert all(hit["effective_to"] is None for hit in done.json["hits"])


def test_text_has_a_line_and_the_words_of_each_hit_and_warnings_apart(run: Run) -> None:
    done = run("search", QUERY, "--as-of", "2022-06-10", "--top", "2")

    lines = done.out.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("1. ")
    assert lines[0].endswith("✓ IN FORCE")
    assert "Only keywords were searched" in done.err
    assert "!" not in done.out


def test_before_the_history_nothing_is_held(run: Run) -> None:
    done = run("search", QUERY, "--as-of", "2015-03-10")

    assert (done.code, done.out) == (1, "")
    assert "Nothing is held for 2015-03-10: the history begins on 2017-01-01." in done.err


@pytest.mark.parametrize("query", ["zebra quokka", "???", '"', "AND", "*", "'; -- NEAR(", "\u202e\x1b[zz"])
def test_what_fits_nothing_is_a_polite_empty_result(query: str, run: Run) -> None:
    text = run("search", query, "--as-of", "2022-06-10")
    found = run("search", query, "--as-of", "2022-06-10", "--json")

    assert (text.code, text.out) == (1, "")
    assert "Nothing in force fits" in text.err
    assert "\x1b" not in text.err
    assert found.json["hits"] == []
    assert found.json["query"] == query


@pytest.mark.parametrize("query", ["250.5(a)(2)", "$1,550", "what's owed?", "200% of fare", "§ 254.4"])
def test_marks_and_numbers_are_searched(query: str, run: Run) -> None:
    assert run("search", query, "--as-of", "2022-06-10").code == 0


def test_query_comes_from_standard_input(run: Run) -> None:
    assert run("search", "-", "--as-of", "2022-06-10", "--json", stdin=QUERY).json["query"] == QUERY


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "There is no query."),
        ([QUERY], "There is no day to search on."),
        ([QUERY], "--as-of none for every version"),
        ([f"{QUERY} 10 June 2022"], "The question names 2022-06-10"),
        (["", "--as-of", "2022-06-10"], "empty"),
        ([QUERY, "--as-of", "2022-13-01"], "There is no day"),
        ([QUERY, "--as-of", "none", "--top", "0"], "1 to 200"),
    ],
)
def test_what_cannot_be_searched_is_a_usage_error(words: list[str], said: str, run: Run) -> None:
    done = run("search", *words, "--json")

    assert (done.code, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize("method", ["dense", "hybrid", "rerank"])
def test_a_method_of_meaning_without_a_model_stops_with_a_hint(method: str, run: Run) -> None:
    for command in ("search", "ask"):
        done = run(command, QUERY, "--as-of", "2022-06-10", "--method", method, "--json")

        assert (done.code, done.out) == (3, "")
        assert f"The method {method} needs a model" in done.err
        assert "--method bm25" in done.err


@pytest.fixture
def with_fake_model(monkeypatch: pytest.MonkeyPatch, fake_encoder: Encoder) -> None:
    monkeypatch.setattr(encoders, "models_installed", lambda: True)
    monkeypatch.setattr(encoders, "identity", lambda _: fake_encoder.identity)
    monkeypatch.setattr(encoders, "load", lambda _: fake_encoder)


@pytest.mark.usefixtures("with_fake_model")
def test_every_method_of_meaning_finds_only_what_is_in_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for method in ("dense", "hybrid", "rerank"):
        words = ("--as-of", "2022-06-10", "--method", method, "--top", "200", "--json")
        assert main(["search", QUERY, *words, "--data", str(tmp_path)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["method"] == method
        assert found["hits"]
        assert all(hit["in_force"] for hit in found["hits"])
        assert found["warnings"] == []


def test_searching_by_keywords_loads_no_model(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoders, "load", lambda _: pytest.fail("a model was loaded"))

    assert main(["search", QUERY, "--as-of", "2022-06-10", "--method", "bm25", "--data", str(data)]) == 0
    assert capsys.readouterr().out
