from __future__ import annotations

import errno
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import pytest

import engine.index
import engine.paths
from engine.errors import IndexUnusableError
from engine.index import FORMAT, IndexKey, StoredIndex, read_index, write_index

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
CURRENT = date(2026, 10, 7)
OWNERS = {"_exchange": engine.paths}
"""Where a step is, if not in the index."""


@pytest.fixture
def stored(tmp_path: Path, embedded: StoredIndex) -> Path:
    path = tmp_path / "data" / "us-14-cfr.sqlite3"
    write_index(path, replace(embedded, warnings=("odd: “§”",)))
    return path


def load(path: Path, *, vectors: bool = True) -> StoredIndex:
    return read_index(path, current_to=CURRENT, vectors=vectors)


def beside(path: Path) -> list[str]:
    return sorted(other.name for other in path.parent.iterdir())


def test_what_is_read_is_what_was_written(stored: Path, embedded: StoredIndex) -> None:
    index = load(stored)
    assert index.timelines == embedded.timelines
    assert index.key == embedded.key == IndexKey(embedded.key.snapshot, "fake|hashed stems", FORMAT)
    assert index.warnings == ("odd: “§”",)
    assert index.vectors.keys() == embedded.vectors.keys()
    for text, vectors in index.vectors.items():
        made = embedded.vectors[text]
        assert vectors.pooled.dtype == vectors.tokens.dtype == np.float32
        assert vectors.tokens.shape == made.tokens.shape
        np.testing.assert_allclose(vectors.pooled, made.pooled, atol=5e-4)
        np.testing.assert_allclose(vectors.tokens, made.tokens, atol=5e-4)


def test_the_same_content_gives_the_same_file(stored: Path, tmp_path: Path, embedded: StoredIndex) -> None:
    again = tmp_path / "again.sqlite3"
    write_index(again, replace(embedded, warnings=("odd: “§”",)))
    assert again.read_bytes() == stored.read_bytes()


def test_the_up_to_date_day_is_the_readers(stored: Path) -> None:
    index = read_index(stored, current_to=date(2027, 1, 1), vectors=False)
    assert {timeline.current_to for timeline in index.timelines} == {date(2027, 1, 1)}


def test_an_empty_index_and_a_folder_of_any_name_are_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "a b#c?d%20é" / "i.sqlite3"
    empty = StoredIndex(IndexKey("0" * 64, ""), ())
    write_index(path, empty)
    assert load(path) == empty


def test_vectors_are_read_only_when_asked_for(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise AssertionError

    with sqlite3.connect(stored) as connection:
        connection.execute("UPDATE vector SET pooled = x'00'")
    connection.close()
    monkeypatch.setattr(engine.index, "_read_vectors", fail)
    assert load(stored, vectors=False).vectors == {}
    with pytest.raises(IndexUnusableError, match="other vectors than were written"):
        load(stored)


def test_reading_leaves_no_file_beside_the_index(stored: Path) -> None:
    before, folder = stored.read_bytes(), stored.parent
    stored.chmod(0o444)
    folder.chmod(0o555)
    try:
        load(stored)
        assert beside(stored) == [stored.name]
        assert stored.read_bytes() == before
    finally:
        folder.chmod(0o755)


def test_reading_waits_for_no_lock(stored: Path) -> None:
    connection = sqlite3.connect(stored, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        assert load(stored).timelines
    finally:
        connection.close()


class TestAnUnusableFile:
    @pytest.mark.parametrize("content", [None, b"", b"SQLite format 3\0 and nothing", b"<html>" * 500])
    def test_is_an_error_and_no_traceback(self, tmp_path: Path, content: bytes | None) -> None:
        path = tmp_path / "i.sqlite3"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(IndexUnusableError, match="The index cannot be read: ") as caught:
            load(path)
        assert caught.value.exit_code == 3
        assert path.exists() == (content is not None), "reading makes no file"

    def test_of_another_format_says_so(self, tmp_path: Path) -> None:
        path = tmp_path / "i.sqlite3"
        write_index(path, StoredIndex(IndexKey("0" * 64, "", "0"), ()))
        with pytest.raises(IndexUnusableError, match=f"of format 0, this program's is {FORMAT}"):
            load(path)

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ("UPDATE block SET text = replace(text, '$1,075', '$1,057')", "other texts"),
            ("UPDATE version SET effective_from = '2021-04-14' WHERE id = 3", "other texts"),
            ("DELETE FROM version WHERE id = 5", "other texts"),
            ("DELETE FROM vector WHERE text = (SELECT min(text) FROM vector)", "other vectors"),
            ("DELETE FROM meta WHERE name = 'vectors'", "cannot be read"),
            ("UPDATE meta SET value = 'x' WHERE name = 'warnings'", "cannot be read"),
            ("ALTER TABLE version RENAME COLUMN held_from TO kept_from", "cannot be read"),
            ("DROP TABLE block", "cannot be read"),
        ],
    )
    def test_that_was_changed_is_refused(self, stored: Path, change: str, error: str) -> None:
        connection = sqlite3.connect(stored)
        with connection:
            connection.execute(change)
        connection.close()
        with pytest.raises(IndexUnusableError, match=error):
            load(stored)

    @pytest.mark.parametrize("where", ["text", "vector"])
    def test_with_a_flipped_bit_is_refused(self, stored: Path, embedded: StoredIndex, where: str) -> None:
        data = bytearray(stored.read_bytes())
        pooled = next(iter(embedded.vectors.values())).pooled.astype("<f2").tobytes()
        wanted = {"text": b"whichever is lower", "vector": pooled}[where]
        data[data.index(wanted) + 3] ^= 1
        stored.write_bytes(data)
        with pytest.raises(IndexUnusableError, match=f"other {where}s than were written"):
            load(stored)

    def test_with_any_byte_altered_or_any_tail_missing_never_gives_other_texts(self, stored: Path) -> None:
        whole, good = stored.read_bytes(), load(stored, vectors=False)
        chosen, seen = random.Random(250), set()
        for place in range(400):
            data = bytearray(whole)
            if place % 8:
                # The first page holds the schema, where a change does the strangest things.
                data[chosen.randrange(len(data) if place % 2 else 4096)] ^= 1 << chosen.randrange(8)
            else:
                del data[chosen.randrange(len(data)) :]
            stored.write_bytes(data)
            try:
                index = load(stored, vectors=False)
            except IndexUnusableError:
                seen.add("refused")
            else:
                seen.add("read")
                assert index.timelines == good.timelines
        assert seen == {"refused", "read"}


