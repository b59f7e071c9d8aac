"""Requests to the publisher, one at a time: paced, bounded in time and size, tried again where it may help.

httpx is imported at the first request: it takes time that no other command should pay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Self

from engine import __version__
from engine.errors import UsageError
from engine.refresh import faults
from engine.refresh.address import base_of
from engine.refresh.waiting import INTERVAL, MAX_WAIT, Clock, Pace, asked_wait
from engine.safe import one_line

if TYPE_CHECKING:
    from types import TracebackType

    import httpx

    from engine.answerers.chat_address import Address
    from engine.errors import PublisherError
    from engine.refresh.address import Query

XML: Final = frozenset({"application/xml", "text/xml"})
JSON: Final = frozenset({"application/json"})
MAX_XML: Final = 64 * 1024 * 1024
"""Bytes of a part's text: what the reader reads."""
MAX_JSON: Final = 8 * 1024 * 1024
"""Bytes of a list; a page of 1000 rows has a third of a megabyte."""
_TRANSIENT: Final = frozenset({429, 500, 502, 503, 504})
"""Statuses that another try may change."""
_AGENT: Final = f"regulations-assistant/{__version__} (refresh; one request every {INTERVAL:g} s)"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often; every time in seconds."""

    connect: float = 10.0
    silence: float = 60.0
    """The longest time without a byte."""
    whole: float = 300.0
    """For one answer from the request to its last byte."""
    attempts: int = 4
    """Requests for one file."""
    pause: float = 2.0
    """Before the second attempt; it doubles with each further one."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A file as the publisher gave it."""

    url: str
    data: bytes


@dataclass(frozen=True, slots=True)
class _Reply:
    """An answer of any status."""

    url: str
    status: int
    headers: httpx.Headers
    data: bytes


@dataclass(frozen=True, slots=True)
class _Failure:
    """No answer, and whether another attempt may bring one."""

    error: PublisherError
    again: bool = True


class _TooSlowError(Exception):
    """An answer that drips on beyond its time."""


@dataclass
class Wire:
    """A connection to one publisher; a context manager, so that it is closed."""

    address: Address
    clock: Clock = field(default_factory=Clock)
    limits: Limits = field(default_factory=Limits)
    requests: int = 0
    """How many were sent."""
    _answered: bool = False
    _pace: Pace = field(init=False)
    _client: httpx.Client = field(init=False)

    def __enter__(self) -> Self:
        """Prepare the connection; nothing is sent yet.

        Raises:
            UsageError: the environment's proxy or certificates cannot be used.

        """
        import httpx  # noqa: PLC0415

        self._pace = Pace(self.clock)
        try:
            self._client = httpx.Client(
                timeout=httpx.Timeout(self.limits.silence, connect=self.limits.connect),
                follow_redirects=False,
                # A proxy of the environment has no business with this computer's own server.
                trust_env=not self.address.loopback,
                # Unpacked, an answer could be a thousand times what was sent.
                headers={"user-agent": _AGENT, "accept-encoding": "identity"},
            )
        except (ImportError, ValueError, OSError) as error:
            # Its own words may hold a proxy's password.
            raise UsageError(
                f"The environment's proxy or certificates cannot be used ({type(error).__name__}).",
                "Check HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.",
            ) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self._client.close()

    @property
    def host(self) -> str:
        """Host and port, for people."""
        return self.address.named

    def get(self, path: str, query: Query, what: str, *, media: frozenset[str]) -> Arrived:
        """Fetch one file.

        Args:
            path: below the base address.
            query: the parameters.
            what: the file's name for messages, such as `the text of part 250 on 2021-04-13`.
            media: the types that it may be of, `XML` or `JSON`.

        Raises:
            PublisherError: the server cannot be reached, or does not give it after every attempt.
            SnapshotError: what it gives is empty, too large, packed or of another type.

        """
        reply = self._persistent(path, query, what, limit=MAX_XML if media is XML else MAX_JSON)
        if reply.status != HTTPStatus.OK:
            location = reply.headers.get("location", "")
            raise faults.of_status(self.host, what, reply.status, reply.data, location)
        packing = reply.headers.get("content-encoding", "identity")
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().casefold()
        if packing.casefold() != "identity":
            raise faults.refused(what, f"came packed ({one_line(packing)[:40]}), which was not asked for")
        if kind not in media:
            named = one_line(kind)[:80] or "no type"
            raise faults.refused(what, f"came as {named}, not as {' or '.join(sorted(media))}")
        if not reply.data.strip():
            raise faults.refused(what, "came empty")
        return Arrived(reply.url, reply.data)

    def _persistent(self, path: str, query: Query, what: str, *, limit: int) -> _Reply:
        """Send a request as often as it may help, and give back the last answer."""
        attempt, pause = 1, self.limits.pause
        while True:
            outcome = self._attempt(path, query, what, limit=limit)
            last = attempt >= self.limits.attempts
            wait = pause
            if isinstance(outcome, _Reply):
                self._answered = True
                if last or outcome.status not in _TRANSIENT:
                    return outcome
                wait = self._asked(outcome, pause)
            elif last or not outcome.again:
                raise outcome.error
            self.clock.sleep(wait)
            attempt, pause = attempt + 1, pause * 2

    def _attempt(self, path: str, query: Query, what: str, *, limit: int) -> _Reply | _Failure:
        import httpx  # noqa: PLC0415

        try:
            return self._once(path, query, what, limit=limit)
        except (_TooSlowError, httpx.TimeoutException):
            return _Failure(faults.slow(self.host, self.limits.whole))
        except httpx.ConnectError as error:
            # Where nothing has ever answered, waiting would only delay the message.
            return _Failure(faults.unreachable(self.host, error), again=self._answered)
        except httpx.HTTPError:
            return _Failure(faults.broken(self.host))

    def _asked(self, reply: _Reply, pause: float) -> float:
        """Seconds before the next attempt: what the server asks for, if that can be waited."""
        headers = reply.headers
        asked = asked_wait(headers.get("retry-after", ""), headers.get("date", ""), self.clock.now())
        if asked is not None and asked > MAX_WAIT:
            raise faults.wants_time(self.host, reply.status, asked)
        return pause if asked is None else asked

    def _once(self, path: str, query: Query, what: str, *, limit: int) -> _Reply:
        self._pace.wait()
        self.requests += 1
        begun = self.clock.monotonic()
        kept = bytearray()
        url = f"{base_of(self.address)}{path}"
        with self._client.stream("GET", url, params=list(query)) as response:
            for piece in response.iter_raw():
                kept += piece
                if len(kept) > limit:
                    raise faults.too_large(what, limit)
                if self.clock.monotonic() - begun > self.limits.whole:
                    raise _TooSlowError
            return _Reply(str(response.url), response.status_code, response.headers, bytes(kept))
