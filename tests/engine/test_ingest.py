from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from engine.chunks import cut
from engine.errors import SnapshotError
from engine.index import IndexKey
from engine.ingest import address, embed, ingest
from engine.model import Standing, StandingKind
from engine.search.units import units_of
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from engine.index import StoredIndex
    from engine.ingest import IngestReport
    from engine.snapshot import Collection
    from engine.versions import Timeline
    from tests.engine.conftest import Copied, FakeEncoder, MakeText

CURRENT = date(2026, 10, 7)
_DAY = timedelta(days=1)


def test_every_word_of_the_shipped_copies_is_kept(ingested: IngestReport) -> None:
    assert len(ingested.files) == 13
    for report in ingested.files:
        assert report.words_in == report.words_kept > 0
        assert report.left_out == ()
    assert ingested.files[0].file == "part-250_2017-01-01.xml"


def test_the_index_is_keyed_by_the_snapshot_and_has_no_model(
    collection: Collection, ingested: IngestReport
) -> None:
    assert ingested.index.key == IndexKey(collection.sha256, "")
    assert dict(ingested.index.vectors) == {}
    assert ingested.index.warnings == ()


def test_progress_counts_the_files(collection: Collection) -> None:
    told: list[tuple[str, int, int]] = []
    ingest(collection, lambda *args: told.append(args))
    assert told == [("reading", done, 13) for done in range(14)]


def test_a_file_that_changed_since_the_check_is_not_read(copied: Copied) -> None:
    loaded = load_collection(copied.folder)
    path = copied.folder / "part-250_2021-04-13.xml"
    path.write_bytes(path.read_bytes().replace(b"775", b"777"))
    with pytest.raises(SnapshotError, match=r"part-250_2021-04-13\.xml is not the listed file"):
        ingest(loaded)


def test_a_broken_copy_is_named_with_its_line(copied: Copied) -> None:
    copied.replace("part-254_2021-04-13.xml", "</DIV8>", "</DIV9>")
    with pytest.raises(SnapshotError, match=r"part-254_2021-04-13\.xml.*line \d+"):
        ingest(load_collection(copied.folder))


def test_an_unknown_source_format_is_refused(collection: Collection) -> None:
    with pytest.raises(SnapshotError, match="No reader knows the source format “gazette”"):
        ingest(replace(collection, source="gazette"))


def test_warnings_name_the_file_and_the_line_and_stand_once(copied: Copied) -> None:
    name = "part-250_2017-01-01.xml"
    line = copied.text(name).split("<P>")[0].count("\n") + 1
    copied.write(name, copied.text(name).replace("<P>", "<WONDER>Odd.</WONDER><P>", 1))
    copied.write(name, copied.text(name).replace("</DIV5>", "Stray\u202e text.</DIV5>"))
    (copied.folder / "extra.txt").write_text("")
    loaded = load_collection(copied.folder)
    warnings = ingest(replace(loaded, warnings=loaded.warnings * 2)).index.warnings
    assert warnings[0] == "extra.txt is not listed in SHA256SUMS and was not read."
    assert f"{name}, line {line}: unknown element <WONDER>, its text is kept" in warnings
    assert any(warning.endswith("text outside any element: Stray\\u202e text.") for warning in warnings)
    assert len(set(warnings)) == len(warnings)
    assert all(warning.isprintable() for warning in warnings)


def test_the_publishers_list_is_compared(copied: Copied) -> None:
    rows = json.loads(copied.text("versions_part-254.json"))
    # A row of before the history, one that is deprecated in form, and one newer than any copy.
    rows["content_versions"] += [
        {"identifier": "254.4", "amendment_date": "2016-11-28", "removed": False},
        {"identifier": "254.4", "amendment_date": None, "date": "2026-12-01", "removed": False},
    ]
    copied.write("versions_part-254.json", json.dumps(rows))
    index = ingest(load_collection(copied.folder)).index
    assert index.warnings == ("The publisher lists a version of 254.4 of 2026-12-01 that no copy holds.",)
    (timeline,) = [timeline for timeline in index.timelines if timeline.section == "254.4"]
    assert "2016-11-28" in timeline.versions[0].notes[0]
    assert timeline.standing(date(2016, 12, 31)) == Standing(StandingKind.NOT_HELD, None)


@pytest.mark.parametrize(
    "content",
    [
        "[",
        "[]",
        "{}",
        '{"content_versions": null}',
        '{"content_versions": ["x"]}',
        '{"content_versions": [{"identifier": "250.5", "removed": false}]}',
        '{"content_versions": [{"identifier": "250.5", "date": "2021-13-01", "removed": false}]}',
        '{"content_versions": [{"identifier": "250.5", "date": 5, "removed": false}]}',
        '{"content_versions": [{"date": "2021-04-13", "removed": false}]}',
    ],
)
def test_a_list_of_another_form_is_refused(copied: Copied, content: str) -> None:
    copied.write("versions_part-250.json", content)
    with pytest.raises(SnapshotError, match=r"versions_part-250\.json is not a list of versions") as caught:
        ingest(load_collection(copied.folder))
    assert "snapshot verify" in caught.value.hint


