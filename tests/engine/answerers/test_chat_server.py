"""The answerer with a live model, against a server that plays every fault."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine.answerers import chat_session
from engine.answerers.chat import ChatAnswerer, ChatConfig
from engine.answerers.chat_address import parse_address
from engine.answerers.chat_faults import RequestCancelledError
from engine.errors import ServerError, UsageError
from engine.model import Answer, Context, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.model import Question
    from tests.engine.answerers.conftest import ScriptedServer

    Ask = Callable[..., Answer]
    AnswererOf = Callable[..., ChatAnswerer]

KEY = "sk-do-not-show-me"


class TestFaults:
    @pytest.mark.parametrize(
        ("status", "said"),
        [(401, "refused the key"), (403, "refused the key"), (404, "has no model small-1"), (501, "failed")],
    )
    def test_a_status_that_will_not_pass(
        self, status: int, said: str, server: ScriptedServer, ask: Ask
    ) -> None:
        server.replies(status, {"error": {"message": f"no: {KEY}"}})

        with pytest.raises(ServerError, match=said) as caught:
            ask()

        assert f"127.0.0.1:{server.port}" in caught.value.message
        assert KEY not in str(caught.value)

    @pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
    def test_a_stumble_is_tried_once_more(
        self, status: int, server: ScriptedServer, ask: Ask, good: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        server.replies(status, headers={"retry-after": "0"})
        server.says(good)
        with caplog.at_level(logging.WARNING):
            assert ask().status is Status.ANSWERED

        assert f"answered {status}" in caplog.text

    @pytest.mark.parametrize("status", [429, 500])
    def test_and_only_once(self, status: int, server: ScriptedServer, ask: Ask) -> None:
        server.replies(status)
        server.replies(status)

        with pytest.raises(ServerError, match=f"{status}"):
            ask()

    def test_a_long_wait_is_not_waited(self, server: ScriptedServer, ask: Ask) -> None:
        server.replies(429, headers={"retry-after": "3600"})

        with pytest.raises(ServerError, match="for 3600 seconds"):
            ask()

    def test_a_redirect_is_not_followed(self, server: ScriptedServer, ask: Ask) -> None:
        server.replies(307, headers={"location": f"http://localhost:{server.port}/v1/chat/completions"})

        with pytest.raises(ServerError, match="sends on to localhost"):
            ask()

        assert len(server.requests) == 1

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("<html>Sign in</html>", "a web page"),
            ("{not json", "not JSON"),
            ("[]", "other JSON"),
            ('{"error": {"message": "the model ran out of memory"}}', "ran out of memory"),
        ],
    )
    def test_a_good_status_with_something_else(
        self, body: str, said: str, server: ScriptedServer, ask: Ask
    ) -> None:
        server.replies(200, body)

        with pytest.raises(ServerError, match=said):
            ask()

    def test_a_huge_body_is_not_read_to_its_end(
        self, server: ScriptedServer, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(chat_session, "MAX_BODY", 1_000_000)
        server.replies(200, b"x" * 3_000_000)

        with pytest.raises(ServerError, match="more than 1 MB"):
            ask()

    @pytest.mark.parametrize(
        "data", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"]
    )
    def test_a_connection_that_breaks_off(self, data: bytes, server: ScriptedServer, ask: Ask) -> None:
        server.writes(data)

        with pytest.raises(ServerError, match="broke the connection off"):
            ask()

    @pytest.mark.parametrize(
        "head", [b"", b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"]
    )
    def test_a_slow_drip_has_one_deadline(self, head: bytes, server: ScriptedServer, ask: Ask) -> None:
        server.drips(head or b"HTTP")

        with pytest.raises(ServerError, match=r"within 0\.3 seconds"):
            ask(timeout=0.3)

    def test_silence_has_the_same(self, server: ScriptedServer, ask: Ask) -> None:
        server.hangs()

        with pytest.raises(ServerError, match=r"within 0\.3 seconds"):
            ask(timeout=0.3)

    def test_nobody_listens(self, server: ScriptedServer, question: Question, context: Context) -> None:
        config = ChatConfig(replace(parse_address(server.url), port=1), "small-1")

        with pytest.raises(ServerError, match=r"Nothing answers at 127\.0\.0\.1:1"):
            ChatAnswerer(config).answer(question, context)

    def test_https_where_there_is_none(self, server: ScriptedServer, ask: Ask) -> None:
        address = parse_address(server.url.replace("http:", "https:"))

        with pytest.raises(ServerError, match="No safe connection"):
            ask(address=address)

    def test_a_proxy_that_cannot_be_used(
        self, question: Question, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HTTPS_PROXY", "gopher://user:hunter2@proxy.example")
        config = ChatConfig(parse_address("https://api.example.com/v1"), "small-1")

        with pytest.raises(UsageError, match="proxy or certificates") as caught:
            ChatAnswerer(config).answer(question, context)

        assert "hunter2" not in str(caught.value)

    def test_a_proxy_never_sees_what_is_meant_for_this_computer(
        self, server: ScriptedServer, ask: Ask, good: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        server.says(good)

        assert ask().status is Status.ANSWERED

    def test_the_key_is_in_no_log_and_no_repr(
        self,
        answerer_of: AnswererOf,
        server: ScriptedServer,
        question: Question,
        context: Context,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        server.replies(500, KEY)
        server.replies(200, KEY)
        answerer = answerer_of()
        with caplog.at_level(logging.DEBUG), pytest.raises(ServerError) as caught:
            answerer.answer(question, context)

        shown = caplog.text + repr(answerer) + repr(answerer.config) + str(caught.value)
        assert caplog.records
        assert KEY not in shown


class TestCancelling:
    def test_cancel_ends_a_running_request(
        self, answerer_of: AnswererOf, server: ScriptedServer, question: Question, context: Context, good: str
    ) -> None:
        server.hangs()
        server.says(good)
        answerer = answerer_of()
        thread = threading.Thread(target=lambda: server.reached.wait(10) and answerer.cancel())
        thread.start()

        with pytest.raises(RequestCancelledError, match="was cancelled"):
            answerer.answer(question, context)

        thread.join()
        assert answerer.answer(question, context).status is Status.ANSWERED

    def test_cancel_before_the_request_went_out_ends_it_too(
        self,
        answerer_of: AnswererOf,
        server: ScriptedServer,
        question: Question,
        context: Context,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        answerer = answerer_of()
        run = answerer._run
        monkeypatch.setattr(answerer, "_run", lambda *given: (answerer.cancel(), run(*given))[1])

        with pytest.raises(RequestCancelledError):
            answerer.answer(question, context)

        assert not server.requests

    def test_cancel_without_a_request_does_nothing(
        self, answerer_of: AnswererOf, server: ScriptedServer, question: Question, context: Context, good: str
    ) -> None:
        server.says(good)
        answerer = answerer_of()
        answerer.cancel()

        assert answerer.answer(question, context).status is Status.ANSWERED

    @pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent to one thread there")
    def test_ctrl_c_interrupts(self, server: ScriptedServer, ask: Ask) -> None:
        main = threading.main_thread().ident
        assert main is not None

        def step(_: object) -> None:
            signal.pthread_kill(main, signal.SIGINT)
            server.over.wait(30)

        server.steps.append(step)

        with pytest.raises(KeyboardInterrupt):
            ask()
