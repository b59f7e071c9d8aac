from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from engine import checks, model
from engine.model import Answer, Chunk, Claim, Context, Question
from engine.safe import one_line

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "regulations" / "us-14-cfr"
DAY = date(2025, 2, 1)
QUESTION = Question("I was bumped and arrived 90 minutes late on February 1, 2025. What is owed?", DAY)

A2 = (
    "(2) Compensation shall be at least 200 percent of the fare to the passenger's destination or first"
    " stopover, or $1,075, whichever is lower, if the carrier offers alternate transportation that, at "
    "the time the arrangement is made, is planned to arrive at the airport of the passenger's first "
    "stopover, or if none, the airport of the passenger's final destination more than one hour but less"
    " than two hours after the planned arrival time of the passenger's original flight; and"
)
A3 = (
    "(3) Compensation shall be at least 400 percent of the fare to the passenger's destination or first"
    " stopover, or $2,150, whichever is lower, if the carrier does not offer alternate transportation "
    "that, at the time the arrangement is made, is planned to arrive at the airport of the passenger's "
    "first stopover, or if none, the airport of the passenger's final destination less than two hours "
    "after the planned arrival time of the passenger's original flight."
)
D = (
    "(d) The requirements of this section apply to passengers with “zero fare tickets.” The fare paid "
    "by these passengers for purposes of calculating denied boarding compensation shall be the lowest "
    "cash, check, or credit card payment charged for a ticket in the same class of service on that "
    "flight."
)
REVIEW = (
    "The Department of Transportation will review the domestic baggage liability limit prescribed in "
    "this part every two years."
)
LARGE = (
    "Large aircraft means any aircraft designed to have a maximum passenger capacity of more than 60 seats."
)


def chunk(
    name: str,
    section: str,
    heading: str,
    *texts: tuple[str, str],
    first: date = date(2025, 1, 22),
    last: date | None = None,
) -> Chunk:
    blocks = tuple(model.Block(model.BlockKind.PARAGRAPH, text, label) for label, text in texts)
    text = model.SectionText("14", "250", section, heading, blocks)
    status = model.VersionStatus.ENDED if last else model.VersionStatus.IN_FORCE_AT_END
    version = model.SectionVersion(
        text, first, last, model.Origin.EXACT, status, model.Change.TEXT, "https://www.ecfr.gov/"
    )
    return Chunk(name, version, 0, 0, len(text.body), blocks, 0)


COMPENSATION = chunk(
    "aaaaaaaaaaaa", "250.5", "§ 250.5 Amount of denied boarding compensation for passengers denied boarding "
    "involuntarily.", ("(a)(2)", A2),
)  # fmt: skip
LONG_DELAY = chunk("bbbbbbbbbbbb", "250.5", "§ 250.5 Amount of denied boarding compensation.", ("(a)(3)", A3))
ZERO_FARE = chunk("cccccccccccc", "250.5", "§ 250.5 Amount of denied boarding compensation.", ("(d)", D))
BAGGAGE = chunk("dddddddddddd", "254.6", "§ 254.6 Periodic adjustments.", ("", REVIEW))
AIRCRAFT = chunk(
    "eeeeeeeeeeee",
    "254.3",
    "§ 254.3 Definitions.",
    ("", LARGE),
    first=date(2017, 1, 1),
    last=date(2021, 1, 12),
)
MONTH = chunk("111111111111", "254.6", "§ 254.6", ("", "the CPI-U figure in December 1999 when the"))
OUTSIDE = chunk(
    "ffffffffffff", "254.2", "§ 254.2 Applicability.", ("", "This part applies to any air carrier")
)
GIVEN = (COMPENSATION, LONG_DELAY, ZERO_FARE, BAGGAGE, AIRCRAFT)
INDEX = {item.id: item for item in (*GIVEN, OUTSIDE, MONTH)}


def context(*chunks: Chunk) -> Context:
    return Context(
        tuple(model.Hit(rank, 1.0, item, None) for rank, item in enumerate(chunks, 1)), frozenset(), 1, 1
    )


CONTEXT = context(*GIVEN)


def claim(text: str, *cited: Chunk | str) -> Claim:
    return Claim(text, tuple(item if isinstance(item, str) else item.id for item in cited))


def in_force(item: Chunk) -> bool:
    return item.version.in_force(DAY)


def problems(one: Claim, given: Context = CONTEXT, question: Question = QUESTION) -> list[str]:
    return checks.check_claim(one, question, given, lookup=INDEX.get, in_force=in_force)


def numbers(text: str, *cited: Chunk, question: Question = QUESTION) -> list[str]:
    one = claim(text, *cited)
    return checks.numbers_not_in_passages(one, checks.gather(one, CONTEXT, INDEX.get), question)


