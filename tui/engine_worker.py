"""The engines behind the screen: keywords in a thread at once, meaning in a process when it is loaded.

No method blocks, none touches a widget; what happens comes back as messages.
"""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
from collections import deque
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

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.message import Message

    from engine import AnswerCard, Engine
    from tui.desk import Request
    from tui.options import Options


class EngineWorker(Protocol):
    """What the screen knows of the engines; tests put an instantaneous one in its place."""

    @property
    def with_meaning(self) -> bool:
        """Whether a second, better answer is to be expected for each question."""
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
        self._model = _ModelQueue(ModelProcess(options), self) if not options.no_models else None
        self._data = data_folder(options.data)
        self._live = LiveModel(self._data, self.tell)
        self._closed = False

    @property
    def with_meaning(self) -> bool:
        """Whether the model engine is loading or ready."""
        return self._model is not None and self._model.alive

    def start_process(self) -> None:
        """Start the model process; call it before the app takes the terminal."""
        if self._model is not None:
            self._model.process.start()

    def start(self, tell: Callable[[Message], object]) -> None:
        """Open the keyword engine in a thread and listen to the process in another."""
        self._tell = tell
        # The keyword thread hands the interpreter back after 1 ms instead of 5, so that keys echo.
        sys.setswitchinterval(0.001)
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

    def without_meaning(self, number: int | None = None) -> None:
        """The live model need not wait for meaning, for one request or for any."""
        self._live.without_meaning(number)

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
            self.tell(AskFailed(number, "keywords", f"The engine failed: {type(error).__name__}: {error}"))
        else:
            self.answered(Answered(number, "keywords", card))


def answer(engine: Engine, request: Request, data: Path) -> AnswerCard:
    """Ask an engine; for a live model it quotes what it finds, and nothing is sent."""
    from engine import recorded_answerer  # noqa: PLC0415 - the first screen does not wait for it

    answerer = recorded_answerer(request.answerer, data)
    return engine.ask(request.question, request.as_of, answerer=answerer, date_filter=request.date_filter)


class _ModelQueue:
    """Requests that wait for the model process, the newest first, one under way at a time."""

    def __init__(self, process: ModelProcess, owner: LiveEngines) -> None:
        self.process = process
        self.alive = True
        self._owner = owner
        self._lock = threading.Lock()
        self._waiting: deque[Request] = deque(maxlen=20)
        self._busy = True  # until it says that it is ready
        self.ready = False
        """Whether it has loaded and has not ended."""

    def put(self, request: Request) -> None:
        with self._lock:
            if self.alive:
                self._waiting.append(request)
        self._next()

    def drop(self, number: int) -> None:
        with self._lock:
            self._waiting = deque((r for r in self._waiting if r.number != number), maxlen=20)

    def listen(self) -> None:
        """Turn the child's reports into messages until it ends."""
        while (report := self.process.receive()) is not None:
            message = self._message(report)
            if isinstance(message, Answered):
                self._owner.answered(message)
            elif message is not None:
                self._owner.tell(message)
            if isinstance(message, AskFailed):
                self._owner.without_meaning(message.number)
        with self._lock:
            failed_before, self.alive, self.ready = not self.alive, False, False
        self._owner.without_meaning()
        if not failed_before:
            why = f"The model process is gone: {self.process.ended_with()}. Keywords go on."
            self._owner.tell(MeaningChanged(Meaning.FAILED, why))

    def _message(self, report: tuple[object, ...]) -> Message | None:
        match report:
            case ("progress", str(stage), int(done), int(total)):
                return MeaningChanged(Meaning.LOADING, f"{stage} {done}/{total}")
            case ("failed", str(why)):
                self.alive = False
                return MeaningChanged(Meaning.FAILED, why)
            case ("ready", str(model)):
                self.ready = True
                self._free()
                return MeaningChanged(Meaning.READY, model)
            case ("refused", int(number), str(why)):
                self._free()
                return AskFailed(number, "meaning", why)
            case ("card", int(number), card):
                self._free()
                return Answered(number, "meaning", card)  # type: ignore[arg-type]
        return None

    def _free(self) -> None:
        with self._lock:
            self._busy = False
        self._next()

    def _next(self) -> None:
        with self._lock:
            if self._busy or not self._waiting:
                return
            self._busy = True
            request = self._waiting.pop()
        # One at a time: a child that computes does not read, and a full pipe would block the screen.
        self.process.send((request,))
