"""The publisher's files brought here one by one: each checked, then staged, and only then counted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from engine.refresh import faults
from engine.refresh.address import TITLES, base_of, copy_path, versions_path, versions_query
from engine.refresh.listing import ListedVersion, Page, Titles, TitleState, read_page, read_titles
from engine.refresh.texts import read_copy
from engine.refresh.wire import JSON, XML
from engine.snapshot import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from engine.ingest import Progress
    from engine.model import SectionText
    from engine.refresh.address import Query
    from engine.refresh.staging import Entry, Staging
    from engine.refresh.wire import Wire

_Read = TypeVar("_Read")
TITLES_FILE: Final = "titles.json"


@dataclass(frozen=True, slots=True)
class PartList:
    """A part's whole list of section versions."""

    title: str
    part: str
    rows: tuple[ListedVersion, ...]
    files: tuple[SourceFile, ...]
    """One a page."""


@dataclass(frozen=True, slots=True)
class _Got(Generic[_Read]):
    """A file that is here, and what it reads as."""

    wanted: SourceFile
    what: str
    """Its name for messages."""
    url: str
    data: bytes
    value: _Read
    entry: Entry | None
    """Of the journal, where an earlier run staged it."""


@dataclass
class Fetcher:
    """Brings files of one publisher into one staging folder."""

    wire: Wire
    staging: Staging
    progress: Progress
    several_titles: bool = False
    """Whether files of more than one title lie together, so that their names have to say which."""
    contents: dict[str, bytes] = field(default_factory=dict)
    """The bytes of every file that has arrived, in this run or in one before it, by name."""
    _first_titles: bytes = b""
    _stage: str = ""
    _done: int = 0
    _total: int = 0

    def titles(self, wanted: frozenset[str]) -> dict[str, TitleState]:
        """Where the wanted titles stand now; asked anew in every run.

        Raises:
            PublisherError: it cannot be had, or the publisher is importing texts.
            SnapshotError: it is malformed, or a title is missing or reserved.

        """
        self._first_titles, titles = self._titles(wanted)
        if titles.busy:
            raise faults.importing(self.wire.host)
        return titles.states

    def stood_still(self, states: dict[str, TitleState]) -> bool:
        """Whether the publisher brought in nothing since the titles were in these states.

        Raises:
            PublisherError: it cannot be asked.
            SnapshotError: its list of titles is malformed.

        """
        _, titles = self._titles(frozenset(states))
        return not titles.busy and titles.states == states

    def keep_titles(self, title: str) -> SourceFile:
        """Stage the list of titles as first given; `title` is empty where texts are of several."""
        url = f"{base_of(self.wire.address)}{TITLES}"
        self.contents[TITLES_FILE] = self._first_titles
        entry = self.staging.keep(TITLES_FILE, url, self._first_titles, self._today)
        note = self._note(entry)
        return SourceFile(TITLES_FILE, "titles", title, "", None, url, "fetched", entry.sha256, note)

    def expect(self, stage: str, files: int) -> None:
        """Say what comes next and how many files of it, for the progress; of a list there may be more."""
        self._stage, self._done, self._total = stage, 0, files

    def part_list(self, title: str, part: str, until: date) -> PartList:
        """A part's list of section versions as of the issue day `until`, every page of it.

        Raises:
            PublisherError: a page cannot be had.
            SnapshotError: a page is malformed or missing, or the part is unknown.

        """
        pages: list[_Got[Page]] = []
        while True:
            got = self._page(title, part, until, len(pages) + 1)
            _check_page(got, pages)
            pages.append(got)
            rows = tuple(row for one in pages for row in one.value.rows)
            if len(rows) == got.value.total:
                # A list counts as a whole: no page is staged before the last one fits.
                return PartList(title, part, rows, tuple(self._kept(one) for one in pages))
            if not got.value.rows or len(pages) == got.value.pages:
                lacking = f"{got.value.total - len(rows)} of {got.value.total} rows are missing"
                raise faults.refused(got.what, f"is the last, and {lacking}")

    def copy(self, title: str, part: str, day: date) -> tuple[SourceFile, tuple[SectionText, ...]]:
        """A part's text on a day, read.

        Raises:
            PublisherError: it cannot be had.
            SnapshotError: it is not the whole text of that part.

        """
        what = f"the text of title {title} part {part} on {day}"
        file = SourceFile(
            self._name(title, f"part-{part}_{day.isoformat()}.xml"), "part", title, part, day,
            copy_path(title, day), "fetched", "", "",
        )  # fmt: skip
        query = (("part", part),)
        got = self._got(file, query, what, lambda data: read_copy(data, title, part, what), media=XML)
        return self._kept(got), got.value

    def _page(self, title: str, part: str, until: date, number: int) -> _Got[Page]:
        """One page of a part's list."""
        what = f"the list of versions of title {title} part {part}, page {number}"
        ending = "" if number == 1 else f"_page-{number}"
        file = SourceFile(
            self._name(title, f"versions_part-{part}{ending}.json"), "versions", title, part, None,
            versions_path(title), "fetched", "", "",
        )  # fmt: skip
        query = versions_query(part, until, number)
        return self._got(file, query, what, lambda data: read_page(data, title, part, what))

    def _got(
        self,
        wanted: SourceFile,
        query: Query,
        what: str,
        read: Callable[[bytes], _Read],
        *,
        media: frozenset[str] = JSON,
    ) -> _Got[_Read]:
        """One file, staged by an earlier run or fetched now, and read.

        `wanted` has the path below the base address in place of the address, and no sum yet.
        """
        held = self.staging.held(wanted.file)
        if held is not None:
            entry, data = held
            return _Got(wanted, what, entry.url, data, read(data), entry)
        self._tell()
        arrived = self.wire.get(wanted.url, query, what, media=media)
        return _Got(wanted, what, arrived.url, arrived.data, read(arrived.data), None)

    def _kept(self, got: _Got[Any]) -> SourceFile:
        """Stage a file that was found good, unless it is staged already."""
        file = got.wanted.file
        entry = got.entry or self.staging.keep(file, got.url, got.data, self._today)
        self._done += 1
        self._tell()
        self.contents[file] = got.data
        return replace(got.wanted, url=entry.url, sha256=entry.sha256, note=self._note(entry))

    def _titles(self, wanted: frozenset[str]) -> tuple[bytes, Titles]:
        arrived = self.wire.get(TITLES, (), "the list of titles", media=JSON)
        return arrived.data, read_titles(arrived.data, wanted)

    def _tell(self) -> None:
        self.progress(self._stage, self._done, max(self._done, self._total))

    @property
    def _today(self) -> str:
        return self.wire.clock.now().date().isoformat()

    def _note(self, entry: Entry) -> str:
        return f"the publisher's bytes, fetched on {entry.fetched} from {self.wire.host}"

    def _name(self, title: str, name: str) -> str:
        return f"title-{title}_{name}" if self.several_titles else name


def _check_page(got: _Got[Page], before: Sequence[_Got[Page]]) -> None:
    """See that a page is the one that was asked for, and of the same list as those before it."""
    page, number = got.value, len(before) + 1
    if page.number not in {None, number}:
        raise faults.refused(got.what, f"says that it is page {page.number}")
    if not page.total:
        raise faults.refused(got.what, "is empty: the publisher has no such part")
    if before and (page.total, page.pages) != (before[0].value.total, before[0].value.pages):
        raise faults.refused(got.what, "counts other rows or pages than the first page")
    if before and got.data == before[-1].data:
        raise faults.refused(got.what, "is the page before it once more")
    rows = sum(len(one.value.rows) for one in before) + len(page.rows)
    if rows > page.total:
        raise faults.refused(got.what, f"brings the rows to {rows}, where {page.total} are counted")
