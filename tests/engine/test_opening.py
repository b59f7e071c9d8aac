"""An engine from folders: an index built once, used again, and built anew when it no longer fits."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Protocol

import pytest

from engine.cli import main
from engine.errors import ModelError, SnapshotError, UsageError
from engine.index import FORMAT
from engine.model import Status
from engine.opening import open_collection, open_engine
from engine.search import encoder as encoders
from engine.search.retriever import Method
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import FakeEncoder

    from engine.engine import Engine

    class Copied(Protocol):
        """A copy of the shipped folder that a test may spoil."""

        folder: Path

        def replace(self, name: str, old: str, new: str) -> None: ...


DAY = date(2022, 6, 10)
QUESTION = "What is the baggage liability limit?"


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "us-14-cfr.sqlite3"


@pytest.fixture
def fake_model(monkeypatch: pytest.MonkeyPatch, fake_encoder: FakeEncoder) -> FakeEncoder:
    monkeypatch.setattr(encoders, "models_installed", lambda: True)
    monkeypatch.setattr(encoders, "identity", lambda _: fake_encoder.identity)
    monkeypatch.setattr(encoders, "load", lambda _: fake_encoder)
    return fake_encoder


@pytest.fixture
def told() -> list[tuple[str, int, int]]:
    return []


@pytest.fixture
def progress(told: list[tuple[str, int, int]]) -> Callable[[str, int, int], None]:
    return lambda stage, done, total: told.append((stage, done, total))


def built_for(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT name, value FROM meta"))


def stamp(path: Path) -> tuple[int, int]:
    return (path.stat().st_mtime_ns, path.stat().st_ino)


def test_the_index_is_built_once_and_used_again(
    tmp_path: Path,
    index: Path,
    progress: Callable[[str, int, int], None],
    told: list[tuple[str, int, int]],
) -> None:
    open_engine(data=tmp_path, models=False, progress=progress)
    before = stamp(index)
    assert told[0] == ("reading", 0, 13)
    assert told[-1] == ("reading", 13, 13)
    told.clear()
    engine = open_engine(data=tmp_path, models=False, progress=progress)

    assert told == []
    assert stamp(index) == before
    assert engine.ask(QUESTION, DAY).status is Status.ANSWERED


def test_rebuild_builds_a_fitting_index_again(tmp_path: Path, index: Path) -> None:
    open_engine(data=tmp_path, models=False)
    before = stamp(index)
    open_engine(data=tmp_path, models=False, rebuild=True)

    assert stamp(index) != before


def test_another_snapshot_means_another_index(copied: Copied, tmp_path: Path) -> None:
    data = tmp_path / "data"
    open_engine(copied.folder, data, models=False)
    (path,) = data.glob("*.sqlite3")
    before = built_for(path)["snapshot"]
    copied.replace("part-254_2021-04-13.xml", "$3,800", "$3,801")
    engine = open_engine(copied.folder, data, models=False)

    assert built_for(path)["snapshot"] == load_collection(copied.folder).sha256 != before
    chunk = engine.search("254.4", DAY).hits[0].chunk
    assert "$3,801" in chunk.body


def test_another_format_means_another_index(tmp_path: Path, index: Path) -> None:
    open_engine(data=tmp_path, models=False)
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute("UPDATE meta SET value = '0' WHERE name = 'format'")
    open_engine(data=tmp_path, models=False)

    assert built_for(index)["format"] == FORMAT


def test_a_corrupt_index_is_built_again_with_a_note(
    tmp_path: Path, index: Path, caplog: pytest.LogCaptureFixture
) -> None:
    open_engine(data=tmp_path, models=False)
    good = index.read_bytes()
    for bad in (b"", b"no database", good[: len(good) // 2], good.replace(b"$3,800", b"$8,300")):
        caplog.clear()
        index.write_bytes(bad)
        engine = open_engine(data=tmp_path, models=False)

        assert engine.search(QUESTION, DAY).hits
        assert built_for(index)["format"] == FORMAT
        (record,) = caplog.records
        assert record.levelno == logging.WARNING
        assert record.getMessage().startswith("the index is built again: The index ")


def test_a_model_adds_vectors_and_keywords_alone_keep_them(
    tmp_path: Path, index: Path, fake_model: FakeEncoder
) -> None:
    open_engine(data=tmp_path, models=False)
    assert built_for(index)["model"] == ""
    engine = open_engine(data=tmp_path)
    assert engine.has_models
    assert engine.method is Method.RERANK
    assert built_for(index)["model"] == fake_model.identity
    before = stamp(index)
    assert not open_engine(data=tmp_path, models=False).has_models
    assert open_engine(data=tmp_path).has_models
    assert stamp(index) == before


def test_a_list_with_other_sentences_means_that_they_alone_are_embedded(
    copied: Copied,
    tmp_path: Path,
    fake_model: FakeEncoder,
    told: list[tuple[str, int, int]],
    progress: Callable[[str, int, int], None],
) -> None:
    assert fake_model.identity
    words = copied.folder.parent / f"{copied.folder.name}.words.toml"
    words.write_text('[asked]\n"250.2a" = ["As few as they can?"]\n', "utf-8")
    open_engine(copied.folder.parent, tmp_path / "data", progress=progress)
    assert [(done, total) for stage, done, total in told if stage == "embedding"][-1] == (138, 138)
    words.write_text('[asked]\n"250.2a" = ["As few as they can?", "How many?"]\n', "utf-8")
    told.clear()
    open_engine(copied.folder.parent, tmp_path / "data", progress=progress)
    assert told == [("embedding", 1, 1)]
    told.clear()
    open_engine(copied.folder.parent, tmp_path / "data", progress=progress)
    assert told == []


def test_another_model_means_another_index(
    tmp_path: Path, index: Path, fake_model: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_engine(data=tmp_path)
    monkeypatch.setattr(fake_model, "identity", "fake|other weights")
    open_engine(data=tmp_path)

    assert built_for(index)["model"] == "fake|other weights"


def test_progress_is_told_while_vectors_are_made(
    tmp_path: Path,
    fake_model: FakeEncoder,
    progress: Callable[[str, int, int], None],
    told: list[tuple[str, int, int]],
) -> None:
    engine = open_engine(data=tmp_path, progress=progress)
    stages = [stage for stage, *_ in told]

    assert fake_model.identity
    assert set(stages) == {"reading", "embedding"}
    assert stages == sorted(stages, reverse=True)
    assert told[-1][1] == told[-1][2]
    assert engine.notices == ()


def test_the_settings_hold_for_the_engine(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('top = 2\nmethod = "bm25"\n', "utf-8")
    engine = open_engine(data=tmp_path, models=False)

    assert len(engine.search("passenger", DAY).hits) == 2
    assert engine.method is Method.BM25
    (tmp_path / "settings.toml").write_text("top = 0\n", "utf-8")
    with pytest.raises(UsageError, match="1 to 200"):
        open_engine(data=tmp_path, models=False)


def test_a_folder_that_cannot_be_written_is_a_warning_on_every_card(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    words = ("--as-of", "2022-06-10", "--no-models", "--data", str(file / "below"))

    assert main(["ask", QUESTION, *words, "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    (text,) = [row["text"] for row in card["warnings"] if row["kind"] == "index_not_saved"]
    assert "built at each start" in text
    assert "--data DIR" in text
    assert "kept in memory only" in caplog.text
    assert main(["ask", QUESTION, *words]) == 0
    assert "! The index could not be saved" in capsys.readouterr().out


def test_without_the_extra_keywords_are_searched_and_the_reader_is_told(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(encoders, "models_installed", lambda: False)
    words = ("--as-of", "2022-06-10", "--data", str(tmp_path))

    assert main(["ask", QUESTION, *words, "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    (text,) = [row["text"] for row in card["warnings"] if row["kind"] == "keyword_search_only"]
    assert "The extra `models` is not installed." in text
    assert card["method"] == "bm25"
    assert "keywords only: The extra `models` is not installed." in caplog.text
    assert main(["ask", QUESTION, *words]) == 0
    assert "! Only keywords are searched." in capsys.readouterr().out
    assert main(["search", QUESTION, *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"][0]["text"] == text
    assert main(["search", QUESTION, *words, "--method", "dense"]) == 3


def test_altered_weights_are_never_used_and_the_reader_is_told(
    tmp_path: Path,
    fake_model: FakeEncoder,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def altered(_: object) -> str:
        raise ModelError("The weights have the SHA-256 00, expected is 53.", "Reinstall it.")

    monkeypatch.setattr(encoders, "load", altered)
    engine = open_engine(data=tmp_path)
    card = engine.ask(QUESTION, DAY)

    assert fake_model.identity
    assert not engine.has_models
    assert card.status is Status.ANSWERED
    (warning,) = card.warnings
    assert warning.kind == "keyword_search_only"
    assert "The weights have the SHA-256 00, expected is 53. Reinstall it." in warning.text
    assert "keywords only: The weights have" in caplog.text


def test_weights_of_another_sum_are_refused_before_they_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(encoders, "models_installed", lambda: True)
    monkeypatch.setattr(encoders, "locate", lambda _: tmp_path)
    (warning,) = open_engine(data=tmp_path).notices

    assert hashlib.sha256(b"other weights").hexdigest() in warning.text
    assert encoders.CARRIED_SHA256 in warning.text


def test_a_collection_is_found_by_folder(copied: Copied, tmp_path: Path) -> None:
    assert open_collection().id == "us-14-cfr"
    assert open_collection(copied.folder).folder == copied.folder
    assert open_collection(copied.folder.parent, "us-14-cfr").folder == copied.folder
    with pytest.raises(UsageError, match="no collection 'other'"):
        open_collection(copied.folder.parent, "other")
    with pytest.raises(SnapshotError, match="No collection"):
        open_collection(tmp_path / "nowhere")


def test_a_collection_without_a_word_list_is_searched_all_the_same(copied: Copied, tmp_path: Path) -> None:
    engine: Engine = open_engine(copied.folder.parent, tmp_path / "data", models=False)

    assert engine.search(QUESTION, DAY).hits


@pytest.mark.models
def test_the_carried_model_opens(tmp_path: Path) -> None:
    engine = open_engine(data=tmp_path)

    assert engine.notices == ()
    assert engine.ask(QUESTION, DAY).method == Method.RERANK
