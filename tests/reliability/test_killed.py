"""Killed while it builds: the index is the old one or none, and the next question is answered."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest
from faultkit import ASK, INDEX, NOT_POSIX, answers, files, killed, paused, program, run_here, start

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason=NOT_POSIX)

MOMENTS = [
    ("engine.snapshot:Collection.read", 1),
    ("engine.snapshot:Collection.read", 9),
    ("engine.ingest:build_timelines", 2),
    ("engine.index:_write_version", 40),
    ("engine.paths:_exchange", 1),
    ("engine.opening:Engine", 1),
]


@pytest.mark.parametrize(("place", "call"), MOMENTS, ids=[f"{place}-{call}" for place, call in MOMENTS])
def test_at_any_moment_of_an_ingest_the_old_index_is_whole(data: Path, place: str, call: int) -> None:
    before = (data / INDEX).read_bytes()
    killed(paused(place, "ingest", data=data, call=call))

    assert (data / INDEX).read_bytes() == before
    left = [path for path in data.iterdir() if path.name != INDEX and not path.name.startswith("cities-")]
    assert all(path.name.startswith(f".{INDEX}.") for path in left)
    hours_ago = time.time() - 7200
    for path in left:
        os.utime(path, (hours_ago, hours_ago))
    assert answers(run_here(*ASK, data=data))
    assert run_here("ingest", data=data).clean
    assert files(data) == {INDEX: before}, "what it left is swept away"


def test_while_a_first_index_is_built_the_next_question_builds_it(tmp_path: Path, built: Path) -> None:
    for wait in (0.3, 0.5):
        process = start(program(*ASK, data=tmp_path))
        time.sleep(wait)
        process.kill()
        process.communicate()
    assert answers(run_here(*ASK, data=tmp_path))
    assert (tmp_path / INDEX).read_bytes() == (built / INDEX).read_bytes()
