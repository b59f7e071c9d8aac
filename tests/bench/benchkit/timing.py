"""Wall times of fresh processes and of calls, as medians."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from benchkit.quiet import Clock
from engine.search.retriever import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchkit.quiet import Quiet
    from engine.engine import Engine

_KEPT = 8
"""More questions than an engine keeps encoded."""
_COUNTED = 0.5
_CHILD = Path(__file__).with_name("child.py")


@dataclass(frozen=True)
class Runs:
    """Several runs of one command in fresh processes."""

    seconds: tuple[float, ...]
    cpu: tuple[float, ...]
    """CPU seconds of the process, on all cores."""
    peaks: tuple[float, ...]
    """Peak resident memory in MiB; empty where the system does not tell."""

    @property
    def time(self) -> float:
        """The median wall time in seconds, from start to exit."""
        return median(self.seconds)

    @property
    def work(self) -> float:
        """The median CPU time in seconds: what the wall time nears when others leave the processor alone."""
        return median(self.cpu)

    @property
    def peak(self) -> float:
        """The highest peak in MiB."""
        return max(self.peaks, default=float("nan"))


def runs(commands: Iterable[Sequence[str]], quiet: Quiet) -> Runs:
    """Run each command of Python arguments once; each has to exit with 0.

    A run that others disturbed is done again while there is time for waiting.
    """
    seconds, cpu, peaks = [], [], []
    for command in commands:
        said = _run(command, quiet)
        seconds.append(said["seconds"])
        cpu.append(said["cpu"])
        if said["peak_mb"] is not None:
            peaks.append(said["peak_mb"])
    return Runs(tuple(seconds), tuple(cpu), tuple(peaks))


def _run(command: Sequence[str], quiet: Quiet) -> dict[str, Any]:
    words = [sys.executable, str(_CHILD), sys.executable, *command]
    while True:
        quiet.wait()
        before = Clock()
        said = json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)
        assert said["code"] == 0, command
        if not quiet.disturbed(before, said["cpu"]):
            return said
        quiet.spend(said["seconds"])


def elapsed(call: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def calmly(call: Callable[[], object], quiet: Quiet) -> float:
    """Seconds that one call takes when others leave the processor alone."""
    while True:
        quiet.wait(0.3)
        before, cpu = Clock(), time.process_time()
        seconds = elapsed(call)
        # The counters move in hundredths of a second: they say nothing of a short call.
        if seconds < _COUNTED or not quiet.disturbed(before, time.process_time() - cpu):
            return seconds
        quiet.spend(seconds)


def forget(engine: Engine) -> None:
    """Search for other things, until none of the questions that an engine keeps encoded is left."""
    for n in range(_KEPT):
        engine.search(f"nothing {n}", date(2020, 1, 1), method=Method.DENSE)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return quantiles(values, n=20, method="inclusive")[-1]
