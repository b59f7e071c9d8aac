"""What can go wrong between here and the publisher, in plain words that say what to do.

Nothing that fails here has touched a snapshot, and each message says so where a user could wonder.
"""

from __future__ import annotations

import json
import ssl
from socket import gaierror
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from engine.errors import PublisherError, SnapshotError
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

UNTOUCHED: Final = "The snapshot is as it was."
LATER: Final = (
    f"{UNTOUCHED} Run the same command again later: what has arrived is kept and not fetched twice."
)
_EXCERPT: Final = 200
"""Characters of a server's own words that are shown."""
_NOT_FOUND, _BAD, _BUSY = 404, 400, 429


def unreachable(host: str, error: BaseException) -> PublisherError:
    """No connection: an unknown name, no trust, or nothing that listens."""
    causes = list(_chain(error))
    if any(isinstance(cause, gaierror) for cause in causes):
        what = f"The name {host} is not known: there is no network, or the address is wrong."
    elif any(isinstance(cause, ssl.SSLError) for cause in causes):
        what = (
            f"There is no safe connection to {host}: its certificate is not trusted, or it speaks no https."
        )
    else:
        what = f"Nothing answers at {host}."
    return PublisherError(what, f"Check the network connection and --api. {LATER}")


def slow(host: str, seconds: float) -> PublisherError:
    """No whole answer in time, after every attempt."""
    return PublisherError(f"{host} did not finish an answer within {seconds:g} seconds.", LATER)


def broken(host: str) -> PublisherError:
    """A connection that was made and did not carry a whole answer, after every attempt."""
    return PublisherError(f"{host} broke the connection off, or speaks no HTTP.", LATER)


def wants_time(host: str, status: int, seconds: float) -> PublisherError:
    """A server that asks for a longer wait than anybody sits through."""
    return PublisherError(
        f"{host} answered {status} and asks to be left alone for {seconds:.0f} seconds.", LATER
    )


def too_large(what: str, limit: int) -> SnapshotError:
    """More than the largest file that is read."""
    return refused(what, f"is larger than {limit // 1_000_000} MB; the rest was not read")


def of_status(host: str, what: str, status: int, body: bytes, location: str) -> PublisherError:
    """The error for a status that is not 200."""
    if 300 <= status < 400:  # noqa: PLR2004 - the redirects
        target = one_line(_host_of(location))[:_EXCERPT] or "another address"
        return PublisherError(
            f"{host} sends on to {target} ({status}); that is not followed.",
            f"{UNTOUCHED} Check --api, or open the address in a browser: the publisher may want to know "
            "that you are no robot.",
        )
    said = complaint(body)
    because = f"({status}): {said}." if said else f"({status})."
    if status == _NOT_FOUND:
        return PublisherError(
            f"{host} has no {what} {because}",
            f"{UNTOUCHED} Check the title and the part; if they are right, run it again another day.",
        )
    if status == _BAD:
        return PublisherError(f"{host} refused to give {what} {because}", f"{UNTOUCHED} Check --api.")
    if status == _BUSY or status >= 500:  # noqa: PLR2004 - the server's own faults
        return PublisherError(f"{host} cannot give {what} now {because}", LATER)
    return PublisherError(f"{host} does not give {what} {because}", f"{UNTOUCHED} Check --api.")


def importing(host: str) -> PublisherError:
    """The publisher is at work on its texts."""
    return PublisherError(
        f"{host} is bringing in new texts at this moment; what it gives now may not fit together.", LATER
    )


def moved_on(host: str) -> PublisherError:
    """The publisher's texts changed between the first request and the last."""
    return PublisherError(
        f"{host} brought in new texts while these were fetched.",
        f"{UNTOUCHED} Run the same command again: it begins anew.",
    )


def refused(what: str, why: str) -> SnapshotError:
    """Something arrived and is not what it should be."""
    return SnapshotError(
        f"{what} {why}.",
        f"{UNTOUCHED} Run the same command again; if it is refused again, the publisher's files are "
        "not fit to be used today.",
    )


def disagreeing(problems: tuple[str, ...]) -> SnapshotError:
    """The publisher's list and its texts do not fit together, or not with what is held."""
    shown = " ".join(f"{one_line(problem)}." for problem in problems[:5])
    more = f" And {len(problems) - 5} more." if len(problems) > 5 else ""  # noqa: PLR2004
    return SnapshotError(
        f"The publisher's list and the texts do not agree. {shown}{more}",
        f"{UNTOUCHED} Where a rebuilt copy is named, compare the held files with the publisher's first: "
        "`regulations-assistant snapshot verify --upstream`. --allow-disagreement takes them all the same.",
    )


def complaint(body: bytes) -> str:
    """A server's own words about an error, on one safe line; empty for a web page."""
    text = body[:10_000].decode("utf-8", "replace")
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        return ""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        table = None
    if isinstance(table, dict):
        said = (table.get(key) for key in ("error", "errors", "message"))
        text = next((words for words in said if isinstance(words, str)), "")
    line = one_line(text)
    return (line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…").removesuffix(".")


def _host_of(location: str) -> str:
    try:
        return urlsplit(location).hostname or ""
    except ValueError:
        return ""


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
