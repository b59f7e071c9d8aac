"""Fixtures for every test of the screen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# With pytest's importlib mode a test cannot import its neighbour; the support module is meant to be.
sys.path.insert(0, str(Path(__file__).parent))

from screen_support import Copied, FakeWorker

from tui.app import RegulationsApp


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    # Files are only ever written below the test's own folder.
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def worker() -> FakeWorker:
    return FakeWorker()


@pytest.fixture
def copied() -> Copied:
    return Copied()


@pytest.fixture
def app(worker: FakeWorker, copied: Copied) -> RegulationsApp:
    made = RegulationsApp(worker, copier=copied)
    made.animation_level = "none"
    return made
