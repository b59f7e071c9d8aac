"""`questions`, `eval`, `record`: the sets, the figures and the recordings from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from engine.commands import measuring
from engine.engine import Engine

if TYPE_CHECKING:
    from conftest import FakeEncoder, Run

    from engine.index import StoredIndex
    from engine.snapshot import Collection


QUESTIONS = Path(__file__).parents[3] / "questions"
NOTE = "95 % interval of mrr"


def change(file: Path, number: int, **values: Any) -> None:
    """Replace values of one line (0-based) of a question set."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    rows[number] |= values
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


class TestQuestions:
    def test_questions_are_listed(self, run: Run) -> None:
        rows = run("questions", "--json").json

        assert [row["id"] for row in rows] == [f"Q{number:02}" for number in range(1, 35)]
        assert all(row.keys() == {"id", "kind", "as_of", "question"} for row in rows)
        assert len(run("questions").out.splitlines()) == 34
        pending = run("questions", "--kind", "pending").out.splitlines()
        assert len(pending) == 3
        assert all(" pending " in line for line in pending)

    def test_an_unknown_kind_of_question_is_refused(self, run: Run) -> None:
        done = run("questions", "--kind", "easy")

        assert (done.code, done.out) == (2, "")
        assert "absent, after, before, correction" in done.err

    def test_both_sets_are_true_to_the_texts(self, run: Run) -> None:
        done = run("questions", "validate")

        assert (done.code, done.out) == (0, "34 questions, 413 tuning, 137 heldout: 0 faults.\n")
        assert run("questions", "validate", "--json").json == {
            "questions": 34,
            "tuning": 413,
            "heldout": 137,
            "faults": [],
        }

    def test_every_kind_of_fault_is_found_in_the_set_it_stands_in(self, run: Run, house: Path) -> None:
        test, tuning = (house / "questions" / f"{name}.jsonl" for name in ("questions", "tuning"))
        change(test, 1, id="Q01", relevant=[])
        change(test, 2, keys=["\x1b\\[2J"], must_not=[])
        change(
            test, 3, relevant=[{"section": "250.5", "effective_from": "2025-01-22", "paragraph": "(a)(2)"}]
        )
        change(tuning, 4, relevant=[{"section": "9.9", "effective_from": "2025-01-22", "paragraph": ""}])
        change(tuning, 5, must_not=["."])
        row = json.loads(test.read_text("utf-8").splitlines()[0])
        change(tuning, 6, question=row["question"], as_of=row["as_of"], relevant=[])
        done = run("questions", "validate")

        assert done.code == 3
        lines = done.out.splitlines()
        assert "questions: Q01: the id stands twice" in lines
        assert r"questions: Q03: the key '\x1b\\[2J' does not match the reference answer" in lines
        assert "questions: Q04: 250.5(a)(2) of 2025-01-22 is not in force on 2022-06-10" in lines
        assert "tuning: T05: no passage 9.9 of 2025-01-22" in lines
        assert "tuning: T06: the forbidden '.' matches the reference answer" in lines
        assert "T07 stands in questions and in tuning" in lines
        assert lines[-1] == "8 questions, 8 tuning, 8 heldout: 6 faults."
        as_json = run("questions", "validate", "--json")
        assert (as_json.code, len(as_json.json["faults"])) == (3, 6)

    def test_a_later_version_that_is_not_later_is_found(self, run: Run, house: Path) -> None:
        place = {"section": "250.5", "effective_from": "2021-08-02", "paragraph": "(a)(2)"}
        change(house / "questions" / "tuning.jsonl", 4, later=[place], scope=[place])
        done = run("questions", "validate")

        assert done.code == 3
        assert "tuning: T05: later belongs to absent, not to " in done.out

    def test_a_field_that_is_not_known_is_an_error(self, run: Run, house: Path) -> None:
        change(house / "questions" / "tuning.jsonl", 4, latter=[])
        done = run("questions", "validate")

        assert (done.code, done.out) == (2, "")
        assert "tuning.jsonl, line 5: not a question: unknown fields latter." in done.err

    def test_a_malformed_line_is_named(self, run: Run, house: Path) -> None:
        (house / "questions" / "tuning.jsonl").write_text("{}\n", "utf-8")
        done = run("questions", "validate")

        assert (done.code, done.out) == (2, "")
        assert "tuning.jsonl, line 1: not a question" in done.err

    def test_validate_takes_no_kind(self, run: Run) -> None:
        done = run("questions", "validate", "--kind", "dated")

        assert (done.code, done.out) == (2, "")


