"""The engines behind the screen: what they tell, and what happens when one of them dies."""

from __future__ import annotations

import queue
import threading
import time
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine import open_engine
from tui.desk import Request
from tui.engine_worker import LiveEngines
from tui.messages import Answered, AskFailed, EngineFailed, EngineOpened, Meaning, MeaningChanged
from tui.model_process import ModelProcess
from tui.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from textual.message import Message

DAY = date(2024, 12, 20)
BUMPED = "I was bumped and arrived 90 minutes late. What am I owed?"


class Heard:
    """Messages in the order in which they came."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def __call__(self, message: Message) -> None:
        self.queue.put(message)

    def next(self, kind: type[Message]) -> Any:
        """The next message of a kind; others are passed over."""
        while True:
            message = self.queue.get(timeout=60)
            if isinstance(message, kind):
                return message


class Child:
    """A model process that says what a test wants it to say."""

    def __init__(self) -> None:
        self.reports: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
        self.sent: list[tuple[Any, ...]] = []
        self.stopped = False

    def start(self) -> None:
        pass

    def send(self, request: tuple[Any, ...]) -> bool:
        self.sent.append(request)
        return True

    def receive(self) -> tuple[Any, ...] | None:
        return self.reports.get()

    def ended_with(self) -> str:
        return "it ended with code -9"

    def stop(self) -> None:
        self.stopped = True
        self.reports.put(None)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    open_engine(data=folder, models=False)
    return folder


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Child:
    made = Child()
    monkeypatch.setattr("tui.engine_worker.ModelProcess", lambda _: made)
    return made


def test_keywords_answer_without_any_model(data: Path) -> None:
    heard, worker = Heard(), LiveEngines(Options(data=data, no_models=True))
    worker.start(heard)

    assert heard.next(MeaningChanged).state is Meaning.OFF
    assert heard.next(EngineOpened).engine.collection.id == "us-14-cfr"
    worker.abandon(1)
    worker.ask(Request(1, BUMPED, DAY))
    worker.ask(Request(2, BUMPED, DAY))
    answered = heard.next(Answered)
    assert (answered.number, answered.by, answered.card.method) == (2, "keywords", "bm25")
    worker.ask(Request(3, "", DAY))
    assert "empty" in heard.next(AskFailed).text
    assert not worker.with_meaning
    worker.close()


def test_texts_that_cannot_be_used_are_said(tmp_path: Path) -> None:
    heard, worker = Heard(), LiveEngines(Options(regulations=tmp_path, data=tmp_path, no_models=True))
    worker.start(heard)

    assert "No collection of regulations" in heard.next(EngineFailed).text
    worker.close()


def test_the_model_gets_one_question_at_a_time_the_newest_first(data: Path, child: Child) -> None:
    heard, worker = Heard(), LiveEngines(Options(data=data))
    worker.start(heard)
    for number in (1, 2, 3):
        worker.ask(Request(number, BUMPED, DAY))
    assert child.sent == []
    worker.abandon(2)

    child.reports.put(("progress", "meaning", 3, 9))
    assert heard.next(MeaningChanged).state is Meaning.LOADING
    assert heard.next(MeaningChanged).detail == "meaning 3/9"
    child.reports.put(("ready", "MiniLM"))
    assert heard.next(MeaningChanged).state is Meaning.READY
    assert [sent[0].number for sent in child.sent] == [3]
    child.reports.put(("card", 3, "a card"))
    while heard.next(Answered).by != "meaning":
        pass
    assert [sent[0].number for sent in child.sent] == [3, 1]
    child.reports.put(("refused", 1, "too long"))
    assert heard.next(AskFailed).text == "too long"
    worker.close()
    assert child.stopped


def test_a_model_process_that_dies_is_said_and_keywords_go_on(data: Path, child: Child) -> None:
    heard, worker = Heard(), LiveEngines(Options(data=data))
    worker.start(heard)
    before = worker.with_meaning
    heard.next(MeaningChanged)
    child.reports.put(None)

    failed = heard.next(MeaningChanged)
    assert failed.state is Meaning.FAILED
    assert failed.detail == "The model process is gone: it ended with code -9. Keywords go on."
    assert (before, worker.with_meaning) == (True, False)
    worker.ask(Request(1, BUMPED, DAY))
    assert heard.next(Answered).by == "keywords"
    worker.close()


def test_a_missing_model_is_said_once(data: Path, child: Child) -> None:
    heard, worker = Heard(), LiveEngines(Options(data=data))
    worker.start(heard)
    heard.next(MeaningChanged)
    child.reports.put(("failed", "Install the models."))
    assert heard.next(MeaningChanged).detail == "Install the models."
    child.reports.put(None)
    worker.ask(Request(1, BUMPED, DAY))
    assert isinstance(heard.queue.get(timeout=60), EngineOpened | Answered)
    worker.close()


def test_nothing_is_told_after_closing(data: Path) -> None:
    heard, worker = Heard(), LiveEngines(Options(data=data, no_models=True))
    worker.start(heard)
    heard.next(EngineOpened)
    worker.close()
    worker.tell(EngineFailed("late"))
    assert heard.queue.empty()


@pytest.mark.slow
def test_a_real_child_that_is_killed_is_noticed_and_prints_nothing(
    data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    child = ModelProcess(Options(data=data))
    child.start()
    assert child._process is not None
    threading.Timer(0.3, child._process.kill).start()
    begun = time.monotonic()
    while (report := child.receive()) is not None:
        assert report[0] in {"progress", "failed", "ready"}
    assert time.monotonic() - begun < 30
    assert "ended with code" in child.ended_with()
    child.stop()
    assert not child.send((1,)) or not child._process.is_alive()
    assert capfd.readouterr() == ("", "")


def test_a_process_that_was_never_started_takes_nothing(tmp_path: Path) -> None:
    child = ModelProcess(Options(data=tmp_path))

    assert (child.send((1,)), child.receive(), child.ended_with()) == (False, None, "it was not started")
    child.stop()
