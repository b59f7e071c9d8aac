from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given, strategies as st

from engine.safe import one_line, safe_json, safe_text

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


def is_safe(text: str, *, kept: str) -> bool:
    return all(
        char in kept
        or (unicodedata.category(char) not in {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"} and char not in BIDI)
        for char in text
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("§ 250.5 “Amount” — $1,075", "§ 250.5 “Amount” — $1,075"),
        ("\x1b[2J\x1b]52;c;eA==\x07", "\\x1b[2J\\x1b]52;c;eA==\\x07"),
        ("\x9b31m\x85\x7f\0", "\\x9b31m\\x85\\x7f\\x00"),
        ("250\u202e5.", "250\\u202e5."),
        (BIDI, "".join(f"\\u{ord(char):04x}" for char in BIDI)),
        ("a\u2028b\u2029c\ufeff", "a\\u2028b\\u2029c\\ufeff"),
        ("\ud800", "\\ud800"),
        ("\ue000\U0010ffff", "\\ue000\\u10ffff"),
        ("\r\b", "\\x0d\\x08"),
        ("line\n\tnext", "line\n\tnext"),
        ("soft\u00adhyphen\u00a0space", "soft\u00adhyphen\u00a0space"),
        ("", ""),
    ],
)
def test_what_could_move_or_reorder_a_line_is_shown_as_a_code(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@given(text=ANY_TEXT)
def test_no_text_keeps_a_control_or_direction_character(text: str) -> None:
    assert is_safe(safe_text(text), kept="\n\t")
    assert safe_text(safe_text(text)) == safe_text(text)
    line = one_line(text)
    assert is_safe(line, kept="")
    assert line == " ".join(line.split())


def test_one_line_joins_lines_and_keeps_codes() -> None:
    assert one_line("  a\n\tb \x1b c\x85d ") == "a b \\x1b c\\x85d"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(value=VALUES, indent=st.sampled_from([None, 2]))
def test_json_parses_to_the_same_value_and_holds_no_control_character(
    value: object, indent: int | None
) -> None:
    text = safe_json(value, indent)
    assert json.loads(text) == value
    assert is_safe(text, kept="\n" if indent else "")


@given(value=st.dictionaries(ANY_TEXT, ANY_TEXT))
def test_json_of_any_text_holds_no_control_character(value: dict[str, str]) -> None:
    text = safe_json(value)
    assert is_safe(text, kept="")
    assert json.loads(text).keys() == json.loads(json.dumps(value)).keys()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("\x1b", '"\\u001b"'),
        ("\x7f\u202e", '"\\u007f\\u202e"'),
        ("\U000e0fff\ud800", '"\\udb43\\udfff\\ud800"'),
        ("§ “$1,075”", '"§ “$1,075”"'),
        ("a\nb\t\\n", '"a\\nb\\t\\\\n"'),
        ({"\x9b": [1]}, '{"\\u009b": [1]}'),
    ],
)
def test_json_escapes_what_is_hidden_and_nothing_else(value: object, written: str) -> None:
    assert safe_json(value) == written
    assert json.loads(written) == value
