"""How far a request to a live model is, as its own thread tells it; the engine need not know who listens.

The engine's client logs what it does beside the plain way (a second try, a narrower request), and httpx logs
when the head of a reply is in. Both become stages here; other threads' lines are let alone.
"""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import ChatAnswerer

_CLIENT = "engine.answerers"
_HTTP = "httpx"


class Telling:
    """An answerer that tells when its answer is in, so that what follows is a stage of its own."""

    def __init__(self, inner: ChatAnswerer, tell: Callable[[str], None]) -> None:
        """Ask `inner`."""
        self.name = inner.name
        self._inner = inner
        self._tell = tell

    def answer(self, question: Any, context: Any) -> Any:
        """Ask, and say that the answer is in."""
        made = self._inner.answer(question, context)
        self._tell("checking the claims against the passages")
        return made


@contextmanager
def heard(server: str, tell: Callable[[str], None]) -> Iterator[None]:
    """Tell of the stages that this thread logs meanwhile; the name of the server is put into the words."""
    ear = _Ear(server, tell)
    client, http = logging.getLogger(_CLIENT), logging.getLogger(_HTTP)
    level = http.level
    http.setLevel(logging.INFO)
    client.addHandler(ear)
    http.addHandler(ear)
    try:
        yield
    finally:
        http.setLevel(level)
        client.removeHandler(ear)
        http.removeHandler(ear)


class _Ear(logging.Handler):
    def __init__(self, server: str, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._server = server
        self._tell = tell
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Tell the stage that a line of the log stands for; lines of other threads are not ours."""
        if record.thread != self._thread:
            return
        if record.name == _HTTP:
            # Its words hold the address: only that it spoke matters.
            self._tell(f"reading the reply of {self._server}")
        elif record.levelno >= logging.WARNING:
            self._tell(record.getMessage())
