from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine.errors import SnapshotError
from engine.model import Coverage
from engine.snapshot import Collection, find_collections, load_collection

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engine.conftest import Copied

PART = "part-250_2021-04-13.xml"


def refused(copied: Copied) -> str:
    """The message with which the folder is refused."""
    with pytest.raises(SnapshotError) as caught:
        load_collection(copied.folder)
    assert "snapshot verify" in caught.value.hint
    assert caught.value.exit_code == 3
    return caught.value.message


def test_the_shipped_folder_is_described(collection: Collection) -> None:
    assert (collection.id, collection.source, collection.language) == ("us-14-cfr", "ecfr", "en")
    assert collection.name == "14 CFR Parts 250 and 254"
    assert collection.publisher == "Electronic Code of Federal Regulations (ecfr.gov)"
    assert collection.licence == "US government work, public domain"
    assert collection.attribution.endswith("The eCFR is not an official legal edition of the CFR.")
    assert collection.official is False
    assert collection.history_start == date(2017, 1, 1)
    assert collection.current_to == date(2026, 10, 7)
    assert collection.warnings == ()
    assert collection.stamp.collection == "us-14-cfr"
    assert collection.stamp.current_to == date(2026, 10, 7)
    assert collection.stamp.sha256 == collection.sha256


def test_the_copies_are_the_parts_with_their_own_days(collection: Collection) -> None:
    days = ["2017-01-01", "2021-01-13", "2021-04-13", "2021-08-02", "2024-10-24", "2025-01-22", "2026-10-07"]
    assert [(file.part, str(day)) for file, day in collection.copies] == [
        *(("250", day) for day in days),
        *(("254", day) for day in days if day != "2021-08-02"),
    ]
    assert [file.file for file in collection.of_kind("versions")] == [
        "versions_part-250.json",
        "versions_part-254.json",
    ]
    assert [(file.file, file.day) for file in collection.of_kind("titles")] == [("titles.json", None)]


@pytest.mark.parametrize(
    ("day", "coverage"),
    [
        (date(2016, 12, 31), Coverage.BEFORE),
        (date(2017, 1, 1), Coverage.INSIDE),
        (date(2026, 10, 7), Coverage.INSIDE),
        (date(2026, 10, 8), Coverage.AFTER),
    ],
)
def test_coverage_includes_both_ends(collection: Collection, day: date, coverage: Coverage) -> None:
    assert collection.coverage(day) is coverage


def test_a_flipped_byte_is_named_with_both_sums(copied: Copied) -> None:
    listed = copied.sum_of(PART)
    data = bytearray((copied.folder / PART).read_bytes())
    data[1000] ^= 1
    (copied.folder / PART).write_bytes(data)
    message = refused(copied)
    assert message.startswith(PART)
    assert listed in message
    assert copied.sum_of(PART) in message
    assert listed != copied.sum_of(PART)


def test_a_missing_file_is_named(copied: Copied) -> None:
    (copied.folder / PART).unlink()
    assert refused(copied) == f"{PART} is listed in SHA256SUMS and missing or unreadable."


def test_reading_compares_the_sum_once_more(copied: Copied) -> None:
    loaded = load_collection(copied.folder)
    assert loaded.read(PART) == (copied.folder / PART).read_bytes()
    (copied.folder / PART).write_bytes(b"<DIV5/>")
    with pytest.raises(SnapshotError, match=copied.sum_of(PART)):
        loaded.read(PART)


def test_an_unlisted_file_is_warned_about_and_never_read(copied: Copied) -> None:
    before = load_collection(copied.folder)
    # A folder of that name cannot be read as a file at all, so that reading it would fail.
    (copied.folder / "part-250_2030-01-01.xml").mkdir()
    (copied.folder / "evil\u202e.txt").write_text("x")
    loaded = load_collection(copied.folder)
    assert loaded.warnings == (
        "evil\\u202e.txt is not listed in SHA256SUMS and was not read.",
        "part-250_2030-01-01.xml is not listed in SHA256SUMS and was not read.",
    )
    assert (loaded.files, loaded.sha256) == (before.files, before.sha256)
    with pytest.raises(KeyError):
        loaded.read("part-250_2030-01-01.xml")


def test_the_collection_sum_follows_the_content_and_not_the_order_of_the_list(copied: Copied) -> None:
    before = load_collection(copied.folder)
    copied.list_as(dict(reversed(before.sums.items())))
    assert load_collection(copied.folder).sha256 == before.sha256
    copied.replace(PART, "$775", "$776")
    assert load_collection(copied.folder).sha256 != before.sha256


