"""The journal takes whatever a killed run left."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from engine.refresh.staging import JOURNAL, Staging, read_journal, write_whole

if TYPE_CHECKING:
    from pathlib import Path

KEY = {"for": "refresh", "days": "14=2026-11-20"}
HEADER = {"format": 1, **KEY}
ROW = {
    "file": "part-250_2026-11-12.xml",
    "url": "https://x.example/",
    "sha256": "ab",
    "fetched": "2026-11-21",
}


def journal(*rows: object) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def test_what_was_kept_is_there_for_the_next_run(tmp_path: Path) -> None:
    first = Staging(tmp_path / "work")
    assert first.begin(KEY) == 0
    first.keep("a.xml", "https://example.org/a", b"<a/>", "2026-11-21")

    second = Staging(tmp_path / "work")
    assert second.begin(KEY) == 1
    found = second.held("a.xml")
    assert found is not None
    assert found[0].url == "https://example.org/a"
    assert found[1] == b"<a/>"
    assert second.held("b.xml") is None


def test_another_key_begins_anew(tmp_path: Path) -> None:
    first = Staging(tmp_path / "work")
    first.begin(KEY)
    first.keep("a.xml", "u", b"<a/>", "2026-11-21")

    assert Staging(tmp_path / "work").begin(KEY | {"for": "upstream"}) == 0
    assert not (tmp_path / "work" / "files" / "a.xml").exists()


def test_a_line_cut_in_half_does_not_swallow_the_next(tmp_path: Path) -> None:
    staging = Staging(tmp_path / "work")
    staging.begin(KEY)
    staging.keep("a.xml", "u", b"<a/>", "2026-11-21")
    with (tmp_path / "work" / JOURNAL).open("ab") as file:
        file.write(b'{"file": "b.x')
    staging.keep("c.xml", "u", b"<c/>", "2026-11-21")

    assert set(read_journal((tmp_path / "work" / JOURNAL).read_bytes(), HEADER)) == {"a.xml", "c.xml"}


@pytest.mark.parametrize(
    "row",
    [
        ROW | {"file": "../../etc/passwd"},
        ROW | {"file": "a\\b"},
        ROW | {"file": "C:x"},
        ROW | {"file": ".."},
        ROW | {"file": ""},
        ROW | {"file": "a\nb"},
        ROW | {"file": 7},
        ROW | {"url": None},
        {"file": "a.xml"},
        [ROW],
        "text",
    ],
)
def test_a_row_that_leads_astray_is_left_out(row: object) -> None:
    assert set(read_journal(journal(HEADER, row, ROW), HEADER)) == {ROW["file"]}


def test_a_journal_of_another_run_lists_nothing() -> None:
    assert read_journal(journal(HEADER | {"days": "14=2026-11-23"}, ROW), HEADER) == {}
    assert read_journal(b"", HEADER) == {}


@given(st.binary())
def test_any_bytes_are_taken(data: bytes) -> None:
    assert read_journal(data, HEADER) == {}
    assert isinstance(read_journal(journal(HEADER, ROW) + b"\n" + data, HEADER), dict)


@given(st.integers(0, 400))
def test_a_journal_cut_anywhere_lists_only_whole_rows(length: int) -> None:
    whole = journal(HEADER, ROW, ROW | {"file": "b.xml"})
    cut = read_journal(whole[:length], HEADER)
    assert all(entry.sha256 == "ab" for entry in cut.values())
    assert set(cut) <= {ROW["file"], "b.xml"}


def test_a_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.xml"
    write_whole(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.xml"]
