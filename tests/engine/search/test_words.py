from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.errors import SnapshotError
from engine.search.tokens import stem
from engine.search.words import WordList, corrected, load_words

SHIPPED = Path(__file__).parents[3] / "regulations" / "us-14-cfr.words.toml"
LIST = """
[meanings]
"denied boarding" = ["bumped", "kicked off", "gave my seat away"]
"carrier" = ["airline"]
"oversold flight" = ["overbooked", "bumped"]

[[topics]]
name = "tarmac delays"
phrases = ["tarmac", "sat on the runway"]
says = "How long passengers may be kept aboard is not said."

[[topics]]
name = "runways"
phrases = ["runway"]
unless = ["denied boarding", "oversold"]
says = "Runways are not said."
"""


@pytest.fixture
def word_list(tmp_path: Path) -> WordList:
    path = tmp_path / "us.words.toml"
    path.write_text(LIST, "utf-8")
    return load_words(path)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("The airline bumped me", ("denied boarding", "carrier", "oversold flight")),
        ("They were BUMPING people", ("denied boarding", "oversold flight")),
        ("I was kicked off it", ("denied boarding",)),
        ("they gave my seat away", ("denied boarding",)),
        ("my seat was given away", ()),
        ("a seat I gave away", ()),
        ("airlines, airlines", ("carrier",)),
        ("nothing of the kind", ()),
        ("", ()),
    ],
)
def test_what_is_said_gets_the_words_of_the_text(
    word_list: WordList, said: str, meant: tuple[str, ...]
) -> None:
    assert word_list.expand(said) == meant


def test_a_topic_is_the_first_that_a_phrase_of_names(word_list: WordList) -> None:
    first = word_list.topics[0]
    assert (first.name, first.says) == (
        "tarmac delays",
        "How long passengers may be kept aboard is not said.",
    )
    assert first.unless == ()
    assert word_list.topic("We sat on the runway for hours") is first
    assert word_list.topic("on the tarmac or a runway") is first
    assert word_list.topic("the runway, where we sat") is word_list.topics[1]
    assert word_list.topic("a bumped passenger") is None


@pytest.mark.parametrize(
    ("said", "about_runways"),
    [
        ("Is the runway wet?", True),
        ("I was denied boarding beside the runway", False),
        ("The runway was closed and the flight oversold", False),
        ("The flight was not oversold, the runway was closed", True),
        ("Nobody was denied boarding, but the runway was closed", True),
        ("Not oversold in the morning, oversold by noon: the runway", False),
        ("It was not for the runway that they had been oversold", False),
    ],
)
def test_a_topic_gives_way_to_what_is_said_and_not_denied(
    word_list: WordList, said: str, *, about_runways: bool
) -> None:
    assert (word_list.topic(said) is word_list.topics[1]) == about_runways


def test_articles_and_possessives_are_passed_over_and_small_words_are_not(tmp_path: Path) -> None:
    path = tmp_path / "us.words.toml"
    path.write_text('[meanings]\n"inland" = ["US to US"]\n"jet" = ["A320"]\n"seat" = ["gave my seat away"]')
    words = load_words(path)
    assert words.expand("from the US to the US") == ("inland",)
    assert words.expand("from the US into the US") == ()
    assert words.expand("an A320") == ("jet",)
    assert words.expand("they gave her seat away") == ("seat",)
    assert words.written == ("gave", "seat", "away")


def test_phrases_that_are_alike_are_one_word_wherever_they_are_said(tmp_path: Path) -> None:
    path = tmp_path / "us.words.toml"
    path.write_text(
        'covered = ["bumped"]\n[alike]\nbump = ["thrown off", "left behind", "thrown off plane"]\n'
        '[meanings]\n"danger" = ["might get bumped"]\n"back" = ["off plane"]'
    )
    words = load_words(path)
    for said in ("I might get bumped", "might get thrown off", "she might get left behind"):
        assert words.expand(said) == ("danger",), said
        assert words.covers(said), said
    assert words.expand("thrown off the plane") == ()  # the longest one counts
    assert words.expand("they threw it off the plane") == ("back",)
    assert not words.covers("nobody was thrown off")


