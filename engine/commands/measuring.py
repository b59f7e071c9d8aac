"""Measuring: the question sets, the evaluation and the recordings."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import paths
from engine.answerers.quote import QuoteAnswerer
from engine.commands.answering import live, replay_of
from engine.commands.common import ANSWERED, UNUSABLE, Progress, open_for, print_json
from engine.errors import UsageError
from engine.evaluation import report as reports
from engine.evaluation.answers import AnswerRun, run_answers
from engine.evaluation.questions import DatedQuestion, faults, load_questions
from engine.evaluation.recording import record as record_answers, save
from engine.evaluation.retrieval import run_retrieval
from engine.model import Status
from engine.safe import one_line, safe_text
from engine.search.retriever import Method

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence

    from engine.answerers import Answerer
    from engine.engine import Engine

SETS = ("questions", "tuning")


def questions(options: Namespace) -> int:
    """List the dated questions, or prove both sets against the texts."""
    if options.action == "validate":
        return _validate(options)
    rows = _set("questions")
    kinds = sorted({row.kind for row in rows})
    if options.kind is not None and options.kind not in kinds:
        raise UsageError(f"There is no kind {one_line(options.kind)}.", f"Kinds are: {', '.join(kinds)}.")
    chosen = [row for row in rows if options.kind in {None, row.kind}]
    if options.json:
        print_json(
            [
                {"id": r.id, "kind": r.kind, "as_of": r.as_of.isoformat(), "question": r.question}
                for r in chosen
            ]
        )
    else:
        for row in chosen:
            print(safe_text(f"{row.id} {row.kind:12} {row.as_of} {row.question}"))
    return ANSWERED


def evaluate(options: Namespace) -> int:
    """Measure search, or answers, on the dated questions; or compare two reports."""
    if options.compare:
        return _compare(*options.compare)
    if options.report is not None and options.report.suffix != ".md":
        raise UsageError("--report takes a name that ends in .md.", "JSON and picture are written beside it.")
    chosen = _chosen(_set(options.set), options.ids)
    engine = open_for(options)
    made: dict[str, Any] = {
        "set": options.set,
        "questions": len(chosen),
        "snapshot": f"{engine.collection.id}, up to date to {engine.collection.current_to}, "
        f"sum {engine.collection.sha256[:16]}",
        "retrieval": [],
        "answers": [],
        "outcomes": {},
    }
    if options.answers or options.model:
        _measure_answers(options, engine, chosen, made)
    else:
        _measure_retrieval(options, engine, chosen, made)
    _write(options, made)
    if options.json:
        print_json(made)
    else:
        print(safe_text(reports.as_text(made)))
    return ANSWERED


def record(options: Namespace) -> int:
    """Let an answerer answer questions of the dated set, and keep what it says."""
    chosen = _chosen(_set("questions"), options.ids)
    engine = open_for(options)
    answerer, model, source = _recordable(options, engine)
    kept = record_answers(
        engine,
        chosen,
        answerer,
        model=model,
        source=source,
        method=None if options.method is None else Method(options.method),
        date_filter=not options.no_date_filter,
        tell=_counter("recording", len(chosen)),
    )
    folder = options.out or paths.data_folder(getattr(options, "data", None)) / "recordings"
    path = save(folder, kept)
    print(f"{len(kept)} answers of {one_line(model)} in {path}")
    return ANSWERED


def _recordable(options: Namespace, engine: Engine) -> tuple[Answerer, str, str]:
    """The answerer to record, its model's name and where that lies."""
    if options.answerer == "quote":
        return QuoteAnswerer(engine.words), "quote", "built in"
    answerer = live(options)
    model = engine.settings.chat_model
    return answerer, model, f"server {answerer.config.address.named}"


def _measure_retrieval(
    options: Namespace, engine: Engine, chosen: Sequence[DatedQuestion], made: dict[str, Any]
) -> None:
    methods = (
        [Method(options.method)] if options.method else list(Method) if engine.has_models else [Method.BM25]
    )
    filters = (False,) if options.no_date_filter else (True, False)
    asked = sum(bool(row.relevant) for row in chosen)
    tell = _counter("searching", asked * len(methods) * len(filters))
    for date_filter in filters:
        for method in methods:
            run = run_retrieval(engine, chosen, method, date_filter=date_filter, tell=tell)
            made["retrieval"].append(run.figures())


