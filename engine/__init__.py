"""Answers from versioned legal texts, as they stood on one day."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.answerers.chat import ChatAnswerer
    from engine.answerers.choice import Choice
    from engine.answerers.choosing import agree, choices, live_answerer, recorded_answerer
    from engine.card import badge, facts_lines, source_line, to_json, to_markdown, to_text
    from engine.checklist import checklist_lines
    from engine.citation import to_citation
    from engine.dates import FoundDay, find_days, parse_day
    from engine.engine import Engine, SearchResult
    from engine.errors import RegulationsError
    from engine.evaluation.measured import Measured, measure
    from engine.fact_options import apply_facts, fact_forms
    from engine.kinds import BlockKind, Change, Coverage, DropReason, Origin, StandingKind, Status
    from engine.model import AnswerCard, Block, Chunk, Claim, Dropped, SectionVersion, Source, Warning
    from engine.opening import open_collection, open_engine
    from engine.paths import data_folder, make_folder, write_whole
    from engine.raw import RawSection, section_source
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
    "ChatAnswerer": "engine.answerers.chat",
    "Choice": "engine.answerers.choice",
    "Chunk": "engine.model",
    "Claim": "engine.model",
    "Collection": "engine.snapshot",
    "Comparison": "engine.redline",
    "Coverage": "engine.kinds",
    "DropReason": "engine.kinds",
    "Dropped": "engine.model",
    "Engine": "engine.engine",
    "FoundDay": "engine.dates",
    "Measured": "engine.evaluation.measured",
    "Method": "engine.search.retriever",
    "Origin": "engine.kinds",
    "Piece": "engine.redline",
    "RawSection": "engine.raw",
    "RegulationsError": "engine.errors",
    "SearchResult": "engine.engine",
    "SectionVersion": "engine.model",
    "Source": "engine.model",
    "StandingKind": "engine.kinds",
    "Status": "engine.kinds",
    "Timeline": "engine.versions",
    "Warning": "engine.model",
    "agree": "engine.answerers.choosing",
    "apply_facts": "engine.fact_options",
    "as_text": "engine.redline",
    "badge": "engine.card",
    "checklist_lines": "engine.checklist",
    "choices": "engine.answerers.choosing",
    "compare": "engine.redline",
    "data_folder": "engine.paths",
    "fact_forms": "engine.fact_options",
    "facts_lines": "engine.card",
    "find_days": "engine.dates",
    "live_answerer": "engine.answerers.choosing",
    "make_folder": "engine.paths",
    "measure": "engine.evaluation.measured",
    "one_line": "engine.safe",
    "open_collection": "engine.opening",
    "open_engine": "engine.opening",
    "parse_day": "engine.dates",
    "recorded_answerer": "engine.answerers.choosing",
    "safe_text": "engine.safe",
    "section_source": "engine.raw",
    "source_line": "engine.card",
    "to_citation": "engine.citation",
    "to_json": "engine.card",
    "to_markdown": "engine.card",
    "to_text": "engine.card",
    "write_whole": "engine.paths",
}
"""What the tui and others come in by; each name's module is imported when it is first used."""

__all__ = [
    "AnswerCard",
    "Block",
    "BlockKind",
    "Change",
    "ChatAnswerer",
    "Choice",
    "Chunk",
    "Claim",
    "Collection",
    "Comparison",
    "Coverage",
    "DropReason",
    "Dropped",
    "Engine",
    "FoundDay",
    "Measured",
    "Method",
    "Origin",
    "Piece",
    "RawSection",
    "RegulationsError",
    "SearchResult",
    "SectionVersion",
    "Source",
    "StandingKind",
    "Status",
    "Timeline",
    "Warning",
    "agree",
    "apply_facts",
    "as_text",
    "badge",
    "checklist_lines",
    "choices",
    "compare",
    "data_folder",
    "fact_forms",
    "facts_lines",
    "find_days",
    "live_answerer",
    "make_folder",
    "measure",
    "one_line",
    "open_collection",
    "open_engine",
    "parse_day",
    "recorded_answerer",
    "safe_text",
    "section_source",
    "source_line",
    "to_citation",
    "to_json",
    "to_markdown",
    "to_text",
    "write_whole",
]


def __getattr__(name: str) -> Any:
    """Import a name of the door at its first use."""
    if name in _DOOR:
        return getattr(import_module(_DOOR[name]), name)
    raise AttributeError(f"module 'engine' has no attribute {name!r}")
