"""The answerers that a user can choose by name: quoting, each model's recordings, the settings' server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import paths
from engine.answerers import consent
from engine.answerers.chat_address import parse_address
from engine.answerers.choice import Choice
from engine.answerers.consent import ConsentStore
from engine.answerers.replay import NO_RECORDING, load_replay
from engine.errors import UsageError
from engine.safe import one_line
from engine.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from engine.answerers import Answerer
    from engine.answerers.chat import ChatAnswerer
    from engine.settings import Settings

QUOTE: Final = "quote"
CHAT: Final = "chat"
_REPLAY: Final = "replay "


def choices(data: Path) -> tuple[Choice, ...]:
    """What can be chosen: quoting first, then recordings by model, then the server if settings name one.

    Args:
        data: the user's folder of settings, recordings and consent.

    Raises:
        UsageError: the settings cannot be read.

    """
    folders = _folders(data)
    models = sorted({path.parent.name for folder in folders for path in folder.glob("*/*.jsonl")})
    settings = load_settings(paths.settings_file(data))
    live = (_chat(settings, data),) if settings.chat_url.strip() else ()
    return (Choice(QUOTE), *(Choice(f"{_REPLAY}{one_line(model)}") for model in models), *live)


def agree(data: Path) -> None:
    """Keep the user's yes to the server that the settings name.

    Raises:
        UsageError: settings or address cannot be read.

    """
    address = parse_address(load_settings(paths.settings_file(data)).chat_url)
    ConsentStore(paths.consent_file(data)).remember(address.host)


def recorded_answerer(name: str, data: Path) -> Answerer | None:
    """The answerer of a choice that sends nothing; None for quoting, which the engine has itself.

    Raises:
        UsageError: the recordings are missing or malformed.

    """
    if not name.startswith(_REPLAY):
        return None
    try:
        return load_replay(_folders(data), name.removeprefix(_REPLAY))
    except UsageError as error:
        raise UsageError(NO_RECORDING, str(error)) from error


def live_answerer(data: Path, environment: Mapping[str, str]) -> ChatAnswerer:
    """The answerer over the settings' server; it is made only when consent is there or not needed.

    Args:
        data: the user's folder.
        environment: where the key is looked for first.

    Raises:
        UsageError: settings or address cannot be used, or nobody agreed to the server yet.

    """
    from engine.answerers.chat import chat_answerer  # noqa: PLC0415 - only who asks for it waits for its import

    return chat_answerer(
        load_settings(paths.settings_file(data)),
        environment=environment,
        consent_store=ConsentStore(paths.consent_file(data)),
        confirm=None,
    )


def _chat(settings: Settings, data: Path) -> Choice:
    model = one_line(settings.chat_model.strip())
    try:
        address = parse_address(settings.chat_url)
    except UsageError:
        # Asking says what is wrong with it.
        return Choice(CHAT, "chat_url", model)
    asking = consent.needed(address, settings.chat_consent, ConsentStore(paths.consent_file(data)))
    return Choice(CHAT, address.named, model, consent.wording(address) if asking else "")


def _folders(data: Path) -> tuple[Path, Path]:
    """The user's recordings come before the shipped ones."""
    return data / "recordings", paths.shipped("recordings")
