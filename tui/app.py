"""The program on the whole terminal: one screen over two engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App

from engine import data_folder
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

    from textual.theme import Theme

    from tui.engine_worker import EngineWorker
    from tui.options import Options

FAILED = 3
"""The exit code when the texts could not be used."""


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
        return {name: theme for name, theme in super().available_themes.items() if name in OFFERED}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our colours, so that the style sheet can be read before a theme is set."""
        return own_variables(DEFAULT)

    def get_css_variables(self) -> dict[str, str]:
        """The theme's colours and ours for it."""
        return {**super().get_css_variables(), **own_variables(self.theme)}

    def get_default_screen(self) -> MainScreen:
        """The one screen."""
        return MainScreen(self._worker)

    async def action_quit(self) -> None:
        """Quit at once, whatever is under way."""
        self._worker.close()
        self.exit(FAILED if self.texts_failed else 0)

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
            f"Sent {what} to the terminal's clipboard ({size}). Some terminals ignore it: "
            "if nothing can be pasted, press e to save a file.",
            title="Copied by OSC 52",
            timeout=10,
            markup=False,
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
    return app.return_code or 0 if code is None else code
