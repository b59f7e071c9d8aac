"""What the nouns say of themselves: paragraphs, notices, places in a context, and days in force."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine.chunks import cut
from engine.model import (
    Answer,
    Block,
    BlockKind,
    Chunk,
    Claim,
    Context,
    Hit,
    Notice,
    Question,
    SectionText,
    Status,
)

if TYPE_CHECKING:
    from tests.engine.conftest import MakeText, MakeVersion


@pytest.fixture
def chunk(make_text: MakeText, make_version: MakeVersion) -> Chunk:
    return cut(make_version(make_text("250.5", "(a)|(a) Pay.")))[0]


def passage(chunk: Chunk, *labels: str) -> Chunk:
    blocks = tuple(Block(BlockKind.PARAGRAPH, "Pay.", label) for label in labels)
    return Chunk(chunk.id, chunk.version, 0, 0, 4, blocks, 0)


def given(chunk: Chunk, *names: str, pinned: tuple[str, ...] = (), aside: tuple[str, ...] = ()) -> Context:
    hits = tuple(
        Hit(rank, 1.0, Chunk(name, chunk.version, 0, 0, 4, chunk.blocks, 0), in_force=True)
        for rank, name in enumerate(names, 1)
    )
    return Context(hits, frozenset(pinned), 0, 0, aside=frozenset(aside))


class TestParagraphs:
    @pytest.mark.parametrize(
        ("labels", "shown"),
        [
            ((), ""),
            (("",), ""),
            (("(a)",), "(a)"),
            (("(a)", "(a)(1)", "(a)(2)"), "(a)"),
            (("(a)", "(b)", "(c)"), "(a)–(c)"),
            (("(a)", "", "(c)"), "(a)–(c)"),
            (("(e)(1)", "(e)(2)", "(e)(3)"), "(e)(1)–(e)(3)"),
            (("", "(e)(1)", "(e)(2)"), "(e)(1)–(e)(2)"),
            (("(a)(2)", "(b)", "(b)(1)"), "(a)(2)–(b)"),
            (("(i)(1)", "(1)"), "(i)(1)–(1)"),
        ],
    )
    def test_are_shown_for_people(self, labels: tuple[str, ...], shown: str, chunk: Chunk) -> None:
        assert passage(chunk, *labels).paragraphs == shown

    def test_labels_are_different_and_none_is_empty(self, chunk: Chunk) -> None:
        assert passage(chunk, "", "(b)", "(a)", "(b)").labels == ("(b)", "(a)")

    def test_a_block_without_a_label_has_no_top(self) -> None:
        assert Block(BlockKind.PARAGRAPH, "Pay.").top == ""
        assert Block(BlockKind.PARAGRAPH, "Pay.", "(a)(2)(i)").top == "(a)"


class TestSections:
    def test_what_a_publisher_does_not_give_is_empty(self, chunk: Chunk) -> None:
        bare = SectionText("14", "250", "250.5", "§ 250.5 Amount.")
        assert (bare.source_note, bare.line, bare.blocks, bare.notices, bare.body) == ("", 0, (), (), "")
        assert Block(BlockKind.PARAGRAPH, "Pay.").label == ""
        assert Block(BlockKind.PARAGRAPH, "Pay.").term == ""
        assert Hit(1, 1.0, chunk, in_force=True).block == 0

    def test_notices_of_a_version_are_one_text(self, make_version: MakeVersion) -> None:
        notices = tuple(Notice(text, "", None) for text in ("First.", "Second."))
        text = SectionText("14", "250", "250.5", "§ 250.5 Amount.", notices=notices)
        assert make_version(text).pending == "First. Second."

    @pytest.mark.parametrize(
        ("heading", "lines", "reserved", "placeholder"),
        [
            ("§ 250.7 [Reserved]", (), True, False),
            ("§ 250.7 [RESERVED]", ("notice|Link.",), True, False),
            ("§ 250.7 xxx", (), False, True),
            ("§ 250.7 [Reserved]", ("(a)|(a) Pay.",), False, False),
        ],
    )
    def test_a_number_without_a_rule_is_reserved_or_a_placeholder(
        self, heading: str, lines: tuple[str, ...], reserved: bool, placeholder: bool, make_text: MakeText
    ) -> None:
        text = make_text("250.7", *lines, heading=heading)
        assert (text.reserved, text.placeholder) == (reserved, placeholder)


class TestDaysInForce:
    @pytest.mark.parametrize(
        ("day", "held"),
        [("2021-04-12", False), ("2021-04-13", True), ("2021-08-01", True), ("2021-08-02", False)],
    )
    def test_both_ends_are_in_force(
        self, day: str, held: bool, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        version = make_version(make_text("250.5", "Pay."), "2021-04-13", "2021-08-01")
        assert version.in_force(date.fromisoformat(day)) is held

    def test_a_version_that_nothing_ends_is_in_force_ever_after(
        self, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        version = make_version(make_text("250.5", "Pay."), "2021-04-13")
        assert version.in_force(date.max)
        assert not version.in_force(date(2021, 4, 12))


class TestContexts:
    def test_what_only_the_history_cites_is_not_given(self, chunk: Chunk) -> None:
        context = given(chunk, "one", "two", "three", aside=("three",))
        assert [hit.chunk.id for hit in context.given] == ["one", "two"]
        assert context.ids == ("one", "two")
        assert context.chunk("three") is None
        assert context.chunk("two") is context.hits[1].chunk

    def test_scope_is_what_is_pinned_in_the_order_of_the_hits(self, chunk: Chunk) -> None:
        assert given(chunk, "one", "two", "three", pinned=("three", "one")).scope_ids == ("one", "three")
        assert given(chunk, "one").scope_ids == ()


def test_what_is_not_said_is_not_known() -> None:
    assert Question("Owed?", date(2022, 6, 10)).facts is None
    assert Answer(Status.ANSWERED).text == ""
    assert (Claim("Pay.", ()).problems, Claim("Pay.", ()).labels) == ((), ())
