"""Whether memory stays flat over a shift: questions with cancels, resizes, corrections and opened sources.

`python tests/tui/bench/soak.py [QUESTIONS [DATA]]` prints the memory of the app's process at every fiftieth
question, and ends with a traceback when anything goes wrong. The keyword engine is the real one.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from datetime import date
from pathlib import Path

from engine import open_engine
from tui.app import RegulationsApp
from tui.engine_worker import LiveEngines
from tui.options import Options

QUESTION = "Bumped from a full domestic flight, rebooked 90 minutes late. What is owed? Call"
WIDE, SMALL = (120, 40), (80, 24)


def memory() -> float:
    """Megabytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


async def soak(questions: int, data: Path) -> None:
    open_engine(data=data, models=False)
    app = RegulationsApp(LiveEngines(Options(data=data, no_models=True)), copier=lambda _: "none")
    async with app.run_test(size=WIDE) as pilot:
        screen = app.screen
        while screen.engine is None:
            await pilot.pause(0.05)
        screen.day = date(2024, 12, 20)
        for number in range(questions + 1):
            screen.query_one("#question").load_text(f"{QUESTION} {number}")
            await screen.ask()
            await asyncio.sleep(0.12)
            if number % 7 == 0:
                await screen.action_back()
            if number % 9 == 0:
                await pilot.press("1", "c", "escape", "escape", "y")
            if number % 11 in {0, 5}:
                await pilot.resize_terminal(*(SMALL if number % 11 else WIDE))
            if number % 13 == 0:
                await pilot.press("f", "enter")
            if number % 50 == 0:
                gc.collect()
                print(f"{number}: {memory():.0f} MB, {len(screen.desk)} cards", flush=True)  # noqa: T201 - a script that reports


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    asyncio.run(soak(asked, Path(sys.argv[2] if len(sys.argv) > 2 else "/tmp/soak-data")))
