"""No network, a broken way, a full disk: each a message, and nothing lost."""

from __future__ import annotations

import socket
import ssl
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from engine.errors import PublisherError, RegulationsError
from engine.refresh import faults
from engine.refresh.address import api_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import FakeClock, Refresh
    from fake_ecfr import FakeEcfr

    from engine.refresh.session import Tools


class TestNoConnection:
    def test_nothing_that_listens(self, run: Refresh, tools: Tools, clock: FakeClock) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = api_address(f"http://127.0.0.1:{taken.getsockname()[1]}", {}, "")
            with pytest.raises(PublisherError, match=r"Nothing answers at 127\.0\.0\.1") as caught:
                run(tools=replace(tools, address=address))
        assert clock.slept == []
        assert "Check the network connection" in caught.value.hint

    @pytest.mark.parametrize(
        ("cause", "said"),
        [
            (socket.gaierror(-2, "Name or service not known"), "is not known: there is no network"),
            (ssl.SSLError("bad certificate"), "certificate is not trusted"),
            (OSError("refused"), "Nothing answers"),
        ],
    )
    def test_the_cause_is_named(self, cause: OSError, said: str) -> None:
        error = httpx.ConnectError("no")
        error.__cause__ = cause
        assert said in faults.unreachable("www.ecfr.gov", error).message

    def test_one_lost_on_the_way_is_tried_again(self, run: Refresh, monkeypatch: pytest.MonkeyPatch) -> None:
        original, failures = httpx.Client.stream, [2]

        def lost(self: httpx.Client, method: str, url: str, **given: Any) -> Any:
            if "full" in url and failures[0]:
                failures[0] -= 1
                raise httpx.ConnectError("lost")
            return original(self, method, url, **given)

        monkeypatch.setattr(httpx.Client, "stream", lost)
        assert run().applied
        assert failures == [0]

    def test_a_broken_proxy_is_a_message(
        self, run: Refresh, tools: Tools, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HTTPS_PROXY", "nonsense://secret@proxy")
        with pytest.raises(RegulationsError, match="proxy or certificates cannot be used") as caught:
            run(tools=replace(tools, address=api_address(None, {}, "")))
        assert "secret" not in str(caught.value)


def test_a_full_disk_is_a_message(
    ecfr: FakeEcfr, run: Refresh, monkeypatch: pytest.MonkeyPatch, untouched: Callable[[], None]
) -> None:
    ecfr.amend()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.refresh.staging.write_whole", full)
    with pytest.raises(RegulationsError, match="No space left on device") as caught:
        run()
    assert "Make room" in caught.value.hint
    monkeypatch.undo()
    monkeypatch.setattr("engine.refresh.assemble.write_whole", full)
    with pytest.raises(RegulationsError, match="No space left on device"):
        run()
    untouched()


def test_the_server_is_told_who_asks(ecfr: FakeEcfr, run: Refresh) -> None:
    run()
    assert all(agent.startswith("regulations-assistant/") for agent in ecfr.agents)


def test_a_complaint_is_short_and_one_line() -> None:
    assert faults.complaint(b"a\n\x1b[31mb" + b"c" * 900).startswith("a \\x1b[31mbccc")
    assert len(faults.complaint(b"d" * 900)) == 200
    assert faults.complaint(b'{"other": 1}') == ""
    assert faults.complaint(b"[" * 100_000) == ("[" * 199 + "…")


def test_many_disagreements_are_cut_short() -> None:
    said = faults.disagreeing(tuple(f"250.{number} differs" for number in range(9))).message
    assert "250.4 differs." in said
    assert "And 4 more." in said
