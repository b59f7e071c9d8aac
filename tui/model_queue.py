"""What waits for the model process: one thing under way at a time, the newest question first."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from engine import RegulationsError
from tui.messages import Answered, AskFailed, Meaning, MeaningChanged
from tui.model_process import STOP, MeasureWanted

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.message import Message

    from engine import Measured
    from tui.desk import Request
    from tui.model_process import ModelProcess

_WAITING = 20
"""Questions that wait; the oldest go first."""
_LOOK = 0.1
"""Seconds between two looks whether a measurement is still wanted."""
_Report = tuple[object, ...]


class ModelQueue:
    """The parent's side of the conversation; any thread may call it."""

    def __init__(
        self,
        process: ModelProcess,
        tell: Callable[[Message], None],
        answered: Callable[[Answered], None],
        missing: Callable[[int | None], None],
    ) -> None:
        """Talk to a process.

        Args:
            process: started by whoever owns it.
            tell: hears of everything but cards.
            answered: hears of cards.
            missing: hears that no card comes, for a request's number or for any.

        """
        self.process = process
        self.alive = True
        """Whether it loads or has loaded."""
        self.ready = False
        """Whether it has loaded and has not ended."""
        self._tell, self._answered, self._missing = tell, answered, missing
        self._lock = threading.Lock()
        self._waiting: deque[Request] = deque(maxlen=_WAITING)
        self._busy = True  # until it says that it is ready
        self._run = 0
        self._measuring: queue.SimpleQueue[_Report] = queue.SimpleQueue()

    def put(self, request: Request) -> None:
        """Ask a question, as soon as the process is free."""
        with self._lock:
            if self.alive:
                self._waiting.append(request)
        self._next()

    def drop(self, number: int) -> None:
        """Forget a question that still waits."""
        with self._lock:
            self._waiting = deque((r for r in self._waiting if r.number != number), maxlen=_WAITING)

    def listen(self) -> None:
        """Turn the child's reports into messages until it ends."""
        while (report := self.process.receive()) is not None:
            message = self._message(report)
            if isinstance(message, Answered):
                self._answered(message)
            elif message is not None:
                self._tell(message)
            if isinstance(message, AskFailed):
                self._missing(message.number)
        with self._lock:
            failed_before, self.alive, self.ready = not self.alive, False, False
        self._missing(None)
        if not failed_before:
            why = f"The model process is gone: {self.process.ended_with()}. Keywords go on."
            self._tell(MeaningChanged(Meaning.FAILED, why))

    def measure(self, tell: Callable[[int, int], bool]) -> Measured | None:
        """Have the shipped questions measured; blocks until that is done or `tell` gives False.

        Raises:
            RegulationsError: the process is not ready, or fails.

        """
        while not self._take():
            # A question is under way.
            if not self.ready:
                raise RegulationsError("The model engine is not ready.", "Try again in a moment.")
            if not tell(0, 1):
                return None
            time.sleep(_LOOK)
        self._run += 1
        self._measuring = queue.SimpleQueue()
        self.process.send((MeasureWanted(self._run),))
        return self._measured(self._run, self._measuring, tell)

    def _measured(
        self, run: int, reports: queue.SimpleQueue[_Report], tell: Callable[[int, int], bool]
    ) -> Measured | None:
        done, total = 0, 1
        while tell(done, total):
            try:
                report = reports.get(timeout=_LOOK)
            except queue.Empty:
                if not self.ready:
                    raise RegulationsError("The model process is gone.", "Keywords go on.") from None
                continue
            match report:
                case ("step", int(number), int(at), int(of)) if number == run:
                    done, total = at, of
                case ("measured", int(number), made) if number == run:
                    return made  # type: ignore[return-value]
                case ("unmeasured", int(number), str(why)) if number == run:
                    raise RegulationsError(why)
        self.process.send((STOP,))
        return None

    def _message(self, report: _Report) -> Message | None:
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
            case (("step" | "measured" | "unmeasured") as kind, *_):
                self._measuring.put(report)
                if kind != "step":
                    self._free()
        return None

    def _take(self) -> bool:
        """Have the process for oneself, if it is free."""
        with self._lock:
            if self._busy or not self.ready:
                return False
            self._busy = True
        return True

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
