"""`versions`, `compare`, `chunks`, `passage`: the texts themselves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from engine.commands import texts

if TYPE_CHECKING:
    from conftest import Run

    from engine.versions import Timeline

VERSION = {
    "section",
    "heading",
    "effective_from",
    "effective_to",
    "status",
    "pending",
    "change",
    "words",
    "url",
}


def test_versions_of_a_section_keep_the_contract(run: Run) -> None:
    rows = run("versions", "254.4", "--json").json

    assert all(row.keys() >= VERSION for row in rows)
    assert [row["words"] for row in rows] == [71, 83, 71, 83, 71]
    assert [row["change"] for row in rows] == ["first", "notice", "text", "notice", "text"]
    assert [row["status"] for row in rows] == ["ended"] * 4 + ["in_force_at_end"]
    assert [row["effective_to"] for row in rows[:-1]] == [
        "2021-01-12",
        "2021-04-12",
        "2024-10-23",
        "2025-01-21",
    ]
    assert rows[-1]["effective_to"] is None
    assert [row["pending"] is None for row in rows] == [True, False, True, False, True]
    assert rows[0]["effective_from_origin"] == "at_or_before"
    assert rows[0]["url"] == "https://www.ecfr.gov/on/2017-01-01/title-14/section-254.4"


def test_versions_of_all_sections(run: Run) -> None:
    rows = run("versions", "--json").json

    assert len(rows) == 44
    assert len({row["section"] for row in rows}) == 18
    assert {row["status"] for row in rows} >= {"reserved", "ended", "in_force_at_end"}


@pytest.mark.parametrize("reference", ["250.5", "§ 250.5", "14 CFR 250.5(a)(2)", "14 C.F.R. Sec. 250.5"])
def test_a_section_is_found_by_every_way_to_cite_it(reference: str, run: Run) -> None:
    assert {row["section"] for row in run("versions", reference, "--json").json} == {"250.5"}


@pytest.mark.parametrize(
    ("section", "day", "standing", "first"),
    [
        ("250.5", "2022-06-10", "in_force", "2021-08-02"),
        ("250.5", "2015-03-10", "not_held", None),
        ("250.5", "2027-02-15", "after", "2025-01-22"),
        ("250.7", "2020-06-01", "in_force", "2017-01-01"),
    ],
)
def test_standing_on_a_day(section: str, day: str, standing: str, first: str | None, run: Run) -> None:
    row = run("versions", section, "--as-of", day, "--json").json

    assert row.keys() == {"section", "as_of", "standing", "version"}
    assert (row["section"], row["as_of"], row["standing"]) == (section, day, standing)
    assert (row["version"] and row["version"]["effective_from"]) == first
    assert day in run("versions", section, "--as-of", day).out


def test_standing_of_every_section(run: Run) -> None:
    rows = run("versions", "--as-of", "2022-06-10", "--json").json

    assert len(rows) == 18
    assert {row["standing"] for row in rows} == {"in_force"}
    assert len(run("versions", "--as-of", "2022-06-10").out.splitlines()) == 18


@pytest.fixture
def came_and_went(timelines: dict[str, Timeline]) -> Timeline:
    """§ 254.4 as if its first version had come late and its second had been removed."""
    line = timelines["254.4"]
    return type(line)(line.title, line.section, line.versions[2::2], line.held_from, line.current_to)


@pytest.mark.parametrize(
    ("day", "standing", "said"),
    [
        ("2020-06-01", "not_yet", "not there yet, version 2021-04-13 to 2024-10-23"),
        ("2024-12-01", "gap", "removed, not there on that day"),
    ],
)
def test_standing_before_a_section_came_and_after_it_went(
    day: str,
    standing: str,
    said: str,
    came_and_went: Timeline,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = SimpleNamespace(timelines_of=lambda _: (came_and_went,))
    monkeypatch.setattr(texts, "open_for", lambda *_, **__: stub)

    assert run("versions", "254.4", "--as-of", day, "--json").json["standing"] == standing
    assert said in run("versions", "254.4", "--as-of", day).out
    compared = run("compare", "254.4", "2022-06-10", day, "--json")
    assert (compared.code, compared.out) == (1, "")
    assert said in compared.err


def test_versions_as_text_show_days_change_and_what_is_pending(run: Run) -> None:
    out = run("versions", "254.4").out

    assert out.splitlines()[0].startswith("14 CFR 254.4  § 254.4")
    assert "held from 2017-01-01 to 2021-01-12" in out
    assert out.count("! amendment pending") == 2


def test_versions_as_text_show_the_notes_on_a_version(run: Run) -> None:
    assert "placeholder" in run("versions", "250.7").out


@pytest.mark.parametrize("words", [[""], ["", "--as-of", "2022-06-10"], ["999.1"], ["250.55"], ["\x1b[31m"]])
def test_an_unknown_section_is_a_usage_error_that_names_those_held(words: list[str], run: Run) -> None:
    for command in ("versions", "chunks"):
        if command == "chunks" and len(words) > 1:
            continue
        done = run(command, *words, "--json")

        assert (done.code, done.out) == (2, "")
        assert "There is no section" in done.err
        assert "250.5" in done.err
        assert "\x1b" not in done.err


def test_compare_shows_the_amount_and_nothing_else(run: Run) -> None:
    done = run("compare", "254.4", "2020-01-01", "2023-01-01")

    assert done.code == 0
    assert "[-$3,500-] {+$3,800+}" in done.out
    assert done.out.count("[-") == done.out.count("{+") == 1
    assert "~~$3,500~~ **$3,800**" in run("compare", "254.4", "2020-01-01", "2023-01-01", "--markdown").out


def test_compare_as_json(run: Run) -> None:
    found = run("compare", "§ 254.4", "2020-01-01", "1 January 2023", "--json").json

    assert found.keys() == {"section", "before", "after", "change", "blocks"}
    assert (found["section"], found["change"]) == ("254.4", "text")
    assert (found["before"]["effective_from"], found["after"]["effective_from"]) == (
        "2017-01-01",
        "2021-04-13",
    )
    (block,) = found["blocks"]
    assert block.keys() == {"label", "pieces"}
    assert [piece for piece in block["pieces"] if piece["op"] != "same"] == [
        {"op": "removed", "text": "$3,500"},
        {"op": "added", "text": "$3,800"},
    ]


def test_compare_within_one_version(run: Run) -> None:
    done = run("compare", "254.4", "2022-01-01", "2023-01-01", "--json")

    assert (done.json["change"], done.json["blocks"]) == (None, [])


@pytest.mark.parametrize("days", [("2015-01-01", "2022-01-01"), ("2022-01-01", "2015-01-01")])
def test_compare_with_a_day_without_text_has_nothing_to_show(days: tuple[str, str], run: Run) -> None:
    done = run("compare", "254.4", *days)

    assert (done.code, done.out) == (1, "")
    assert "254.4 on 2015-01-01: not held: before the history" in done.err


def test_chunks_keep_the_contract(run: Run) -> None:
    rows = run("chunks", "254.4", "--json").json

    assert [row["id"] for row in rows] == [
        "db8de54f5d91",
        "cb303a8b8934",
        "e9c55bed3e23",
        "50c05ac5e1c7",
        "ef9d00e64081",
    ]
    for row in rows:
        assert row.keys() >= {"section", "effective_from", "effective_to", "position", "paragraphs"}
        assert 0 <= row["start"] < row["end"]
        assert row["words"] > 0
        assert all(block.keys() == {"kind", "label", "text"} for block in row["blocks"])
    out = run("chunks", "254.4").out.splitlines()
    assert len(out) == 5
    assert out[0].startswith("[db8de54f5d91] 14 CFR 254.4, version held from 2017-01-01")


def test_passage_by_its_id(run: Run) -> None:
    found = run("passage", "e9c55bed3e23", "--json").json

    assert found["id"] == "e9c55bed3e23"
    assert found["heading"].startswith("§ 254.4")
    assert "$3,800" in found["text"]
    assert found["text"] == "\n".join(block["text"] for block in found["blocks"])
    text = run("passage", "e9c55bed3e23").out
    assert text.startswith("[e9c55bed3e23] 14 CFR 254.4 | ")
    assert found["url"] in text


@pytest.mark.parametrize("given", ["000000000000", "", "e9c5", "\x1b[31m"])
def test_an_unknown_passage_is_a_usage_error(given: str, run: Run) -> None:
    done = run("passage", given, "--json")

    assert (done.code, done.out) == (2, "")
    assert "There is no passage" in done.err
    assert "\x1b" not in done.err
