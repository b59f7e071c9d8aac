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

from engine import RegulationsError
from tui.messages import Answered, AskFailed, EngineFailed, EngineOpened, Meaning, MeaningChanged
from tui.model_process import ModelProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.message import Message

    from tui.desk import Request
    from tui.messages import By
    from tui.options import Options

ANSWERERS = ("quote",)
"""What can give answers; the first one is used unless another is chosen."""


class EngineWorker(Protocol):
    """What the screen knows of the engines; tests put an instantaneous one in its place."""

    @property
    def with_meaning(self) -> bool:
        """Whether a second, better answer is to be expected for each question."""
        ...

    @property
    def answerers(self) -> tuple[str, ...]:
        """What can give answers, the default first."""
        ...

    def start(self, tell: Callable[[Message], object]) -> None:
        """Begin to open the engines; `tell` may be called from any thread, until `close`."""
        ...

    def ask(self, request: Request) -> None:
        """Ask every engine that is there or coming; each reports once."""
        ...

    def abandon(self, number: int) -> None:
        """Forget a request; what has not begun never begins."""
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
        self._closed = False

    @property
    def with_meaning(self) -> bool:
        """Whether the model engine is loading or ready."""
        return self._model is not None and self._model.alive

    @property
    def answerers(self) -> tuple[str, ...]:
        """What can give answers."""
        return ANSWERERS

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
        """Ask both engines."""
        self._jobs.put(request)
        if self._model is not None:
            self._model.put(request)

    def abandon(self, number: int) -> None:
        """Forget a request."""
        self._abandoned.add(number)
        if self._model is not None:
            self._model.drop(number)

    def close(self) -> None:
        """End the thread and the process."""
        self._closed = True
        self._jobs.put(None)
        if self._model is not None:
            self._model.process.stop()

    def tell(self, message: Message) -> None:
        """Pass a message on, unless nobody listens any more."""
        if not self._closed:
            # The app's loop may close between the look and the call.
            with contextlib.suppress(RuntimeError):
                self._tell(message)

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
        self.tell(EngineOpened(engine))
        while (request := self._jobs.get()) is not None:
            if request.number in self._abandoned:
                continue
            self.tell(
                _asked(
                    request,
                    lambda r: engine.ask(r.question, r.as_of, date_filter=r.date_filter),
                )
            )


def _asked(request: Request, ask: Callable[..., object]) -> Message:
    by: By = "keywords"
    try:
        card = ask(request)
    except RegulationsError as error:
        return AskFailed(request.number, by, str(error))
    except Exception as error:  # noqa: BLE001 - an error of one question must not end the thread
        return AskFailed(request.number, by, f"The engine failed: {type(error).__name__}: {error}")
    return Answered(request.number, by, card)  # type: ignore[arg-type]


class _ModelQueue:
    """Requests that wait for the model process, the newest first, one under way at a time."""

    def __init__(self, process: ModelProcess, owner: LiveEngines) -> None:
        self.process = process
        self.alive = True
        self._owner = owner
        self._lock = threading.Lock()
        self._waiting: deque[Request] = deque(maxlen=20)
        self._busy = True  # until it says that it is ready

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
            if message is not None:
                self._owner.tell(message)
        with self._lock:
            failed_before, self.alive = not self.alive, False
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
        self.process.send((request.number, request.question, request.as_of, request.date_filter))
