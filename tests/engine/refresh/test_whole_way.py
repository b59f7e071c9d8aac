"""The shipped texts refreshed to ones with a further amendment, shown, accepted, asked, and put back."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from datetime import date
from typing import TYPE_CHECKING

import pytest
from fake_ecfr import CURRENT_TO, NEW_DAY, QUESTION, SHIPPED

from engine.answerers.replay import read_recordings
from engine.engine import Engine
from engine.errors import SnapshotError, UsageError
from engine.ingest import ingest
from engine.opening import collections_of, open_collection, open_engine
from engine.refresh.assemble import COLUMNS, sources_csv
from engine.refresh.plan import kept_files
from engine.refresh.run import undo
from engine.refresh.shown import report_text
from engine.refresh.stale import stale_questions, stale_recordings
from engine.refresh.swap import Place
from engine.refresh.target import Named, place_of
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Held, Refresh
    from fake_ecfr import FakeEcfr

    from engine.snapshot import Collection


def test_an_amendment_comes_is_shown_answers_and_can_be_undone(
    ecfr: FakeEcfr, run: Refresh, held: Held, told: list[str]
) -> None:
    before = held.state()
    ecfr.amend()

    outcome = run()

    assert outcome.applied
    (report,) = run.reports
    assert outcome.report == report
    assert [(file.part, str(file.day)) for file in report.new_days] == [
        ("250", NEW_DAY), ("250", CURRENT_TO), ("254", CURRENT_TO),
    ]  # fmt: skip
    (change,) = report.changes
    assert (change.kind, change.section, change.day) == ("amended", "250.5", date(2026, 11, 12))
    assert "$1,075" in change.amounts_before
    assert "$1,225" in change.amounts_after
    assert "[-$1,075,-] {+$1,225,+}" in report_text(report)

    assert "$1,225" in held.answer("2026-11-13")
    assert "$1,075" in held.answer("2026-11-11")
    renewed = load_collection(held.folder)
    assert renewed.current_to == date(2026, 11, 20)
    assert renewed.warnings == ()

    undo(place_of(run.named), told.append, stands_in=False)
    assert held.state() == before
    assert "$1,225" not in held.answer("2026-11-13")

    undo(place_of(run.named), told.append, stands_in=False)
    assert load_collection(held.folder).sha256 == renewed.sha256


def test_what_lies_beside_the_collection_is_kept(ecfr: FakeEcfr, run: Refresh, held: Held) -> None:
    ecfr.amend()
    run()
    for ending in ("notes.jsonl", "notes.sha256", "words.toml"):
        name = f"us-14-cfr.{ending}"
        assert (held.parent / name).read_bytes() == (SHIPPED.parent / name).read_bytes()


def test_the_manifests_say_where_each_file_comes_from(
    ecfr: FakeEcfr, run: Refresh, held: Held, url: str
) -> None:
    ecfr.amend()
    run()
    with (held.folder / "sources.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}

    new = rows[f"part-250_{NEW_DAY}.xml"]
    assert tuple(new) == COLUMNS
    assert new["origin"] == "fetched"
    assert new["url"] == f"{url}/api/versioner/v1/full/{NEW_DAY}/title-14.xml?part=250"
    assert new["note"].startswith("the publisher's bytes, fetched on 2026-11-21 from 127.0.0.1:")
    assert rows["part-250_2025-01-22.xml"]["origin"] == "rebuilt"
    assert rows["titles.json"]["origin"] == "fetched"
    assert (held.folder / "collection.json").read_bytes() == (SHIPPED / "collection.json").read_bytes()


def test_the_table_of_sources_is_written_as_it_was_read(collection: Collection) -> None:
    assert sources_csv(collection.files) == (SHIPPED / "sources.csv").read_bytes()


def test_the_copy_of_a_former_day_goes_when_it_says_nothing_of_its_own(
    ecfr: FakeEcfr, run: Refresh, held: Held
) -> None:
    run()
    assert run.reports[0].gone == ("part-250_2026-10-07.xml", "part-254_2026-10-07.xml")
    assert run.reports[0].changes == ()
    ecfr.current_to = "2026-11-23"
    run()
    # The rebuilt text was fetched as it is: what came on 2026-11-20 said nothing new either.
    assert not (held.folder / "part-250_2026-11-20.xml").exists()
    assert (held.folder / "part-250_2026-11-23.xml").exists()


def test_a_first_copy_is_kept_whatever_the_list_says(collection: Collection) -> None:
    first = collection.of_kind("part")[0]
    newer = [file for file in collection.files if file.kind == "part" and file.part == "250"][-1]
    kept = kept_files(collection, [newer], {})
    assert first in kept


def test_texts_that_are_up_to_date_cost_one_request(ecfr: FakeEcfr, run: Refresh, held: Held) -> None:
    ecfr.current_to = "2026-10-07"
    outcome = run()
    assert outcome.report is None
    assert not outcome.applied
    assert len(ecfr.requests) == 1
    assert not Place(held.folder).work.exists()


def test_a_publisher_behind_what_is_held_is_not_followed(ecfr: FakeEcfr, run: Refresh) -> None:
    ecfr.current_to = "2026-10-06"
    with pytest.raises(UsageError, match="up to date to 2026-10-06, the held ones to 2026-10-07"):
        run()


class TestAReport:
    def test_names_new_removed_and_reworded_sections(self, ecfr: FakeEcfr, run: Refresh) -> None:
        text = ecfr.text("250", NEW_DAY).decode()
        before, mark, rest = text.partition('<DIV8 N="250.8"')
        gone, end, after = rest.partition("</DIV8>")
        added = (mark + gone).replace("250.8", "250.12") + end
        ecfr.copies["250"][NEW_DAY] = (before + after.replace("</DIV5>", f"{added}</DIV5>")).encode()
        ecfr.list("250", "250.8", NEW_DAY, removed=True)
        ecfr.list("250", "250.12", NEW_DAY)
        run()

        (report,) = run.reports
        changes = {change.section: change for change in report.changes}
        assert {name: change.kind for name, change in changes.items()} == {
            "250.8": "removed",
            "250.12": "new",
        }
        assert changes["250.8"].day == date(2026, 11, 12)
        assert changes["250.8"].comparison is None
        said = report_text(report)
        assert "14 CFR 250.8: is removed on 2026-11-12" in said
        assert "14 CFR 250.12: a new section, from 2026-11-12" in said

    def test_names_questions_and_recordings_that_become_stale(self, ecfr: FakeEcfr, run: Refresh) -> None:
        # From a day on which a question of the tuning set stands, after the held up-to-date day.
        ecfr.amend(day="2026-10-15")
        run()

        (report,) = run.reports
        why = {question.id: question.why for question in report.questions}
        assert "2026-11-01 was after the up-to-date day and is inside the days held" in why["T136"]
        files = {row.file: row for row in report.recordings}
        recorded = len(read_recordings(SHIPPED.parents[1] / "recordings" / "quote" / "filter-on.jsonl"))
        assert files["quote/filter-on.jsonl"].recorded == recorded
        assert f"quote/filter-on.jsonl: {recorded} answers of quote" in report_text(report)

    def test_a_changed_passage_makes_its_questions_and_answers_stale(self, held: Held) -> None:
        before = open_engine(data=held.data, models=False)
        path = held.folder / "part-250_2021-08-02.xml"
        altered = path.read_bytes().replace(b"$775", b"$785 or rather less than that")
        _reseal(held.folder, path.name, altered)
        renewed = load_collection(held.folder)
        after = Engine(renewed, ingest(renewed).index)
        root = SHIPPED.parents[1]
        sets = [root / "questions" / "questions.jsonl", root / "questions" / "none.jsonl"]

        questions = stale_questions(before, after, sets)
        assert "Q04" in {question.id for question in questions}
        assert any("the words of 250.5(a)" in question.why for question in questions)
        rows = stale_recordings(before, after, [root / "recordings"], ())
        assert "Q04" in next(row.outdated for row in rows if row.file == "quote/filter-on.jsonl")

    def test_what_was_useless_before_is_not_said_to_become_stale(self, held: Held, tmp_path: Path) -> None:
        engine = open_engine(held.parent, held.data, models=False)
        (tmp_path / "quote").mkdir()
        (tmp_path / "quote" / "broken.jsonl").write_text("{", "utf-8")
        assert stale_recordings(engine, engine, [tmp_path], ()) == ()
        row = {"id": "X1", "kind": "stable", "as_of": "2022-06-10", "question": "?", "reference": "?"}
        place = {"section": "250.99", "effective_from": "2021-08-02", "paragraph": "(a)"}
        row |= {"relevant": [place], "keys": [], "must_not": [], "needs": "amount"}
        (tmp_path / "mine.jsonl").write_text(json.dumps(row), "utf-8")
        assert stale_questions(engine, engine, [tmp_path / "mine.jsonl"]) == ()


def _reseal(folder: Path, name: str, data: bytes) -> None:
    """Put other bytes into a file and bring the manifests up to it."""
    old = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / name).write_bytes(data)
    for manifest in ("sources.csv", "SHA256SUMS"):
        text = (folder / manifest).read_text("utf-8")
        rows = [
            row.replace(old, hashlib.sha256(data).hexdigest()) if name in row else row
            for row in text.splitlines(keepends=True)
        ]
        (folder / manifest).write_text("".join(rows), "utf-8", newline="")
    sums = folder / "SHA256SUMS"
    listed = hashlib.sha256((folder / "sources.csv").read_bytes()).hexdigest()
    rows = [
        f"{listed}  sources.csv\n" if row.endswith("  sources.csv\n") else row
        for row in sums.read_text("utf-8").splitlines(keepends=True)
    ]
    sums.write_text("".join(rows), "utf-8", newline="")


class TestTheShippedTexts:
    """They are never altered: their renewed form lies in the user's data folder and is used instead."""

    @pytest.fixture
    def shipped(self, held: Held, monkeypatch: pytest.MonkeyPatch) -> Path:
        original = SHIPPED.parents[1]
        monkeypatch.setattr(
            "engine.paths.shipped",
            lambda name: held.parent if name == "regulations" else original / name,
        )
        return held.folder

    @pytest.fixture
    def named(self, held: Held) -> Named:
        return Named(data=held.data)

    def test_go_into_the_data_folder_and_are_used_from_there(
        self, shipped: Path, named: Named, ecfr: FakeEcfr, run: Refresh, held: Held, told: list[str]
    ) -> None:
        before = held.state()
        ecfr.amend()
        run(named=named)

        own = held.data / "regulations" / "us-14-cfr"
        assert held.state() == before
        assert open_collection(data=held.data).folder == own
        engine = open_engine(data=held.data, models=False)
        assert engine.collection.folder == own
        # Everyday words and notes are still the shipped ones.
        assert engine.notes
        assert engine.words.topics
        assert "$1,225" in engine.ask(QUESTION, date(2026, 11, 15)).answer

        undo(place_of(named), told.append, stands_in=True)
        assert open_collection(data=held.data).folder == shipped
        assert "The shipped texts are in use again." in told[-1]
        undo(place_of(named), told.append, stands_in=True)
        assert open_collection(data=held.data).folder == own

    @pytest.mark.usefixtures("shipped")
    def test_a_second_refresh_renews_the_first(
        self, named: Named, ecfr: FakeEcfr, run: Refresh, held: Held
    ) -> None:
        run(named=named)
        ecfr.current_to = "2026-11-23"
        run(named=named)
        own = held.data / "regulations" / "us-14-cfr"
        assert load_collection(own).current_to == date(2026, 11, 23)
        assert load_collection(Place(own).previous).current_to == date(2026, 11, 20)

    def test_later_ones_of_a_new_program_are_used_again(
        self, shipped: Path, named: Named, ecfr: FakeEcfr, run: Refresh, held: Held
    ) -> None:
        run(named=named)
        own = held.data / "regulations" / "us-14-cfr"
        shutil.rmtree(shipped)
        ecfr.current_to = "2026-11-23"
        own.rename(shipped)
        shutil.copytree(SHIPPED, own)
        assert collections_of(data=held.data) == (shipped,)

    def test_a_damaged_one_of_ones_own_says_what_to_do(
        self, shipped: Path, named: Named, run: Refresh, held: Held, told: list[str]
    ) -> None:
        run(named=named)
        own = held.data / "regulations" / "us-14-cfr"
        (own / "titles.json").write_bytes(b"{}")
        with pytest.raises(SnapshotError, match=r"titles\.json is not the listed file") as caught:
            open_collection(data=held.data)
        assert "refresh --undo" in caught.value.hint
        undo(place_of(named), told.append, stands_in=True)
        assert open_collection(data=held.data).folder == shipped

    def test_without_a_home_folder_they_are_used(
        self, shipped: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def homeless(_: object) -> Path:
            raise UsageError("There is no home folder.")

        monkeypatch.setattr("engine.paths.data_folder", homeless)
        assert collections_of() == (shipped,)


class TestUndo:
    def test_without_an_earlier_one_says_so(self, run: Refresh) -> None:
        with pytest.raises(UsageError, match="no earlier collection is kept"):
            undo(place_of(run.named), lambda _: None, stands_in=False)

    def test_never_puts_a_damaged_one_back(self, run: Refresh, held: Held) -> None:
        run()
        (Place(held.folder).previous / "titles.json").unlink()
        now = held.state()
        with pytest.raises(SnapshotError, match=r"titles\.json is listed"):
            undo(place_of(run.named), lambda _: None, stands_in=False)
        assert held.state() == now
