"""A long shift twice over: 1,000 questions in each of two processes that share one data folder.

`python tests/bench/load.py [--no-models] [--questions N] [--data DIR]` prints a table in Markdown; the
exit code is 1 when an answer was lost, when the two processes disagree, or when memory grew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from engine import Method, open_engine, to_json  # noqa: E402 - the checkout has to be found first
from engine.evaluation.questions import load_questions  # noqa: E402

DAYS = (
    "2016-06-01", "2017-01-01", "2018-03-05", "2019-11-11", "2020-02-29", "2021-04-12", "2021-04-13",
    "2021-08-01", "2021-08-02", "2022-06-10", "2023-12-31", "2024-10-23", "2024-10-24", "2024-12-20",
    "2025-01-21", "2025-01-22", "2026-10-07", "2027-01-01",
)  # fmt: skip
"""Before the history, on both sides of every change, and after the up-to-date day."""
TEMPLATES = (
    "Bumped from a full domestic flight, rebooked and arrived {} minutes late. What is owed?",
    "What does 14 CFR {} say?",
    "My fare was ${} one way and I was bumped from Boston to London. How much can I get?",
)
FILLINGS = ("45", "90", "130", "250.5", "254.4", "250.9(b)", "199.50", "1,200")
WARM = 100
"""Answers after which memory has to stay as it is."""
_SPREAD = "median / 95 % / max"
_LOAD = hasattr(os, "getloadavg")
GROWTH = 1.05
"""How much of it may be used at the end, in parts of what was used then."""


@dataclass(frozen=True)
class Request:
    """One question, on one day, by one method."""

    number: int
    question: str
    as_of: date
    method: str


def requests(count: int, methods: tuple[str, ...]) -> list[Request]:
    """The same mix for everybody, without one request twice as long as that can be."""
    asked = [row.question for row in load_questions(ROOT / "questions" / "tuning.jsonl")]
    asked += [template.format(one) for template in TEMPLATES for one in FILLINGS]
    every = [(question, day, method) for question in asked for day in DAYS for method in methods]
    random.Random(250).shuffle(every)
    whole = every * (count // len(every) + 1)
    return [
        Request(n, q, date.fromisoformat(day), method) for n, (q, day, method) in enumerate(whole[:count])
    ]


def resident() -> float:
    """Megabytes in memory now; where a system does not tell, 0."""
    listing = Path("/proc/self/statm")
    if not listing.is_file():
        return 0.0
    return int(listing.read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def child(options: argparse.Namespace) -> None:
    """Ask everything in an order of its own and print what came of it as JSON."""
    engine = open_engine(data=options.data, models=options.models)
    methods = tuple(map(str, Method)) if engine.has_models else ("bm25",)
    todo = requests(options.questions, methods)
    random.Random(options.child).shuffle(todo)
    made: dict[int, str] = {}
    statuses: dict[str, int] = {}
    times: list[float] = []
    sizes: list[float] = []
    for place, one in enumerate(todo):
        begun = time.perf_counter()
        card = to_json(engine.ask(one.question, one.as_of, method=Method(one.method)))
        times.append((time.perf_counter() - begun) * 1000)
        card.pop("timings_ms")
        made[one.number] = hashlib.sha256(json.dumps(card, sort_keys=True).encode()).hexdigest()
        statuses[card["status"]] = statuses.get(card["status"], 0) + 1
        if place >= min(WARM, len(todo) // 2):
            sizes.append(resident())
    found = {"made": made, "statuses": statuses, "times": times, "sizes": sizes, "methods": methods}
    print(json.dumps(found))  # noqa: T201 - what the parent reads


def spread(values: list[float]) -> str:
    """Median, 95th percentile and maximum."""
    return (
        f"{statistics.median(values):.0f} / {sorted(values)[int(len(values) * 0.95)]:.0f} / {max(values):.0f}"
    )


def main() -> int:
    """Start both, compare them and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-models", dest="models", action="store_false")
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options)
        return 0
    with tempfile.TemporaryDirectory() as made:
        options.data = options.data or Path(made)
        begun = time.monotonic()
        running = [_start(options, number) for number in (1, 2)]
        ended = [json.loads(one.communicate()[0] or "{}") for one in running]
        took = time.monotonic() - begun
    return _report(options, ended, took)


def _start(options: argparse.Namespace, number: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, __file__, "--child", str(number), "--questions", str(options.questions)]
    command += ["--data", str(options.data), *([] if options.models else ["--no-models"])]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _report(options: argparse.Namespace, ended: list[dict[str, Any]], took: float) -> int:
    faults = []
    rows = []
    for number, one in enumerate(ended, 1):
        if len(one.get("made", {})) != options.questions:
            faults.append(f"process {number} gave {len(one.get('made', {}))} of {options.questions} answers")
            continue
        sizes, times = one["sizes"], one["times"]
        tail = statistics.median(sizes[-WARM:])
        if tail > sizes[0] * GROWTH:
            faults.append(f"memory of process {number} grew from {sizes[0]:.0f} to {tail:.0f} MiB")
        statuses = ", ".join(f"{count} {name}" for name, count in sorted(one["statuses"].items()))
        grown = f"{sizes[0]:.0f} → {sizes[-1]:.0f}"
        rows.append(
            f"| {number} | {len(one['made'])} ({statuses}) | {spread(times)} | {grown} | {spread(sizes)} |"
        )
    both = [one.get("made") for one in ended]
    if both[0] != both[1]:
        faults.append("the two processes gave different answers to the same request")
    busy = f"; load average of five minutes at the end {os.getloadavg()[1]:.1f}" if _LOAD else ""
    methods = ", ".join(ended[0].get("methods", ()))
    lines = [
        f"{options.questions} questions in each of two processes, methods {methods}: {took:.0f} s{busy}.",
        "",
        f"| process | answers | ms: {_SPREAD} | MiB after {WARM} answers → at the end | MiB: {_SPREAD} |",
        "|---|---|---|---|---|",
        *rows,
        "",
        "; ".join(faults) or "Nothing lost, both gave the same answers, memory flat.",
    ]
    print("\n".join(lines))  # noqa: T201 - the report
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
