"""What went wrong between here and a model server, in plain words that name the host and what to do."""

from __future__ import annotations

import json
import ssl
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from socket import gaierror
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from engine.errors import ServerError
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

MAX_WAIT: Final = 30.0
"""Seconds of Retry-After that are waited; a server that wants more is told of instead."""
_BUSY: Final = frozenset({429, 500, 502, 503, 504})
"""Statuses that one more try may change."""
_EXCERPT: Final = 200
_REDACTED: Final = "[key]"


class RequestCancelledError(ServerError):
    """A running request was ended by the user."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sent back."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


@dataclass(frozen=True, slots=True)
class Faults:
    """Turns the faults of one server into errors that can be shown; the key is in none of them."""

    host: str
    model: str
    key: str
    timeout: float
    """Seconds for one request."""

    def __repr__(self) -> str:
        """Name the host alone."""
        return f"Faults({self.host!r})"

    def cancelled(self) -> RequestCancelledError:
        """The user pressed Esc."""
        return RequestCancelledError(f"The request to {self.host} was cancelled.", "Ask again when you like.")

    def timed_out(self) -> ServerError:
        """No whole answer in time."""
        return ServerError(
            f"{self.host} did not finish its answer within {self.timeout:g} seconds.",
            "Ask again (a first request may have had to load the model), or raise chat_timeout.",
        )

    def unreachable(self, error: BaseException) -> ServerError:
        """No connection: an unknown name, no trust, or nothing that listens."""
        causes = list(_chain(error))
        if any(isinstance(cause, gaierror) for cause in causes):
            return ServerError(
                f"The name {self.host} is not known.", "Check chat_url and the network connection."
            )
        if any(isinstance(cause, ssl.SSLError) for cause in causes):
            return ServerError(
                f"No safe connection to {self.host}: its certificate is not trusted, or it speaks no https.",
                "Check chat_url: a server on this computer usually wants http://.",
            )
        return ServerError(
            f"Nothing answers at {self.host}.",
            "Start the server (`ollama serve`, or llama.cpp's `llama-server -m FILE`), or check chat_url.",
        )

    def broken(self) -> ServerError:
        """A connection that was made and did not carry a whole answer."""
        return ServerError(
            f"{self.host} broke the connection off, or speaks no HTTP.",
            "Ask again; if it happens again, look at the server's own log.",
        )

    def too_large(self, limit: int) -> ServerError:
        """More than any answer needs."""
        return ServerError(
            f"{self.host} sent more than {limit // 1_000_000} MB; the rest was not read.",
            "Check that chat_url names a model server.",
        )

    def not_chat(self, what: str) -> ServerError:
        """A good status with something else than a completion."""
        return ServerError(
            f"{self.host} answered with {what}, not with a chat completion.",
            "Check chat_url; it usually ends in /v1.",
        )

    def said(self, message: str) -> ServerError:
        """An error that the server reports under a good status."""
        return ServerError(
            f"{self.host} reports an error: {self._safe(message)}.", "See the server's own log."
        )

    def of_status(self, reply: Reply) -> ServerError:
        """The error for a status that is not 200."""
        if 300 <= reply.status < 400:  # noqa: PLR2004 - the redirects
            return self._redirected(reply)
        if reply.status in {401, 403}:
            return self._no_entry(reply.status)
        said = self._safe(complaint(reply))
        because = f"({reply.status}): {said}" if said else f"({reply.status})"
        if reply.status == 404:  # noqa: PLR2004
            model = one_line(self.model)[:80]
            return ServerError(
                f"{self.host} has no model {model}, or nothing at this address {because}.",
                "Check chat_model (`ollama list` shows Ollama's) and chat_url, which usually ends in /v1.",
            )
        if reply.status == 429:  # noqa: PLR2004
            wait = asked_wait(reply)
            when = f" for {wait:.0f} seconds" if wait else ""
            return ServerError(
                f"{self.host} takes no more requests{when} {because}.",
                "Wait, or look at the account's limits.",
            )
        if reply.status >= 500:  # noqa: PLR2004
            return ServerError(
                f"{self.host} failed {because}.", "Ask again later, or look at the server's own log."
            )
        return ServerError(
            f"{self.host} refused the request {because}.",
            "If this is about length, give the server a larger context or lower budget in the settings; "
            "else check chat_model.",
        )

    def _no_entry(self, status: int) -> ServerError:
        if not self.key:
            return ServerError(
                f"{self.host} wants a key ({status}).",
                "Put it into the variable REGULATIONS_ASSISTANT_API_KEY.",
            )
        return ServerError(
            f"{self.host} refused the key ({status}).",
            "Check REGULATIONS_ASSISTANT_API_KEY (or chat_key in the settings), and what the key may use.",
        )

    def _redirected(self, reply: Reply) -> ServerError:
        try:
            target = urlsplit(reply.headers.get("location", "")).hostname or ""
        except ValueError:
            target = ""
        where = self._safe(target) or "another address"
        return ServerError(
            f"{self.host} sends on to {where} ({reply.status}); that is not followed.",
            "Put the final address into chat_url if you trust it.",
        )

    def _safe(self, text: str) -> str:
        """The beginning of a server's own words, on one line and without the key."""
        line = one_line(redacted(text, self.key))
        return (line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…").removesuffix(".")


def redacted(text: str, key: str) -> str:
    """The text with the key made unreadable wherever it stands."""
    return text.replace(key, _REDACTED) if key else text


def wait_before_retry(reply: Reply, pause: float) -> float | None:
    """Seconds to wait before the one retry; None when there is to be none."""
    if reply.status not in _BUSY:
        return None
    wait = asked_wait(reply)
    if wait is None:
        return pause
    return wait if wait <= MAX_WAIT else None


def asked_wait(reply: Reply) -> float | None:
    """Seconds that the server asks to wait for, as a number or as a date; None when it does not say."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    when, now = _day_and_time(text), _day_and_time(reply.headers.get("date", ""))
    if when is None or now is None:
        return None
    return max((when - now).total_seconds(), 0.0)


def _day_and_time(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else None


def complaint(reply: Reply) -> str:
    """A server's own words about an error; empty for a page of HTML."""
    text = reply.body[:100_000].decode("utf-8", "replace")
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        return "" if text.lstrip().startswith("<") else text
    return message_of(table) or text


def message_of(table: object) -> str:
    """The words in the forms of error that servers use; empty when there are none."""
    if not isinstance(table, dict):
        return ""
    for key in ("error", "message", "detail"):
        value = table.get(key)
        if isinstance(value, dict):
            value = value.get("message") or json.dumps(value)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
