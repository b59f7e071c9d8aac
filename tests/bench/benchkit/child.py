"""Runs one command and prints, as JSON, its exit code, wall time, CPU time and peak memory.

It is started as a process of its own, because on Linux a child's peak counts from the size of the
process that started it: beside loaded models a small command would look large.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time


def main() -> None:
    begun = time.perf_counter()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not hasattr(os, "wait4"):
        tell(process.wait(), time.perf_counter() - begun, 0.0, None)
        return
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    unit = 2**20 if sys.platform == "darwin" else 2**10  # bytes there, kibibytes elsewhere
    peak = round(usage.ru_maxrss / unit, 1)
    tell(os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime, peak)


def tell(code: int, seconds: float, cpu: float, peak: float | None) -> None:
    sys.stdout.write(json.dumps({"code": code, "seconds": seconds, "cpu": cpu, "peak_mb": peak}))


if __name__ == "__main__":
    main()
