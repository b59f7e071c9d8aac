"""Rare ways through the engine: plug-ins that fail, questions about nothing, whole-title copies."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine import abstain, open_engine
from engine.errors import ServerError
from engine.ingest import ingest
from engine.model import Reason, StandingKind, Status
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Engine

DAY = date(2022, 6, 10)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return open_engine(data=tmp_path_factory.mktemp("data"), models=False)


@dataclass
class Failing:
    fault: Exception
    name: str = "failing"

    def answer(self, _question: object, _context: object) -> Any:
        raise self.fault


def test_an_answerer_that_breaks_gives_a_failed_card_without_the_callers_words(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    card = engine.ask("Jane Doe lost a bag", DAY, answerer=Failing(ZeroDivisionError("Jane Doe")))
    assert card.status is Status.FAILED
    assert card.error == "The answerer failing failed (ZeroDivisionError)."
    assert "Jane Doe" not in caplog.text


def test_a_server_that_fails_is_the_callers_to_handle(engine: Engine) -> None:
    with pytest.raises(ServerError):
        engine.ask("lost bag", DAY, answerer=Failing(ServerError("no answer", "try again")))


def test_a_question_of_words_that_stand_nowhere_is_not_answered(engine: Engine) -> None:
    card = engine.ask("zzz qqq", DAY)
    assert (card.status, card.reason) == (Status.ABSTAINED, Reason.NOTHING_FITS)
    assert abstain.unknown("", DAY) == abstain.nothing_fits(DAY)


def collection(folder: Path, copies: dict[str, str]) -> Path:
    described = {
        "id": "x",
        "name": "X",
        "source": "ecfr",
        "publisher": "X",
        "language": "en",
        "history_start": "2017-01-01",
        "official": False,
        "licence": "none",
        "attribution": "X",
    }
    titles = {"titles": [{"number": 9, "up_to_date_as_of": "2024-01-01"}]}
    files = {"titles.json": json.dumps(titles), **{f"t_{day}.xml": text for day, text in copies.items()}}
    rows = ["file,kind,title,part,date,url,origin,sha256,note"]
    for name, text in files.items():
        kind, day = ("titles", "") if name == "titles.json" else ("part", name[2:-4])
        rows.append(f"{name},{kind},9,,{day},,fetched,{hashlib.sha256(text.encode()).hexdigest()},")
    files |= {"collection.json": json.dumps(described), "sources.csv": "\n".join(rows) + "\n"}
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    sums = (f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in files.items())
    (folder / "SHA256SUMS").write_text("".join(sums))
    return folder


def title(*parts: str) -> str:
    inner = "".join(
        f'<DIV5 N="{part}" TYPE="PART"><HEAD>PART {part}</HEAD><DIV8 N="{part}.1" TYPE="SECTION">'
        f"<HEAD>§ {part}.1 Rule.</HEAD><P>Pay in part {part}.</P></DIV8></DIV5>"
        for part in parts
    )
    return f'<ECFR><DIV1 N="9" TYPE="TITLE"><HEAD>Title 9</HEAD>{inner}</DIV1></ECFR>'


def test_a_part_that_a_later_copy_of_the_title_lacks_is_removed_on_that_day(tmp_path: Path) -> None:
    copies = {"2017-01-01": title("1", "2"), "2020-01-01": title("1")}
    index = ingest(load_collection(collection(tmp_path, copies))).index
    lines = {line.section: line for line in index.timelines}
    assert lines["2.1"].standing(date(2019, 12, 31)).kind is StandingKind.IN_FORCE
    assert lines["2.1"].standing(date(2020, 1, 1)).kind is StandingKind.GAP
    assert lines["1.1"].standing(date(2020, 1, 1)).kind is StandingKind.IN_FORCE


def test_words_that_a_reader_loses_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.sources.ReadResult.lost", property(lambda _: 3))
    index = ingest(load_collection(collection(tmp_path, {"2017-01-01": title("1")}))).index
    assert "t_2017-01-01.xml: 3 words were neither kept nor listed as left out." in index.warnings


def test_a_section_that_no_text_has_is_said_to_be_none(engine: Engine) -> None:
    card = engine.ask("What does § 250.99 say about bags?", DAY)
    assert (card.status, card.reason) == (Status.ABSTAINED, Reason.NOTHING_FITS)
    assert card.answer.startswith("There is no section 250.99 in these texts")
    assert card.sources == ()
