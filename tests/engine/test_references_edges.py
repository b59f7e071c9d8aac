"""References on the days and in the lines that decide whether something is there."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine import references
from engine.checks_references import references_not_there
from engine.chunks import cut
from engine.model import Chunk
from engine.sources.numbers import Reference
from engine.versions import Timeline

if TYPE_CHECKING:
    from tests.engine.conftest import MakeText, MakeVersion

HELD_FROM, CURRENT_TO = date(2017, 1, 1), date(2026, 10, 7)


@pytest.fixture
def lines(make_text: MakeText, make_version: MakeVersion) -> list[Timeline]:
    """§ 9.1 has (b) from 2020 on and ends with 2022; § 9.2 refers to others; § 8.1 is of another part."""
    return [
        Timeline("14", versions[0].section, versions, HELD_FROM, CURRENT_TO)
        for versions in (
            (
                make_version(make_text("9.1", "(a)|(a) Pay."), "2018-01-01", "2019-12-31"),
                make_version(make_text("9.1", "(a)|(a) Pay.", "(b)|(b) Tell."), "2020-01-01", "2022-12-31"),
            ),
            (
                make_version(
                    make_text(
                        "9.2",
                        "(a)|(a) As in § 9.1, 49 CFR 7.3 and part 8.",
                        "(b)|(b) (1) See paragraph (2) and f(3), (4) and (5).",
                        "Terms are (1) silver and (2) gold.",
                    )
                ),
            ),
            (make_version(make_text("8.1", "Pay."), "2017-01-01"),),
        )
    ]


def said(reference: Reference, lines: list[Timeline], day: str) -> str | None:
    return references.fault(reference, iter(lines), date.fromisoformat(day))


class TestFaults:
    @pytest.mark.parametrize(
        ("day", "fault"),
        [
            ("2016-12-31", None),
            ("2017-01-01", "There was no section 9.1 on 2017-01-01."),
            ("2017-12-31", "There was no section 9.1 on 2017-12-31."),
            ("2018-01-01", "§ 9.1 had no paragraph (b) on 2018-01-01."),
            ("2019-12-31", "§ 9.1 had no paragraph (b) on 2019-12-31."),
            ("2020-01-01", None),
            ("2022-12-31", None),
            ("2023-01-01", "There was no section 9.1 on 2023-01-01."),
        ],
    )
    def test_each_first_and_last_day_decides(
        self, day: str, fault: str | None, lines: list[Timeline]
    ) -> None:
        assert said(Reference(section="9.1", label="(b)"), lines, day) == fault
        assert said(Reference(title="14", section="9.1", label="(b)"), lines, day) == fault

    def test_another_title_and_a_whole_part_are_not_judged(self, lines: list[Timeline]) -> None:
        assert said(Reference(title="49", section="9.7"), lines, "2020-01-01") is None
        assert said(Reference(part="7"), lines, "2020-01-01") is None
        assert said(Reference(title="14", section="9.7"), lines, "2020-01-01") == (
            "There is no section 9.7 in these texts, on 2020-01-01 or on any other day."
        )

    def test_faults_of_a_text_are_told_once_and_in_order(self, lines: list[Timeline]) -> None:
        text = "§ 9.8 and § 9.7, § 9.1(a), § 9.8, 14 CFR 9.7, § 8.1(z), § 7.1 and 49 CFR 9.9"
        assert list(references.faults(text, lines, date(2020, 1, 1))) == [
            "There is no section 9.8 in these texts, on 2020-01-01 or on any other day.",
            "There is no section 9.7 in these texts, on 2020-01-01 or on any other day.",
            "§ 8.1 had no paragraph (z) on 2020-01-01.",
        ]

    def test_what_was_there_on_any_day_was_ever_there(self, lines: list[Timeline]) -> None:
        assert references.ever(Reference(section="9.1", label="(b)"), lines)
        assert references.ever(Reference(section="9.1"), lines)
        assert not references.ever(Reference(section="9.1", label="(c)"), lines)
        assert not references.ever(Reference(section="9.9"), lines)


class TestParagraphs:
    @pytest.mark.parametrize(
        ("label", "held"),
        [
            ("", True),
            ("(a)", True),
            ("(c)", False),
            ("(b)(1)", True),
            ("(b)(2)", False),  # "paragraph (2)" is named, and is no item
            ("(b)(3)", False),  # nor is what follows a letter
            ("(b)(4)", True),
            ("(b)(4)(5)", True),
            ("(b)(4)(6)", False),
            ("(b)(6)(5)", False),
            ("(1)", True),
            ("(2)", True),
            ("(1)(2)", True),
            ("(3)", False),
            ("(1)(3)", False),
            ("(3)(1)", False),
        ],
    )
    def test_stand_by_label_or_as_items_of_a_line(
        self, label: str, held: bool, lines: list[Timeline]
    ) -> None:
        assert references.has(lines[1].versions[0].text, label) is held

    def test_a_notice_holds_no_paragraph(self, make_text: MakeText) -> None:
        text = make_text("9.1", "notice|Link to (1) an amendment.", "(a)|(a) Pay.")
        assert not references.has(text, "(1)")


class TestCovers:
    @pytest.fixture
    def passages(self, lines: list[Timeline]) -> list[Chunk]:
        """(a) and (b) of § 9.1, each as a passage of its own."""
        version = lines[0].versions[1]
        return [
            Chunk(name, version, place, 0, 4, (version.text.blocks[place],), place)
            for place, name in enumerate(("a", "b"))
        ]

    @pytest.mark.parametrize(
        ("reference", "covered"),
        [
            (Reference(section="9.1"), (True, True)),
            (Reference(title="14", section="9.1"), (True, True)),
            (Reference(title="49", section="9.1"), (False, False)),
            (Reference(section="9.2"), (False, False)),
            (Reference(section="9.1", label="(a)"), (True, False)),
            (Reference(section="9.1", label="(b)"), (False, True)),
            (Reference(section="9.1", label="(z)"), (True, True)),
            (Reference(part="9"), (True, True)),
            (Reference(title="14", part="9"), (True, True)),
            (Reference(title="49", part="9"), (False, False)),
            (Reference(part="8"), (False, False)),
        ],
    )
    def test_a_passage_covers_what_it_holds(
        self, reference: Reference, covered: tuple[bool, bool], passages: list[Chunk]
    ) -> None:
        assert tuple(references.covers(chunk, reference) for chunk in passages) == covered

    @pytest.mark.parametrize(
        ("reference", "spoken"),
        [
            (Reference(section="9.1"), True),
            (Reference(title="14", section="9.1", label="(b)"), True),
            (Reference(title="49", section="7.3"), True),
            (Reference(section="7.3"), False),
            (Reference(title="49", section="9.1"), False),
            (Reference(part="8"), True),
            (Reference(title="14", part="8"), True),
            (Reference(title="49", part="8"), False),
            (Reference(part="9"), False),
            (Reference(section="9.2"), False),
        ],
    )
    def test_a_section_speaks_of_what_it_names(
        self, reference: Reference, spoken: bool, lines: list[Timeline]
    ) -> None:
        chunk = cut(lines[1].versions[0])[0]
        assert references.speaks_of(chunk, reference) is spoken

    def test_references_are_shown_as_they_are_cited(self) -> None:
        assert references.shown(Reference(section="9.1", label="(a)")) == "§ 9.1(a)"
        assert references.shown(Reference(title="14", section="9.1")) == "14 CFR 9.1"
        assert references.shown(Reference(part="9")) == "part 9"
        assert references.shown(Reference(title="14", part="9")) == "14 CFR part 9"

    def test_named_takes_the_title_and_the_parts_of_the_texts(self, lines: list[Timeline]) -> None:
        text = "14 CFR 9.3, § 8.4, part 9, § 7.1, 49 CFR 9.1"
        assert [one.section for one in references.named(text, lines)] == ["9.3", "8.4"]


class TestClaims:
    def test_each_fault_is_told_once_and_the_rest_is_still_looked_at(self, lines: list[Timeline]) -> None:
        cited = cut(lines[0].versions[1])
        text = "§ 9.1(a), § 8.1, § 8.1, § 7.9 and § 9.1(z)"
        found = references_not_there(
            text, cited, lambda one: f"No {one.section}{one.label}." if one.label == "(z)" else None
        )
        places = "§ 9.1(a), (b)"
        assert found == [
            f"The claim names § 8.1 and cites {places}.",
            f"The claim names § 7.9 and cites {places}.",
            "No 9.1(z).",
        ]

    def test_one_cited_passage_that_covers_or_speaks_of_it_is_enough(self, lines: list[Timeline]) -> None:
        cited = [*cut(lines[2].versions[0]), *cut(lines[1].versions[0])]
        assert references_not_there("§ 9.1, § 9.2 and § 8.1", cited, lambda _: None) == []

    def test_what_is_not_there_is_told_rather_than_what_is_not_cited(self, lines: list[Timeline]) -> None:
        cited = cut(lines[0].versions[1])
        assert references_not_there("§ 8.9", cited, lambda _: "No such section.") == ["No such section."]

    def test_five_paragraphs_and_five_passages_are_named(
        self, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        rows = tuple(f"({name})|({name}) Pay." for name in "abcdefg")
        cited = [
            Chunk(number, version, 0, 0, 4, version.text.blocks, 0)
            for number in ("9.1", "9.2", "9.3", "9.4", "9.5", "9.6", "9.1")
            for version in [make_version(make_text(number, *rows))]
        ]
        (problem,) = references_not_there("§ 7.7", cited, lambda _: None)
        assert (
            problem
            == "The claim names § 7.7 and cites "
            + " and ".join(f"§ 9.{number}(a), (b), (c), (d), (e)" for number in range(1, 6))
            + "."
        )
