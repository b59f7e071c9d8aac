"""Texts that are not what their sums say are never read, and nothing waits for a file that never ends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from faultkit import ASK, LINUX, NOT_LINUX, NOT_POSIX, answers, files, run, run_here

from engine.errors import SnapshotError
from engine.opening import open_engine
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from pathlib import Path

COPY = "part-250_2021-08-02.xml"


def test_a_changed_amount_stops_every_command_and_leaves_the_index(texts: Path, data: Path) -> None:
    options = ("--regulations", texts.parent)
    assert answers(run_here(*ASK, *options, data=data))
    before = files(data)
    path = texts / COPY
    path.write_bytes(path.read_bytes().replace(b"$775", b"$777"))

    for words in (ASK, ("ingest",), ("doctor",)):
        done = run_here(*words, *options, data=data)
        assert done.code == 3
        assert done.clean
        assert COPY in done.out + done.err
        assert "snapshot verify" in done.out + done.err
        assert "$777" not in done.out
    assert files(data) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason=NOT_POSIX)
@pytest.mark.parametrize("name", [COPY, "SHA256SUMS"])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(texts: Path, name: str) -> None:
    (texts / name).unlink()
    os.mkfifo(texts / name)

    with pytest.raises(SnapshotError, match=name):
        load_collection(texts)


@pytest.mark.skipif(not LINUX, reason=NOT_LINUX)
def test_a_link_to_a_device_without_end_is_not_read(texts: Path) -> None:
    (texts / COPY).unlink()
    (texts / COPY).symlink_to("/dev/zero")

    with pytest.raises(SnapshotError, match=COPY):
        load_collection(texts)


@pytest.mark.skipif(not LINUX, reason=NOT_LINUX)
def test_a_file_larger_than_any_text_is_not_read(texts: Path) -> None:
    with (texts / COPY).open("r+b") as file:
        file.truncate(300 * 1024 * 1024)

    with pytest.raises(SnapshotError, match=COPY) as caught:
        load_collection(texts)
    assert "SHA-256" not in caught.value.message, "its bytes were counted"


@pytest.mark.skipif(os.name != "posix", reason=NOT_POSIX)
def test_a_link_is_held_to_the_sum_of_the_file_that_it_stands_for(texts: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "store.xml"
    (texts / COPY).rename(elsewhere)
    (texts / COPY).symlink_to(elsewhere)
    assert load_collection(texts).copies
    elsewhere.write_bytes(b"root:x:0:0:root:/root:/bin/sh")

    with pytest.raises(SnapshotError, match="SHA-256") as caught:
        load_collection(texts)
    assert "root:" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "/etc/passwd",
        "C:\\secret",
        "..\\secret",
        "\\\\host\\share",
        "a/b",
        "..",
        ".",
        "",
        "a\x1bb",
    ],
)
def test_no_name_in_a_manifest_leads_out_of_the_folder(texts: Path, name: str, tmp_path: Path) -> None:
    (tmp_path / "regulations" / "secret").write_text("secret", "utf-8")
    sums = (texts / "SHA256SUMS").read_text("utf-8")
    (texts / "SHA256SUMS").write_text(f"{sums}{'0' * 64}  {name}\n", "utf-8")
    with pytest.raises(SnapshotError, match=r"SHA256SUMS|missing or unreadable") as caught:
        load_collection(texts)
    assert "\x1b" not in str(caught.value)
    assert "secret" not in caught.value.message


def test_the_list_of_sources_cannot_name_a_file_that_has_no_sum(texts: Path) -> None:
    import hashlib  # noqa: PLC0415 - this test alone needs it

    sources = texts / "sources.csv"
    sources.write_bytes(sources.read_bytes().replace(COPY.encode(), b"../../etc/passwd", 1))
    sums = (texts / "SHA256SUMS").read_text("utf-8").splitlines()
    fresh = hashlib.sha256(sources.read_bytes()).hexdigest()
    listed = [f"{fresh}  sources.csv" if line.endswith(" sources.csv") else line for line in sums]
    (texts / "SHA256SUMS").write_text("\n".join(listed) + "\n", "utf-8")

    with pytest.raises(SnapshotError, match=r"\.\./\.\./etc/passwd the sum"):
        load_collection(texts)


def test_a_section_of_any_name_makes_an_address_that_no_link_breaks_out_of(texts: Path) -> None:
    from engine.ingest import address  # noqa: PLC0415 - this test alone needs it
    from engine.model import SectionText  # noqa: PLC0415

    day = load_collection(texts).history_start
    made = address(SectionText("14", "250", '250.5> <script src="//x">', "h", (), (), "", ()), day)
    assert not set(made) & set("<>\"' ")


@pytest.mark.skipif(not LINUX, reason="other systems have no names that are not UTF-8")
def test_a_folder_whose_name_is_not_utf_8_serves_like_any(texts: Path, tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\x1b[2J")
    os.rename(texts.parent, odd)  # noqa: PTH104 - pathlib would do the same

    done = run(*ASK, "--regulations", odd, data=tmp_path / "data")
    assert answers(done)
    assert "\x1b" not in done.out + done.err
    assert open_engine(tmp_path.__class__(odd), tmp_path / "data", models=False).chunks
