"""A live model behind the screen: asked once, with the search that was awaited, and never after Esc."""

from __future__ import annotations

import queue
import threading
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from screen_support import card

import engine
from engine import RegulationsError
from tui.desk import Request
from tui.live_model import LiveModel
from tui.messages import Answered, AskFailed, Staged

if TYPE_CHECKING:
    from pathlib import Path

REQUEST = Request(1, "Bumped", date(2024, 12, 20), answerer="chat", server="localhost:1")


class Server:
    """Plays answerer and engine: waits when it is told to, fails when it is given an error."""

    name = "chat"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.error: Exception | None = None
        self.release = threading.Event()
        self.release.set()
        self.cancelled = threading.Event()

    def cancel(self) -> None:
        self.cancelled.set()
        self.release.set()

    def ask_again(self, found: Any, _answerer: Any) -> Any:
        self.asked.append(found.method)
        self.release.wait(10)
        if self.error is not None:
            raise self.error
        return replace(found, answerer="chat")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server()
    monkeypatch.setattr(engine, "live_answerer", lambda *_: made, raising=False)
    return made


@pytest.fixture
def told() -> queue.SimpleQueue[Any]:
    return queue.SimpleQueue()


@pytest.fixture
def live(server: Server, told: queue.SimpleQueue[Any], tmp_path: Path) -> LiveModel:
    made = LiveModel(tmp_path, told.put)
    made.engine = server  # type: ignore[assignment]
    return made


def test_it_is_asked_once_with_the_search_that_it_waits_for(
    live: LiveModel, server: Server, told: queue.SimpleQueue[Any]
) -> None:
    live.expect(REQUEST, "meaning")
    live.found(1, "keywords", card())
    assert told.empty()
    live.found(1, "meaning", card(method="rerank"))

    staged, answered = told.get(timeout=10), told.get(timeout=10)
    assert isinstance(staged, Staged)
    assert staged.text == "asking localhost:1"
    assert isinstance(answered, Answered)
    assert (answered.by, answered.card.answerer, server.asked) == ("live", "chat", ["rerank"])
    live.found(1, "keywords", card())
    assert told.empty()


@pytest.mark.parametrize("number", [1, None])
def test_when_meaning_does_not_come_keywords_will_do(
    live: LiveModel, server: Server, told: queue.SimpleQueue[Any], number: int | None
) -> None:
    live.expect(REQUEST, "meaning")
    live.found(1, "keywords", card())
    live.without_meaning(number)

    assert isinstance(told.get(timeout=10), Staged)
    assert isinstance(told.get(timeout=10), Answered)
    assert server.asked == ["bm25"]


def test_what_is_given_up_while_it_waits_is_never_sent(
    live: LiveModel, server: Server, told: queue.SimpleQueue[Any]
) -> None:
    live.expect(REQUEST, "keywords")
    live.abandon(1)
    live.found(1, "keywords", card())

    assert (server.asked, told.empty()) == ([], True)


def test_what_is_under_way_is_cancelled(
    live: LiveModel, server: Server, told: queue.SimpleQueue[Any]
) -> None:
    server.release.clear()
    live.expect(REQUEST, "keywords")
    live.found(1, "keywords", card())
    told.get(timeout=10)
    live.close()

    assert server.cancelled.wait(10)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RegulationsError("Nothing answers.", "Start it."), "Nothing answers. Start it."),
        (ValueError("secret"), "The request failed: ValueError."),
    ],
)
def test_a_fault_is_told_with_what_to_do(
    live: LiveModel, server: Server, told: queue.SimpleQueue[Any], error: Exception, said: str
) -> None:
    server.error = error
    live.expect(REQUEST, "keywords")
    live.found(1, "keywords", card())

    assert isinstance(told.get(timeout=10), Staged)
    failed = told.get(timeout=10)
    assert isinstance(failed, AskFailed)
    assert (failed.by, failed.text) == ("live", said)
