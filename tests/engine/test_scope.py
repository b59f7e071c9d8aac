"""Whether a trip is inside a part, by the words of its own scope sections."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine.chunks import cut
from engine.facts import Facts, read_facts
from engine.scope import outside, scope_passages

if TYPE_CHECKING:
    from engine.model import Chunk, SectionText, SectionVersion

    class MakeText(Protocol):
        def __call__(self, section: str = ..., *lines: str, heading: str = ...) -> SectionText: ...

    class MakeVersion(Protocol):
        def __call__(self, text: SectionText, first: str = ..., last: str | None = ...) -> SectionVersion: ...

    class ScopeOf(Protocol):
        def __call__(self, *lines: str) -> tuple[Chunk, ...]: ...


VERSIONS = ("2017-01-01", "2021-01-13", "2021-04-13", "2021-08-02", "2024-10-24", "2025-01-22")


@pytest.fixture(scope="module")
def scope_of(make_text: MakeText, make_version: MakeVersion) -> ScopeOf:
    def made(*lines: str) -> tuple[Chunk, ...]:
        return cut(make_version(make_text("9.2", *lines, heading="§ 9.2 Applicability.")))

    return made


def shipped(chunks: tuple[Chunk, ...], part: str, day: str) -> tuple[Chunk, ...]:
    return scope_passages((c for c in chunks if c.version.in_force(date.fromisoformat(day))), part)


@pytest.mark.parametrize("day", VERSIONS)
class TestShippedParts:
    def test_the_section_on_applicability_comes_first(self, chunks: tuple[Chunk, ...], day: str) -> None:
        assert [chunk.section for chunk in shipped(chunks, "250", day)] == ["250.2"]
        assert [chunk.section for chunk in shipped(chunks, "254", day)] == ["254.2", "254.1"]

    @pytest.mark.parametrize(
        "text", ["my bag from Boston to Paris", "my bag from Paris to Boston", "my bag from Rome to Paris"]
    )
    def test_a_bag_abroad_is_outside_part_254(self, chunks: tuple[Chunk, ...], day: str, text: str) -> None:
        why = outside(read_facts(text), shipped(chunks, "254", day))
        assert why is not None
        assert "within the United States only" in why

    def test_a_bump_on_the_way_in_is_outside_part_250(self, chunks: tuple[Chunk, ...], day: str) -> None:
        scope = shipped(chunks, "250", day)
        for text in ("from Rome to Boston", "from Rome to Paris", "bumped on a flight into the US"):
            why = outside(read_facts(text), scope)
            assert why is not None
            assert "begin within the United States" in why

    def test_a_small_aircraft_is_outside_part_250(self, chunks: tuple[Chunk, ...], day: str) -> None:
        scope = shipped(chunks, "250", day)
        why = outside(Facts(seats=29), scope)
        assert why is not None
        assert "30 or more passenger seats" in why
        assert outside(Facts(seats=30), scope) is None

    @pytest.mark.parametrize("part", ["250", "254"])
    def test_nothing_known_puts_nothing_outside(self, chunks: tuple[Chunk, ...], day: str, part: str) -> None:
        scope = shipped(chunks, part, day)
        assert outside(Facts(), scope) is None
        assert outside(read_facts("from Boston to Reno"), scope) is None
        assert outside(read_facts("from Vancouver to Athens"), scope) is None

    def test_a_bump_on_the_way_out_is_inside_part_250(self, chunks: tuple[Chunk, ...], day: str) -> None:
        assert outside(read_facts("bumped from Boston to Rome"), shipped(chunks, "250", day)) is None


def test_the_number_of_seats_is_read_from_the_text(scope_of: ScopeOf) -> None:
    scope = scope_of("This part applies to aircraft with 40 or more passenger seats.")
    assert outside(Facts(seats=40), scope) is None
    assert outside(Facts(seats=39), scope) == (
        "The part covers aircraft designed for 40 or more passenger seats; this one has fewer."
    )
    assert outside(Facts(seats=39), scope_of("It applies to aircraft with 12 or more seats.")) is None


def test_a_part_that_names_foreign_air_transportation_covers_it(scope_of: ScopeOf) -> None:
    scope = scope_of("This part applies to interstate and foreign air transportation.")
    assert outside(read_facts("from Boston to Rome"), scope) is None
    assert outside(read_facts("from Rome to Boston"), scope) is None


def test_a_part_that_names_no_kind_of_transportation_leaves_no_trip_out(scope_of: ScopeOf) -> None:
    assert outside(read_facts("from Rome to Boston"), scope_of("This part applies to carriers.")) is None


def test_without_scope_passages_nothing_is_outside() -> None:
    assert outside(read_facts("from Rome to Boston on a 9-seater"), ()) is None


def test_passages_of_another_part_say_nothing(scope_of: ScopeOf) -> None:
    scope = scope_of("This part applies to aircraft with 40 or more passenger seats.")
    assert scope_passages(scope, "9") == scope
    assert scope_passages(scope, "10") == ()


@pytest.mark.parametrize("day", VERSIONS)
def test_a_charter_is_no_scheduled_flight(day: str, chunks: tuple[Chunk, ...]) -> None:
    facts = read_facts("Our charter to Las Vegas was oversold and two of us were left behind.")

    assert "charter" in (outside(facts, shipped(chunks, "250", day)) or "")
    assert outside(facts, shipped(chunks, "254", day)) is None
