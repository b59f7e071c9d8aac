"""A planted name goes through every door; it is in no file that was not asked for, and in no log."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from faultkit import INDEX, LINUX, NOT_LINUX, PATIENCE, ROOT, files, paused, program, start
from screen_support import Copied, ask as ask_on_screen, call, press, settle, toasts, use
from terminalkit import READY, Screen, screens_of_a_test

from engine import open_engine
from tui import plain
from tui.app import RegulationsApp
from tui.engine_worker import LiveEngines
from tui.history import FILE, History
from tui.model_process import _log_fault
from tui.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from textual.pilot import Pilot

NAME = "Xanthippe Quorlbury"
PLANTED = f"{NAME} was bumped from a full domestic flight and arrived 90 minutes late. What is owed?"
DAY = "2022-06-10"
CRASH = """
import sys
from engine import cli
from engine.engine import Engine

def broken(self, question, *_, **__):
    raise KeyError(question)

Engine.ask = Engine.search = broken
sys.exit(cli.main(sys.argv[1:]))
"""
SCREEN_CRASH = """
import sys
from tui.desk import Desk

def broken(self, question, *_, **__):
    raise {error}(question)

Desk.ask = broken
from tui.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def named(content: bytes) -> bool:
    """Whether a part of the planted name stands in some bytes, however it is written."""
    return any(
        word.encode(encoding) in content.lower()
        for word in ("xanthippe", "quorlbury")
        for encoding in ("utf-8", "utf-16-le")
    )


