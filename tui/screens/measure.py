"""The shipped questions asked of an engine, and what came of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Footer, ProgressBar, Static

from engine import RegulationsError
from tui import commands
from tui.drawing import measure as draw
from tui.drawing.badges import plain
from tui.own import own_app
from tui.screens.over import OverScreen

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content

    from engine import Engine
    from tui.engine_worker import EngineWorker


class MeasureScreen(OverScreen):
    """A progress bar, then the figures; Esc stops what runs."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.MEASURE)
    AUTO_FOCUS = "#measure-page"
    pane = "measure"

    class Step(Message):
        """One more question is done."""

        def __init__(self, run: int, done: int, total: int) -> None:
            """Tell how far the measurement `run` is."""
            super().__init__()
            self.run, self.done, self.total = run, done, total

    def __init__(self, engine: Engine, worker: EngineWorker) -> None:
        """Measure the engine of a worker that searches by meaning when it is ready, else this one."""
        super().__init__()
        self._engine = engine
        self._worker = worker
        self._by_meaning = worker.meaning_ready
        self._run = 0
        """Which measurement is wanted; a thread of another one stops at its next step."""
        self.busy = False
        """Whether a measurement is under way."""

    def compose(self) -> ComposeResult:
        """Words, bar and figures."""
        with Vertical(classes="over") as page:
            page.border_title = "Measure (Esc stops, then closes)"
            yield Static(markup=False, id="measure-words")
            yield ProgressBar(show_eta=False, id="measure-bar")
            with VerticalScroll(id="measure-page"):
                yield Static(markup=False, id="measure-text")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin at once."""
        self.action_again()

    def on_unmount(self) -> None:
        """Leave no thread at work."""
        self._run += 1

    def action_again(self) -> None:
        """Measure; one that runs goes on."""
        if self.busy:
            return
        self.busy = True
        self._run += 1
        self.query_one("#measure-text", Static).update("")
        how = "meaning" if self._by_meaning else "keywords"
        self._say(f"Asking the shipped questions by {how}, with the date filter and without …", bar=True)
        self.query_one(ProgressBar).update(total=None, progress=0)
        self.run_worker(self._measure(self._run), group="measure")

    def action_other(self) -> None:
        """Measure the other engine."""
        if not (self._by_meaning or self._worker.meaning_ready):
            self.notify("The engine that searches by meaning is not there, or not yet.", markup=False)
            return
        self._stop()
        self._by_meaning = not self._by_meaning
        self.action_again()

    def action_close(self) -> None:
        """Stop, or step back."""
        if not self.busy:
            self.dismiss(None)
            return
        self._stop()
        self._say("Stopped. r measures again, m the other engine, Esc closes.")

    def _stop(self) -> None:
        self._run += 1
        self.busy = False

    def action_copy(self) -> None:
        """Copy the figures."""
        words = str(self.query_one("#measure-text", Static).content)
        if words:
            own_app(self).copy_words(words, "the figures")

    def on_measure_screen_step(self, event: Step) -> None:
        """Move the bar."""
        event.stop()
        if self.busy and event.run == self._run:
            self.query_one(ProgressBar).update(total=event.total, progress=event.done)

    async def _measure(self, run: int) -> None:
        from engine import measure  # noqa: PLC0415 - only who asks for it waits for its import

        def tell(done: int, total: int) -> bool:
            if run == self._run:
                self.post_message(self.Step(run, done, total))
            return run == self._run

        work = partial(self._worker.measure if self._by_meaning else partial(measure, self._engine), tell)
        try:
            measured = await asyncio.to_thread(work)
        except RegulationsError as error:
            self._done(run, plain(str(error), "$warn"))
        else:
            self._done(run, draw.page(measured) if measured else plain("Stopped."))

    def _done(self, run: int, drawn: Content) -> None:
        if run != self._run or not self.is_mounted:
            return
        self.busy = False
        self._say("Done. y copies the figures, r measures again, m the other engine.")
        self.query_one("#measure-text", Static).update(drawn)

    def _say(self, words: str, *, bar: bool = False) -> None:
        self.query_one("#measure-words", Static).update(plain(words, "bold"))
        self.query_one(ProgressBar).display = bar
