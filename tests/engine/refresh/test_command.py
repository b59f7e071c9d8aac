"""`refresh` and `snapshot verify --upstream` as a user types them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from engine.cli import main
from engine.refresh.swap import Place
from engine.refresh.waiting import Clock

if TYPE_CHECKING:
    from conftest import FakeClock, Held
    from fake_ecfr import FakeEcfr


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Call(Protocol):
    def __call__(self, *words: str, typed: str | None = None) -> Done:
        """`typed` is what a person at a terminal types; None is no terminal."""
        ...


class Keyboard(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def call(
    held: Held,
    url: str,
    clock: FakeClock,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Call:
    fake = clock.clock
    monkeypatch.setattr(Clock, "__init__", _filled(fake))
    monkeypatch.setenv("REGULATIONS_ASSISTANT_ECFR_API", url)

    def call(*words: str, typed: str | None = None) -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO() if typed is None else Keyboard(typed))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: typed is not None)
        shared = [] if "--into" in words else ["--regulations", str(held.parent)]
        code = main([*words, *shared, "--data", str(held.data)])
        seen = capsys.readouterr()
        return Done(code, seen.out, seen.err)

    return call


def _filled(fake: Clock) -> Any:
    """An initialiser that gives every new clock the fake one's time."""
    values = {name: getattr(fake, name) for name in ("monotonic", "sleep", "now")}

    def fill(self: Clock) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    return fill


def test_check_shows_what_would_change_and_changes_nothing(ecfr: FakeEcfr, call: Call, held: Held) -> None:
    before = held.state()
    ecfr.amend()
    done = call("refresh", "--check")

    assert done.code == 0
    assert "14 CFR 250.5: a further version from 2026-11-12" in done.out
    assert "amounts that go: $1,075; that come: $1,225" in done.out
    assert "Nothing was replaced." in done.err
    assert held.state() == before


def test_the_host_is_named_before_anything_is_sent(ecfr: FakeEcfr, call: Call, url: str) -> None:
    ecfr.meta["import_in_progress"] = True
    done = call("refresh", "--check")

    assert done.code == 4
    assert done.err.splitlines()[0] == (
        f"Asking {url.removeprefix('http://')} for the publisher's texts. Nothing of yours is sent there."
    )
    assert done.out == ""
    assert "Traceback" not in done.err


def test_yes_takes_what_comes(ecfr: FakeEcfr, call: Call, held: Held) -> None:
    ecfr.amend()
    done = call("refresh", "--yes")

    assert done.code == 0
    assert f"In place: {held.folder}." in done.err
    assert "`refresh --undo` puts them back" in done.err
    again = call("refresh", "--yes")
    assert again.code == 0
    assert "Nothing to do: the publisher's texts are up to date to 2026-11-20" in again.err
    undone = call("refresh", "--undo")
    assert (undone.code, undone.out) == (0, "")
    assert "Put back" in undone.err
    assert call("refresh", "--undo", "--json").json["in_use"]["folder"] == str(held.folder)


@pytest.mark.parametrize(("typed", "applied"), [("y\n", True), ("YES\n", True), ("n\n", False), ("", False)])
def test_a_person_is_asked(typed: str, applied: bool, ecfr: FakeEcfr, call: Call, held: Held) -> None:
    before = held.state()
    ecfr.amend()
    done = call("refresh", typed=typed)

    assert done.code == 0
    assert "Replace the texts in use? [y/N] " in done.err
    assert (held.state() != before) is applied


def test_without_a_person_nothing_is_guessed(ecfr: FakeEcfr, call: Call) -> None:
    done = call("refresh")
    assert done.code == 2
    assert "--check" in done.err
    assert "--yes" in done.err
    assert ecfr.requests == []


@pytest.mark.parametrize(
    "words",
    [
        ("refresh", "--check", "--yes"),
        ("refresh", "--undo", "--yes"),
        ("refresh", "--title", "14", "--check"),
        ("refresh", "--api", "ftp://x", "--check"),
        ("snapshot", "--upstream"),
        ("snapshot", "verify", "--replace"),
        ("snapshot", "verify", "--api", "http://localhost"),
        ("snapshot", "verify", "--upstream", "--yes"),
        ("snapshot", "verify", "--upstream", "--replace"),
    ],
    ids=" ".join,
)
def test_words_that_contradict_each_other_are_refused(
    words: tuple[str, ...], ecfr: FakeEcfr, call: Call
) -> None:
    done = call(*words)
    assert done.code == 2
    assert done.out == ""
    assert ecfr.requests == []


