"""A live model behind the screen: asked in a thread, with what one of the engines found, once a question."""

from __future__ import annotations

import os
import threading
from functools import partial
from typing import TYPE_CHECKING

import engine
from engine import RegulationsError
from tui.messages import Answered, AskFailed, Staged
from tui.stages import Telling, heard

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.message import Message

    from engine import AnswerCard, ChatAnswerer, Engine
    from tui.desk import Request
    from tui.messages import By


class LiveModel:
    """Waits for the search that a request awaits, then asks the server; any thread may call it."""

    def __init__(self, data: Path, tell: Callable[[Message], None]) -> None:
        """Prepare; nothing is sent before `found`."""
        self._data = data
        self._tell = tell
        self._waiting: dict[int, tuple[Request, By]] = {}
        self._found: dict[int, AnswerCard] = {}
        self._lock = threading.Lock()
        self._ending: dict[int, Callable[[], None]] = {}
        """How to end each request that is under way."""
        self._answerer: ChatAnswerer | None = None
        self.engine: Engine | None = None
        """What checks the answers."""

    def expect(self, request: Request, by: By) -> None:
        """Ask about `request` as soon as the engine `by` has searched for it."""
        with self._lock:
            self._waiting[request.number] = (request, by)

    def found(self, number: int, by: By, card: AnswerCard) -> None:
        """Take a search's card: the one that is awaited begins the request."""
        with self._lock:
            request, wanted = self._waiting.get(number, (None, by))
            if request is None:
                return
            self._found[number] = card
            if wanted == by:
                self._begin(request)

    def without_meaning(self, number: int | None = None) -> None:
        """Meaning will not come, for one request or for all: go on with what keywords found."""
        with self._lock:
            for one, (request, by) in list(self._waiting.items()):
                if by == "meaning" and number in {None, one}:
                    self._waiting[one] = (request, "keywords")
                    if one in self._found:
                        self._begin(request)

    def abandon(self, number: int) -> None:
        """Give a request up: one that waits is never sent, one under way is ended."""
        with self._lock:
            self._waiting.pop(number, None)
            self._found.pop(number, None)
            end = self._ending.pop(number, None)
        if end is not None:
            end()

    def close(self) -> None:
        """Give everything up."""
        for number in [*self._waiting, *self._ending]:
            self.abandon(number)

    def _stage(self, number: int, text: str) -> None:
        self._tell(Staged(number, text))

    def _begin(self, request: Request) -> None:
        card = self._found.pop(request.number)
        del self._waiting[request.number]
        self._ending[request.number] = lambda: None
        # A daemon: a server that is slow must not hold up quitting.
        threading.Thread(target=self._ask, args=(request, card), daemon=True, name="live").start()

    def _ask(self, request: Request, card: AnswerCard) -> None:
        number = request.number
        try:
            assert self.engine is not None
            # Kept: it learns which parameters the server takes. One request is under way at a time.
            answerer = self._answerer or engine.live_answerer(self._data, os.environ)
            with self._lock:
                self._answerer = answerer
                if number not in self._ending:
                    return
                self._ending[number] = answerer.cancel
            tell = partial(self._stage, number)
            tell(f"asking {request.server}")
            with heard(request.server, tell):
                made = self.engine.ask_again(card, Telling(answerer, tell))
            message: Message = Answered(number, "live", made)
        except RegulationsError as error:
            message = AskFailed(number, "live", str(error))
        except Exception as error:  # noqa: BLE001 - a plug-in's fault becomes a card
            message = AskFailed(number, "live", f"The request failed: {type(error).__name__}.")
        with self._lock:
            self._ending.pop(number, None)
        self._tell(message)
