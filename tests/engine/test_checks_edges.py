"""Checks of a claim at their limits: the last problem listed, the last letter shown, the day that decides."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from engine import checks
from engine.checks import Evidence
from engine.delays import Delay
from engine.facts import Facts, Route
from engine.history import HistoryReading
from engine.model import Block, BlockKind, Chunk, Claim, Context, Hit, Question
from engine.quantities import Quantity
from engine.reading import read, read_tiers

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.sources.numbers import Reference
    from tests.engine.conftest import MakeText, MakeVersion

    Make = Callable[..., Chunk]

DAY = date(2025, 2, 1)
ASKED = Question("What is owed?", DAY)


@pytest.fixture
def make(make_text: MakeText, make_version: MakeVersion) -> Make:
    """Makes a passage of one paragraph; its heading adds `§`, the number and `Pets`."""

    def made(name: str, body: str, first: str = "2019-01-03", last: str | None = None) -> Chunk:
        version = make_version(make_text("250.5", body, heading="§ 250.5 Pets."), first, last)
        return Chunk(name, version, 0, 0, len(body), (Block(BlockKind.PARAGRAPH, body, "(a)"),), 0)

    return made


def context(*chunks: Chunk) -> Context:
    return Context(tuple(Hit(rank, 1.0, one, None) for rank, one in enumerate(chunks, 1)), frozenset(), 1, 1)


def problems(claim: Claim, given: Context, question: Question = ASKED, **options: Any) -> list[str]:
    held = {hit.chunk.id: hit.chunk for hit in given.hits}
    return checks.check_claim(
        claim, question, given, lookup=held.get, in_force=lambda one: one.version.in_force(DAY), **options
    )


class TestLimits:
    def test_the_words_of_the_two_problems_without_a_passage(self, make: Make) -> None:
        assert problems(Claim("Yes.", ()), context()) == ["no passage was given: nothing here is sourced"]
        assert problems(Claim("Yes.", ()), context(make("a", "Pay."))) == ["The claim cites no passage."]

    def test_five_problems_of_a_kind_are_listed_and_a_sixth_is_counted(self, make: Make) -> None:
        given = context(make("a", "Pay."))
        five = problems(Claim("Yes.", tuple("bcdef")), given)
        six = problems(Claim("Yes.", tuple("bcdefg")), given)
        assert five == [f'The index holds no passage "{name}".' for name in "bcdef"]
        assert six == [*five, "And 1 more of this kind."]

    def test_sixty_letters_are_shown_whole_and_of_more_the_first_59(self, make: Make) -> None:
        given = context(make("a", "Pay."))
        sixty, more = "x" * 60, "x" * 59 + "yz"
        assert problems(Claim("Yes.", (sixty,)), given) == [f'The index holds no passage "{sixty}".']
        assert problems(Claim("Yes.", (more,)), given) == [f'The index holds no passage "{"x" * 59}…".']
        assert problems(Claim("Yes.", ("x" * 500,)), given) == [f'The index holds no passage "{"x" * 59}…".']

    def test_a_run_of_forty_letters_is_still_a_word(self) -> None:
        assert checks._content_words("a" * 37 + "ing") == {"a" * 37}
        assert checks._content_words("a" * 38 + "ing") == {"a" * 38 + "ing"}

    def test_a_word_has_three_letters(self) -> None:
        assert checks._content_words("we fly to Rio") == {"fli", "rio"}


class TestShareOfWords:
    CLAIM = Claim("Pelicans alone carry silver umbrellas.", ("a",))

    def test_two_of_five_words_are_enough_and_one_is_not(self, make: Make) -> None:
        two = Evidence((make("a", "Pelicans carry fish."),), ())
        one = Evidence((make("a", "Pelicans eat fish."),), ())
        assert checks._content_words(self.CLAIM.text) == {"pelican", "alon", "carri", "silver", "umbrella"}
        assert checks.words_not_in_passages(self.CLAIM, two) == []
        assert checks.words_not_in_passages(self.CLAIM, one) == [
            "Only 1 of 5 words of the claim stand in the cited passage."
        ]

    def test_words_of_several_passages_count_together(self, make: Make) -> None:
        both = Evidence((make("a", "Pelicans eat fish."), make("b", "Dogs carry bones.")), ())
        neither = Evidence((make("a", "Cats eat fish."), make("b", "Dogs eat bones.")), ())
        assert checks.words_not_in_passages(self.CLAIM, both) == []
        assert checks.words_not_in_passages(self.CLAIM, neither) == [
            "Only 0 of 5 words of the claim stand in the cited passages."
        ]

    def test_the_best_of_the_others_is_named_when_it_has_enough(self, make: Make) -> None:
        cited = make("a", "Cats eat fish.")
        others = [
            make("b", "Pelicans carry fish."),
            make("c", "Pelicans carry silver."),
            make("d", "Pelicans eat."),
        ]
        few = "Only 0 of 5 words of the claim stand in the cited passage."
        best = " More of them stand in passage {} (250.5(a) of 2019-01-03)."
        for seen, name in ((others, "c"), (others[:1], "b")):
            found = checks.words_not_in_passages(self.CLAIM, Evidence((cited,), tuple(seen)))
            assert found == [few + best.format(name)]
        assert checks.words_not_in_passages(self.CLAIM, Evidence((cited,), (others[2],))) == [few]


class TestNumbers:
    def found(self, text: str, chunk: Chunk, *others: Chunk, asked: Question = ASKED) -> list[str]:
        return checks.numbers_not_in_passages(Claim(text, ("a",)), Evidence((chunk,), others), asked)

    def test_the_day_asked_for_and_the_days_of_the_question_may_be_named(self, make: Make) -> None:
        chunk = make("a", "Pay $5.")
        question = Question("Bumped on 4 May 2018, 90 minutes late, 3 bags, $70", DAY)
        assert self.found("On 4 May 2018 and 1 February 2025, 90 minutes", chunk, asked=question) == []
        assert self.found("On 5 May 2018", chunk, asked=question) == [
            "5 May 2018 does not stand in the cited passage."
        ]
        assert len(self.found("On 2 February 2025 or 31 January 2025", chunk)) == 2
        assert len(self.found("3 bags, $70", chunk, asked=question)) == 2

    def test_what_the_trip_comes_to_may_be_named(self, make: Make) -> None:
        chunk, known = make("a", "Pay $5."), frozenset(Quantity.of_day(date(2018, 5, 4)) for _ in "x")
        evidence = Evidence((chunk,), ())
        claim = Claim("On 4 May 2018", ("a",))
        assert checks.numbers_not_in_passages(claim, evidence, ASKED, known) == []
        assert len(checks.numbers_not_in_passages(claim, evidence, ASKED)) == 1

    def test_the_first_and_the_last_day_of_a_version_may_be_named(self, make: Make) -> None:
        chunk = make("a", "Pay.", "2019-01-03", "2021-04-12")
        assert self.found("From 3 January 2019 to 12 April 2021", chunk) == []
        assert len(self.found("From 4 January 2019 to 13 April 2021", chunk)) == 2

    def test_less_exact_dates_hold_a_day_of_theirs_and_no_other(self, make: Make) -> None:
        chunk = make("a", "Pay.", "2019-01-03", "2021-04-12")
        for text in ("in April 2021", "in 2021", "the 2021 text", "on April 12", "on January 3"):
            assert self.found(text, chunk) == []
        for text in ("in May 2021", "in April 2020", "in 2020", "the 2020 text", "on April 13", "on May 12"):
            assert len(self.found(text, chunk)) == 1

    def test_a_month_of_the_text_holds_a_year_and_no_day(self, make: Make) -> None:
        chunk = make("a", "As of December 1999.")
        assert self.found("in 1999, in December 1999", chunk) == []
        assert len(self.found("on December 1", chunk)) == 1
        assert len(self.found("on December 1, 1999", chunk)) == 1

    def test_a_year_of_the_text_holds_no_month(self, make: Make) -> None:
        chunk = make("a", "As amended in 1999.")
        assert self.found("in 1999", chunk) == []
        assert len(self.found("in January 1999", chunk)) == 1

    def test_nouns_beside_a_count_are_paraphrased_and_other_kinds_are_not(self, make: Make) -> None:
        chunk = make("a", "More than 60 seats, 7 days, $9.")
        assert self.found("60 passengers", chunk) == []
        assert self.found("a plane of 60", chunk) == []
        for text in ("61 passengers", "7 passengers", "9 passengers", "$60", "60 days", "60 percent"):
            assert len(self.found(text, chunk)) == 1
        assert self.found("the number 9", chunk) == []

    def test_the_first_of_the_others_that_has_a_number_is_named(self, make: Make) -> None:
        others = (make("b", "Pay $6."), make("c", "Pay $7."), make("d", "Pay $7."))
        assert self.found("It is $7.", make("a", "Pay $5."), *others) == [
            "$7 stands in passage c (250.5(a) of 2019-01-03), not in the cited one."
        ]


class TestQuotes:
    def found(self, text: str, chunk: Chunk, *more: Chunk, others: tuple[Chunk, ...] = ()) -> list[str]:
        return checks.quotes_not_in_passages(Claim(text, ("a",)), Evidence((chunk, *more), others))

    def test_one_of_the_cited_passages_is_enough(self, make: Make) -> None:
        assert self.found("“pay in silver”", make("a", "We eat."), make("b", "Please pay in silver.")) == []

    @pytest.mark.parametrize(
        "quote", ["pay in silver", "Please pay", "coins.", "silver coins,", "Please pay in silver coins."]
    )
    def test_whole_words_from_either_end(self, quote: str, make: Make) -> None:
        assert self.found(f"“{quote}”", make("a", "Please pay in silver coins.")) == []

    @pytest.mark.parametrize("quote", ["14 CFR § 250.5 Pets.", "Fees … pay in silver", "Fees … .", "… . …"])
    def test_the_title_and_what_stands_beside_a_sign(self, quote: str, make: Make) -> None:
        assert self.found(f"“{quote}”", make("a", "Fees (pay in silver) apply.")) == []

    @pytest.mark.parametrize(
        "quote", ["lease pay", "pay in silve", "ay", "coin", "pay. in", "silver … pay", "pay … pay", "4 CFR"]
    )
    def test_no_parts_of_words_and_no_other_order(self, quote: str, make: Make) -> None:
        assert len(self.found(f"“{quote}”", make("a", "Please pay in silver coins."))) == 1

    def test_a_word_that_first_stands_inside_another_is_found_where_it_is_whole(self, make: Make) -> None:
        assert self.found("“ship”", make("a", "A shipment by ship.")) == []
        assert self.found("“aa”", make("a", "aaa aa")) == []
        assert self.found("“pay … pay”", make("a", "We pay who must pay.")) == []

    def test_straight_and_curved_marks_enclose_what_stands_between_them(self) -> None:
        assert checks._quotes('"one" and “two “three” four” and “five') == ["one", "two “three” four", "five"]
        assert checks._quotes('a 12" ruler') == []
        assert checks._quotes("“one") == ["one"]
        assert checks._quotes("one” two") == []
        assert checks._quotes('“a "b" c” “d “e”') == ['a "b" c', "d “e”"]
        assert checks._quotes("") == []


class TestOrder:
    def test_every_check_is_made_and_ids_and_versions_come_first(self, make: Make) -> None:
        given = context(make("a", "Pay in silver."), make("b", "Fish."))
        old = make("c", "Old pelicans.", "2019-01-03", "2021-04-12")
        claim = Claim("“umbrellas” for $7 under § 250.9 shelter elephants quietly", ("c", "x"))
        held = {"c": old}
        found = checks.check_claim(
            claim, ASKED, given, lookup=held.get, in_force=lambda one: one.version.in_force(DAY)
        )
        assert found == [
            'The index holds no passage "x".',
            "The cited passage c (250.5(a) of 2019-01-03) was not among the passages given.",
            "NOT IN FORCE on 2025-02-01: 250.5 of 2019-01-03",
            "$7 does not stand in the cited passage.",
            "“umbrellas” does not stand word for word in the cited passage.",
            "The claim names § 250.9 and cites § 250.5(a).",
            "Only 0 of 4 words of the claim stand in the cited passage.",
        ]

    def test_what_the_text_comes_to_for_the_facts_is_held_against_it(self, chunks: tuple[Chunk, ...]) -> None:
        held = [one for one in chunks if one.section == "250.5" and one.version.in_force(DAY)]
        facts = Facts(route=Route.WITHIN_US, delay=Delay(90, 90, planned=True, text=""))
        given = replace(context(*held), reading=read(read_tiers(held), facts))
        claim = Claim("The carrier pays compensation of 400 percent of the fare.", given.ids)
        (problem,) = problems(claim, given)
        assert problem.endswith("200 %, at most $1,075, § 250.5(a)(2); the claim gives 400 percent.")

    def test_what_the_day_does_not_have_is_asked_for(self, make: Make) -> None:
        def missing(reference: Reference) -> str:
            return f"No {reference.section}."

        given = context(make("a", "Pay in silver."))
        assert problems(Claim("Pay in silver under § 250.5.", ("a",)), given, missing=missing) == [
            "No 250.5."
        ]

    def test_what_the_engine_made_of_the_timelines_may_speak_of_other_days(self, make: Make) -> None:
        old = make("c", "Old pelicans pay $5.", "2019-01-03", "2021-04-12")
        own = Claim("“Old pelicans” were to get $5, then $9, under § 250.9.", ("c",))

        reading = HistoryReading((own,), "", (old,), True, frozenset({Quantity("money", Decimal(9), "USD")}))
        given = replace(context(old), history=reading, aside=frozenset({"c"}))
        assert problems(own, given) == []
        assert problems(replace(own, problems=("x",)), given) == []
        wrong = replace(own, text="“Young pelicans” get $9 and $8 under § 250.9.")
        assert problems(wrong, given) == [checks.CLOSED_BOOK]
        assert problems(wrong, replace(given, history=replace(reading, claims=(wrong,)))) == [
            "$8 does not stand in the cited passage.",
            "“Young pelicans” does not stand word for word in the cited passage.",
        ]
        more = replace(given, hits=(*given.hits, Hit(2, 1.0, make("a", "Fish."), None)))
        assert problems(wrong, more)[:2] == [
            "The cited passage c (250.5(a) of 2019-01-03) was not among the passages given.",
            "NOT IN FORCE on 2025-02-01: 250.5 of 2019-01-03",
        ]
