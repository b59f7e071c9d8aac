"""The mutator makes valid Python, leaves the tree alone, and tells a killed mutant from one that lives."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pytest

if not hasattr(os, "fork"):
    pytest.skip("trials are forked", allow_module_level=True)

# With pytest's importlib mode a test cannot import its neighbour; these modules are meant to be.
sys.path.insert(0, str(Path(__file__).parent))

import run
from mutations import Mutant, members, mutants
from report import Outcome, Result, explained, page, table
from targets import TARGETS, Target

ROOT = Path(__file__).parents[2]
SOURCE = '''"""A module."""
from datetime import date

LIMIT = 5
WORDS = {"a": "b"}


class Span:
    """A span."""

    def holds(self, day: date) -> bool:
        """Whether it holds."""
        if day < self.first:
            return False
        return self.last is None or not day > self.last


def told(names: list[str], *, loud: bool = False) -> str:
    text = ""
    for name in sorted(names):
        if name.strip():
            text += f"{name}!" if loud else name
    return text
'''
DAYS = '''"""Days."""
from datetime import date


def begun(first: date, day: date) -> bool:
    """Whether it has begun."""
    return first <= day
'''


def edits(source: str, **options: frozenset[str]) -> set[str]:
    return {one.key.split("::", 1)[1] for one in mutants(source.encode(), "made.py", **options)}


def test_each_kind_of_fault_is_made() -> None:
    assert edits(SOURCE) >= {
        "<module>::constant::5 → 6",
        "Span.holds::compare::< → <=",
        "Span.holds::compare::is → is not",
        "Span.holds::logic::or → and",
        "Span.holds::logic::not day > self.last → bool(day > self.last)",
        "Span.holds::condition::day < self.first → True",
        "Span.holds::constant::False → True",
        "told::constant::False → True",
        "told::loop::sorted(names) → ()",
        "told::call::sorted → list",
        "told::call::name.strip() → name",
        'told::statement::text += f"{name}!" if loud else name → pass',
        "told::return::text → None",
        'told::text::f"{name}!" → ""',
        'told::text::"" → "XX"',
    }
    assert not {edit for edit in edits(SOURCE) if "A module" in edit or '"b"' in edit or "date" in edit[:20]}


def test_a_day_is_moved_by_one_both_ways() -> None:
    moved = [one for one in mutants(DAYS.encode(), "days.py") if one.kind == "day"]
    assert len(moved) == 4
    answers = []
    for one in moved:
        names: dict[str, object] = {}
        exec(compile(one.applied(DAYS.encode()), "days.py", "exec"), names)
        answers.append(names)
    assert all(callable(names["begun"]) for names in answers)


def test_a_member_is_exchanged_for_the_next() -> None:
    enums = members(b"class Kind:\n    A = 1\n    B = 2\n    C = 3\n")
    found = mutants(b"x = Kind.B, Kind.C\ny = Kind.C\n", "made.py", enums=enums)
    assert enums == {"Kind": ("A", "B", "C")}
    assert [one.after for one in found if one.kind == "member"] == ["Kind.A"]


def test_only_the_named_functions_are_mutated() -> None:
    found = mutants(SOURCE.encode(), "made.py", frozenset({"Span.holds"}))
    assert {one.function for one in found} == {"Span.holds"}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.file)
def test_every_mutant_is_python_and_another_program_under_a_name_of_its_own(target: Target) -> None:
    source = (ROOT / target.file).read_bytes()
    made = mutants(source, target.file, target.functions, members((ROOT / "engine/kinds.py").read_bytes()))
    assert len({one.key for one in made}) == len(made) > 10
    assert {one.function for one in made} >= target.functions
    for one in made:
        assert one.applied(source) != source
        ast.parse(one.applied(source))


def test_every_target_has_tests_and_every_explanation_a_mutant() -> None:
    keys: set[str] = set()
    for target in TARGETS:
        assert run.tests_of(target, ROOT)
        made = run.plan(target, ROOT, sample=0, seed=1).mutants
        keys |= {one.key for one in made}
    assert set(explained()) <= keys


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    first, again, other = (run.plan(TARGETS[0], ROOT, sample=9, seed=seed).mutants for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == 9


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small tree with a source and its tests, one of which never ends when the loop is spoilt."""
    folder = tmp_path / "tree"
    (folder / "tests").mkdir(parents=True)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  models\n  slow\n", "utf-8")
    (folder / "days.py").write_text(DAYS, "utf-8")
    (folder / "tests/test_days.py").write_text(
        "from datetime import date\n"
        "from days import begun\n"
        "def test_begun():\n"
        "    assert begun(date(2021, 4, 13), date(2021, 4, 13))\n"
        "    assert begun(date(2021, 4, 13), date(2021, 4, 14))\n",
        "utf-8",
    )
    return folder


def tried(tree: Path, source: str, after: str) -> Result:
    """Try one edit of `days.py`: the last `source` in it becomes `after`."""
    whole = (tree / "days.py").read_bytes()
    start = whole.rindex(source.encode())
    one = run.Plan(Target("days.py", ("tests/test_days.py",)), whole, [])
    run.observe(one, tree)
    mutant = Mutant("days.py", "begun", 7, "made", start, start + len(source.encode()), source, after)
    pool = run.Pool([tree])
    pool.begin(one, mutant)
    result = pool.end()
    assert (tree / "days.py").read_bytes() == whole
    assert pool.free == [tree]
    return result


def test_a_mutant_that_a_test_notices_is_killed(tree: Path) -> None:
    assert tried(tree, "<=", "<").outcome is Outcome.KILLED


def test_a_mutant_that_cannot_be_imported_is_killed(tree: Path) -> None:
    assert tried(tree, "first <=", "1 / 0 <=").outcome is Outcome.KILLED


def test_a_mutant_that_no_test_notices_survives(tree: Path) -> None:
    result = tried(tree, "first <= day", "first <= day or day.year == 1999")
    assert result.outcome is Outcome.SURVIVED
    assert not result.noticed


def test_a_mutant_that_never_ends_is_timed_out(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.Plan, "limit", 4)
    assert tried(tree, "first <= day", "[0 for _ in iter(int, 1)]").outcome is Outcome.TIMED_OUT


def test_tests_that_fail_without_a_mutant_stop_the_run(tree: Path) -> None:
    (tree / "days.py").write_text(DAYS.replace("<=", ">"), "utf-8")
    with pytest.raises(SystemExit, match="Without a mutant"):
        tried(tree, "first", "first")


def test_the_page_names_what_survived_and_what_is_not_explained() -> None:
    lives, dies = mutants(DAYS.encode(), "days.py")[:2]
    results = {"days.py": [Result(lives, Outcome.SURVIVED), Result(dies, Outcome.KILLED)]}
    assert "| days.py | 2 | 1 | 0 | 1 | 50.0% |" in table(results)
    assert "| **all** | 2 | 1 | 0 | 1 | 50.0% |" in page(results, 60)
    assert "**not explained**" in page(results, 60)
