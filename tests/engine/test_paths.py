"""Where things lie."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from engine import paths


def test_the_checkout_serves_what_no_package_carries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path / "engine")

    for name in ("regulations", "questions", "recordings"):
        assert paths.shipped(name) == tmp_path / name


@pytest.mark.parametrize("name", ["regulations", "questions", "recordings"])
def test_what_is_shipped_is_there(name: str) -> None:
    assert any(paths.shipped(name).iterdir())


def test_what_the_package_carries_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    carried = tmp_path / "_data" / "questions"
    carried.mkdir(parents=True)
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path)

    assert paths.shipped("questions") == carried
    assert paths.shipped("regulations") == tmp_path.parent / "regulations"


def test_the_data_folder_is_the_chosen_one_or_the_platforms(tmp_path: Path) -> None:
    assert paths.data_folder(tmp_path) == tmp_path
    assert paths.data_folder(Path("~/mine")) == Path("~/mine").expanduser()
    expected = platformdirs.user_data_path("regulations-assistant", appauthor=False)
    assert paths.data_folder(None) == expected


def test_the_shipped_collection_has_a_plain_index_file(tmp_path: Path) -> None:
    shipped = paths.shipped("regulations") / "us-14-cfr"

    assert paths.index_file(tmp_path, shipped, "us-14-cfr") == tmp_path / "us-14-cfr.sqlite3"


def test_a_collection_of_ones_own_has_an_index_file_of_its_own(tmp_path: Path) -> None:
    files = {paths.index_file(tmp_path, tmp_path / name / "us-14-cfr", "us-14-cfr") for name in "ab"}

    assert len(files) == 2
    assert all(file.name.startswith("us-14-cfr-") and file.suffix == ".sqlite3" for file in files)
    assert tmp_path / "us-14-cfr.sqlite3" not in files


def test_a_collections_id_cannot_lead_out_of_the_data_folder(tmp_path: Path) -> None:
    file = paths.index_file(tmp_path, tmp_path / "x", "../../etc/pass wd\x1b")

    assert file.parent == tmp_path
    assert file.name.startswith("______etc_pass_wd_-")


def test_the_settings_lie_in_the_data_folder(tmp_path: Path) -> None:
    assert paths.settings_file(tmp_path) == tmp_path / "settings.toml"
