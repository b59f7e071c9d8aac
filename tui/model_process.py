"""The engine that searches by meaning, in a process of its own.

Importing and running a model holds Python's interpreter lock for hundreds of milliseconds at a time;
in the app's process keys would stutter. The numbers are in docs/tui-decisions.md.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from engine import RegulationsError, data_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from pathlib import Path

    from engine import Engine, Measured
    from tui.options import Options

LOG_FILE = "model.log"
"""In the data folder: what model libraries print. It is begun anew at each start."""
_PATIENCE = 1.0
"""Seconds that an ended process may take to go."""


@dataclass(frozen=True, slots=True)
class MeasureWanted:
    """Sent to the child in place of a question."""

    run: int
    """Stands in every report of this measurement."""


STOP = "stop"
"""Sent to the child to end a measurement; beside one it means nothing."""


class ModelProcess:
    """The parent's end: starts the child, sends one request at a time, reads what comes back."""

    def __init__(self, options: Options) -> None:
        """Prepare; nothing runs before `start`."""
        self._options = options
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._sending = threading.Lock()

    def start(self) -> None:
        """Start the child. Call it before the app takes the terminal: it needs real streams."""
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        log = data_folder(self._options.data) / LOG_FILE
        process = context.Process(target=serve, args=(theirs, self._options, log), daemon=True, name="model")
        with _silenced(log):
            process.start()
        theirs.close()
        self._process = process

    def send(self, request: tuple[Any, ...]) -> bool:
        """Send one request; False when the child is gone."""
        try:
            if self._pipe is None:
                return False
            with self._sending:
                self._pipe.send(request)
        except (OSError, ValueError):
            return False
        return True

    def receive(self) -> tuple[Any, ...] | None:
        """Wait for the next report; None when the child is gone."""
        try:
            return None if self._pipe is None else self._pipe.recv()
        except (EOFError, OSError, TypeError):
            return None

    def ended_with(self) -> str:
        """How the child ended, for people."""
        if self._process is None:
            return "it was not started"
        self._process.join(_PATIENCE)
        return f"it ended with code {self._process.exitcode}"

    def stop(self) -> None:
        """End the child without waiting for what it is doing."""
        process = self._process
        if process is None or not process.is_alive():
            return
        process.terminate()
        process.join(_PATIENCE)
        if process.is_alive():
            process.kill()


def serve(pipe: Connection, options: Options, log: Path) -> None:
    """The child: open the engine with models, then answer until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _redirect(log)
    _step_aside()
    os.environ.setdefault("TQDM_DISABLE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    # The parent may go at any moment; then there is nobody to tell.
    with contextlib.suppress(EOFError, OSError):
        _serve(pipe, options)


def _serve(pipe: Connection, options: Options) -> None:
    # Imported here: the parent imports this module before it draws the first screen.
    from engine import open_engine  # noqa: PLC0415
    from tui.engine_worker import answer  # noqa: PLC0415 - in the child process alone

    try:
        engine = open_engine(
            options.regulations,
            options.data,
            collection=options.collection,
            progress=lambda stage, done, total: pipe.send(("progress", stage, done, total)),
        )
    except RegulationsError as error:
        pipe.send(("failed", str(error)))
        return
    if not engine.has_models:
        pipe.send(("failed", " ".join(notice.text for notice in engine.notices) or "No model was loaded."))
        return
    pipe.send(("ready", engine.settings.model))
    while True:
        (request,) = pipe.recv()
        if isinstance(request, MeasureWanted):
            _reply(pipe, "measured", "unmeasured", request.run, partial(_measure, pipe, engine, request.run))
        elif request != STOP:
            ask = partial(answer, engine, request, data_folder(options.data))
            _reply(pipe, "card", "refused", request.number, ask)


def _reply(pipe: Connection, done: str, failed: str, number: int, work: Callable[[], object]) -> None:
    """Send what comes of some work, or why nothing does."""
    try:
        made = work()
    except RegulationsError as error:
        pipe.send((failed, number, str(error)))
    except Exception as error:  # noqa: BLE001 - the screen says it; the log holds the rest
        _log_fault(error)
        pipe.send((failed, number, f"The model engine failed: {type(error).__name__}."))
    else:
        pipe.send((done, number, made))


def _measure(pipe: Connection, engine: Engine, run: int) -> Measured | None:
    """Measure; whatever is sent meanwhile ends it, since only the word to stop is."""
    from engine import measure  # noqa: PLC0415 - in the child process alone

    def tell(done: int, total: int) -> bool:
        pipe.send(("step", run, done, total))
        if not pipe.poll():
            return True
        pipe.recv()
        return False

    return measure(engine, tell)


def _log_fault(error: BaseException) -> None:
    """Say where a fault is, for the log: its own words may be the caller's."""
    places = traceback.extract_tb(error.__traceback__)
    lines = [f"  {place.filename}:{place.lineno} in {place.name}" for place in places]
    print(f"fault: {type(error).__name__}", *lines, sep="\n", file=sys.stderr, flush=True)  # noqa: T201


def _step_aside() -> None:
    """Leave a core to the screen, and let it go first: a model's idle threads spin for milliseconds."""
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 2) - 1)))
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(5)


@contextlib.contextmanager
def _silenced(log: Path) -> Iterator[None]:
    """Point the real stdout and stderr at the log for a moment, so that a child is born with them."""
    kept: list[tuple[int, int]] = []
    try:
        kept.extend((number, os.dup(number)) for number in (1, 2))
        _redirect(log, mode="w")
        yield
    except OSError:
        yield
    finally:
        for number, copy in kept:
            os.dup2(copy, number)
            os.close(copy)


def _redirect(log: Path, mode: str = "a") -> None:
    """Send file descriptors 1 and 2 into the log, or nowhere when it cannot be written."""
    try:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = open(log, mode, opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
    except OSError:
        file = open(os.devnull, "w")  # noqa: PTH123, SIM115 - the next line closes it
    with file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
