"""Notes on later corrections and enforcement: dated, cited, with their own sum."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine import open_engine
from engine.errors import SnapshotError
from engine.notes import load_notes
from engine.paths import shipped

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Engine

ROW = {
    "kind": "enforcement",
    "sections": ["250.5"],
    "paragraph": "",
    "from": "2025-01-22",
    "to": "2025-03-19",
    "citation": "90 FR 9952",
    "published": "2025-02-20",
    "text": "Not enforced.",
}


def written(folder: Path, *rows: object, digest: str | None = None) -> Path:
    path = folder / "us.notes.jsonl"
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".sha256").write_text(f"{digest or found}  us.notes.jsonl\n")
    return path


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return open_engine(data=tmp_path_factory.mktemp("data"), models=False)


def kinds(engine: Engine, question: str, day: str) -> list[str]:
    card = engine.ask(question, date.fromisoformat(day))
    return [warning.kind for warning in card.warnings]


def test_the_shipped_notes_are_the_two_that_are_known() -> None:
    notes = load_notes(shipped("regulations") / "us-14-cfr.notes.jsonl")
    assert [(note.kind, note.citation, note.published) for note in notes] == [
        ("later_corrected", "86 FR 41381", date(2021, 8, 2)),
        ("enforcement", "90 FR 9952", date(2025, 2, 20)),
    ]


def test_a_collection_without_notes_has_none(tmp_path: Path) -> None:
    assert load_notes(tmp_path / "us.notes.jsonl") == ()


def test_a_note_bears_on_its_sections_days_and_paragraph(tmp_path: Path) -> None:
    (note,) = load_notes(written(tmp_path, ROW | {"paragraph": "(b)(3)"}))
    assert note.bears_on("250.5", "(b)(2), (b)(3)", date(2025, 1, 22))
    assert note.bears_on("250.5", "(b)(3)", date(2025, 3, 19))
    assert not note.bears_on("250.5", "(b)(3)", date(2025, 3, 20))
    assert not note.bears_on("250.5", "(b)(3)", date(2025, 1, 21))
    assert not note.bears_on("250.5", "(a)(2)", date(2025, 2, 1))
    assert not note.bears_on("250.9", "(b)(3)", date(2025, 2, 1))


def test_altered_notes_are_refused_naming_both_sums(tmp_path: Path) -> None:
    path = written(tmp_path, ROW, digest="0" * 64)
    with pytest.raises(SnapshotError, match=f"{hashlib.sha256(path.read_bytes()).hexdigest()}.*{'0' * 64}"):
        load_notes(path)


def test_notes_without_a_sum_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, ROW)
    path.with_suffix(".sha256").unlink()
    with pytest.raises(SnapshotError, match="cannot be read"):
        load_notes(path)


@pytest.mark.parametrize(
    "row",
    ["no json", "[]", ROW | {"kind": "rumour"}, ROW | {"from": "soon"}, {"kind": "enforcement"}],
)
def test_a_malformed_note_is_refused_with_its_line(tmp_path: Path, row: Any) -> None:
    with pytest.raises(SnapshotError, match=r"us\.notes\.jsonl, line 2: not a note"):
        load_notes(written(tmp_path, ROW, row))


class TestOnTheCard:
    QUESTION = "Bumped involuntarily from Chicago to London, oversold, five hours late. What is the limit?"

    def test_the_paragraph_that_was_corrected_later_says_so_and_shows_the_conflict(
        self, engine: Engine
    ) -> None:
        card = engine.ask(self.QUESTION, date(2021, 6, 10))
        told = {warning.kind: warning.text for warning in card.warnings}
        assert "$1,350" in card.answer
        assert "$1,550" not in card.answer
        assert "86 FR 41381" in told["later_corrected"]
        assert "$1,550" in told["conflict"]
        assert "14 CFR 250.9(b)" in told["conflict"]

    @pytest.mark.parametrize("day", ["2021-04-12", "2021-08-02", "2022-06-10"])
    def test_on_other_days_there_is_neither(self, engine: Engine, day: str) -> None:
        assert not {"later_corrected", "conflict"} & set(kinds(engine, self.QUESTION, day))

    def test_amounts_not_yet_enforced_were_in_force_and_carry_the_note(self, engine: Engine) -> None:
        assert "enforcement" in kinds(engine, self.QUESTION, "2025-03-01")
        assert "$2,150" in engine.ask(self.QUESTION, date(2025, 3, 1)).answer
        assert "enforcement" not in kinds(engine, self.QUESTION, "2025-03-20")

    def test_an_abstention_carries_no_note(self, engine: Engine) -> None:
        assert "enforcement" not in kinds(engine, "Is a hotel room due after being bumped?", "2025-03-01")
