"""The publisher's API: its address, and the paths of what is asked of it.

The paths follow the eCFR's own description of its versioner service (OpenAPI).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.answerers.chat_address import Address, parse_address
from engine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

ECFR_API: Final = "https://www.ecfr.gov"
"""The base address of the eCFR's API, which needs no key."""
VARIABLE: Final = "REGULATIONS_ASSISTANT_ECFR_API"
"""The variable of the environment that names another."""
TITLES: Final = "/api/versioner/v1/titles.json"
"""The path of the list of titles with their up-to-date days."""

Query = tuple[tuple[str, str], ...]
"""Parameters of a request, in order."""


def api_address(option: str | None, environment: Mapping[str, str], setting: str) -> Address:
    """The base address to use: the option's, the environment's, the settings' or the eCFR's, in this order.

    Raises:
        UsageError: it is no plain http(s) address, or http to another computer.

    """
    named = (
        (option or "", "--api"),
        (environment.get(VARIABLE, ""), VARIABLE),
        (setting, "the setting refresh_api"),
    )
    url, place = next(((url, place) for url, place in named if url), (ECFR_API, ""))
    try:
        address = parse_address(url)
    except UsageError:
        # The address itself is not shown: what stands in it may be a password.
        raise UsageError(
            f"The address given by {place} is no plain http or https address.",
            f"Give the base address alone, such as {ECFR_API}, without user, query or path of a file.",
        ) from None
    if address.scheme == "http" and not address.loopback:
        raise UsageError(
            f"{address.named} would be spoken to by http, where anybody on the way can alter a text.",
            "Give its https address.",
        )
    return address


def base_of(address: Address) -> str:
    """The base address as text, without a final slash."""
    return f"{address.scheme}://{address.named}{address.path}"


def versions_path(title: str) -> str:
    """The path of a title's list of section versions."""
    return f"/api/versioner/v1/versions/title-{title}.json"


def versions_query(part: str, until: date, page: int) -> Query:
    """The parameters for one page of a part's list, as it stood on the issue day `until`.

    The description wants at least one issue date; the first page is not numbered, as it is in the
    address that people copy.
    """
    query = (("issue_date[lte]", until.isoformat()), ("part", part))
    return query if page == 1 else (*query, ("page", str(page)))


def copy_path(title: str, day: date) -> str:
    """The path of a title's text on a day."""
    return f"/api/versioner/v1/full/{day.isoformat()}/title-{title}.xml"
