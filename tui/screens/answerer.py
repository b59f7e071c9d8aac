"""What gives the answers: chosen, named, and agreed to before words go to a server."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from tui.drawing.badges import plain
from tui.screens.call import CallScreen
from tui.widgets.header_line import HeaderLine
from tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from engine import Choice
    from tui.messages import AnswerersFound, Staged


class AnswererActions(CallScreen):
    """The choice of the answerer, and how far a live one is."""

    def on_answerers_found(self, event: AnswerersFound) -> None:
        """Keep the choices; the chosen one stays, with what is now known of it."""
        if event.problem:
            self.notify(event.problem, title="Answers are quoted", severity="warning", markup=False)
        if event.choices:
            self.choices = event.choices
            same = [one for one in event.choices if one.name == self.answerer.name]
            self.choose(same[0] if same else event.choices[0])

    def on_mount(self) -> None:
        """Prepare the clock of the wait; it stands still while no live model is asked."""
        self._clock = self.set_interval(1, self._tick, pause=True)
        self._begun = 0, 0.0

    async def on_staged(self, event: Staged) -> None:
        """Say on the card how far it is, and from the first stage on how long it takes."""
        if self.desk.staged(event.number, event.text) is None:
            return
        if self._begun[0] != event.number:
            self._begun = event.number, monotonic()
            self._clock.reset()
            self._clock.resume()
        await self.redraw()

    async def _tick(self) -> None:
        number, begun = self._begun
        if self.desk.waited(number, int(monotonic() - begun)) is None:
            self._clock.pause()
        else:
            await self.redraw()

    def action_next_answerer(self) -> None:
        """Choose the next answerer."""
        places = [one.name for one in self.choices]
        at = places.index(self.answerer.name) if self.answerer.name in places else -1
        self.choose(self.choices[(at + 1) % len(places)])
        only = " It is the only one here: record answers, or name a server in the settings."
        self.notify(
            f"Answers come from: {self.answerer.words}.{only if len(places) == 1 else ''}", markup=False
        )

    def choose(self, choice: Choice) -> None:
        """Take a choice; the screen says where words go."""
        self.answerer = choice
        default = not choice.server and choice == self.choices[0]
        self.query_one(HeaderLine).answerer = "" if default else choice.words
        said = f" Enter sends the question to {choice.server} " if choice.server else ""
        self.query_one(QuestionBox).border_subtitle = plain(said)