def test_whom_it_happens_to_is_passed_over_and_the_us_is_not(tmp_path: Path) -> None:
    path = tmp_path / "us.words.toml"
    path.write_text('[meanings]\n"offered" = ["gave seat"]\n"inland" = ["within US"]')
    words = load_words(path)
    assert words.expand("they gave him the seat") == ("offered",)
    assert words.expand("within the US") == ("inland",)
    assert words.expand("within reach") == ()


def test_a_number_within_a_phrase_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "us.words.toml"
    path.write_text('[meanings]\n"fee" = ["paid to check"]\n"jet" = ["737"]')
    words = load_words(path)
    assert words.expand("I paid $40 to check it") == ("fee",)
    assert words.expand("a 737 it was") == ("jet",)
    assert words.expand("I paid you to check it") == ()


def test_sentences_are_kept_by_place_and_by_subject(tmp_path: Path) -> None:
    path = tmp_path / "us.words.toml"
    path.write_text(
        '[asked]\n"9.1(a)" = ["Was I bumped?", "Why?"]\n'
        '[[topics]]\nname = "pets"\nsays = "Not said."\nasked = ["My cat?", "Why?"]'
    )
    words = load_words(path)
    assert dict(words.asked) == {"9.1(a)": ("Was I bumped?", "Why?")}
    assert words.topics[0].asked == ("My cat?", "Why?")
    assert words.sentences == ("Was I bumped?", "Why?", "My cat?")
    assert words.written == ("bumped",)
    assert words.topic("my cat") is None  # a sentence is compared by meaning, not by its words


def test_a_story_of_what_is_covered_may_be_told_by_its_facts(word_list: WordList) -> None:
    told = "No seat for me. We sat on the runway. What now?"
    assert word_list.topic(told) is word_list.topics[0]
    assert word_list.topic(told, covered=True) is None
    assert word_list.topic("What of the tarmac?", covered=True) is word_list.topics[0]


def test_the_words_of_all_phrases_can_be_corrected_to(word_list: WordList) -> None:
    assert word_list.written == ("bumped", "kicked", "gave", "seat", "away", "airline", "overbooked")


def test_a_missing_list_is_an_empty_one(tmp_path: Path) -> None:
    assert load_words(tmp_path / "none.words.toml") == WordList()
    assert WordList().expand("bumped") == ()
    assert WordList().topic("bumped") is None


def test_an_empty_file_is_an_empty_list(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("")
    assert load_words(path) == WordList()


@pytest.mark.parametrize(
    "content",
    [
        b"\xff",
        b"[meanings",
        b"meanings = 5",
        b"meanings = ['a']",
        b"[meanings]\na = 5",
        b"[meanings]\na = [5]",
        b"topics = 5",
        b"topics = ['a']",
        b"[[topics]]\nname = 'a'\nphrases = ['b']",
        b"[[topics]]\nname = 'a'\nsays = 'b'",
        b"[[topics]]\nname = 'a'\nsays = 'b'\nphrases = 5",
        b"[[topics]]\nname = 'a'\nsays = 'b'\nphrases = ['c']\nunless = 5",
        b"[[topics]]\nname = 'a'\nsays = 'b'\nphrases = ['']",
        b"[meanings]\na = ['the']",
        b"alike = 5",
        b"[alike]\na = 5",
        b"[alike]\na = ['the']",
        b"asked = 5",
        b"[asked]\na = 'b'",
        b"[asked]\na = ['b', 5]",
        b"[asked]\na = [' ']",
        b"[[topics]]\nname = 'a'\nsays = 'b'\nasked = 5",
        b"[[topics]]\nname = 'a'\nsays = 'b'\nasked = []",
        b"[meanings]\na = ['?']",
    ],
)
def test_a_malformed_list_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "us.words.toml"
    path.write_bytes(content)
    with pytest.raises(SnapshotError, match=r"The word list us\.words\.toml cannot be used") as caught:
        load_words(path)
    assert "CONTRIBUTING.md" in caught.value.hint


@pytest.mark.parametrize(
    "content",
    [
        '[meanings]\n"denied boarding" = "bump"',
        '[[topics]]\nname = "a"\nsays = "b"\nphrases = "pet"',
        '[[topics]]\nname = "a"\nsays = "b"\nphrases = ["pet"]\nunless = "hotel"',
    ],
)
def test_a_single_text_in_place_of_a_list_is_no_list_of_letters(tmp_path: Path, content: str) -> None:
    path = tmp_path / "us.words.toml"
    path.write_text(content)
    with pytest.raises(SnapshotError):
        load_words(path)


def test_a_folder_in_place_of_a_list_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="cannot be used"):
        load_words(tmp_path)


