"""What is said when nothing is answered: why, since when, and never an amount."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine import abstain
from engine.abstain import Elsewhere
from engine.chunks import cut
from engine.model import Origin, Reason, Standing, StandingKind, Status
from engine.search.words import Topic

if TYPE_CHECKING:
    from engine.model import Chunk, SectionText, SectionVersion

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(
            self, text: SectionText, first: str = ..., last: str | None = ..., *, held: bool = ...
        ) -> SectionVersion: ...


DAY = date(2020, 5, 1)
AMOUNT = "(d)|(d) The carrier shall pay $1,075 or 400 percent."


@pytest.fixture
def rule(make_text: MakeText, make_version: MakeVersion) -> Chunk:
    """A paragraph that came later."""
    return cut(make_version(make_text("9.5", AMOUNT), "2021-04-13"))[0]


def test_before_the_history_no_version_stands_in() -> None:
    answer = abstain.not_held(date(2015, 3, 10), date(2017, 1, 1))
    assert answer.text == (
        "The texts held here begin on 2017-01-01. No version is held for 2015-03-10, and no other "
        "version is used in its place."
    )
    assert (answer.status, answer.reason, answer.rests_on) == (Status.NOT_HELD, None, ())


def test_nothing_in_force_is_not_nothing_that_fits() -> None:
    none, other = abstain.nothing_in_force(DAY), abstain.nothing_fits(DAY)
    assert none.text == "No section held here was in force on 2020-05-01."
    assert other.text.startswith("No passage in force on 2020-05-01 says anything about this.")
    for answer in (none, other):
        assert (answer.status, answer.reason) == (Status.ABSTAINED, Reason.NOTHING_FITS)


def test_a_topic_of_other_rules_names_itself_and_what_is_covered() -> None:
    answer = abstain.outside(Topic("animals", "These are about baggage.", ()), ("abc",))
    assert answer.text == "These texts do not cover this (animals). These are about baggage."
    assert (answer.reason, answer.rests_on) == (Reason.NOT_COVERED, ("abc",))


def test_a_trip_outside_the_part_is_told_in_the_words_of_its_scope(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    chunks = cut(make_version(make_text("9.2", "This part applies within the States.")))
    answer = abstain.out_of_scope("This flight crosses the border.", chunks)
    assert answer.text == (
        "This flight crosses the border. 14 CFR 9.2: “This part applies within the States.” "
        "What other rules say is not held here."
    )
    assert (answer.reason, answer.rests_on) == (Reason.OUT_OF_SCOPE, (chunks[0].id,))
    without = abstain.out_of_scope("It begins abroad.", ())
    assert without.text == "It begins abroad. What other rules say is not held here."


@pytest.mark.parametrize("lines", [(), ("notice|Link to an amendment.",)])
@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("§ 9.9 [Reserved]", "was reserved on"),
        ("§ 9.9 [RESERVED]", "was reserved on"),
        ("§ 9.9 xxx", "had only the placeholder heading “§ 9.9 xxx” on"),
        ("", "had only the placeholder heading “”"),
    ],
)
def test_a_section_without_a_rule_is_named_as_published(
    heading: str, said: str, lines: tuple[str, ...], make_text: MakeText, make_version: MakeVersion
) -> None:
    text = replace(make_text("9.9", *lines), heading=heading)
    (chunk,) = cut(make_version(text))
    answer = abstain.empty(DAY, chunk)
    assert f"14 CFR 9.9 {said}" in answer.text
    assert answer.text.endswith("2020-05-01: it held no rule. No such rule was in force.")
    assert (answer.status, answer.reason, answer.rests_on) == (
        Status.ABSTAINED,
        Reason.ABSENT,
        (chunk.id,),
    )


class TestARuleOfAnotherDay:
    def test_that_came_later_is_named_with_its_first_day(
        self, rule: Chunk, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        before = make_version(make_text("9.5", "(a)|(a) Pay $675."), "2017-01-01", "2021-04-12")
        found = Elsewhere(rule, "(d)", Standing(StandingKind.IN_FORCE, before))
        answer = abstain.absent(DAY, found)
        assert answer.text == (
            "No such rule was in force on 2020-05-01. "
            "14 CFR 9.5(d), which is about this, came into force on 2021-04-13."
        )
        assert (answer.reason, answer.rests_on, answer.claims) == (Reason.ABSENT, (rule.id,), ())

    def test_that_had_ended_is_named_with_its_last_day(
        self, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        (ended,) = cut(make_version(make_text("9.5", AMOUNT), "2017-01-01", "2019-12-31"))
        answer = abstain.absent(DAY, Elsewhere(ended, "(d)", Standing(StandingKind.GAP, None)))
        assert answer.text == (
            "No such rule was in force on 2020-05-01. Section 9.5 was not there on that day. "
            "14 CFR 9.5(d), which was about this, was in force until 2019-12-31."
        )

    def test_before_its_section_existed(self, rule: Chunk) -> None:
        answer = abstain.absent(DAY, Elsewhere(rule, "(d)", Standing(StandingKind.NOT_YET, rule.version)))
        assert " There was no section 9.5 yet. 14 CFR 9.5(d)," in answer.text

    @pytest.mark.parametrize(
        ("heading", "said"), [("§ 9.5 [Reserved]", "was reserved on"), ("§ 9.5 xxx", "“§ 9.5 xxx” on")]
    )
    def test_while_its_section_held_no_rule(
        self, heading: str, said: str, rule: Chunk, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        empty = make_version(make_text("9.5", heading=heading), "2017-01-01", "2021-04-12")
        answer = abstain.absent(DAY, Elsewhere(rule, "(d)", Standing(StandingKind.IN_FORCE, empty)))
        assert f"{said} 2020-05-01: it held no rule. 14 CFR 9.5(d), which is about this, came" in answer.text

    @pytest.mark.parametrize("kind", StandingKind)
    def test_never_shows_its_amount(self, kind: StandingKind, rule: Chunk) -> None:
        answer = abstain.absent(DAY, Elsewhere(rule, "(d)", Standing(kind, None)))
        assert "$" not in answer.text
        assert "percent" not in answer.text


class TestTheNouns:
    """Properties of the model that the words above rest on."""

    def test_a_label_has_its_top(self, rule: Chunk, make_text: MakeText) -> None:
        assert [block.top for block in make_text("9.1", "(a)(2)(i)|Deep.", "Plain.").blocks] == ["(a)", ""]
        assert rule.labels == ("(d)",)

    @pytest.mark.parametrize(
        ("lines", "paragraphs"),
        [
            (("Plain.",), ""),
            (("(a)|One.",), "(a)"),
            (("(a)|One.", "(a)(1)|Two."), "(a)"),
            (("(a)|One.", "(b)|Two.", "(c)(1)|Three."), "(a)–(c)"),
            (("(e)(1)|One.", "(e)(3)|Two."), "(e)(1)–(e)(3)"),
        ],
    )
    def test_a_passage_names_its_paragraphs(
        self, lines: tuple[str, ...], paragraphs: str, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        (chunk,) = cut(make_version(make_text("9.1", *lines)))
        assert chunk.paragraphs == paragraphs

    def test_a_version_knows_its_days_and_what_is_pending(
        self, make_text: MakeText, make_version: MakeVersion
    ) -> None:
        text = make_text("9.1", "notice|Link one.", "notice|Link two.", "A rule.")
        version = make_version(text, "2020-01-01", "2020-12-31", held=True)
        assert version.pending == "Link one. Link two."
        assert make_version(make_text("9.1", "A rule.")).pending is None
        assert version.from_origin is Origin.AT_OR_BEFORE
        days = ("2019-12-31", "2020-01-01", "2020-12-31", "2021-01-01")
        assert [version.in_force(date.fromisoformat(day)) for day in days] == [False, True, True, False]
        assert make_version(text, "2020-01-01").in_force(date(2999, 1, 1))
        (chunk,) = cut(version)
        assert chunk.titled == f"14 CFR {text.heading}\n{chunk.body}"
        assert chunk.words == len(chunk.titled.split())
