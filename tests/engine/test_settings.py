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
