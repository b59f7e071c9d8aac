"""Measuring in the model's process: progress, the end, stopping, and a process that dies."""

from __future__ import annotations

import queue
import threading
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from screen_support import MEASURED

from engine import RegulationsError
from tui.desk import Request
from tui.model_process import STOP, MeasureWanted, ModelProcess
from tui.model_queue import ModelQueue
from tui.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Child:
    """A process that says what a test puts in its mouth."""

    def __init__(self) -> None:
        self.reports: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
        self.sent: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def send(self, request: tuple[Any, ...]) -> bool:
        self.sent.put(request[0])
        return True

    def receive(self) -> tuple[Any, ...] | None:
        return self.reports.get()

    def ended_with(self) -> str:
        return "it ended with code -9"


class Talk:
    """A queue over a child, listened to in a thread."""

    def __init__(self) -> None:
        self.child = Child()
        self.told: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.queue = ModelQueue(self.child, self.told.put, self.told.put, lambda _: None)  # type: ignore[arg-type]
        self.thread = threading.Thread(target=self.queue.listen, daemon=True)
        self.thread.start()

    def ready(self) -> None:
        self.child.reports.put(("ready", "MiniLM"))
        self.told.get(timeout=10)

    def says(self, *report: Any) -> None:
        self.child.reports.put(report)


@pytest.fixture
def talk() -> Iterator[Talk]:
    made = Talk()
    yield made
    made.child.reports.put(None)
    made.thread.join(10)


def measured(talk: Talk, tell: Callable[[int, int], bool]) -> queue.SimpleQueue[Any]:
    """What `measure` gives or raises, in a thread."""
    out: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run() -> None:
        try:
            out.put(talk.queue.measure(tell))
        except RegulationsError as error:
            out.put(str(error))

    threading.Thread(target=run, daemon=True).start()
    return out


def test_progress_is_told_and_the_figures_come_back(talk: Talk) -> None:
    talk.ready()
    heard: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()
    out = measured(talk, lambda done, total: heard.put((done, total)) is None)
    assert talk.child.sent.get(timeout=10) == MeasureWanted(1)
    talk.says("step", 1, 3, 9)
    while heard.get(timeout=10) != (3, 9):
        pass
    talk.queue.put(Request(7, "Bumped", date(2024, 12, 20)))
    assert talk.child.sent.empty()
    talk.says("measured", 1, MEASURED)
    assert out.get(timeout=10) is MEASURED
    assert talk.child.sent.get(timeout=10).number == 7


def test_stopping_is_sent_and_what_still_comes_is_dropped(talk: Talk) -> None:
    talk.ready()
    wanted = threading.Event()
    wanted.set()
    out = measured(talk, lambda *_: wanted.is_set())
    assert talk.child.sent.get(timeout=10) == MeasureWanted(1)
    wanted.clear()
    assert out.get(timeout=10) is None
    assert talk.child.sent.get(timeout=10) == STOP

    talk.says("measured", 1, None)
    wanted.set()
    again = measured(talk, lambda *_: True)
    assert talk.child.sent.get(timeout=10) == MeasureWanted(2)
    talk.says("unmeasured", 2, "The questions cannot be read.")
    assert again.get(timeout=10) == "The questions cannot be read."


def test_it_waits_for_a_question_that_is_under_way_and_can_be_stopped_while_it_does(talk: Talk) -> None:
    talk.ready()
    talk.queue.put(Request(1, "Bumped", date(2024, 12, 20)))
    asked = iter((True, True, False))
    assert talk.queue.measure(lambda *_: next(asked)) is None
    out = measured(talk, lambda *_: True)
    talk.says("card", 1, "a card")
    assert talk.child.sent.get(timeout=10).number == 1
    assert talk.child.sent.get(timeout=10) == MeasureWanted(1)
    talk.says("measured", 1, MEASURED)
    assert out.get(timeout=10) is MEASURED


def test_a_process_that_is_not_ready_or_dies_is_said(talk: Talk) -> None:
    with pytest.raises(RegulationsError, match="not ready"):
        talk.queue.measure(lambda *_: True)
    talk.ready()
    out = measured(talk, lambda *_: True)
    talk.child.sent.get(timeout=10)
    talk.child.reports.put(None)
    assert out.get(timeout=10) == "The model process is gone. Keywords go on."


@pytest.mark.models
@pytest.mark.slow
def test_a_real_child_measures_stops_and_answers_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("sentence_transformers")
    data: Path = tmp_path_factory.mktemp("data")
    child = ModelProcess(Options(data=data))
    child.start()
    told: queue.SimpleQueue[Any] = queue.SimpleQueue()
    made = ModelQueue(child, told.put, told.put, lambda _: None)
    thread = threading.Thread(target=made.listen, daemon=True)
    thread.start()
    while not made.ready:
        assert told.get(timeout=240).state != "failed"
    steps = iter((True, True, True, False))
    assert made.measure(lambda done, _: done == 0 or next(steps)) is None
    made.put(Request(1, "Bumped, and 90 minutes late. What is owed?", date(2024, 12, 20)))
    while getattr(answered := told.get(timeout=60), "number", 0) != 1:
        pass
    assert answered.card.method == "rerank"
    child.stop()
    thread.join(10)
