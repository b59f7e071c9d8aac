"""A report for people, as lines of plain text, and for programs, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import redline
from engine.safe import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.refresh.report import FileComparison, Report, SectionChange
    from engine.refresh.run import Outcome
    from engine.snapshot import Collection

_SAYS = {
    "amended": "a further version from {}",
    "new": "a new section, from {}",
    "removed": "is removed on {}",
    "reworded": "the version of {} reads otherwise",
    "withdrawn": "the version of {} is none any more",
}
_MANY = 12
"""Ids that are named one by one."""


def report_text(report: Report) -> str:
    """What would change, in the order in which a reader needs it."""
    return safe_text("\n".join(_lines(report)))


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """How a run ended, for `--json`; keys may be added, none is renamed."""
    report = outcome.report
    return {
        "changed": report is not None,
        "applied": outcome.applied,
        "report": None if report is None else _report_json(report),
    }


def _lines(report: Report) -> Iterator[str]:
    after, before = report.after, report.before
    yield f"{after.name} ({after.id}): {report.sections} sections, {report.versions} versions"
    if before is None:
        yield f"  a new collection, history from {after.history_start}, up to date to {after.current_to}"
    elif before.current_to == after.current_to:
        yield f"  up to date to {after.current_to}, as before"
    else:
        yield f"  up to date to {after.current_to}, before: {before.current_to}"
    yield ""
    if report.files:
        yield f"Rebuilt files beside the publisher's: {len(report.files)}"
        yield from map(_file_line, report.files)
        yield ""
    yield f"Dated copies that come: {len(report.new_days)}"
    yield from (f"  {file.file:28} title {file.title}, part {file.part}" for file in report.new_days)
    if report.gone:
        yield f"Files that go: {', '.join(report.gone)}"
    if before is not None:
        yield ""
        yield f"Versions of sections that come, go or read otherwise: {len(report.changes)}"
        for change in report.changes:
            yield from _change_lines(change)
    yield from _stale_lines(report)
    if report.warnings:
        yield ""
        yield from (f"! {warning}" for warning in report.warnings)


def _file_line(one: FileComparison) -> str:
    """A rebuilt file beside the publisher's: bytes alone tell little, so that what is said is said too."""
    if one.differing:
        return f"  {one.file:28} differs in {_named(one.differing)}"
    what = "versions" if one.kind == "versions" else "text"
    return f"  {one.file:28} {'the same bytes' if one.same_bytes else f'other bytes, the same {what}'}"


def _change_lines(change: SectionChange) -> Iterator[str]:
    yield ""
    yield f"{change.title} CFR {change.section}: {_SAYS[change.kind].format(change.day)}"
    if change.amounts_before or change.amounts_after:
        went, came = (", ".join(part) or "none" for part in (change.amounts_before, change.amounts_after))
        yield f"  amounts that go: {went}; that come: {came}"
    if change.comparison is not None:
        yield from (f"  {line}".rstrip() for line in redline.as_text(change.comparison).splitlines())


def _stale_lines(report: Report) -> Iterator[str]:
    if report.questions:
        yield ""
        yield f"Dated questions that need another look: {len(report.questions)}"
        yield from (f"  {one.id} ({one.set}): {one.why}" for one in report.questions)
    if report.recordings:
        yield ""
        yield "Recorded answers of the old texts: each is of another snapshot until it is recorded again"
        for row in report.recordings:
            outdated = f"; outdated: {_named(row.outdated)}" if row.outdated else ""
            yield f"  {row.file}: {row.recorded} answers of {row.model}{outdated}"


def _named(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - _MANY} more" if len(ids) > _MANY else ""
    return f"{', '.join(ids[:_MANY])}{more}"


def _report_json(report: Report) -> dict[str, Any]:
    return {
        "collection": report.after.id,
        "before": None if report.before is None else _state_json(report.before),
        "after": _state_json(report.after) | {"sections": report.sections, "versions": report.versions},
        "new_copies": [
            {
                "file": file.file,
                "title": file.title,
                "part": file.part,
                "date": file.day and file.day.isoformat(),
                "url": file.url,
                "sha256": file.sha256,
            }
            for file in report.new_days
        ],
        "compared_files": [
            {
                "file": one.file,
                "kind": one.kind,
                "same_bytes": one.same_bytes,
                "differing": list(one.differing),
            }
            for one in report.files
        ],
        "removed_files": list(report.gone),
        "changes": [_change_json(change) for change in report.changes],
        "stale_questions": [{"set": one.set, "id": one.id, "why": one.why} for one in report.questions],
        "stale_recordings": [
            {"file": row.file, "model": row.model, "recorded": row.recorded, "outdated": list(row.outdated)}
            for row in report.recordings
        ],
        "warnings": list(report.warnings),
    }


def _state_json(held: Collection) -> dict[str, Any]:
    return {"current_to": held.current_to.isoformat(), "sha256": held.sha256, "files": len(held.files)}


def _change_json(change: SectionChange) -> dict[str, Any]:
    compared = change.comparison
    return {
        "kind": change.kind,
        "title": change.title,
        "section": change.section,
        "date": change.day.isoformat(),
        "change": compared and compared.change,
        "amounts_before": list(change.amounts_before),
        "amounts_after": list(change.amounts_after),
        "blocks": [
            {"label": b.label, "pieces": [{"op": p.op, "text": p.text} for p in b.pieces]}
            for b in (compared.blocks if compared else ())
        ],
    }
