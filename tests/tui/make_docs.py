"""Makes the pictures and the table of keys of docs/app.md: `make screenshots`.

The pictures are the app's own, over the shipped texts, with the keyword engine and no models; nothing in
them depends on the clock. `make_docs.py table` makes the table alone.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widgets import Footer

from tui import commands
from tui.app import RegulationsApp
from tui.commands.command import Command
from tui.engine_worker import LiveEngines
from tui.options import Options
from tui.screens.call import CallScreen
from tui.screens.help import TITLES, shown_keys
from tui.screens.measure import MeasureScreen
from tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.pilot import Pilot

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURES = DOCS / "app.md", DOCS / "screens"
BEGIN, END = "<!-- keys: begin -->", "<!-- keys: end -->"
QUESTION = "Bumped from a full domestic flight, rebooked and arrived 90 minutes late. What is owed?"
STATES: dict[str, tuple[str, ...]] = {
    "answer": (),
    "passage": ("1",),
    "compare": ("1", "right", "c"),
    "dropped": ("f6", "down", "enter"),
    "browse": ("f3",),
    "measure": ("f7",),
}
"""Name of a picture: the keys that lead there from an answer."""
GROUPS = {
    "Everywhere": commands.EVERYWHERE,
    **{TITLES[pane]: own for pane, own in commands.PANES.items()},
    "Calendar": commands.CALENDAR,
    "Correct facts": (*commands.FACTS, *commands.CHOICE),
}
OTHER = "Other windows"
"""Where commands are listed that no group has."""
ATTEMPTS = 600


def every_command(above: type[Command] = Command) -> Iterator[type[Command]]:
    """Every command class there is."""
    for one in above.__subclasses__():
        yield one
        yield from every_command(one)


def table() -> str:
    """The keys of every pane in Markdown."""
    parts = []
    known = {one for own in GROUPS.values() for one in own}
    other = [one for one in every_command() if one not in known]
    for title, own in (*GROUPS.items(), (OTHER, tuple(other))):
        rows = [f"| {_keys(one)} | {one.name} | {one.help()} |" for one in own]
        parts += [f"### {title}", "| key | command | what it does |\n|---|---|---|\n" + "\n".join(rows)]
    return "\n\n".join(parts)


def _keys(command: type[Command]) -> str:
    return f"`{shown_keys(command)}`" if command.keys or command.shown else "(palette)"


def with_table(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


async def picture(name: str, keys: tuple[str, ...], data: Path) -> None:
    """Make one picture."""
    app = RegulationsApp(LiveEngines(Options(data=data, no_models=True)))
    app.animation_level = "none"
    async with app.run_test(size=(120, 36)) as pilot:
        call = app.screen
        assert isinstance(call, CallScreen)
        box = call.query_one(QuestionBox)
        box.cursor_blink = False
        await _until(pilot, lambda: call.engine is not None)
        box.load_text(QUESTION)
        await pilot.press("ctrl+d", *"2024-12-20", "enter")
        await _until(pilot, lambda: call.desk.newest is not None and call.desk.newest.card is not None)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        screen = app.screen
        await _until(pilot, lambda: not (isinstance(screen, MeasureScreen) and screen.busy))
        await app.workers.wait_for_complete()
        await pilot.pause(0.3)
        assert app.screen.query(Footer)
        (PICTURES / f"{name}.svg").write_text(app.export_screenshot(simplify=True) + "\n", "utf-8")


async def _until(pilot: Pilot[int], done: object) -> None:
    assert callable(done)
    for _ in range(ATTEMPTS):
        await pilot.pause(0.05)
        if done():
            return
    raise TimeoutError


def main() -> None:
    """Make everything; with the word `table` the table alone."""
    if sys.argv[1:] == ["table"]:
        PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, keys in STATES.items():
            sys.stderr.write(f"{name}\n")
            asyncio.run(picture(name, keys, Path(folder)))
    if PAGE.exists():
        PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