def quotes(text: str, *cited: Chunk) -> list[str]:
    one = claim(text, *cited)
    return checks.quotes_not_in_passages(one, checks.gather(one, CONTEXT, INDEX.get))


def words(text: str, *cited: Chunk) -> list[str]:
    one = claim(text, *cited)
    return checks.words_not_in_passages(one, checks.gather(one, CONTEXT, INDEX.get))


def test_the_sentences_of_these_tests_stand_in_the_snapshot() -> None:
    files = sorted(TEXTS.glob("part-25*_2025-01-22.xml"))
    published = (
        unescape("".join(file.read_text("utf-8") for file in files)).replace("<I>", "").replace("</I>", "")
    )
    assert [text for text in (A2, A3, D, REVIEW, LARGE) if text not in published] == []


def published_sections() -> list[Chunk]:
    found = []
    for file in sorted(TEXTS.glob("part-25*_20??-??-??.xml")):
        for number, body in re.findall(r'<DIV8 N="([^"]+)"(.*?)</DIV8>', file.read_text("utf-8"), re.DOTALL):
            paragraphs = (
                " ".join(unescape(re.sub(r"<[^>]+>", "", text)).split())
                for text in re.findall(r"<P>(.*?)</P>", body, re.DOTALL)
            )
            found.append(
                chunk("0" * 12, number, f"§ {number} Heading.", *(("", text) for text in paragraphs))
            )
    return found


def test_every_published_paragraph_passes_as_a_claim_on_itself() -> None:
    flagged = []
    for section in published_sections():
        for block in section.blocks:
            for text in (block.text, f"“{block.text}”"):
                found = checks.check_claim(
                    claim(text, section), QUESTION, context(section), lookup=INDEX.get, in_force=in_force
                )
                flagged += [(section.section, text, found)] if found else []
    assert flagged == []


class TestIds:
    def test_a_right_claim_passes(self) -> None:
        text = "The carrier must pay at least 200% of the fare or $1,075, whichever is lower."
        assert problems(claim(text, COMPENSATION)) == []

    def test_a_claim_that_cites_nothing_is_named(self) -> None:
        assert problems(claim("The carrier pays $1,075.")) == [checks.NOTHING_CITED]
        assert checks.nothing_cited(claim("x", COMPENSATION)) == []

    def test_an_id_that_the_index_does_not_hold_is_named(self) -> None:
        assert problems(claim("The carrier pays $1,057.", "123456789012")) == [
            'The index holds no passage "123456789012".'
        ]

    def test_a_known_passage_that_was_not_given_is_named(self) -> None:
        assert problems(claim("This part applies to any air carrier.", OUTSIDE)) == [
            "The cited passage ffffffffffff (254.2 of 2025-01-22) was not among the passages given."
        ]

    def test_a_hostile_id_is_shown_safe_and_short(self) -> None:
        one = claim("x", "\x1b[2J\u202e" + "z" * 5_000)
        (problem,) = checks.unknown_passages(one, checks.gather(one, CONTEXT, INDEX.get))
        assert problem == one_line(problem)
        assert len(problem) < 120

    def test_many_false_ids_give_few_problems(self) -> None:
        one = claim("x", *(str(number) for number in range(10_000)))
        found = checks.unknown_passages(one, checks.gather(one, CONTEXT, INDEX.get))
        assert len(found) == checks.MOST + 1
        assert found[-1] == f"And {10_000 - checks.MOST} more of this kind."

    def test_a_passage_cited_twice_is_one_passage(self) -> None:
        evidence = checks.gather(claim("x", COMPENSATION, COMPENSATION), CONTEXT, INDEX.get)
        assert evidence.cited == (COMPENSATION,)
        assert COMPENSATION not in evidence.others
        assert checks.passages_not_given(evidence, CONTEXT) == []


