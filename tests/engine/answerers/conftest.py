"""A model server on this computer that does what its script says, faults included."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from engine.answerers.chat import ChatAnswerer, ChatConfig
from engine.answerers.chat_address import parse_address
from engine.context import build
from engine.model import Hit, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.model import Answer, Chunk, Context

    Step = Callable[["Handler"], None]


@dataclass(frozen=True)
class Request:
    """What the server was sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Handler(BaseHTTPRequestHandler):
    """Notes each request and takes the script's next step."""

    server: Listening

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length))
        scripted = self.server.scripted
        headers = {name.lower(): value for name, value in self.headers.items()}
        scripted.requests.append(Request(self.path, headers, body))
        step = scripted.steps.pop(0)
        scripted.reached.set()
        with suppress(OSError):  # the other side may have gone
            step(self)

    def send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


class Listening(ThreadingHTTPServer):
    scripted: ScriptedServer


@dataclass
class ScriptedServer:
    """The steps to come and the requests so far."""

    port: int
    steps: list[Step] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    reached: threading.Event = field(default_factory=threading.Event)
    """Set when a request has come in."""
    over: threading.Event = field(default_factory=threading.Event)
    """Ends every step that waits."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def says(self, *contents: object, **more: Any) -> None:
        """Complete with each content in turn; `more` replaces parts of the envelope."""
        for content in contents:
            message = {"role": "assistant", "content": content, **more.get("message", {})}
            choice = {"index": 0, "message": message, "finish_reason": more.get("finish", "stop")}
            envelope = {
                "model": "small-1",
                "choices": [choice],
                "usage": {"prompt_tokens": 100, "completion_tokens": 20},
            }
            self.replies(200, envelope | more.get("envelope", {}))

    def replies(self, status: int, body: object = "", headers: dict[str, str] | None = None) -> None:
        """Send a status with a body: bytes and str as they are, anything else as JSON."""
        given = body if isinstance(body, str | bytes) else json.dumps(body)
        data = given.encode() if isinstance(given, str) else given
        self.steps.append(lambda handler: handler.send(status, data, headers or {}))

    def writes(self, data: bytes) -> None:
        """Send bytes in place of a response, and hang up."""
        self.steps.append(lambda handler: handler.wfile.write(data) and None)

    def drips(self, head: bytes) -> None:
        """Begin a response and go on with one byte at a time for as long as anybody listens."""

        def step(handler: Handler) -> None:
            handler.wfile.write(head)
            while not self.over.wait(0.02):
                handler.wfile.write(b"x")

        self.steps.append(step)

    def hangs(self) -> None:
        """Say nothing."""
        self.steps.append(lambda _: self.over.wait(30) and None)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    listening = Listening(("127.0.0.1", 0), Handler)
    scripted = listening.scripted = ScriptedServer(listening.server_address[1])
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield scripted
    scripted.over.set()
    listening.shutdown()
    listening.server_close()
    thread.join()
    assert not scripted.steps


QUESTION = Question("I was bumped and rebooked 90 minutes late. What is owed?", date(2022, 6, 10))


@pytest.fixture
def question() -> Question:
    return QUESTION


@pytest.fixture(scope="session")
def context(chunks: tuple[Chunk, ...]) -> Context:
    """The passages of § 250.5 in force on the question's day; § 250.1 says what the part covers."""
    there = [chunk for chunk in chunks if chunk.version.in_force(QUESTION.as_of)]
    found = [chunk for chunk in there if chunk.section == "250.5"]
    scope = [chunk for chunk in there if chunk.section == "250.2"]
    hits = [Hit(rank, 1 / rank, chunk, in_force=True) for rank, chunk in enumerate(found, 1)]
    return build(hits, [Hit(9, 0.0, chunk, in_force=True) for chunk in scope], top=5)


@pytest.fixture
def good(context: Context) -> str:
    """An answer that can be used."""
    claim = {"text": "At least 200% of the fare or $775, whichever is lower.", "passages": [context.ids[0]]}
    return json.dumps({"status": "answered", "reason": None, "claims": [claim]})


KEY = "sk-do-not-show-me"


@pytest.fixture
def answerer_of(server: ScriptedServer) -> Callable[..., ChatAnswerer]:
    """Makes an answerer for the scripted server; what is named replaces parts of its configuration."""

    def make(*, closed_book: bool = False, **changes: Any) -> ChatAnswerer:
        config = ChatConfig(parse_address(server.url), "small-1", key=KEY, timeout=10, pause=0.0)
        return ChatAnswerer(replace(config, **changes), closed_book=closed_book)

    return make


@pytest.fixture
def ask(
    answerer_of: Callable[..., ChatAnswerer], question: Question, context: Context
) -> Callable[..., Answer]:
    """Asks the question of such an answerer."""
    return lambda **changes: answerer_of(**changes).answer(question, context)
