"""The block for a complaint: the texts in force with version, words and address; nobody's own words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine.citation import CUT, LONGEST, UNFILTERED, NothingToCiteError, to_citation
from engine.engine import Engine
from engine.model import Claim, Coverage, Source, Status

if TYPE_CHECKING:
    from engine.ingest import IngestReport
    from engine.model import AnswerCard
    from engine.snapshot import Collection

DAY = date(2022, 6, 10)
BUMPED = (
    "My aunt Zelda was bumped from a domestic flight and rebooked to arrive 90 minutes late. What is owed?"
)


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    return Engine(collection, ingested.index)


@pytest.fixture(scope="module")
def card(engine: Engine) -> AnswerCard:
    return engine.ask(BUMPED, DAY)


def citing(
    engine: Engine, card: AnswerCard, section: str, *, claim: str = "", whole: bool = True
) -> AnswerCard:
    """The card with one passage cited: the first of that section in force."""
    chunk = next(c for c in engine.chunks if c.section == section and c.version.in_force(card.as_of))
    source = Source(1, chunk, in_force=True, paragraphs=chunk.paragraphs, text=chunk.body if whole else "")
    return replace(card, sources=(source,), claims=(Claim(claim, (chunk.id,)),))


def test_it_holds_place_version_words_address_and_snapshot(engine: Engine, card: AnswerCard) -> None:
    lines = to_citation(card).split("\n")
    (source,) = card.sources
    assert lines == [
        f"14 CFR 250.5(a)(2), {source.chunk.version.heading}",
        "In force on 2022-06-10: version 2021-08-02 to 2024-10-23",
        f"“{source.text}”",
        "https://www.ecfr.gov/on/2021-08-02/title-14/section-250.5",
        "",
        f"Texts up to date to 2026-10-07; snapshot us-14-cfr, SHA-256 {engine.collection.stamp.sha256}.",
        card.attribution,
    ]
    assert source.text in source.chunk.body


def test_nothing_that_the_caller_or_a_model_said_and_no_advice_is_in_it(card: AnswerCard) -> None:
    claim = replace(card.claims[0], text="Sue them, says the model.")
    text = to_citation(replace(card, claims=(claim,), answer="Sue them.", model="some model"))
    for word in ("Zelda", "Sue", "90 minutes", "some model", "advice", "Check"):
        assert word not in text


def test_a_day_after_the_texts_is_not_said_to_be_in_force(engine: Engine) -> None:
    card = engine.ask(BUMPED, date(2027, 2, 15))
    assert card.coverage is Coverage.AFTER
    assert "The latest text held for 2027-02-15: version since 2025-01-22" in to_citation(card)


def test_several_paragraphs_are_set_apart(engine: Engine, card: AnswerCard) -> None:
    made = citing(engine, card, "250.8")
    made = replace(made, sources=(replace(made.sources[0], paragraphs="(a), (b)"),))
    assert to_citation(made).startswith("14 CFR 250.8 (a), (b), § 250.8 ")


@pytest.mark.parametrize("status", [one for one in Status if one is not Status.ANSWERED])
def test_without_an_answer_there_is_nothing_to_cite(status: Status, card: AnswerCard) -> None:
    with pytest.raises(NothingToCiteError, match="nothing to cite") as caught:
        to_citation(replace(card, status=status))
    assert caught.value.exit_code == 1


def test_without_the_date_filter_the_words_stand_first_and_only_texts_in_force_follow(
    engine: Engine, card: AnswerCard
) -> None:
    old = next(c for c in engine.chunks if c.section == "250.5" and not c.version.in_force(DAY))
    other = Source(2, old, in_force=False, paragraphs="(a)", text=old.body)
    text = to_citation(replace(card, date_filter=False, sources=(*card.sources, other)))
    assert text.startswith(f"{UNFILTERED}\n\n14 CFR 250.5(a)(2)")
    assert str(old.version.effective_from) not in text
    with pytest.raises(NothingToCiteError, match="No text in force on 2022-06-10"):
        to_citation(replace(card, date_filter=False, sources=(other,)))


class TestQuotations:
    def test_of_a_passage_with_many_definitions_the_quoted_one_is_cited(
        self, engine: Engine, card: AnswerCard
    ) -> None:
        said = "“Fare means the price paid for air transportation including all mandatory taxes and fees.”"
        chunks = [c for c in engine.chunks if c.section == "250.1"]
        chunk = next(c for c in chunks if "Fare means the price" in c.body)
        source = Source(1, chunk, in_force=True, paragraphs="", text=chunk.body)
        text = to_citation(replace(card, sources=(source,), claims=(Claim(said, (chunk.id,)),)))
        assert "“Fare means the price paid" in text
        assert "Class of service means" not in text

    def test_a_claim_in_other_words_cites_the_whole_passage(self, engine: Engine, card: AnswerCard) -> None:
        made = citing(engine, card, "250.8", claim="Pay at once.")
        assert f"“{made.sources[0].chunk.body}”" in to_citation(made)

    def test_short_blocks_are_found_too(self, engine: Engine, card: AnswerCard) -> None:
        made = citing(engine, card, "250.8")
        chunk = made.sources[0].chunk
        block = replace(chunk.blocks[0], text="Pay now.")
        short = replace(chunk, blocks=(block, *chunk.blocks[1:]))
        made = replace(
            made, sources=(replace(made.sources[0], chunk=short),), claims=(Claim("“Pay now.”", (chunk.id,)),)
        )
        assert "\n“Pay now.”\n" in to_citation(made)

    @pytest.mark.parametrize("quoted", [0, 5, 9])
    def test_a_long_text_is_cut_between_sentences_from_the_quoted_one_on(
        self, quoted: int, engine: Engine, card: AnswerCard
    ) -> None:
        sentences = [f"{name} {'word ' * 38}ends." for name in "ABCDEFGHIJ"]
        made = citing(engine, card, "250.8", claim=f"“{sentences[quoted]}”" if quoted else "", whole=False)
        source = replace(made.sources[0], text=" ".join(sentences))
        made = replace(made, sources=(source,))
        quote = next(line for line in to_citation(made).split("\n") if line.startswith("“"))
        kept = sentences[quoted : quoted + 5]
        before, after = (f"{CUT} " if quoted else ""), (f" {CUT}" if quoted < 5 else "")
        assert quote == f"“{before}{' '.join(kept)}{after}”"
        assert len(quote.split()) <= LONGEST + 2

    def test_text_that_could_move_the_cursor_is_shown(self, engine: Engine, card: AnswerCard) -> None:
        made = citing(engine, card, "250.8")
        source = replace(made.sources[0], text="Pay\x1b[31m now.")
        assert "Pay\\x1b[31m now." in to_citation(replace(made, sources=(source,)))
