"""Where to save a card, and whether the caller's words go with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Checkbox, Input, Static

import engine
from engine import RegulationsError
from tui import commands
from tui.drawing.badges import plain
from tui.words import file_words, free_path

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import AnswerCard

_HINT = ".md is Markdown, anything else plain text. Enter saves, Tab goes on, Esc closes."


class ExportScreen(ModalScreen["Path | None"]):
    """Returns the file that was written, or None."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings((commands.CloseWindow,))

    def __init__(self, card: AnswerCard, folder: Path) -> None:
        """Offer a name in `folder`."""
        super().__init__()
        self._card = card
        self._folder = folder

    def compose(self) -> ComposeResult:
        """A path and the one choice."""
        with Vertical(classes="window wide") as window:
            window.border_title = "Export the answer"
            path = free_path(self._folder / f"answer-{self._card.as_of}.md")
            yield Input(str(path), id="export-path", select_on_focus=False)
            yield Checkbox("with the question (it may tell who called)", value=False, id="export-question")
            yield Checkbox("only the texts in force, for a complaint", value=False, id="export-texts")
            yield Static(_HINT, markup=False, id="export-problem")

    def on_mount(self) -> None:
        """Begin in the path."""
        self.query_one("#export-path").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write the file; one that is there is never written over."""
        event.stop()
        typed = event.value.strip()
        if not typed:
            self._say("Name a file.")
            return
        try:
            path = free_path(self._folder / Path(typed).expanduser())
            _write_new(path, self._words(markdown=path.suffix == ".md"))
        except RegulationsError as error:
            self._say(error.message)
        except (OSError, ValueError, RuntimeError) as error:
            self._say(f"It could not be saved there: {error}. Name another place.")
        else:
            self.dismiss(path)

    def _words(self, *, markdown: bool) -> str:
        if self.query_one("#export-texts", Checkbox).value:
            return f"{engine.to_citation(self._card)}\n"
        with_question = self.query_one("#export-question", Checkbox).value
        return file_words(self._card, markdown=markdown, with_question=with_question)

    def action_close(self) -> None:
        """Close without saving."""
        self.dismiss(None)

    def _say(self, text: str) -> None:
        self.query_one("#export-problem", Static).update(plain(text, "$warn"))


def _write_new(path: Path, words: str) -> None:
    """Write a file that is not there yet; what could not be written whole is taken away again."""
    with path.open("x", encoding="utf-8") as file:
        try:
            file.write(words)
            file.flush()
        except OSError:
            file.close()
            path.unlink(missing_ok=True)
            raise
