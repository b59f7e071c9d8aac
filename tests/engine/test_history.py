"""The history of a rule: sources, badges and checks, and what stands in no version is not said."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from engine.answerers.prompt import request_key
from engine.checks import check_answer
from engine.engine import Engine
from engine.model import Answer, Change, Claim, Question, Reason, Status
from engine.quantities import find_quantities
from engine.search.words import load_words

if TYPE_CHECKING:
    from engine.ingest import IngestReport
    from engine.model import AnswerCard, Context
    from engine.snapshot import Collection

NOTICE = "only the publisher's notice of an amendment differs"


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    words = load_words(collection.folder.parent / f"{collection.folder.name}.words.toml")
    return Engine(collection, ingested.index, word_list=words)


def ask(engine: Engine, question: str, day: str = "2026-01-01") -> AnswerCard:
    return engine.ask(question, date.fromisoformat(day))


def context_of(card: AnswerCard) -> Context:
    assert card.context is not None
    return card.context


class TestAnswers:
    def test_one_change_is_short(self, engine: Engine) -> None:
        for question in (
            "what changed in 250.5 in 2025",
            "when did 254.4 last change",
            "since when is it $775",
        ):
            assert len(ask(engine, question).answer.split()) <= 80

    def test_number_their_sources_and_keep_the_red_badge(self, engine: Engine) -> None:
        card = ask(engine, "what changed in 254.4 between 2020 and 2023", "2022-06-10")
        assert [source.number for source in card.sources] == list(range(1, len(card.sources) + 1))
        standing = {source.chunk.version.effective_from: source.in_force for source in card.sources}
        assert standing == {date(2021, 1, 13): False, date(2021, 4, 13): True}

    def test_an_amount_of_no_day_is_an_abstention(self, engine: Engine) -> None:
        for question in ("since when is it $9,999", "since when is it $775 in 254.4"):
            card = ask(engine, question)
            assert (card.status, card.reason) == (Status.ABSTAINED, Reason.NOTHING_FITS)
            assert "stands in no text held here" in card.answer
            assert card.sources == ()

    @pytest.mark.parametrize(
        ("question", "said"),
        [
            ("what changed in 254.4 between 2010 and 2015", "Of days before 2017-01-01 no text is held"),
            ("what changed in 254.4 between 2027 and 2028", "up to date to 2026-10-07"),
        ],
    )
    def test_days_that_nothing_is_held_of_are_said_to_be_so(
        self, engine: Engine, question: str, said: str
    ) -> None:
        card = ask(engine, question)
        assert card.status is Status.NOT_HELD
        assert said in card.answer
        assert "no change" not in card.answer

    def test_a_section_that_is_not_there_is_said_to_be_so(self, engine: Engine) -> None:
        card = ask(engine, "what changed in 250.99 since 2020")
        assert context_of(card).history is None
        assert "There is no section 250.99" in card.answer

    def test_what_other_rules_govern_is_left_to_them(self, engine: Engine) -> None:
        card = ask(
            engine, "since when has the baggage limit been in force for a bag lost from Chicago to London"
        )
        assert card.status is Status.ABSTAINED
        assert "$" not in card.answer

    def test_a_plain_question_has_no_history(self, engine: Engine) -> None:
        card = ask(engine, "bumped in 2022, what do they owe", "2022-06-10")
        context = context_of(card)
        assert context.history is None
        assert context.aside == frozenset()
        assert context.given == context.hits


class TestEverySectionAndPairOfVersions:
    def test_cites_its_own_versions_and_states_no_amount_that_they_lack(self, engine: Engine) -> None:
        seen = 0
        for line in engine.timelines:
            for number, first in enumerate(line.versions):
                for last in line.versions[number:]:
                    days = f"{first.effective_from} and {last.effective_from}"
                    card = ask(engine, f"what changed in {line.section} between {days}")
                    assert card.status is Status.ANSWERED
                    assert {source.chunk.section for source in card.sources} == {line.section}
                    assert not any(claim.problems for claim in card.claims)
                    cited = "\n".join(source.chunk.body for source in card.sources)
                    stated = {q for q in find_quantities(card.answer) if q.kind in {"money", "percent"}}
                    assert stated <= set(find_quantities(cited))
                    seen += 1
        assert seen > 80

    def test_names_each_day_of_substance_and_no_other_day_as_a_change(self, engine: Engine) -> None:
        for line in engine.timelines:
            card = ask(engine, f"what changed in {line.section} since 2017")
            for before, after in pairwise(line.versions):
                told = f"14 CFR {line.section}, {after.effective_from}: "
                text = after.change is Change.TEXT
                assert (told in card.answer.replace(f"{told}{NOTICE}", "")) == text, (before, after)


class TestChecks:
    def test_a_model_cannot_pass_as_the_history(self, engine: Engine) -> None:
        card = ask(engine, "what changed in 254.4 between 2020 and 2023", "2022-06-10")
        context = context_of(card)
        assert context.history is not None
        old = next(one for one in context.history.chunks if one.version.effective_from == date(2021, 1, 13))
        forged = Claim("The limit is $3,500 per passenger (version 2021-01-13 to 2021-04-12).", (old.id,))
        answer = check_answer(
            Answer(Status.ANSWERED, "", (forged, *context.history.claims)),
            Question(card.question, card.as_of),
            context,
            lookup=engine.chunk,
            in_force=lambda chunk: chunk.version.in_force(card.as_of),
        )
        problems = " ".join(answer.claims[0].problems)
        assert "was not among the passages given" in problems
        assert "NOT IN FORCE on 2022-06-10" in problems
        assert all(claim.problems == () for claim in answer.claims[1:])

    def test_a_number_of_the_history_itself_is_still_checked(self, engine: Engine) -> None:
        card = ask(engine, "when did 254.4 last change")
        context = context_of(card)
        assert context.history is not None
        made = replace(context.history.claims[0], text="14 CFR 254.4 said $9,999.")
        wrong = replace(context, history=replace(context.history, claims=(made,)))
        answer = check_answer(
            Answer(Status.ANSWERED, "", (made,)),
            Question(card.question, card.as_of),
            wrong,
            lookup=engine.chunk,
            in_force=lambda _: False,
        )
        assert answer.claims[0].problems == ("$9,999 does not stand in the cited passages.",)

    def test_a_model_is_given_the_passages_of_the_day_alone(self, engine: Engine) -> None:
        card = ask(engine, "what changed in 254.4 between 2020 and 2023", "2022-06-10")
        context, asked = context_of(card), Question(card.question, card.as_of)
        assert context.aside
        assert all(hit.in_force for hit in context.given)
        assert not context.aside & set(context.ids)
        assert not context.aside & {dropped.chunk.id for dropped in context.dropped}
        assert all(context.chunk(one) is None for one in context.aside)
        bare = replace(context, hits=context.given, history=None, aside=frozenset())
        assert request_key(asked, context, "m") == request_key(asked, bare, "m")

    def test_without_the_date_filter_there_is_no_history(self, engine: Engine) -> None:
        card = engine.ask("what changed in 254.4 since 2020", date(2022, 6, 10), date_filter=False)
        assert context_of(card).history is None


def test_every_day_of_a_run_has_the_amount_and_the_days_beside_it_do_not(engine: Engine) -> None:
    for section, label, amount in (
        ("250.5", "(a)(2)", "$775"),
        ("254.4", "", "$3,800"),
        ("254.5", "(b)", "$3,500"),
    ):
        card = ask(engine, f"since when is it {amount} in {section}{label}")
        line = next(one for one in engine.timelines if one.section == section)
        held = [v for v in line.versions if any(amount in b.text for b in v.text.blocks if b.label == label)]
        first, last = held[0].effective_from, held[-1].effective_to
        assert last is not None
        assert f"{first}" in card.answer
        assert f"to {last}" in card.answer
        after = line.text_on(last + timedelta(days=1))
        assert after is not None
        assert after not in held
