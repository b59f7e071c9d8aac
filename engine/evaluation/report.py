"""The figures as a table, as Markdown with recall curves, and side by side with another run's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from engine.evaluation.retrieval import CUTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    Figures = Mapping[str, Any]

RETRIEVAL_COLUMNS = ("hit@5", "recall@1", "recall@3", "recall@5", "recall@10", "precision@5", "mrr")
ANSWER_ROWS = (
    "answerable right",
    "abstained",
    "no-answer right",
    "shown but wrong",
    "failed or not recorded",
    "citations of the right version",
    "citation precision",
    "citation recall",
    "claims flagged",
    "milliseconds median",
    "milliseconds p95",
    "tokens in",
    "tokens out",
    "cost a question",
)
_OUT_OF = {
    "answerable right": "answerable",
    "no-answer right": "no-answer",
    "abstained": "answerable",
    "shown but wrong": "questions",
    "failed or not recorded": "questions",
    "citations of the right version": "citations",
    "claims flagged": "claims",
}
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 360, 60, 40
_INK = ("#1b6ca8", "#b8432f", "#2f7d4f", "#7a4fa3")


def as_text(report: Figures) -> str:
    """The tables for a terminal."""
    lines: list[str] = []
    if report.get("retrieval"):
        lines.append(f"{'method':8} {'filter':6} " + " ".join(f"{name:>11}" for name in RETRIEVAL_COLUMNS))
        for run in report["retrieval"]:
            cells = " ".join(f"{run[name]:11.3f}" for name in RETRIEVAL_COLUMNS)
            lines.append(f"{run['method']:8} {_filter(run):6} {cells}")
            low, high = run["mrr interval"]
            lines.append(
                f"{'':15} {run['places not in force']} of {run['places']} places not in force, other version "
                f"first {run['other version first']}; 95 % interval of mrr {low:.3f} to {high:.3f}"
            )
    for run in report.get("answers", ()):
        who = " ".join(filter(None, (run["answerer"], run["model"])))
        lines += ["", f"{who}, {run['method']}, filter {_filter(run)}"]
        lines += [f"  {name:32} {_cell(run, name)}" for name in ANSWER_ROWS if name in run]
        for kind, counted in run["by kind"].items():
            lines.append(f"  {kind:12} {counted['right']} of {counted['questions']} right")
        if run["stale"]:
            lines.append(f"  stale recordings: {', '.join(run['stale'])}")
    return "\n".join(lines)


def as_markdown(report: Figures, picture: str = "") -> str:
    """The same as Markdown; `picture` is the name of the file with the recall curves."""
    lines = [
        f"# Evaluation: {report['set']}",
        "",
        f"{report['questions']} questions. {report['snapshot']}.",
        "",
    ]
    if report.get("retrieval"):
        last = ("mrr, 95 % interval", "places not in force", "other version first")
        lines += [f"| method | filter | {' | '.join((*RETRIEVAL_COLUMNS, *last))} |"]
        lines += ["|---" * (len(RETRIEVAL_COLUMNS) + len(last) + 2) + "|"]
        for run in report["retrieval"]:
            cells = " | ".join(f"{run[name]:.3f}" for name in RETRIEVAL_COLUMNS)
            low, high = run["mrr interval"]
            places = f"{run['places not in force']} of {run['places']}"
            tail = f"{low:.3f} to {high:.3f} | {places} | {run['other version first']}"
            lines.append(f"| {run['method']} | {_filter(run)} | {cells} | {tail} |")
        lines += ["", f"![recall at k]({picture})", ""] if picture else [""]
    if report.get("answers"):
        runs = report["answers"]
        names = [f"{run['model'] or run['answerer']}, filter {_filter(run)}" for run in runs]
        lines += ["| | " + " | ".join(names) + " |", "|---" * (len(runs) + 1) + "|"]
        for name in ANSWER_ROWS:
            if any(name in run for run in runs):
                cells = " | ".join(_cell(run, name) if name in run else "" for run in runs)
                lines.append(f"| {name} | {cells} |")
        for kind in dict.fromkeys(kind for run in runs for kind in run["by kind"]):
            counted = (run["by kind"].get(kind, {"right": 0, "questions": 0}) for run in runs)
            cells = " | ".join(f"{one['right']} of {one['questions']}" for one in counted)
            lines.append(f"| right, {kind} | {cells} |")
        stale = [
            f"{name}: {', '.join(run['stale'])}"
            for name, run in zip(names, runs, strict=True)
            if run["stale"]
        ]
        lines += ["", *(f"Stale recordings of {line}." for line in stale)]
    return "\n".join(lines).rstrip() + "\n"


def as_svg(report: Figures) -> str:
    """Recall at k for each method, the filter on as a line and off as a dashed one."""
    plot_width, plot_height = _WIDTH - _LEFT - 130, _HEIGHT - _BOTTOM - 20

    def at(cut: int, value: float) -> tuple[float, float]:
        return _LEFT + plot_width * (cut - 1) / (CUTS[-1] - 1), 20 + plot_height * (1 - value)

    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    parts.append('<rect width="100%" height="100%" fill="white"/>')
    for step in range(0, 11, 2):
        x, y = at(1, step / 10)
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + plot_width}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{step / 10:.1f}</text>')
    for cut in CUTS:
        x, _ = at(cut, 0)
        parts.append(f'<text x="{x}" y="{_HEIGHT - 18}" text-anchor="middle">{cut}</text>')
    parts.append(f'<text x="{_LEFT + plot_width / 2}" y="{_HEIGHT - 3}" text-anchor="middle">k</text>')
    methods = list(dict.fromkeys(run["method"] for run in report["retrieval"]))
    for run in report["retrieval"]:
        ink = _INK[methods.index(run["method"]) % len(_INK)]
        points = " ".join("{:.1f},{:.1f}".format(*at(cut, run[f"recall@{cut}"])) for cut in CUTS)
        dash = "" if run["date_filter"] else ' stroke-dasharray="5 4"'
        parts.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"{dash}/>')
    for place, method in enumerate(methods):
        y = 30 + 18 * place
        ink = _INK[place % len(_INK)]
        parts.append(f'<text x="{_WIDTH - 120}" y="{y}" fill="{ink}">{escape(method)}</text>')
    parts.append(f'<text x="{_WIDTH - 120}" y="{48 + 18 * len(methods)}">dashed: no filter</text></svg>')
    return "\n".join(parts) + "\n"


def differences(before: Figures, after: Figures) -> dict[str, Any]:
    """What sets a report B apart from A: `runs` with the measures that differ, `outcomes` that changed.

    A run is `in` both reports or in `b` alone; what A alone has is left out. A question that A did not ask
    has null.
    """
    runs: list[dict[str, Any]] = []
    for part in ("retrieval", "answers"):
        old = {_name(run): run for run in before.get(part, ())}
        for run in after.get(part, ()):
            name = _name(run)
            both = name in old
            measures = _differences(old[name], run) if both else []
            runs.append({"run": name, "in": "both" if both else "b", "measures": measures})
    asked = before.get("outcomes", {})
    outcomes = [
        {"question": name, "a": asked.get(name), "b": outcome}
        for name, outcome in after.get("outcomes", {}).items()
        if asked.get(name) != outcome
    ]
    return {"runs": runs, "outcomes": outcomes}


def compared(before: Figures, after: Figures) -> str:
    """Two reports side by side: figures that differ, and questions whose outcome changed."""
    found = differences(before, after)
    lines = [f"{'':44} {'A':>10} {'B':>10} {'B - A':>10}"]
    for run in found["runs"]:
        if run["in"] != "both":
            lines.append(f"{run['run']}: only in B")
        for row in run["measures"]:
            name = f"{run['run']} {row['measure']}"
            lines.append(f"{name:44} {row['a']:10.3f} {row['b']:10.3f} {row['difference']:+10.3f}")
    outcomes = [
        f"  {row['question']}: {'not asked' if row['a'] is None else row['a']} → {row['b']}"
        for row in found["outcomes"]
    ]
    return "\n".join([*lines, *(["Questions whose outcome changed:", *outcomes] if outcomes else [])])


def _differences(old: Figures, new: Figures) -> list[dict[str, Any]]:
    made = []
    for measure in (*RETRIEVAL_COLUMNS, "places not in force", *ANSWER_ROWS):
        if measure in old and measure in new and old[measure] != new[measure]:
            a, b = float(old[measure]), float(new[measure])
            made.append({"measure": measure, "a": a, "b": b, "difference": b - a})
    return made


def _name(run: Figures) -> str:
    return f"{run.get('model') or run.get('answerer', '')} {run['method']} filter {_filter(run)}".strip()


def _filter(run: Figures) -> str:
    return "on" if run["date_filter"] else "off"


def _cell(run: Figures, name: str) -> str:
    value = run[name]
    whole = run.get(_OUT_OF.get(name, ""))
    interval = run.get(f"{name} interval")
    shown = f"{value} of {whole}" if whole is not None else f"{value}"
    return f"{shown} ({interval[0]:.2f} to {interval[1]:.2f})" if interval else shown
