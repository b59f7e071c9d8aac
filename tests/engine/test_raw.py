"""The publisher's own lines behind a version."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine.errors import SnapshotError
from engine.raw import section_source
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from engine.model import SectionVersion
    from engine.snapshot import Collection
    from engine.versions import Timeline
    from tests.engine.conftest import Copied


def standing(timelines: dict[str, Timeline], section: str, day: date) -> SectionVersion:
    version = timelines[section].text_on(day)
    assert version is not None
    return version


def test_a_version_shows_the_lines_it_was_read_from(
    collection: Collection, timelines: dict[str, Timeline]
) -> None:
    version = standing(timelines, "250.5", date(2024, 12, 20))

    raw = section_source(collection, version)

    assert raw is not None
    assert raw.file.file == "part-250_2024-10-24.xml"
    assert raw.text.startswith('<DIV8 N="250.5"')
    assert raw.text.rstrip().endswith("</DIV8>")
    assert raw.text.count("</DIV8>") == 1
    whole = collection.read(raw.file.file).decode().split("\n")
    assert raw.text.split("\n")[0] == whole[raw.first_line - 1]


def test_every_version_held_has_its_lines(collection: Collection, timelines: dict[str, Timeline]) -> None:
    versions = [version for line in timelines.values() for version in line.versions]
    raws = [section_source(collection, version) for version in versions]

    assert len(versions) > 30
    assert all(raw is not None for raw in raws)


def test_a_line_that_holds_another_section_is_not_shown(
    collection: Collection, timelines: dict[str, Timeline]
) -> None:
    version = standing(timelines, "250.5", date(2024, 12, 20))

    assert section_source(collection, replace(version, text=replace(version.text, line=1))) is None
    assert section_source(collection, replace(version, text=replace(version.text, line=0))) is None


def test_a_copy_altered_since_is_refused(copied: Copied, timelines: dict[str, Timeline]) -> None:
    held = load_collection(copied.folder)
    (copied.folder / "part-250_2024-10-24.xml").write_text("<DIV5/>")

    with pytest.raises(SnapshotError, match="is not the listed file"):
        section_source(held, standing(timelines, "250.5", date(2024, 12, 20)))
