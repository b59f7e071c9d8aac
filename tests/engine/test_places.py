"""Places and where they lie: by data, open where a name has two readings, and never a common word."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, strategies as st

from engine.places import Lies, find_places

US, ABROAD, OPEN = Lies.US, Lies.ABROAD, Lies.OPEN


def lies(text: str) -> list[Lies]:
    return [place.lies for place in find_places(text)]


def names(text: str) -> list[str]:
    return [place.name for place in find_places(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from Boston to Dublin", [US, ABROAD]),
        ("Chicago to Tokyo", [US, ABROAD]),
        ("from houston to reno", [US, US]),
        ("from new york to ho chi minh city", [US, ABROAD]),
        ("bumped in vegas", [US]),
        ("between Denver and Rome", [US, ABROAD]),
        ("between denver and reno", [US, US]),
        ("Las Vegas-Denver", [US, US]),
        ("Winston-Salem to Miami", [US, US]),
        ("Boston–Paris", [US, ABROAD]),
        ("Boston — Paris", [US, ABROAD]),
        ("Miami -> Lima", [US, ABROAD]),
        ("Miami/Lima", [US, ABROAD]),
        ("S\u00e3o Paulo", [ABROAD]),
        ("Sao Paulo", [ABROAD]),
        ("M\u00fcnchen", [ABROAD]),
        ("K\u00f6ln to Bogot\u00e1", [ABROAD, ABROAD]),
        ("Bombay and Peking", [ABROAD, ABROAD]),
        ("St. Louis, St Louis", [US, US]),
        ("Ft. Lauderdale and Fort Lauderdale", [US, US]),
        ("Honolulu", [US]),
        ("to Key West", [US]),
        ("bumped today, san diego to sacramento", [US, US]),
        ("phoenix to tokyo", [US, ABROAD]),
        ("chicago to Reno", [US, US]),
        ("nice to Paris", [ABROAD]),
        ("to Reno", [US]),
        ("Denver to reno to boston", [US, US, US]),
        ("it is up to Paris", [ABROAD]),
        ("nothing, (boise) to Reno", [US, US]),
    ],
)
def test_cities_by_any_of_their_spellings(text: str, expected: list[Lies]) -> None:
    assert lies(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from JFK to LHR", [US, ABROAD]),
        ("LAX-NRT", [US, ABROAD]),
        ("ORD→CDG", [US, ABROAD]),
        ("flew to SJU", [US]),
        ("from GUM via HNL", [US, US]),
        ("to STT, to SPN, to PPG", [US, US, US]),
        ("to XQZ", []),
        ("to dub", []),
        ("the DOT and the CPI", []),
        ("WHAT DOES THE AIRLINE HAVE TO PAY AND HOW DO I GET TO SEE IT", []),
    ],
)
def test_airport_codes_stand_in_capitals_on_a_route(text: str, expected: list[Lies]) -> None:
    assert lies(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paris, Texas", [US]),
        ("Paris, TX", [US]),
        ("Paris Texas", [US]),
        ("Paris, France", [ABROAD]),
        ("Rome, Georgia", [US]),
        ("Tbilisi, Georgia", [ABROAD]),
        ("Atlanta, Georgia", [US]),
        ("Lima, Ohio", [US]),
        ("London, Ontario", [ABROAD]),
        ("London, Kentucky", [US]),
        ("Vancouver, WA", [US]),
        ("Vancouver, British Columbia", [ABROAD]),
        ("Vancouver, CA", [OPEN]),
        ("Toronto, CA", [ABROAD]),
        ("San Jose, CA", [US]),
        ("San Jose, Costa Rica", [ABROAD]),
        ("San Juan, Puerto Rico", [US]),
        ("San Juan, Argentina", [ABROAD]),
        ("Athens, Greece", [ABROAD]),
        ("Athens, GA", [US]),
        ("St. Thomas, U.S. Virgin Islands", [US]),
        ("Washington, D.C.", [US]),
        ("Portland, Oregon to Miami", [US, US]),
    ],
)
def test_a_region_says_which_city_is_meant(text: str, expected: list[Lies]) -> None:
    assert lies(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Boston, and then Rome", [US, ABROAD]),
        ("Boston, Paris, Rome", [US, ABROAD, ABROAD]),
        ("to Mexico, Canada and Peru", [ABROAD, ABROAD, ABROAD]),
        ("to Denver, OK?", [US]),
        ("Denver, ok", [US]),
        ("JFK, New York", [US]),
        ("Boston, Ireland", [US, ABROAD]),
    ],
)
def test_what_follows_a_comma_need_not_be_a_region(text: str, expected: list[Lies]) -> None:
    assert lies(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "San Jose",
        "Vancouver",
        "Athens",
        "San Juan",
        "Birmingham",
        "Georgia",
        "from Vancouver",
        "in Manchester",
    ],
)
def test_a_name_with_two_readings_stays_open(text: str) -> None:
    assert lies(text) == [OPEN]


@pytest.mark.parametrize(
    "text",
    [
        "Puerto Rico", "Guam", "to Saipan", "from Pago Pago", "St. Croix", "to the US Virgin Islands",
        "to the Virgin Islands", "American Samoa", "the Northern Mariana Islands", "San Juan, PR",
    ],
)  # fmt: skip
def test_territories_are_within_the_united_states(text: str) -> None:
    assert lies(text) == [US]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from Ireland to Texas", [ABROAD, US]),
        ("in California", [US]),
        ("Mexico", [ABROAD]),
        ("New Mexico", [US]),
        ("from the UK", [ABROAD]),
        ("British Virgin Islands", [ABROAD]),
        ("from the US to Holland", [US, ABROAD]),
        ("out of the U.S. to Japan", [US, ABROAD]),
        ("to the USA", [US]),
        ("to the United States", [US]),
        ("back to the States", [US]),
        ("from a US airport", [US]),
    ],
)
def test_countries_and_states(text: str, expected: list[Lies]) -> None:
    assert lies(text) == expected


@pytest.mark.parametrize(
    ("text", "whole"), [("to the US", True), ("to Ireland", True), ("to Texas", True), ("to Boston", False)]
)
def test_a_whole_country_or_state_is_told_from_a_city(text: str, whole: bool) -> None:
    assert [place.country for place in find_places(text)] == [whole]


@pytest.mark.parametrize(
    "text",
    [
        "Part 250", "Title 14", "Section 9", "Delta bumped me", "United has to pay", "March 3", "in March",
        "from Monday", "may I ask", "May I ask", "Nice airline", "a nice agent", "nice, or not", "for sale",
        "to split the bill", "at most", "to me", "in time", "Caller: what now", "Airport desk", "Time is up",
        "Normal rules", "reading to him", "Mobile: 555", "the US carrier", "to the US carrier", "U.S. law",
        "report to the US Department", "give it to us", "sold to us by Spirit", "Air Canada", "Air France",
        "Austrian Airlines", "Dublin Airways", "Mr Jordan", "Ms. Paris", "Charlotte was bumped",
        "Hello. Florence called", "Sandy asked", "Federal rules", "Christmas", "Alaska Airlines",
        "St. Nowhere", "Old news", "Than that", "usd", "hand luggage", "\u00b2\u00b3", "Am\nI",
    ],
)  # fmt: skip
def test_words_names_and_carriers_are_no_places(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize("text", ["from Nice to Boston", "to Nice", "in Nice"])
def test_a_word_that_is_also_a_city_is_one_with_a_capital_on_a_route(text: str) -> None:
    assert names(text)[0] == "Nice"


def test_small_towns_need_more_than_a_capital_letter() -> None:
    assert names("Carson is here") == []
    assert names("from Carson to Reno") == ["Carson", "Reno"]


def test_a_place_stands_where_the_text_says() -> None:
    text = "Flew from St. Louis, Missouri. To S\u00e3o Paulo's airport"
    for place in find_places(text):
        assert text[place.start : place.end] == place.name
    assert names(text)[0] == "St. Louis, Missouri"


@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "from",
                    "to",
                    "the",
                    "US",
                    "U.S.",
                    "Paris",
                    ",",
                    ", Texas",
                    "St.",
                    "JFK",
                    "-",
                    "CA",
                    "Air",
                    ".",
                ]
            ),
            st.text(max_size=12),
        ),
        max_size=12,
    ).map(" ".join)
)
def test_hostile_text_never_raises_and_places_never_overlap(text: str) -> None:
    end = 0
    for place in find_places(text):
        assert end <= place.start < place.end <= len(text)
        assert text[place.start : place.end] == place.name
        end = place.end


def test_after_the_first_time_it_is_quick() -> None:
    text = "Bumped in Boston, MA on the way from JFK to Dublin, Ireland, then Paris, Texas: how much?"
    find_places(text)
    took = []
    for _ in range(5):
        began = time.perf_counter()
        find_places(text)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.01


def test_time_grows_with_the_text_and_no_faster() -> None:
    find_places("Boston")
    began = time.perf_counter()
    find_places("from Boston, Ma, to St. " * 2000)
    assert time.perf_counter() - began < 10


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_fresh_process_stays_small() -> None:
    code = (
        "from engine.places import find_places; find_places('from JFK to Paris, Texas'); "
        "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 150 * 1024
