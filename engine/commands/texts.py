"""Versions, comparisons, passages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from engine import card, redline
from engine.chunks import cut
from engine.commands.common import ANSWERED, NOTHING, open_for, print_json
from engine.context import dates
from engine.errors import UsageError
from engine.model import StandingKind
from engine.safe import one_line, safe_text

if TYPE_CHECKING:
    from argparse import Namespace
    from datetime import date

    from engine.model import Chunk, SectionVersion
    from engine.versions import Timeline

_STANDS = {
    StandingKind.IN_FORCE: "in force",
    StandingKind.NOT_YET: "not there yet",
    StandingKind.GAP: "removed, not there on that day",
    StandingKind.NOT_HELD: "not held: before the history",
    StandingKind.AFTER: "after the up-to-date day; the last version is",
}


def versions(options: Namespace) -> int:
    """List versions, or say where sections stand on a day."""
    engine = open_for(options, models=False)
    lines = engine.timelines if options.section is None else engine.timelines_of(options.section)
    if options.as_of is not None:
        rows = [_standing_json(line, options.as_of) for line in lines]
        if options.json:
            print_json(rows if options.section is None else rows[0])
        else:
            for line in lines:
                print(_standing_line(line, options.as_of))
        return ANSWERED
    if options.json:
        print_json([_version_json(version) for line in lines for version in line.versions])
        return ANSWERED
    for line in lines:
        print(safe_text(f"{line.title} CFR {line.section}  {line.versions[-1].heading}"))
        for version in line.versions:
            pending = "  ! amendment pending" if version.pending else ""
            print(f"  {dates(version):40} {version.change:12} {version.status}{pending}")
            for note in version.notes:
                print(f"    {safe_text(note)}")
    return ANSWERED


def compare(options: Namespace) -> int:
    """Show what changed in a section between two days."""
    engine = open_for(options, models=False)
    line = engine.timelines_of(options.section)[0]
    texts = [line.text_on(day) for day in (options.first, options.second)]
    before, after = texts
    if before is None or after is None:
        day = options.first if before is None else options.second
        print(_standing_line(line, day), file=sys.stderr)
        return NOTHING
    comparison = redline.compare(before, after)
    if options.json:
        print_json(
            {
                "section": line.section,
                "before": _version_json(before),
                "after": _version_json(after),
                "change": comparison.change,
                "blocks": [
                    {"label": b.label, "pieces": [{"op": p.op, "text": p.text} for p in b.pieces]}
                    for b in comparison.blocks
                ],
            }
        )
    else:
        print(redline.as_text(comparison, markdown=options.markdown))
    return ANSWERED


def chunks(options: Namespace) -> int:
    """List the passages of a section."""
    lines = open_for(options, models=False).timelines_of(options.section)
    made = [chunk for line in lines for version in line.versions for chunk in cut(version)]
    if options.json:
        print_json([_chunk_json(chunk) for chunk in made])
        return ANSWERED
    for chunk in made:
        print(safe_text(f"{card.place_line(chunk)}  {chunk.start}-{chunk.end}, {chunk.words} words"))
    return ANSWERED


def passage(options: Namespace) -> int:
    """Show one passage."""
    chunk = open_for(options, models=False).chunk(options.id)
    if chunk is None:
        raise UsageError(f"There is no passage {one_line(options.id)}.", "`chunks SECTION` lists ids.")
    if options.json:
        print_json(
            {
                **_chunk_json(chunk),
                "heading": chunk.version.heading,
                "url": chunk.version.url,
                "text": chunk.body,
            }
        )
    else:
        print(card.passage_text(chunk))
    return ANSWERED


def _standing_line(line: Timeline, day: date) -> str:
    standing = line.standing(day)
    version = f", version {dates(standing.version)}" if standing.version else ""
    return safe_text(f"{line.title} CFR {line.section} on {day}: {_STANDS[standing.kind]}{version}")


def _standing_json(line: Timeline, day: date) -> dict[str, Any]:
    standing = line.standing(day)
    return {
        "section": line.section,
        "as_of": day.isoformat(),
        "standing": standing.kind,
        "version": standing.version and _version_json(standing.version),
    }


def _version_json(version: SectionVersion) -> dict[str, Any]:
    return {
        "section": version.section,
        "heading": version.heading,
        "effective_from": version.effective_from.isoformat(),
        "effective_to": version.effective_to and version.effective_to.isoformat(),
        "effective_from_origin": version.from_origin,
        "status": version.status,
        "pending": version.pending,
        "change": version.change,
        "words": len(version.text.body.split()),
        "url": version.url,
        "notes": list(version.notes),
        "source_note": version.text.source_note,
    }


def _chunk_json(chunk: Chunk) -> dict[str, Any]:
    return {
        **card.place_json(chunk),
        "position": chunk.position,
        "start": chunk.start,
        "end": chunk.end,
        "words": chunk.words,
        "blocks": [{"kind": b.kind, "label": b.label, "text": b.text} for b in chunk.blocks],
    }
