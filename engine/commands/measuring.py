"""Measuring: the question sets, the evaluation and the recordings."""

from __future__ import annotations

import json
import sys
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import paths
from engine.answerers.quote import QuoteAnswerer
from engine.answerers.replay import BUILT_IN
from engine.commands.answering import live, replay_of
from engine.commands.common import ANSWERED, UNUSABLE, Progress, open_for, print_json
from engine.errors import UsageError
from engine.evaluation import report as reports
from engine.evaluation.answers import AnswerRun, run_answers
from engine.evaluation.questions import SETS, DatedQuestion, faults, load_set
from engine.evaluation.recording import Beside, Voice, open_journal, record as record_answers
from engine.evaluation.retrieval import run_retrieval
from engine.model import Status
from engine.safe import one_line, safe_text
from engine.search.retriever import Method

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence

    from engine.engine import Engine
    from engine.evaluation.recording import Journal


def questions(options: Namespace) -> int:
    """List the dated questions, or prove both sets against the texts."""
    if options.action == "validate":
        return _validate(options)
    rows = load_set("questions")
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
        return _compare(*options.compare, as_json=options.json)
    if options.report is not None and options.report.suffix != ".md":
        raise UsageError("--report takes a name that ends in .md.", "JSON and picture are written beside it.")
    chosen = _chosen(load_set(options.set), options.ids)
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
    chosen = _chosen(load_set("questions"), options.ids)
    engine = open_for(options)
    voice = _recordable(options, engine)
    folder = options.out or paths.data_folder(getattr(options, "data", None)) / "recordings"
    date_filter = not options.no_date_filter
    journal = open_journal(folder, voice.model, date_filter=date_filter, only_stale=options.only_stale)
    try:
        kept = record_answers(
            engine,
            chosen,
            voice,
            method=None if options.method is None else Method(options.method),
            date_filter=date_filter,
            journal=journal,
            tell=_counter("recording", len(chosen)),
        )
        path = journal.finish()
    except BaseException:
        _say_what_is_kept(journal, chosen)
        raise
    print(f"{len(kept)} answers of {one_line(voice.model)} in {path}")
    return ANSWERED


def _say_what_is_kept(journal: Journal, chosen: Sequence[DatedQuestion]) -> None:
    count = journal.kept(row.id for row in chosen)
    if count:
        bar_ends = "\n" if sys.stderr.isatty() else ""
        kept = f"{count} of {len(chosen)} answers are kept in {journal.path}"
        print(f"{bar_ends}{kept}; the same command goes on from there.", file=sys.stderr)


def _recordable(options: Namespace, engine: Engine) -> Voice:
    """The answerer to record, its model's name and where that lies."""
    if options.answerer == "quote":
        if options.weights is not None:
            raise UsageError("quote has no model file.", "Leave out --weights.")
        return Voice(QuoteAnswerer(engine.words), "quote", BUILT_IN)
    answerer = live(options)
    source = f"server {answerer.config.address.named}"
    if options.weights is not None:
        source = f"sha256:{_sum_of(options.weights)}"
    return Voice(answerer, answerer.config.model, source)


def _sum_of(weights: Path) -> str:
    try:
        with weights.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(
            f"{one_line(str(weights))} cannot be read: {error.strerror}.",
            "Name the file that the server serves.",
        ) from error


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
    quote = QuoteAnswerer(engine.words)
    filters = (False,) if options.no_date_filter else (True, False)
    tell = _counter("asking", len(chosen) * len(filters))
    for date_filter in filters:
        beside = Beside(replay, quote) if replay is not None and replay.built_in else None
        run = run_answers(
            engine,
            chosen,
            beside or replay or quote,
            method=None if options.method is None else Method(options.method),
            date_filter=date_filter,
            tell=tell,
        )
        stale: tuple[str, ...] = ()
        if replay is not None:
            unlike = beside.changed if beside else set()
            missing = {row.id for row in run.rows if row.status == Status.NO_RECORDING}
            played = [row.id for row in chosen if row.id not in missing | unlike]
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
    sets = {name: load_set(name) for name in SETS}
    found = [f"{name}: {fault}" for name, rows in sets.items() for fault in faults(rows, engine)]
    asked: dict[object, str] = {}
    for name, rows in sets.items():
        for row in rows:
            first = asked.setdefault((row.question, row.as_of), name)
            found += [f"{row.id} stands in {first} and in {name}"] if first != name else []
    counts = {name: len(rows) for name, rows in sets.items()}
    if options.json:
        print_json({**counts, "faults": found})
    else:
        for fault in found:
            print(safe_text(fault))
        print(f"{', '.join(f'{count} {name}' for name, count in counts.items())}: {len(found)} faults.")
    return UNUSABLE if found else ANSWERED


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
        paths.write_whole(target, reports.as_markdown(made, picture.name if picture else ""))
        paths.write_whole(target.with_suffix(".json"), json.dumps(made, indent=1) + "\n")
        if picture:
            paths.write_whole(picture, reports.as_svg(made))
    except OSError as error:
        raise UsageError(
            f"The report cannot be written: {error}.", "Name another file with --report."
        ) from error
    print(f"written: {target} and beside it", file=sys.stderr)


def _compare(first: str, second: str, *, as_json: bool) -> int:
    before, after = _read_report(first), _read_report(second)
    try:
        text = reports.compared(before, after)
        apart = reports.differences(before, after)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(
            f"{one_line(first)} and {one_line(second)} are not both reports of this program.",
            "Write them again with eval --report or eval --json.",
        ) from error
    if as_json:
        print_json(apart)
    else:
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
