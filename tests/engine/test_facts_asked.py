"""What a question asks for: an amount, whether the rules apply, or something else."""

from __future__ import annotations

import pytest

from engine.facts import read_facts


class TestAsked:
    @pytest.mark.parametrize(
        "text",
        [
            "how much do I get",
            "the maximum",
            "what is the cap",
            "which tier",
            "what percentage",
            "what am I entitled to",
            "amount?",
            "what is the multiplier",
            "is that the higher or the lower rate",
            "how big is it",
            "how much? I never volunteered",
        ],
    )
    def test_an_amount(self, text: str) -> None:
        assert read_facts(text).asks_amount

    @pytest.mark.parametrize(
        "text",
        [
            "must they pay",
            "how much is the notice",
            "how is the limit adjusted",
            "how much do volunteers get",
        ],
    )
    def test_another_thing_or_another_amount(self, text: str) -> None:
        assert not read_facts(text).asks_amount

    def test_scope(self) -> None:
        assert read_facts("does the rule apply to a 19-seater").asks_scope
        assert not read_facts("how much for a 19-seater").asks_scope

    @pytest.mark.parametrize(
        ("text", "asked"),
        [
            ("does the rule reach commuter planes", True),
            ("the next plane reaches Mexico City at noon", False),
            ("they say small planes are outside", True),
            ("we are outside the United States", False),
            ("is a 19-seater exempt", True),
            ("do the rules help me for that flight", True),
            ("what is Part 254 for", True),
        ],
    )
    def test_scope_in_other_words(self, text: str, asked: bool) -> None:
        assert read_facts(text).asks_scope is asked

    @pytest.mark.parametrize(
        ("text", "asked"),
        [
            ("bumped, how much", True),
            ("how much, Boston to Reno, 90 minutes late", True),
            ("how much, 90 minutes late", False),
            ("how much, Boston to Reno", False),
            ("bumped and my bag is lost, how much", False),
            ("bumped from Boston to Reno, 90 minutes late", True),
            ("bumped from Boston to Reno", False),
            ("bumped, 90 minutes late", False),
            ("bumped from Boston to Reno, 90 minutes late, I never volunteered", True),
            ("bumped from Boston to Reno, 90 minutes late, what must the written statement say?", False),
        ],
    )
    def test_compensation_is_an_amount_for_a_bumped_passenger(self, text: str, asked: bool) -> None:
        assert read_facts(text).compensation is asked
