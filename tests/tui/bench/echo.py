"""How late the screen's event loop is while models load and questions are answered.

`python tests/tui/bench/echo.py process|thread [DATA]` prints the delays of a 5 ms tick in
milliseconds: p50, p95 and the worst, while loading and while answering, and the process's memory.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import threading
import time
from datetime import date
from pathlib import Path

from engine import open_engine
from tui.app import RegulationsApp
from tui.engine_worker import LiveEngines
from tui.messages import Answered, Meaning, MeaningChanged
from tui.options import Options
from tui.widgets.header_line import HeaderLine

TICK = 0.005
QUESTION = "Bumped from a full domestic flight, rebooked 90 minutes late. What is owed?"


class InOneProcess(LiveEngines):
    """Both engines in threads of the app's process: what was decided against."""

    def start(self, tell) -> None:  # noqa: ANN001
        self.jobs = []
        super().start(tell)
        threading.Thread(target=self._meaning, daemon=True).start()

    def _meaning(self) -> None:
        engine = open_engine(data=self._options.data)
        self.tell(MeaningChanged(Meaning.READY, "in a thread"))
        while not self._closed:
            if self.jobs:
                request = self.jobs.pop()
                self.tell(Answered(request.number, "meaning", engine.ask(request.question, request.as_of)))
            time.sleep(0.005)

    def ask(self, request) -> None:  # noqa: ANN001
        super().ask(request)
        if hasattr(self, "jobs"):
            self.jobs.append(request)


async def ticks(delays: list[float], stop: asyncio.Event) -> None:
    while not stop.is_set():
        begun = time.perf_counter()
        await asyncio.sleep(TICK)
        delays.append((time.perf_counter() - begun - TICK) * 1000)


def told(name: str, delays: list[float]) -> str:
    ordered = sorted(delays)
    parts = " ".join(f"p{part} {ordered[len(ordered) * part // 100]:.1f}" for part in (50, 95, 99))
    return f"{name}: {parts} worst {ordered[-1]:.0f} ms (n={len(ordered)})"


async def measure(kind: str, data: Path) -> None:
    thread = kind == "thread"
    worker = (InOneProcess if thread else LiveEngines)(Options(data=data, no_models=thread))
    worker.start_process()
    app = RegulationsApp(worker)
    async with app.run_test(size=(120, 40)) as pilot:
        stop, delays = asyncio.Event(), []
        task = asyncio.create_task(ticks(delays, stop))
        begun = time.perf_counter()
        header = app.screen.query_one(HeaderLine)
        while header.meaning is not Meaning.READY and time.perf_counter() - begun < 60:
            app.screen.query_one("#question").insert("k")
            await asyncio.sleep(0.05)
        print(f"ready after {time.perf_counter() - begun:.1f} s, load {os.getloadavg()[0]:.1f}")  # noqa: T201 - a script that reports
        print(told("while loading  ", delays))  # noqa: T201 - a script that reports
        delays.clear()
        for number in range(20):
            app.screen.query_one("#question").load_text(f"{QUESTION} {number}")
            app.screen.day = date(2024, 12, 20)
            await app.screen.ask()
            await asyncio.sleep(0.4)
        print(told("while answering", delays))  # noqa: T201 - a script that reports
        stop.set()
        await task
        await pilot.pause()
    print(  # noqa: T201 - a script that reports
        f"peak memory of the app's process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB"
    )


if __name__ == "__main__":
    asyncio.run(measure(sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else "/tmp/echo-data")))