class House:
    """A user's whole world in one folder: home, data, caches and temporary files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "home" / "data"
        self.said: list[str] = []
        for one in ("home", "tmp", "cwd"):
            (folder / one).mkdir()
        self.environment = {
            "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"),
            **{f"XDG_{kind}_HOME": str(folder / "home" / kind) for kind in ("DATA", "CONFIG", "CACHE")},
            "HF_HOME": str(folder / "home" / "hf"),
        }  # fmt: skip

    def run(self, *words: str, given: str = "", code: str = "", models: bool = False) -> tuple[int, str]:
        """Run the program here; its narration is kept to be searched, its data is given back."""
        command = program(*words, data=self.data, models=models)
        if code:
            command[1:3] = ["-c", code]
        process = start(command, env=self.environment, stdin=subprocess.PIPE, cwd=self.folder / "cwd")
        out, err = process.communicate(given.encode(), timeout=5 * PATIENCE)
        self.said.append(err.decode())
        return process.returncode, out.decode()

    def clean(self) -> None:
        """Nothing that was written or said names anybody."""
        for name, content in files(self.folder).items():
            assert not named(content), name
            assert not named(name.encode()), name
        for said in self.said:
            assert not named(said.encode()), said


@pytest.fixture
def house(tmp_path: Path, built: Path) -> House:
    folder = tmp_path / "house"
    folder.mkdir()
    made = House(folder)
    made.data.mkdir()
    (made.data / INDEX).write_bytes((built / INDEX).read_bytes())
    return made


@pytest.fixture
def screens() -> Iterator[Callable[..., Screen]]:
    with screens_of_a_test() as make:
        yield make


@pytest.fixture
def server() -> Iterator[str]:
    """A model server of this computer that fails in several ways, and keeps nothing."""

    class Failing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"error": {"message": "the model is not loaded"}}).encode()
            self.send_response(500)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    serving = ThreadingHTTPServer(("127.0.0.1", 0), Failing)
    Thread(target=serving.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{serving.server_port}/v1"
    serving.shutdown()
    serving.server_close()


class TestTheCommandLine:
    def test_questions_through_every_door_stay_on_standard_output(self, house: House) -> None:
        row = json.dumps({"id": 1, "question": PLANTED, "as_of": DAY})
        broken = (
            f'{row}\n{{"question": "{PLANTED}", "as_of": \n{{"question": "{PLANTED}", "as_of": "{NAME}"}}\n'
        )
        assert house.run("ask", PLANTED, "--as-of", DAY)[0] == 0
        assert house.run("ask", "-", "--as-of", DAY, "--json", given=PLANTED)[0] == 0
        assert house.run("search", PLANTED, "--as-of", "none")[0] == 0
        assert house.run("ask", "--batch", "-", given=broken)[0] == 0
        assert house.run("ask", PLANTED, "--as-of", DAY, "--answerer", "replay", "--model", "quote")[0] == 1
        assert house.run("ask", PLANTED * 60, "--as-of", DAY)[0] == 2
        assert house.run("ask", PLANTED)[0] == 2
        assert house.run(PLANTED)[0] == 2
        assert house.run("ask", *PLANTED.split(), "--as-of", DAY)[0] == 2
        assert sorted(files(house.data)) == [INDEX]
        house.clean()

    def test_a_fault_of_a_model_server_names_nobody(self, house: House, server: str) -> None:
        for url in (server, "http://127.0.0.1:9/v1"):
            settings = f'chat_url = "{url}"\nchat_model = "m"\nchat_key = "sk-secret-key"\nchat_timeout = 5'
            (house.data / "settings.toml").write_text(settings, "utf-8")
            code, out = house.run("ask", PLANTED, "--as-of", DAY, "--answerer", "chat")
            assert code == 4
            assert "sk-secret-key" not in out + house.said[-1]
            assert "error: " in house.said[-1]
        house.clean()

    @pytest.mark.parametrize(
        "words", [("ask", PLANTED, "--as-of", DAY), ("search", PLANTED, "--as-of", "none")]
    )
    def test_a_fault_of_the_program_names_nobody(self, house: House, words: tuple[str, ...]) -> None:
        assert house.run(*words, code=CRASH) == (3, "")
        assert "has a fault (KeyError)" in house.said[-1]
        house.clean()

    @pytest.mark.skipif(os.name != "posix", reason="signals")
    def test_killed_in_the_middle_of_an_answer_it_leaves_no_words(self, house: House) -> None:
        process = paused("engine.engine:Engine.ask", "ask", PLANTED, "--as-of", DAY, data=house.data)
        process.kill()
        process.communicate()
        house.clean()

    @pytest.mark.models
    @pytest.mark.slow
    def test_with_models_nothing_is_written_either(self, house: House) -> None:
        assert house.run("ask", PLANTED, "--as-of", DAY, models=True)[0] == 0
        house.clean()


class TestLineByLine:
    def test_nothing_is_kept(self, house: House) -> None:
        lines = iter([f"date {DAY}", PLANTED, f"date {NAME}", "quit"])
        with open(os.devnull, "w", encoding="utf-8") as out:  # noqa: PTH123 - no file
            assert plain.run(open_engine(data=house.data, models=False), lambda _: next(lines), out) == 0
        house.clean()


class TestTheScreen:
    def test_nothing_is_written_and_copies_and_exports_leave_the_words_out(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(house.folder / "cwd")
        copied = Copied()
        app = RegulationsApp(
            LiveEngines(Options(data=house.data, no_models=True)), data=house.data, copier=copied
        )

        async def steps(pilot: Pilot[int]) -> None:
            await self.opened(pilot)
            await ask_on_screen(pilot, PLANTED, DAY)
            await self.answered(pilot)
            await press(pilot, "y", "Y", "e", "enter", "e")
            await press(pilot, *["backspace"] * 5)
            for key in ".txt":
                await pilot.press({".": "full_stop"}.get(key, key))
            await press(pilot, "enter")
            app.next_theme()
            await settle(pilot)
            assert not any(named(toast.encode()) for toast in toasts(pilot))

        use(app, steps)
        assert len(copied.texts) == 2
        assert not any(named(text.encode()) for text in copied.texts)
        assert len(files(house.folder / "cwd")) == 2
        assert all(b"$775" in content for content in files(house.folder / "cwd").values())
        house.clean()

    def test_only_what_was_asked_for_holds_the_words_and_is_closed_to_others(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(house.folder / "cwd")
        assert History(house.data).choose(keep=True)
        app = RegulationsApp(
            LiveEngines(Options(data=house.data, no_models=True)), data=house.data, copier=Copied()
        )

        async def steps(pilot: Pilot[int]) -> None:
            await self.opened(pilot)
            await ask_on_screen(pilot, PLANTED, DAY)
            await self.answered(pilot)
            await press(pilot, "e", "tab", "space", "shift+tab", "enter")

        use(app, steps)
        with_name = [name for name, content in files(house.folder).items() if named(content)]
        exported = f"cwd/answer-{DAY}.md"
        assert sorted(with_name) == sorted([exported, f"home/data/{FILE}"])
        if os.name == "posix":
            assert stat.S_IMODE((house.data / FILE).stat().st_mode) == 0o600
        assert History(house.data).clear()
        (house.folder / exported).unlink()
        house.clean()

    @staticmethod
    async def opened(pilot: Pilot[int]) -> None:
        while call(pilot).engine is None:
            await pilot.pause(0.05)

    @staticmethod
    async def answered(pilot: Pilot[int]) -> None:
        while (newest := call(pilot).desk.newest) is None or newest.card is None:
            await pilot.pause(0.05)
        await settle(pilot)

    @pytest.mark.skipif(not LINUX, reason=NOT_LINUX)
    @pytest.mark.parametrize("error", ["KeyError", "RuntimeError"])
    def test_a_fault_of_the_screen_shows_its_kind_and_gives_the_terminal_back(
        self, house: House, screens: Callable[..., Screen], error: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        command = program(data=house.data)
        command[1:3] = ["-c", SCREEN_CRASH.format(error=error)]
        monkeypatch.setattr("terminalkit.program", lambda **_: command)
        screen = screens(house.data)
        screen.until(READY)
        screen.read(1)
        # Pasted, and the day after it; Enter asks.
        screen.type(b"\x1b[200~" + PLANTED.encode() + b"\x1b[201~")
        screen.until(b"Quorlbury")
        screen.type(b"\x04")
        screen.read(0.5)
        screen.type(b"\x1b[200~" + DAY.encode() + b"\x1b[201~")
        screen.until(DAY.encode())
        screen.read(0.5)
        screen.type(b"\r")

        assert screen.ended() == 3
        _, left, after = screen.seen.partition(b"\x1b[?1049l")
        words = re.sub(rb"\x1b\[[0-9;?<]*[a-zA-Z]", b"", after)
        assert left
        assert f"The program has a fault ({error}).".encode() in words
        assert not named(words)
        assert b"Traceback" not in words
        house.clean()

    def test_a_fault_of_the_keyword_engine_is_told_without_its_words(
        self, house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def broken(*_: object, **__: object) -> None:
            raise KeyError(PLANTED)

        monkeypatch.setattr("tui.engine_worker.answer", broken)
        app = RegulationsApp(
            LiveEngines(Options(data=house.data, no_models=True)), data=house.data, copier=Copied()
        )

        async def steps(pilot: Pilot[int]) -> None:
            await self.opened(pilot)
            await ask_on_screen(pilot, PLANTED, DAY)
            while (newest := call(pilot).desk.newest) is None or newest.state == "asking":
                await pilot.pause(0.05)
            assert newest.note == "The engine failed: KeyError."

        use(app, steps)
        seen = capsys.readouterr()
        assert not named((seen.out + seen.err).encode())
        house.clean()

    def test_the_log_of_the_model_process_says_where_a_fault_is_and_not_what_was_asked(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        try:
            {}[PLANTED]
        except KeyError as error:
            _log_fault(error)
        seen = capsys.readouterr()
        assert "fault: KeyError\n" in seen.err
        assert f"{Path(__file__).name}:" in seen.err
        assert not named(seen.err.encode())

    def test_the_log_of_the_model_process_is_its_owners_alone(self, tmp_path: Path) -> None:
        imports = "import sys; from pathlib import Path; from tui.model_process import _redirect"
        code = f"{imports}; _redirect(Path(sys.argv[1]))"
        log = tmp_path / "data" / "model.log"
        done = subprocess.run([sys.executable, "-c", code, log], cwd=ROOT, check=False, timeout=PATIENCE)
        assert done.returncode == 0
        if os.name == "posix":
            assert stat.S_IMODE(log.stat().st_mode) == 0o600
            assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700


def test_the_name_would_be_found(tmp_path: Path) -> None:
    """The search itself works: a name in any of these places is seen."""
    house = tmp_path / "house"
    house.mkdir()
    made = House(house)
    for place in ("home/.cache/x", "tmp/x", "cwd/x"):
        (house / place).parent.mkdir(exist_ok=True)
        (house / place).write_text(f"… {NAME.upper()} …", "utf-8")
        with pytest.raises(AssertionError):
            made.clean()
        (house / place).unlink()
    made.said.append(NAME)
    with pytest.raises(AssertionError):
        made.clean()
