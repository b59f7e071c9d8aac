"""The answerers that can be chosen by name, and a card's question put to another one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine.answerers import choosing
from engine.answerers.choice import Choice
from engine.engine import Engine
from engine.errors import UsageError
from engine.model import Answer, AnswerCard, Claim, Context, Question, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.answerers.chat import ChatAnswerer
    from engine.ingest import IngestReport
    from engine.snapshot import Collection

AWAY = 'chat_url = "https://api.example.com/v1"\nchat_model = "big"\n'
DAY = date(2022, 6, 10)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of the user's; nothing is shipped."""
    monkeypatch.setattr("engine.paths.shipped", lambda name: tmp_path / "shipped" / name)
    return tmp_path


def settle(data: Path, text: str) -> None:
    (data / "settings.toml").write_text(text, "utf-8")


def test_quoting_is_there_without_anything(data: Path) -> None:
    assert choosing.choices(data) == (Choice("quote"),)
    assert choosing.recorded_answerer("quote", data) is None
    assert Choice("quote").words == "quote"


def test_recordings_are_offered_by_model_and_played(data: Path) -> None:
    for folder in (data / "recordings" / "small", data / "shipped" / "recordings" / "large"):
        folder.mkdir(parents=True)
        (folder / "dev.jsonl").write_text("", "utf-8")

    assert [one.name for one in choosing.choices(data)] == ["quote", "replay large", "replay small"]
    answerer = choosing.recorded_answerer("replay large", data)
    assert answerer is not None
    assert answerer.name == "replay"
    with pytest.raises(UsageError, match=r"No recording for this request\. There are no recordings of none"):
        choosing.recorded_answerer("replay none", data)


def test_a_server_elsewhere_wants_consent_once(data: Path) -> None:
    settle(data, AWAY)
    chat = choosing.choices(data)[-1]

    assert (chat.name, chat.server, chat.model) == ("chat", "api.example.com", "big")
    assert chat.words == "chat (big), sent to api.example.com"
    assert "api.example.com is not this computer" in chat.consent
    with pytest.raises(UsageError, match="nobody has agreed"):
        choosing.live_answerer(data, {})
    choosing.agree(data)
    assert choosing.choices(data)[-1].consent == ""
    assert choosing.live_answerer(data, {}).config.model == "big"


def test_a_server_here_wants_none_and_a_bad_address_is_told_when_asked(data: Path) -> None:
    settle(data, 'chat_url = "http://localhost:11434/v1"\nchat_model = "qwen"\n')
    assert choosing.choices(data)[-1] == Choice("chat", "localhost:11434", "qwen")
    settle(data, 'chat_url = "ftp://x"\nchat_model = "qwen"\n')
    assert choosing.choices(data)[-1].server == "chat_url"
    with pytest.raises(UsageError, match="no plain http or https address"):
        choosing.live_answerer(data, {})


class Fixed:
    """Cites the first passage that it is given."""

    name = "fixed"

    def answer(self, question: Question, context: Context) -> Answer:
        return Answer(Status.ANSWERED, question.text, (Claim("It says so.", context.ids[:1]),), model="m")


@pytest.fixture
def asked(collection: Collection, ingested: IngestReport) -> tuple[Engine, AnswerCard]:
    engine = Engine(collection, ingested.index)
    return engine, engine.ask("What is the baggage liability limit in § 254.4?", DAY)


def test_another_answerer_gets_the_same_passages(asked: tuple[Engine, AnswerCard]) -> None:
    engine, card = asked
    again = engine.ask_again(card, Fixed())

    assert card.context is not None
    assert (again.answerer, again.model, again.context) == ("fixed", "m", card.context)
    assert [source.chunk.id for source in again.sources] == list(card.context.ids[:1])
    assert [one.kind for one in again.warnings].count("keyword_search_only") == 1
    found_by_meaning = replace(card, method="dense", warnings=())
    kinds = [one.kind for one in engine.ask_again(found_by_meaning, Fixed()).warnings]
    assert "keyword_search_only" not in kinds


def test_what_was_not_searched_is_asked_of_nobody(asked: tuple[Engine, AnswerCard]) -> None:
    engine, card = asked
    before = engine.ask("Bumped", date(2001, 1, 1))

    assert engine.ask_again(before, Fixed()) is before
    bare = replace(card, context=None)
    assert engine.ask_again(bare, Fixed()) is bare


def test_a_live_answer_is_checked_like_any(
    asked: tuple[Engine, AnswerCard], answerer_of: Callable[..., ChatAnswerer], server: Any, good: str
) -> None:
    engine, card = asked
    server.says(good)
    again = engine.ask_again(card, answerer_of())

    assert again.answerer == "chat"
    assert again.claims[0].problems
