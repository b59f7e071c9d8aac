"""`snapshot`, `ingest`, `doctor`, `config`."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from dataclasses import fields
from typing import TYPE_CHECKING, Protocol

import pytest

from engine import paths
from engine.search import encoder as encoders
from engine.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

    class Copied(Protocol):
        """A copy of the shipped folder that a test may spoil."""

        folder: Path

        def replace(self, name: str, old: str, new: str) -> None: ...
        def sum_of(self, name: str) -> str: ...


@pytest.fixture
def other(copied: Copied) -> Path:
    """A folder with two collections: the shipped one, and one under another name and id."""
    second = copied.folder.parent / "us-14-cfr-old"
    shutil.copytree(copied.folder, second)
    copied.replace("collection.json", '"id": "us-14-cfr"', '"id": "mine"')
    copied.folder.rename(copied.folder.parent / "mine")
    return second.parent


def test_snapshot_lists_files_and_days(run: Run) -> None:
    found = run("snapshot", "--json").json

    assert (found["history_start"], found["current_to"]) == ("2017-01-01", "2026-10-07")
    assert found["id"] == "us-14-cfr"
    assert found["verified"] is True
    assert found["warnings"] == []
    assert [row["kind"] for row in found["files"]].count("part") == 13
    assert all(len(row["sha256"]) == 64 for row in found["files"])
    assert {row["date"] for row in found["files"] if row["kind"] == "part"} >= {"2017-01-01", "2026-10-07"}


@pytest.mark.parametrize("action", ["list", "verify"])
def test_snapshot_as_text(action: str, run: Run) -> None:
    done = run("snapshot", action)

    assert done.code == 0
    assert "history from 2017-01-01, up to date to 2026-10-07" in done.out
    assert "18 files, all as listed." in done.out


def test_snapshot_warns_of_a_file_that_is_not_listed(copied: Copied, run: Run) -> None:
    (copied.folder / "notes\x1b[31m.txt").write_text("mine", "utf-8")
    done = run("snapshot", "--regulations", str(copied.folder.parent))

    assert done.code == 0
    assert "! notes\\x1b[31m.txt is not listed in SHA256SUMS" in done.out
    (warning,) = run("snapshot", "--regulations", str(copied.folder), "--json").json["warnings"]
    assert "notes" in warning


@pytest.mark.parametrize(
    "words",
    [
        ["snapshot", "verify"],
        ["snapshot"],
        ["ask", "What is the most for baggage?", "--as-of", "2022-06-10"],
        ["search", "baggage", "--as-of", "none"],
        ["versions"],
        ["ingest"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_one_altered_byte_stops_everything_and_both_sums_are_named(
    words: list[str], copied: Copied, run: Run
) -> None:
    name = "part-254_2021-04-13.xml"
    file = copied.folder / name
    before = copied.sum_of(name)
    file.write_bytes(file.read_bytes().replace(b"$3,800", b"$8,300", 1))
    done = run(*words, "--regulations", str(copied.folder.parent), *(["--json"] if words[1:] else []))

    assert (done.code, done.out) == (3, "")
    assert name in done.err
    assert before in done.err
    assert copied.sum_of(name) in done.err


def test_a_folder_without_collections_is_unusable(run: Run, tmp_path: Path) -> None:
    done = run("snapshot", "--regulations", str(tmp_path / "none"))

    assert (done.code, done.out) == (3, "")
    assert "No collection of regulations" in done.err


def test_several_collections_need_a_name_and_no_code(other: Path, run: Run, tmp_path: Path) -> None:
    ask = ("ask", "What is the baggage limit?", "--as-of", "2022-06-10", "--json")
    where = ("--regulations", str(other))
    data = tmp_path / "own"
    unnamed = run(*ask, *where, data=data)
    unknown = run(*ask, *where, "--collection", "none", data=data)
    named = [run(*ask, *where, "--collection", name, data=data).json for name in ("mine", "us-14-cfr-old")]

    assert (unnamed.code, unnamed.out) == (2, "")
    assert "mine, us-14-cfr-old" in unnamed.err
    assert unknown.code == 2
    assert "no collection 'none'" in unknown.err
    assert [card["snapshot"]["collection"] for card in named] == ["mine", "us-14-cfr"]
    assert [card["status"] for card in named] == ["answered", "answered"]
    assert len(list(data.glob("mine-*.sqlite3"))) == 1
    assert len(list(data.glob("us-14-cfr-*.sqlite3"))) == 1


def test_snapshot_shows_several_collections_or_the_named_one(other: Path, run: Run) -> None:
    where = ("snapshot", "--regulations", str(other))

    assert [row["id"] for row in run(*where, "--json").json] == ["mine", "us-14-cfr"]
    assert run(*where, "--collection", "mine", "--json").json["id"] == "mine"
    unknown = run(*where, "--collection", "none")
    assert (unknown.code, unknown.out) == (2, "")


def test_ingest_builds_the_index_again_and_accounts_for_every_word(run: Run, tmp_path: Path) -> None:
    done = run("ingest", "--json", data=tmp_path)
    found = done.json

    assert (found["sections"], found["versions"], found["chunks"]) == (18, 44, 134)
    assert len(found["files"]) == 13
    for row in found["files"]:
        assert row["words_in"] == row["words_kept"] + sum(left["words"] for left in row["left_out"])
        assert all(left["reason"] for left in row["left_out"])
    before = (tmp_path / "us-14-cfr.sqlite3").stat().st_mtime_ns
    text = run("ingest", data=tmp_path)
    assert (tmp_path / "us-14-cfr.sqlite3").stat().st_mtime_ns > before
    assert "18 sections, 44 versions, 134 passages." in text.out
    assert text.out.count(" words in, ") == 13
    assert "reading (13)" in text.err


def test_ingest_shows_what_was_surprising(copied: Copied, run: Run, tmp_path: Path) -> None:
    (copied.folder / "extra.txt").write_text("mine", "utf-8")
    where = ("--regulations", str(copied.folder))

    assert "! extra.txt is not listed" in run("ingest", *where, data=tmp_path / "own").out


def test_ingest_lists_what_it_left_out_and_why(copied: Copied, run: Run, tmp_path: Path) -> None:
    copied.replace("part-254_2021-04-13.xml", "</AUTH>", "</AUTH><AMDDATE>Apr. 13, 2021</AMDDATE>")
    where = ("ingest", "--regulations", str(copied.folder))
    text = run(*where, data=tmp_path / "own").out
    files = run(*where, "--json", data=tmp_path / "own").json["files"]

    assert ", 1 left out\n" in text
    assert re.search(r"\n  line \d+: 3 words, \w", text)
    (left,) = [row for file in files for row in file["left_out"]]
    assert (left["words"], left["text"]) == (3, "Apr. 13, 2021")


def test_ingest_says_on_the_other_stream_that_nothing_was_saved(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    done = run("ingest", "--json", data=file / "below")

    assert done.code == 0
    assert done.json["chunks"] == 134
    assert "! The index could not be saved" in done.err


def test_doctor_without_models_misses_them_and_is_no_failure(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoders, "models_installed", lambda: False)
    done = run("doctor", "--json")

    assert done.code == 0
    assert all(row.keys() == {"name", "state", "detail", "advice"} for row in done.json)
    states = {row["name"]: row["state"] for row in done.json}
    assert states["models"] == "missing"
    assert (states["snapshot"], states["index"]) == ("ok", "ok")
    text = run("doctor").out
    assert "! models: the extra `models` is not installed" in text
    assert "    pip install 'regulations-assistant[models]'" in text
    assert "✓ snapshot: " in text


def test_doctor_of_a_broken_snapshot_fails(copied: Copied, run: Run) -> None:
    (copied.folder / "titles.json").unlink()
    done = run("doctor", "--regulations", str(copied.folder.parent))

    assert done.code == 3
    assert "✗ snapshot: titles.json is listed in SHA256SUMS and missing" in done.out


def test_config_shows_every_setting_in_toml(run: Run, tmp_path: Path) -> None:
    done = run("config", data=tmp_path)

    assert done.code == 0
    assert "no file yet" in done.out
    shown = tomllib.loads(done.out)
    assert shown["top"] == 5
    assert shown["chat_consent"] == []
    assert list(shown) == [entry.name for entry in fields(Settings)]


def test_config_keeps_the_key_of_a_server_to_itself(run: Run, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('chat_key = "sk-do-not-show-me"\n', "utf-8")
    done = run("config", data=tmp_path)

    assert 'chat_key = "(set, not shown)"\n' in done.out
    assert "sk-do-not" not in done.out + done.err


def test_config_shows_what_the_file_says(run: Run, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('top = 7\nmodel = "e5 \\"small\\""\n', "utf-8")

    shown = tomllib.loads(run("config", data=tmp_path).out)
    assert (shown["top"], shown["model"]) == (7, 'e5 "small"')
    assert run("config", "validate", data=tmp_path).out.endswith("settings.toml: valid\n")
    card = run("ask", "baggage", "--as-of", "2022-06-10", "--json", data=tmp_path).json
    assert len([row for row in card["dropped"] if row["reason"] == "not_in_force"]) <= 7


def test_config_path_is_one_line(run: Run, tmp_path: Path) -> None:
    done = run("config", "path", data=tmp_path)

    assert done.out == f"{paths.settings_file(tmp_path)}\n"
    assert run("config", "validate", data=tmp_path).out.endswith("no file; the defaults are used\n")


@pytest.mark.parametrize("words", [["config"], ["config", "validate"], ["versions"]])
def test_broken_settings_are_an_error_wherever_they_are_used(
    words: list[str], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text("tpo = 7\n", "utf-8")
    done = run(*words, data=tmp_path)

    assert (done.code, done.out) == (2, "")
    assert "Unknown setting tpo; known are model, " in done.err
    assert "`regulations-assistant config` lists the keys" in done.err
    assert run("config", "path", data=tmp_path).code == 0


def test_every_json_is_the_whole_of_standard_output(run: Run) -> None:
    for words in (["snapshot"], ["versions"], ["questions"], ["doctor"], ["chunks", "250.5"]):
        assert json.loads(run(*words, "--json").out)
