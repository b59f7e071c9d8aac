"""The shipped snapshot and, where they are at hand, files of other titles."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.model import BlockKind
from engine.sources.ecfr import read
from engine.sources.numbers import section_key

if TYPE_CHECKING:
    from engine.model import SectionText
    from engine.sources import ReadResult

CHECKOUT = Path(__file__).parents[3]
SNAPSHOT = CHECKOUT / "regulations" / "us-14-cfr"
SAMPLES = CHECKOUT.parent / "shared" / "samples" / "ecfr"
COPIES = sorted(SNAPSHOT.glob("part-*.xml"))
SECTIONS = (
    "250.1 250.2 250.2a 250.2b 250.3 250.5 250.6 250.7 250.8 250.9 250.10 250.11"
    " 254.1 254.2 254.3 254.4 254.5 254.6"
)


def copy(name: str) -> ReadResult:
    path = SNAPSHOT / name
    return read(path.read_bytes(), path.name)


def section(number: str, day: str) -> SectionText:
    (part,) = copy(f"part-{number[:3]}_{day}.xml").parts
    (found,) = [section for section in part.sections if section.section == number]
    return found


@pytest.mark.parametrize("path", COPIES, ids=lambda path: path.stem)
def test_every_copy_is_read_whole_and_without_a_warning(path: Path) -> None:
    result = read(path.read_bytes(), path.name)
    assert result.warnings == ()
    assert result.left_out == ()
    assert result.lost == 0
    assert result.words_in == result.words_kept > 0
    (part,) = result.parts
    assert (part.title, part.part) == ("14", path.stem[5:8])
    assert part.authority.startswith("Authority: 49 U.S.C.")
    assert part.source.startswith("Source: ER-")


def test_the_snapshot_holds_eighteen_sections() -> None:
    numbers = {
        section.section for path in COPIES for part in copy(path.name).parts for section in part.sections
    }
    assert sorted(numbers, key=section_key) == SECTIONS.split()


def test_the_words_of_254_4_change_with_the_notice_alone() -> None:
    days = ["2017-01-01", "2021-01-13", "2021-04-13", "2024-10-24", "2025-01-22"]
    texts = [section("254.4", day) for day in days]
    assert [len(text.body.split()) for text in texts] == [71, 83, 71, 83, 71]
    assert [len(text.notices) for text in texts] == [0, 1, 0, 1, 0]
    assert [amount for text in texts for amount in ("$3,500", "$3,800", "$4,700") if amount in text.body] == [
        "$3,500",
        "$3,500",
        "$3,800",
        "$3,800",
        "$4,700",
    ]


def test_the_notice_in_250_5_names_its_document_and_day() -> None:
    text = section("250.5", "2024-10-24")
    (notice,) = text.notices
    assert (notice.citation, notice.published) == ("89 FR 84818", date(2024, 10, 24))
    assert text.blocks[0].kind is BlockKind.NOTICE
    assert text.source_note.startswith("[Doc. No. DOT-OST-2010-0140, 76 FR 23162")


def test_the_labels_of_250_5_follow_its_paragraphs() -> None:
    labels = [block.label for block in section("250.5", "2025-01-22").blocks]
    assert " ".join(labels) == (
        "(a) (a)(1) (a)(2) (a)(3) (b) (b)(1) (b)(2) (b)(3) (c) (c)(1) (c)(2) (c)(3)"
        " (d) (e) (e)(1) (e)(2) (e)(3) (f) (g)"
    )


def test_the_statement_of_250_9_stays_under_paragraph_b() -> None:
    text = section("250.9", "2025-01-22")
    labels = [block.label for block in text.blocks]
    assert labels[:2] == ["(a)", "(b)"]
    assert [label for label in labels if label.startswith("(b)(")] == [
        f"(b)({number})" for number in range(1, 7)
    ]
    assert labels[-2:] == ["(b)", "(c)"]
    after = [block for block in text.blocks if block.text == "Amount of Denied Boarding Compensation"]
    assert after[0].label == "(b)"
    assert text.approvals == (
        "(Approved by the Office of Management and Budget under control number 3024-0003)",
    )


def test_a_table_of_250_9_has_a_line_a_row() -> None:
    tables = [block for block in section("250.9", "2024-10-24").blocks if block.kind is BlockKind.TABLE]
    assert [block.label for block in tables] == ["(b)", "(b)"]
    rows = tables[0].text.split("\n")
    assert rows[0] == "0 to 1 hour arrival delay | No compensation."
    assert [row.count(" | ") for row in rows] == [1, 1, 1]


def test_the_sign_of_250_11_stays_under_paragraph_a() -> None:
    blocks = section("250.11", "2025-01-22").blocks
    assert [(block.kind.value, block.label) for block in blocks] == [
        ("paragraph", "(a)"),
        ("heading", "(a)"),
        ("paragraph", "(a)"),
        ("paragraph", "(b)"),
        ("paragraph", "(c)"),
        ("paragraph", "(d)"),
        ("paragraph", "(e)"),
    ]


def test_definitions_have_terms_and_no_labels() -> None:
    blocks = section("250.1", "2025-01-22").blocks
    assert {block.label for block in blocks} == {""}
    assert [block.term for block in blocks][:3] == ["Airport", "Alternate transportation", "Carrier"]


def test_the_formula_of_254_6_keeps_its_lines() -> None:
    blocks = section("254.6", "2017-01-01").blocks
    assert [block.text for block in blocks][1:3] == [
        "$2500 × (a/b) rounded to the nearest $100 where:",  # noqa: RUF001 - as published
        "a = July CPI-U of year of current adjustment",
    ]
    assert {block.label for block in blocks} == {""}


@pytest.mark.skipif(not SAMPLES.exists(), reason="files of other titles are not part of the project")
@pytest.mark.parametrize("name", [path.name for path in sorted(SAMPLES.glob("*.xml"))])
def test_files_of_other_titles_lose_nothing_but_head_matter(name: str) -> None:
    result = read((SAMPLES / name).read_bytes(), name)
    assert result.lost == 0
    assert all("last amendment" in part.reason for part in result.left_out)
    assert {part.title for part in result.parts} == {name.removeprefix("title-").partition("_")[0]}
    assert len(result.warnings) <= 1  # one real jump, in appendix G of part 135
