"""Answers from versioned legal texts, as they stood on one day."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.card import badge, source_line, to_json, to_markdown, to_text
    from engine.dates import FoundDay, find_days, parse_day
    from engine.engine import Engine, SearchResult
    from engine.errors import RegulationsError
    from engine.kinds import BlockKind, Change, Coverage, DropReason, Origin, StandingKind, Status
    from engine.model import AnswerCard, Block, Chunk, Claim, Dropped, SectionVersion, Source, Warning
    from engine.opening import open_collection, open_engine
    from engine.paths import data_folder
    from engine.redline import Comparison, Piece, as_text, compare
    from engine.safe import one_line, safe_text
    from engine.search.retriever import Method
    from engine.snapshot import Collection
    from engine.versions import Timeline

__version__ = "0.1.0"

_DOOR = {
    "AnswerCard": "engine.model",
    "Block": "engine.model",
    "BlockKind": "engine.kinds",
    "Change": "engine.kinds",
    "Chunk": "engine.model",
    "Claim": "engine.model",
    "Collection": "engine.snapshot",
    "Comparison": "engine.redline",
    "Coverage": "engine.kinds",
    "DropReason": "engine.kinds",
    "Dropped": "engine.model",
    "Engine": "engine.engine",
    "FoundDay": "engine.dates",
    "Method": "engine.search.retriever",
    "Origin": "engine.kinds",
    "Piece": "engine.redline",
    "RegulationsError": "engine.errors",
    "SearchResult": "engine.engine",
    "SectionVersion": "engine.model",
    "Source": "engine.model",
    "StandingKind": "engine.kinds",
    "Status": "engine.kinds",
    "Timeline": "engine.versions",
    "Warning": "engine.model",
    "as_text": "engine.redline",
    "badge": "engine.card",
    "compare": "engine.redline",
    "data_folder": "engine.paths",
    "find_days": "engine.dates",
    "one_line": "engine.safe",
    "open_collection": "engine.opening",
    "open_engine": "engine.opening",
    "parse_day": "engine.dates",
    "safe_text": "engine.safe",
    "source_line": "engine.card",
    "to_json": "engine.card",
    "to_markdown": "engine.card",
    "to_text": "engine.card",
}
"""What the tui and others come in by; each name's module is imported when it is first used."""

__all__ = [
    "AnswerCard",
    "Block",
    "BlockKind",
    "Change",
    "Chunk",
    "Claim",
    "Collection",
    "Comparison",
    "Coverage",
    "DropReason",
    "Dropped",
    "Engine",
    "FoundDay",
    "Method",
    "Origin",
    "Piece",
    "RegulationsError",
    "SearchResult",
    "SectionVersion",
    "Source",
    "StandingKind",
    "Status",
    "Timeline",
    "Warning",
    "as_text",
    "badge",
    "compare",
    "data_folder",
    "find_days",
    "one_line",
    "open_collection",
    "open_engine",
    "parse_day",
    "safe_text",
    "source_line",
    "to_json",
    "to_markdown",
    "to_text",
]


def __getattr__(name: str) -> Any:
    """Import a name of the door at its first use."""
    if name in _DOOR:
        return getattr(import_module(_DOOR[name]), name)
    raise AttributeError(f"module 'engine' has no attribute {name!r}")
