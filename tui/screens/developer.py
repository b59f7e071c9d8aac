"""What the main screen opens for those who look behind the answers, and the history on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.own import own_app
from tui.screens.call import CallScreen
from tui.widgets.answers_pane import AnswersPane
from tui.widgets.dropped_pane import DroppedPane
from tui.widgets.question_box import QuestionBox
from tui.widgets.timeline_pane import TimelinePane

if TYPE_CHECKING:
    from datetime import date

    from engine import Chunk, SectionVersion

_WAIT = "The texts are still being opened. Try again in a moment."


class DeveloperActions(CallScreen):
    """Browse, measure, and what is kept of the questions."""

    def on_mount(self) -> None:
        """Bring back what was kept, if somebody chose to keep it."""
        for question, day in own_app(self).history.questions():
            self.query_one(QuestionBox).remember(question, day)

    def action_browse(self) -> None:
        """Browse the texts, from the focused source on."""
        from tui.screens.browse import BrowseScreen  # noqa: PLC0415 - only who asks for it waits for its import

        if self.engine is None:
            self.notify(_WAIT, markup=False)
        else:
            self.app.push_screen(BrowseScreen(self.engine, self._behind()))

    def action_measure(self) -> None:
        """Measure the best engine that is ready."""
        from tui.screens.measure import MeasureScreen  # noqa: PLC0415 - only who asks for it waits for its import

        if self.engine is None:
            self.notify(_WAIT, markup=False)
        else:
            self.app.push_screen(MeasureScreen(self.engine, self.worker))

    def action_keep_history(self) -> None:
        """Turn the history on disk on or off."""
        history = own_app(self).history
        if not history.choose(keep=not history.kept):
            self.notify("The choice cannot be kept: the data folder cannot be written.", markup=False)
        elif history.kept:
            words = f"From now on questions and days are kept in {history.path}, readable by you alone."
            self.notify(words, title="History on disk: on", timeout=8, markup=False)
        else:
            words = "Nothing more is written. What was kept is still there: Clear the history deletes it."
            self.notify(words, title="History on disk: off", timeout=8, markup=False)

    def action_clear_history(self) -> None:
        """Delete every question that is kept, on disk and in memory."""
        self.query_one(QuestionBox).forget()
        if own_app(self).history.clear():
            self.notify("The history is empty, on disk too.", markup=False)
        else:
            words = f"{own_app(self).history.path} could not be deleted. Delete it by hand."
            self.notify(words, severity="warning", markup=False)

    def keep(self, question: str, day: date) -> None:
        """Remember a question and its day; on disk only after that was chosen."""
        self.query_one(QuestionBox).remember(question, day)
        if not own_app(self).history.add(question, day):
            self.notify("The question could not be written to the history.", markup=False)

    def _behind(self) -> Chunk | SectionVersion | None:
        """The chunk or version behind what is focused; None for the beginning."""
        dropped = self.query_one(DroppedPane).focused_row
        if dropped is not None and dropped.value is not None:
            chunk: Chunk = dropped.value.chunk
            return chunk
        line = self.query_one(TimelinePane).section
        if isinstance(self.focused, TimelinePane) and line is not None:
            return line.text_on(self.day) if self.day else line.versions[-1]
        answers = self.query_one(AnswersPane)
        row = answers.focused_row
        if row is not None and row.value is not None:
            cited: Chunk = row.value.chunk
            return cited
        entry = self.desk.get(self.opened) if self.opened is not None else None
        card = entry.card if entry else None
        within = self.focused is not None and answers in self.focused.ancestors_with_self
        return card.sources[0].chunk if within and card and card.sources else None
