"""Browsing the texts: the tree, its pages, the search, raw XML, and the way from a source and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from screen_support import NASTY, ask, call, press, shown, toasts, use, version, write
from textual.widgets import Input, Static, Tree

from engine import RawSection, RegulationsError, one_line, open_collection, safe_text
from engine.snapshot import SourceFile
from tui.drawing import browse as draw
from tui.screens.browse import BrowseScreen
from tui.widgets.row import Row

if TYPE_CHECKING:
    from screen_support import Copied, FakeWorker
    from textual.pilot import Pilot

    from tui.app import RegulationsApp


def page(pilot: Pilot[int]) -> str:
    return str(pilot.app.screen.query_one("#browse-text", Static).content)


def tree(pilot: Pilot[int]) -> Tree[object]:
    return pilot.app.screen.query_one("#browse-tree", Tree)


def test_sections_versions_and_chunks_are_walked_by_keys(app: RegulationsApp, copied: Copied) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f3")
        assert isinstance(pilot.app.screen, BrowseScreen)
        assert "3 sections, 11 chunks, 0 files" in page(pilot)
        await press(pilot, "down", "down")
        assert "§ 250.5 Amount of 250.5." in page(pilot)
        assert "2024-10-24 to 2025-01-21   notice" in page(pilot)
        await press(pilot, "enter", "down", "down", "down")
        assert "[86 FR 2534, Jan. 13, 2021]" in page(pilot)
        assert "! PENDING  Link to an amendment published at 89 FR 84818" in page(pilot)
        await press(pilot, "enter", "down", "down")
        assert "id         2505-2024-10-24-1" in page(pilot)
        assert "position   1 in the version, characters" in page(pilot)
        await press(pilot, "y")
        assert copied.texts == [page(pilot)]
        await press(pilot, "escape")
        assert pilot.app.screen is call(pilot)

    use(app, steps)


def test_a_source_opens_at_its_chunk_and_escape_goes_back_to_it(app: RegulationsApp) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot)
        await press(pilot, "down", "down", "f3")
        assert "id         2505-2024-10-24-0" in page(pilot)
        node = tree(pilot).cursor_node
        assert node is not None
        assert node.data.id == "2505-2024-10-24-0"  # type: ignore[attr-defined]
        await press(pilot, "escape")
        assert isinstance(pilot.app.focused, Row)
        assert pilot.app.focused.value is not None

    use(app, steps)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ([], "id         2505-2024-10-24-0"),
        (["f6", "down"], "id         2505-2025-01-22-0"),
        (["shift+f6"], "x shows the publisher's XML."),
    ],
    ids=["the open card's first source", "a dropped passage", "the section of the timeline"],
)
def test_browse_begins_at_what_is_focused(keys: list[str], words: str, app: RegulationsApp) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await ask(pilot)
        await press(pilot, *keys, "f3")
        assert words in page(pilot)

    use(app, steps)


def test_a_search_on_a_day_and_in_every_version(app: RegulationsApp, worker: FakeWorker) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f3", "slash")
        assert isinstance(pilot.app.focused, Input)
        await write(pilot, "200 percent")
        await press(pilot, "enter")
        assert "4 found in every version: “200 percent”" in shown(pilot)
        await press(pilot, "slash", "tab")
        await write(pilot, "20 December 2024")
        await press(pilot, "enter")
        text = shown(pilot)
        assert "1 found on 2024-12-20: “200 percent”" in text
        assert "found in every version" not in text
        await press(pilot, "down", "enter")
        node = tree(pilot).cursor_node
        assert node is not None
        assert node.parent is not None
        assert node.parent.data is not None
        assert "id         2505-2024-10-24-0" in page(pilot)

    use(app, steps)
    assert [day and day.isoformat() for _, day in worker.engine.searched] == [None, "2024-12-20"]


def test_a_day_that_is_none_is_explained_and_escape_leaves_the_box_first(app: RegulationsApp) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f3", "slash", "enter")
        assert not toasts(pilot)
        await write(pilot, "percent")
        await press(pilot, "tab")
        await write(pilot, "03/04/2024")
        await press(pilot, "enter")
        assert "03/04/2024" in toasts(pilot)[-1]
        await press(pilot, "escape")
        assert pilot.app.focused is tree(pilot)

    use(app, steps)


def test_raw_xml_of_the_shipped_texts(app: RegulationsApp, worker: FakeWorker) -> None:
    worker.engine.collection = open_collection()
    five = worker.engine.timelines[1]
    real = replace(five.versions[2], text=replace(five.versions[2].text, line=60))
    worker.engine.timelines = (replace(five, versions=(real,)),)
    worker.engine.chunks = ()

    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f3", "x", "down", "enter", "down")
        assert page(pilot).startswith("part-250_2024-10-24.xml")
        assert '   60 <DIV8 N="250.5"' in page(pilot)
        await press(pilot, "x")
        assert "x shows the publisher's XML." in page(pilot)

    use(app, steps)


def test_without_lines_or_with_an_altered_file_the_page_says_so(
    app: RegulationsApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        await press(pilot, "f3", "x", "down", "enter", "down")
        assert "No dated copy holds the lines" in page(pilot)

        def altered(*_: object) -> None:
            raise RegulationsError("It is not the listed file.", "Restore it.")

        monkeypatch.setattr("tui.screens.browse.section_source", altered)
        await press(pilot, "down")
        assert page(pilot) == "It is not the listed file. Restore it."

    use(app, steps)


def test_before_the_texts_are_open_both_views_say_to_wait(app: RegulationsApp) -> None:
    async def steps(pilot: Pilot[int]) -> None:
        call(pilot).engine = None
        await press(pilot, "f3", "f7")
        assert toasts(pilot) == ["The texts are still being opened. Try again in a moment."] * 2

    use(app, steps)


def test_text_of_the_law_is_shown_as_it_is() -> None:
    from screen_support import DAY, chunk_of  # noqa: PLC0415 - needed here alone

    made = version("250.5", DAY, None, NASTY, notice=NASTY)
    made = replace(made, notes=(NASTY,), text=replace(made.text, source_note=NASTY, heading=NASTY))
    file = SourceFile("part.xml", "part", "14", "250", DAY, "", "exact", "0", "")
    raw = draw.raw_page(made, RawSection(file, 7, f"<P>{NASTY}</P>\n<P>"))

    assert draw.version_page(made, ()).plain.count(safe_text(NASTY)) >= 4
    assert safe_text(NASTY) in draw.chunk_page(chunk_of(made)).plain
    assert one_line(NASTY) in raw.plain
    assert "    8 <P>" in raw.plain
    assert not any("\x1b" in text.plain for text in (raw, draw.version_page(made, ())))


def test_the_collection_page_lists_every_file() -> None:
    held = open_collection()
    text = draw.collection_page(held, 1, 2).plain

    assert all(Path(file.file).name in text for file in held.files)
