"""What the settings must hold, and who must agree, before anything is sent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine.answerers.chat import KEY_VARIABLE, ChatAnswerer, ChatConfig, chat_answerer
from engine.answerers.chat_address import parse_address
from engine.answerers.consent import ConsentStore
from engine.errors import ServerError, UsageError
from engine.model import Answer, Context, Status
from engine.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.answerers import Answerer
    from engine.model import Question
    from tests.engine.answerers.conftest import ScriptedServer

    Ask = Callable[..., Answer]
    AnswererOf = Callable[..., ChatAnswerer]

WITH_MODEL = Settings(chat_model="small-1")


@pytest.fixture
def store(tmp_path: Path) -> ConsentStore:
    return ConsentStore(tmp_path / "consent.json")


class TestMaking:
    def make(self, store: ConsentStore, settings: Settings, **more: Any) -> ChatAnswerer:
        options = {"environment": {}, "confirm": None, **more}
        return chat_answerer(settings, consent_store=store, **options)

    def test_a_server_on_this_computer_needs_nothing_else(
        self, store: ConsentStore, server: ScriptedServer, question: Question, context: Context, good: str
    ) -> None:
        server.says(good)
        made: Answerer = self.make(store, replace(WITH_MODEL, chat_url=server.url))

        assert made.name == "chat"
        assert made.answer(question, context).status is Status.ANSWERED
        assert not store.path.exists()

    def test_the_settings_reach_the_request(self, store: ConsentStore) -> None:
        made = self.make(
            store,
            Settings(
                chat_url="http://localhost:1/v1",
                chat_model=" m ",
                chat_timeout=7.0,
                chat_max_tokens=8,
                chat_temperature=1.0,
            ),
        )

        assert made.config == ChatConfig(parse_address("http://localhost:1/v1"), "m", "", 7, 8, 1)

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            (WITH_MODEL, "chat_url is not set"),
            (Settings(chat_url="http://localhost:1/v1"), "chat_model is not set"),
            (replace(WITH_MODEL, chat_url="http://api.example.com/v1"), "reached by http"),
            (replace(WITH_MODEL, chat_url="https://api.example.com/v1"), "nobody has agreed"),
        ],
    )
    def test_what_is_missing_is_said_at_once(
        self, settings: Settings, said: str, store: ConsentStore
    ) -> None:
        with pytest.raises(UsageError, match=said) as caught:
            self.make(store, settings)

        assert caught.value.hint

    def test_http_over_a_network_wants_both_settings(self, store: ConsentStore) -> None:
        settings = replace(WITH_MODEL, chat_url="http://box.lan:8080/v1", chat_insecure=True)

        with pytest.raises(UsageError, match="nobody has agreed"):
            self.make(store, settings)
        self.make(store, replace(settings, chat_consent=("box.lan",)))

    @pytest.mark.parametrize(
        ("variable", "setting", "used"), [("a-1", "b-2", "a-1"), ("", "b-2", "b-2"), (" a-1\n", "", "a-1")]
    )
    def test_the_key_of_the_environment_comes_first(
        self, variable: str, setting: str, used: str, store: ConsentStore
    ) -> None:
        settings = replace(WITH_MODEL, chat_url="http://localhost:1/v1", chat_key=setting)

        assert self.make(store, settings, environment={KEY_VARIABLE: variable}).config.key == used

    @pytest.mark.parametrize("key", ["two words", "line\nline", "schlüssel"])
    def test_a_key_that_no_header_can_hold_is_refused_unseen(self, key: str, store: ConsentStore) -> None:
        settings = replace(WITH_MODEL, chat_url="http://localhost:1/v1", chat_key=key)

        with pytest.raises(UsageError, match="The key holds") as caught:
            self.make(store, settings)

        assert key not in str(caught.value)

    def test_consent_is_asked_at_the_first_question_and_once(
        self, store: ConsentStore, question: Question, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[str] = []
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
        settings = replace(WITH_MODEL, chat_url="https://api.example.com/v1")
        made = self.make(store, settings, confirm=lambda text: not asked.append(text))

        assert not asked
        for _ in range(2):
            with pytest.raises(ServerError):
                made.answer(question, context)
        assert len(asked) == 1
        assert asked[0].startswith("api.example.com is not this computer")
        self.make(store, settings)

    def test_after_a_no_nothing_is_sent(
        self, store: ConsentStore, question: Question, context: Context
    ) -> None:
        settings = replace(WITH_MODEL, chat_url="https://api.example.com/v1")
        made = self.make(store, settings, confirm=lambda _: False, closed_book=True)

        for _ in range(2):
            with pytest.raises(UsageError, match="Nothing was sent"):
                made.answer(question, context)
