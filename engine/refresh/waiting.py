"""Time between requests: the pace that is kept, and how long a server asks to be left alone."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL: Final = 1.2
"""Seconds from the start of one request to the start of the next; the publisher states no limit."""
MAX_WAIT: Final = 120.0
"""Seconds of `Retry-After` that are waited; a server that wants more is told of instead."""
_DIGITS: Final = 9
"""Digits of seconds that are read: more would be decades."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from, so that tests need none."""

    monotonic: Callable[[], float] = time.monotonic
    """Seconds that never run backwards."""
    sleep: Callable[[float], None] = time.sleep
    """Waits for so many seconds."""
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    """The present moment, with its zone."""


class Pace:
    """Lets one request through every `interval` seconds."""

    def __init__(self, clock: Clock, interval: float = INTERVAL) -> None:
        """Begin with nothing to wait for."""
        self._clock = clock
        self._interval = interval
        self._free_from = clock.monotonic()

    def wait(self) -> None:
        """Return as soon as a request may start, and count it as started."""
        while (rest := self._free_from - self._clock.monotonic()) > 0:
            self._clock.sleep(rest)
        self._free_from = self._clock.monotonic() + self._interval


def asked_wait(retry_after: str, date_header: str, now: datetime) -> float | None:
    """Seconds that a server asks to wait, never negative; None when it does not say or is not understood.

    Args:
        retry_after: the header `Retry-After`: whole seconds or an HTTP date.
        date_header: the server's own `Date`, which an HTTP date is measured from when it has one: the
            clock of this computer may be wrong.
        now: the present moment here, with its zone.

    """
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:_DIGITS])
    when = _moment(text)
    if when is None:
        return None
    return max((when - (_moment(date_header) or now)).total_seconds(), 0.0)


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, OverflowError):
        return None
    # A date "-0000" has no zone; HTTP's are all of Greenwich.
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
