"""The command line: data on stdout, narration on stderr, one exit code a meaning."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from engine import __version__
from engine.commands import asking, measuring, refresh_options, texts, upkeep
from engine.commands.common import open_for
from engine.dates import parse_day
from engine.errors import RegulationsError, UsageError
from engine.evaluation.questions import SETS
from engine.safe import safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from engine.engine import Engine

PROGRAM = "regulations-assistant"
DEBUG = "REGULATIONS_ASSISTANT_DEBUG"
"""The variable that lets a fault end in a traceback, for developers."""
ANSWERERS = ("quote", "replay", "chat")
METHODS = ("bm25", "dense", "hybrid", "rerank")


_CHOICE = re.compile(r"(?P<argument>argument [^:]*): invalid choice: (?P<given>.*) \(choose from", re.DOTALL)


class Exit(IntEnum):
    """What the exit code says."""

    ANSWERED = 0
    NOTHING = 1
    USAGE = 2
    UNUSABLE = 3
    SERVER = 4
    INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are ours: one line and a hint, safe for the terminal."""

    def error(self, message: str) -> NoReturn:
        """Turn argparse's complaint into a usage error; words that may be a question are not repeated."""
        help_at = f"See `{self.prog} --help`."
        named, _, words = message.partition("unrecognized arguments: ")
        if not named and words:
            options = [word.partition("=")[0] for word in words.split() if word.startswith("-")]
            if options:
                raise UsageError(f"Unrecognized arguments: {' '.join(options)}.", help_at)
            raise UsageError("There are words too many.", f"Put a question in quotes. {help_at}")
        chosen = _CHOICE.match(message)
        if chosen and any(map(str.isspace, chosen["given"])):
            raise UsageError(f"The {chosen['argument']} is not known.", help_at)
        # A flag with a value, `--json=…`: the value may be the question.
        shown = message.partition(": ignored explicit argument ")[0]
        told = message if shown == message else f"{shown} takes no value"
        raise UsageError(f"{told[:1].upper()}{told[1:]}.", help_at)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; no exception and no traceback leaves it."""

    def command() -> int:
        options = build_parser().parse_args(argv)
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)

    return guarded(command)


def start(argv: Sequence[str]) -> Callable[[Callable[[Engine], int]], int] | None:
    """Say how to open the interactive program, or None when `argv` holds a sub-command.

    What is returned opens the engine, hands it to the program and returns the exit code.
    """
    parser = _Parser(prog=PROGRAM, parents=[_shared_options()], add_help=False, allow_abbrev=False)
    parser.add_argument("--plain", action="store_true")
    try:
        options, rest = parser.parse_known_args(list(argv))
    except UsageError:
        return None
    if rest:
        return None

    def opening(program: Callable[[Engine], int]) -> int:
        def command() -> int:
            if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
                raise UsageError(
                    "The interactive program needs a terminal.",
                    f'Without one: `{PROGRAM} ask "…" --as-of DAY`.',
                )
            return program(open_for(options))

        return guarded(command)

    return opening


def guarded(command: Callable[[], int]) -> int:
    """Run `command`; every way that it can fail becomes a short line and an exit code."""
    _prepare_streams()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="note: %(message)s")
    try:
        code = command()
        sys.stdout.flush()
    except RegulationsError as error:
        print(f"error: {safe_text(error.message)}", file=sys.stderr)
        if error.hint:
            print(safe_text(error.hint), file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep Python from complaining at exit.
        sys.stdout = _Nowhere()
        return Exit.ANSWERED
    except OSError as error:
        if os.environ.get(DEBUG):
            raise
        # What could not be written is still waiting, and would fail once more at exit.
        sys.stdout = _Nowhere()
        where = f": {safe_text(str(error.filename))}" if error.filename else ""
        print(f"error: {error.strerror or type(error).__name__}{where}.", file=sys.stderr)
        print("Not all was read or written: look at the disk's space and at the rights.", file=sys.stderr)
        return Exit.UNUSABLE
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        # A traceback could hold the caller's words: only the fault's kind is shown.
        print(f"error: The program has a fault ({type(error).__name__}).", file=sys.stderr)
        print(f"Nothing was changed. Please report it; {DEBUG}=1 shows where it is.", file=sys.stderr)
        return Exit.UNUSABLE
    return code


def build_parser() -> argparse.ArgumentParser:
    """The whole command line, for `main` and for the test that compares it with the docs."""
    shared = _shared_options()
    parser = _Parser(
        prog=PROGRAM,
        description="Answers from regulations as they stood on one day.",
        epilog="Exit codes: 0 answered, 1 nothing to answer with, 2 usage, 3 snapshot or index unusable, "
        "4 the model server or the publisher failed, 130 interrupted.",
        parents=[shared],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    sub = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Any], int], text: str) -> argparse.ArgumentParser:
        made = sub.add_parser(name, help=text, description=text, parents=[shared], allow_abbrev=False)
        made.set_defaults(run=run)
        return made

    _ask(command("ask", asking.ask, "Answer a question from the texts in force on a day."))
    _search(command("search", asking.search, "List the passages in force on a day that fit best."))
    _texts(command)
    ingest = command("ingest", upkeep.ingest_now, "Read the snapshot and build the index again.")
    ingest.add_argument("--json", action="store_true", help="print the report as JSON")
    _measuring(command)
    refresh = command("refresh", upkeep.refresh, "Bring the texts up to date, or undo it.")
    refresh_options.add_refresh_options(refresh)
    refresh.add_argument("--json", action="store_true", help="print the report as JSON")
    doctor = command("doctor", upkeep.doctor, "Say what is installed, where things are and what is missing.")
    doctor.add_argument("--json", action="store_true", help="print JSON")
    config = command("config", upkeep.config, "Show the settings, say where they are, or check them.")
    config.add_argument("action", nargs="?", choices=("show", "path", "validate"), default="show")
    return parser


def _shared_options() -> _Parser:
    shared = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = shared.add_argument_group("everywhere")
    group.add_argument("--regulations", type=Path, metavar="DIR", help="a folder of collections")
    group.add_argument("--collection", metavar="NAME", help="one of several collections in that folder")
    group.add_argument("--data", type=Path, metavar="DIR", help="the folder of index and settings")
    group.add_argument("--no-models", action="store_true", help="search by keywords only")
    return shared


def _ask(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="?", help="the question, or - to read it from standard input")
    parser.add_argument(
        "--as-of", type=_day, metavar="DAY", help="the day of the flight: 2022-06-10, 10 June 2022"
    )
    parser.add_argument("--id", metavar="Q04", help="a question of the dated set, with its day")
    parser.add_argument(
        "--batch", metavar="FILE", help="JSON lines of id, question and as_of; - for standard input"
    )
    parser.add_argument(
        "--fact",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a fact of the trip in place of what is read from the question, such as delay=90 or route=to_us",
    )
    parser.add_argument(
        "--answerer", choices=ANSWERERS, default="quote", help="what gives the answer (quote)"
    )
    parser.add_argument("--model", metavar="NAME", help="whose recordings to replay")
    _search_options(parser)
    parser.add_argument("--no-date-filter", action="store_true", help="search every version, to compare with")
    parser.add_argument(
        "--closed-book", action="store_true", help="give the answerer no passages, to compare with"
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument(
        "--citation",
        action="store_true",
        help="print only the texts in force that the answer cites, with versions and addresses",
    )


def _search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="?", help="words to look for, or - to read them from standard input")
    parser.add_argument(
        "--as-of", type=_day_or_none, metavar="DAY|none", help="the day, or none for every version"
    )
    parser.add_argument(
        "--batch", metavar="FILE", help="JSON lines of id, question and as_of; - for standard input"
    )
    _search_options(parser)


def _search_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", choices=METHODS, help="how passages are ranked")
    parser.add_argument("--top", type=_whole, metavar="K", help="how many passages, 1 to 200 (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _texts(command: Callable[[str, Callable[[Any], int], str], argparse.ArgumentParser]) -> None:
    versions = command("versions", texts.versions, "List the versions of a section, or of all.")
    versions.add_argument("section", nargs="?", help="a section such as 250.5")
    versions.add_argument("--as-of", type=_day, metavar="DAY", help="say where the section stands on a day")
    compare = command("compare", texts.compare, "Show what changed in a section between two days.")
    compare.add_argument("section")
    compare.add_argument("first", type=_day, metavar="DAY")
    compare.add_argument("second", type=_day, metavar="DAY")
    compare.add_argument("--markdown", action="store_true", help="print Markdown")
    chunks = command("chunks", texts.chunks, "List the passages of a section with ids and positions.")
    chunks.add_argument("section")
    passage = command("passage", texts.passage, "Show one passage by its id.")
    passage.add_argument("id")
    snapshot = command("snapshot", upkeep.snapshot, "List the files and days of the snapshot, or verify it.")
    snapshot.add_argument("action", nargs="?", choices=("list", "verify"), default="list")
    refresh_options.add_verify_options(snapshot)
    for parser in (versions, compare, chunks, passage, snapshot):
        parser.add_argument("--json", action="store_true", help="print JSON")


def _measuring(command: Callable[[str, Callable[[Any], int], str], argparse.ArgumentParser]) -> None:
    questions = command("questions", measuring.questions, "List the dated questions, or validate both sets.")
    questions.add_argument("action", nargs="?", choices=("list", "validate"), default="list")
    questions.add_argument("--kind", help="only questions of this kind")
    evaluate = command("eval", measuring.evaluate, "Measure search, or answers, on the dated questions.")
    evaluate.add_argument("--answers", action="store_true", help="measure answers instead of search")
    evaluate.add_argument("--model", metavar="NAME", help="measure the recorded answers of a model")
    evaluate.add_argument("--set", choices=SETS, default="questions", help="which set (questions)")
    evaluate.add_argument("--report", type=Path, metavar="FILE.md", help="write Markdown, JSON and a picture")
    evaluate.add_argument(
        "--compare",
        nargs=2,
        metavar=("A", "B"),
        help="two JSON reports side by side; with --json `runs` (each with its `measures` that differ: a, b, "
        "difference) and `outcomes` that changed",
    )
    record = command("record", measuring.record, "Record an answerer's answers to the dated questions.")
    record.add_argument(
        "--answerer", choices=("quote", "chat"), default="quote", help="what to record (quote)"
    )
    record.add_argument("--out", type=Path, metavar="DIR", help="the folder of recordings")
    record.add_argument(
        "--weights", type=Path, metavar="FILE", help="the server's model file: its SHA-256 is recorded"
    )
    record.add_argument(
        "--only-stale", action="store_true", help="keep what was recorded of the same request already"
    )
    for parser in (evaluate, record):
        parser.add_argument("--method", choices=METHODS, help="how passages are ranked")
        parser.add_argument("--ids", nargs="+", metavar="Q01", help="only these questions")
        parser.add_argument("--no-date-filter", action="store_true", help="with the date filter off only")
    for parser in (questions, evaluate):
        parser.add_argument("--json", action="store_true", help="print JSON")


def _day(text: str) -> date:
    return parse_day(text)


def _day_or_none(text: str) -> date | str:
    # argparse would take None for "not given".
    return "none" if text.strip().casefold() == "none" else parse_day(text)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(
            f"--top {safe_text(text)!r} is no number.", "It takes a whole number from 1 to 200."
        ) from None


def _prepare_streams() -> None:
    """Write UTF-8 to files and pipes on every system; on a terminal replace what it cannot show."""
    # A stream that was closed before the start is None.
    sys.stdout, sys.stderr = sys.stdout or _Nowhere(), sys.stderr or _Nowhere()
    if not isinstance(sys.stderr, _Narration):
        sys.stderr = _Narration(sys.stderr)
    for stream in (sys.stdout, sys.stderr.stream):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream.isatty():
            reconfigure(errors="replace")
        else:
            reconfigure(encoding="utf-8", errors="replace")


class _Narration:
    """Standard error, whose loss ends no work: its reader may be gone or its disk full."""

    def __init__(self, stream: Any) -> None:
        """Write to `stream` while that can be."""
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        """Everything else is the stream's own."""
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write, or forget."""
        with suppress(OSError):
            self.stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, or forget."""
        with suppress(OSError):
            self.stream.flush()


class _Nowhere:
    """A stream that swallows everything."""

    def write(self, text: str) -> int:
        """Take the text and forget it."""
        return len(text)

    def flush(self) -> None:
        """There is nothing to flush."""

    def isatty(self) -> bool:
        """Nobody looks at it."""
        return False
