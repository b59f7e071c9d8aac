"""The shipped texts with a built index and the real models, shared by all benchmarks."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from benchkit.house import House
from benchkit.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    made = House(tmp_path_factory.mktemp("data"))
    assert made.index.vectors
    return made


@pytest.fixture(scope="session")
def questions() -> Path:
    return CHECKOUT / "questions"


@pytest.fixture(scope="session")
def tables() -> Iterator[Tables]:
    made = Tables(CHECKOUT / "docs")
    yield made
    if os.environ.get("BENCH_WRITE") == "1":
        made.write()
