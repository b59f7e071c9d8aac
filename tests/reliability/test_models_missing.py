"""A model that is not there or not the known one: keywords answer, the card says so and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from faultkit import AMOUNT, QUESTION

from engine.cli import main
from engine.search import encoder as encoders

if TYPE_CHECKING:
    from pathlib import Path

ASK = ["ask", QUESTION, "--as-of", "2022-06-10"]


@pytest.fixture(autouse=True)
def _extra_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "models_installed", lambda: True)


@pytest.mark.parametrize("name", ["/nowhere/model", "~nobody-here/model", "./model"])
def test_a_folder_that_is_not_there(name: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "settings.toml").write_text(f'model = "{name}"', "utf-8")

    assert main([*ASK, "--data", str(data)]) == 0
    seen = capsys.readouterr()
    assert AMOUNT in seen.out
    assert f"! Only keywords are searched. There is no model folder {name}." in seen.out
    assert "Correct `model` in the settings" in seen.out
    assert "fault" not in seen.err


def test_a_folder_without_weights(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model").mkdir()
    (data / "settings.toml").write_text(f"model = '{tmp_path / 'model'}'", "utf-8")

    assert main([*ASK, "--data", str(data)]) == 0
    seen = capsys.readouterr()
    assert AMOUNT in seen.out
    assert "holds no model.safetensors" in seen.out


def test_weights_that_are_not_the_known_ones_are_never_loaded(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(encoders, "locate", lambda _: tmp_path)
    monkeypatch.setattr(encoders, "keep_quiet_and_offline", lambda: pytest.fail("it would be loaded"))

    assert main([*ASK, "--data", str(data)]) == 0
    seen = capsys.readouterr()
    assert AMOUNT in seen.out
    assert encoders.CARRIED_SHA256 in seen.out
    assert "Reinstall it" in seen.out