class TestNumbers:
    def test_altered_digits_are_flagged(self) -> None:
        assert numbers("The cap is $1,057.", COMPENSATION) == ["$1,057 does not stand in the cited passage."]

    @pytest.mark.parametrize(
        "amount", ["$1,075", "$1,075.00", "1075 dollars", "USD 1,075", "1,075 US dollars", "1,075"]
    )
    def test_another_spelling_of_an_amount_is_accepted(self, amount: str) -> None:
        assert numbers(f"The cap is {amount}.", COMPENSATION) == []

    @pytest.mark.parametrize(
        "amount", ["€1,075", "$1.075", "1,075%", "$10,75", "1,057", "$107", "1057 dollars"]
    )
    def test_another_amount_is_flagged(self, amount: str) -> None:
        assert len(numbers(f"The cap is {amount}.", COMPENSATION)) == 1

    @pytest.mark.parametrize("share", ["200%", "200 per cent", "two hundred percent"])
    def test_another_spelling_of_a_percentage_is_accepted(self, share: str) -> None:
        assert numbers(f"It is {share} of the fare.", COMPENSATION) == []

    def test_a_number_of_another_passage_is_named_with_it(self) -> None:
        assert numbers("The cap is $2,150.", COMPENSATION) == [
            "$2,150 stands in passage bbbbbbbbbbbb (250.5(a)(3) of 2025-01-22), not in the cited one."
        ]

    def test_several_passages_are_checked_as_one(self) -> None:
        text = "The cap is $1,075 up to two hours and $2,150 after."
        assert numbers(text, COMPENSATION, LONG_DELAY) == []
        assert numbers("The cap is $1,057.", COMPENSATION, LONG_DELAY) == [
            "$1,057 does not stand in the cited passages."
        ]
        assert "not in the cited ones" in numbers("Reviewed every two years.", COMPENSATION, LONG_DELAY)[0]

    def test_the_delay_and_the_day_of_the_question_are_allowed(self) -> None:
        text = "You arrived 90 minutes late on 1 February 2025, in February 2025, on February 1."
        assert numbers(text, COMPENSATION) == []
        assert len(numbers("You arrived 95 minutes late in March 2025.", COMPENSATION)) == 2

    def test_an_amount_of_the_question_must_stand_in_a_passage(self) -> None:
        asked = Question("Is the cap $900 or 300% of the fare?", DAY)
        assert len(numbers("The cap is $900 or 300% of the fare.", COMPENSATION, question=asked)) == 2

    def test_the_days_of_the_version_are_allowed(self) -> None:
        text = "From 2017-01-01 to January 12, 2021, in 2017, since January 2021; the 2021 text."
        assert numbers(text, AIRCRAFT) == []

    @pytest.mark.parametrize(
        "text",
        ["since 2019-01-01", "since March 2021", "in 2018", "on 6/10/2022", "on July 4", "the 2018 text"],
    )
    def test_other_days_are_flagged(self, text: str) -> None:
        assert len(numbers(text, AIRCRAFT)) == 1

    def test_a_month_of_the_text_is_no_day(self) -> None:
        assert numbers("the figure of 1999 and of December 1999", MONTH) == []
        assert len(numbers("the figure of December 4, 1999, on December 4", MONTH)) == 2

    def test_counts_are_compared_by_number(self) -> None:
        assert numbers("An aircraft for 60 passengers", AIRCRAFT) == []
        assert len(numbers("An aircraft for 61 passengers", AIRCRAFT)) == 1
        assert len(numbers("within 60 days", AIRCRAFT)) == 1

    def test_section_numbers_are_no_numbers(self) -> None:
        assert numbers("Under 14 CFR 250.5(a)(2) and § 250.6 the carrier pays.", COMPENSATION) == []

    def test_many_false_amounts_give_few_problems(self) -> None:
        text = " ".join(f"${number}" for number in range(3_000, 3_100))
        assert len(numbers(text, COMPENSATION)) == checks.MOST + 1


class TestWords:
    def test_a_paraphrase_in_plain_speech_passes(self) -> None:
        text = "The airline owes you the fare twice over when the plane it offers arrives within two hours."
        assert words(text, COMPENSATION) == []

    def test_a_claim_about_something_else_is_flagged(self) -> None:
        (problem,) = words("Pets may travel in the cabin when they fit under the seat.", COMPENSATION)
        assert problem.startswith("Only 0 of ")
        assert problem.endswith("stand in the cited passage.")

    def test_a_better_passage_is_named(self) -> None:
        (problem,) = words("The Department will review the domestic baggage liability limit.", AIRCRAFT)
        assert "More of them stand in passage dddddddddddd (254.6 of 2025-01-22)." in problem

    def test_a_claim_without_content_words_is_not_judged(self) -> None:
        assert words("$1,075, under the rule.", COMPENSATION) == []

    def test_without_another_passage_none_is_named(self) -> None:
        one = claim("Pets may travel in the cabin.", COMPENSATION)
        found = checks.words_not_in_passages(one, checks.gather(one, context(COMPENSATION), INDEX.get))
        assert len(found) == 1
        assert "passage aaaaaaaaaaaa" not in found[0]

    def test_a_run_of_letters_is_not_stemmed(self) -> None:
        assert len(words("z" * 50_000, COMPENSATION)) == 1


