from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.search.tokens import STOP, references, stem, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1,550", ["$1550", "1550"]),
        ("$ 1,550.50", ["$1550.50", "1550.50"]),
        ("1,550 dollars", ["1550", "dollar"]),
        ("200% of fare", ["200%", "fare"]),
        ("250.5(a)(2)", ["250.5(a)(2)", "250.5(a)", "250.5"]),
        ("§250.2a, 240.10b-21", ["250.2a", "240.10b-21"]),
        ("CPI-U", ["cpi-u", "cpi"]),
        ("out-of-date", ["out-of-date", "date"]),
        ("what's owed?", ["owe"]),
        ("the carrier's compensation", ["carrier", "compens"]),
        ("the carrier\u2019s", ["carrier"]),
        ("don't", ["don't"]),
        ("frequent\u2010flyer", ["frequent-flyer", "frequent", "flyer"]),
        ("Compensation COMPENSATING compensate", ["compens"] * 3),
        ("2 hours", ["2", "hour"]),
        ("24 hours.", ["24", "hour"]),
        ("AND", []),
        ("AND OR NOT NEAR(a b)", ["near", "b"]),
        ('"', []),
        ("'", []),
        ("* ( ) : ^ - % $", []),
        ("", []),
    ],
)
def test_tokens_of(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(text=st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_has_tokens_without_white_space(text: str) -> None:
    for token in tokens(text):
        assert token
        assert not any(char.isspace() for char in token)
        assert token == token.casefold()


@given(text=st.from_regex(r"[\$%'\"()\-.,0-9a-c ]{0,40}", fullmatch=True))
def test_punctuation_in_any_order_is_never_an_error(text: str) -> None:
    assert all(tokens(text)), "no token is empty"
    assert tokens(text) == tokens(text)
    assert set(words(text)).isdisjoint(STOP)


def test_words_are_written_as_said_without_figures() -> None:
    assert words("What's the $675 cap for Bumped passengers' CPI-U?") == [
        "what's",
        "cap",
        "bumped",
        "passengers",
        "cpi-u",
    ]


def test_a_stem_drops_the_possessive() -> None:
    assert stem("carrier's") == stem("carriers") == stem("carrier") == "carrier"
    assert stem("denied") == stem("denies") == "deni"


def test_references_go_from_the_longest_to_the_section() -> None:
    assert references("250.9(b)(3)(i)") == ("250.9(b)(3)(i)", "250.9(b)(3)", "250.9(b)", "250.9")
    assert references("250.9") == ("250.9",)
