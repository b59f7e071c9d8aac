"""The program on the whole terminal: one screen over two engines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import App

from engine import data_folder
from tui import terminal
from tui.clipboard import copy_natively
from tui.engine_worker import LiveEngines
from tui.history import History
from tui.palette import OurCommands
from tui.screens.main import MainScreen
from tui.state import load_theme, save_theme
from tui.themes import DEFAULT, OFFERED, PAPER, own_variables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.console import RenderableType
    from textual.driver import Driver
    from textual.theme import Theme

    from tui.engine_worker import EngineWorker
    from tui.options import Options

FAILED = 3
"""The exit code when the texts could not be used, or the program has a fault."""
DEBUG = "REGULATIONS_ASSISTANT_DEBUG"
"""The variable that lets a fault end in a traceback, for developers."""


class RegulationsApp(App[int]):
    """Answers about regulations as they stood on one day."""

    CSS_PATH = "app.tcss"
    TITLE = "regulations-assistant"
    COMMANDS: ClassVar = {OurCommands}
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        worker: EngineWorker,
        *,
        data: Path | None = None,
        copier: Callable[[str], str | None] = copy_natively,
    ) -> None:
        """Build the app over an engine worker.

        Args:
            worker: what answers; it is started when the first screen has been drawn.
            data: the folder in which the theme and, once chosen, the history are kept; None keeps nothing.
            copier: hands a text to the system's clipboard and names the program that took it, or None.

        """
        self._offered: tuple[int, dict[str, Theme]] = (-1, {})
        super().__init__()
        self._worker = worker
        self._data = data
        self._copier = copier
        self.history = History(data)
        """Questions on disk; off until somebody chooses it."""
        self.texts_failed = False
        """Whether the texts could not be used: then the exit code says so."""
        self.register_theme(PAPER)
        remembered = load_theme(data) if data else None
        self.theme = remembered if remembered in OFFERED else DEFAULT

    @property
    def available_themes(self) -> dict[str, Theme]:
        """The themes whose badges and quiet text are tested to be readable."""
        # Read hundreds of times in every drawing: made anew only when a theme was registered.
        held = super().available_themes
        if self._offered[0] != len(held):
            self._offered = len(held), {name: theme for name, theme in held.items() if name in OFFERED}
        return self._offered[1]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our colours, so that the style sheet can be read before a theme is set."""
        return own_variables(DEFAULT)

    def get_css_variables(self) -> dict[str, str]:
        """The theme's colours and ours for it."""
        return {**super().get_css_variables(), **own_variables(self.theme)}

    def get_default_screen(self) -> MainScreen:
        """The one screen."""
        return MainScreen(self._worker)

    def get_driver_class(self) -> type[Driver]:
        """The system's driver, made to outlast bytes that are no text."""
        return terminal.forgiving(super().get_driver_class())

    def on_mount(self) -> None:
        """End in order when the terminal goes away or a signal says so."""
        if not self.is_headless:
            terminal.heed_signals(self.end)
            self.set_interval(terminal.LOOK_EVERY, self._look)

    def _look(self) -> None:
        if terminal.gone():
            # Nobody is there: what is still to be drawn could only fail.
            self._worker.close()
            os._exit(terminal.ENDED_BY + 1)

    async def action_quit(self) -> None:
        """Quit at once, whatever is under way."""
        self.end(FAILED if self.texts_failed else 0)

    def end(self, code: int) -> None:
        """Leave the screen and end with `code`, without waiting for what is under way."""
        self._worker.close()
        self.exit(code)

    def panic(self, *renderables: RenderableType) -> None:
        """End with an error of the screen's own parts; only its kind is shown."""
        self._return_code = FAILED
        if os.environ.get(DEBUG):
            super().panic(*renderables)
        else:
            super().panic(_fault("in a part of the screen"))

    def _fatal_error(self) -> None:
        """End with a fault: Textual would show variables' values, and the caller's words are in them."""
        self._return_code = FAILED
        if os.environ.get(DEBUG):
            super()._fatal_error()
        else:
            super().panic(_fault(type(self._exception).__name__))

    def next_theme(self) -> None:
        """Go on to the next theme offered."""
        self.use_theme(OFFERED[(OFFERED.index(self.theme) + 1) % len(OFFERED)])

    def use_theme(self, name: str) -> None:
        """Change the colours and remember them."""
        self.theme = name
        kept = self._data is not None and save_theme(self._data, name)
        self.notify(f"Theme: {name}{'' if kept else ' (not remembered)'}", markup=False)

    def copy_words(self, words: str, what: str) -> None:
        """Copy, and say what was copied and how."""
        self.run_worker(lambda: self._copied(words, what), thread=True, group="copy")

    def _copied(self, words: str, what: str) -> None:
        program = self._copier(words)
        self.call_from_thread(self._say_copied, words, what, program)

    def _say_copied(self, words: str, what: str, program: str | None) -> None:
        size = f"{len(words)} characters"
        if program is not None:
            self.notify(f"Copied {what} with {program} ({size}).", markup=False)
            return
        self.copy_to_clipboard(words)
        self.notify(
            f"Sent {what} to the terminal's clipboard ({size}). "
            "If nothing can be pasted, press e to save a file.",
            title="Copied by OSC 52",
            timeout=8,
            markup=False,
        )


def _fault(kind: str) -> Text:
    return Text(
        f"error: The program has a fault ({kind}).\n"
        f"Nothing was changed. Please report it; {DEBUG}=1 shows where it is."
    )


def run(options: Options) -> int:
    """Run the app on this terminal and return the exit code."""
    worker = LiveEngines(options)
    worker.start_process()
    app = RegulationsApp(worker, data=data_folder(options.data))
    try:
        code = app.run()
    finally:
        worker.close()
    return code if code is not None else app.return_code or 0
