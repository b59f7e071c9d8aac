"""Section numbers sort as the code does, and references are read whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from engine.sources.numbers import Reference, find_references, normalise_section, section_key

IN_ORDER = [
    "1.1031(d)-1T",
    "100.35T01-0125",
    "226.5a",
    "240.10b-5",
    "240.10b-21",
    "250.2",
    "250.2a",
    "250.2b",
    "250.5",
    "250.10",
    "708a.101",
    "Appendix A to Part 135",
]


def test_numbers_sort_as_the_code_does() -> None:
    assert sorted(set(IN_ORDER), key=section_key) == IN_ORDER


def test_a_number_longer_than_any_integer_still_sorts() -> None:
    assert section_key("1" * 9_999) < section_key("2" * 9_999) < section_key("1" * 10_000)


@settings(deadline=None)
@given(st.lists(st.text()))
def test_any_texts_can_be_sorted_and_different_ones_differ(texts: list[str]) -> None:
    keys = sorted(section_key(text) for text in texts)
    assert len(set(keys)) == len(set(texts))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14 CFR 250.5(a)(2)", Reference("14", "250.5", "(a)(2)")),
        ("§250.5", Reference("", "250.5")),
        ("  § 250.5 (a)(2)? ", Reference("", "250.5", "(a)(2)")),
        ("§\u00a0250.5", Reference("", "250.5")),
        ("14 C.F.R. Sec. 250.5a", Reference("14", "250.5a")),
        ("title 14 CFR 250.5", Reference("14", "250.5")),
        ("14 Code of Federal Regulations 250.5", Reference("14", "250.5")),
        ("section 250.9(b)", Reference("", "250.9", "(b)")),
        ("Section 250.9(b)(1)(iii)(A)", Reference("", "250.9", "(b)(1)(iii)(A)")),
        ("250.5", Reference("", "250.5")),
        ("240.10b-5", Reference("", "240.10b-5")),
        ("240.10b-21", Reference("", "240.10b-21")),
        ("26 CFR 1.1031(d)-1T", Reference("26", "1.1031(d)-1T")),
        ("26 CFR 1.401(a)(9)-1(b)", Reference("26", "1.401(a)(9)-1", "(b)")),
        ("1.409A-1(b)", Reference("", "1.409A-1", "(b)")),
        ("100.35T01-0125", Reference("", "100.35T01-0125")),
        ("165.T01-0125", Reference("", "165.T01-0125")),
        ("708a.101", Reference("", "708a.101")),
        ("226.5a", Reference("", "226.5a")),
        ("41 CFR 102-3.5", Reference("41", "102-3.5")),
        ("14 CFR part 250.5", Reference("14", "250.5")),
        ("Part 254", Reference(part="254")),
        ("14 CFR Part 254", Reference("14", part="254")),
        ("14 CFR 254", Reference("14", part="254")),
    ],
)
def test_a_reference_is_read_whole(text: str, expected: Reference) -> None:
    assert normalise_section(text) == expected


@pytest.mark.parametrize(
    "text", ["", "254", "§ 254", "250.5.6", "$250.50", "hello", "250.5 and 250.9", "14 CFR"]
)
def test_what_is_no_single_reference_is_none(text: str) -> None:
    assert normalise_section(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("§§ 250.5(a)(2) and 250.9", [Reference("", "250.5", "(a)(2)"), Reference("", "250.9")]),
        (
            "under 14 CFR 250.5, 254.4, and 254.6.",
            [Reference("14", "250.5"), Reference("14", "254.4"), Reference("14", "254.6")],
        ),
        ("49 CFR 27.71 through 27.77", [Reference("49", "27.71"), Reference("49", "27.77")]),
        ("§§ 250.1-250.9", [Reference("", "250.1"), Reference("", "250.9")]),
        ("Parts 250 and 254 apply", [Reference(part="250"), Reference(part="254")]),
        ("Part 250 and 14 days", [Reference(part="250")]),
        ("14 CFR 250 and 30 days", [Reference("14", part="250")]),
        ("§ 250.5 and 10.25 hours", [Reference("", "250.5")]),
        ("does 250.5(a) apply, and 250.5(a)?", [Reference("", "250.5", "(a)")]),
        ("does 250.9 apply?", [Reference("", "250.9")]),
        ("what of 1.5(a)?", [Reference("", "1.5", "(a)")]),
        ("what does paragraph (d) of 250.11 require", [Reference("", "250.11", "(d)")]),
        ("subparagraph (c)(2) in section 250.5", [Reference("", "250.5", "(c)(2)")]),
        ("250.9, paragraph (b), says so", [Reference("", "250.9", "(b)")]),
        ("para. (e) (2) of 14 CFR 250.5", [Reference("14", "250.5", "(e)(2)")]),
        ("paragraph (b) of part 254", [Reference(part="254")]),
        ("paragraph (a) of this section", []),
    ],
)
def test_references_are_found_in_a_text(text: str, expected: list[Reference]) -> None:
    assert find_references(text) == tuple(expected)


@pytest.mark.parametrize(
    "text",
    [
        "I paid $250.50 or $ 250.50",
        "€ 250.50",
        "they owe $1,550.25 of it",
        "250.9% of the fare, 25.5 percent",
        "2.5 times, 12.30 pm, 23.5 kg, 10.5 hours late",
        "on 10.06.2022",
        "§ 250",
        "49 U.S.C. 41102",
        "30 days",
    ],
)
def test_amounts_times_and_measures_are_no_sections(text: str) -> None:
    assert find_references(text) == ()


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    assert all(reference.section or reference.part for reference in find_references(text))
    normalise_section(text)
