"""Nothing leaves this computer before somebody agreed."""

from __future__ import annotations

import json
import logging
import os
from typing import TYPE_CHECKING

import pytest

from engine import paths
from engine.answerers.chat_address import parse_address
from engine.answerers.consent import ConsentStore, missing, needed, obtain, wording
from engine.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

HOSTED = parse_address("https://api.example.com/v1")


@pytest.fixture
def store(tmp_path: Path) -> ConsentStore:
    return ConsentStore(paths.consent_file(tmp_path / "data"))


def test_this_computer_needs_none(store: ConsentStore) -> None:
    assert not needed(parse_address("http://localhost:11434/v1"), (), store)


def test_another_host_does(store: ConsentStore) -> None:
    assert needed(HOSTED, (), store)
    assert needed(HOSTED, ("example.com", "https://api.example.com"), store)


@pytest.mark.parametrize("listed", ["api.example.com", " API.Example.COM. "])
def test_the_settings_can_give_it(listed: str, store: ConsentStore) -> None:
    assert not needed(HOSTED, (listed,), store)


def test_a_yes_is_remembered_for_its_host_alone(store: ConsentStore) -> None:
    asked: list[str] = []
    obtain(HOSTED, store, lambda text: not asked.append(text))
    obtain(parse_address("https://b.example.com"), store, lambda _: True)

    assert asked == [wording(HOSTED)]
    assert not needed(HOSTED, (), store)
    assert needed(parse_address("https://other.example.com"), (), store)
    assert json.loads(store.path.read_text("utf-8")) == {"hosts": ["api.example.com", "b.example.com"]}
    assert [path.name for path in store.path.parent.iterdir()] == ["consent.json"]


@pytest.mark.skipif(os.name != "posix", reason="this system has no owner-only mode")
def test_the_file_is_its_owners_alone(store: ConsentStore) -> None:
    store.remember("api.example.com")

    assert store.path.stat().st_mode & 0o777 == 0o600


def test_the_question_names_the_host_and_what_is_sent() -> None:
    text = wording(HOSTED)

    assert text.startswith("api.example.com is not this computer.")
    assert "the question, the day and the passages found" in text
    assert "Names and bookings are not, unless they stand in the question." in text
    assert "passages" not in wording(HOSTED, passages=False)


def test_a_no_sends_nothing_and_is_not_remembered(store: ConsentStore) -> None:
    with pytest.raises(UsageError, match=r"Nothing was sent to api\.example\.com"):
        obtain(HOSTED, store, lambda _: False)

    assert not store.path.exists()


def test_with_nobody_to_ask_the_error_says_how_to_agree(store: ConsentStore) -> None:
    with pytest.raises(UsageError) as caught:
        obtain(HOSTED, store, None)

    assert str(caught.value) == str(missing(HOSTED))
    assert 'chat_consent = ["api.example.com"]' in caught.value.hint


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"hosts": "api.example.com"}', '{"hosts": [1, null]}', "[" * 90_000, "\xff"],
    ids=range(8),
)
def test_a_damaged_file_is_no_consent_and_the_next_yes_mends_it(text: str, store: ConsentStore) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(text.encode("latin-1"))

    assert needed(HOSTED, (), store)
    store.remember(HOSTED.host)
    assert not needed(HOSTED, (), store)


def test_a_yes_that_cannot_be_kept_is_noted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    store = ConsentStore(tmp_path / "file" / "consent.json")

    with caplog.at_level(logging.WARNING):
        obtain(HOSTED, store, lambda _: True)

    assert "could not be kept" in caplog.text


def test_a_yes_that_cannot_take_its_place_leaves_nothing_behind(store: ConsentStore) -> None:
    store.path.mkdir(parents=True)

    store.remember(HOSTED.host)

    assert [path.name for path in store.path.parent.iterdir()] == ["consent.json"]