class TestSwappingIn:
    @pytest.fixture
    def other(self, embedded: StoredIndex) -> StoredIndex:
        return replace(embedded, key=IndexKey("f" * 64, "", FORMAT), vectors={})

    def test_replaces_the_old_file_and_leaves_nothing_else(self, stored: Path, other: StoredIndex) -> None:
        write_index(stored, other)
        assert load(stored) == other
        assert beside(stored) == [stored.name]

    @pytest.mark.parametrize(
        ("step", "error"),
        [
            ("_fill", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))),
            ("_fill", sqlite3.OperationalError("database or disk is full")),
            ("_write_version", sqlite3.OperationalError("disk I/O error")),
            ("_exchange", PermissionError(errno.EACCES, "in use by another program")),
        ],
    )
    def test_that_fails_keeps_the_old_file_and_says_what_to_do(
        self, stored: Path, other: StoredIndex, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
    ) -> None:
        before = stored.read_bytes()
        monkeypatch.setattr(OWNERS.get(step, engine.index), step, _raising(error))
        with pytest.raises(IndexUnusableError) as caught:
            write_index(stored, other)
        assert caught.value.message == f"The index cannot be written in {stored.parent}: {error}."
        assert caught.value.hint.startswith("Free some space, or name a folder")
        assert stored.read_bytes() == before
        assert beside(stored) == [stored.name]

    def test_that_is_interrupted_cleans_up(
        self, stored: Path, other: StoredIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = stored.read_bytes()
        monkeypatch.setattr(engine.paths, "_exchange", _raising(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            write_index(stored, other)
        assert stored.read_bytes() == before
        assert beside(stored) == [stored.name]

    def test_into_a_place_that_is_no_folder_is_an_error(self, tmp_path: Path, other: StoredIndex) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(IndexUnusableError, match="The index cannot be written in "):
            write_index(tmp_path / "file" / "i.sqlite3", other)

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
    @pytest.mark.parametrize("step", ["_write_version", "_digest", "_exchange"])
    @pytest.mark.parametrize("existing", [True, False])
    def test_that_is_killed_leaves_the_old_file_or_none(
        self, stored: Path, other: StoredIndex, step: str, *, existing: bool
    ) -> None:
        target = stored if existing else stored.with_name("new.sqlite3")
        before = stored.read_bytes()
        _kill_while(step, stored, target)
        (leftover,) = [name for name in beside(stored) if name.endswith(".new")]
        assert beside(stored) == sorted([leftover, stored.name])
        assert stored.read_bytes() == before
        # The next run swaps in a whole file; it removes what is surely of no run at work.
        write_index(target, other)
        assert leftover in beside(target)
        hours_ago = time.time() - 7200
        os.utime(target.parent / leftover, (hours_ago, hours_ago))
        write_index(target, other)
        assert beside(target) == sorted({stored.name, target.name})
        assert load(target) == other


def _raising(error: BaseException) -> Callable[..., NoReturn]:
    def step(*_: object) -> NoReturn:
        raise error

    return step


SLOW_WRITER = """
import sys, time
from datetime import date
from pathlib import Path
from engine import index, paths

step, source, target = sys.argv[1:]
held = index.read_index(Path(source), current_to=date(2026, 10, 7), vectors=True)
owner = paths if step == "_exchange" else index
original, calls = getattr(owner, step), []

def slow(*args):
    calls.append(1)
    if len(calls) > 1 or step == "_exchange":
        print("here", flush=True)
        time.sleep(60)
    return original(*args)

setattr(owner, step, slow)
index.write_index(Path(target), held)
"""


def _kill_while(step: str, source: Path, target: Path) -> None:
    """Start writing in another process and kill it in the midst of a step."""
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_WRITER, step, str(source), str(target)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
