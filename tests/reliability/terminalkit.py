"""The app on a terminal of its own, as a test sees and types it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING

from faultkit import PATIENCE, program, start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

READY = b"What happened?"
"""Stands on the first screen."""


class Screen:
    """The app on a terminal of its own, in a session of its own."""

    def __init__(self, data: Path, *, models: bool = False, deaf: bool = False) -> None:
        import fcntl  # noqa: PLC0415 - POSIX alone has these
        import pty  # noqa: PLC0415
        import termios  # noqa: PLC0415

        self.near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

        def take_terminal() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            if deaf:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)

        self.process = start(
            program(data=data, models=models), stdin=far, stdout=far, stderr=far, preexec_fn=take_terminal,
            env={"TERM": "xterm-256color"},
        )  # fmt: skip
        os.close(far)
        self.seen = b""

    def until(self, shown: bytes) -> None:
        """Read what is drawn until something stands there."""
        end = time.monotonic() + PATIENCE
        while shown not in self.seen:
            assert time.monotonic() < end, self.seen[-2000:]
            assert self.process.poll() is None, self.seen[-2000:]
            self.read(0.1)

    def read(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.near], [], [], left)[0]:
                try:
                    self.seen += os.read(self.near, 65536)
                except OSError:
                    return

    def type(self, keys: bytes) -> None:
        os.write(self.near, keys)

    def hang_up(self) -> None:
        os.close(self.near)
        self.near = -1

    def ended(self) -> int:
        """The exit code; what is drawn meanwhile is read, so that nothing waits for that."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, "it goes on"
            if self.near >= 0:
                self.read(0.1)
            else:
                time.sleep(0.05)
        if self.near >= 0:
            self.read(0.3)
        return self.process.returncode

    def family(self) -> list[int]:
        """Every living process of the app's session: children too, and children that lost their parent."""
        found = []
        for entry in os.listdir("/proc"):  # noqa: PTH208 - names, not paths
            with contextlib.suppress(OSError, ValueError):
                after = Path(f"/proc/{int(entry)}/stat").read_bytes().rpartition(b") ")[2].split()
                if int(after[3]) == self.process.pid and after[0] != b"Z":
                    found.append(int(entry))
        return found

    def deserted(self) -> bool:
        """Whether nobody of the session is left, after a moment."""
        end = time.monotonic() + 20
        while self.family() and time.monotonic() < end:
            time.sleep(0.1)
        return not self.family()


@contextlib.contextmanager
def screens_of_a_test() -> Iterator[Callable[..., Screen]]:
    """Make screens that are gone afterwards, with everything that they started."""
    made: list[Screen] = []

    def make(*args: object, **options: object) -> Screen:
        made.append(Screen(*args, **options))  # type: ignore[arg-type]
        return made[-1]

    try:
        yield make
    finally:
        for one in made:
            for number in one.family():
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
            one.process.wait()
            if one.near >= 0:
                os.close(one.near)
