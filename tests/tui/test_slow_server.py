"""The whole way to a slow model server on this computer: stages, seconds, the reply, and cancelling."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from screen_support import DAY, Copied, ask, call, press, settle, shown, use

from tui.app import RegulationsApp
from tui.engine_worker import LiveEngines
from tui.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from textual.pilot import Pilot

BUMPED = "Bumped from a full domestic flight, planned arrival 90 minutes late. How much is owed?"
PATIENCE = 60
"""Seconds that a step may take on a busy machine."""


class Slow(ThreadingHTTPServer):
    """Is busy at first, then waits with the head of its reply and once more with the rest of it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = 0
        self.passage = ""
        self.head, self.rest, self.gone = threading.Event(), threading.Event(), threading.Event()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: Any) -> None:
        """The other side may hang up."""
        self.gone.set()

    def reply(self) -> bytes:
        claim = {"text": "At most $775 is owed.", "passages": [self.passage]}
        said = json.dumps({"status": "answered", "reason": None, "claims": [claim]})
        message = {"role": "assistant", "content": said}
        choice = {"message": message, "finish_reason": "stop"}
        return json.dumps({"model": "slow-1", "choices": [choice]}).encode()


class Handler(BaseHTTPRequestHandler):
    server: Slow

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.asked += 1
        if self.server.asked == 1:
            self.send_response(503)
            self.send_header("retry-after", "1")
            self.send_header("content-length", "0")
            self.end_headers()
            return
        self.server.head.wait(PATIENCE)
        body = self.server.reply()
        with suppress(OSError):
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:10])
            self.server.rest.wait(PATIENCE)
            self.wfile.write(body[10:])

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Slow]:
    made = Slow()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.head.set()
    made.rest.set()
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def app(server: Slow, tmp_path: Path) -> RegulationsApp:
    settings = f'chat_url = "http://{server.host}/v1"\nchat_model = "slow"\n'
    (tmp_path / "settings.toml").write_text(settings, "utf-8")
    return RegulationsApp(LiveEngines(Options(data=tmp_path, no_models=True)), copier=Copied())


async def until(pilot: Pilot[int], words: str, selector: str = ".status") -> str:
    """Wait for words in a part of the screen, and give all of it back on one line."""
    for _ in range(PATIENCE * 20):
        await pilot.pause(0.05)
        text = " ".join(shown(pilot, selector).split())
        if words in text:
            return text
    raise AssertionError(f"{words!r} is not in {text!r}")


async def chosen(pilot: Pilot[int], done: Callable[[], bool]) -> None:
    """Wait for the engine, then choose the live model."""
    for _ in range(PATIENCE * 20):
        await pilot.pause(0.05)
        if done():
            break
    while not call(pilot).answerer.server:
        await press(pilot, "f9")


def test_each_stage_is_shown_and_the_quoted_answer_stands_until_the_reply(
    app: RegulationsApp, server: Slow
) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        screen = call(pilot)
        await chosen(pilot, lambda: len(screen.choices) > 1)
        await ask(pilot, BUMPED, DAY.isoformat())
        assert "by quote" in await until(pilot, "answered 503; it is asked again in 1 s.")
        entry = screen.desk.newest
        assert entry is not None
        assert entry.card is not None
        server.passage = entry.card.sources[0].chunk.id
        waiting = await until(pilot, " s Esc cancels; until then the quoted answer stands")
        assert "by quote" in waiting
        assert "$775" in shown(pilot, "#answers .claim")
        server.head.set()
        await until(pilot, f"… reading the reply of {server.host}")
        server.rest.set()
        await until(pilot, "by chat (slow-1)")
        await settle(pilot)
        assert "Esc cancels" not in shown(pilot, ".status")
        assert "At most $775 is owed." in shown(pilot, ".claim")
        assert len(screen.desk) == 1

    use(app, steps)
    assert server.asked == 2


def test_escape_ends_the_request_and_the_quoted_answer_stays(app: RegulationsApp, server: Slow) -> None:
    server.asked = 1

    async def steps(pilot: Pilot[int]) -> None:
        screen = call(pilot)
        await chosen(pilot, lambda: len(screen.choices) > 1)
        await ask(pilot, BUMPED, DAY.isoformat())
        await until(pilot, f"… asking {server.host}, ")
        await press(pilot, "escape")
        assert "Cancelled." in await until(pilot, "Cancelled.")
        server.head.set()
        server.rest.set()
        await pilot.pause(0.3)
        entry = screen.desk.newest
        assert entry is not None
        assert entry.card is not None
        assert (entry.state, entry.card.answerer) == ("cancelled", "quote")

    use(app, steps)
