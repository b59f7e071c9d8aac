"""The program line by line: no boxes, no colours, nothing that a screen reader stumbles over."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from engine import RegulationsError, find_days, parse_day, to_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from engine import Engine

_HELP = """\
Type what happened and press Enter; the answer stands on the flight date.
  date 2022-06-10   set the flight date (also: 10 June 2022)
  help              show this
  quit              leave (also: end of input)"""


def run(
    engine: Engine, read: Callable[[str], str] = input, out: TextIO | None = None, as_of: date | None = None
) -> int:
    """Read dates and questions line by line until the user quits; return the exit code.

    Args:
        engine: what answers.
        read: asks for one line with a prompt; raises EOFError at the end of input.
        out: where answers go; standard output when None.
        as_of: the flight date to begin with; without one nothing is answered.

    """
    stream = out or sys.stdout
    held = engine.collection
    _say(stream, f"{held.name}. History from {held.history_start}, up to date to {held.current_to}.")
    _say(stream, _HELP)
    day = as_of
    while True:
        try:
            line = read(f"\n[{day or 'no flight date'}] > ").strip()
        except EOFError:
            return 0
        except UnicodeDecodeError:
            _say(stream, "That line is not UTF-8. Type it again.")
            continue
        word, _, rest = line.partition(" ")
        if word in {"quit", "exit", "q"} and not rest:
            return 0
        try:
            if line in {"", "help", "?"}:
                _say(stream, _HELP)
            elif word == "date":
                day = parse_day(rest)
                _say(stream, f"Flight date {day}: {held.coverage(day)} the days that the texts cover.")
            elif day is None:
                _say(stream, _ask_for_day(line))
            else:
                _say(stream, to_text(engine.ask(line, day)))
        except RegulationsError as error:
            _say(stream, str(error))


def _ask_for_day(question: str) -> str:
    found = [day.day for day in find_days(question) if day.day]
    if found:
        return f"The question names {found[0]}. Type: date {found[0]}   and then the question again."
    return "Set the flight date first, such as: date 2022-06-10"


def _say(stream: TextIO, text: str) -> None:
    print(text, file=stream, flush=True)
