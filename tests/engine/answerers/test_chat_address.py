"""Which computer an address names, by its text alone."""

from __future__ import annotations

import pytest

from engine.answerers.chat_address import parse_address
from engine.errors import UsageError


@pytest.mark.parametrize(
    ("url", "endpoint", "named"),
    [
        (
            "http://localhost:11434/v1",
            "http://localhost:11434/v1/chat/completions",
            "localhost:11434",
        ),
        (" HTTPS://API.Example.com./v1/ ", "https://api.example.com/v1/chat/completions", "api.example.com"),
        ("https://api.example.com:443", "https://api.example.com/chat/completions", "api.example.com"),
        (
            "http://[::1]:8080/v1/chat/completions",
            "http://[::1]:8080/v1/chat/completions",
            "[::1]:8080",
        ),
        ("https://h.example/openai/v1", "https://h.example/openai/v1/chat/completions", "h.example"),
    ],
)
def test_a_base_address_leads_to_its_completions(url: str, endpoint: str, named: str) -> None:
    address = parse_address(url)

    assert address.endpoint == endpoint
    assert address.named == named


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "127.0.0.1", "127.9.8.7", "[::1]", "[0:0:0:0:0:0:0:1]"]
)
def test_this_computer(host: str) -> None:
    assert parse_address(f"http://{host}/v1").loopback


@pytest.mark.parametrize(
    "host",
    [
        "localhost.example.com",
        "a.localhost",
        "127.0.0.1.example.com",
        "127.1",
        "2130706433",
        "0177.0.0.1",
        "0x7f000001",
        "0.0.0.0",
        "192.168.0.2",
        "[::ffff:127.0.0.1]",
        "[::]",
        "[fe80::1]",
    ],
)
def test_another_computer(host: str) -> None:
    assert not parse_address(f"https://{host}/v1").loopback


@pytest.mark.parametrize(
    "url",
    [
        "localhost:11434",
        "ftp://localhost/v1",
        "http://",
        "http:///v1",
        "http://localhost@evil.example/v1",
        "http://evil.example\\@localhost/v1",
        "http://localhost\\.evil.example/v1",
        "http://localhost/v1?x=1",
        "http://localhost/v1#x",
        "http://local host/v1",
        "http://localhost/\x1b[31m",
        "http://lоcalhost/v1",  # noqa: RUF001 - a Cyrillic letter is the point
        "http://localhost:0/v1",
        "http://localhost:99999/v1",
        "http://localhost:x/v1",
        "http://[::1/v1",
        "http://[::1%25lo]/v1",
        "http://-x.example/v1",
    ],
)
def test_what_two_readers_could_read_differently_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="no plain http or https address") as caught:
        parse_address(url)

    assert "\x1b" not in caught.value.message
    assert "http://localhost:11434/v1" in caught.value.hint


@pytest.mark.parametrize(
    "url",
    [
        "https://user:hunter2@api.example.com/v1",
        "https://api.example.com/v1?key=hunter2",
        "https://api.example.com/v1#hunter2",
    ],
)
def test_a_password_in_an_address_is_not_shown(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_address(url)

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("url", ["", "  "])
def test_there_is_no_default_server(url: str) -> None:
    with pytest.raises(UsageError, match="chat_url is not set") as caught:
        parse_address(url)

    assert "Set chat_url" in caught.value.hint
