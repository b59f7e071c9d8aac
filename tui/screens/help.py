"""The help page: the focused pane's keys first, then those that work everywhere."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Static

from tui import commands
from tui.drawing.badges import plain
from tui.screens.over import OverScreen

if TYPE_CHECKING:
    from textual.app import ComposeResult

TITLES = {
    "question": "Question box",
    "date": "Flight date",
    "timeline": "Timeline",
    "answers": "Answer cards",
    "dropped": "Dropped passages",
    "passage": "Passage",
    "compare": "Comparison",
    "browse": "Browse",
    "measure": "Measure",
}
ALONE = frozenset({"passage", "compare", "browse", "measure"})
"""What opens above the main screen, where its commands do not work."""
_INDENT = " " * 13
"""Below the words of a help line, right of its keys."""
_LEAST = 20
"""Columns that words get, however narrow the screen is."""
SIGNS = """\
✓ IN FORCE       the text stands on the card's day
✗ NOT IN FORCE   the text is of another version: never the rule for that day
! PENDING        an amendment is published and is not yet the rule
≈ near-duplicate left out because a passage taken says the same
STALE            the question or the date above has changed since this card"""


def shown_keys(command: type[commands.Command]) -> str:
    """A command's keys as help and docs write them."""
    return command.shown or command.keys.replace("+", " ") or "(palette)"


def lines(pane: str, width: int = 0) -> Content:
    """The help of a pane, its lines wrapped below their own words; with a width of 0 not at all."""
    parts = []
    own = commands.PANES.get(pane, ())
    if own:
        parts.append(Content.styled(f"{TITLES[pane]}\n", "bold"))
        parts += [_line(command, width) for command in own]
        parts.append(Content("\n"))
    if pane not in ALONE:
        parts.append(Content.styled("Everywhere\n", "bold"))
        parts += [_line(command, width) for command in commands.EVERYWHERE]
        parts.append(Content("\n"))
    parts += [Content.styled("Signs\n", "bold"), plain(SIGNS)]
    return Content.assemble(*parts)


def _line(command: type[commands.Command], width: int) -> Content:
    room = max(_LEAST, width - len(_INDENT)) if width else len(command.help())
    wrapped = f"\n{_INDENT}".join(textwrap.wrap(command.help(), room))
    return Content.assemble(plain(f"  {shown_keys(command):<10} ", "bold $link"), plain(f"{wrapped}\n"))


class HelpScreen(OverScreen):
    """F1."""

    def __init__(self, pane: str) -> None:
        """Explain `pane` first."""
        super().__init__()
        self.pane = pane

    def compose(self) -> ComposeResult:
        """The page."""
        with VerticalScroll(classes="over") as page:
            page.border_title = "Help (Esc closes)"
            yield Static(lines(self.pane), markup=False, id="help-lines")
        yield Footer(show_command_palette=False)

    def on_resize(self) -> None:
        """Wrap anew for the width."""
        # Border, padding and scroll bar take six columns.
        self.query_one("#help-lines", Static).update(lines(self.pane, self.app.size.width - 6))

    def action_help(self) -> None:
        """F1 again closes."""
        self.action_close()
