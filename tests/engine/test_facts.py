"""What a question says of the trip, and that nothing unsaid is made up."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from engine.delays import Delay
from engine.facts import Cabin, Facts, Route, denies_bumping, read_facts
from engine.places import Lies

WITHIN, FROM, TO, ABROAD = Route.WITHIN_US, Route.FROM_US, Route.TO_US, Route.ABROAD


class TestRoute:
    @pytest.mark.parametrize(
        ("text", "route"),
        [
            ("from Boston to Reno", WITHIN),
            ("from houston to reno", WITHIN),
            ("Boston to Dublin", FROM),
            ("Chicago–Tokyo", FROM),
            ("BOS-DUB oversold", FROM),
            ("out of Miami on a flight to Lima", FROM),
            ("bumped in Chicago on my way to Rome", FROM),
            ("bumped at JFK, leaving for Madrid", FROM),
            ("bumped in London going to New York", TO),
            ("flying out of Paris to Boston", TO),
            ("from Ireland to the US", TO),
            ("London to Paris", ABROAD),
            ("from Denver via Toronto to Reno", WITHIN),
            ("between Denver and Reno", WITHIN),
            ("from Miami to Puerto Rico", WITHIN),
            ("from Guam to Honolulu", WITHIN),
            ("Atlanta to Paris, Texas", WITHIN),
            ("domestic flight", WITHIN),
            ("interstate trip", WITHIN),
            ("within the United States", WITHIN),
            ("between two US cities", WITHIN),
            ("domestic flight to San Juan", WITHIN),
            ("international flight out of the US", FROM),
            ("from the US to Ireland", FROM),
            ("from a US airport to Japan", FROM),
            ("out of the country", FROM),
            ("international flight from Chicago", FROM),
            ("flying overseas from Boston", FROM),
            ("a flight into the US", TO),
            ("back to the States", TO),
            ("back to the States from Rome", TO),
            ("an inbound international flight", TO),
        ],
    )
    def test_in_any_form(self, text: str, route: Route) -> None:
        assert read_facts(text).route is route

    @pytest.mark.parametrize(
        "text",
        [
            "bumped",
            "bumped in Boston",
            "flight to Boston",
            "from Vancouver to Boston",
            "Newark to San Juan",
            "my inbound flight",
            "an international flight",
            "domestic or international",
            "are international flights covered in the US",
            "bumped at Boston international airport",
            "the US carrier bumped me in Boston",
            "Denver, Reno and international ones",
        ],
    )
    def test_stays_open_when_it_is_not_said_or_has_two_readings(self, text: str) -> None:
        assert read_facts(text).route is None

    def test_its_ends_are_told_from_the_route(self) -> None:
        def ends(text: str) -> tuple[bool, bool]:
            facts = read_facts(text)
            return facts.begins_abroad, facts.ends_abroad

        assert ends("from Boston to Rome") == (False, True)
        assert ends("from Rome to Boston") == (True, False)
        assert ends("from Rome to Paris") == (True, True)
        assert ends("bumped in Rome") == (True, False)
        assert ends("bumped on a flight into the US") == (True, False)
        assert ends("bumped on an international flight out of the US") == (False, True)
        # Flights of a kind are no trip.
        assert ends("an airline that keeps the rule on its flights to the US") == (False, False)

    def test_an_open_end_is_neither_here_nor_abroad(self) -> None:
        facts = read_facts("from Athens to Boston")
        assert (facts.begins_abroad, facts.places[0].lies) == (False, Lies.OPEN)


class TestMoney:
    @pytest.mark.parametrize(
        ("text", "fare"),
        [
            ("I paid $300 one way", "300"),
            ("my fare was $412.50", "412.50"),
            ("my fare (one way, taxes in) came to $412.50", "412.50"),
            ("a $250 fare", "250"),
            ("$250 one-way", "250"),
            ("ticket cost 300 dollars", "300"),
            ("paid 500 bucks for the ticket", "500"),
            ("fare of US$1,234.56", "1234.56"),
            ("I paid USD 400", "400"),
            ("the fare is $300, so I paid $300", "300"),
            ("I paid $500 for the hotel and $300 for my fare", "300"),
            ("the airline paid me $1,350 on a fare of $400", "400"),
        ],
    )
    def test_the_fare_is_what_was_paid_to_fly(self, text: str, fare: str) -> None:
        assert read_facts(text).fare == Decimal(fare)

    @pytest.mark.parametrize(
        "text",
        [
            "how much",
            "they paid me $675",
            "the airline paid $400",
            "is the cap $775",
            "my ticket was $600 round trip",
            "a bag fee of $35 I paid",
            "I paid a bag fee of $35",
            "I paid $300 and my fare was $350",
            "ticket cost \u20ac300",
            "fare of $1,2,3",
        ],
    )
    def test_other_money_is_no_fare(self, text: str) -> None:
        assert read_facts(text).fare is None

    @pytest.mark.parametrize(
        "text",
        [
            "award ticket",
            "zero fare ticket",
            "frequent flyer ticket",
            "flew on points",
            "used my 40,000 miles",
        ],
    )
    def test_an_award_ticket(self, text: str) -> None:
        assert read_facts(text).award

    def test_miles_that_were_flown_are_no_award(self) -> None:
        assert not read_facts("a flight of 900 miles").award


class TestSeats:
    @pytest.mark.parametrize(
        ("text", "seats"),
        [
            ("a 50-seat plane", 50),
            ("19-seater", 19),
            ("a nineteen-seat turboprop", 19),
            ("29 passenger seats", 29),
            ("30-passenger jet", 30),
            ("aircraft with only 30 seats", 30),
            ("plane with exactly 60 seats", 60),
            ("a regional jet seating 50", 50),
            ("the plane has a capacity of 19", 19),
            ("40 seat regional jet", 40),
        ],
    )
    def test_of_the_aircraft(self, text: str, seats: int) -> None:
        assert read_facts(text).seats == seats

    @pytest.mark.parametrize(
        "text",
        [
            "seat 24A",
            "they oversold 2 seats",
            "a plane for two hours",
            "the plane had two seats left",
            "a 19-seater or a 50-seater",
            "a window-seat on the plane",
        ],
    )
    def test_other_seats_are_not_the_aircrafts(self, text: str) -> None:
        assert read_facts(text).seats is None


class TestWhatHappened:
    @pytest.mark.parametrize(
        "text",
        [
            "I was bumped",
            "denied boarding",
            "an oversold flight",
            "overbooked",
            "kicked me off",
            "left me behind",
            "they forced him off",
            "took my wife off",
            "no seat for me",
            "there was no seat left for her",
            "too many people for the seats",
            "more passengers than there were seats",
            "they sold more tickets than seats",
            "refused at the gate",
            "refused to let us board",
            "she was not let on",
            "wasn't allowed to board",
            "left standing at the gate",
            "gave his seat to somebody",
            "lost our seats",
            "not oversold in the morning, oversold by noon",
        ],
    )
    def test_bumped(self, text: str) -> None:
        assert read_facts(text).bumped

    @pytest.mark.parametrize(
        "text",
        [
            "nobody bumped me",
            "the flight wasn't overbooked",
            "not oversold, just late",
            "no overbooking at all",
            "nobody was denied boarding",
            "we never got bumped",
            "not let on time into the lounge",
        ],
    )
    def test_not_bumped(self, text: str) -> None:
        assert not read_facts(text).bumped

    def test_that_nobody_was_bumped_is_said_and_not_only_unsaid(self) -> None:
        assert denies_bumping("The plane left late. No overbooking.")
        assert not denies_bumping("The plane left late.")
        assert not denies_bumping("I was bumped")

    @pytest.mark.parametrize(
        "text", ["my bag", "lost luggage", "two suitcases", "under 254.4", "fishing gear", "our golf clubs"]
    )
    def test_bag(self, text: str) -> None:
        assert read_facts(text).bag

    @pytest.mark.parametrize(
        ("text", "voluntary"),
        [
            ("I volunteered", True),
            ("gave up my seat", True),
            ("of my own free will", True),
            ("she did so willingly", True),
            ("i didnt volunteer", False),
            ("bumped involuntarily", False),
            ("against our will", False),
            ("I didn't volunteer", False),
            ("I never volunteered", False),
            ("nobody volunteered", False),
            ("what do volunteers get", None),
            ("bumped", None),
        ],
    )
    def test_voluntary_or_not(self, text: str, voluntary: bool | None) -> None:
        assert read_facts(text).voluntary is voluntary

    @pytest.mark.parametrize(
        "text",
        [
            "offered no other flight",
            "they gave me no later flight",
            "no alternate transportation was offered",
            "the airline did not offer another flight",
            "refused to put me on a later flight",
            "they never rebooked me",
            "nothing else was offered",
        ],
    )
    def test_no_alternate_transportation(self, text: str) -> None:
        assert read_facts(text).no_alternate

    def test_an_offer_is_not_none(self) -> None:
        assert not read_facts("they offered another flight, no hotel").no_alternate


def test_what_is_not_said_stays_open() -> None:
    assert read_facts("") == Facts()
    assert read_facts("What does the statement say?") == Facts()


def test_all_facts_of_one_question() -> None:
    facts = read_facts(
        "Bumped involuntarily from Boston to Dublin on a 180-seat plane, planned to land 3 hours late, paid "
        "$400 one way: how much?"
    )
    assert facts.delay == Delay(180, 180, planned=True, text="3 hours")
    assert (facts.route, facts.fare, facts.seats) == (FROM, Decimal(400), 180)
    assert (facts.voluntary, facts.bumped, facts.bag, facts.award) == (False, True, False, False)
    assert facts.compensation


def test_json_form_goes_through_json() -> None:
    made = read_facts("Bumped from Boston to Dublin, 1-2 hours late, $412.50 fare").as_json()
    assert json.loads(json.dumps(made)) == made
    assert made["places"] == [{"name": "Boston", "lies": "us"}, {"name": "Dublin", "lies": "abroad"}]
    assert made["delay"] == {"least": 61, "most": 119, "planned": None, "text": "1 to 2 hours"}
    assert (made["route"], made["fare"], made["seats"]) == ("from_us_abroad", "412.50", None)
    empty = Facts().as_json()
    assert json.loads(json.dumps(empty)) == empty
    assert (empty["fare"], empty["delay"], empty["places"]) == (None, None, [])


@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "from",
                    "to",
                    "Boston",
                    "$",
                    "9" * 80,
                    "paid",
                    "fare",
                    "seats",
                    "plane with",
                    "no other",
                    "\u0663",
                ]
            ),
            st.text(max_size=10),
        ),
        max_size=12,
    ).map(" ".join)
)
def test_hostile_text_never_raises(text: str) -> None:
    assert json.dumps(read_facts(text).as_json())


@pytest.mark.parametrize(
    ("text", "cabin"),
    [
        ("I had a business class ticket", Cabin.BUSINESS),
        ("flying coach to Reno", Cabin.ECONOMY),
        ("booked in premium economy", Cabin.PREMIUM),
        ("a First-Class seat", Cabin.FIRST),
        ("moved from business class to economy", None),
        ("the first flight was full", None),
        ("on a business trip", None),
    ],
)
def test_the_one_cabin_that_is_named(text: str, cabin: Cabin | None) -> None:
    assert read_facts(text).cabin is cabin
