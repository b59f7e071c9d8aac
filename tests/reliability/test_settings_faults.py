"""Settings that cannot be read are an error with a hint; none is passed over, none shows a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings as limits, strategies as st

from engine.cli import main
from engine.errors import UsageError
from engine.settings import Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = {
    "no table": b"top 5",
    "half a string": b'chat_url = "http://',
    "an unknown key": b"tpo = 5",
    "a wrong type": b'top = "5"',
    "a number out of range": b"top = 0",
    "not a number": b"chat_timeout = nan",
    "a number without end": b"top = " + b"9" * 5000,
    "brackets without end": b"chat_consent = " + b"[" * 5000,
    "not UTF-8": b'model = "\xff"',
    "a NUL": b"\x00",
    "UTF-16": "top = 5".encode("utf-16"),
    "a key twice": b"top = 5\ntop = 6",
    "JSON": b'{"top": 5}',
}  # fmt: skip


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_every_command_that_needs_them_says_where_they_are_and_what_is_wrong(
    content: bytes, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "settings.toml").write_bytes(content)
    for words in (["config"], ["search", "bag", "--as-of", "2022-06-10", "--no-models"]):
        assert main([*words, "--data", str(data)]) == 2
        seen = capsys.readouterr()
        assert seen.err.startswith("error: ")
        assert "regulations-assistant config" in seen.err
        assert "fault" not in seen.err
    assert main(["doctor", "--data", str(data)]) == 3
    assert "✗ settings" in capsys.readouterr().out
    assert (data / "settings.toml").read_bytes() == content


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
@limits(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_whatever_stands_in_the_file_it_is_settings_or_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    try:
        assert isinstance(load_settings(path), Settings)
    except UsageError as error:
        refusal = error
        assert refusal.hint


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://me:hunter2@host:1/v1", "http://host:1/v1 (a part is not shown)"),
        ("me:hunter2@host", "host (a part is not shown)"),
        ("https://host/v1?key=hunter2", "https://host/v1 (a part is not shown)"),
        ("https://host/v1#hunter2", "https://host/v1 (a part is not shown)"),
        ("http://a@b:hunter2@host/v1?hunter2", "http://host/v1 (a part is not shown)"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("", ""),
    ],
)
def test_what_an_address_hides_is_not_shown(
    url: str, shown: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "settings.toml").write_text(f'chat_url = "{url}"\nchat_key = "hunter2"', "utf-8")
    assert main(["config", "--data", str(data)]) == 0
    out = capsys.readouterr().out
    assert f'chat_url = "{shown}"\n' in out
    assert "hunter2" not in out
    assert "hunter2" not in repr(load_settings(data / "settings.toml"))
