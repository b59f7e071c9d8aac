"""A publisher on this computer, a clock that never waits, and a folder that must stay as it is."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

# With pytest's importlib mode a test cannot import its neighbour; the support module is meant to be.
sys.path.insert(0, str(Path(__file__).parent))

from fake_ecfr import QUESTION, SHIPPED, FakeEcfr, Serving

from engine.opening import open_engine
from engine.refresh.address import api_address
from engine.refresh.run import Outcome, refresh
from engine.refresh.session import Tools
from engine.refresh.target import Named, choose
from engine.refresh.waiting import Clock
from engine.refresh.wire import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.refresh.report import Report


@dataclass
class FakeClock:
    """Time that passes only when somebody sleeps."""

    at: float = 1000.0
    slept: list[float] = field(default_factory=list)
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.at, self.sleep, lambda: self.now)


@dataclass
class Held:
    """A copy of the shipped collection and what lies beside it, in a folder of one's own."""

    parent: Path
    folder: Path
    data: Path

    def state(self) -> dict[str, bytes]:
        """Every file of the collection and beside it, hidden ones left out."""
        paths = [path for path in self.parent.rglob("*") if path.is_file()]
        relative = {path.relative_to(self.parent): path for path in paths}
        return {
            name.as_posix(): path.read_bytes()
            for name, path in relative.items()
            if not name.parts[0].startswith(".")
        }

    def answer(self, day: str, question: str = "") -> str:
        """What the engine says of a bumped passenger on a day, from this collection."""
        asked = question or QUESTION
        engine = open_engine(self.parent, self.data, models=False)
        return engine.ask(asked, datetime.fromisoformat(day).date()).answer


@pytest.fixture
def ecfr() -> FakeEcfr:
    return FakeEcfr()


@pytest.fixture
def url(ecfr: FakeEcfr) -> Iterator[str]:
    with Serving(ecfr) as serving:
        yield serving.url


@pytest.fixture
def held(tmp_path: Path) -> Held:
    parent = tmp_path / "regulations"
    shutil.copytree(SHIPPED.parent, parent)
    return Held(parent, parent / SHIPPED.name, tmp_path / "data")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def tools(url: str, clock: FakeClock, told: list[str]) -> Tools:
    return Tools(
        address=api_address(url, {}, ""),
        progress=lambda *_: None,
        tell=told.append,
        recordings=(SHIPPED.parents[1] / "recordings",),
        clock=clock.clock,
        limits=Limits(connect=2.0, silence=0.3, whole=60.0),
    )


class Refresh:
    """Refreshes the held collection and keeps the report."""

    def __init__(self, held: Held, tools: Tools) -> None:
        self.held = held
        self.tools = tools
        self.reports: list[Report] = []

    @property
    def named(self) -> Named:
        return Named(self.held.parent, self.held.data)

    def __call__(
        self, *, yes: bool = True, tools: Tools | None = None, named: Named | None = None
    ) -> Outcome:
        def decide(report: Report) -> bool:
            self.reports.append(report)
            return yes

        return refresh(choose(named or self.named), tools or self.tools, decide)


@pytest.fixture
def run(held: Held, tools: Tools) -> Refresh:
    return Refresh(held, tools)


@pytest.fixture
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run compares nothing: what it would show is not what the test is about."""
    monkeypatch.setattr("engine.refresh.session.make_report", lambda *_, **__: SimpleNamespace())


@pytest.fixture
def untouched(held: Held) -> Callable[[], None]:
    """Call it after a fault: nothing of the collection differs, and the engine answers from it."""
    before = held.state()

    def check() -> None:
        assert held.state() == before
        assert "$1,075" in held.answer("2026-10-01")

    return check
