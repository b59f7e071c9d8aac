"""An index that cannot be used costs a moment and never an answer: it is built again from the texts."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from faultkit import ASK, INDEX, answers, files, run_here

from engine.doctor import examine
from engine.index import FORMAT, read_index
from engine.opening import open_collection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def random_bytes(path: Path) -> None:
    path.write_bytes(random.Random(6).randbytes(50_000))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def page_of_noise(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8192 : 8192 + 4096] = random.Random(6).randbytes(4096)
    path.write_bytes(data)


def other_format(path: Path) -> None:
    statement(path, "UPDATE meta SET value = '99' WHERE name = 'format'")


def other_schema(path: Path) -> None:
    statement(path, "ALTER TABLE block RENAME COLUMN text TO words")


def other_snapshot(path: Path) -> None:
    statement(path, f"UPDATE meta SET value = '{'f' * 64}' WHERE name = 'snapshot'")


def endless_warnings(path: Path) -> None:
    statement(path, f"UPDATE meta SET value = '{'[' * 100_000}' WHERE name = 'warnings'")


def statement(path: Path, text: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(text)


@pytest.mark.parametrize(
    "spoil",
    [
        random_bytes,
        empty,
        truncated,
        page_of_noise,
        other_format,
        other_schema,
        other_snapshot,
        endless_warnings,
    ],
)
def test_a_spoilt_index_is_mended_by_the_next_question(spoil: Callable[[Path], None], data: Path) -> None:
    good = files(data)
    spoil(data / INDEX)

    (finding,) = [one for one in examine(None, data) if one.name == "index"]
    assert finding.state == "problem"
    assert "ingest" in finding.advice
    assert answers(run_here(*ASK, data=data))
    assert files(data) == good, "the same texts give the same file"
    held = open_collection()
    assert read_index(data / INDEX, current_to=held.current_to, vectors=False).key.format == FORMAT


def test_a_folder_in_place_of_the_index_is_named_and_answers_go_on(data: Path) -> None:
    (data / INDEX).unlink()
    (data / INDEX).mkdir()
    (data / INDEX / "something").write_text("of the user's", "utf-8")

    (finding,) = [one for one in examine(None, data) if one.name == "index"]
    assert finding.state == "problem"
    assert finding.advice.startswith("Remove it")
    done = run_here(*ASK, data=data)
    assert answers(done)
    assert "could not be saved" in done.out
    assert files(data) == {f"{INDEX}/something": b"of the user's"}
