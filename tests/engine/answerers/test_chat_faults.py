"""Faults of a server in plain words: which host, what happened, what to do, and never the key."""

from __future__ import annotations

import json
import ssl
from socket import gaierror
from typing import TYPE_CHECKING

import pytest

from engine.answerers.chat_faults import (
    Faults,
    Reply,
    RequestCancelledError,
    asked_wait,
    complaint,
    redacted,
    wait_before_retry,
)

if TYPE_CHECKING:
    from engine.errors import ServerError

KEY = "sk-secret-key"
FAULTS = Faults("api.example.com", "small-1", KEY, 5)
NOW = "Wed, 21 Oct 2026 07:28:00 GMT"


def status(code: int, body: str = "", **headers: str) -> ServerError:
    return FAULTS.of_status(Reply(code, headers, body.encode()))


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        (401, "refused the key", "REGULATIONS_ASSISTANT_API_KEY"),
        (403, "refused the key", "chat_key"),
        (404, "has no model small-1, or nothing at this address", "chat_model"),
        (429, "takes no more requests", "Wait"),
        (500, "failed", "later"),
        (502, "failed", "log"),
        (503, "failed", "log"),
        (504, "failed", "log"),
        (400, "refused the request", "budget"),
        (413, "refused the request", "budget"),
        (204, "refused the request", "chat_model"),
        (302, "sends on to another address", "chat_url"),
    ],
)
def test_each_status_says_what_happened_and_what_to_do(code: int, message: str, hint: str) -> None:
    error = status(code, f"bad key {KEY}")

    assert error.message.startswith("api.example.com ")
    assert message in error.message
    assert f"({code})" in error.message
    assert hint in error.hint
    assert KEY not in str(error)
    assert error.exit_code == 4


def test_without_a_key_the_server_wants_one() -> None:
    error = Faults("api.example.com", "small-1", "", 5).of_status(Reply(401, {}, b""))

    assert "wants a key" in error.message
    assert "REGULATIONS_ASSISTANT_API_KEY" in error.hint


def test_a_redirect_names_where_it_leads() -> None:
    assert "sends on to evil.example (307)" in status(307, location="https://evil.example/v1").message
    assert "another address" in status(307, location="http://[").message
    assert "another address" in status(307, location="/v2").message


def test_a_server_that_wants_a_long_wait_is_quoted() -> None:
    assert "for 120 seconds (429)" in status(429, **{"retry-after": "120"}).message


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"error": {"message": "model not found"}}', "model not found"),
        ('{"error": {"code": 5}}', '{"code": 5}'),
        ('{"error": "model not found"}', "model not found"),
        ('{"detail": [{"loc": 1}]}', '{"detail": [{"loc": 1}]}'),
        ('{"message": "no"}', "no"),
        ("[1]", "[1]"),
        ("plain words", "plain words"),
        ("<html><body>404</body></html>", ""),
        ("[" * 50_000, "["),
    ],
)
def test_a_servers_own_words_are_found(body: str, said: str) -> None:
    assert complaint(Reply(400, {}, body.encode())).startswith(said)


def test_a_servers_own_words_are_short_and_harmless() -> None:
    said = status(400, json.dumps({"error": "\x1b[2J" + "long " * 1000})).message

    assert "\x1b" not in said
    assert len(said) < 300
    assert said.endswith("….")


def test_no_connection_is_told_apart() -> None:
    unknown, untrusted, refused = (ConnectionError() for _ in range(3))
    unknown.__cause__ = gaierror(-2, "Name or service not known")
    untrusted.__context__ = ssl.SSLError("CERTIFICATE_VERIFY_FAILED")

    assert "name api.example.com is not known" in FAULTS.unreachable(unknown).message
    assert "certificate is not trusted" in FAULTS.unreachable(untrusted).message
    assert "Nothing answers at api.example.com" in FAULTS.unreachable(refused).message


def test_other_faults_name_the_host() -> None:
    for error in (FAULTS.timed_out(), FAULTS.broken(), FAULTS.too_large(4_000_000), FAULTS.cancelled()):
        assert "api.example.com" in error.message
        assert error.hint
    assert "within 5 seconds" in FAULTS.timed_out().message
    assert "4 MB" in FAULTS.too_large(4_000_000).message
    assert isinstance(FAULTS.cancelled(), RequestCancelledError)


def test_the_key_is_not_shown() -> None:
    assert KEY not in repr(FAULTS)
    assert redacted(f"a {KEY} b", KEY) == "a [key] b"
    assert redacted("a b", "") == "a b"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3),
        ({"retry-after": "9" * 50}, 999_999_999),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "²"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:09 GMT", "date": NOW}, 9),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:09 GMT", "date": NOW}, 0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:09 GMT"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:09 -0000", "date": NOW}, None),
    ],
)
def test_what_wait_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(Reply(429, headers, b"")) == seconds


@pytest.mark.parametrize(
    ("code", "headers", "wait"),
    [
        (200, {}, None),
        (400, {}, None),
        (429, {}, 1.5),
        (503, {"retry-after": "30"}, 30),
        (429, {"retry-after": "31"}, None),
        (500, {}, 1.5),
        (501, {}, None),
    ],
)
def test_only_what_may_pass_is_tried_again_and_not_for_long(
    code: int, headers: dict[str, str], wait: float | None
) -> None:
    assert wait_before_retry(Reply(code, headers, b""), 1.5) == wait
