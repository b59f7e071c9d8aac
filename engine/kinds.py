"""The fixed words of the engine: each value is also what JSON shows."""

from __future__ import annotations

from enum import StrEnum


class BlockKind(StrEnum):
    """What a block of a section is, as far as a reader cares."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    TABLE = "table"
    FOOTNOTE = "footnote"
    NOTE = "note"
    NOTICE = "notice"
    """A line of the publisher about an amendment that is published and not yet in force."""


class Coverage(StrEnum):
    """Where a day lies against the days that a collection can speak about."""

    BEFORE = "before"
    INSIDE = "inside"
    AFTER = "after"


class StandingKind(StrEnum):
    """What a timeline says about one day; never a bare yes or no."""

    IN_FORCE = "in_force"
    NOT_YET = "not_yet"
    GAP = "gap"
    NOT_HELD = "not_held"
    AFTER = "after"


class Origin(StrEnum):
    """How well the first day of a version is known."""

    EXACT = "exact"
    AT_OR_BEFORE = "at_or_before"
    """The history begins with this version: it began on that day or earlier, and nobody can tell."""


class VersionStatus(StrEnum):
    """What became of a version by the up-to-date day."""

    IN_FORCE_AT_END = "in_force_at_end"
    ENDED = "ended"
    RESERVED = "reserved"
    REMOVED = "removed"


class Change(StrEnum):
    """What set a version apart from the one before it."""

    FIRST = "first"
    TEXT = "text"
    NOTICE = "notice"
    TYPOGRAPHIC = "typographic"


class Status(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    NOT_HELD = "not_held"
    NO_RECORDING = "no_recording"
    FAILED = "failed"


class Reason(StrEnum):
    """Why an answerer abstained."""

    ABSENT = "absent"
    OUT_OF_SCOPE = "out_of_scope"
    NOT_COVERED = "not_covered"
    NOTHING_FITS = "nothing_fits"


class DropReason(StrEnum):
    """Why a passage did not reach the answer."""

    NOT_IN_FORCE = "not_in_force"
    NEAR_DUPLICATE = "near_duplicate"
    OVER_BUDGET = "over_budget"
    BELOW_TOP_K = "below_top_k"
