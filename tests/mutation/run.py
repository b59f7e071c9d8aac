"""Mutants of what the answers rest on, and whether the tests notice: `python tests/mutation/run.py`.

Works on copies of the tree in a temporary folder; the tree itself is never touched. Needs `os.fork`.
A whole run writes docs/mutants.md. The exit code is 1 when a target stays under the score that is asked
for, or a survivor has no explanation in tests/mutation/explained.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import trial
from mutations import Mutant, members, mutants
from report import WANTED, Outcome, Result, explained, page, table
from targets import TARGETS, Target

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutants.json"
"""What an earlier run found, for `--resume`."""
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "screens", "htmlcov")
_WALL = 30
"""Times its computing time that a trial may take by the clock: one that sleeps computes nothing."""


@dataclass
class Plan:
    """The mutants of one target, and what the tests did without any."""

    target: Target
    source: bytes
    mutants: list[Mutant]
    seconds: dict[str, float] = field(default_factory=dict)
    """Computing time by test."""
    lines: dict[str, list[str]] = field(default_factory=dict)
    """Tests by line."""

    @property
    def limit(self) -> int:
        """Seconds of computing time that a trial may take."""
        return 10 + int(4 * sum(self.seconds.values()))

    def key(self, mutant: Mutant) -> str:
        """A name of the mutant in exactly this source."""
        return f"{hashlib.sha256(self.source).hexdigest()[:12]} {mutant.key}"

    def order(self, mutant: Mutant) -> trial.Order:
        """The tests that run the mutated line first."""
        return trial.Order(self.seconds, self.lines.get(str(mutant.line), ()))


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201 - that is what it does


def copy_tree(folder: Path) -> Path:
    """Copy what the tests need."""
    shutil.copytree(ROOT, folder, ignore=_LEFT_OUT, symlinks=True)
    return folder


def plan(target: Target, folder: Path, *, sample: int, seed: int) -> Plan:
    """The mutants of a target; `sample` of them, chosen by the seed, when it is not 0."""
    source = (folder / target.file).read_bytes()
    enums = members((folder / "engine/kinds.py").read_bytes())
    made = mutants(source, target.file, target.functions, enums)
    if 0 < sample < len(made):
        made = sorted(random.Random(seed).sample(made, sample), key=lambda one: one.start)
    return Plan(target, source, made)


def tests_of(target: Target, folder: Path) -> list[str]:
    """The test files of a target that are there."""
    return [name for name in target.tests if (folder / name).is_file()]


def observe(one: Plan, folder: Path) -> None:
    """Run a target's tests without a mutant; stop the whole run when they fail."""
    out = folder.parent / "unmutated.txt"
    tests = tests_of(one.target, folder)
    pid = trial.start(folder, tests, out, 3600, watch=one.target.file)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code:
        sys.exit(f"Without a mutant the tests of {one.target.file} fail:\n{out.read_text('utf-8')[-3000:]}")
    seen = json.loads(out.with_suffix(".json").read_text("utf-8"))
    one.seconds, one.lines = seen["seconds"], seen["lines"]


class Pool:
    """Tries mutants, each in a copy of the tree that no other uses at the time."""

    def __init__(self, folders: list[Path]) -> None:
        self.free = folders
        self.busy: dict[int, tuple[Path, Plan, Mutant, float]] = {}

    def begin(self, one: Plan, mutant: Mutant) -> None:
        """Put the mutant into a free copy and start its trial."""
        folder = self.free.pop()
        path = folder / mutant.file
        path.write_bytes(mutant.applied(one.source))
        for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            stale.unlink()
        out = folder.parent / f"{folder.name}.txt"
        pid = trial.start(folder, tests_of(one.target, folder), out, one.limit, order=one.order(mutant))
        self.busy[pid] = (folder, one, mutant, time.monotonic() + _WALL * one.limit)

    def end(self) -> Result:
        """Wait for a trial and say what came of it."""
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid in self.busy:
                break
            for late in [one for one, (*_, last) in self.busy.items() if time.monotonic() > last]:
                os.kill(late, signal.SIGKILL)
            time.sleep(0.02)
        folder, one, mutant, _ = self.busy.pop(pid)
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        (folder / mutant.file).write_bytes(one.source)
        self.free.append(folder)
        if trial.timed_out(status):
            return Result(mutant, Outcome.TIMED_OUT)
        return Result(mutant, Outcome.KILLED if status else Outcome.SURVIVED)

    def stop(self) -> None:
        """End what still runs."""
        for pid in self.busy:
            with suppress(OSError):
                os.killpg(pid, signal.SIGKILL)


def note(one: Plan, result: Result, known: dict[str, str]) -> None:
    """Say what survived, and keep what was noticed for a later run."""
    if result.outcome is Outcome.SURVIVED:
        say(f"  survived: line {result.mutant.line}: {result.mutant.key}")
        return
    known[one.key(result.mutant)] = result.outcome.value
    KEPT.write_text(json.dumps(known, indent=0), "utf-8")


def attempt(one: Plan, pool: Pool, known: dict[str, str]) -> list[Result]:
    """Try all mutants of a plan but those that are known to be killed."""
    results = [Result(each, Outcome(known[one.key(each)])) for each in one.mutants if one.key(each) in known]
    waiting = [each for each in one.mutants if one.key(each) not in known]
    try:
        while waiting or pool.busy:
            while waiting and pool.free:
                pool.begin(one, waiting.pop(0))
            results.append(pool.end())
            note(one, results[-1], known)
    finally:
        pool.stop()
    return sorted(results, key=lambda each: each.mutant.start)


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options of a run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="", help="only targets whose file has this in its name")
    parser.add_argument("--sample", type=int, default=0, help="mutants a target, chosen by the seed; 0: all")
    parser.add_argument("--seed", type=int, default=250)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--resume", action="store_true", help="take what an earlier run saw killed as killed")
    return parser.parse_args(arguments)


def main(given: argparse.Namespace) -> int:
    """Try the mutants, print what came of them, and write the page after a whole run."""
    begun = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the copies are taken away
    KEPT.parent.mkdir(exist_ok=True)
    known = json.loads(KEPT.read_text("utf-8")) if given.resume and KEPT.exists() else {}
    results: dict[str, list[Result]] = {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        clean = copy_tree(Path(scratch) / "clean")
        plans = [plan(target, clean, sample=given.sample, seed=given.seed) for target in TARGETS]
        plans = [one for one in plans if given.target in one.target.file]
        for one in plans:
            observe(one, clean)
        folders = [Path(shutil.copytree(clean, Path(scratch) / f"copy-{n}")) for n in range(given.workers)]
        for one in plans:
            say(f"{one.target.name}: {len(one.mutants)} mutants")
            results[one.target.name] = attempt(one, Pool(list(folders)), known)
    say(table(results))
    if not given.sample and not given.target:
        (ROOT / "docs/mutants.md").write_text(page(results, time.monotonic() - begun), "utf-8")
    unexplained = [
        one.mutant.key
        for every in results.values()
        for one in every
        if one.outcome is Outcome.SURVIVED and one.mutant.key not in explained()
    ]
    say("\n".join(("Without an explanation:", *unexplained)) if unexplained else "All explained.")
    low = [name for name, every in results.items() if sum(r.noticed for r in every) < WANTED * len(every)]
    return 1 if unexplained or low else 0


if __name__ == "__main__":
    sys.exit(main(options()))
