"""The texts behind the answers: collection, sections, versions, chunks, raw XML, and a search."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, Static, Tree

from engine import Chunk, RegulationsError, SectionVersion, Timeline, one_line, parse_day, section_source
from tui import commands
from tui.drawing import browse as draw
from tui.drawing.badges import plain
from tui.own import own_app
from tui.screens.over import OverScreen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content
    from textual.widgets.tree import TreeNode

    from engine import Engine, SearchResult

Item = Timeline | SectionVersion | Chunk | None
"""What a line of the tree stands for; None for the collection and for what was found."""
FOUND = 20
"""Results that a search shows."""


class BrowseScreen(OverScreen):
    """A tree on the left, the page of the chosen line on the right."""

    BINDINGS: ClassVar[list[BindingType]] = commands.bindings(commands.BROWSE)
    AUTO_FOCUS = "#browse-tree"
    pane = "browse"

    def __init__(self, engine: Engine, start: SectionVersion | Chunk | None = None) -> None:
        """Browse an engine's texts, beginning at a version or a chunk."""
        super().__init__()
        self._engine = engine
        self._start = start
        self._raw = False
        self._found: TreeNode[Item] | None = None

    def compose(self) -> ComposeResult:
        """Search, tree and page."""
        with Vertical(classes="over", id="browse") as page:
            page.border_title = "Browse (Esc closes)"
            with Horizontal(id="browse-find"):
                yield Input(placeholder="Search (/), Enter", id="browse-query")
                yield Input(placeholder="day, or none", id="browse-day")
            with Horizontal():
                yield Tree[Item](Text(one_line(self._engine.collection.id)), id="browse-tree")
                with VerticalScroll(id="browse-page"):
                    yield Static(markup=False, id="browse-text")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Fill the tree and go to where it begins."""
        tree = self._tree
        tree.guide_depth = 2
        for line in self._engine.timelines:
            section = tree.root.add(Text(draw.section_label(line)), line)
            for version in line.versions:
                chunks = self._chunks(version)
                node = section.add(Text(draw.version_label(version, len(chunks))), version)
                for chunk in chunks:
                    node.add_leaf(Text(draw.chunk_label(chunk)), chunk)
        tree.root.expand()
        self.call_after_refresh(self._go_to, self._start)

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[Item]) -> None:
        """The page follows the line."""
        self._show(event.node.data)

    def on_tree_node_selected(self, event: Tree.NodeSelected[Item]) -> None:
        """Enter on something found goes to its place."""
        if self._found is not None and event.node.parent is self._found:
            self._go_to(event.node.data)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search with what both boxes hold."""
        event.stop()
        query = self.query_one("#browse-query", Input).value.strip()
        typed = self.query_one("#browse-day", Input).value.strip()
        if query:
            self.run_worker(self._search(query, typed), group="find", exclusive=True)

    def action_find(self) -> None:
        """Go to the search box."""
        self.query_one("#browse-query").focus()

    def action_raw(self) -> None:
        """Turn raw XML on or off."""
        self._raw = not self._raw
        node = self._tree.cursor_node
        self._show(node.data if node else None)

    def action_copy(self) -> None:
        """Copy the page."""
        words = self.query_one("#browse-text", Static).content
        own_app(self).copy_words(str(words), "the page")

    def action_close(self) -> None:
        """From a search box back to the tree, from the tree back to the call."""
        if isinstance(self.focused, Input):
            self._tree.focus()
        else:
            self.dismiss(None)

    @property
    def _tree(self) -> Tree[Item]:
        return self.query_one("#browse-tree", Tree)

    def _chunks(self, version: SectionVersion) -> list[Chunk]:
        return [chunk for chunk in self._engine.chunks if chunk.version == version]

    def _go_to(self, item: Item) -> None:
        wanted = next((node for node in self._below(self._tree.root) if _same(node.data, item)), None)
        node = wanted or self._tree.root
        above = node.parent
        while above is not None:
            above.expand()
            above = above.parent
        self.call_after_refresh(self._move, node)

    def _move(self, node: TreeNode[Item]) -> None:
        # A node gets its line when the lines are laid out, which asking for the last one does.
        if self._tree.last_line >= 0:
            self._tree.move_cursor(node)

    def _below(self, node: TreeNode[Item]) -> Iterator[TreeNode[Item]]:
        for child in node.children:
            if child is not self._found:
                yield child
                yield from self._below(child)

    def _show(self, item: Item) -> None:
        version = item.version if isinstance(item, Chunk) else item
        if self._raw and isinstance(version, SectionVersion):
            self.run_worker(self._load_raw(version), group="raw", exclusive=True)
            return
        self.workers.cancel_group(self, "raw")
        self._page(self._drawn(item))

    def _drawn(self, item: Item) -> Content:
        if isinstance(item, Timeline):
            return draw.section_page(item)
        if isinstance(item, SectionVersion):
            return draw.version_page(item, self._chunks(item))
        if isinstance(item, Chunk):
            return draw.chunk_page(item)
        engine = self._engine
        return draw.collection_page(engine.collection, len(engine.timelines), len(engine.chunks))

    def _page(self, drawn: Content) -> None:
        self.query_one("#browse-text", Static).update(drawn)
        self.query_one("#browse-page", VerticalScroll).scroll_home(animate=False)

    async def _load_raw(self, version: SectionVersion) -> None:
        try:
            raw = await asyncio.to_thread(section_source, self._engine.collection, version)
        except RegulationsError as error:
            self._page(plain(str(error), "$warn"))
        else:
            self._page(draw.raw_page(version, raw))

    async def _search(self, query: str, typed: str) -> None:
        try:
            day = parse_day(typed) if typed else None
            result = await asyncio.to_thread(self._engine.search, query, day, top=FOUND)
        except RegulationsError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self._list(result, f"{f'on {day}' if day else 'in every version'}: “{query}”")

    def _list(self, result: SearchResult, asked: str) -> None:
        if self._found is not None:
            self._found.remove()
        count = len(result.hits)
        title = f"{count or 'Nothing'} found {asked} by {result.method}"
        self._found = self._tree.root.add(Text(one_line(title)), None, before=0, expand=True)
        for hit in result.hits:
            label = draw.found_label(hit.rank, hit.chunk, hit.score, in_force=hit.in_force)
            self._found.add_leaf(Text(label), hit.chunk)
        self._tree.focus()
        self.call_after_refresh(self._move, self._found)


def _same(one: Item, other: Item) -> bool:
    if isinstance(one, Chunk) and isinstance(other, Chunk):
        return one.id == other.id
    return type(one) is type(other) and one == other
