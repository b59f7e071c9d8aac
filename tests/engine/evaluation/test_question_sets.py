"""The question sets: whole, apart from each other, and true to the texts."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.errors import UsageError
from engine.evaluation.questions import DatedQuestion, Place, load_questions
from engine.model import Coverage, StandingKind

if TYPE_CHECKING:
    from engine.snapshot import Collection
    from engine.versions import Timeline

FOLDER = Path(__file__).parents[3] / "questions"
TEST_SHA256 = "6f644d8fc0ca33c9758c53ad37de58faf87a9edfe064d61d03d744a8b2005be7"
SETS = {name: load_questions(FOLDER / f"{name}.jsonl") for name in ("questions", "tuning", "heldout")}
ALL = [row for rows in SETS.values() for row in rows]
HELD_OUT_SHA256 = "cdec723b5faec84f8c25391a816a60c18cfc914b942eb9e40e50d41465afb049"
KINDS = {
    "dated": (15, 185, 58),
    "pending": (3, 28, 8),
    "correction": (1, 4, 4),
    "absent": (2, 26, 9),
    "stable": (6, 94, 23),
    "before": (2, 8, 5),
    "after": (1, 6, 3),
    "not_covered": (4, 62, 27),
}


def every(rows: list[DatedQuestion]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", rows, ids=[row.id for row in rows])


def found(pattern: str, text: str) -> bool:
    """As `questions/README.md` has it: case is ignored and a dot matches a line end."""
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def test_the_test_set_is_the_one_that_was_written_before_anything_was_tuned() -> None:
    assert hashlib.sha256((FOLDER / "questions.jsonl").read_bytes()).hexdigest() == TEST_SHA256


def test_the_held_out_set_is_the_one_that_nothing_was_tuned_on() -> None:
    assert hashlib.sha256((FOLDER / "heldout.jsonl").read_bytes()).hexdigest() == HELD_OUT_SHA256


def test_there_are_as_many_of_each_kind_as_the_readme_says() -> None:
    counted = [Counter(row.kind for row in rows) for rows in SETS.values()]

    assert {kind: tuple(count[kind] for count in counted) for kind in KINDS} == KINDS
    assert [len(rows) for rows in SETS.values()] == [34, 413, 137]
    readme = (FOLDER / "README.md").read_text("utf-8")
    for kind, (test, tuning, held_out) in KINDS.items():
        assert f"| `{kind}` | {test} | {tuning} | {held_out} |" in readme


def test_ids_are_unique() -> None:
    assert [row.id for row in SETS["questions"]] == [f"Q{number:02}" for number in range(1, 35)]
    assert len({row.id for row in ALL}) == len(ALL)


def test_no_question_stands_in_two_files() -> None:
    texts = [
        {" ".join(re.findall(r"\w+", row.question.casefold())) for row in rows} for rows in SETS.values()
    ]

    assert all(not one & other for one, other in combinations(texts, 2))


def test_no_question_is_asked_twice_for_a_day() -> None:
    assert len({(row.question, row.as_of) for row in ALL}) == len(ALL)


def test_the_first_six_are_one_question_on_six_days() -> None:
    six = SETS["questions"][:6]

    assert len({row.question for row in six}) == 1
    amounts = [re.findall(r"\$\d[\d,]*\d", row.reference) for row in six]
    assert [set(found) for found in amounts] == [
        set(),
        {"$675"},
        {"$675"},
        {"$775"},
        {"$775"},
        {"$1,075"},
    ]


@every(ALL)
def test_a_reference_passes_its_own_patterns(row: DatedQuestion) -> None:
    assert [key for key in row.keys if not found(key, row.reference)] == []
    assert [pattern for pattern in row.must_not if found(pattern, row.reference)] == []
    assert row.keys


@every(ALL)
def test_every_relevant_passage_stands_in_the_version_of_the_day(
    row: DatedQuestion, timelines: dict[str, Timeline]
) -> None:
    for place in row.relevant:
        standing = timelines[place.section].standing(row.as_of)
        version = standing.version
        assert version is not None
        assert version.effective_from == place.effective_from
        after = row.kind == "after"
        assert standing.kind is (StandingKind.AFTER if after else StandingKind.IN_FORCE)
        # A text may stand below the label that is given: the notice of § 250.9(b) numbers its own items.
        blocks = [
            block
            for block in version.text.blocks
            if block.label == place.paragraph
            or (place.text and place.paragraph and block.label.startswith(place.paragraph))
        ]
        if place.paragraph or place.text:
            assert blocks, place
        for text in place.text:
            assert any(text in block.text for block in blocks), text


@every(ALL)
def test_the_kind_agrees_with_the_day(
    row: DatedQuestion, collection: Collection, timelines: dict[str, Timeline]
) -> None:
    expected = {"before": Coverage.BEFORE, "after": Coverage.AFTER}.get(row.kind, Coverage.INSIDE)

    assert collection.coverage(row.as_of) is expected
    assert bool(row.relevant) == (row.kind not in {"before", "absent", "not_covered"})
    if row.kind == "pending":
        versions = [timelines[place.section].text_on(row.as_of) for place in row.relevant]
        assert any(version.pending for version in versions if version)


LINE = json.dumps(
    {
        "id": "Q1",
        "kind": "dated",
        "as_of": "2022-06-10",
        "question": "How much?",
        "reference": "$775.",
        "relevant": [{"section": "250.5", "effective_from": "2021-08-02", "paragraph": "(a)(2)"}],
        "keys": ["775"],
        "must_not": [],
        "needs": "amount",
    }
)


def test_a_line_is_read_whole_and_empty_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"\n{LINE}\n\n", "utf-8")

    assert load_questions(file) == (
        DatedQuestion(
            "Q1",
            "dated",
            date(2022, 6, 10),
            "How much?",
            "$775.",
            (Place("250.5", date(2021, 8, 2), "(a)(2)"),),
            ("775",),
            (),
            "amount",
        ),
    )


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        "[]",
        "5",
        "{}",
        LINE.replace('"2022-06-10"', '"10 June"'),
        LINE.replace('"2022-06-10"', "5"),
        LINE.replace('"keys": ["775"]', '"keys": null'),
        LINE.replace('[{"section"', '["x", {"section"'),
        LINE.replace('"needs"', '"needed"'),
        LINE.replace('"needs"', '"latter": [], "needs"'),
        LINE.replace('"needs"', '"later": null, "needs"'),
        LINE.replace('"needs"', '"scope": [{}], "needs"'),
    ],
)
def test_a_bad_line_is_named_by_its_number(bad: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"{LINE}\n\n{bad}\n", "utf-8")

    with pytest.raises(UsageError, match=r"mine\.jsonl, line 3: not a question"):
        load_questions(file)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_named(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(UsageError, match=r"mine\.jsonl cannot be read"):
        load_questions(file)
