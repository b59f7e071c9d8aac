"""A run that ends at any moment: the collection is the old one or the new one, and the next run goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fake_ecfr import SHIPPED

from engine.errors import RegulationsError, UsageError
from engine.opening import open_collection
from engine.refresh.run import undo
from engine.refresh.swap import Place, held_alone, put_back, put_in_place, recover
from engine.refresh.target import Named, place_of
from engine.snapshot import find_collections, load_collection

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Held, Refresh
    from fake_ecfr import FakeEcfr

    from engine.refresh.session import Tools

STEPS = (
    "begin", "ask for the titles", "list", "fetch", "ask for the titles again", "build", "report", "accept",
    "put the older one aside", "put the old one aside", "put the new one in place", "end the exchange",
)  # fmt: skip


class KilledError(BaseException):
    """The process ends here: nothing that follows is run, save what the system does itself."""


def killing(at: str) -> Callable[[str], None]:
    def step(name: str) -> None:
        if name == at:
            raise KilledError

    return step


@pytest.mark.parametrize("at", STEPS)
@pytest.mark.usefixtures("no_report")
def test_a_kill_leaves_the_old_or_the_new_one_whole(
    at: str, ecfr: FakeEcfr, run: Refresh, tools: Tools, held: Held
) -> None:
    before = held.state()
    ecfr.amend()
    with pytest.raises(KilledError):
        run(tools=replace(tools, step=killing(at)))

    found = open_collection(held.parent)
    assert found.folder == held.folder
    if at == "end the exchange":
        assert found.current_to.isoformat() == "2026-11-20"
    else:
        assert held.state() == before
        asked = len(ecfr.requests)
        assert run().applied
        texts = sum("/full/" in request for request in ecfr.requests[asked:])
        assert texts == (3 if STEPS.index(at) <= STEPS.index("fetch") else 0)
    assert "$1,225" in held.answer("2026-11-15")
    undo(place_of(run.named), lambda _: None, stands_in=False)
    assert held.state() == before


def test_a_run_goes_on_file_by_file(ecfr: FakeEcfr, run: Refresh, tools: Tools, told: list[str]) -> None:
    ecfr.amend()
    seen: list[int] = []

    def progress(stage: str, done: int, _: int) -> None:
        if stage == "texts" and done == 2:
            seen.append(done)
            raise KilledError

    with pytest.raises(KilledError):
        run(tools=replace(tools, progress=progress))
    asked = len(ecfr.requests)

    assert run().applied
    assert [request.partition("v1/")[2] for request in ecfr.requests[asked:]] == [
        "titles.json", "full/2026-11-20/title-14.xml?part=254", "titles.json",
    ]  # fmt: skip
    assert "4 files are here already from an earlier run." in told


@pytest.mark.usefixtures("no_report")
def test_files_of_another_day_are_not_gone_on_with(ecfr: FakeEcfr, run: Refresh) -> None:
    assert not run(yes=False).applied
    ecfr.current_to = "2026-11-23"
    asked = len(ecfr.requests)

    assert run().applied
    assert sum("/full/2026-11-23/" in request for request in ecfr.requests[asked:]) == 2


@pytest.mark.usefixtures("no_report")
def test_a_staged_file_that_was_altered_is_fetched_again(ecfr: FakeEcfr, run: Refresh, held: Held) -> None:
    assert not run(yes=False).applied
    staged = Place(held.folder).work / "files"
    (staged / "part-250_2026-11-20.xml").write_bytes(b"<DIV5/>")
    (staged / "part-254_2026-11-20.xml").unlink()
    asked = len(ecfr.requests)

    assert run().applied
    assert sum("/full/" in request for request in ecfr.requests[asked:]) == 2


@pytest.mark.parametrize("at", ["begin", "accept"])
def test_what_another_program_changed_meanwhile_is_not_replaced(
    at: str, ecfr: FakeEcfr, run: Refresh, tools: Tools, held: Held, tmp_path: Path
) -> None:
    ecfr.amend()
    assert run(named=Named(into=tmp_path / "mine", title="14", parts=("254",))).applied

    def step(name: str) -> None:
        if name == at:
            held.folder.rename(tmp_path / "aside")
            shutil.copytree(tmp_path / "mine", held.folder)

    with pytest.raises(UsageError, match="was changed by another program meanwhile"):
        run(tools=replace(tools, step=step))
    assert load_collection(held.folder).sha256 == load_collection(tmp_path / "mine").sha256


DRIVER = """
import sys, time
from pathlib import Path
from engine.refresh.address import api_address
from engine.refresh.run import refresh
from engine.refresh.session import Tools
from engine.refresh.target import Named, choose
from engine.refresh.waiting import Clock

def step(name):
    if name == sys.argv[3]:
        print("here", flush=True)
        time.sleep(60)

tools = Tools(address=api_address(sys.argv[2], {}, ""), progress=lambda *_: None, tell=lambda _: None,
              clock=Clock(sleep=lambda _: None, monotonic=iter(range(10**6)).__next__), step=step)
refresh(choose(Named(Path(sys.argv[1]), Path(sys.argv[1]) / ".data")), tools, lambda _: True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("at", ["build", "put the new one in place"])
@pytest.mark.usefixtures("no_report")
def test_a_process_that_is_killed_loses_nothing(
    at: str, ecfr: FakeEcfr, url: str, run: Refresh, held: Held
) -> None:
    before = held.state()
    ecfr.amend()
    command = [sys.executable, "-c", DRIVER, str(held.parent), url, at]
    root = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=root) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        if at == "build":
            with pytest.raises(UsageError, match=r"Another refresh of .* is at work"):
                run()
        else:
            assert not held.folder.exists()
        process.kill()

    # The system lets go of the lock, and whoever opens the texts next finds them.
    assert "$1,075" in held.answer("2026-10-01")
    assert held.state() == before
    assert run().applied