class TestSearch:
    def test_by_keywords_with_the_filter_on_and_off(self, run: Run) -> None:
        done = run("eval")
        header, on, on_note, off, off_note = done.out.splitlines()

        assert done.code == 0
        assert header.split()[:3] == ["method", "filter", "hit@5"]
        assert (on.split()[:2], off.split()[:2]) == (["bm25", "on"], ["bm25", "off"])
        assert on_note.strip().startswith("0 of 130 places not in force, other version first 0;")
        assert NOTE in off_note
        # Two runs over the 26 questions that have passages.
        assert done.err == "searching (52) …\n"

    def test_json_is_the_whole_of_standard_output(self, run: Run) -> None:
        found = run("eval", "--ids", "Q02", "Q04,Q01", "--json").json

        assert (found["set"], found["questions"]) == ("questions", 3)
        assert found["snapshot"].startswith("us-14-cfr, up to date to 2026-10-07, sum ")
        assert [(row["method"], row["date_filter"], row["questions"]) for row in found["retrieval"]] == [
            ("bm25", True, 2),
            ("bm25", False, 2),
        ]
        assert found["answers"] == []

    def test_one_question_of_the_tuning_set(self, run: Run) -> None:
        found = run("eval", "--set", "tuning", "--ids", "T01", "--no-date-filter", "--json").json

        assert (found["set"], found["questions"]) == ("tuning", 1)
        assert [row["date_filter"] for row in found["retrieval"]] == [False]

    def test_with_a_model_every_method_is_measured_or_the_named_one(
        self,
        collection: Collection,
        embedded: StoredIndex,
        fake_encoder: FakeEncoder,
        run: Run,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        engine = Engine(collection, embedded, encoder=fake_encoder)
        monkeypatch.setattr(measuring, "open_for", lambda _: engine)
        words = ("eval", "--ids", "Q02", "--json")

        every = run(*words).json["retrieval"]
        assert [row["method"] for row in every] == ["bm25", "dense", "hybrid", "rerank"] * 2
        named = run(*words, "--method", "dense").json["retrieval"]
        assert [row["method"] for row in named] == ["dense"] * 2
        answers = run(*words, "--answers", "--method", "dense").json["answers"]
        assert [row["method"] for row in answers] == ["dense"] * 2

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--ids", "Q99"], "There is no question Q99."),
            (["--ids", "Q01,T01"], "There is no question T01."),
            (["--ids", ","], "--ids names no question."),
            (["--set", "mine"], "'mine'"),
            (["--method", "magic"], "'magic'"),
            (["--report", "report.json"], "ends in .md"),
            (["--report", "."], "ends in .md"),
            (["--model", "nobody"], "There are no recordings of nobody."),
        ],
    )
    def test_what_cannot_be_measured_is_a_usage_error(self, words: list[str], said: str, run: Run) -> None:
        done = run("eval", *words)

        assert (done.code, done.out) == (2, "")
        assert said in done.err

    def test_a_method_without_its_model_is_an_error(self, run: Run) -> None:
        assert run("eval", "--method", "dense").code == 3


class TestAnswers:
    def test_quotations_are_judged_by_kind(self, run: Run) -> None:
        done = run("eval", "--answers")

        assert done.code == 0
        assert done.err == "asking (68) …\n"
        assert "\nquote, bm25, filter on\n" in done.out
        assert "\nquote, bm25, filter off\n" in done.out
        assert "  before       2 of 2 right\n" in done.out
        on = done.out.partition("filter off")[0]
        assert "failed or not recorded           0 of 34\n" in on
        assert "claims flagged                   0 of " in on

    def test_every_citation_with_the_filter_on_is_of_the_right_version(self, run: Run) -> None:
        on, off = run("eval", "--answers", "--json").json["answers"]

        assert on["citations of the right version"] == on["citations"] > 0
        assert off["citations of the right version"] < off["citations"]
        assert "cost a question" not in on

    def test_outcomes_name_question_and_filter(self, run: Run) -> None:
        found = run("eval", "--answers", "--ids", "Q01", "Q07", "--json").json

        assert found["outcomes"].keys() == {
            f"{one} filter {state}" for one in ("Q01", "Q07") for state in ("on", "off")
        }
        assert (found["outcomes"]["Q01 filter on"], found["outcomes"]["Q01 filter off"]) == (
            "right",
            "shown but wrong",
        )
        assert found["retrieval"] == []

    def test_a_price_in_the_settings_becomes_a_cost(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "settings.toml").write_text("price_in = 2\n", "utf-8")
        words = ("eval", "--answers", "--ids", "Q02", "--no-date-filter", "--json")
        (found,) = run(*words, data=tmp_path).json["answers"]

        # The quoting answerer counts no tokens.
        assert found["cost a question"] == 0.0


