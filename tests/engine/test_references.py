"""References in claims and questions: what is there on the day, what is not, and what is cited beside it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine import abstain, checks, references
from engine.engine import Engine
from engine.model import Claim, Context, Hit, Question, Reason, Status
from engine.sources.numbers import Reference, find_references
from engine.versions import Timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.abstain import Elsewhere
    from engine.ingest import IngestReport
    from engine.model import Chunk, SectionText, SectionVersion
    from engine.snapshot import Collection

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...


DAY = date(2022, 6, 10)


@pytest.fixture(scope="module")
def lines(timelines: dict[str, Timeline]) -> tuple[Timeline, ...]:
    return tuple(timelines.values())


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


def one(text: str) -> Reference:
    (reference,) = find_references(text)
    return reference


class TestFaults:
    @pytest.mark.parametrize(
        "text",
        [
            "14 CFR 250.5(a)(2)",
            "§ 250.5",
            "§ 250.9(b)(6)",
            "§ 250.9(b)(3)",
            "§ 250.1(1)",
            "§ 250.5(g)",
            "part 254",
            "part 999",
            "§ 250.7",
        ],
    )
    def test_what_is_there_has_none(self, text: str, lines: Sequence[Timeline]) -> None:
        assert references.fault(one(text), lines, DAY) is None

    @pytest.mark.parametrize(
        ("text", "day", "said"),
        [
            (
                "§ 250.12",
                DAY,
                "There is no section 250.12 in these texts, on 2022-06-10 or on any other day.",
            ),
            ("§ 250.5(z)", DAY, "§ 250.5 had no paragraph (z) on 2022-06-10."),
            ("§ 250.5(a)(9)", DAY, "§ 250.5 had no paragraph (a)(9) on 2022-06-10."),
            ("§ 250.9(b)(7)", DAY, "§ 250.9 had no paragraph (b)(7) on 2022-06-10."),
            ("§ 250.5(g)", date(2018, 1, 1), "§ 250.5 had no paragraph (g) on 2018-01-01."),
            ("§ 250.7(a)", date(2018, 1, 1), "§ 250.7 had no paragraph (a) on 2018-01-01."),
            ("§ 250.1(z)", DAY, "§ 250.1 had no paragraph (z) on 2022-06-10."),
        ],
    )
    def test_what_is_not_is_said(self, text: str, day: date, said: str, lines: Sequence[Timeline]) -> None:
        assert references.fault(one(text), lines, day) == said

    def test_before_the_history_nobody_can_tell(self, lines: Sequence[Timeline]) -> None:
        assert references.fault(one("§ 250.5(z)"), lines, date(2015, 1, 1)) is None

    def test_a_section_that_was_not_there_yet(self, make_text: MakeText, make_version: MakeVersion) -> None:
        later = make_version(make_text("9.1", "(a)|(a) A rule."), "2020-01-01")
        line = Timeline("14", "9.1", (later,), date(2017, 1, 1), date(2026, 10, 7))
        said = "There was no section 9.1 on 2018-01-01."
        assert references.fault(Reference(section="9.1"), [line], date(2018, 1, 1)) == said
        assert references.ever(Reference(section="9.1", label="(a)"), [line])
        assert not references.ever(Reference(section="9.1", label="(b)"), [line])
        assert not references.ever(Reference(section="9.2"), [line])

    def test_other_titles_and_parts_are_not_judged(self, lines: Sequence[Timeline]) -> None:
        text = "49 CFR 250.5, 14 CFR 259.4, Part 254, § 254.4 and 14 CFR 250.12"
        assert [ref.section for ref in references.named(text, lines)] == ["254.4", "250.12"]
        assert len(list(references.faults(f"{text} § 250.12", lines, DAY))) == 1


class TestClaims:
    @pytest.fixture
    def problems(self, engine: Engine, lines: Sequence[Timeline]) -> Problems:
        def found(text: str, *labels: str, section: str = "250.5") -> list[str]:
            cited = [
                chunk
                for chunk in engine.chunks
                if chunk.section == section and chunk.version.in_force(DAY)
                and (not labels or set(labels) & set(chunk.labels))
            ]  # fmt: skip
            hits = tuple(Hit(rank, 1.0, chunk, in_force=True) for rank, chunk in enumerate(cited, 1))
            context = Context(hits, frozenset(), 1, 1)
            claim = Claim(text, context.ids)
            return checks.check_claim(
                claim,
                Question("What is owed?", DAY),
                context,
                lookup=engine.chunk,
                in_force=lambda chunk: chunk.version.in_force(DAY),
                missing=lambda reference: references.fault(reference, lines, DAY),
            )

        return found

    @pytest.mark.parametrize(
        "text",
        [
            "§ 250.5(a)(2) says what compensation the carrier shall pay.",
            "Part 250 and 14 CFR 250.5 say what compensation the carrier shall pay.",
            "Subject to § 250.6, the carrier shall pay compensation to passengers.",
            "The review of compensation amounts follows 14 CFR 254.6 on domestic baggage liability limits.",
        ],
    )
    def test_what_is_cited_or_named_by_the_cited_text_passes(self, text: str, problems: Problems) -> None:
        assert problems(text) == []

    @pytest.mark.parametrize(
        ("text", "labels", "said"),
        [
            (
                "§ 250.12 says what the carrier shall pay.",
                (),
                "There is no section 250.12 in these texts, on 2022-06-10 or on any other day.",
            ),
            (
                "§ 250.5(k) says what the carrier shall pay.",
                ("(c)",),
                "§ 250.5 had no paragraph (k) on 2022-06-10.",
            ),
            (
                "§ 254.4 says what the carrier shall pay.",
                ("(a)(3)",),
                "The claim names § 254.4 and cites § 250.5(a)(3).",
            ),
            (
                "14 CFR part 254 says what the carrier shall pay.",
                ("(a)(3)",),
                "The claim names 14 CFR part 254 and cites § 250.5(a)(3).",
            ),
            (
                "49 CFR 250.9 says what passengers with zero fare tickets pay.",
                ("(d)",),
                "The claim names 49 CFR 250.9 and cites § 250.5(d).",
            ),
        ],
    )
    def test_what_is_not_there_or_not_cited_is_flagged(
        self, text: str, labels: tuple[str, ...], said: str, problems: Problems
    ) -> None:
        assert problems(text, *labels) == [said]

    def test_another_paragraph_of_the_section_is_flagged(self, problems: Problems) -> None:
        text = "§ 250.5(a)(2) says what compensation the carrier shall pay."
        said = "The claim names § 250.5(a)(2) and cites § 250.5(d)."
        assert said in problems(text, "(d)")
        assert problems("§ 250.5(a) says what compensation the carrier shall pay.", "(a)(3)") == []

    def test_another_title_is_not_the_cited_one(self, chunks: Sequence[Chunk]) -> None:
        (chunk, *_) = (chunk for chunk in chunks if chunk.section == "250.5")
        assert not references.covers(chunk, Reference(title="49", section="250.5"))


class TestQuestions:
    def test_a_paragraph_that_never_was_is_said_to_be_none(self, engine: Engine) -> None:
        card = engine.ask("What does 250.5(z) say?", DAY)
        assert (card.status, card.reason) == (Status.ABSTAINED, Reason.NOTHING_FITS)
        said = "There is no paragraph (z) of section 250.5 in these texts, on 2022-06-10 or on any other day."
        assert card.answer == f"{said} Check the number."

    def test_a_paragraph_of_another_day_is_absent(self, engine: Engine) -> None:
        card = engine.ask("What does 250.5(g) say?", date(2018, 6, 10))
        assert (card.status, card.reason) == (Status.ABSTAINED, Reason.ABSENT)
        assert "14 CFR 250.5(g), which is about this, came into force on 2021-04-13." in card.answer

    def test_of_several_the_missing_one_is_a_warning(self, engine: Engine) -> None:
        card = engine.ask("What do 250.5(a), 250.5(z) and 250.12 say?", DAY)
        assert card.status is Status.ANSWERED
        assert [warning.text for warning in card.warnings if warning.kind == "no_such_reference"] == [
            "§ 250.5 had no paragraph (z) on 2022-06-10.",
            "There is no section 250.12 in these texts, on 2022-06-10 or on any other day.",
        ]

    def test_of_several_none_is_there(self, engine: Engine) -> None:
        card = engine.ask("What do 250.13 and 250.12 say?", DAY)
        assert card.answer.startswith("There is no section 250.13 in these texts")
        assert "no_such_reference" not in [warning.kind for warning in card.warnings]

    def _elsewhere(self, engine: Engine, text: str) -> Elsewhere | None:
        named = references.named(text, engine.timelines)
        return engine._finder._named_elsewhere(named, date(2018, 1, 1))

    def test_a_section_that_has_no_rule_yet_points_to_the_first(self, engine: Engine) -> None:
        found = self._elsewhere(engine, "What does § 250.7(a) say?")
        assert found is not None
        assert (found.chunk.section, found.label) == ("250.7", "(a)")

    def test_an_item_in_another_days_line_has_no_paragraph_to_point_to(self, engine: Engine) -> None:
        assert self._elsewhere(engine, "What does § 250.7(a)(9) say?") is None
        assert abstain.unknown("250.7(a)(9)", DAY).text.startswith("There is no paragraph (a)(9) of section")


if TYPE_CHECKING:

    class Problems(Protocol):
        def __call__(self, text: str, *labels: str, section: str = ...) -> list[str]: ...
