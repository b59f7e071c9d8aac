"""The snapshot, the index, the settings and what is installed."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from engine import paths
from engine.commands.common import ANSWERED, UNUSABLE, open_for, print_json
from engine.commands.refresh_options import wants_upstream
from engine.doctor import examine
from engine.errors import UsageError
from engine.ingest import ingest
from engine.opening import collections_of
from engine.safe import safe_text
from engine.settings import load_settings
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from argparse import Namespace

    from engine.engine import Engine
    from engine.ingest import IngestReport
    from engine.snapshot import Collection


def refresh(options: Namespace) -> int:
    """Ask the publisher for what is new, or put the texts before back."""
    from engine.commands.refreshing import refresh_now  # noqa: PLC0415 - the publisher is seldom asked

    return refresh_now(options)


def snapshot(options: Namespace) -> int:
    """List or verify the snapshot's files: every load compares all sums."""
    if wants_upstream(options):
        from engine.commands.refreshing import verify_upstream  # noqa: PLC0415 - the same

        return verify_upstream(options)
    folders = collections_of(getattr(options, "regulations", None), getattr(options, "data", None))
    name = getattr(options, "collection", None)
    rows = [load_collection(place) for place in folders if name in {None, place.name}]
    if not rows:
        raise UsageError(f"There is no collection {name!r}.", "`snapshot` without --collection lists all.")
    if options.json:
        print_json([_collection_json(held) for held in rows] if len(rows) > 1 else _collection_json(rows[0]))
        return ANSWERED
    for held in rows:
        print(safe_text(f"{held.id}: {held.name}"))
        if held.folder.parent != paths.shipped("regulations"):
            print(safe_text(f"  in {held.folder}"))
        print(f"  history from {held.history_start}, up to date to {held.current_to}, sum {held.sha256}")
        for file in held.files:
            print(f"  {file.file:28} {file.kind:8} {file.day or ''!s:10} {file.origin:8} {file.sha256[:16]}")
        print(f"  {len(held.sums)} files, all as listed.")
        for warning in held.warnings:
            print(f"  ! {safe_text(warning)}")
    return ANSWERED


def ingest_now(options: Namespace) -> int:
    """Build the index again, and say what became of every word."""
    engine = open_for(options, rebuild=True)
    report = ingest(engine.collection)
    if options.json:
        print_json(_ingest_json(engine, report))
    else:
        for file in report.files:
            print(
                f"{file.file}: {file.words_in} words in, {file.words_kept} kept, "
                f"{len(file.left_out)} left out"
            )
            for left in file.left_out:
                print(f"  line {left.line}: {left.words} words, {safe_text(left.reason)}")
        total = sum(len(line.versions) for line in engine.timelines)
        print(f"{len(engine.timelines)} sections, {total} versions, {len(engine.chunks)} passages.")
        for warning in engine.ingest_warnings:
            print(f"! {safe_text(warning)}")
    for notice in engine.notices:
        print(f"! {safe_text(notice.text)}", file=sys.stderr)
    return ANSWERED


def doctor(options: Namespace) -> int:
    """Say what is there and what is not."""
    shared = {name: getattr(options, name, None) for name in ("regulations", "data", "collection")}
    found = examine(**shared)
    if options.json:
        print_json(
            [{"name": f.name, "state": f.state, "detail": f.detail, "advice": f.advice} for f in found]
        )
    else:
        marks = {"ok": "✓", "missing": "!", "problem": "✗"}
        for finding in found:
            print(f"{marks[finding.state]} {finding.name}: {safe_text(finding.detail)}")
            if finding.advice:
                print(f"    {safe_text(finding.advice)}")
    broken = any(f.state == "problem" for f in found)
    return UNUSABLE if broken else ANSWERED


def config(options: Namespace) -> int:
    """Show, locate or check the settings."""
    path = paths.settings_file(paths.data_folder(getattr(options, "data", None)))
    if options.action == "path":
        print(path)
        return ANSWERED
    settings = load_settings(path)
    if options.action == "validate":
        print(f"{path}: valid" if path.is_file() else f"{path}: no file; the defaults are used")
        return ANSWERED
    print(f"# {path}{'' if path.is_file() else ' (no file yet; these are the defaults)'}")
    for name, value in settings.shown().items():
        print(safe_text(f"{name} = {json.dumps(value, ensure_ascii=False)}"))
    return ANSWERED


def _collection_json(held: Collection) -> dict[str, Any]:
    return {
        "id": held.id,
        "name": held.name,
        "folder": str(held.folder),
        "history_start": held.history_start.isoformat(),
        "current_to": held.current_to.isoformat(),
        "sha256": held.sha256,
        "verified": True,
        "files": [
            {
                "file": file.file,
                "kind": file.kind,
                "title": file.title,
                "part": file.part,
                "date": file.day and file.day.isoformat(),
                "origin": file.origin,
                "sha256": file.sha256,
                "url": file.url,
            }
            for file in held.files
        ],
        "warnings": list(held.warnings),
    }


def _ingest_json(engine: Engine, report: IngestReport) -> dict[str, Any]:
    return {
        "collection": engine.collection.id,
        "sections": len(engine.timelines),
        "versions": sum(len(line.versions) for line in engine.timelines),
        "chunks": len(engine.chunks),
        "files": [
            {
                "file": file.file,
                "words_in": file.words_in,
                "words_kept": file.words_kept,
                "left_out": [
                    {"line": left.line, "words": left.words, "reason": left.reason, "text": left.text}
                    for left in file.left_out
                ],
            }
            for file in report.files
        ],
        "warnings": list(engine.ingest_warnings),
    }
