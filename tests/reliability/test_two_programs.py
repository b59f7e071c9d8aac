"""Two programs on one data folder: each answers, none breaks the other's files, no question is lost."""

from __future__ import annotations

import json
import threading
from datetime import date
from typing import TYPE_CHECKING

from faultkit import ASK, INDEX, PATIENCE, answers, files, program, run, start

from tui.history import History

if TYPE_CHECKING:
    from pathlib import Path

DAY = date(2022, 6, 10)


def test_two_that_build_and_two_that_ask_end_with_one_whole_index(tmp_path: Path, built: Path) -> None:
    rows = [json.dumps({"id": n, "question": ASK[1], "as_of": "2022-06-10"}) for n in range(8)]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows), "utf-8")
    data = tmp_path / "data"
    batch = program("ask", "--batch", tmp_path / "rows.jsonl", data=data)
    running = [start(command) for command in (program("ingest", data=data), batch) * 2]
    ended = [(one.communicate(timeout=PATIENCE), one.returncode) for one in running]

    for (out, err), code in ended:
        assert code == 0, err.decode()
        assert b"Traceback" not in err
        assert b"cannot" not in err
        if out.startswith(b"{"):
            answered = [json.loads(line) for line in out.decode().splitlines()]
            assert [row["id"] for row in answered] == list(range(8))
            assert {row["status"] for row in answered} == {"answered"}
    assert files(data) == {INDEX: (built / INDEX).read_bytes()}
    assert answers(run(*ASK, data=data))


def test_two_screens_that_keep_one_history_lose_no_question(tmp_path: Path) -> None:
    assert History(tmp_path).choose(keep=True)

    def keep(name: str) -> None:
        history = History(tmp_path)
        for number in range(20):
            assert history.add(f"{name} {number}", DAY)

    both = [threading.Thread(target=keep, args=(name,)) for name in ("one", "two")]
    for one in both:
        one.start()
    for one in both:
        one.join()

    kept = {question for question, _ in History(tmp_path).questions()}
    assert kept == {f"{name} {number}" for name in ("one", "two") for number in range(20)}
    assert sorted(files(tmp_path)) == ["history.jsonl", "screen.json"]


def test_a_lock_that_a_killed_screen_left_holds_nobody_up(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.choose(keep=True)
    lock = tmp_path / "history.jsonl.lock"
    lock.touch()
    kept: list[bool] = []
    adding = threading.Thread(target=lambda: kept.append(history.add("asked", DAY)), daemon=True)
    adding.start()
    adding.join(PATIENCE)
    held_up = adding.is_alive()
    if held_up:
        lock.unlink(missing_ok=True)  # else it would wait on while other tests run

    assert not held_up
    assert kept == [True]
    assert sorted(files(tmp_path)) == ["history.jsonl", "screen.json"]
