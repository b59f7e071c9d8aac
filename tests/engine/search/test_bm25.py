from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.chunks import cut
from engine.search.bm25 import KeywordScorer
from engine.search.tokens import tokens
from engine.search.units import units_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.model import Chunk
    from tests.engine.conftest import MakeText, MakeVersion

TEXTS = (
    "(a)|Compensation is a payment of 200 percent of the fare.",
    "(b)|Compensation is a payment of 400 percent of the fare, or $1,550.",
    "(c)|Volunteers come first.",
    "(d)|Baggage is another matter.",
)


@pytest.fixture(scope="module")
def scorer(make_text: MakeText, make_version: MakeVersion) -> KeywordScorer:
    return scorer_of(*cut(make_version(make_text("250.5", *TEXTS, heading="§ 250.5 Rules."))))


def scorer_of(*chunks: Chunk) -> KeywordScorer:
    return KeywordScorer(units_of(chunks), chunks)


@pytest.fixture(scope="module")
def one_each(make_text: MakeText, make_version: MakeVersion) -> Callable[..., KeywordScorer]:
    """Make a scorer over sections of one block each: unit n is text n."""

    def make(*texts: str) -> KeywordScorer:
        versions = [
            make_version(make_text(f"250.{n}", text, heading="§ 250.0 x")) for n, text in enumerate(texts)
        ]
        return scorer_of(*(chunk for version in versions for chunk in cut(version)))

    return make


def test_no_candidates_have_no_scores(scorer: KeywordScorer) -> None:
    assert scorer.scores(tokens("compensation"), ()) == {}


@pytest.mark.parametrize("question", ["zebra", "", "AND", '"', "the of"])
def test_a_question_without_a_matching_word_finds_nothing(scorer: KeywordScorer, question: str) -> None:
    assert scorer.scores(tokens(question), (0, 1, 2, 3)) == {}


def test_only_units_that_hold_a_word_are_scored(scorer: KeywordScorer) -> None:
    found = scorer.scores(tokens("volunteers and baggage"), (0, 1, 2, 3))
    assert set(found) == {2, 3}
    assert set(scorer.scores(tokens("volunteers and baggage"), (0, 1, 3))) == {3}


@pytest.mark.parametrize("candidates", [(0,), (1,), (0, 1), (0, 1, 2), (0, 1, 2, 3)])
def test_scores_are_positive_however_few_or_common(
    scorer: KeywordScorer, candidates: tuple[int, ...]
) -> None:
    found = scorer.scores(tokens("compensation"), candidates)
    assert set(found) == {0, 1} & set(candidates)
    assert all(score > 0 for score in found.values())


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("$1,550", 1),
        ("1550", 1),
        ("250.5(b)", 1),
        ("250.5(a)", 0),
        ("who volunteers first", 2),
        ("400 percent", 1),
    ],
)
def test_the_best_unit(scorer: KeywordScorer, question: str, best: int) -> None:
    found = scorer.scores(tokens(question), (0, 1, 2, 3))
    assert max(found, key=found.__getitem__) == best


def test_a_section_number_finds_its_units_without_standing_in_the_text(scorer: KeywordScorer) -> None:
    assert set(scorer.scores(tokens("250.5"), (0, 1, 2, 3))) == {0, 1, 2, 3}


def test_how_rare_a_word_is_is_counted_over_the_candidates_alone(
    one_each: Callable[..., KeywordScorer],
) -> None:
    # "fare" stands in every text of the other years, "check" in none of them.
    scorer = one_each("fare rule", "check rule", *["fare rule"] * 50)
    among_all = scorer.scores(["fare", "check"], tuple(range(52)))
    assert among_all[1] > 2 * among_all[0]
    among_two = scorer.scores(["fare", "check"], (0, 1))
    assert among_two[0] == pytest.approx(among_two[1])
    small = one_each("fare rule", "check rule")
    assert small.scores(["fare", "check"], (0, 1)) == pytest.approx(among_two)


def test_words_that_a_unit_says_more_often_count_more(one_each: Callable[..., KeywordScorer]) -> None:
    found = one_each("fare one two", "fare fare two", "three four five").scores(["fare"], (0, 1, 2))
    assert found[1] > found[0]


def test_scores_come_back_the_same_in_any_order_of_asking(scorer: KeywordScorer) -> None:
    questions = ["compensation payment", "volunteers", "400 percent of $1,550"]
    sets = [(0, 1), (0, 1, 2, 3), (1, 3)]
    first = {(q, c): scorer.scores(tokens(q), c) for q in questions for c in sets}
    again = {(q, c): scorer.scores(tokens(q), c) for c in reversed(sets) for q in reversed(questions)}
    assert first == again


def test_the_statistics_of_a_few_sets_are_kept_and_the_least_used_go(
    one_each: Callable[..., KeywordScorer],
) -> None:
    scorer = one_each(*["fare"] * 20)
    for count in range(1, 9):
        scorer.scores(["fare"], tuple(range(count)))
    kept = dict(scorer._built)
    scorer.scores(["fare"], (0,))  # used again, so that the next one in goes for another
    scorer.scores(["fare"], tuple(range(20)))
    assert len(scorer._built) == 8
    assert scorer._built[0,] is kept[0,]
    assert (0, 1) not in scorer._built


def test_the_vocabulary_is_that_of_the_candidates(scorer: KeywordScorer) -> None:
    assert {"volunt", "250.5", "250.5(c)", "come"} <= scorer.vocabulary((2,))
    assert "baggag" not in scorer.vocabulary((2,))
    assert "baggag" in scorer.vocabulary((2, 3))
    assert scorer.vocabulary(()) == set()


def test_a_chunk_without_blocks_is_found_by_its_heading(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    (chunk,) = cut(make_version(make_text("250.7", heading="§ 250.7 [Reserved]")))
    scorer = scorer_of(chunk)
    assert set(scorer.scores(["250.7"], (0,))) == set(scorer.scores(tokens("reserved"), (0,))) == {0}
