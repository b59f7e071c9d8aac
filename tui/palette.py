"""The palette: every command, and the questions asked before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Provider

from engine import one_line
from tui import commands
from tui.messages import DayChosen
from tui.own import own_app
from tui.screens.answerer import AnswererActions
from tui.screens.help import shown_keys
from tui.themes import OFFERED
from tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from textual.command import Hits


class OurCommands(Provider):
    """Commands of the main screen; a question that was asked comes back into the question box."""

    async def discover(self) -> Hits:
        """Everything, before anything is typed."""
        for name, run, text in self._all():
            yield DiscoveryHit(_shown(name), run, text=name, help=text)

    async def search(self, query: str) -> Hits:
        """What fits the typed words."""
        matcher = self.matcher(query)
        for name, run, text in self._all():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name.replace("[", "\\[")), run, text=name, help=text)

    def _all(self) -> Iterator[tuple[str, Callable[[], object], str]]:
        screen = self.screen
        for command in commands.EVERYWHERE:
            if command.palette:
                run = partial(screen.run_action, command.action)
                yield f"{command.name} ({shown_keys(command)})", run, command.help()
        if isinstance(screen, AnswererActions):
            for choice in screen.choices:
                where = f"Question and passages go to {choice.server}" if choice.server else "Nothing is sent"
                yield f"Answers from: {choice.words}", partial(screen.choose, choice), where
        for box in screen.query(QuestionBox):
            for question in reversed(box.past):
                line, day = one_line(question), box.day_of(question)
                name = f"Asked: {line[:70]}{f' ({day})' if day else ''}"
                yield name, partial(_again, box, question), "Put this question and its day back"
        for name in OFFERED:
            yield f"Theme: {name}", partial(self._theme, name), "Change the colours; they are remembered"

    def _theme(self, name: str) -> None:
        own_app(self.screen).use_theme(name)


def _shown(name: str) -> str:
    # The palette reads markup in what it is given as text.
    return name.replace("[", "\\[")


def _again(box: QuestionBox, question: str) -> None:
    box.load_text(question)
    day = box.day_of(question)
    if day is not None:
        box.post_message(DayChosen(day))
    box.focus()
