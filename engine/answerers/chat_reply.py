"""What a model wrote, read without trust: first the server's envelope, then the answer inside it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.answerers.chat_faults import message_of
from engine.model import Claim, Reason, Status, Usage

if TYPE_CHECKING:
    from engine.answerers.chat_faults import Faults, Reply

MAX_CONTENT: Final = 200_000
"""Characters of an answer with its thinking."""
MAX_CLAIMS: Final = 40
MAX_CLAIM: Final = 8_000
"""Characters of one claim."""
MAX_PASSAGES: Final = 40
"""Ids of one claim."""
_MAX_ID: Final = 200
_MAX_TOKENS: Final = 10**9
_THINKING_ENDS: Final = re.compile(r"</think(?:ing)?>\s*+", re.IGNORECASE)
_FENCE: Final = re.compile(r"```[a-z]*+[ \t\r]*+\n?+(.*?)```", re.IGNORECASE | re.DOTALL)
_BEGINS: Final = "{[`"
"""What JSON or a fence begins with."""


class UnusableError(Exception):
    """An answer that no card can be made of; its text ends the sentence "The model …"."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One completion as the server wrapped it."""

    content: str
    """May be empty."""
    finish: str
    """Why the model stopped: `stop`, `length`, `content_filter`, …; empty when the server does not say."""
    refusal: str
    thought: bool
    """Whether the server shows thinking beside the answer."""
    model: str
    """Empty when the server does not say."""
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as a model wrote it."""

    status: Status
    reason: Reason | None
    claims: tuple[Claim, ...]


def read_completion(reply: Reply, faults: Faults) -> Completion:
    """Take a completion out of its envelope.

    Raises:
        ServerError: the body is no JSON, reports an error, or is something else.

    """
    try:
        table = json.loads(reply.body)
    except (ValueError, RecursionError):
        html = reply.body[:1000].lstrip()[:1] == b"<"
        raise faults.not_chat("a web page" if html else "something that is not JSON") from None
    if not isinstance(table, dict):
        raise faults.not_chat("other JSON")
    choices = table.get("choices")
    if not isinstance(choices, list):
        said = message_of(table)
        raise faults.said(said) if said else faults.not_chat("other JSON")
    choice = _table(choices[0]) if choices else {}
    message = _table(choice.get("message"))
    return Completion(
        content=_content(message.get("content")),
        finish=_text(choice.get("finish_reason")),
        refusal=_text(message.get("refusal")),
        thought=any(_text(message.get(key)) for key in ("reasoning_content", "reasoning", "thinking")),
        model=_text(table.get("model")),
        usage=_usage(table.get("usage")),
    )


def read_answer(content: str) -> Written:
    """Read the JSON that the prompt asks for; thinking before it and a fence around it are taken off.

    Raises:
        UnusableError: it is empty, too long, no JSON, or lacks a field or a type.

    """
    if len(content) > MAX_CONTENT:
        raise UnusableError(f"wrote more than {MAX_CONTENT} characters")
    table = _parsed(_without_thinking(content.strip("\0\ufeff \t\r\n")))
    if not isinstance(table, dict):
        raise UnusableError("wrote JSON that is no object")
    status = table.get("status")
    if status not in (Status.ANSWERED.value, Status.ABSTAINED.value):
        raise UnusableError('gave no "status" of answered or abstained')
    rows = table.get("claims")
    if not isinstance(rows, list) or len(rows) > MAX_CLAIMS:
        raise UnusableError(f'gave no list of "claims" of at most {MAX_CLAIMS}')
    reason = _reason(table)
    claims = tuple(map(_claim, rows))
    if status == Status.ABSTAINED:
        # Without a reason it says no more than that no passage answers.
        return Written(Status.ABSTAINED, reason or Reason.NOTHING_FITS, claims)
    if not claims:
        raise UnusableError('said "answered" and made no claim')
    return Written(Status.ANSWERED, None, claims)


def cleaned(text: str) -> str:
    """The text without NUL, and without halves of characters, which no file can hold."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _without_thinking(text: str) -> str:
    """What follows the thinking: the first thing behind an end of it that looks like JSON or a fence."""
    if text[:1] not in _BEGINS:
        ends = [found.end() for found in _THINKING_ENDS.finditer(text)]
        likely = (at for at in ends if text[at : at + 1] in _BEGINS)
        text = text[next(likely, ends[-1] if ends else 0) :]
    if not text:
        raise UnusableError("wrote nothing")
    if text[:6].casefold() == "<think":
        raise UnusableError("wrote only its thinking and no answer")
    return text


def _parsed(text: str) -> Any:
    fenced = None if text.startswith("{") else _FENCE.search(text)
    try:
        return json.loads(fenced[1] if fenced else text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise UnusableError("wrote something that is not JSON") from None


def _no_number(name: str) -> None:
    raise ValueError(name)


def _reason(table: dict[str, Any]) -> Reason | None:
    if "reason" not in table:
        raise UnusableError('left out the field "reason"')
    reason = table["reason"]
    if reason is None:
        return None
    if not isinstance(reason, str) or reason not in set(Reason):
        raise UnusableError('gave a "reason" that is none of the four')
    return Reason(reason)


def _claim(row: object) -> Claim:
    table = _table(row)
    text, passages = table.get("text"), table.get("passages")
    # A weak model copies the "..." of the prompt.
    if not isinstance(text, str) or not any(map(str.isalnum, text)):
        raise UnusableError('made a claim without "text"')
    if not isinstance(passages, list) or not all(isinstance(one, str) for one in passages):
        raise UnusableError('made a claim without a list of "passages"')
    if len(text) > MAX_CLAIM or len(passages) > MAX_PASSAGES or any(len(one) > _MAX_ID for one in passages):
        raise UnusableError("made a claim that is too long")
    return Claim(cleaned(text).strip(), tuple(map(cleaned, passages)))


def _content(value: object) -> str:
    """The text of a message: one string, or a list of parts."""
    if isinstance(value, list):
        return "".join(_text(_table(part).get("text")) for part in value)
    return _text(value)


def _usage(value: object) -> Usage | None:
    table = _table(value)
    counts = (table.get("prompt_tokens"), table.get("completion_tokens"))
    tokens_in, tokens_out = (n if type(n) is int and 0 <= n <= _MAX_TOKENS else None for n in counts)
    return None if tokens_in is None or tokens_out is None else Usage(tokens_in, tokens_out)


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
