"""What is installed, where things are, and what to do about each thing that is missing."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Literal

from engine import __version__, paths
from engine.errors import IndexUnusableError, RegulationsError
from engine.index import read_index
from engine.opening import open_collection
from engine.search import encoder as encoders
from engine.settings import Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from engine.snapshot import Collection

State = Literal["ok", "missing", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    name: str
    state: State
    detail: str
    advice: str = ""
    """What to do; empty when all is well."""


def examine(
    regulations: Path | None, data: Path | None, collection: str | None = None
) -> tuple[Finding, ...]:
    """Look at everything that the program needs; nothing is changed and no model is loaded."""
    folder = paths.data_folder(data)
    found = [
        Finding("program", "ok", f"regulations-assistant {__version__}, Python {platform.python_version()}"),
        Finding("python", "ok", sys.executable),
        _data(folder),
    ]
    settings, finding = _settings(folder)
    found += [finding, _models(), _weights(settings)]
    try:
        held = open_collection(regulations, collection, data)
    except RegulationsError as error:
        return (*found, Finding("snapshot", "problem", error.message, error.hint))
    found.append(_snapshot(held))
    found.append(_index(paths.index_file(folder, held.folder, held.id), held))
    return tuple(found)


def _data(folder: Path) -> Finding:
    # Not `exists`: it fails where a folder above may not be entered.
    place = next(p for p in (folder, *folder.absolute().parents) if os.access(p, os.F_OK))
    if os.access(place, os.W_OK | os.X_OK) and place.is_dir():
        return Finding("data folder", "ok", str(folder))
    return Finding(
        "data folder", "problem", f"{folder} cannot be written to", "Name another with --data DIR."
    )


def _settings(folder: Path) -> tuple[Settings, Finding]:
    path = paths.settings_file(folder)
    try:
        settings = load_settings(path)
    except RegulationsError as error:
        return Settings(), Finding("settings", "problem", error.message, error.hint)
    detail = str(path) if paths.is_file(path) else f"{path} (none yet: the defaults are used)"
    return settings, Finding("settings", "ok", detail)


def _models() -> Finding:
    if not encoders.models_installed():
        return Finding(
            "models",
            "missing",
            "the extra `models` is not installed: only keywords are searched",
            "pip install 'regulations-assistant[models]'",
        )
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("torch", "sentence-transformers"))
    return Finding("models", "ok", versions)


def _weights(settings: Settings) -> Finding:
    try:
        folder = encoders.locate(settings.spec)
    except RegulationsError as error:
        return Finding("model weights", "missing", error.message, error.hint)
    try:
        identity = encoders.identity(settings.spec)
    except RegulationsError as error:
        return Finding("model weights", "problem", error.message, error.hint)
    name, digest = identity.split("|")[:2]
    return Finding("model weights", "ok", f"{name} ({digest[:12]}) in {folder or 'the local hub cache'}")


def _snapshot(held: Collection) -> Finding:
    days = f"history from {held.history_start}, up to date to {held.current_to}"
    detail = f"{held.name}: {len(held.sums)} files as listed, {days}"
    if held.folder.parent != paths.shipped("regulations"):
        detail = f"{detail}, in {held.folder}"
    if held.warnings:
        return Finding("snapshot", "ok", f"{detail}; {'; '.join(held.warnings)}")
    return Finding("snapshot", "ok", detail)


def _index(path: Path, held: Collection) -> Finding:
    build = "It is built at the next start, or now: regulations-assistant ingest."
    if not os.path.lexists(path):
        return Finding("index", "missing", str(path), build)
    if not paths.is_file(path):
        advice = "Remove it: until then the index is built at each start and kept in memory only."
        return Finding("index", "problem", f"{path} is no file", advice)
    try:
        index = read_index(path, current_to=held.current_to, vectors=True)
    except IndexUnusableError as error:
        return Finding("index", "problem", f"{path}: {error}", build)
    if index.key.snapshot != held.sha256:
        return Finding("index", "problem", f"{path} is of another snapshot", build)
    kind = index.key.model.split("|")[0] or "keywords only"
    return Finding("index", "ok", f"{path} ({kind}, {path.stat().st_size // 1024} KiB)")
