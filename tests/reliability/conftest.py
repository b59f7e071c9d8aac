"""A data folder with a built index, and copies of it that a test may spoil."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# With pytest's importlib mode a test cannot import its neighbour; these modules are meant to be.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tui")]

from faultkit import INDEX, SHIPPED  # noqa: E402 - found through the line above

from engine.opening import open_engine  # noqa: E402

settings.register_profile("regulations", deadline=None, derandomize=True)
settings.load_profile("regulations")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an index of keywords; nothing writes to it."""
    folder = tmp_path_factory.mktemp("built")
    open_engine(data=folder, models=False)
    return folder


@pytest.fixture
def data(built: Path, tmp_path: Path) -> Path:
    """A data folder of the test's own, with the index built."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    shutil.copy(built / INDEX, folder)
    return folder


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A copy of the shipped collection inside a folder of its own."""
    folder = tmp_path / "regulations"
    shutil.copytree(SHIPPED, folder)
    return folder / "us-14-cfr"
