"""A model server's address, taken apart so strictly that no two readers can differ about its host."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from engine.errors import UsageError
from engine.safe import one_line

_NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*")
_PATH: Final = re.compile(r"(/[A-Za-z0-9._~%+:-]+)*")
_PORTS: Final = {"http": 80, "https": 443}
_HINT: Final = "Set chat_url to the server's base address, such as http://localhost:11434/v1."


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server's interface begins."""

    scheme: str
    """`http` or `https`."""
    host: str
    """Lower-case name, IPv4 or IPv6 address; no brackets, no final dot."""
    port: int
    path: str
    """Such as `/v1`, without a final slash; may be empty."""

    @property
    def named(self) -> str:
        """Host and port for people: `localhost:11434`, `api.example.com`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def endpoint(self) -> str:
        """The address that questions are sent to."""
        return f"{self.scheme}://{self.named}{self.path}/chat/completions"

    @property
    def loopback(self) -> bool:
        """Whether the host's own text says that it is this computer; no name is looked up."""
        if self.host == "localhost":
            return True
        address = _as_ip(self.host)
        # An IPv6 address that holds an IPv4 one is read differently by different systems.
        return address == IPv6Address("::1") or (isinstance(address, IPv4Address) and address.is_loopback)


def parse_address(url: str) -> Address:
    """Take a base address apart.

    Raises:
        UsageError: it is empty or no plain http(s) address: it holds a user, a query, blanks, or a name
            with letters beyond ASCII.

    """
    text = url.strip()
    if not text:
        raise UsageError("There is no model server: chat_url is not set.", _HINT)
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        raise _refused(text) from None
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    plain = text.isascii() and text.isprintable() and not set(text) & set(" \\@?#")
    known = _NAME.fullmatch(host) or _as_ip(host)
    if parts.scheme not in _PORTS or not plain or not known or port == 0 or not _PATH.fullmatch(path):
        raise _refused(text)
    return Address(parts.scheme, host, port or _PORTS[parts.scheme], path)


def _refused(text: str) -> UsageError:
    # What stands before an @ may be a password, and what follows a ? or # a key.
    shown = one_line(re.split(r"[?#]", text.rpartition("@")[2], maxsplit=1)[0])[:80]
    return UsageError(f"chat_url is no plain http or https address: {shown}.", _HINT)


def _as_ip(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return None if "%" in host else ip_address(host)
    except ValueError:
        return None
