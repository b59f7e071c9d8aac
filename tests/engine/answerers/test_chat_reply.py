"""What a model wrote, read without trust."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine.answerers.chat_faults import Faults, Reply
from engine.answerers.chat_reply import (
    MAX_CLAIM,
    MAX_CLAIMS,
    MAX_CONTENT,
    UnusableError,
    cleaned,
    read_answer,
    read_completion,
)
from engine.errors import ServerError
from engine.model import Claim, Reason, Status, Usage

CLAIM: dict[str, Any] = {"text": "Not more than $775.", "passages": ["abc"]}
GOOD: dict[str, Any] = {"status": "answered", "reason": None, "claims": [CLAIM]}
FAULTS = Faults("localhost:1", "small-1", "sk-secret-key", 5)


def written(**changes: Any) -> str:
    return json.dumps(GOOD | changes)


def test_an_answer_is_claims_with_ids_as_given() -> None:
    read = read_answer(written(claims=[CLAIM, {"text": " Two. ", "passages": ["[5]", "nowhere"]}]))

    assert read.status is Status.ANSWERED
    assert read.reason is None
    assert read.claims == (Claim("Not more than $775.", ("abc",)), Claim("Two.", ("[5]", "nowhere")))


def test_an_abstention_has_its_reason() -> None:
    read = read_answer(written(status="abstained", reason="absent", claims=[]))

    assert (read.status, read.reason, read.claims) == (Status.ABSTAINED, Reason.ABSENT, ())


def test_an_abstention_without_a_reason_says_that_nothing_fits() -> None:
    assert read_answer(written(status="abstained", claims=[])).reason is Reason.NOTHING_FITS


def test_a_reason_beside_an_answer_counts_for_nothing() -> None:
    assert read_answer(written(reason="absent")).reason is None


@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```",
        "```\n{}\n```\n",
        "Here it is:\n```JSON\n{}\n```\nDone.",
        "<think>Is it {{75}}?</think>\n{}",
        "<think>a</think><thinking>b</thinking> {}",
        "no opening tag </think>\n\n```json\n{}\n```",
        "<think>not yet </think> done?</think>\n{}",
        "```json {} ```",
        "\ufeff{}\x00\n",
    ],
)
def test_fences_and_thinking_are_taken_off(around: str) -> None:
    text = around.replace("{}", written(), 1).replace("{{75}}", "{75}")

    assert len(read_answer(text).claims) == 1


def test_a_tag_inside_a_claim_is_text() -> None:
    claim = {"text": "It says </think> here.", "passages": []}

    assert read_answer(written(claims=[claim])).claims[0].text == "It says </think> here."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "wrote nothing"),
        (" \n\x00 ", "wrote nothing"),
        ("<think>hm</think>", "wrote nothing"),
        ("<think>I must consider", "only its thinking"),
        ("I cannot tell.", "not JSON"),
        ("{ " + written()[1:].join("{}"), "not JSON"),
        ("{ " + written(), "not JSON"),
        ("{" + written() + "}", "not JSON"),
        (written()[:-1] + ",}", "not JSON"),
        (written()[:-10], "not JSON"),
        ('{"status": NaN}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "no object"),
        ("x" * (MAX_CONTENT + 1), "more than"),
        (written(status="maybe"), '"status"'),
        (written(status=["answered"]), '"status"'),
        (json.dumps({"reason": None, "claims": [CLAIM]}), '"status"'),
        (json.dumps({"status": "answered", "claims": [CLAIM]}), '"reason"'),
        (written(reason="bored"), "none of the four"),
        (written(reason=["absent"]), "none of the four"),
        (json.dumps({"status": "answered", "reason": None}), '"claims"'),
        (written(claims={}), '"claims"'),
        (written(claims=[CLAIM] * (MAX_CLAIMS + 1)), '"claims"'),
        (written(claims=[]), "made no claim"),
        (written(claims=["text"]), 'without "text"'),
        (written(claims=[{"passages": []}]), 'without "text"'),
        (written(claims=[{"text": " \0", "passages": []}]), 'without "text"'),
        (written(claims=[{"text": "...", "passages": ["id"]}]), 'without "text"'),
        (written(claims=[{"text": "a"}]), 'list of "passages"'),
        (written(claims=[{"text": "a", "passages": "abc"}]), 'list of "passages"'),
        (written(claims=[{"text": "a", "passages": [5]}]), 'list of "passages"'),
        (written(claims=[{"text": "a" * (MAX_CLAIM + 1), "passages": []}]), "too long"),
        (written(claims=[{"text": "a", "passages": ["b"] * 41}]), "too long"),
        (written(claims=[{"text": "a", "passages": ["b" * 201]}]), "too long"),
    ],
)
def test_what_no_card_can_be_made_of_says_why(text: str, why: str) -> None:
    with pytest.raises(UnusableError) as caught:
        read_answer(text)

    assert why in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "```" + "a" * 190_000,
        "```" + "\n" * 190_000,
        "```\n" + " " * 190_000,
        "x</think>" * 20_000,
        "```" * 60_000,
    ],
    ids=range(5),
)
def test_no_text_is_slow_to_read(text: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(UnusableError):
        read_answer(text)

    assert time.perf_counter() - begun < 1


@given(st.text(alphabet='{}[]"`:, \nthink<>/answered', max_size=60))
def test_whatever_is_written_is_read_or_unusable(text: str) -> None:
    with suppress(UnusableError):
        assert read_answer(text).status in {Status.ANSWERED, Status.ABSTAINED}


def test_what_no_file_can_hold_is_taken_out_of_a_claim() -> None:
    read = read_answer(written(claims=[{"text": "a\0b \ud800 \x1b[31m", "passages": ["i\0d"]}]))

    assert read.claims[0] == Claim("ab \ufffd \x1b[31m", ("id",))
    assert cleaned("§ 250.5 \U0001f6eb") == "§ 250.5 \U0001f6eb"


def reply(body: object) -> Reply:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(200, {}, data)


def test_an_envelope_gives_text_model_and_tokens() -> None:
    choice = {"message": {"content": "{}"}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 7, "completion_tokens": 0}
    read = read_completion(reply({"choices": [choice], "model": "small-1", "usage": usage}), FAULTS)

    assert (read.content, read.finish, read.model) == ("{}", "stop", "small-1")
    assert read.usage == Usage(7, 0)
    assert not read.thought


def test_a_content_of_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "{"}, {"type": "image"}, "x", {"type": "text", "text": "}"}]

    assert read_completion(reply({"choices": [{"message": {"content": parts}}]}), FAULTS).content == "{}"


@pytest.mark.parametrize(
    "body",
    [{"choices": []}, {"choices": [None]}, {"choices": [{}]}, {"choices": [{"message": {"content": None}}]}],
)
def test_an_envelope_without_text_is_an_empty_answer(body: object) -> None:
    read = read_completion(reply(body), FAULTS)

    assert (read.content, read.finish, read.refusal, read.model, read.usage) == ("", "", "", "", None)


@pytest.mark.parametrize(
    "usage",
    [None, 5, {}, {"prompt_tokens": 5}, {"prompt_tokens": True, "completion_tokens": 5},
     {"prompt_tokens": -1, "completion_tokens": 5}, {"prompt_tokens": 10**12, "completion_tokens": 5}],
)  # fmt: skip
def test_tokens_that_cannot_be_are_not_counted(usage: object) -> None:
    assert read_completion(reply({"choices": [], "usage": usage}), FAULTS).usage is None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<!DOCTYPE html><title>Welcome</title>", "a web page"),
        (b"", "not JSON"),
        (b"\xff\xfe{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "other JSON"),
        (b"{}", "other JSON"),
        (
            b'{"choices": null, "error": {"message": "model \\u001b[31m not loaded. "}}',
            "\\x1b[31m not loaded",
        ),
        (b'{"error": "bad key sk-secret-key"}', "bad key [key]"),
    ],
)
def test_what_is_no_completion_names_the_host(body: bytes, said: str) -> None:
    with pytest.raises(ServerError) as caught:
        read_completion(reply(body), FAULTS)

    assert caught.value.message.startswith("localhost:1 ")
    assert said in caught.value.message
    assert caught.value.hint
