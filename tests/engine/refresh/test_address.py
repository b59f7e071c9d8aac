"""Which computer is spoken to."""

from __future__ import annotations

import pytest

from engine.errors import UsageError
from engine.refresh.address import ECFR_API, VARIABLE, api_address, base_of


@pytest.mark.parametrize(
    ("option", "environment", "setting", "base"),
    [
        (None, {}, "", ECFR_API),
        (None, {}, "https://mirror.example/ecfr/", "https://mirror.example/ecfr"),
        (None, {VARIABLE: "http://localhost:8000"}, "https://mirror.example", "http://localhost:8000"),
        ("http://127.0.0.1:9", {VARIABLE: "http://localhost:8000"}, "", "http://127.0.0.1:9"),
        ("", {VARIABLE: ""}, "", ECFR_API),
    ],
)
def test_the_option_comes_before_the_environment_and_that_before_the_settings(
    option: str | None, environment: dict[str, str], setting: str, base: str
) -> None:
    assert base_of(api_address(option, environment, setting)) == base


@pytest.mark.parametrize(
    ("option", "environment", "setting", "place"),
    [
        ("https://me:secret@example.org", {}, "", "--api"),
        (None, {VARIABLE: "file:///secret"}, "", VARIABLE),
        (None, {}, "example.org?key=secret", "refresh_api"),
    ],
)
def test_a_wrong_address_is_refused_and_not_repeated(
    option: str | None, environment: dict[str, str], setting: str, place: str
) -> None:
    with pytest.raises(UsageError) as caught:
        api_address(option, environment, setting)
    assert place in caught.value.message
    assert "secret" not in str(caught.value)


def test_another_computer_is_never_spoken_to_by_http() -> None:
    with pytest.raises(UsageError, match="anybody on the way can alter a text"):
        api_address("http://www.ecfr.gov", {}, "")
