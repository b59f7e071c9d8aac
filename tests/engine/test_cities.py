"""The table of cities: the same answers from its file, from the package, and from a file that is spoilt."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from engine import cities
from engine.cities import Cities, City, folded

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("boston", "london", "san juan", "paris", "bogota", "no such place", "new york", "")


@pytest.fixture(scope="module")
def everything() -> dict[str, tuple[bool, int, int, str]]:
    """All cities of the package, read once."""
    return cities._read_all()


@pytest.fixture(autouse=True)
def read_once(
    everything: dict[str, tuple[bool, int, int, str]], monkeypatch: pytest.MonkeyPatch
) -> list[None]:
    """Reading the package takes a second: each time it is read again is counted instead."""
    reads: list[None] = []

    def read() -> dict[str, tuple[bool, int, int, str]]:
        reads.append(None)
        return everything

    monkeypatch.setattr(cities, "_read_all", read)
    return reads


@pytest.fixture
def plain() -> Cities:
    """A table without a file."""
    return Cities()


def kept(folder: Path) -> Cities:
    table = Cities()
    table.keep_in(folder)
    return table


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def answers(table: Cities) -> list[City | None]:
    return [table.find(name) for name in NAMES]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("St. Louis", "saint louis"),
        ("Ft. Worth", "fort worth"),
        ("Bogotá", "bogota"),
        ("U.S. Virgin  Islands", "us virgin islands"),
        ("Coeur d’Alene", "coeur d'alene"),
    ],
)
def test_names_are_folded(name: str, plain: str) -> None:
    assert folded(name) == plain


def test_a_name_of_two_countries_has_the_people_of_both(plain: Cities) -> None:
    found = plain.find("paris")

    assert found is not None
    assert found.own
    assert found.outside > found.inside > 0
    assert {"FR", "US"} <= found.countries


def test_the_file_gives_the_same_and_the_package_is_read_no_more(
    plain: Cities, tmp_path: Path, read_once: list[None]
) -> None:
    first = answers(kept(tmp_path))
    assert first == answers(plain)
    assert only(tmp_path).suffix == ".sqlite3"

    read_once.clear()
    assert answers(kept(tmp_path)) == first
    assert read_once == []


def test_the_same_folder_again_reads_nothing_again(tmp_path: Path, read_once: list[None]) -> None:
    table = kept(tmp_path)
    first = answers(table)
    only(tmp_path).unlink()
    read_once.clear()
    table.keep_in(tmp_path)

    assert answers(table) == first
    assert read_once == []


def test_a_folder_that_is_missing_costs_time_only(plain: Cities, tmp_path: Path) -> None:
    assert answers(kept(tmp_path / "none")) == answers(plain)
    assert not (tmp_path / "none").exists()


def spoil(path: Path, how: str) -> None:
    if how == "no database":
        path.write_bytes(b"\x00\xffno database" * 100)
    elif how == "another format":
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version=99")
        connection.close()
    else:
        path.unlink()
        path.mkdir()


@pytest.mark.parametrize("how", ["no database", "another format", "a folder"])
def test_a_spoilt_file_is_not_believed(
    how: str, plain: Cities, tmp_path: Path, read_once: list[None]
) -> None:
    answers(kept(tmp_path))
    spoil(only(tmp_path), how)
    read_once.clear()

    assert answers(kept(tmp_path)) == answers(plain)
    assert len(read_once) == 2


def test_a_file_that_cannot_be_opened_costs_time_only(
    plain: Cities, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    answers(kept(tmp_path))
    monkeypatch.setattr(sqlite3, "connect", refuse)

    assert answers(kept(tmp_path)) == answers(plain)


def test_a_file_that_breaks_while_it_is_read(plain: Cities, tmp_path: Path) -> None:
    answers(kept(tmp_path))
    path = only(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE city")
    connection.close()

    assert answers(kept(tmp_path)) == answers(plain)
