"""Real processes of the program, stopped, starved and watched; everything stays in a test's own folder."""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "regulations"
INDEX = "us-14-cfr.sqlite3"
QUESTION = "I was bumped from a full domestic flight and arrived 90 minutes late. What was owed?"
ASK = ("ask", QUESTION, "--as-of", "2022-06-10")
AMOUNT = "$775"
"""What the answer to `ASK` has to hold, whatever went wrong around it."""
LINUX = sys.platform.startswith("linux")
NOT_LINUX = "Linux alone offers what this test needs"
NOT_POSIX = "no such signals or rights on this system"
PATIENCE = 60.0
"""Seconds that anything here may take on a busy machine."""

_PAUSED = """
import importlib, sys, time
place, call, *words = sys.argv[1:]
module, _, name = place.rpartition(":")
owner = importlib.import_module(module)
*path, last = name.split(".")
for one in path:
    owner = getattr(owner, one)
original, calls = getattr(owner, last), []

def paused(*args, **kwargs):
    calls.append(1)
    if len(calls) == int(call):
        print("here", file=sys.stderr, flush=True)
        time.sleep(120)
    return original(*args, **kwargs)

setattr(owner, last, paused)
from tui.__main__ import main
sys.exit(main(words))
"""


@dataclass(frozen=True)
class Done:
    """How a process ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def clean(self) -> bool:
        """Whether nothing of Python's own complaints came out."""
        both = self.out + self.err
        return not any(word in both for word in ("Traceback", "Exception ignored", "has a fault"))


def program(*words: str | Path, data: Path, models: bool = False) -> list[str]:
    bare = [] if models else ["--no-models"]
    return [sys.executable, "-m", "tui", *map(str, words), *bare, "--data", str(data)]


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment, **{**given, **options})


def run(*words: str | Path, data: Path, models: bool = False, **options: Any) -> Done:
    """Run the program to its end."""
    given = options.pop("given", None)
    if given is not None:
        options["stdin"] = subprocess.PIPE
    process = start(program(*words, data=data, models=models), **options)
    out, err = process.communicate(given.encode() if given is not None else None, timeout=PATIENCE)
    return Done(process.returncode, (out or b"").decode(), (err or b"").decode())


def paused(place: str, *words: str | Path, data: Path, call: int = 1) -> subprocess.Popen[bytes]:
    """Start the program and let it stop in the given call of `module:name`; it sleeps there."""
    rest = program(*words, data=data)[3:]
    process = start([sys.executable, "-c", _PAUSED, place, str(call), *rest])
    assert process.stderr is not None
    said = b""
    for line in process.stderr:
        said += line
        if line == b"here\n":
            return process
    raise AssertionError(f"it never came to {place}: {said.decode()}")


def end(process: subprocess.Popen[bytes], number: int) -> Done:
    """Send a signal and wait for the end."""
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    return Done(process.returncode, out.decode(), err.decode())


def killed(process: subprocess.Popen[bytes]) -> None:
    assert end(process, signal.SIGKILL).code == -signal.SIGKILL


def without_privileges() -> None:
    """Let the rights of files hold for this process although it is root's; call it before an exec."""
    drop_from_bounding_set, override, search = 24, 1, 2
    libc = ctypes.CDLL(None)
    for right in (override, search):
        libc.prctl(drop_from_bounding_set, right, 0, 0, 0)


def run_here(*words: str | Path, data: Path) -> Done:
    """Run the program in this process: far quicker, where no process has to end."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*map(str, words), "--no-models", "--data", str(data)])
    return Done(code, out.getvalue(), err.getvalue())


def answers(done: Done) -> bool:
    """Whether the process answered `ASK` as it always does."""
    return done.code == 0 and AMOUNT in done.out and done.clean


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but the table of cities, which comes when a question first needs it."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in found
        if not path.name.startswith("cities-")
    }


def raising(error: BaseException) -> Callable[..., Any]:
    def step(*_: object, **__: object) -> None:
        raise error

    return step
