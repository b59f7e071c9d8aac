"""A full disk and folders that cannot be written: the answer comes, the old files stay, nothing is half."""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest
from faultkit import ASK, INDEX, LINUX, NOT_LINUX, NOT_POSIX, answers, files, raising, run, without_privileges

from engine import paths
from engine.cli import _Narration, guarded, main
from engine.doctor import examine
from engine.opening import open_collection, open_engine
from tui import state
from tui.history import History
from tui.state import load_keep_history, load_theme, save_theme

if TYPE_CHECKING:
    from pathlib import Path

DAY = date(2022, 6, 10)
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def small_files() -> None:
    """As on a disk that is full after 20 kB."""
    import resource  # noqa: PLC0415 - POSIX alone has it

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


@pytest.mark.skipif(os.name != "posix", reason=NOT_POSIX)
class TestADiskThatIsFull:
    def test_answers_without_saving_and_keeps_the_old_index(self, data: Path) -> None:
        before = files(data)
        done = run("ingest", data=data, preexec_fn=small_files)
        assert done.clean
        assert "kept in memory only" in done.err
        assert "Free some space" in done.err
        assert files(data) == before
        (data / INDEX).unlink()
        done = run(*ASK, data=data, preexec_fn=small_files)
        assert answers(done)
        assert "could not be saved" in done.out
        assert files(data) == {}

    @pytest.mark.skipif(not LINUX, reason=NOT_LINUX)
    @pytest.mark.parametrize("words", [ASK, (*ASK, "--json"), ("versions",), ("eval", "--ids", "Q01")])
    def test_under_the_output_is_an_error_that_names_it(self, data: Path, words: tuple[str, ...]) -> None:
        with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
            done = run(*words, data=data, stdout=full)
        assert done.code == 3
        assert "error: No space left on device.\n" in done.err
        assert "disk's space" in done.err
        assert done.clean

    @pytest.mark.skipif(not LINUX, reason=NOT_LINUX)
    def test_under_the_narration_stops_nothing(self, tmp_path: Path) -> None:
        with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
            done = run(*ASK, data=tmp_path, stderr=full)
        assert answers(done)
        assert (tmp_path / INDEX).is_file()


