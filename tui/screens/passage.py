"""A whole section with the cited words marked; a dropped passage beside the version in force."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Static

from tui import commands
from tui.drawing import passage as draw, timeline as lines
from tui.own import own_app
from tui.screens.compare import CompareScreen
from tui.screens.over import OverScreen
from tui.words import passage_words

if TYPE_CHECKING:
    from datetime import date

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from engine import SectionVersion, Timeline


@dataclass(frozen=True, slots=True)
class Leaf:
    """One section version to read, or the word that there is none."""

    timeline: Timeline | None
    """Where its neighbours are; None when the section is not held any more."""
    version: SectionVersion | None
    day: date | None
    """The day that its badge speaks about."""
    cited: tuple[str, ...] = ()
    """The words to mark."""
    label: str = ""
    """Above the leaf when there are two."""


class PassageScreen(OverScreen):
    """One leaf, or two side by side."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.PASSAGE)
    pane = "passage"

    def __init__(self, *leaves: Leaf) -> None:
        """Show one or two leaves; keys act on the first."""
        super().__init__()
        self.leaves = list(leaves)

    def compose(self) -> ComposeResult:
        """The leaves, each with head and text."""
        with Horizontal(classes="over leaves"):
            for place in range(len(self.leaves)):
                with Vertical(classes="leaf", id=f"leaf{place}"):
                    yield Static(markup=False, classes="leaf-head")
                    with VerticalScroll(classes="leaf-text"):
                        yield Static(markup=False, classes="leaf-body")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Fill the leaves and bring the cited words into sight."""
        for place in range(len(self.leaves)):
            self._fill(place)
        self.query_one("#leaf0 .leaf-text").focus()
        self.call_after_refresh(self._show_cited)

    def action_version(self, step: int) -> None:
        """Show the version before or after in the first leaf."""
        leaf = self.leaves[0]
        line = leaf.timeline
        if line is None or leaf.version is None:
            return
        at = _place(line, leaf.version) + step
        if 0 <= at < len(line.versions):
            self.leaves[0] = replace(leaf, version=line.versions[at])
            self._fill(0)
        else:
            which = "first" if step < 0 else "last"
            self.notify(f"This is the {which} version held.", markup=False)

    def action_compare(self) -> None:
        """Compare the two leaves, or the one with the version before it."""
        pair, line = self._pair(), self.leaves[0].timeline
        if pair is None or line is None:
            self.notify("There is no version before this one to compare with.", markup=False)
        else:
            self.app.push_screen(CompareScreen(line, *pair))

    def action_copy(self) -> None:
        """Copy the cited words, or the whole text, with badge, citation, days and address."""
        leaf = self.leaves[0]
        if leaf.version is None:
            return
        text = "\n\n".join(leaf.cited) or leaf.version.text.body
        badge = ""
        if leaf.day is not None and not leaf.version.in_force(leaf.day):
            badge = f"✗ NOT IN FORCE {leaf.day}\n"
        own_app(self).copy_words(badge + passage_words(leaf.version, text), "the passage")

    def _pair(self) -> tuple[SectionVersion, SectionVersion] | None:
        versions = [leaf.version for leaf in self.leaves if leaf.version is not None]
        if len(versions) > 1:
            first, second = sorted(versions, key=lambda version: version.effective_from)
            return first, second
        leaf = self.leaves[0]
        if leaf.timeline is None or leaf.version is None:
            return None
        at = _place(leaf.timeline, leaf.version)
        return (leaf.timeline.versions[at - 1], leaf.version) if at > 0 else None

    def _fill(self, place: int) -> None:
        leaf = self.leaves[place]
        page = self.query_one(f"#leaf{place}")
        if leaf.label:
            page.border_title = leaf.label
        head, body = page.query_one(".leaf-head", Static), page.query_one(".leaf-body", Static)
        if leaf.version is None:
            section = leaf.timeline.section if leaf.timeline else "This section"
            words = "not held"
            if leaf.timeline and leaf.day:
                words = f"{leaf.day}: {lines.standing_words(leaf.timeline, leaf.day)}."
            head.update(draw.missing(section, words))
            body.update("")
            return
        head.update(draw.head(leaf.version, leaf.day))
        body.update(draw.body(leaf.version, leaf.cited))

    def _show_cited(self) -> None:
        for place in range(len(self.leaves)):
            page = self.query_one(f"#leaf{place} .leaf-text", VerticalScroll)
            text = page.query_one(".leaf-body", Static)
            at = _first_mark(text)
            if at > page.size.height // 2:
                page.scroll_to(y=at, animate=False)


def _first_mark(text: Static) -> int:
    """The line of the drawn text that holds the first mark; 0 when there is none."""
    for y in range(text.size.height):
        if "»" in text.render_line(y).text:
            return y
    return 0


def _place(line: Timeline, version: SectionVersion) -> int:
    days = [one.effective_from for one in line.versions]
    return days.index(version.effective_from) if version.effective_from in days else 0