def test_json_holds_the_whole_report(ecfr: FakeEcfr, call: Call, held: Held) -> None:
    ecfr.amend()
    table = call("refresh", "--yes", "--json").json

    assert table["changed"] is True
    assert table["applied"] is True
    assert table["folder"] == str(held.folder)
    assert table["previous"] == str(Place(held.folder).previous)
    report = table["report"]
    assert report["before"]["current_to"] == "2026-10-07"
    assert report["after"]["current_to"] == "2026-11-20"
    assert [row["date"] for row in report["new_copies"]] == ["2026-11-12", "2026-11-20", "2026-11-20"]
    (change,) = report["changes"]
    assert change["section"] == "250.5"
    assert "$1,225" in change["amounts_after"]
    assert any(piece["op"] == "added" for block in change["blocks"] for piece in block["pieces"])
    assert {"T136", "T138"} <= {row["id"] for row in report["stale_questions"]}
    assert report["stale_recordings"]

    nothing = call("refresh", "--check", "--json").json
    assert nothing["changed"] is False
    assert nothing["report"] is None


def test_a_collection_of_ones_own_is_made_and_used(call: Call, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    words = ("refresh", "--title", "14", "--part", "254", "--into", str(mine), "--yes", "--json")
    table = call(*words).json
    assert table["report"]["before"] is None
    assert table["previous"] is None
    main(["versions", "254.4", "--regulations", str(mine), "--data", str(tmp_path / "data"), "--json"])


def test_what_is_said_of_a_new_collection_offers_no_undo(call: Call, tmp_path: Path) -> None:
    done = call("refresh", "--title", "14", "--part", "254", "--into", str(tmp_path / "mine"), "--yes")
    assert "a new collection, history from 2017-01-01" in done.out
    assert "undo" not in done.err


def test_verify_upstream_compares_and_replaces_when_told_to(call: Call, held: Held) -> None:
    before = held.state()
    compared = call("snapshot", "verify", "--upstream")
    assert compared.code == 0
    assert "Rebuilt files beside the publisher's: 13" in compared.out
    assert held.state() == before

    assert call("snapshot", "verify", "--upstream", "--replace", "--yes").code == 0
    assert held.state() != before
    nothing = call("snapshot", "verify", "--upstream", "--json")
    assert nothing.json["report"] is None
    assert "no file of the collection is a rebuilt one" in nothing.err


@pytest.mark.usefixtures("call")
def test_the_shipped_texts_are_said_to_stay_and_where_the_others_are(
    held: Held, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    original = Path(__file__).parents[3]
    monkeypatch.setattr(
        "engine.paths.shipped", lambda name: held.parent if name == "regulations" else original / name
    )
    data = ["--data", str(held.data)]
    own = held.data / "regulations" / "us-14-cfr"
    main(["refresh", "--yes", *data])
    assert f"{held.folder} stays as it is. What is accepted goes into {own}" in capsys.readouterr().err
    main(["snapshot", *data])
    assert f"  in {own}" in capsys.readouterr().out
    main(["doctor", *data])
    assert f"in {own}" in capsys.readouterr().out
    main(["refresh", "--undo", "--json", *data])
    assert json.loads(capsys.readouterr().out) == {"undone": True, "in_use": None}


def test_a_comparison_shows_what_does_not_fit_and_a_replacement_refuses_it(
    ecfr: FakeEcfr, call: Call, held: Held
) -> None:
    ecfr.list("250", "250.12", "2021-04-13")
    before = held.state()
    shown = call("snapshot", "verify", "--upstream")
    assert shown.code == 0
    assert "! 250.12 is listed for 2021-04-13 and does not stand in the text" in shown.out
    refused = call("snapshot", "verify", "--upstream", "--replace", "--yes")
    assert refused.code == 3
    assert "The publisher's list and the texts do not agree." in refused.err
    assert held.state() == before


def test_offline_is_a_message_and_no_traceback(held: Held) -> None:
    words = ("refresh", "--check", "--api", "http://127.0.0.1:9", "--regulations", str(held.parent))
    done = subprocess.run(
        [sys.executable, "-m", "tui", *words, "--data", str(held.data)],
        cwd=Path(__file__).parents[3],
        env=os.environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 4
    assert done.stdout == ""
    assert "error: Nothing answers at 127.0.0.1:9." in done.stderr
    assert "Check the network connection" in done.stderr
    assert "Traceback" not in done.stderr


def test_interrupted_it_keeps_what_has_arrived(
    ecfr: FakeEcfr, call: Call, held: Held, monkeypatch: Any
) -> None:
    ecfr.amend()

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.refresh.session.make_report", interrupted)
    done = call("refresh", "--yes")
    assert (done.code, done.out) == (130, "")
    monkeypatch.undo()
    assert (Place(held.folder).work / "journal.jsonl").is_file()