def _measure_answers(
    options: Namespace, engine: Engine, chosen: Sequence[DatedQuestion], made: dict[str, Any]
) -> None:
    replay = replay_of(options, options.model) if options.model else None
    answerer: Answerer = replay or QuoteAnswerer(engine.words)
    filters = (False,) if options.no_date_filter else (True, False)
    tell = _counter("asking", len(chosen) * len(filters))
    for date_filter in filters:
        run = run_answers(
            engine,
            chosen,
            answerer,
            method=None if options.method is None else Method(options.method),
            date_filter=date_filter,
            tell=tell,
        )
        stale: tuple[str, ...] = ()
        if replay is not None:
            played = [row.id for row in run.rows if row.status != Status.NO_RECORDING]
            asked = [row.id for row in chosen]
            snapshot = engine.collection.sha256
            stale = replay.stale(asked, played, date_filter=date_filter, snapshot=snapshot)
        figures = AnswerRun(run.answerer, run.model, run.method, run.date_filter, run.rows, stale).figures(
            engine.settings.price_in, engine.settings.price_out
        )
        made["answers"].append(figures)
        for row in run.rows:
            name = f"{row.id} filter {'on' if date_filter else 'off'}"
            wrong = "shown but wrong" if row.shown_but_wrong else row.status
            made["outcomes"][name] = "right" if row.right else str(wrong)


def _validate(options: Namespace) -> int:
    if options.kind is not None:
        raise UsageError("validate looks at every kind.", "Leave out --kind.")
    engine = open_for(options, models=False)
    both = {name: _set(name) for name in SETS}
    found = [f"{name}: {fault}" for name, rows in both.items() for fault in faults(rows, engine)]
    asked = {(row.question, row.as_of) for row in both["questions"]}
    found += [f"{row.id} stands in both sets" for row in both["tuning"] if (row.question, row.as_of) in asked]
    counts = {name: len(rows) for name, rows in both.items()}
    if options.json:
        print_json({**counts, "faults": found})
    else:
        for fault in found:
            print(safe_text(fault))
        print(f"{', '.join(f'{count} {name}' for name, count in counts.items())}: {len(found)} faults.")
    return UNUSABLE if found else ANSWERED


def _set(name: str) -> tuple[DatedQuestion, ...]:
    return load_questions(paths.shipped("questions") / f"{name}.jsonl")


def _chosen(rows: Sequence[DatedQuestion], ids: Sequence[str] | None) -> list[DatedQuestion]:
    if ids is None:
        return list(rows)
    wanted = [one for given in ids for one in given.split(",") if one]
    if not wanted:
        raise UsageError("--ids names no question.", "`questions` lists them.")
    unknown = sorted(set(wanted) - {row.id for row in rows})
    if unknown:
        raise UsageError(f"There is no question {one_line(', '.join(unknown))}.", "`questions` lists them.")
    return [row for row in rows if row.id in wanted]


def _counter(stage: str, total: int) -> Callable[[str], None]:
    """A progress bar that moves by one a call."""
    progress, done = Progress(), 0

    def tell(_id: str) -> None:
        nonlocal done
        done += 1
        progress(stage, done, total)

    return tell


def _write(options: Namespace, made: dict[str, Any]) -> None:
    if options.report is None:
        return
    target: Path = options.report
    picture = target.with_suffix(".svg") if made["retrieval"] else None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(reports.as_markdown(made, picture.name if picture else ""), "utf-8", newline="\n")
        target.with_suffix(".json").write_text(json.dumps(made, indent=1) + "\n", "utf-8", newline="\n")
        if picture:
            picture.write_text(reports.as_svg(made), "utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            f"The report cannot be written: {error}.", "Name another file with --report."
        ) from error
    print(f"written: {target} and beside it", file=sys.stderr)


def _compare(first: str, second: str) -> int:
    before, after = _read_report(first), _read_report(second)
    try:
        text = reports.compared(before, after)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(
            f"{one_line(first)} and {one_line(second)} are not both reports of this program.",
            "Write them again with eval --report or eval --json.",
        ) from error
    print(safe_text(text))
    return ANSWERED


def _read_report(name: str) -> dict[str, Any]:
    try:
        made = json.loads(Path(name).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            f"{one_line(name)} is no report.", "Write one with eval --report or eval --json."
        ) from error
    if not isinstance(made, dict) or "outcomes" not in made:
        raise UsageError(f"{one_line(name)} is no report of eval.", "Write one with eval --json > FILE.")
    return made
