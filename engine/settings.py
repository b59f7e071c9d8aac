"""The user's settings: one small TOML file in which an unknown key is an error."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from engine.context import BUDGET
from engine.errors import UsageError
from engine.safe import one_line
from engine.search.encoder import CARRIED, ModelSpec
from engine.search.retriever import Method

if TYPE_CHECKING:
    from pathlib import Path

MAX_TOP = 200
_RANGES = {"top": range(1, MAX_TOP + 1), "budget": range(500, 1_000_001)}
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

    @property
    def spec(self) -> ModelSpec:
        """The model that the settings name."""
        return ModelSpec(self.model, self.query_prefix, self.passage_prefix)


def load_settings(path: Path) -> Settings:
    """Read the settings; without a file they are the defaults.

    Raises:
        UsageError: the file is no TOML, or holds an unknown key or a value that cannot be.

    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"The settings in {path} cannot be read: {one_line(str(error))}.", _HINT) from error
    known = {entry.name: type(entry.default) for entry in fields(Settings)}
    for key, value in table.items():
        _check(key, value, known)
    return Settings(**table)


def _check(key: str, value: Any, known: dict[str, type]) -> None:
    if key not in known:
        raise UsageError(f"Unknown setting {one_line(key)}; known are {', '.join(known)}.", _HINT)
    if type(value) is not known[key]:
        raise UsageError(f"The setting {key} must be a {known[key].__name__}.", _HINT)
    if key in _RANGES and value not in _RANGES[key]:
        allowed = _RANGES[key]
        raise UsageError(f"The setting {key} is {value}; it may be {allowed[0]} to {allowed[-1]}.", _HINT)
    if key == "method" and value and value not in set(Method):
        raise UsageError(f"The setting method must be one of {', '.join(Method)}.", _HINT)
