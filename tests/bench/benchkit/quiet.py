"""Whether other programs take the processor, on systems that tell (Linux); elsewhere it is always quiet."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

_LISTING = Path("/proc/stat")
_BUSY = 0.12
"""Share of all cores from which others count as at work."""


@dataclass
class Quiet:
    """Waits for quiet, for so many seconds in all."""

    left: float = field(default_factory=lambda: float(os.environ.get("BENCH_WAIT", "0")))
    """Seconds that may still be spent on waiting."""

    def wait(self, sample: float = 1.0) -> None:
        """Return when others left the processor alone for `sample` seconds, or no waiting is left."""
        while self.left > 0:
            before = Clock()
            time.sleep(sample)
            self.left -= sample
            if before.others(0.0) < _BUSY:
                return

    def disturbed(self, before: Clock, own: float) -> bool:
        """Whether others were at work since `before` and there is time to try again."""
        return self.left > 0 and before.others(own) >= _BUSY

    def spend(self, seconds: float) -> None:
        """Count a run that has to be done again."""
        self.left -= seconds


class Clock:
    """The processor's counters at one moment."""

    def __init__(self) -> None:
        self.busy, self.total = _counters()

    def others(self, own: float) -> float:
        """The share of all cores since then that others took, when `own` CPU seconds were ours."""
        busy, total = _counters()
        passed = total - self.total
        return max(0.0, busy - self.busy - own) / passed if passed else 0.0


def load() -> str:
    """What else went on, for a table's note."""
    threads = os.environ.get("OMP_NUM_THREADS")
    said = f" Run with OMP_NUM_THREADS={threads}." if threads else ""
    if not hasattr(os, "getloadavg"):
        return said
    return f"{said} Load average of the last five minutes when this was measured: {os.getloadavg()[1]:.1f}."


def _counters() -> tuple[float, float]:
    """CPU seconds that all cores were busy, and that passed on all of them."""
    if not _LISTING.is_file():
        return 0.0, 0.0
    ticks = [int(tick) for tick in _LISTING.read_text("ascii").split("\n", 1)[0].split()[1:9]]
    hertz = os.sysconf("SC_CLK_TCK")
    return (sum(ticks) - ticks[3] - ticks[4]) / hertz, sum(ticks) / hertz
