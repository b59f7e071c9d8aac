"""The texts as a developer reads them: collection, section, version, chunk, raw XML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from engine import one_line
from tui.drawing import badges
from tui.drawing.badges import plain
from tui.words import span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Chunk, Collection, RawSection, SectionVersion, Timeline

NAME = 11
"""Columns of the names on the left of a page."""


def section_label(line: Timeline) -> str:
    """A section in the tree."""
    return one_line(f"{line.section}  {_count(len(line.versions), 'version')}")


def version_label(version: SectionVersion, chunks: int) -> str:
    """A version in the tree, short; `!` stands before one with a pending amendment."""
    pending = "! " if version.pending else ""
    days = f"{version.effective_from} to {version.effective_to or 'now'}"
    return one_line(f"{pending}{days}  {version.change}  {_count(chunks, 'chunk')}")


def chunk_label(chunk: Chunk) -> str:
    """A chunk in the tree: position, id, paragraphs."""
    return one_line(f"{chunk.position}  {chunk.id}  {chunk.paragraphs}  {chunk.words} words")


def found_label(rank: int, chunk: Chunk, score: float, *, in_force: bool | None) -> str:
    """A search result in the tree."""
    sign = {True: "✓ ", False: "✗ ", None: ""}[in_force]
    place = f"{chunk.section} {chunk.paragraphs}".strip()
    return one_line(f"{rank}  {sign}{place}  {span(chunk.version)}  {score:.3f}")


def collection_page(held: Collection, sections: int, chunks: int) -> Content:
    """What is held, and from which files."""
    rows = [
        ("id", held.id),
        ("publisher", held.publisher),
        ("history", f"from {held.history_start}, up to date to {held.current_to}"),
        ("holds", f"{sections} sections, {chunks} chunks, {len(held.files)} files"),
        ("SHA-256", held.sha256),
        ("official", "yes" if held.official else "no"),
    ]
    files = [plain(f"  {file.file}  {file.day or ''}  {file.origin}\n") for file in held.files]
    return Content.assemble(plain(held.name, "bold"), "\n\n", _table(rows), "\n", *_headed("Files", files))


def section_page(line: Timeline) -> Content:
    """A section's versions, oldest first."""
    rows = [
        ("held", f"{line.held_from} to {line.current_to}"),
        ("versions", str(len(line.versions))),
    ]
    versions = []
    for version in line.versions:
        words = len(version.text.body.split())
        versions.append(plain(f"  {span(version):<26} {version.change:<12} {words:>5} words  "))
        versions += [badges.of_version(version, None), Content("\n")]
    return Content.assemble(
        plain(line.versions[-1].heading, "bold"), "\n\n", _table(rows), "\n", *_headed("Versions", versions)
    )


def version_page(version: SectionVersion, chunks: Sequence[Chunk]) -> Content:
    """A version's days, its notes and how it was cut."""
    begins = "its first held day; it may be older" if version.from_origin == "at_or_before" else "exact"
    rows = [
        ("days", f"{span(version)} ({begins})"),
        ("status", f"{version.status}, change: {version.change}"),
        ("words", f"{len(version.text.body.split())} in {_count(len(version.text.blocks), 'block')}"),
        ("source", version.text.source_note or "the publisher gives none"),
        ("address", version.url),
    ]
    notes = [plain(f"  ! {note}\n", "$warn") for note in version.notes]
    notices = [Content.assemble(badges.pending(), plain(f" {one.text}\n")) for one in version.text.notices]
    cut = [plain(f"  {chunk_label(chunk)}  {chunk.start}–{chunk.end}\n") for chunk in chunks]
    return Content.assemble(
        plain(f"{version.citation}  ", "bold"), plain(f"{version.heading}\n\n"), _table(rows), "\n",
        *_headed("Notes", notes), *_headed("Notices", notices), *_headed("Chunks", cut),
        plain("x shows the publisher's XML.", "$quiet"),
    )  # fmt: skip


def chunk_page(chunk: Chunk) -> Content:
    """A chunk: where it stands, and its words block by block."""
    rows = [
        ("id", chunk.id),
        ("version", span(chunk.version)),
        ("position", f"{chunk.position} in the version, characters {chunk.start} to {chunk.end}"),
        ("words", f"{chunk.words}, with the title line"),
        ("blocks", f"{len(chunk.blocks)}, from number {chunk.first_block}"),
        ("source", chunk.version.text.source_note or "the publisher gives none"),
    ]
    parts = []
    for block in chunk.blocks:
        parts.append(plain(f"{block.kind} {block.label} ".lstrip(), "$quiet"))
        parts.append(badges.pending() if block.kind == "notice" else Content(""))
        parts.append(plain(f"\n{block.text}\n\n"))
    title = f"{chunk.version.citation} {chunk.paragraphs}"
    return Content.assemble(plain(title, "bold"), "\n\n", _table(rows), "\n", *parts)


def raw_page(version: SectionVersion, raw: RawSection | None) -> Content:
    """The publisher's lines, numbered as in the file."""
    if raw is None:
        return plain(f"No dated copy holds the lines of {version.citation}, {span(version)}.")
    head = f"{raw.file.file}  {raw.file.origin}  line {raw.first_line}"
    lines = raw.text.split("\n")
    numbered = []
    for at, line in enumerate(lines, raw.first_line):
        numbered += [plain(f"{at:>5} ", "$quiet"), plain(f"{one_line(line)}\n")]
    return Content.assemble(plain(head, "bold"), "\n\n", *numbered)


def _table(rows: Sequence[tuple[str, str]]) -> Content:
    parts = []
    for name, value in rows:
        parts += [plain(f"{name:<{NAME}}", "bold $link"), plain(f"{value}\n")]
    return Content.assemble(*parts)


def _headed(title: str, parts: Sequence[Content]) -> list[Content]:
    return [plain(f"{title}\n", "bold"), *parts, Content("\n")] if parts else []


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
