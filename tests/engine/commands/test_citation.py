"""`ask --citation`: the block alone on stdout, or a clear line and exit code 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Run

BUMPED = "I was bumped from a domestic flight and rebooked to arrive 90 minutes late. How much am I owed?"


def test_only_the_block_is_printed(run: Run) -> None:
    found = run("ask", BUMPED, "--as-of", "2022-06-10", "--citation")
    assert found.code == 0
    assert found.out.startswith("14 CFR 250.5(a)(2), § 250.5 Amount of denied boarding compensation")
    assert found.out.count("https://www.ecfr.gov/on/2021-08-02/title-14/section-250.5") == 1
    for word in ("bumped", "Answer:", "advice", "Dropped"):
        assert word not in found.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Zebra xylophone?", "--as-of", "2022-06-10"), "These texts give no answer"),
        ((BUMPED, "--as-of", "2015-03-10"), "No text is held for that day"),
    ],
)
def test_without_an_answer_a_line_says_so(words: tuple[str, ...], said: str, run: Run) -> None:
    found = run("ask", *words, "--citation")
    assert (found.code, found.out) == (1, "")
    assert f"error: {said}" in found.err


def test_without_the_date_filter_the_words_are_there(run: Run) -> None:
    found = run("ask", BUMPED, "--as-of", "2022-06-10", "--citation", "--no-date-filter")
    assert found.out.startswith("! DATE FILTER OFF") or found.code == 1


@pytest.mark.parametrize("other", ["--json", "--markdown", "--batch=questions.jsonl"])
def test_it_stands_alone(other: str, run: Run) -> None:
    words = ("ask", "--citation", other)
    found = run(*words) if "batch" in other else run(*words, BUMPED, "--as-of", "2022-06-10")
    assert found.code == 2
    assert "--citation prints a block of its own" in found.err
