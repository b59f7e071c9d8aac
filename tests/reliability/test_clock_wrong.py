"""No answer hangs on this computer's clock: the day is the user's, and the texts' days are the texts'."""

from __future__ import annotations

import json
import sys
import time
from datetime import date
from typing import TYPE_CHECKING

import pytest
from faultkit import AMOUNT, INDEX, PATIENCE, QUESTION, files, start

from tui.history import History

if TYPE_CHECKING:
    from pathlib import Path

_AT = """
import datetime, sys, time
moment, *words = sys.argv[1:]
moment = float(moment)
time.time = lambda: moment
time.time_ns = lambda: int(moment * 10**9)

class Day(datetime.date):
    @classmethod
    def today(cls): raise RuntimeError("the clock was asked for the day")

class Moment(datetime.datetime):
    @classmethod
    def today(cls): raise RuntimeError("the clock was asked for the day")
    @classmethod
    def now(cls, tz=None): raise RuntimeError("the clock was asked for the time")
    @classmethod
    def utcnow(cls): raise RuntimeError("the clock was asked for the time")

datetime.date, datetime.datetime = Day, Moment
from tui.__main__ import main
sys.exit(main(words))
"""
YEAR_1970, YEAR_2106 = 0.0, 4_294_967_296.0


@pytest.mark.parametrize("moment", [YEAR_1970, YEAR_2106], ids=["1970", "2106"])
def test_coverage_and_answer_are_those_of_the_asked_day(moment: float, data: Path, tmp_path: Path) -> None:
    days = {"2022-06-10": "inside", "2016-01-01": "before", "2027-01-01": "after"}
    rows = "".join(json.dumps({"id": day, "question": QUESTION, "as_of": day}) + "\n" for day in days)
    (tmp_path / "rows.jsonl").write_text(rows, "utf-8")
    words = ("ask", "--batch", str(tmp_path / "rows.jsonl"), "--no-models", "--data", str(data))
    process = start([sys.executable, "-c", _AT, str(moment), *words])
    out, err = process.communicate(timeout=PATIENCE)

    cards = [json.loads(line) for line in out.splitlines()]
    assert {card["id"]: card["coverage"] for card in cards} == days, err.decode()
    assert AMOUNT in cards[0]["answer"]
    assert cards[1]["status"] == "not_held"


@pytest.mark.parametrize("moment", [YEAR_1970, YEAR_2106], ids=["1970", "2106"])
def test_an_index_is_built_and_history_kept(
    moment: float, tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("ingest", "--no-models", "--data", str(tmp_path))
    process = start([sys.executable, "-c", _AT, str(moment), *words])
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err.decode()
    assert files(tmp_path) == {INDEX: (built / INDEX).read_bytes()}

    monkeypatch.setattr(time, "time", lambda: moment)
    history = History(tmp_path)
    history.choose(keep=True)
    assert history.add("asked", date(2022, 6, 10))
    assert history.questions() == (("asked", date(2022, 6, 10)),)