class TestQuotes:
    @pytest.mark.parametrize(
        "text",
        [
            "It says “at least 200 percent of the fare”.",
            'It says "at least 200  percent\nof the fare".',
            "It is “at least 200 percent … or $1,075, whichever is lower.”",
            "It is “at least 200 percent ... whichever is lower [...] original flight”",
            "It is “. . . whichever is lower . . .”",
            "It says “passenger\u2019s destination”.",
            "It says “(2) Compensation shall be”.",
            "It says “” and “ … ” and nothing else.",
            'A 12" ruler.',
        ],
    )
    def test_words_of_the_passage_may_be_quoted(self, text: str) -> None:
        assert quotes(text, COMPENSATION) == []

    @pytest.mark.parametrize(
        "text",
        [
            "It says “at least 200 percent of the ticket”.",
            'It says "at most 200 percent".',
            "It says “whichever is lower … at least 200 percent”.",
            "It says “200 percent … $1,07”.",
            "It says “ompensation”.",
            "It says “;:;”",
            "It says “at least 300 percent",
        ],
    )
    def test_other_words_may_not(self, text: str) -> None:
        assert quotes(text, COMPENSATION)[0].endswith("does not stand word for word in the cited passage.")

    def test_quotation_marks_inside_a_quote_belong_to_it(self) -> None:
        assert quotes("“passengers with “zero fare tickets.” The fare paid”", ZERO_FARE) == []
        assert quotes('"passengers with “zero fare tickets.”"', ZERO_FARE) == []
        assert quotes('“passengers with "zero fare tickets."”', ZERO_FARE) == []

    def test_a_quote_of_another_passage_is_named_with_it(self) -> None:
        assert quotes("“at least 400 percent”", COMPENSATION) == [
            (
                "“at least 400 percent” stands in passage bbbbbbbbbbbb (250.5(a)(3) of 2025-01-22), "
                "not in the cited one."
            )
        ]

    def test_a_quote_does_not_run_over_two_passages(self) -> None:
        assert len(quotes("“at least 200 percent … at least 400 percent”", COMPENSATION, LONG_DELAY)) == 1


class TestVersions:
    def test_a_version_not_in_force_is_named_with_its_day(self) -> None:
        evidence = checks.gather(claim("x", COMPENSATION, LONG_DELAY), CONTEXT, INDEX.get)
        day = date(2024, 12, 20)
        found = checks.versions_not_in_force(evidence, day, lambda item: item.version.in_force(day))
        assert found == ["NOT IN FORCE on 2024-12-20: 250.5 of 2025-01-22"]

    def test_each_passage_is_checked_for_itself(self) -> None:
        found = problems(claim("more than 60 seats, at least 200 percent", COMPENSATION, AIRCRAFT))
        assert found == ["NOT IN FORCE on 2025-02-01: 254.3 of 2017-01-01"]


class TestAnswers:
    def test_every_claim_gets_its_problems_and_nothing_else_changes(self) -> None:
        right = claim("The carrier pays at least 200 percent of the fare.", COMPENSATION)
        wrong = replace(
            claim("The carrier pays at least 300 percent of the fare.", COMPENSATION), problems=("x",)
        )
        answer = Answer(model.Status.ANSWERED, "text", (right, wrong), model="some-model")
        checked = checks.check_answer(answer, QUESTION, CONTEXT, lookup=INDEX.get, in_force=in_force)
        assert checked.claims[0] == right
        assert checked.claims[1].problems == ("300 percent does not stand in the cited passage.",)
        assert replace(checked, claims=answer.claims) == answer
        assert checks.check_answer(checked, QUESTION, CONTEXT, lookup=INDEX.get, in_force=in_force) == checked

    def test_a_closed_book_answer_is_never_sourced(self) -> None:
        answer = Answer(
            model.Status.ANSWERED, "text", (claim("The cap is $1,075.", COMPENSATION), claim("Yes."))
        )
        checked = checks.check_answer(answer, QUESTION, context(), lookup=INDEX.get, in_force=in_force)
        assert [item.problems for item in checked.claims] == [(checks.CLOSED_BOOK,), (checks.CLOSED_BOOK,)]

    def test_an_answer_without_claims_stays(self) -> None:
        answer = Answer(model.Status.ABSTAINED)
        assert checks.check_answer(answer, QUESTION, CONTEXT, lookup=INDEX.get, in_force=in_force) == answer

    @given(
        st.text() | st.text(alphabet=st.sampled_from('“”"…. $1,075%[]()\\é\x1b\u202e\ud800'), max_size=60),
        st.lists(st.sampled_from(sorted(INDEX)) | st.text(max_size=20), max_size=4),
        st.text(max_size=40),
    )
    def test_no_claim_raises_and_no_problem_is_unsafe(self, text: str, cited: list[str], asked: str) -> None:
        found = problems(Claim(text, tuple(cited)), question=Question(asked, DAY))
        assert all(problem == one_line(problem) and len(problem) < 500 for problem in found)


def test_the_import_is_light() -> None:
    code = "import sys, engine.checks; sys.exit('snowballstemmer' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
    assert checks.MIN_WORD_SHARE < 0.5
