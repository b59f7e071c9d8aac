"""What changed between two texts, word by word."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import given, strategies as st

from engine.model import Change
from engine.redline import Piece, as_text, compare, words_changed

if TYPE_CHECKING:
    from conftest import MakeText, MakeVersion

    from engine.versions import Timeline

WORDS = st.lists(st.sampled_from(["the", "carrier", "shall", "$675", "$1,075", "(a)", "—", "“may”"])).map(
    " ".join
)
BEFORE, AFTER = date(2020, 1, 1), date(2023, 1, 1)


@given(st.one_of(WORDS, st.text()), st.one_of(WORDS, st.text()))
def test_the_pieces_give_back_both_texts(before: str, after: str) -> None:
    pieces = words_changed(before, after)

    def joined(left_out: str) -> str:
        return " ".join(piece.text for piece in pieces if piece.op != left_out)

    assert joined("added") == " ".join(before.split())
    assert joined("removed") == " ".join(after.split())
    assert all(piece.text for piece in pieces)


@given(WORDS)
def test_the_same_text_has_one_piece(text: str) -> None:
    assert words_changed(text, f" {text}\n") == ((Piece("same", text),) if text else ())


def test_an_amount_changes_alone() -> None:
    assert words_changed("at least $3,500 for each", "at least $3,800 for each") == (
        Piece("same", "at least"),
        Piece("removed", "$3,500"),
        Piece("added", "$3,800"),
        Piece("same", "for each"),
    )


def test_two_versions_of_a_section_differ_in_the_amount_alone(timelines: dict[str, Timeline]) -> None:
    line = timelines["254.4"]
    before, after = line.text_on(BEFORE), line.text_on(AFTER)
    assert before
    assert after
    found = compare(before, after)

    assert found.change is Change.TEXT
    (block,) = found.blocks
    assert [(piece.op, piece.text) for piece in block.pieces if piece.op != "same"] == [
        ("removed", "$3,500"),
        ("added", "$3,800"),
    ]


def test_a_comparison_shows_only_what_differs(timelines: dict[str, Timeline]) -> None:
    for line in timelines.values():
        for before, after in product(line.versions, repeat=2):
            found = compare(before, after)
            assert (found.change is None) == (before == after)
            assert bool(found.blocks) == (found.change is not None)
            assert all(any(piece.op != "same" for piece in block.pieces) for block in found.blocks)


def test_the_same_version_has_nothing_to_show(timelines: dict[str, Timeline]) -> None:
    version = timelines["254.4"].versions[2]
    found = compare(version, version)

    assert (found.change, found.blocks) == (None, ())
    assert as_text(found).endswith("Both days stand in the same version.")


def test_a_notice_alone_is_no_new_rule(timelines: dict[str, Timeline]) -> None:
    first, second = timelines["254.4"].versions[:2]
    text = as_text(compare(first, second))

    assert "Only the publisher's notice of a coming amendment differs; the rule is the same." in text
    assert "{+Link to an amendment published at 86 FR" in text
    assert "[-" not in text


def test_typography_alone_is_said_to_be_that(make_text: MakeText, make_version: MakeVersion) -> None:
    before = make_version(make_text("250.5", "(a)|(a) The carrier's duty"), "2017-01-01", "2020-12-31")
    after = make_version(make_text("250.5", "(a)|(a) The carrier’s duty"), "2021-01-01")

    assert "Only typography differs; the words are the same." in as_text(compare(before, after))


def test_paragraphs_are_compared_with_their_own_label(make_text: MakeText, make_version: MakeVersion) -> None:
    before = make_version(make_text("250.5", "(a)|(a) Pay $675.", "(b)|(b) Old rule."), "2017-01-01")
    after = make_version(
        make_text("250.5", "(a)|(a) Pay $775.", "(c)|(c) New rule.", "(c)|(c) More."), "2021-01-01"
    )
    found = compare(before, after)

    assert [block.label for block in found.blocks] == ["(a)", "(b)", "(c)", "(c)"]
    assert as_text(found).splitlines()[-7:] == [
        "(a) Pay [-$675.-] {+$775.+}",
        "",
        "[-(b) Old rule.-]",
        "",
        "{+(c) New rule.+}",
        "",
        "{+(c) More.+}",
    ]


def test_more_paragraphs_under_one_label_come_whole(make_text: MakeText, make_version: MakeVersion) -> None:
    before = make_version(make_text("250.5", "(a)|(a) Pay $675."), "2017-01-01")
    after = make_version(make_text("250.5", "(a)|(a) Pay $775.", "(a)|At once."), "2021-01-01")

    assert as_text(compare(before, after)).splitlines()[-3:] == [
        "(a) Pay [-$675.-] {+$775.+}",
        "",
        "{+At once.+}",
    ]


def test_a_changed_heading_is_shown(timelines: dict[str, Timeline]) -> None:
    line = timelines["250.7"]
    before, after = line.text_on(BEFORE), line.text_on(AFTER)
    assert before
    assert after
    text = as_text(compare(before, after))

    assert "§ 250.7 [-[Reserved]-]" in text
    assert text.startswith("14 CFR 250.7: version held from 2017-01-01 to ")


def test_markdown_strikes_out_and_makes_bold(timelines: dict[str, Timeline]) -> None:
    line = timelines["254.4"]
    before, after = line.text_on(BEFORE), line.text_on(AFTER)
    assert before
    assert after
    text = as_text(compare(before, after), markdown=True)

    assert text.startswith(
        "## 14 CFR 254.4\n\nVersion held from 2017-01-01 to 2021-01-12 → version 2021-04-13"
    )
    assert "less than ~~$3,500~~ **$3,800** for each passenger." in text


def test_hostile_words_of_a_text_are_harmless(make_text: MakeText, make_version: MakeVersion) -> None:
    before = make_version(make_text("250.5", "(a)|(a) *x* \x1b[31m same"), "2017-01-01")
    after = make_version(make_text("250.5", "(a)|(a) <i>y</i> \u202e same"), "2021-01-01")
    found = compare(before, after)

    assert not set(as_text(found)) & set("\x1b\u202e")
    markdown = as_text(found, markdown=True)
    assert "~~\\*x\\* \\x1b\\[31m~~ **\\<i\\>y\\</i\\> \\u202e** same" in markdown


def test_equal_texts_of_two_times_are_no_change_of_words(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    version = make_version(make_text("250.5", "(a)|(a) Pay."), "2017-01-01", "2018-01-01")
    found = compare(version, replace(version, effective_from=date(2019, 1, 1), effective_to=None))

    assert found.change is Change.TYPOGRAPHIC
    assert found.blocks == ()
