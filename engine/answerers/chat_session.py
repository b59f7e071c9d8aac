"""One question put to a model server: requests, the one retry of each kind, and cancelling.

httpx is imported at the first request: it takes time that no other command should pay.
Each request has one deadline over all of its phases, so that neither a slow name nor a server that
drips bytes can hold it; a task that is cancelled closes its connection.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from engine.answerers import prompt
from engine.answerers.chat_faults import Reply, complaint, wait_before_retry
from engine.answerers.chat_reply import UnusableError, read_answer, read_completion
from engine.errors import UsageError
from engine.model import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

    from engine.answerers.chat import ChatConfig
    from engine.answerers.chat_reply import Completion, Written
    from engine.model import Context, Question

MAX_BODY: Final = 4_000_000
"""Bytes of an answer with its envelope."""
_CONNECT: Final = 10.0
"""Seconds for a connection, of those for the whole request."""
_REFUSED: Final = frozenset({400, 422})
_NO_STATEMENT: Final = "That says nothing about the rules."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which of the optional parameters a server takes; begins with all and is only ever narrowed."""

    output: str = "schema"
    """How JSON is asked for: `schema`, `object`, or `plain` for by words alone."""
    limit: str = "max_tokens"
    """What the server calls the limit of tokens."""
    temperature: bool = True

    def parameters(self, config: ChatConfig) -> dict[str, Any]:
        """The optional parameters of a request."""
        made: dict[str, Any] = {self.limit: config.max_tokens}
        if self.temperature:
            made["temperature"] = config.temperature
        if self.output == "schema":
            schema = {"name": "answer", "strict": True, "schema": prompt.SCHEMA}
            made["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif self.output == "object":
            made["response_format"] = {"type": "json_object"}
        return made

    def without(self, said: str) -> tuple[Dialect, str] | None:
        """The narrower dialect that a refusal asks for, and a note of it; None when it is about else."""
        text = said.casefold()
        if self.limit == "max_tokens" and "max_completion_tokens" in text:
            return replace(self, limit="max_completion_tokens"), "the limit is sent as max_completion_tokens"
        if self.temperature and "temperature" in text:
            return replace(self, temperature=False), "no temperature is sent: the server has its own"
        about = any(
            word in text for word in ("response_format", "json_schema", "json_object", "schema", "grammar")
        )
        if about and self.output == "schema":
            return replace(self, output="object"), "the server takes no JSON Schema: plain JSON is asked for"
        if about and self.output == "object":
            return replace(
                self, output="plain"
            ), "the server has no JSON mode: JSON is asked for by words alone"
        return None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a conversation ended: with an answer, or with the reason why there is none."""

    written: Written | None
    error: str
    """Empty when there is an answer."""
    model: str
    usage: Usage | None
    """Of all requests together."""


@dataclass
class Session:
    """Talks to one server; `narrowed` is told of a dialect to begin with next time."""

    config: ChatConfig
    dialect: Dialect
    narrowed: Callable[[Dialect], None]

    async def converse(self, question: Question, context: Context) -> Outcome:
        """Ask, and once more when the answer cannot be used.

        Raises:
            ServerError: the server cannot be reached or gives no completion.
            UsageError: the environment's proxy or certificates cannot be used.

        """
        messages = prompt.messages(question, context)
        async with self._client() as client:
            first = await self._complete(client, messages)
            outcome, again = _outcome(first, self.config)
            if not again:
                return outcome
            _log.warning("%s The model is asked once more.", outcome.error)
            messages[-1] = {**messages[-1], "content": messages[-1]["content"] + prompt.REMINDER}
            second, _ = _outcome(await self._complete(client, messages), self.config)
            return replace(second, usage=_sum(first.usage, second.usage))

    def _client(self) -> httpx.AsyncClient:
        import httpx  # noqa: PLC0415

        seconds = self.config.timeout
        try:
            return httpx.AsyncClient(
                timeout=httpx.Timeout(seconds, connect=min(seconds, _CONNECT)),
                follow_redirects=False,
                # A proxy of the environment must not see what is meant for this computer.
                trust_env=not self.config.address.loopback,
            )
        except (ImportError, ValueError, OSError) as error:
            # Its own words may hold a proxy's password.
            raise UsageError(
                f"The environment's proxy or certificates cannot be used ({type(error).__name__}).",
                "Check HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.",
            ) from None

    async def _complete(self, client: httpx.AsyncClient, messages: list[dict[str, str]]) -> Completion:
        while True:
            fixed = {"model": self.config.model, "messages": messages, "stream": False}
            reply = await self._deliver(client, {**fixed, **self.dialect.parameters(self.config)})
            narrower = self.dialect.without(complaint(reply)) if reply.status in _REFUSED else None
            if narrower is None:
                break
            self.dialect, note = narrower
            self.narrowed(self.dialect)
            _log.warning("%s: %s.", self.config.address.named, note)
        if reply.status != HTTPStatus.OK:
            raise self.config.faults.of_status(reply)
        return read_completion(reply, self.config.faults)

    async def _deliver(self, client: httpx.AsyncClient, body: dict[str, Any]) -> Reply:
        """Send a request, and once more when the server is busy or stumbled."""
        reply = await self._send(client, body)
        wait = wait_before_retry(reply, self.config.pause)
        if wait is None:
            return reply
        _log.warning(
            "%s answered %d; it is asked again in %.0f s.", self.config.address.named, reply.status, wait
        )
        await asyncio.sleep(wait)
        return await self._send(client, body)

    async def _send(self, client: httpx.AsyncClient, body: dict[str, Any]) -> Reply:
        import httpx  # noqa: PLC0415

        faults = self.config.faults
        try:
            async with asyncio.timeout(self.config.timeout):
                return await self._receive(client, body)
        except (TimeoutError, httpx.TimeoutException):
            raise faults.timed_out() from None
        except httpx.ConnectError as error:
            raise faults.unreachable(error) from None
        except httpx.HTTPError:
            raise faults.broken() from None

    async def _receive(self, client: httpx.AsyncClient, body: dict[str, Any]) -> Reply:
        headers = {"content-type": "application/json", "accept-encoding": "identity"}
        if self.config.key:
            headers["authorization"] = f"Bearer {self.config.key}"
        kept = bytearray()
        content = json.dumps(body).encode()
        endpoint = self.config.address.endpoint
        async with client.stream("POST", endpoint, content=content, headers=headers) as response:
            # Raw: nothing was asked for that could unfold to more than was sent.
            async for part in response.aiter_raw():
                kept += part
                if len(kept) > MAX_BODY:
                    raise self.config.faults.too_large(MAX_BODY)
            named = {name.lower(): value for name, value in response.headers.items()}
            return Reply(response.status_code, named, bytes(kept))


def _outcome(said: Completion, config: ChatConfig) -> tuple[Outcome, bool]:
    """What a completion comes to, and whether asking again may help."""
    failed = Outcome(None, "", said.model, said.usage)
    if said.finish == "length":
        return replace(failed, error=f"{_cut_off(said.usage, config.max_tokens)} {_NO_STATEMENT}"), False
    if said.refusal or said.finish == "content_filter":
        error = "The model or its server refused to answer. Ask in other words, or ask another model."
        return replace(failed, error=f"{error} {_NO_STATEMENT}"), False
    try:
        return replace(failed, written=read_answer(said.content)), False
    except UnusableError as unusable:
        why = (
            "wrote only its thinking and no answer" if said.thought and not said.content.strip() else unusable
        )
        return replace(failed, error=f"The model {why}. {_NO_STATEMENT}"), True


def _cut_off(usage: Usage | None, limit: int) -> str:
    """Why the answer ended early: at the limit given, or below it because the server's context was full."""
    if usage is not None and usage.tokens_out < limit:
        return (
            f"The model was cut off after {usage.tokens_in} tokens read and {usage.tokens_out} written, "
            f"below its limit of {limit}: the server's context was full. Start the server with a larger one "
            "(llama-server: -c 8192; Ollama: OLLAMA_CONTEXT_LENGTH=8192), or lower budget."
        )
    return (
        f"The model was cut off at its limit of {limit} tokens before its answer was whole. "
        "Raise chat_max_tokens, or turn the model's thinking off."
    )


def _sum(first: Usage | None, second: Usage | None) -> Usage | None:
    if first is None or second is None:
        return first or second
    return Usage(first.tokens_in + second.tokens_in, first.tokens_out + second.tokens_out)
