"""What once broke a reader never does again; broken inputs of a fixed seed are read or refused."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

# With pytest's importlib mode a test cannot import its neighbour; this module is meant to be.
sys.path.insert(0, str(Path(__file__).parent))

from fuzz import main
from fuzzkit import INPUTS, TARGETS, Target

KEPT = [
    (target, path) for target in TARGETS for path in sorted(INPUTS.glob(f"{target.name}-*{target.ending}"))
]


@pytest.mark.parametrize(("target", "path"), KEPT, ids=[path.name for _, path in KEPT])
def test_what_once_was_a_fault(target: Target, path: Path) -> None:
    target.run(path.read_bytes())


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_broken_inputs_are_read_or_refused(target: Target) -> None:
    chosen = random.Random(250)
    for _ in range(80):
        target.run(target.make(chosen))


def test_a_fault_is_found_told_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(data: bytes) -> None:
        raise ZeroDivisionError(len(data))

    monkeypatch.setattr("fuzz.TARGETS", (Target("reader", ".xml", TARGETS[0].make, faulty),))
    monkeypatch.setattr("fuzz.INPUTS", tmp_path)

    assert main(0.5, 1) == 1
    assert "ZeroDivisionError in test_fuzz.py" in capsys.readouterr().out
    assert len(list(tmp_path.glob("reader-*.xml"))) == 1