def test_a_text_that_versions_share_is_embedded_once(
    ingested: IngestReport, fake_encoder: FakeEncoder, timelines: dict[str, Timeline]
) -> None:
    told: list[tuple[str, int, int]] = []
    index = embed(ingested.index, fake_encoder, lambda *args: told.append(args))
    chunks = [c for timeline in timelines.values() for version in timeline.versions for c in cut(version)]
    texts = [unit.text for unit in units_of(chunks)]
    assert list(index.vectors) == list(dict.fromkeys(texts))
    assert len(index.vectors) < len(texts) / 2
    assert told == [("embedding", len(index.vectors), len(index.vectors))]
    assert index.key == IndexKey(ingested.index.key.snapshot, fake_encoder.identity)
    assert (index.timelines, index.warnings) == (ingested.index.timelines, ingested.index.warnings)
    text = next(iter(index.vectors))
    # Half precision, as the file keeps it: an index in memory scores as the one read again.
    assert (index.vectors[text].pooled == fake_encoder.query(text).pooled.astype("<f2")).all()


def test_sentences_are_embedded_as_a_whole_and_what_is_there_is_kept(
    embedded: StoredIndex, fake_encoder: FakeEncoder
) -> None:
    told: list[int] = []
    index = embed(embedded, fake_encoder, lambda *args: told.append(args[2]), ("Was I bumped?", "Why?"))
    assert told == [2]
    assert index.vectors["Why?"].tokens.shape[0] == 0
    assert index.vectors["Why?"].pooled.shape == fake_encoder.query("Why?").pooled.shape
    text = next(iter(embedded.vectors))
    assert index.vectors[text] is embedded.vectors[text]
    assert len(index.vectors) == len(embedded.vectors) + 2


def test_embedding_needs_no_progress(ingested: IngestReport, fake_encoder: FakeEncoder) -> None:
    nothing = replace(ingested.index, timelines=(), warnings=("odd",))
    index = embed(nothing, fake_encoder)
    assert (dict(index.vectors), index.warnings) == ({}, ("odd",))


def test_addresses_of_sections_and_appendices(make_text: MakeText) -> None:
    day = date(2021, 4, 13)
    base = "https://www.ecfr.gov/on/2021-04-13/title-14"
    assert address(make_text("250.2a"), day) == f"{base}/section-250.2a"
    assert address(make_text("Appendix A to Part 121"), day) == f"{base}/Appendix-A-to-Part-121"
    assert address(make_text(""), day) == f"{base}/"


def letters(text: str) -> str:
    """The text without white space and without the lines that part a table's cells."""
    return "".join(text.split()).replace("|", "")


@pytest.fixture(scope="module")
def read_independently(collection: Collection) -> dict[str, list[tuple[date, dict[str, str]]]]:
    """By part: the copies' days with each section's letters, straight from the XML."""
    found: dict[str, list[tuple[date, dict[str, str]]]] = {}
    for path in sorted(collection.folder.glob("part-*.xml")):
        part, _, day = path.stem.removeprefix("part-").partition("_")
        sections = {}
        for element in etree.parse(path).iter("DIV8"):
            kept = [child for child in element if child.tag not in {"CITA", "APPRO"}]
            sections[str(element.get("N"))] = letters("".join("".join(child.itertext()) for child in kept))
        found.setdefault(part, []).append((date.fromisoformat(day), sections))
    return found


def expected(
    copies: list[tuple[date, dict[str, str]]], section: str, day: date
) -> tuple[StandingKind, str | None]:
    """Standing and letters on a day, told from the newest copy that is not after it."""
    earlier = [(copied, sections) for copied, sections in copies if copied <= day]
    if not earlier:
        return StandingKind.NOT_HELD, None
    text = earlier[-1][1].get(section)
    if day > date(2026, 10, 7):
        return StandingKind.AFTER, text
    assert text is not None, "every section of the snapshot stands in every copy"
    return StandingKind.IN_FORCE, text


def shown(standing: Standing) -> tuple[StandingKind, str | None]:
    version = standing.version
    return standing.kind, letters(version.heading + version.text.body) if version else None


def test_the_text_in_force_on_random_days_is_that_of_the_newest_copy(
    timelines: dict[str, Timeline], read_independently: dict[str, list[tuple[date, dict[str, str]]]]
) -> None:
    begin = date(2016, 6, 1)
    chosen = random.Random(14250)
    days = {begin + timedelta(days=chosen.randrange(3900)) for _ in range(300)}
    boundaries = {
        day
        for timeline in timelines.values()
        for version in timeline.versions
        for end in (version.effective_from, version.effective_to or CURRENT)
        for day in (end - _DAY, end, end + _DAY)
    }
    seen = set()
    for copies in read_independently.values():
        for section in copies[0][1]:
            for day in sorted(days | boundaries):
                wanted = expected(copies, section, day)
                assert shown(timelines[section].standing(day)) == wanted, (section, day)
                seen.add(wanted[0])
    assert seen == {StandingKind.NOT_HELD, StandingKind.IN_FORCE, StandingKind.AFTER}
