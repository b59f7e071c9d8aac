"""Answers from versioned legal texts, as they stood on one day."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.card import to_json, to_markdown, to_text
    from engine.dates import find_days, parse_day
    from engine.engine import Engine, SearchResult
    from engine.errors import RegulationsError
    from engine.model import AnswerCard
    from engine.opening import open_collection, open_engine
    from engine.search.retriever import Method

__version__ = "0.1.0"

_DOOR = {
    "AnswerCard": "engine.model",
    "Engine": "engine.engine",
    "Method": "engine.search.retriever",
    "RegulationsError": "engine.errors",
    "SearchResult": "engine.engine",
    "find_days": "engine.dates",
    "open_collection": "engine.opening",
    "open_engine": "engine.opening",
    "parse_day": "engine.dates",
    "to_json": "engine.card",
    "to_markdown": "engine.card",
    "to_text": "engine.card",
}
"""What the tui and others come in by; each name's module is imported when it is first used."""

__all__ = [
    "AnswerCard",
    "Engine",
    "Method",
    "RegulationsError",
    "SearchResult",
    "find_days",
    "open_collection",
    "open_engine",
    "parse_day",
    "to_json",
    "to_markdown",
    "to_text",
]


def __getattr__(name: str) -> Any:
    """Import a name of the door at its first use."""
    if name in _DOOR:
        return getattr(import_module(_DOOR[name]), name)
    raise AttributeError(f"module 'engine' has no attribute {name!r}")
