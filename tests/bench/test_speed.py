"""The numbers of the design: start, first index, answers, memory. Printed beside their targets."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import pytest
from benchkit.quiet import Quiet, load
from benchkit.timing import calmly, forget, p95, runs

from engine.evaluation.questions import load_questions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchkit.house import House
    from benchkit.tables import Tables
    from benchkit.timing import Runs

    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion

pytestmark = pytest.mark.models

COLUMNS = ("what", "measured", "target", "reached")
QUESTION = (
    "A passenger was bumped from a full domestic flight and rebooked to arrive 90 minutes late. "
    "What is the most the airline had to pay?"
)
IMPORT = """
import sys
{statement}
sys.exit(3 if "torch" in sys.modules else 0)
"""
OPENED = """
import os, sys
from pathlib import Path
from engine import open_engine
engine = open_engine(data=Path(sys.argv[1]))
os._exit(0 if engine.has_models else 3)
"""
"""Leaves at once when it is ready: what a process tidies up at its end is no waiting."""


def row(what: str, measured: float, target: float, unit: str) -> tuple[str, ...]:
    digits = {"s": 2, "ms": 1, "MiB": 0}[unit]
    reached = "yes" if measured <= target else "no"
    return what, f"{measured:.{digits}f} {unit}", f"{target:g} {unit}", reached


def process(what: str, done: Runs, target: float, started: Runs | None = None) -> tuple[str, ...]:
    """A row of wall and CPU time, less those of a process that does nothing."""
    wall, cpu = (done.time - started.time, done.work - started.work) if started else (done.time, done.work)
    name, measured, wanted, reached = row(what, wall, target, "s")
    return name, measured, f"{cpu:.2f} s", wanted, reached


def memory(done: Runs, target: float) -> tuple[str, ...]:
    _, measured, wanted, reached = row("", done.peak, target, "MiB")
    return measured, "", wanted, reached


def ask(data: Path, *more: str) -> list[str]:
    return ["-m", "tui", "ask", QUESTION, "--as-of", "2022-06-10", "--data", str(data), *more]


def imports(statement: str) -> list[str]:
    return ["-c", IMPORT.format(statement=statement)]


def test_start_and_fresh_commands(house: House, tables: Tables, tmp_path: Path) -> None:
    quiet = Quiet()
    nothing = runs([["-c", "pass"]] * 9, quiet)
    lazy = runs([imports("import engine")] * 9, quiet)
    door = runs([imports("from engine import *")] * 9, quiet)
    opened = runs([["-c", OPENED, str(house.data)]] * 5, quiet)
    first = runs([["-m", "tui", "ingest", "--data", str(tmp_path / str(n))] for n in range(3)], quiet)
    bare = [["-m", "tui", "ingest", "--no-models", "--data", str(tmp_path / f"k{n}")] for n in range(3)]
    keywords = runs(bare, quiet)
    with_models = runs([ask(house.data)] * 5, quiet)
    without = runs([ask(house.data, "--no-models")] * 5, quiet)
    tables.add(
        "1-fresh",
        "Fresh processes",
        ("what", "measured", "CPU time", *COLUMNS[2:]),
        [
            process("`import engine`", lazy, 0.15, started=nothing),
            process("every public name of `engine` imported", door, 0.15, started=nothing),
            process("ready, with a built index and models", opened, 6),
            process("first index of the snapshot, with models", first, 12),
            process("first index of the snapshot, `--no-models`", keywords, 12),
            process("`ask`, with models", with_models, 7),
            process("`ask`, `--no-models`", without, 1),
            ("peak memory of `ask`, with models", *memory(with_models, 900)),
            ("peak memory of the first index, with models", *memory(first, 900)),
            ("peak memory of `ask`, `--no-models`", *memory(without, 150)),
        ],
        "Wall times from start to exit of a process, and CPU times on all cores: medians (imports: of 9, "
        f"less the {nothing.time * 1000:.0f} ms of a Python that does nothing; first index: of 3, in an "
        "empty data folder; others: of 5). Peak memory: the highest resident size of any run." + load(),
    )


def test_warm_answers(house: House, tables: Tables, questions: Path) -> None:
    asked = load_questions(questions / "questions.jsonl")
    rows = []
    quiet = Quiet()
    for name, engine in (("with models", house.timed_engine()), ("keywords only", house.keyword_engine())):
        times = [
            median(column) for column in zip(*(round_of(engine, asked, quiet) for _ in range(3)), strict=True)
        ]
        rows.append(row(f"`ask` with `quote`, {name}: median", median(times) * 1000, 150, "ms"))
        rows.append(row(f"`ask` with `quote`, {name}: 95th percentile", p95(times) * 1000, 150, "ms"))
    tables.add(
        "2-warm",
        "Warm answers",
        COLUMNS,
        rows,
        f"Over the {len(asked)} questions of `questions/questions.jsonl`, each with the median of three "
        "rounds. Every question is encoded anew." + load(),
    )


def round_of(engine: Engine, asked: Sequence[DatedQuestion], quiet: Quiet) -> list[float]:
    engine.ask(asked[-1].question, asked[-1].as_of)
    made = []
    for question in asked:
        if engine.has_models:
            forget(engine)
        made.append(calmly(lambda q=question: engine.ask(q.question, q.as_of), quiet))
    return made