class TestTheExchange:
    @pytest.fixture
    def place(self, tmp_path: Path) -> Place:
        place = Place(tmp_path / "texts")
        self.fill(place.current, "old")
        return place

    def fill(self, folder: Path, content: str) -> None:
        folder.mkdir(parents=True)
        (folder / "text").write_text(content, "utf-8")

    def read(self, folder: Path) -> str | None:
        path = folder / "text"
        return path.read_text("utf-8") if path.is_file() else None

    def renew(self, place: Place, content: str, step: Callable[[str], None] = lambda _: None) -> None:
        self.fill(place.built, content)
        with held_alone(place):
            put_in_place(place, step)

    def leftovers(self, place: Place) -> set[str]:
        names = {path.name for path in place.current.parent.iterdir()}
        return names - {"texts", ".texts.previous", ".texts.lock", ".texts.refresh"}

    def test_keeps_the_one_before(self, place: Place) -> None:
        self.renew(place, "new")
        self.renew(place, "newer")
        assert (self.read(place.current), self.read(place.previous)) == ("newer", "new")
        assert not self.leftovers(place)

    @pytest.mark.parametrize("older", [False, True])
    @pytest.mark.parametrize("at", STEPS[8:])
    def test_killed_at_any_step_is_the_old_or_the_new_one(self, at: str, older: bool, place: Place) -> None:
        if older:
            self.fill(place.previous, "older")
        with pytest.raises(KilledError):
            self.renew(place, "new", killing(at))
        recover(place.current.parent)

        done = at == "end the exchange"
        assert self.read(place.current) == ("new" if done else "old")
        assert self.read(place.previous) == ("old" if done else "older" if older else None)
        assert not self.leftovers(place)

    @pytest.mark.parametrize(
        "at", ["put the new one aside", "put the old one back", "keep the new one", "end the exchange"]
    )
    def test_an_undo_killed_at_any_step_is_done_or_not(self, at: str, place: Place) -> None:
        self.fill(place.previous, "older")
        with pytest.raises(KilledError), held_alone(place):
            put_back(place, killing(at))
        recover(place.current)

        there = (self.read(place.current), self.read(place.previous))
        assert there == (("old", "older") if at == "put the new one aside" else ("older", "old"))
        assert not self.leftovers(place)

    def test_a_folder_that_is_made_for_it_may_be_empty(self, tmp_path: Path) -> None:
        place = Place(tmp_path / "mine")
        place.current.mkdir()
        self.renew(place, "new")
        assert self.read(place.current) == "new"
        assert not place.previous.exists()

    def test_what_stepped_aside_before_is_not_what_a_new_one_replaces(self, place: Place) -> None:
        with held_alone(place):
            put_back(place, lambda _: None)
        assert (self.read(place.current), self.read(place.previous)) == (None, "old")
        self.renew(place, "new")
        assert (self.read(place.current), self.read(place.previous)) == ("new", None)

    @pytest.mark.parametrize("failing", [0, 1])
    def test_a_folder_in_use_brings_the_old_one_back(
        self, failing: int, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        original, done = Path.rename, [0]

        def rename(self: Path, target: Path) -> Path:
            done[0] += 1
            # As Windows has it, while another program reads a file in it.
            if done[0] == failing + 1:
                raise PermissionError(13, "The process cannot access the file")
            return original(self, target)

        monkeypatch.setattr(Path, "rename", rename)
        with pytest.raises(RegulationsError, match="The process cannot access the file") as caught:
            self.renew(place, "new")
        assert "Close other programs" in caught.value.hint
        assert self.read(place.current) == "old"
        assert not self.leftovers(place)

    def test_a_reader_waits_for_another_process(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        place.marker.touch()
        waited: list[float] = []

        def sleep(seconds: float) -> None:
            waited.append(seconds)
            if len(waited) == 3:
                place.marker.unlink()

        monkeypatch.setattr("time.sleep", sleep)
        with held_alone(place):
            place.marker.touch()
            recover(place.current)
        assert len(waited) == 3

    def test_a_reader_that_waits_in_vain_goes_on(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        waited: list[float] = []
        monkeypatch.setattr("time.sleep", waited.append)
        with held_alone(place):
            place.marker.touch()
            recover(place.current)
        assert sum(waited) == pytest.approx(1.0)

    def test_a_folder_that_may_not_be_entered_is_passed_over(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def forbidden(self: Path) -> bool:
            raise PermissionError(13, "Permission denied", str(self))

        monkeypatch.setattr(Path, "is_file", forbidden)
        recover(place.current)
        monkeypatch.setattr(Path, "is_dir", forbidden)
        recover(place.current)

    def test_a_folder_that_is_a_file_is_a_message(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with (
            pytest.raises(UsageError, match="cannot be written to"),
            held_alone(Place(tmp_path / "file" / "texts")),
        ):
            pytest.fail("it was locked")

    def test_a_lock_that_is_no_lock_file_is_a_message(self, place: Place) -> None:
        place.lock.write_bytes(b"no database" * 99)
        with pytest.raises(UsageError, match="cannot be written to"), held_alone(place):
            pytest.fail("it was locked")


def test_what_lies_beside_a_collection_is_never_taken_for_one(run: Refresh, held: Held) -> None:
    run()
    assert load_collection(Place(held.folder).previous).sha256
    assert find_collections(held.parent) == (held.folder,)
    assert SHIPPED.name == held.folder.name
