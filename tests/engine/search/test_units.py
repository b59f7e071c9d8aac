from __future__ import annotations

from typing import TYPE_CHECKING

from engine.chunks import cut
from engine.model import BlockKind
from engine.search.units import LEAD_WORDS, VARIABLE, parent, title_of, units_of

if TYPE_CHECKING:
    from engine.model import Chunk
    from tests.engine.conftest import MakeText, MakeVersion


def test_a_title_is_the_heading_without_its_number(make_text: MakeText) -> None:
    headings = {
        "§ 250.8 Denied boarding compensation.": "Denied boarding compensation.",
        "§ 250.7 [Reserved]": "[Reserved]",
        "§§ 250.12-250.20 [Reserved]": "[Reserved]",
        "Appendix A to Part 121—First Aid Kits": "Appendix A to Part 121—First Aid Kits",
        "§ 250.7": "",
    }
    assert {heading: title_of(make_text(heading=heading)) for heading in headings} == headings


def test_the_parent_of_a_label_path() -> None:
    assert [parent(label) for label in ("(a)(2)(iv)", "(a)(2)", "(a)", "")] == ["(a)(2)", "(a)", "", ""]


def test_every_chunk_has_a_unit_and_every_rule_is_one(chunks: tuple[Chunk, ...]) -> None:
    units = units_of(chunks)
    assert [unit.chunk for unit in units] == sorted(unit.chunk for unit in units)
    by_chunk: dict[int, list[int]] = {}
    for unit in units:
        chunk = chunks[unit.chunk]
        by_chunk.setdefault(unit.chunk, []).append(unit.block)
        if chunk.blocks:
            assert unit.own.startswith(chunk.blocks[unit.block].text)
            assert unit.text.startswith(title_of(chunk.version.text))
            assert unit.text.endswith(unit.own)
    for place, chunk in enumerate(chunks):
        rules = [
            n
            for n, block in enumerate(chunk.blocks)
            if block.kind is not BlockKind.NOTICE and not VARIABLE.match(block.text)
        ]
        assert by_chunk[place] == (rules or [0])


def texts(make_text: MakeText, make_version: MakeVersion, *lines: str) -> list[list[str]]:
    """The units' texts as lines, for one version of a section titled `T.`."""
    version = make_version(make_text("250.5", *lines, heading="§ 250.5 T."))
    return [unit.text.split("\n") for unit in units_of(cut(version))]


def test_a_sub_paragraph_is_led_by_what_it_continues(make_text: MakeText, make_version: MakeVersion) -> None:
    assert texts(
        make_text,
        make_version,
        "Intro.",
        "(a)|Carriers shall:",
        "(a)(1)|Pay;",
        "(a)(1)(i)|Cash.",
        "(a)(1)|A table.",
        "(b)|Other.",
        "(c)(1)|Orphan.",
    ) == [
        ["T.", "Intro."],
        ["T.", "Intro.", "Carriers shall:"],
        ["T.", "Intro.", "Carriers shall:", "Pay;"],
        ["T.", "Intro.", "Carriers shall:", "Pay;", "Cash."],
        ["T.", "Intro.", "Carriers shall:", "Pay;", "A table."],
        ["T.", "Intro.", "Other."],
        ["T.", "Intro.", "Orphan."],
    ]


def test_a_heading_leads_what_follows_in_its_paragraph(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    assert texts(
        make_text,
        make_version,
        "(a)|Post a sign.",
        "heading|Sign",
        "heading|Notice",
        "Overbooking.",
        "(b)|Other.",
    ) == [
        ["T.", "Post a sign."],
        ["T.", "Sign"],
        ["T.", "Notice"],
        ["T.", "Notice", "Overbooking."],
        ["T.", "Overbooking.", "Notice", "Other."],
    ]


def test_a_defined_term_leads_nothing(make_text: MakeText, make_version: MakeVersion) -> None:
    assert texts(make_text, make_version, "Carrier|means one.", "Fare|means price.") == [
        ["T.", "Carrier means one."],
        ["T.", "Fare means price."],
    ]


def test_a_lead_is_shortened(make_text: MakeText, make_version: MakeVersion) -> None:
    long = " ".join(f"word{n}" for n in range(100))
    lead = texts(make_text, make_version, f"(a)|{long}", "(a)(1)|Pay.")[1][1]
    assert lead.split() == long.split()[:LEAD_WORDS]


def test_a_notice_is_no_unit_beside_a_rule_and_leads_nothing(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    assert texts(make_text, make_version, "notice|Link to an amendment.", "(a)|Pay.") == [["T.", "Pay."]]


def test_a_notice_alone_stands_for_its_section(make_text: MakeText, make_version: MakeVersion) -> None:
    assert texts(make_text, make_version, "notice|Link to an amendment.") == [["T.", "Link to an amendment."]]


def test_a_section_without_text_is_found_by_its_heading(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    assert texts(make_text, make_version) == [["§ 250.5 T."]]


def test_equal_words_of_two_versions_are_equal_units(make_text: MakeText, make_version: MakeVersion) -> None:
    old = make_version(make_text("250.5", "(a)|Same.", "(b)|Old."), last="2021-04-12")
    new = make_version(make_text("250.5", "(a)|Same.", "(b)|New."), "2021-04-13")
    units = units_of([*cut(old), *cut(new)])
    assert [unit.chunk for unit in units] == [0, 0, 1, 1]
    assert len({unit.text for unit in units}) == 3


def test_leads_come_from_earlier_chunks_of_the_version(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    words = " ".join(["word"] * 150)
    version = make_version(
        make_text("250.5", "(a)|Carriers shall:", f"(a)(1)|{words}", f"(a)(2)|{words}", heading="§ 250.5 T.")
    )
    chunks = cut(version)
    assert len(chunks) == 2
    assert units_of(chunks[1:])[0].text.split("\n")[:2] == ["T.", "Carriers shall:"]
