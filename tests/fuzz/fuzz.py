"""Fuzz the XML reader and the label parser for a while: `python tests/fuzz/fuzz.py [SECONDS] [SEED]`.

An input that breaks something is kept in `tests/fuzz/inputs`, where it is a regression test from then
on, and its fault is printed; the exit code is then 1.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fuzzkit import INPUTS, TARGETS


def main(seconds: float, seed: int) -> int:
    """Run every target in turn until the time is up."""
    chosen = random.Random(seed)
    counts = dict.fromkeys((target.name for target in TARGETS), 0)
    found: set[str] = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for target in TARGETS:
            data = target.make(chosen)
            counts[target.name] += 1
            try:
                target.run(data)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
                where = traceback.extract_tb(error.__traceback__)[-1]
                kind = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
                if kind not in found:
                    found.add(kind)
                    path = INPUTS / f"{target.name}-{hashlib.sha256(data).hexdigest()[:12]}{target.ending}"
                    path.write_bytes(data)
                    print(f"{kind}: {str(error)[:200]!r}\n  kept as {path}", flush=True)  # noqa: T201
    tried = ", ".join(f"{count} for {name}" for name, count in counts.items())
    print(f"{seconds:g} s, seed {seed}: {tried}; {len(found)} faults.")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(
        main(float(given[0]) if given else 60.0, int(given[1]) if len(given) > 1 else time.time_ns() % 10**6)
    )