DIGEST = "0" * 64


@pytest.mark.parametrize(
    "line",
    [
        "abc  part.xml",
        f"{'G' * 64}  part.xml",
        f"{DIGEST}",
        f"{DIGEST}  ",
        f"{DIGEST}  ../part.xml",
        f"{DIGEST}  /etc/passwd",
        f"{DIGEST}  folder/part.xml",
        f"{DIGEST}  folder\\part.xml",
        f"{DIGEST}  part\0.xml",
        f"{DIGEST}  part\x1b[2J.xml",
        "",
    ],
)
def test_a_line_that_is_no_sum_and_plain_name_stops_the_load(copied: Copied, line: str) -> None:
    (copied.folder / "SHA256SUMS").write_text(f"{line}\n{copied.text('SHA256SUMS')}", "utf-8")
    assert refused(copied) == "SHA256SUMS, line 1: not a sum and a plain file name."


def test_the_folder_above_is_no_file(copied: Copied) -> None:
    copied.list_as({**load_collection(copied.folder).sums, "..": DIGEST})
    assert refused(copied) == ".. is listed in SHA256SUMS and missing or unreadable."


def test_sums_in_the_binary_form_of_the_tools_are_understood(copied: Copied) -> None:
    text = copied.text("SHA256SUMS").replace("  ", " *")
    (copied.folder / "SHA256SUMS").write_text(text, "utf-8")
    assert len(load_collection(copied.folder).sums) == 18


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_folder_without_readable_sums_is_refused(copied: Copied, content: bytes | None) -> None:
    path = copied.folder / "SHA256SUMS"
    path.unlink()
    if content:
        path.write_bytes(content)
    assert refused(copied).startswith("SHA256SUMS cannot be read in ")


@pytest.mark.parametrize("needed", ["collection.json", "sources.csv"])
def test_the_manifests_have_to_be_listed(copied: Copied, needed: str) -> None:
    sums = load_collection(copied.folder).sums
    copied.list_as({name: digest for name, digest in sums.items() if name != needed})
    assert refused(copied) == f"SHA256SUMS does not list {needed}."


def test_two_manifests_that_disagree_about_a_sum_stop_the_load(copied: Copied) -> None:
    found = copied.sum_of(PART)
    copied.write("sources.csv", copied.text("sources.csv").replace(found, DIGEST))
    assert refused(copied) == f"sources.csv gives {PART} the sum {DIGEST}, SHA256SUMS gives {found}."


def test_a_source_that_is_not_in_the_sums_stops_the_load(copied: Copied) -> None:
    copied.write("sources.csv", copied.text("sources.csv").replace(PART, "other\x1b.xml", 1))
    message = refused(copied)
    assert message.startswith("sources.csv gives other\\x1b.xml the sum ")
    assert message.endswith("SHA256SUMS gives None.")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("file,kind,title", "file,sort,title", "line 2: the columns are not file,kind,title,"),
        (",exact,", ",exact,surplus,", "line 14: the columns are not "),
        ("254.json,versions", "254.json,list", "line 16: unknown kind or origin: list"),
        (",exact,", ",guessed,", "line 14: unknown kind or origin: part, guessed."),
        ("250,2021-04-13,", "250,2021-04-31,", "line 4: 2021-04-31 is not a date."),
        ("250,2021-04-13,", "250,,", "line 4: a copy without a date."),
    ],
)  # fmt: skip
def test_a_broken_row_of_the_sources_is_named_by_line(
    copied: Copied, old: str, new: str, message: str
) -> None:
    copied.replace("sources.csv", old, new)
    assert refused(copied).startswith(f"sources.csv, {message}")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"file,kind\ra,b\n"])
def test_sources_that_are_no_table_are_refused(copied: Copied, content: bytes) -> None:
    copied.write("sources.csv", content)
    assert refused(copied) == "sources.csv is not a table in UTF-8."


def test_sources_without_a_copy_are_refused(copied: Copied) -> None:
    rows = copied.text("sources.csv").splitlines(keepends=True)
    copied.write("sources.csv", "".join(row for row in rows if not row.startswith("part-")))
    assert refused(copied) == "sources.csv lists no dated copy."


