"""The engines behind the screen: keywords in a thread at once, meaning in a process when it is loaded.

No method blocks, none touches a widget; what happens comes back as messages.
"""

from __future__ import annotations

import contextlib
import gc
import queue
import sys
import threading
from typing import TYPE_CHECKING, Protocol

from engine import RegulationsError, data_folder
from tui.live_model import LiveModel
from tui.messages import (
    Answered,
    AnswerersFound,
    AskFailed,
    EngineFailed,
    EngineOpened,
    Meaning,
    MeaningChanged,
)
from tui.model_process import ModelProcess
from tui.model_queue import ModelQueue

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.message import Message

    from engine import AnswerCard, Engine, Measured
    from tui.desk import Request
    from tui.options import Options


_RARELY = 2_000
"""New objects between two looks of the garbage collector at the young ones; Python's own number is 700."""


class EngineWorker(Protocol):
    """What the screen knows of the engines; tests put an instantaneous one in its place."""

    @property
    def with_meaning(self) -> bool:
        """Whether a second, better answer is to be expected for each question."""
        ...

    @property
    def meaning_ready(self) -> bool:
        """Whether the engine that searches by meaning can be measured now."""
        ...

    def measure(self, tell: Callable[[int, int], bool]) -> Measured | None:
        """Measure that engine; blocks until it is done or `tell`, told how far it is, gives False.

        Raises:
            RegulationsError: it is not there, or fails.

        """
        ...

    def start(self, tell: Callable[[Message], object]) -> None:
        """Begin to open the engines; `tell` may be called from any thread, until `close`."""
        ...

    def ask(self, request: Request) -> None:
        """Ask every engine that is there or coming; each reports once."""
        ...

    def abandon(self, number: int) -> None:
        """Forget a request; what has not begun never begins, and a live model's is ended."""
        ...

    def agree(self) -> None:
        """Keep the user's yes to the server of the settings; what can be chosen is told again."""
        ...

    def close(self) -> None:
        """Stop telling and end everything, without waiting for work under way."""
        ...


class LiveEngines:
    """The real engines over a snapshot."""

    def __init__(self, options: Options) -> None:
        """Prepare for the given folders; `start_process` and `start` begin the work."""
        self._options = options
        self._tell: Callable[[Message], object] = lambda _: None
        self._abandoned: set[int] = set()
        self._jobs: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._data = data_folder(options.data)
        self._live = LiveModel(self._data, self.tell)
        self._closed = False
        self._model: ModelQueue | None = None
        if not options.no_models:
            found, missing = self.answered, self._live.without_meaning
            self._model = ModelQueue(ModelProcess(options), self.tell, found, missing)

    @property
    def with_meaning(self) -> bool:
        """Whether the model engine is loading or ready."""
        return self._model is not None and self._model.alive

    @property
    def meaning_ready(self) -> bool:
        """Whether the model engine can be measured now."""
        return self._model is not None and self._model.ready

    def measure(self, tell: Callable[[int, int], bool]) -> Measured | None:
        """Measure the model engine in its process."""
        if self._model is None:
            raise RegulationsError("The program was started without models.", "Leave out --no-models.")
        return self._model.measure(tell)

    def start_process(self) -> None:
        """Start the model process; call it before the app takes the terminal."""
        if self._model is not None:
            self._model.process.start()

    def start(self, tell: Callable[[Message], object]) -> None:
        """Open the keyword engine in a thread and listen to the process in another."""
        self._tell = tell
        # The keyword thread hands the interpreter back after 1 ms instead of 5, so that keys echo.
        sys.setswitchinterval(0.001)
        # Looking through all objects of a drawn screen takes 70 ms: not after every second question.
        gc.set_threshold(_RARELY, 10, 50)
        # Daemon threads: one that is busy must not hold up quitting.
        threading.Thread(target=self._keywords, daemon=True, name="keywords").start()
        if self._model is None:
            self.tell(MeaningChanged(Meaning.OFF))
        else:
            self.tell(MeaningChanged(Meaning.LOADING))
            threading.Thread(target=self._model.listen, daemon=True, name="meaning").start()

    def ask(self, request: Request) -> None:
        """Ask both engines; a live model is asked once, with what the better one of them finds."""
        if request.server:
            ready = self._model is not None and self._model.ready
            self._live.expect(request, "meaning" if ready else "keywords")
        self._jobs.put(request)
        if self._model is not None:
            self._model.put(request)

    def abandon(self, number: int) -> None:
        """Forget a request."""
        self._abandoned.add(number)
        self._live.abandon(number)
        if self._model is not None:
            self._model.drop(number)

    def agree(self) -> None:
        """Keep the yes before anything else is told, so that the next request finds it."""
        from engine import agree  # noqa: PLC0415 - the first screen does not wait for it

        try:
            agree(self._data)
        except RegulationsError as error:
            self.tell(AnswerersFound((), str(error)))
        else:
            self._tell_answerers()

    def close(self) -> None:
        """End the threads and the process."""
        self._closed = True
        self._jobs.put(None)
        self._live.close()
        if self._model is not None:
            self._model.process.stop()

    def tell(self, message: Message) -> None:
        """Pass a message on, unless nobody listens any more."""
        if not self._closed:
            # The app's loop may close between the look and the call.
            with contextlib.suppress(RuntimeError):
                self._tell(message)

    def answered(self, message: Answered) -> None:
        """Pass a card on, and to the live model if it waits for it."""
        self.tell(message)
        self._live.found(message.number, message.by, message.card)

    def _tell_answerers(self) -> None:
        from engine import choices  # noqa: PLC0415 - the first screen does not wait for it

        try:
            self.tell(AnswerersFound(choices(self._data)))
        except RegulationsError as error:
            self.tell(AnswerersFound((), str(error)))

    def _keywords(self) -> None:
        # Imported here: the first screen does not wait for what searches.
        from engine import open_engine  # noqa: PLC0415

        options = self._options
        try:
            engine = open_engine(
                options.regulations, options.data, collection=options.collection, models=False
            )
        except RegulationsError as error:
            self.tell(EngineFailed(str(error)))
            return
        except Exception as error:  # noqa: BLE001 - the screen says it instead of a silent thread
            self.tell(EngineFailed(f"The texts could not be opened: {type(error).__name__}: {error}"))
            return
        self._live.engine = engine
        # The texts stay: the garbage collector need not look at them again.
        gc.freeze()
        self.tell(EngineOpened(engine))
        self._tell_answerers()
        while (request := self._jobs.get()) is not None:
            if request.number not in self._abandoned:
                self._ask_keywords(engine, request)

    def _ask_keywords(self, engine: Engine, request: Request) -> None:
        number = request.number
        try:
            card = answer(engine, request, self._data)
        except RegulationsError as error:
            self.tell(AskFailed(number, "keywords", str(error)))
        except Exception as error:  # noqa: BLE001 - the screen says it instead of a silent thread
            self.tell(AskFailed(number, "keywords", f"The engine failed: {type(error).__name__}."))
        else:
            self.answered(Answered(number, "keywords", card))


def answer(engine: Engine, request: Request, data: Path) -> AnswerCard:
    """Ask an engine; for a live model it quotes what it finds, and nothing is sent."""
    from engine import recorded_answerer  # noqa: PLC0415 - the first screen does not wait for it

    answerer = recorded_answerer(request.answerer, data)
    return engine.ask(
        request.question,
        request.as_of,
        answerer=answerer,
        date_filter=request.date_filter,
        facts=dict(request.facts),
    )
