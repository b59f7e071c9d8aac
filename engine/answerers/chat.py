"""The answerer with a live model: any server that speaks OpenAI's chat completions."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from engine import abstain
from engine.answerers import consent
from engine.answerers.chat_address import Address, parse_address
from engine.answerers.chat_faults import Faults, redacted
from engine.errors import UsageError
from engine.model import Answer, Reason, Status
from engine.safe import one_line

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator, Mapping

    from engine.answerers.chat_reply import Written
    from engine.answerers.chat_session import Dialect, Outcome
    from engine.answerers.consent import ConsentStore
    from engine.model import Claim, Context, Question
    from engine.settings import Settings

KEY_VARIABLE: Final = "REGULATIONS_ASSISTANT_API_KEY"
_KEY: Final = re.compile(r"[\x21-\x7e]+")
_ADDRESS: Final = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"'\u201d)\]]+", re.IGNORECASE)
_LEFT_OUT: Final = "(address left out)"
_MODEL_NAME: Final = 80
"""Characters of a model's name that are shown."""
_SECRET: Final = 8
"""Characters from which a key is a secret; shorter ones, such as `ollama`, are words of an answer, too."""
_ABSTAINED: Final = {
    Reason.ABSENT: "The model found no such rule in the passages that it was given for {day}.",
    Reason.OUT_OF_SCOPE: "By the model's reading, the passages for {day} do not apply to such a case.",
    Reason.NOT_COVERED: "By the model's reading, the passages for {day} leave this to other rules.",
    Reason.NOTHING_FITS: "The model found no passage for {day} that answers this.",
}
_ABOUT_SCOPE: Final = frozenset({Reason.OUT_OF_SCOPE, Reason.NOT_COVERED})


@dataclass(frozen=True, slots=True)
class ChatConfig:
    """Everything that a request is made with."""

    address: Address
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 120.0
    """Seconds for one request, all phases together."""
    max_tokens: int = 2000
    temperature: float = 0.0
    pause: float = 1.0
    """Seconds before a stumbling server is asked again, where it names none."""

    @property
    def faults(self) -> Faults:
        """What turns this server's faults into errors."""
        return Faults(self.address.named, self.model, self.key, self.timeout)


@dataclass
class _Call:
    """One running `answer`: what is cancelled from another thread."""

    cancelled: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    task: asyncio.Task[Outcome] | None = None


