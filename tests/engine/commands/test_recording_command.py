"""`record` and `replay`: answers kept, played again, and told to be stale when anything changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from engine.answerers import prompt, quote

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run


class TestRecord:
    @pytest.fixture
    def folder(self, house: Path) -> Path:
        return house / "recordings"

    def record(self, run: Run, folder: Path, *words: str) -> None:
        done = run("record", "--out", str(folder), *words)

        assert done.code == 0
        assert done.err.startswith("recording (")

    def test_quotations_of_the_whole_set_with_the_filter_on_and_off(self, run: Run, tmp_path: Path) -> None:
        on = run("record", "--answerer", "quote", "--out", str(tmp_path))
        off = run("record", "--answerer", "quote", "--out", str(tmp_path), "--no-date-filter")

        assert on.out == f"32 answers of quote in {tmp_path / 'quote' / 'filter-on.jsonl'}\n"
        assert off.out == f"34 answers of quote in {tmp_path / 'quote' / 'filter-off.jsonl'}\n"
        assert on.err == off.err == "recording (34) …\n"

    def test_without_a_folder_they_go_to_the_users_own(self, run: Run, tmp_path: Path) -> None:
        done = run("record", "--ids", "Q02", "--method", "bm25", data=tmp_path)

        assert done.code == 0
        assert (tmp_path / "recordings" / "quote" / "filter-on.jsonl").is_file()

    @pytest.mark.parametrize("one", ["T01", "Q99", "What did the airline owe me?", ""])
    def test_only_questions_of_the_dated_set_are_recorded(self, one: str, run: Run, tmp_path: Path) -> None:
        done = run("record", "--ids", one, "--out", str(tmp_path))

        assert (done.code, done.out) == (2, "")
        assert list(tmp_path.iterdir()) == []

    def test_no_words_of_a_caller_are_taken(self, run: Run, tmp_path: Path) -> None:
        assert run("record", "What did the airline owe me?", "--out", str(tmp_path)).code == 2

    def test_nothing_to_record_is_said(self, run: Run, tmp_path: Path) -> None:
        done = run("record", "--ids", "Q01", "--out", str(tmp_path))

        assert (done.code, done.out) == (2, "")
        assert "Nothing was recorded." in done.err

    def test_recorded_answers_are_judged_as_the_live_ones(self, run: Run, folder: Path) -> None:
        self.record(run, folder)
        self.record(run, folder, "--no-date-filter")
        live = run("eval", "--answers", "--json").json
        replayed = run("eval", "--model", "quote", "--json").json

        assert replayed["outcomes"] == live["outcomes"]
        for ours, theirs in zip(replayed["answers"], live["answers"], strict=True):
            assert (ours["answerer"], ours["model"], ours["stale"]) == ("replay", "quote", [])
            for name in ("citations", "citation precision", "citation recall", "claims flagged", "by kind"):
                assert ours[name] == theirs[name]
            assert ours["milliseconds p95"] < 1000

    def test_what_was_not_recorded_is_neither_right_nor_stale(self, run: Run, folder: Path) -> None:
        self.record(run, folder, "--ids", "Q02")
        found = run("eval", "--model", "quote", "--ids", "Q02", "Q03", "--json").json
        on, off = found["answers"]

        assert found["outcomes"]["Q03 filter on"] == "no_recording"
        assert (on["failed or not recorded"], on["abstained"], on["stale"]) == (1, 0, [])
        assert (off["failed or not recorded"], off["stale"]) == (2, [])

    def test_a_changed_prompt_makes_them_stale_and_eval_says_which(
        self, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.record(run, folder, "--ids", "Q02", "Q04")
        monkeypatch.setattr(prompt, "prompt_hash", lambda: "another")
        done = run("eval", "--model", "quote", "--ids", "Q02", "Q03", "Q04")

        assert done.code == 0
        assert done.out.count("stale recordings: Q02, Q04\n") == 1
        assert "failed or not recorded           3 of 3" in done.out

    def test_another_method_or_snapshot_makes_them_stale(
        self, run: Run, folder: Path, tmp_path: Path
    ) -> None:
        self.record(run, folder, "--ids", "Q02")
        file = folder / "quote" / "filter-on.jsonl"
        (tmp_path / "settings.toml").write_text("top = 2\n", "utf-8")
        words = ("eval", "--model", "quote", "--ids", "Q02", "--json")
        assert run(*words).json["answers"][0]["stale"] == []
        assert run(*words, data=tmp_path).json["answers"][0]["stale"] == ["Q02"]

        row = json.loads(file.read_text("utf-8"))
        file.write_text(json.dumps(row | {"snapshot": "0" * 64}) + "\n", "utf-8")
        assert run(*words).json["answers"][0]["stale"] == ["Q02"]

    def test_other_words_of_the_quoting_answerer_make_its_recordings_stale(
        self, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.record(run, folder, "--ids", "Q02", "Q04", "--no-date-filter")
        words = ("eval", "--model", "quote", "--ids", "Q02", "Q04", "--no-date-filter", "--json")
        before = run(*words).json
        assert before["answers"][0]["stale"] == []
        monkeypatch.setattr(quote, "dates", lambda _: "of another day")
        after = run(*words).json

        assert after["answers"][0]["stale"] == ["Q02", "Q04"]
        assert after["outcomes"] == before["outcomes"]

    def test_a_malformed_recording_is_named_by_its_line(self, run: Run, folder: Path) -> None:
        self.record(run, folder, "--ids", "Q02")
        with (folder / "quote" / "filter-on.jsonl").open("a", encoding="utf-8") as file:
            file.write("{}\n")
        done = run("eval", "--model", "quote")

        assert (done.code, done.out) == (2, "")
        assert "filter-on.jsonl, line 2: not a recording" in done.err
