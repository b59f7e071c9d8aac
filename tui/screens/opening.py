"""What the main screen opens, copies and saves from a card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import engine
from engine import RegulationsError
from tui.own import own_app
from tui.screens.call import CallScreen
from tui.screens.compare import CompareScreen
from tui.screens.export import ExportScreen
from tui.screens.help import HelpScreen
from tui.screens.passage import Leaf, PassageScreen
from tui.widgets.answers_pane import AnswersPane
from tui.widgets.dropped_pane import DroppedPane
from tui.widgets.timeline_pane import TimelinePane
from tui.words import answer_words, cited_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import AnswerCard, Chunk, SectionVersion, Timeline
    from tui.messages import DroppedWanted, SectionWanted, SourceWanted
_NOTHING = "There is no answer yet. Ask a question first."


class OpeningActions(CallScreen):
    """Passages, comparisons, the clipboard and files."""

    @property
    def card(self) -> AnswerCard | None:
        """The open card: what copy, export and compare speak about."""
        entry = self.desk.get(self.opened) if self.opened is not None else None
        return entry.card if entry else None

    def timeline_of(self, version: SectionVersion) -> Timeline | None:
        """The timeline that a version belongs to."""
        lines = self.engine.timelines if self.engine else ()
        wanted = (version.text.title, version.section)
        return next((line for line in lines if (line.title, line.section) == wanted), None)

    def on_section_wanted(self, event: SectionWanted) -> None:
        """Show a section on the chosen day; without a day its last version."""
        line = event.timeline
        version = line.text_on(self.day) if self.day else line.versions[-1]
        self.app.push_screen(PassageScreen(Leaf(line, version, self.day)))

    def on_source_wanted(self, event: SourceWanted) -> None:
        """Show the whole section with the cited words marked."""
        entry = self.desk.get(event.number)
        if entry is not None:
            version = event.source.chunk.version
            cited = tuple(event.source.text.split("\n"))
            leaf = Leaf(self.timeline_of(version), version, entry.request.as_of, cited)
            self.app.push_screen(PassageScreen(leaf))

    def on_dropped_wanted(self, event: DroppedWanted) -> None:
        """Show a dropped passage, and beside it the version in force when that is another."""
        entry = self.desk.get(event.number)
        if entry is None:
            return
        day, version = entry.request.as_of, event.chunk.version
        line = self.timeline_of(version)
        cited = tuple(block.text for block in event.chunk.blocks)
        leaves = [Leaf(line, version, day, cited, "Dropped: would have been read")]
        if version.in_force(day):
            leaves = [Leaf(line, version, day, cited, "Dropped")]
        elif line is not None:
            leaves.append(Leaf(line, line.text_on(day), day, label=f"In force on {day}"))
        self.app.push_screen(PassageScreen(*leaves))

    def action_compare(self) -> None:
        """Compare what is focused with the version before it, or with the one in force."""
        pair = self._pair()
        if pair is None:
            self.notify("Nothing to compare: no version before this one is held.", markup=False)
            return
        line = self.timeline_of(pair[1])
        if line is not None:
            self.app.push_screen(CompareScreen(line, *pair))

    def _pair(self) -> tuple[SectionVersion, SectionVersion] | None:
        card = self.card
        row = self.query_one(DroppedPane).focused_row
        if row is not None and row.value is not None and card is not None:
            return self._against_in_force(row.value.chunk, card)
        timeline = self.query_one(TimelinePane)
        if self.focused is timeline and timeline.section is not None:
            line = timeline.section
            version = line.text_on(self.day) if self.day else line.versions[-1]
            return self._with_before(version)
        row = self.query_one(AnswersPane).focused_row
        source = row.value if row is not None and row.value is not None else None
        if source is None and card is not None and card.sources:
            source = card.sources[0]
        return self._with_before(source.chunk.version if source else None)

    def _against_in_force(
        self, chunk: Chunk, card: AnswerCard
    ) -> tuple[SectionVersion, SectionVersion] | None:
        line = self.timeline_of(chunk.version)
        standing = line.text_on(card.as_of) if line else None
        if standing is None or standing == chunk.version:
            return self._with_before(chunk.version)
        first, second = sorted((standing, chunk.version), key=lambda version: version.effective_from)
        return first, second

    def _with_before(self, version: SectionVersion | None) -> tuple[SectionVersion, SectionVersion] | None:
        line = self.timeline_of(version) if version else None
        if line is None or version is None:
            return None
        earlier = [one for one in line.versions if one.effective_from < version.effective_from]
        return (earlier[-1], version) if earlier else None

    def action_copy_answer(self) -> None:
        """Copy the answer."""
        self._copy(answer_words, "the answer")

    def action_copy_cited(self) -> None:
        """Copy the answer with citations."""
        self._copy(cited_words, "the answer with citations")

    def action_copy_texts(self) -> None:
        """Copy the texts in force that the card cites."""
        try:
            self._copy(engine.to_citation, "the texts for a complaint")
        except RegulationsError as error:
            self.notify(error.message, markup=False)

    def action_export(self) -> None:
        """Ask where to save the card."""
        if self.card is None:
            self.notify(_NOTHING, markup=False)
        else:
            self.app.push_screen(ExportScreen(self.card, Path.cwd()), self._exported)

    def action_help(self) -> None:
        """Explain the focused pane."""
        ids = [item.id for item in self.focused.ancestors_with_self] if self.focused else []
        known = ("question", "date", "timeline", "answers", "dropped")
        self.app.push_screen(HelpScreen(next((pane for pane in known if pane in ids), "")))

    def action_palette(self) -> None:
        """Open the palette."""
        self.app.action_command_palette()

    def action_next_pane(self, step: int = 1) -> None:
        """Focus the next pane."""
        ring = ("question", "date", "timeline", "answers", "dropped")
        ids = [item.id for item in self.focused.ancestors_with_self] if self.focused else []
        at = next((place for place, pane in enumerate(ring) if pane in ids), -1)
        pane = ring[(at + step) % len(ring)]
        if pane in {"timeline", "answers", "dropped"}:
            self.shown_pane = pane
        self.set_focus(self.query_one(f"#{pane}"))

    def action_previous_pane(self) -> None:
        """Focus the pane before."""
        self.action_next_pane(-1)

    def action_next_theme(self) -> None:
        """Change the colours."""
        own_app(self).next_theme()

    def _copy(self, words: Callable[[AnswerCard], str], what: str) -> None:
        if self.card is None:
            self.notify(_NOTHING, markup=False)
        else:
            own_app(self).copy_words(words(self.card), what)

    def _exported(self, path: Path | None) -> None:
        if path is not None:
            self.notify(f"Saved {path}", title="Exported", timeout=8, markup=False)