class ChatAnswerer:
    """Puts question and passages to a model server; nothing that comes back is believed.

    `answer` blocks and must be called in a thread without a running event loop; `cancel` may be called
    from any thread.
    """

    name = "chat"

    def __init__(
        self,
        config: ChatConfig,
        *,
        permit: Callable[[], None] = lambda: None,
        closed_book: bool = False,
    ) -> None:
        """Keep the configuration; nothing is sent.

        Args:
            config: the server and the parameters.
            permit: called before the first request; raises when nobody agrees to it.
            closed_book: ask the model without passages, to compare with. Otherwise a question without
                passages is not sent at all: a model that is given nothing answers from memory.

        """
        self.config = config
        self.closed_book = closed_book
        self._permit = permit
        self._permitted = False
        self._dialect: Dialect | None = None
        self._calls: list[_Call] = []
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        """Name server and model, never the key."""
        return f"ChatAnswerer({self.config.address.named!r}, {self.config.model!r})"

    def answer(self, question: Question, context: Context) -> Answer:
        """Ask the model; an answer that cannot be used after one retry comes back as failed, with why.

        Raises:
            ServerError: the server cannot be reached, refuses or gives no completion, or
                `cancel` was called.
            UsageError: nobody agreed to send questions to the server.

        """
        if not context.given and not self.closed_book:
            return _without_passages(question, context)
        if not self._permitted:
            self._permit()
            self._permitted = True
        with self._running() as call:
            return self._answer(self._run(call, question, context), question, context)

    def cancel(self) -> None:
        """End every running `answer` with a `RequestCancelledError`; without one, nothing happens."""
        with self._lock:
            for call in self._calls:
                call.cancelled = True
                if call.loop is not None and call.task is not None:
                    call.loop.call_soon_threadsafe(call.task.cancel)

    @contextmanager
    def _running(self) -> Iterator[_Call]:
        """A call that `cancel` knows of."""
        call = _Call()
        with self._lock:
            self._calls.append(call)
        try:
            yield call
        finally:
            with self._lock:
                self._calls.remove(call)

    def _run(self, call: _Call, question: Question, context: Context) -> Outcome:
        # Imported late: they take time that only a live model needs.
        import asyncio  # noqa: PLC0415

        from engine.answerers.chat_session import Dialect, Session  # noqa: PLC0415

        async def guarded() -> Outcome:
            with self._lock:
                call.loop, call.task = asyncio.get_running_loop(), asyncio.current_task()
            try:
                if call.cancelled:
                    raise asyncio.CancelledError
                session = Session(self.config, self._dialect or Dialect(), self._narrowed)
                return await session.converse(question, context)
            finally:
                with self._lock:
                    call.loop = call.task = None

        try:
            return asyncio.run(guarded())
        except asyncio.CancelledError:
            raise self.config.faults.cancelled() from None

    def _narrowed(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def _answer(self, outcome: Outcome, question: Question, context: Context) -> Answer:
        model = one_line(self._redacted(outcome.model))[:_MODEL_NAME] or self.config.model
        if outcome.written is None:
            return Answer(Status.FAILED, error=outcome.error, model=model, usage=outcome.usage)
        if outcome.written.status is Status.ABSTAINED:
            made = _abstention(outcome.written, question, context)
        else:
            given = " ".join(hit.chunk.body for hit in context.given)
            claims = tuple(self._claim(claim, given) for claim in outcome.written.claims)
            made = Answer(Status.ANSWERED, "\n".join(claim.text for claim in claims), claims)
        return replace(made, model=model, usage=outcome.usage)

    def _claim(self, claim: Claim, given: str) -> Claim:
        """The claim without the key, and without addresses that stand in no passage."""
        text = _ADDRESS.sub(
            lambda found: found[0] if found[0].rstrip(".,;:") in given else _LEFT_OUT,
            self._redacted(claim.text),
        )
        return replace(claim, text=text, passages=tuple(map(self._redacted, claim.passages)))

    def _redacted(self, text: str) -> str:
        return redacted(text, self.config.key) if len(self.config.key) >= _SECRET else text


def chat_answerer(
    settings: Settings,
    *,
    environment: Mapping[str, str],
    consent_store: ConsentStore,
    confirm: Callable[[str], bool] | None,
    closed_book: bool = False,
) -> ChatAnswerer:
    """Make the answerer that the settings name; nothing is sent yet.

    Args:
        settings: the keys that begin with `chat_`.
        environment: where the key is looked for first.
        consent_store: the hosts that were agreed to.
        confirm: shows a text and returns the user's yes or no, at the first question; None where nobody
            can be asked.
        closed_book: ask the model without passages.

    Raises:
        UsageError: address or model is missing or malformed, http would carry questions over a network,
            or consent is missing and nobody can be asked.

    """
    address = _address(settings)
    asking = consent.needed(address, settings.chat_consent, consent_store)
    if asking and confirm is None:
        raise consent.missing(address)

    def permit() -> None:
        if asking:
            consent.obtain(address, consent_store, confirm, passages=not closed_book)

    config = ChatConfig(
        address=address,
        model=settings.chat_model.strip(),
        key=_key(environment.get(KEY_VARIABLE, "") or settings.chat_key),
        timeout=settings.chat_timeout,
        max_tokens=settings.chat_max_tokens,
        temperature=settings.chat_temperature,
    )
    return ChatAnswerer(config, permit=permit, closed_book=closed_book)


def _address(settings: Settings) -> Address:
    """The server's address, when there is a model to ask for and nobody on the way can read along."""
    address = parse_address(settings.chat_url)
    if not settings.chat_model.strip():
        raise UsageError(
            "chat_model is not set.", "Set it to the name of a model that the server has (`ollama list`)."
        )
    if address.scheme == "http" and not address.loopback and not settings.chat_insecure:
        raise UsageError(
            f"{address.named} would be reached by http: others on the way could read question and key.",
            "Use https://, or set chat_insecure = true for a network that you trust.",
        )
    return address


def _key(given: str) -> str:
    key = given.strip()
    if key and not _KEY.fullmatch(key):
        raise UsageError(
            "The key holds blanks, or characters beyond ASCII.", f"Set {KEY_VARIABLE} again; copy it whole."
        )
    return key


def _without_passages(question: Question, context: Context) -> Answer:
    """What can be said when search found nothing to give to the model."""
    if context.elsewhere is not None:
        return abstain.absent(question.as_of, context.elsewhere)
    return abstain.nothing_fits(question.as_of)


def _abstention(written: Written, question: Question, context: Context) -> Answer:
    """An abstention in our own words: the model's might hold an amount of another day."""
    reason = written.reason or Reason.NOTHING_FITS
    if reason is Reason.ABSENT and context.elsewhere is not None:
        return abstain.absent(question.as_of, context.elsewhere)
    cited = dict.fromkeys(one for claim in written.claims for one in claim.passages if context.chunk(one))
    rests_on = tuple(cited) or (context.scope_ids if reason in _ABOUT_SCOPE else ())
    said = _ABSTAINED[reason].format(day=question.as_of)
    if not context.given:
        said = f"The model, asked without passages, gave no answer for {question.as_of}."
    return Answer(Status.ABSTAINED, said, reason=reason, rests_on=rests_on)
