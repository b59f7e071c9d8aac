"""The settings file: few keys, and none that is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.errors import UsageError
from engine.search.encoder import ModelSpec
from engine.settings import Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "settings.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()
    assert Settings().spec == ModelSpec("all-MiniLM-L6-v2", "", "")


def test_a_data_folder_that_cannot_be_holds_no_settings(tmp_path: Path) -> None:
    assert load_settings(written(tmp_path, "") / "settings.toml") == Settings()


def test_every_key_can_be_set(tmp_path: Path) -> None:
    settings = load_settings(
        written(
            tmp_path,
            'model = "intfloat/multilingual-e5-small"\nquery_prefix = "query: "\n'
            'passage_prefix = "passage: "\ncross_encoder = "/models/ce"\nmethod = "hybrid"\n'
            "top = 200\nbudget = 500\n",
        )
    )

    assert settings == Settings(
        "intfloat/multilingual-e5-small", "query: ", "passage: ", "/models/ce", "hybrid", 200, 500
    )
    assert settings.spec == ModelSpec("intfloat/multilingual-e5-small", "query: ", "passage: ")


def test_every_key_of_a_model_server_can_be_set(tmp_path: Path) -> None:
    settings = load_settings(
        written(
            tmp_path,
            'chat_url = "https://api.example.com/v1"\nchat_model = "small-1"\nchat_key = "sk-secret"\n'
            "chat_timeout = 30\nchat_max_tokens = 500\nchat_temperature = 0.5\n"
            'chat_consent = ["api.example.com"]\nchat_insecure = true\nprice_in = 1\nprice_out = 2.5\n',
        )
    )

    assert settings == Settings(
        chat_url="https://api.example.com/v1",
        chat_model="small-1",
        chat_key="sk-secret",
        chat_timeout=30.0,
        chat_max_tokens=500,
        chat_temperature=0.5,
        chat_consent=("api.example.com",),
        chat_insecure=True,
        price_in=1.0,
        price_out=2.5,
    )
    assert type(settings.chat_timeout) is float


def test_the_key_of_a_server_is_not_shown() -> None:
    settings = Settings(chat_key="sk-secret")

    assert "sk-secret" not in repr(settings)
    assert settings.shown()["chat_key"] == "(set, not shown)"
    assert Settings().shown()["chat_key"] == ""
    assert settings.shown()["top"] == 5


def test_an_empty_method_is_the_best_that_is_installed(tmp_path: Path) -> None:
    assert load_settings(written(tmp_path, 'method = ""')).method == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tpo = 5", "Unknown setting tpo; known are model, query_prefix, "),
        ('"\\u001b[31m" = 5', "Unknown setting \\x1b[31m"),
        ("[search]\ntop = 5", "Unknown setting search"),
        ('top = "5"', "top must be a int"),
        ("top = 5.0", "top must be a int"),
        ("top = true", "top must be a int"),
        ("model = 5", "model must be a str"),
        ("top = 0", "top is 0; it may be 1 to 200"),
        ("top = 201", "top is 201; it may be 1 to 200"),
        ("budget = 499", "budget is 499; it may be 500 to 1000000"),
        ('method = "magic"', "method must be one of bm25, dense, hybrid, rerank"),
        ("chat_key = 5", "chat_key must be a str"),
        ("chat_insecure = 1", "chat_insecure must be a bool"),
        ("chat_timeout = true", "chat_timeout must be a float"),
        ("chat_timeout = 0", "chat_timeout is 0; it may be 1 to 3600"),
        ("chat_temperature = nan", "chat_temperature is nan; it may be 0 to 2"),
        ("price_in = -0.1", "price_in is -0.1; it may be 0 to 1000000"),
        (f"price_out = 1{'0' * 400}", "it may be 0 to 1000000"),
        ('chat_consent = "a.example"', "chat_consent must be a list of str"),
        ('chat_consent = ["a.example", 5]', "chat_consent must be a list of str"),
        ("top = ", "cannot be read"),
        ("top = 1\ntop = 2", "cannot be read"),
        (b"model = '\xff'", "cannot be read"),
    ],
)
def test_what_cannot_be_is_an_error_with_a_hint(text: str | bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings(written(tmp_path, text))

    assert said in caught.value.message
    assert "regulations-assistant config" in caught.value.hint
    assert caught.value.exit_code == 2


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").mkdir()

    with pytest.raises(UsageError, match="cannot be read"):
        load_settings(tmp_path / "settings.toml")