VOCABULARY = {stem(word): word for word in ("compensation", "volunteer", "baggage", "overbooked", "fare")}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("compensaxion for bagage", ("compensation", "baggage")),
        ("compensaton compensaxion", ("compensation",)),
        ("compensated volunteers", ()),
        ("far fair fara", ()),
        ("zebra", ()),
        ("overbookd", ("overbooked",)),
        ("raggage", ()),
        ("", ()),
    ],
)
def test_a_long_word_that_stands_nowhere_is_corrected(said: str, found: tuple[str, ...]) -> None:
    assert corrected(said, VOCABULARY) == found


def test_nothing_is_corrected_to_when_there_are_no_words() -> None:
    assert corrected("compensaxion", {}) == ()


class TestTheShippedList:
    @pytest.fixture(scope="class")
    def shipped(self) -> WordList:
        return load_words(SHIPPED)

    def test_loads(self, shipped: WordList) -> None:
        assert len(shipped.meanings) > 200
        assert len(shipped.topics) >= 10
        for topic in shipped.topics:
            assert topic.name
            assert topic.says.endswith(".")

    def test_says_nothing_of_a_year(self, shipped: WordList) -> None:
        texts = [meant for _, meant in shipped.meanings] + [topic.says for topic in shipped.topics]
        assert not [text for text in texts if re.search(r"\$\d|\b20\d\d\b", text)]

    def test_adds_the_words_of_the_law(self, shipped: WordList) -> None:
        assert {"denied boarding", "carrier", "baggage"} <= set(
            shipped.expand("The airline bumped me and took my luggage")
        )

    def test_loses_no_phrase_to_stop_words_and_figures(self, shipped: WordList) -> None:
        lost = [meant for phrase, meant in shipped.meanings if not phrase]
        lost += [topic.name for topic in shipped.topics if not all(topic.phrases)]
        assert lost == []


STORY = """covered = ["bump"]

[[topics]]
name = "hotels"
phrases = ["hotel"]
says = "Nothing of hotels."

[[topics]]
name = "trains"
anywhere = true
phrases = ["train"]
says = "Nothing of trains."
"""


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Bumped, they put me in a hotel. How much do they owe?", None),
        ("She was bumped. Is a hotel owed?", "hotels"),
        ("bumped and no hotel, what now", "hotels"),
        ("I paid for a hotel. Who pays?", "hotels"),
        ("Not bumped, only a hotel. Who pays?", "hotels"),
        ("I was bumped from a train. What now?", "trains"),
    ],
)
def test_a_detail_of_a_covered_story_is_no_topic(said: str, topic: str | None, tmp_path: Path) -> None:
    path = tmp_path / "us.words.toml"
    path.write_text(STORY)
    found = load_words(path).topic(said)

    assert (found and found.name) == topic