class TestTheScreensFiles:
    def test_a_history_that_cannot_be_written_keeps_the_old_one_and_no_words_beside_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        history = History(tmp_path)
        assert history.choose(keep=True)
        assert history.add("the first", DAY)
        before = files(tmp_path)
        monkeypatch.setattr(os, "fsync", raising(FULL))

        assert not history.add("the second", DAY)
        assert files(tmp_path) == before

    def test_a_theme_that_cannot_be_saved_loses_no_choice(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert History(tmp_path).choose(keep=True)
        assert save_theme(tmp_path, "nord")
        monkeypatch.setattr(os, "fsync", raising(FULL))

        assert not save_theme(tmp_path, "gruvbox")
        assert (load_theme(tmp_path), load_keep_history(tmp_path)) == ("nord", True)

    def test_what_a_killed_program_left_of_the_history_goes_when_it_is_cleared(self, tmp_path: Path) -> None:
        history = History(tmp_path)
        history.choose(keep=True)
        history.add("the first", DAY)
        (tmp_path / ".history.jsonl.abc.new").write_text("the second", "utf-8")

        assert history.clear()
        assert list(files(tmp_path)) == [state.FILE]

    def test_half_a_pair_of_a_typed_character_is_kept_as_it_is(self, tmp_path: Path) -> None:
        history = History(tmp_path)
        history.choose(keep=True)

        assert history.add("lost \ud83d bag \x1b[2J", DAY)
        assert history.questions() == (("lost \ud83d bag \x1b[2J", DAY),)
        assert (tmp_path / "history.jsonl").read_bytes().isascii()
        assert b"\x1b" not in (tmp_path / "history.jsonl").read_bytes()


@pytest.mark.skipif(not LINUX, reason=NOT_LINUX)
class TestFoldersThatAreClosed:
    def test_a_data_folder_that_is_read_only_serves_and_is_left_alone(self, data: Path) -> None:
        before = files(data)
        data.chmod(0o500)
        try:
            assert answers(run(*ASK, data=data, preexec_fn=without_privileges))
            done = run("ingest", data=data, preexec_fn=without_privileges)
            assert done.clean
            assert "kept in memory only" in done.err
            assert "--data DIR" in done.err
        finally:
            data.chmod(0o700)
        assert files(data) == before

    @pytest.mark.parametrize("home", ["below a closed folder", "read-only"])
    def test_a_home_that_is_closed_still_answers(self, tmp_path: Path, home: str) -> None:
        tmp_path.chmod(0o700)
        closed = tmp_path / "home"
        (closed / "inner").mkdir(parents=True)
        closed.chmod(0o000 if home == "below a closed folder" else 0o500)
        try:
            data = closed / "inner" / "data"
            done = run("doctor", data=data, preexec_fn=without_privileges)
            assert done.clean
            if home == "below a closed folder":
                assert "--data DIR" in done.out
            done = run(*ASK, data=data, preexec_fn=without_privileges)
            assert done.clean
            assert answers(done) or (done.code == 2 and "Permission denied" in done.err)
        finally:
            closed.chmod(0o700)

    def test_texts_that_may_not_be_read_are_named(self, texts: Path, data: Path) -> None:
        texts.parent.chmod(0o000)
        try:
            done = run(*ASK, "--regulations", texts.parent, data=data, preexec_fn=without_privileges)
        finally:
            texts.parent.chmod(0o700)
        assert done.code == 3
        assert done.clean
        assert "--regulations DIR" in done.err


def test_without_a_home_folder_no_folder_named_tilde_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    for words in (["config"], ["config", "--data", "~nobody/here"]):
        assert main(words) == 2
        assert "Name a folder in full with --data DIR" in capsys.readouterr().err
    assert files(tmp_path) == {}


@pytest.mark.skipif(os.name != "posix", reason=NOT_POSIX)
def test_a_data_folder_that_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    open_engine(data=tmp_path / "cli", models=False)
    save_theme(tmp_path / "app", "nord")

    for made in ("cli", "app"):
        assert stat.S_IMODE((tmp_path / made).stat().st_mode) == 0o700
    for path in (tmp_path / "cli" / INDEX, tmp_path / "app" / state.FILE):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_report_is_whole_or_as_it_was(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = tmp_path / "report.md"
    words = ["eval", "--ids", "Q01", "--report", str(report), "--no-models", "--data", str(data)]
    assert main(words) == 0
    before = {name: kept for name, kept in files(tmp_path).items() if name.startswith("report")}
    assert len(before) == 3
    monkeypatch.setattr(os, "fsync", raising(FULL))

    assert main(words) == 2
    assert {name: kept for name, kept in files(tmp_path).items() if "report" in name} == before


def test_a_missing_data_folder_is_looked_for_above(tmp_path: Path) -> None:
    (finding,) = [one for one in examine(None, tmp_path / "a" / "b") if one.name == "data folder"]
    assert finding.state == "ok"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FULL, "error: No space left on device.\n"),
        (OSError(errno.EIO, "Input/output error", "a\x1bb"), "error: Input/output error: a\\x1bb.\n"),
        (OSError(), "error: OSError.\n"),
    ],
)
def test_a_fault_of_the_system_is_named_and_is_no_fault_of_the_program(
    error: OSError, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    assert guarded(raising(error)) == 3
    assert capsys.readouterr().err.startswith(said)
    monkeypatch.setenv("REGULATIONS_ASSISTANT_DEBUG", "1")
    with pytest.raises(OSError, match=r".*"):
        guarded(raising(error))


def test_what_may_not_be_looked_at_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(tmp_path), "is_file", raising(PermissionError()))
    assert not paths.is_file(tmp_path)


def test_texts_of_ones_own_that_may_not_be_entered_leave_the_shipped_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.opening.recover", raising(PermissionError()))
    assert open_collection(data=tmp_path).folder == paths.shipped("regulations") / "us-14-cfr"


def test_narration_that_cannot_be_written_is_forgotten() -> None:
    class Full:
        encoding = "utf-8"
        write = flush = staticmethod(raising(FULL))

    narration = _Narration(Full())
    print("reading …", file=narration, flush=True)  # type: ignore[call-overload]
    assert narration.encoding == "utf-8"
