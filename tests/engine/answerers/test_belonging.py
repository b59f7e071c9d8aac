"""Paragraphs that are read together are quoted together, in the order of the text."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine.answerers import quote
from engine.answerers.quote import QuoteAnswerer
from engine.chunks import cut
from engine.model import Context, Hit, Question

if TYPE_CHECKING:
    from engine.model import Answer, SectionText, SectionVersion

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...


QUESTION = Question("What shall the carrier pay?", date(2022, 6, 10))


def answered(version: SectionVersion, *scores: float | None) -> Answer:
    """What is quoted of a version in one passage whose blocks have these scores."""
    (chunk,) = cut(version)
    hit = Hit(1, 1.0, chunk, in_force=True, blocks=scores)
    return QuoteAnswerer().answer(QUESTION, Context((hit,), frozenset(), 0, 4000))


def labels(answer: Answer) -> list[str]:
    return [claim.labels[0] for claim in answer.claims]


def test_the_paragraph_that_limits_a_rule_is_quoted_behind_it(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    text = make_text(
        "9.1",
        "(a)|(a) Nobody may be removed.",
        "(b)|(b) The prohibition pursuant to paragraph (a) of this section shall not apply to cats.",
        "(c)|(c) Nothing else.",
    )

    assert labels(answered(make_version(text), 5.0, None, None)) == ["(a)", "(b)"]


@pytest.mark.parametrize("scores", [(5.0, None, None), (None, 5.0, None)])
def test_a_rule_and_its_exception_come_in_the_order_of_the_text(
    scores: tuple[float | None, ...], make_text: MakeText, make_version: MakeVersion
) -> None:
    text = make_text(
        "9.1",
        "(a)|(a) Pay on the day, except as provided in paragraph (b).",
        "(b)|(b) Later is fine.",
        "(c)|(c) Keep books.",
    )

    assert labels(answered(make_version(text), *scores)) == ["(a)", "(b)"]


def test_the_version_is_named_once_for_claims_in_a_row(
    make_text: MakeText, make_version: MakeVersion
) -> None:
    text = make_text("9.1", "(a)|(a) One rule.", "(b)|(b) Two rules.")
    first, second = answered(make_version(text), 5.0, 4.9).text.splitlines()

    assert first.startswith("14 CFR 9.1(a) (version ")
    assert second == "14 CFR 9.1(b): “(b) Two rules.”"


def test_further_quotations_end_where_the_words_do(
    make_text: MakeText, make_version: MakeVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "word " * 50
    text = make_text("9.1", *(f"({mark})|({mark}) {line}end {mark}." for mark in "abc"))
    whole = labels(answered(make_version(text), 5.0, 4.9, 4.8))
    monkeypatch.setattr(quote, "MOST_WORDS", 120)

    assert whole == ["(a)", "(b)", "(c)"]
    assert labels(answered(make_version(text), 5.0, 4.9, 4.8)) == ["(a)", "(b)"]
