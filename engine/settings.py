"""The user's settings: one small TOML file in which an unknown key is an error."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from engine.context import BUDGET
from engine.errors import UsageError
from engine.safe import one_line
from engine.search.encoder import CARRIED, ModelSpec
from engine.search.retriever import Method

if TYPE_CHECKING:
    from pathlib import Path

MAX_TOP = 200
_RANGES: Final[dict[str, tuple[float, float]]] = {
    "top": (1, MAX_TOP),
    "budget": (500, 1_000_000),
    "chat_timeout": (1, 3600),
    "chat_max_tokens": (16, 1_000_000),
    "chat_temperature": (0, 2),
    "price_in": (0, 1_000_000),
    "price_out": (0, 1_000_000),
}
_HINT = "Correct it; `regulations-assistant config` lists the keys and where the file is."


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can choose once."""

    model: str = CARRIED
    """The model that searches by meaning: the carried one, a folder, or a name in the local hub cache."""
    query_prefix: str = ""
    """Put before a question where the model wants it, such as `query: `."""
    passage_prefix: str = ""
    """Put before a passage where the model wants it, such as `passage: `."""
    cross_encoder: str = ""
    """A cross-encoder's folder or name for `rerank`; empty for late interaction."""
    method: str = ""
    """The search method; empty for the best that is installed."""
    top: int = 5
    """Passages for an answer, 1 to 200."""
    budget: int = BUDGET
    """Estimated tokens of an answer's context, at least 500."""
    chat_url: str = field(default="", repr=False)
    """The base address of a model server, such as `http://localhost:11434/v1`; empty for none."""
    chat_model: str = ""
    """The name that the server gives its model."""
    chat_key: str = field(default="", repr=False)
    """The server's key; the variable `REGULATIONS_ASSISTANT_API_KEY` comes first. Never shown."""
    chat_timeout: float = 120.0
    """Seconds for one request, 1 to 3600; a first request may have to load the model."""
    chat_max_tokens: int = 2000
    """Tokens that an answer may have, thinking included."""
    chat_temperature: float = 0.0
    """0 for the likeliest words, up to 2."""
    chat_consent: tuple[str, ...] = ()
    """Hosts that questions may be sent to without asking."""
    chat_insecure: bool = False
    """Whether a server that is not this computer may be reached by http."""
    refresh_api: str = ""
    """The base address of the publisher's API; empty for the eCFR's own."""
    price_in: float = 0.0
    """Money for a million tokens read; 0 when it is not known."""
    price_out: float = 0.0
    """Money for a million tokens written; 0 when it is not known."""

    @property
    def spec(self) -> ModelSpec:
        """The model that the settings name."""
        return ModelSpec(self.model, self.query_prefix, self.passage_prefix)

    def shown(self) -> dict[str, Any]:
        """Each key with its value; the server's key, or one that an address holds, is not shown."""
        table = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        key = "(set, not shown)" if self.chat_key else ""
        return table | {"chat_key": key, "chat_url": _without_secrets(self.chat_url)}


def _without_secrets(url: str) -> str:
    """An address without what may be a password or a key: before an @, after a question mark or a hash."""
    bare = re.split(r"[?#]", url, maxsplit=1)[0]
    before, at, host = bare.rpartition("@")
    scheme = before.partition("//")[0] + "//" if "//" in before else ""
    shown = f"{scheme}{host}" if at else bare
    return shown if shown == url else f"{shown} (a part is not shown)"


def load_settings(path: Path) -> Settings:
    """Read the settings; without a file they are the defaults.

    Raises:
        UsageError: the file is no TOML, or holds an unknown key or a value that cannot be.

    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    # A number of thousands of digits is a plain ValueError, brackets without end are a RecursionError.
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"The settings in {path} cannot be read: {one_line(str(error))}.", _HINT) from error
    known = {entry.name: type(entry.default) for entry in fields(Settings)}
    return Settings(**{key: _checked(key, value, known) for key, value in table.items()})


def _checked(key: str, value: Any, known: dict[str, type]) -> Any:
    if key not in known:
        raise UsageError(f"Unknown setting {one_line(key)}; known are {', '.join(known)}.", _HINT)
    value = _typed(key, value, known[key])
    low, high = _RANGES.get(key, (0, 0))
    # The comparison is false for what is no number, too.
    if key in _RANGES and not low <= value <= high:
        raise UsageError(f"The setting {key} is {value}; it may be {low} to {high}.", _HINT)
    if key == "method" and value and value not in set(Method):
        raise UsageError(f"The setting method must be one of {', '.join(Method)}.", _HINT)
    return float(value) if known[key] is float else value


def _typed(key: str, value: Any, wanted: type) -> Any:
    """The value, if TOML has it in the type that the key wants; a whole number will do for a float."""
    if wanted is tuple:
        if type(value) is not list or not all(type(one) is str for one in value):
            raise UsageError(f"The setting {key} must be a list of str.", _HINT)
        return tuple(value)
    if type(value) is not wanted and (wanted, type(value)) != (float, int):
        raise UsageError(f"The setting {key} must be a {wanted.__name__}.", _HINT)
    return value
