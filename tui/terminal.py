"""The terminal as it is: it may go away, send bytes that are no text, or tell the program to end."""

from __future__ import annotations

import asyncio
import contextlib
import select
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.driver import Driver

LOOK_EVERY = 2.0
"""Seconds between two looks whether the terminal is still there."""
ENDED_BY = 128
"""Added to a signal's number: the exit code of a program that the signal ended."""


def gone() -> bool:
    """Whether the terminal of standard input has hung up; never where a system cannot tell."""
    if not hasattr(select, "poll"):
        return False
    looking = select.poll()
    try:
        looking.register(sys.__stdin__.fileno() if sys.__stdin__ else 0, 0)
        return any(event & (select.POLLHUP | select.POLLNVAL) for _, event in looking.poll(0))
    except (OSError, ValueError):
        return True


def heed_signals(end: Callable[[int], None]) -> None:
    """Call `end` with an exit code at Ctrl+C from outside or a polite kill; call it in the app's loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers, and a thread that is not the main one may set none.
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, end, ENDED_BY + number)


def forgiving(driver: type[Driver]) -> type[Driver]:
    """A driver that passes over typed bytes that are not UTF-8 instead of ending the program."""
    reads = getattr(driver, "run_input_thread", None)
    if reads is None:
        return driver

    def run_input_thread(self: Driver) -> None:
        while True:
            try:
                reads(self)
            except UnicodeDecodeError:
                continue
            except OSError:
                # The terminal is gone; the app's own look finds that out.
                return
            return

    return type(driver.__name__, (driver,), {"run_input_thread": run_input_thread})
