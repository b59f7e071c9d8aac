"""Consent to send a question to another computer: asked once a host, kept in one small file."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import UsageError
from engine.paths import make_folder, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engine.answerers.chat_address import Address

_log = logging.getLogger(__name__)
_MAX_FILE: Final = 100_000
"""Characters; a larger file was not written by this program."""


@dataclass(frozen=True, slots=True)
class ConsentStore:
    """The hosts that a user said yes to."""

    path: Path

    def given(self, host: str) -> bool:
        """Whether the file holds a yes for `host`; a missing or damaged file holds none."""
        return host in self._hosts()

    def remember(self, host: str) -> None:
        """Keep a yes for `host`; when the file cannot be written, a note says so and nothing fails.

        The file is replaced in one step and is its owner's alone where the system has that.
        """
        text = json.dumps({"hosts": sorted({*self._hosts(), host})}, indent=1)
        try:
            make_folder(self.path.parent)
            write_whole(self.path, text, mode=0o600)
        except OSError as error:
            _log.warning("the consent could not be kept and will be asked for again: %s", error.strerror)

    def _hosts(self) -> frozenset[str]:
        try:
            with self.path.open(encoding="utf-8") as file:
                table = json.loads(file.read(_MAX_FILE))
        except (OSError, ValueError, RecursionError):
            return frozenset()
        hosts = table.get("hosts") if isinstance(table, dict) else None
        return (
            frozenset(host for host in hosts if isinstance(host, str))
            if isinstance(hosts, list)
            else frozenset()
        )


def needed(address: Address, allowed: Sequence[str], store: ConsentStore) -> bool:
    """Whether a user has yet to agree: not for this computer, nor for a host that has a yes."""
    listed = {host.strip().casefold().removesuffix(".") for host in allowed}
    return not (address.loopback or address.host in listed or store.given(address.host))


def wording(address: Address, *, passages: bool = True) -> str:
    """What a user is asked before the first question to a host."""
    what = "the question, the day and the passages found" if passages else "the question and the day"
    return (
        f"{address.host} is not this computer. To answer, {what} are sent to it, with your key if there is "
        "one. Names and bookings are not, unless they stand in the question. "
        f"Send questions to {address.host} from now on?"
    )


def missing(address: Address) -> UsageError:
    """The error for a host without consent where nobody can be asked."""
    return UsageError(
        f"{address.host} is not this computer, and nobody has agreed to send questions to it.",
        f'Ask once on a terminal, or put chat_consent = ["{address.host}"] into the settings: the question, '
        "the day and the passages are then sent there.",
    )


def obtain(
    address: Address, store: ConsentStore, confirm: Callable[[str], bool] | None, *, passages: bool = True
) -> None:
    """Ask for consent and remember a yes.

    Raises:
        UsageError: the answer is no, or there is nobody to ask.

    """
    if confirm is None:
        raise missing(address)
    if not confirm(wording(address, passages=passages)):
        raise UsageError(
            f"Nothing was sent to {address.host}.",
            "Without it: --answerer quote, or a server on this computer.",
        )
    store.remember(address.host)
