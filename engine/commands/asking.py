"""Questions and searches, one or a batch."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from engine import card
from engine.citation import to_citation
from engine.commands.answering import chosen_answerer
from engine.commands.common import ANSWERED, NOTHING, SERVER, open_for, print_json
from engine.dates import find_days, parse_day
from engine.errors import RegulationsError, UsageError
from engine.evaluation.questions import load_set
from engine.model import Coverage, Status
from engine.safe import one_line, safe_json, safe_text
from engine.search.retriever import Method

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from engine.answerers import Answerer
    from engine.engine import Engine, SearchResult

_Row = dict[str, Any]
_MAX_LINE = 100_000
"""Characters of one line of a batch."""


def ask(options: Namespace) -> int:
    """Answer one question, or a batch of them."""
    if options.citation and (options.json or options.markdown or options.batch):
        raise UsageError("--citation prints a block of its own.", "Leave out --json, --markdown and --batch.")
    if options.batch:
        answerer = chosen_answerer(options)
        return _batch(options, partial(_ask_one, answerer))
    question, as_of = _question(options)
    answerer = chosen_answerer(options)
    facts = _stated(options.fact)
    answer = open_for(options).ask(question, as_of, answerer=answerer, facts=facts, **_ask_options(options))
    if options.json:
        print_json(card.to_json(answer))
    elif not options.citation:
        print(card.to_markdown(answer) if options.markdown else card.to_text(answer))
    if answer.error:
        print(f"error: {safe_text(answer.error)}", file=sys.stderr)
    if answer.status is Status.FAILED:
        return SERVER
    if options.citation:
        print(to_citation(answer))
    return ANSWERED if answer.status is Status.ANSWERED else NOTHING


def search(options: Namespace) -> int:
    """List the passages that fit best."""
    if options.batch:
        return _batch(options, _search_one)
    if options.query is None:
        raise UsageError("There is no query.", "Give it in quotes, or - to read it from standard input.")
    query = _read_question(options.query)
    as_of = _search_day(options.as_of, query)
    engine = open_for(options)
    found = engine.search(query, as_of, method=_method(options), top=options.top)
    if options.json:
        print_json(_search_json(query, as_of, found))
    else:
        for warning in found.warnings:
            print(f"! {safe_text(warning.text)}", file=sys.stderr)
        for hit in found.hits:
            mark = "" if hit.in_force is None else card.IN_FORCE if hit.in_force else card.NOT_IN_FORCE
            line = f"{hit.rank}. {hit.score:.3f} {card.place_line(hit.chunk)} {mark}"
            print(safe_text(line.rstrip()))
            print(f"   {one_line(hit.chunk.body)[:160]}")
    if found.coverage is Coverage.BEFORE:
        print(
            f"Nothing is held for {as_of}: the history begins on {engine.collection.history_start}.",
            file=sys.stderr,
        )
    elif not found.hits:
        print("Nothing in force fits; try other words or another day.", file=sys.stderr)
    return ANSWERED if found.hits else NOTHING


def _batch(options: Namespace, run: Callable[[Engine, Namespace, _Row], _Row]) -> int:
    """One JSON line out for each line in, in order; a bad line fails alone."""
    given = options.question if options.command == "ask" else options.query
    own = given is not None or getattr(options, "id", None) or getattr(options, "fact", None)
    if own or options.as_of is not None:
        raise UsageError(
            "--batch takes questions, days and facts from the file.",
            "Leave out the question, --id, --as-of and --fact.",
        )
    lines = _lines(options.batch)
    engine = open_for(options)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row: _Row = {}
        try:
            row = _batch_row(line)
            made = run(engine, options, row)
        except RegulationsError as error:
            made = {"status": Status.FAILED, "error": f"line {number}: {error}"}
        print(safe_json({"id": row.get("id"), **made}), flush=True)
    return ANSWERED


def _lines(source: str) -> Iterator[str]:
    """The lines of a batch; of standard input as they come."""
    if source == "-":
        return (line.decode("utf-8", "replace") for line in _standard_input())
    try:
        with open(source, "rb") as file:  # noqa: PTH123 - the path is the user's own
            data = file.read()
    except OSError as error:
        raise UsageError(
            f"{one_line(source)} cannot be read: {error.strerror}.", "Name a file of JSON lines."
        ) from error
    # Not `splitlines`: a text of JSON may hold U+2028 and its kin as they are.
    return iter(data.decode("utf-8", "replace").split("\n"))


def _batch_row(line: str) -> _Row:
    try:
        row = json.loads(line[:_MAX_LINE], parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON: {one_line(str(error))[:100]}.") from error
    if not isinstance(row, dict):
        raise UsageError("not a JSON object.")
    return row


def _no_number(name: str) -> None:
    """Refuse NaN and Infinity: JSON has no such numbers, and the line that goes out must be JSON."""
    raise ValueError(f"{name} is no number of JSON")


def _row_text(row: _Row) -> str:
    text = row.get("question")
    if not isinstance(text, str):
        raise UsageError('a row needs a text under "question".')
    return _whole_text(text)


def _row_day(row: _Row) -> str:
    day = row.get("as_of")
    if not isinstance(day, str):
        raise UsageError('a row needs a day under "as_of".')
    return day


def _row_facts(row: _Row) -> dict[str, str]:
    facts = row.get("facts", {})
    if not isinstance(facts, dict) or not all(isinstance(value, str) for value in facts.values()):
        raise UsageError('the "facts" of a row are texts by name, such as {"delay": "90"}.')
    return facts


def _stated(pairs: Sequence[str]) -> dict[str, str]:
    """The facts of `--fact NAME=VALUE`, by name."""
    stated: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name in stated:
            raise UsageError(
                f"--fact is {one_line(pair)[:60]!r}.", "It takes NAME=VALUE, each name once: --fact delay=90."
            )
        stated[name] = value
    return stated


def _ask_one(answerer: Answerer | None, engine: Engine, options: Namespace, row: _Row) -> _Row:
    day = parse_day(_row_day(row))
    facts = _row_facts(row)
    answer = engine.ask(_row_text(row), day, answerer=answerer, facts=facts, **_ask_options(options))
    return card.to_json(answer)


def _search_one(engine: Engine, options: Namespace, row: _Row) -> _Row:
    text, day = _row_text(row), _row_day(row)
    as_of = None if day == "none" else parse_day(day)
    return _search_json(text, as_of, engine.search(text, as_of, method=_method(options), top=options.top))


def _ask_options(options: Namespace) -> dict[str, Any]:
    return {
        "method": _method(options),
        "top": options.top,
        "date_filter": not options.no_date_filter,
        "closed_book": options.closed_book,
    }


def _method(options: Namespace) -> Method | None:
    return None if options.method is None else Method(options.method)


def _question(options: Namespace) -> tuple[str, date]:
    """The question and its day, from the words given or from the dated set."""
    if options.id is not None:
        if options.question is not None:
            raise UsageError("Give a question or --id, not both.")
        rows = load_set("questions")
        found = next((row for row in rows if row.id == options.id), None)
        if found is None:
            raise UsageError(f"There is no question {one_line(options.id)}.", "`questions` lists them.")
        return found.question, options.as_of or found.as_of
    if options.question is None:
        raise UsageError("There is no question.", "Give it in quotes, or - to read it from standard input.")
    text = _read_question(options.question)
    if options.as_of is None:
        raise UsageError("There is no day to answer for.", _days_hint(text))
    return text, options.as_of


def _search_day(given: date | str | None, query: str) -> date | None:
    if given is None:
        raise UsageError(
            "There is no day to search on.", f"{_days_hint(query)} Or --as-of none for every version."
        )
    return None if isinstance(given, str) else given


def _days_hint(text: str) -> str:
    days = [found.day.isoformat() for found in find_days(text) if found.day]
    if days:
        return f"The question names {', '.join(dict.fromkeys(days))}: add --as-of {days[0]}."
    return "Add --as-of with the day of the flight, such as 2022-06-10."


def _standard_input() -> BinaryIO:
    """The bytes of standard input; a program started without one has none."""
    if sys.stdin is None:
        raise UsageError("There is no standard input.", "Give the words or a file instead of -.")
    return sys.stdin.buffer


def _read_question(given: str) -> str:
    """The words themselves, or standard input, so that a question stays out of the shell's history."""
    if given != "-":
        return _whole_text(given)
    try:
        return _standard_input().read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError("Standard input is not UTF-8.", "Save the text as UTF-8.") from error


def _whole_text(text: str) -> str:
    """The text, if each of its characters is one: half a pair stands for bytes that are not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError("The question is not UTF-8.", "Type or save it as UTF-8.") from error
    return text


def _search_json(query: str, as_of: date | None, found: SearchResult) -> _Row:
    return {
        "query": query,
        "as_of": as_of and as_of.isoformat(),
        "method": found.method,
        "coverage": found.coverage,
        "hits": [card.hit_json(hit) for hit in found.hits],
        "warnings": [{"kind": warning.kind, "text": warning.text} for warning in found.warnings],
    }
