"""Label paths are read from the text, with what comes later deciding what stood before."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from engine.sources.labels import Line, Role, read_labels

PATH = re.compile(r"(?:\([0-9A-Za-z]+\))*")


def line(text: str, role: Role = Role.PARAGRAPH, *setoff: int) -> Line:
    """Build a line from text in which `*…*` marks emphasis."""
    spans: list[tuple[int, int]] = []
    out = ""
    for place, piece in enumerate(text.split("*")):
        if place % 2:
            spans.append((len(out), len(out) + len(piece)))
        out += piece
    return Line(out, tuple(spans), role, setoff)


def paths(*texts: str) -> list[str]:
    return [label.label for label in read_labels([line(text) for text in texts])]


def surprises(*texts: str) -> list[str]:
    return [label.surprise for label in read_labels([line(text) for text in texts]) if label.surprise]


def run(*labels: str) -> list[str]:
    return paths(*(f"({label}) text." for label in labels))


def test_all_levels_nest() -> None:
    texts = [
        "(a) x:",
        "(1) x:",
        "(i) x:",
        "(A) x:",
        "(*1*) x:",
        "(*i*) x;",
        "(*ii*) x.",
        "(*2*) x",
        "(B) x",
        "(ii) x",
    ]
    assert paths(*texts, "(2) x", "(b) x") == [
        "(a)",
        "(a)(1)",
        "(a)(1)(i)",
        "(a)(1)(i)(A)",
        "(a)(1)(i)(A)(1)",
        "(a)(1)(i)(A)(1)(i)",
        "(a)(1)(i)(A)(1)(ii)",
        "(a)(1)(i)(A)(2)",
        "(a)(1)(i)(B)",
        "(a)(1)(ii)",
        "(a)(2)",
        "(b)",
    ]


def test_italics_that_were_lost_still_nest() -> None:
    assert run("a", "1", "i", "A", "1", "2", "B")[4:] == [
        "(a)(1)(i)(A)(1)",
        "(a)(1)(i)(A)(2)",
        "(a)(1)(i)(B)",
    ]


@pytest.mark.parametrize(
    "text", ["See § 250.9(c)", "(See also § 250.9(c)).", "(name of carrier) x", "(see)", "(mix)", "(a)s"]
)
def test_words_in_parentheses_are_no_labels(text: str) -> None:
    assert paths("(b) x", text)[1] == "(b)"
    assert paths(text) == [""]


def test_compound_labels_open_all_their_levels() -> None:
    assert paths("(a)(1)(i) x", "(ii) x", "(2) x", "(b)(1) x", "(b)(2) x") == [
        "(a)(1)(i)",
        "(a)(1)(ii)",
        "(a)(2)",
        "(b)(1)",
        "(b)(2)",
    ]


def test_a_label_after_an_emphasised_caption_is_deeper() -> None:
    labels = read_labels(
        [line("(a) *Caption.* (1) text"), line("(2) *Fare* means x"), line("(b) *Plain* caption")]
    )
    assert [(label.label, label.term) for label in labels] == [
        ("(a)(1)", "Caption"),
        ("(a)(2)", "Fare"),
        ("(b)", "Plain"),
    ]


def test_a_caption_that_holds_its_label_is_no_italic_label() -> None:
    assert [(x.label, x.term) for x in read_labels([line("(a) x"), line("*(1) Caption.* text")])][1] == (
        "(a)(1)",
        "Caption",
    )


def test_a_caption_without_emphasis_keeps_the_first_label() -> None:
    assert paths("(a) Caption. (1) text; (2) more") == ["(a)"]
    assert paths("(a) *Caption* (2) of this section") == ["(a)"]


@pytest.mark.parametrize(
    ("labels", "last"),
    [
        (["g", "h", "i", "j"], "(i)"),
        (["g", "h", "1", "i", "ii"], "(h)(1)(i)"),
        (["g", "h", "1", "i", "j"], "(i)"),
        (["g", "h", "1", "i", "1"], "(i)"),
        (["t", "u", "v", "w"], "(v)"),
        (["t", "u", "1", "i", "ii", "iii", "iv", "v", "vi"], "(u)(1)(v)"),
        (["t", "u", "1", "i", "ii", "iii", "iv", "v", "w"], "(v)"),
        (["v", "w", "x", "y"], "(x)"),
        (["gg", "hh", "ii", "jj"], "(ii)"),
        (["hh", "1", "i", "ii", "iii"], "(hh)(1)(ii)"),
        (["k", "l", "m"], "(l)"),
    ],
)
def test_an_ambiguous_label_is_decided_by_what_follows(labels: list[str], last: str) -> None:
    if labels[0] != "a" and len(labels[0]) == 1:
        labels = [chr(c) for c in range(ord("a"), ord(labels[0]))] + labels
    elif len(labels[0]) == 2:
        before = [chr(c) for c in range(ord("a"), ord("z") + 1)]
        labels = before + [c + c for c in before[: before.index(labels[0][0])]] + labels
    assert last in run(*labels)
    assert surprises(*(f"({label}) text." for label in labels)) == []


def test_a_colon_or_its_absence_decides_at_the_end() -> None:
    start = [f"({c}) x." for c in "abcdefgh"]
    assert paths(*start, "(1) x.", "(i) x.")[-1] == "(i)"
    assert paths(*start, "(1) x:", "(i) x.")[-1] == "(h)(1)(i)"


def test_what_has_no_label_belongs_to_the_label_before() -> None:
    lines = [
        line("x"),
        line("(a) x:"),
        line("(1) x"),
        line("flush text"),
        line("a | b", Role.FOLLOWS),
        line("Heading", Role.HEADING),
        line("(2) x"),
        line("notice", Role.APART),
        line("(b) x"),
    ]
    expected = ["", "(a)", "(a)(1)", "(a)(1)", "(a)(1)", "(a)(1)", "(a)(2)", "", "(b)"]
    assert [label.label for label in read_labels(lines)] == expected


def test_labels_in_set_off_text_count_under_the_label_around_it() -> None:
    lines = [
        line("(a) x"),
        line("(b) The statement reads:"),
        line("Heading", Role.HEADING, 1),
        line("(1) you have not", Role.PARAGRAPH, 1),
        line("(2) you are", Role.PARAGRAPH, 1),
        line("Heading", Role.HEADING, 1),
        line("text", Role.PARAGRAPH, 1),
        line("(1) anew", Role.PARAGRAPH, 1),
        line("inner", Role.PARAGRAPH, 1, 2),
        line("(a) inner", Role.PARAGRAPH, 1, 2),
        line("(2) outer", Role.PARAGRAPH, 1),
        line("(c) x"),
    ]
    labels = read_labels(lines)
    assert [label.label for label in labels] == [
        "(a)",
        "(b)",
        "(b)",
        "(b)(1)",
        "(b)(2)",
        "(b)",
        "(b)",
        "(b)(1)",
        "(b)(1)",
        "(b)(1)(a)",
        "(b)(2)",
        "(c)",
    ]
    assert not any(label.surprise for label in labels)


def test_a_list_goes_on_after_a_heading_in_set_off_text() -> None:
    lines = [
        line(text, role, 1)
        for text, role in [("(1) x", Role.PARAGRAPH), ("H", Role.HEADING), ("(2) x", Role.PARAGRAPH)]
    ]
    assert [label.label for label in read_labels(lines)] == ["(1)", "", "(2)"]


def test_set_off_text_may_go_on_with_the_list_around_it() -> None:
    lines = [line("(a) x"), line("(b) x"), line("(c) x", Role.PARAGRAPH, 1), line("(d) x")]
    labels = read_labels(lines)
    assert [label.label for label in labels] == ["(a)", "(b)", "(c)", "(d)"]
    assert not any(label.surprise for label in labels)


def test_neighbouring_set_off_texts_count_on_their_own() -> None:
    lines = [
        line("(a) x:"),
        line("(1) x", Role.PARAGRAPH, 1),
        line("(1) x", Role.PARAGRAPH, 2),
        line("(2) x", Role.PARAGRAPH, 2),
    ]
    assert [label.label for label in read_labels(lines)] == ["(a)", "(a)(1)", "(a)(1)", "(a)(2)"]


def test_a_jump_is_kept_and_told() -> None:
    assert run("a", "d", "e") == ["(a)", "(d)", "(e)"]
    assert surprises("(a) x", "(d) x", "(e) x") == ["(d) follows (a)"]
    assert surprises("(a) x", "(b) x", "(b) x") == ["(b) follows (b)"]
    assert run("a", "a", "b") == ["(a)", "(a)", "(b)"]
    assert surprises("(c) x") == ["(c) begins a list"]


def test_a_range_of_reserved_paragraphs_leads_on() -> None:
    for text in ("(b)-(d) [Reserved]", "(b) through (d) [Reserved]", "(b)—(d) [Reserved]"):
        assert paths("(a) x", text, "(e) x") == ["(a)", "(b)", "(e)"]
        assert surprises("(a) x", text, "(e) x") == []
    assert paths("(a) x", "(b)-(1) [Reserved]", "(c) x") == ["(a)", "(b)", "(c)"]


def test_definitions_without_labels_stand_side_by_side() -> None:
    labels = read_labels(
        [
            line("As used here:"),
            line("*Carrier* means—"),
            line("(1) a direct carrier; or"),
            line("(2) a foreign carrier."),
            line("“*Fare*” means:"),
            line("(1) a price."),
            line("*Stop* means x"),
        ]
    )
    assert [label.label for label in labels] == ["", "", "(1)", "(2)", "", "(1)", ""]
    assert [label.term for label in labels] == ["", "Carrier", "", "", "Fare", "", "Stop"]
    assert not any(label.surprise for label in labels)


def test_a_list_may_begin_anew_after_an_unlabelled_paragraph() -> None:
    texts = ("(1) x;", "(2) x.", "Another matter", "(1) x;", "(2) x.")
    assert paths(*texts) == ["(1)", "(2)", "(2)", "(1)", "(2)"]
    assert surprises(*texts) == []


def test_the_numbers_of_an_outline_begin_anew_in_an_appendix() -> None:
    texts = [
        "4. General. (a) *Caption.* x",
        "(b) x",
        "5. Takeoff. Text",
        "(a) x:",
        "(1) x",
        "G135.2.5 *Name*",
        "(a) x",
    ]
    lines = [line(text, Role.PARAGRAPH, 1) for text in texts]
    labels = read_labels(lines)
    assert [label.label for label in labels] == ["(a)", "(b)", "", "(a)", "(a)(1)", "", "(a)"]
    assert labels[0].term == "Caption"
    assert not any(label.surprise for label in labels)


def test_odd_nesting_is_kept_without_surprise() -> None:
    assert run("A", "1") == ["(A)", "(A)(1)"]
    assert run("i", "A") == ["(i)", "(i)(A)"]
    assert run("a", "i", "ii", "b") == ["(a)", "(a)(i)", "(a)(ii)", "(b)"]
    assert run("1", "A") == ["(1)", "(1)(A)"]
    assert run("II")[0] == "(II)"


def test_an_endless_chain_of_labels_is_cut() -> None:
    assert len(paths("(a)" * 3_000)[0]) <= 3 * 8


def test_no_lines_give_no_labels() -> None:
    assert read_labels([]) == ()


_LABEL = st.sampled_from(
    ["(a)", "(b)", "(d)", "(i)", "(ii)", "(v)", "(1)", "(2)", "(A)", "(I)", "(x)", "(see)", "5. X. "]
)
_TEXT = st.one_of(
    st.text(max_size=40),
    st.tuples(
        st.lists(_LABEL, max_size=4), st.sampled_from(["", " ", " [Reserved]", "-(d) [Reserved]", ":"])
    ).map(lambda parts: "".join(parts[0]) + parts[1]),
)
_SPAN = st.tuples(st.integers(0, 20), st.integers(0, 20))
_LINE = st.builds(
    Line,
    _TEXT,
    st.lists(_SPAN, max_size=3).map(tuple),
    st.sampled_from(Role),
    st.lists(st.integers(0, 2), max_size=3).map(tuple),
)


@settings(deadline=None)
@given(st.lists(_LINE, max_size=25))
def test_any_lines_get_well_formed_paths(lines: list[Line]) -> None:
    labels = read_labels(lines)
    assert len(labels) == len(lines)
    for before, after in zip(lines, labels, strict=True):
        assert PATH.fullmatch(after.label)
        if before.role is Role.APART:
            assert after.label == ""