@pytest.mark.parametrize("content", ["{", "[" * 100_000, b"\xff"])
def test_a_description_that_is_no_json_is_refused(copied: Copied, content: str | bytes) -> None:
    copied.write("collection.json", content)
    assert refused(copied) == "collection.json is not listed or not JSON."


def test_a_description_that_is_no_object_is_refused(copied: Copied) -> None:
    copied.write("collection.json", "[]")
    assert refused(copied) == "collection.json is not a JSON object."


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("history_start", None, "collection.json lacks or misspells"),
        ("history_start", "2017-02-29", "day is out of range"),
        ("attribution", ..., "attribution"),
        ("official", ..., "official"),
    ],
)
def test_a_description_that_lacks_a_key_or_a_day_is_refused(
    copied: Copied, key: str, value: Any, named: str
) -> None:
    described = json.loads(copied.text("collection.json"))
    del described[key]
    copied.write("collection.json", json.dumps(described if value is ... else {**described, key: value}))
    message = refused(copied)
    assert message.startswith("collection.json lacks or misspells")
    assert named in message


def titles(*rows: Any, importing: bool = False) -> str:
    return json.dumps({"titles": list(rows), "meta": {"import_in_progress": importing}})


def test_an_import_in_progress_is_a_warning(copied: Copied) -> None:
    copied.write("titles.json", titles({"number": 14, "up_to_date_as_of": "2026-10-07"}, importing=True))
    (warning,) = load_collection(copied.folder).warnings
    assert warning.startswith("titles.json was taken while the publisher was importing")


def test_a_reserved_title_needs_no_day(copied: Copied) -> None:
    rows = ({"number": 35, "up_to_date_as_of": None}, {"number": "14", "up_to_date_as_of": "2026-09-01"})
    copied.write("titles.json", titles(*rows))
    assert load_collection(copied.folder).current_to == date(2026, 9, 1)


def test_only_titles_that_are_held_limit_the_up_to_date_day(copied: Copied) -> None:
    rows = (
        {"number": 14, "up_to_date_as_of": "2026-10-07"},
        {"number": 1, "up_to_date_as_of": "2020-01-01"},
    )
    copied.write("titles.json", titles(*rows))
    assert load_collection(copied.folder).current_to == date(2026, 10, 7)


def test_the_earliest_day_of_two_held_titles_counts(copied: Copied) -> None:
    rows = (
        {"number": 14, "up_to_date_as_of": "2026-10-07"},
        {"number": 49, "up_to_date_as_of": "2026-09-30"},
    )
    copied.write("titles.json", titles(*rows))
    copied.replace("sources.csv", "part,14,254", "part,49,254")
    assert load_collection(copied.folder).current_to == date(2026, 9, 30)


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        '{"titles": null, "meta": null}',
        titles({"number": 35, "up_to_date_as_of": "2026-10-07"}),
        titles({"number": 14, "up_to_date_as_of": None}),
    ],
)
def test_a_held_title_needs_an_up_to_date_day(copied: Copied, content: str) -> None:
    copied.write("titles.json", content)
    assert refused(copied) == "No up-to-date day is listed for title 14."


@pytest.mark.parametrize(
    "row",
    [{"number": 14}, {"up_to_date_as_of": "2026-10-07"}, "14", {"number": 14, "up_to_date_as_of": "soon"}],
)
def test_a_title_without_a_readable_day_is_refused(copied: Copied, row: Any) -> None:
    copied.write("titles.json", titles(row))
    assert refused(copied) == "titles.json: a title without a readable up_to_date_as_of."


@pytest.mark.parametrize("content", ['{"titles": 5}', '{"titles": {"14": 1}}', '{"meta": ["x"]}'])
def test_titles_of_another_form_are_refused(copied: Copied, content: str) -> None:
    copied.write("titles.json", content)
    assert refused(copied) == "titles.json is not a list of titles."


def test_collections_are_found_in_a_folder_of_them_or_as_it(copied: Copied, tmp_path: Path) -> None:
    other = tmp_path / "another"
    other.mkdir()
    (other / "collection.json").write_text("{}")
    (tmp_path / "no-collection").mkdir()
    assert find_collections(tmp_path) == (other, copied.folder)
    assert find_collections(copied.folder) == (copied.folder,)


@pytest.mark.parametrize("name", ["empty", "missing", "file"])
def test_a_folder_without_a_collection_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(SnapshotError, match="No collection of regulations in ") as caught:
        find_collections(tmp_path / name)
    assert "--regulations DIR" in caught.value.hint