class TestReport:
    def test_markdown_json_and_picture_stand_side_by_side(self, run: Run, tmp_path: Path) -> None:
        target = tmp_path / "docs" / "search.md"
        done = run("eval", "--ids", "Q02", "--report", str(target))

        assert done.code == 0
        assert done.err.endswith(f"written: {target} and beside it\n")
        assert sorted(path.name for path in target.parent.iterdir()) == [
            "search.json",
            "search.md",
            "search.svg",
        ]
        assert "![recall at k](search.svg)" in target.read_text("utf-8")
        drawn = etree.fromstring(target.with_suffix(".svg").read_bytes())
        assert len(drawn.findall("{http://www.w3.org/2000/svg}polyline")) == 2
        written = json.loads(target.with_suffix(".json").read_text("utf-8"))
        assert written == run("eval", "--ids", "Q02", "--json").json

    def test_answers_have_no_picture(self, run: Run, tmp_path: Path) -> None:
        target = tmp_path / "answers.md"
        run("eval", "--answers", "--ids", "Q02", "--report", str(target), "--json")

        assert not target.with_suffix(".svg").exists()
        text = target.read_text("utf-8")
        assert "| answerable right | " in text
        assert " of 1 (" in text

    def test_a_place_that_cannot_be_written_to_is_named(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        done = run("eval", "--ids", "Q02", "--report", str(tmp_path / "file" / "a.md"))

        assert (done.code, done.out) == (2, "")
        assert "The report cannot be written" in done.err


class TestCompare:
    def test_two_reports_side_by_side(self, run: Run, tmp_path: Path) -> None:
        words = ("eval", "--answers", "--ids", "Q01", "Q02", "--report")
        for name in ("a.md", "b.md"):
            run(*words, str(tmp_path / name))
        changed = tmp_path / "b.json"
        report = json.loads(changed.read_text("utf-8"))
        was = report["outcomes"]["Q02 filter on"]
        report["outcomes"]["Q02 filter on"] = "\x1b[2J"
        changed.write_text(json.dumps(report), "utf-8")
        done = run("eval", "--compare", str(tmp_path / "a.json"), str(changed))

        assert (done.code, done.err) == (0, "")
        assert done.out.endswith(f"Questions whose outcome changed:\n  Q02 filter on: {was} → \\x1b[2J\n")

    def test_as_json(self, run: Run, tmp_path: Path) -> None:
        words = ("eval", "--answers", "--ids", "Q01", "Q02", "--no-date-filter", "--report")
        for name in ("a.md", "b.md"):
            run(*words, str(tmp_path / name))
        changed = tmp_path / "b.json"
        report = json.loads(changed.read_text("utf-8"))
        report["answers"][0] |= {"citations of the right version": 1.5, "milliseconds median": 1.0}
        report["outcomes"] |= {"Q02 filter off": "abstained", "Q03 filter off": "right"}
        changed.write_text(json.dumps(report), "utf-8")
        done = run("eval", "--compare", str(tmp_path / "a.json"), str(changed), "--json")

        assert (done.code, done.err) == (0, "")
        assert done.json.keys() == {"runs", "outcomes"}
        (apart,) = done.json["runs"]
        assert (apart["run"], apart["in"]) == ("quote bm25 filter off", "both")
        row = next(row for row in apart["measures"] if row["measure"] == "citations of the right version")
        assert row.keys() == {"measure", "a", "b", "difference"}
        assert row["difference"] == row["b"] - row["a"]
        assert {row["question"]: row["b"] for row in done.json["outcomes"]} == {
            "Q02 filter off": "abstained",
            "Q03 filter off": "right",
        }
        assert {"question": "Q03 filter off", "a": None, "b": "right"} in done.json["outcomes"]

    @pytest.mark.parametrize(
        "content",
        [
            None,
            b"",
            b"{",
            b"\xff",
            b"[" * 90_000,
            b"[]",
            b"5",
            b"{}",
            b'{"outcomes": []}',
            b'{"outcomes": {"Q01": "right"}, "answers": [{}]}',
            b'{"outcomes": {}, "retrieval": [{"method": "bm25"}]}',
            b'{"outcomes": {}, "retrieval": null}',
            b'{"outcomes": {}, "retrieval": [{"method": "bm25", "date_filter": true, "mrr": "high"}]}',
        ],
        ids=range(13),
    )
    @pytest.mark.parametrize("second", [True, False])
    def test_a_broken_report_is_a_usage_error(
        self, second: bool, content: bytes | None, run: Run, tmp_path: Path
    ) -> None:
        good, bad = tmp_path / "good.json", tmp_path / "bad.json"
        run_of = {"method": "bm25", "date_filter": True, "mrr": 0.5}
        good.write_text(json.dumps({"outcomes": {"Q01": "wrong"}, "retrieval": [run_of]}), "utf-8")
        if content is not None:
            bad.write_bytes(content)
        files = (good, bad) if second else (bad, good)
        done = run("eval", "--compare", *map(str, files))

        assert (done.code, done.out) == (2, "")
        assert "bad.json" in done.err
