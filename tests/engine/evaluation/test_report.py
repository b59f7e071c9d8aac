"""The figures for readers: as text, as Markdown with a picture, and two reports side by side."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from lxml import etree

from engine.evaluation.answers import AnswerRun, JudgedAnswer
from engine.evaluation.report import ANSWER_ROWS, RETRIEVAL_COLUMNS, as_markdown, as_svg, as_text, compared
from engine.evaluation.retrieval import RankedQuestion, RetrievalRun

SVG = "{http://www.w3.org/2000/svg}"
FOUND = RankedQuestion("X1", "dated", ((False,), (True,)), 1, 2, other_version_first=True)
SAID = JudgedAnswer(
    id="X1",
    kind="dated",
    status="answered",
    right=True,
    shown_but_wrong=False,
    cited=2,
    cited_in_force=1,
    cited_relevant=1,
    wanted=1,
    wanted_cited=1,
    claims=2,
    flagged=1,
    milliseconds=12.5,
    tokens_in=300,
    tokens_out=40,
    answer="$775",
)


def ranked(method: str, *, date_filter: bool) -> dict[str, Any]:
    return RetrievalRun(method, date_filter, (FOUND,)).figures()


def answered(model: str | None, *, date_filter: bool = True, stale: tuple[str, ...] = ()) -> dict[str, Any]:
    rows = (SAID, replace(SAID, id="X2", kind="absent", right=False, shown_but_wrong=True))
    return AnswerRun("replay" if model else "quote", model, "bm25", date_filter, rows, stale).figures()


@pytest.fixture
def report() -> dict[str, Any]:
    return {
        "set": "questions",
        "questions": 2,
        "snapshot": "us-14-cfr, up to date to 2026-10-07, sum 0123",
        "retrieval": [
            ranked(method, date_filter=on) for on in (True, False) for method in ("bm25", "<dense>")
        ],
        "answers": [answered(None), answered("small-1", date_filter=False, stale=("X2",))],
        "outcomes": {"X1 filter on": "right", "X2 filter on": "shown but wrong"},
    }


class TestText:
    def test_search_has_a_line_of_measures_and_one_of_what_went_wrong(self, report: dict[str, Any]) -> None:
        lines = as_text(report).splitlines()

        assert lines[0].split() == ["method", "filter", *RETRIEVAL_COLUMNS]
        assert lines[1].split() == [
            "bm25",
            "on",
            "1.000",
            "0.000",
            "1.000",
            "1.000",
            "1.000",
            "0.200",
            "0.500",
        ]
        assert lines[2].strip() == (
            "1 of 2 places not in force, other version first 1; 95 % interval of mrr 0.500 to 0.500"
        )
        assert [line.split()[:2] for line in lines[1:8:2]] == [
            ["bm25", "on"],
            ["<dense>", "on"],
            ["bm25", "off"],
            ["<dense>", "off"],
        ]

    def test_answers_have_a_block_a_run_with_whole_and_interval(self, report: dict[str, Any]) -> None:
        text = as_text(report)

        assert "\nquote, bm25, filter on\n" in text
        assert "\nreplay small-1, bm25, filter off\n" in text
        assert "answerable right                 1 of 1 (1.00 to 1.00)\n" in text
        assert "shown but wrong                  1 of 2\n" in text
        assert "citations of the right version   2 of 4\n" in text
        assert "milliseconds median              12.5\n" in text
        assert "dated        1 of 1 right\n" in text
        assert "absent       0 of 1 right\n" in text
        assert text.endswith("  stale recordings: X2")
        assert text.count("stale") == 1
        assert "cost" not in text

    def test_a_report_of_one_part_shows_that_part(self, report: dict[str, Any]) -> None:
        assert "mrr" not in as_text(report | {"retrieval": []})
        assert "answerable" not in as_text(report | {"answers": []})


class TestMarkdown:
    def test_tables_and_picture(self, report: dict[str, Any]) -> None:
        lines = as_markdown(report, "report.svg").splitlines()

        assert lines[:3] == [
            "# Evaluation: questions",
            "",
            "2 questions. us-14-cfr, up to date to 2026-10-07, sum 0123.",
        ]
        assert "![recall at k](report.svg)" in lines
        row = (
            "| bm25 | on | 1.000 | 0.000 | 1.000 | 1.000 | 1.000 | 0.200 | 0.500 | 0.500 to 0.500 | 1 of 2 |"
        )
        assert any(line.startswith(row) for line in lines)
        assert "| right, dated | 1 of 1 | 1 of 1 |" in lines
        assert "Stale recordings of small-1, filter off: X2." in lines
        assert "| | quote, filter on | small-1, filter off |" in lines
        assert "| answerable right | 1 of 1 (1.00 to 1.00) | 1 of 1 (1.00 to 1.00) |" in lines

    def test_every_table_has_rows_of_one_width(self, report: dict[str, Any]) -> None:
        text = as_markdown(report)

        assert "![" not in text
        for table in text.split("\n\n"):
            widths = {line.count("|") for line in table.splitlines() if line.startswith("|")}
            assert len(widths) <= 1

    def test_a_measure_that_one_run_lacks_is_an_empty_cell(self, report: dict[str, Any]) -> None:
        report["answers"][0]["cost a question"] = 0.002

        assert "| cost a question | 0.002 |  |" in as_markdown(report)

    def test_a_report_of_one_part_shows_that_part(self, report: dict[str, Any]) -> None:
        assert "| method |" not in as_markdown(report | {"retrieval": []})
        assert "answerable" not in as_markdown(report | {"answers": []})
        assert as_markdown(report | {"answers": []}).endswith("|\n")

    def test_a_kind_that_one_run_lacks_counts_nothing(self, report: dict[str, Any]) -> None:
        del report["answers"][0]["by kind"]["absent"]
        assert "| right, absent | 0 of 0 | 0 of 1 |" in as_markdown(report)


class TestPicture:
    def test_it_is_xml_with_one_line_a_run(self, report: dict[str, Any]) -> None:
        drawn = etree.fromstring(as_svg(report).encode())
        lines = drawn.findall(f"{SVG}polyline")

        assert drawn.tag == f"{SVG}svg"
        assert len(lines) == len(report["retrieval"]) == 4
        assert [line.get("stroke-dasharray") is None for line in lines] == [True, True, False, False]
        assert [line.get("stroke") for line in lines[:2]] == [line.get("stroke") for line in lines[2:]]
        assert "<dense>" in [text.text for text in drawn.findall(f"{SVG}text")]

    def test_points_stand_where_recall_is(self, report: dict[str, Any]) -> None:
        (line, *_) = etree.fromstring(as_svg(report).encode()).findall(f"{SVG}polyline")
        points = [tuple(map(float, point.split(","))) for point in str(line.get("points")).split()]

        # Recall is 0 at 1 and 1 at 3, 5 and 10: the plot is 450 wide from 60 on, and 300 high from 20 on.
        assert points == [(60.0, 320.0), (160.0, 20.0), (260.0, 20.0), (510.0, 20.0)]


class TestCompared:
    def test_equal_reports_differ_in_nothing(self, report: dict[str, Any]) -> None:
        assert compared(report, copy.deepcopy(report)).split() == ["A", "B", "B", "-", "A"]

    def test_differences_changed_outcomes_and_what_is_only_in_b(self, report: dict[str, Any]) -> None:
        other = copy.deepcopy(report)
        other["retrieval"][0] |= {"mrr": 0.75, "places not in force": 0}
        other["answers"][0] |= {"shown but wrong": 0, "questions": 3}
        other["answers"].append(answered("small-2"))
        other["outcomes"] |= {"X2 filter on": "right", "X3 filter on": "abstained"}
        lines = compared(report, other).splitlines()

        assert [line.split() for line in lines[1:4]] == [
            ["bm25", "filter", "on", "mrr", "0.500", "0.750", "+0.250"],
            ["bm25", "filter", "on", "places", "not", "in", "force", "1.000", "0.000", "-1.000"],
            ["quote", "bm25", "filter", "on", "shown", "but", "wrong", "1.000", "0.000", "-1.000"],
        ]
        assert lines[4:] == [
            "small-2 bm25 filter on: only in B",
            "Questions whose outcome changed:",
            "  X2 filter on: shown but wrong → right",
            "  X3 filter on: not asked → abstained",
        ]

    def test_a_recorded_run_is_compared_with_a_live_one_of_the_same_name(
        self, report: dict[str, Any]
    ) -> None:
        live, recorded = ({**report, "answers": [answered(name)]} for name in (None, "quote"))

        assert "only in B" not in compared(live, recorded)

    def test_a_part_that_a_report_lacks_is_no_difference(self, report: dict[str, Any]) -> None:
        searched = {"outcomes": {}, "retrieval": report["retrieval"]}

        assert "only in B" in compared(searched, report)
        assert len(compared(report, searched).splitlines()) == 1


def test_every_measure_of_a_run_is_one_that_is_shown() -> None:
    counted = answered("small-1").keys() - set(ANSWER_ROWS)

    assert counted == {
        "answerer",
        "model",
        "method",
        "date_filter",
        "questions",
        "answerable",
        "answerable right interval",
        "no-answer",
        "no-answer right interval",
        "citations",
        "claims",
        "by kind",
        "stale",
    }
