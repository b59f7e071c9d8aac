"""An engine from folders: texts verified, index read or built, model loaded, each fallback said."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from engine import paths
from engine.engine import Engine
from engine.errors import IndexUnusableError, ModelError, UsageError
from engine.index import FORMAT, read_index, write_index
from engine.ingest import embed, ingest
from engine.model import Warning
from engine.notes import load_notes
from engine.safe import one_line
from engine.search import encoder as encoders
from engine.search.cross import load_cross
from engine.search.words import load_words
from engine.settings import load_settings
from engine.snapshot import Collection, find_collections, load_collection
from engine.warnings_of import KEYWORDS_ONLY

if TYPE_CHECKING:
    from pathlib import Path

    from engine.index import StoredIndex
    from engine.ingest import Progress
    from engine.search.cross import CrossScorer
    from engine.search.encoder import Encoder
    from engine.settings import Settings

LOG = logging.getLogger("regulations_assistant")


def open_collection(regulations: Path | None = None, name: str | None = None) -> Collection:
    """Verify and describe the one collection in a folder, or the named one of several.

    Raises:
        UsageError: there are several and none, or an unknown one, is named.
        SnapshotError: there is none, or it is not what its sums say.

    """
    folders = find_collections(regulations or paths.shipped("regulations"))
    names = [folder.name for folder in folders]
    if name is None and len(folders) > 1:
        raise UsageError(
            "The folder holds several collections.", f"Name one with --collection: {', '.join(names)}."
        )
    chosen = [folder for folder in folders if name in {None, folder.name}]
    if not chosen:
        raise UsageError(f"There is no collection {name!r}.", f"Held are: {', '.join(names)}.")
    return load_collection(chosen[0])


def open_engine(
    regulations: Path | None = None,
    data: Path | None = None,
    *,
    collection: str | None = None,
    models: bool = True,
    rebuild: bool = False,
    progress: Progress | None = None,
) -> Engine:
    """Open the engine of a collection, building its index when there is none that fits.

    Without models it opens in a moment and searches by keywords. With them a missing extra or model
    is a notice on every card, never an error: the texts can still be searched.

    Args:
        regulations: a folder of collections, or one; the shipped one when None.
        data: the folder of index and settings; the platform's when None.
        collection: the folder name of one of several collections.
        models: whether to search by meaning as well.
        rebuild: build the index even if a fitting one is there.
        progress: is told stage, done and total while the index is built.

    Raises:
        SnapshotError: the collection or its word list cannot be used.
        UsageError: the settings or the collection's name cannot be used.

    """
    held = open_collection(regulations, collection)
    folder = paths.data_folder(data)
    settings = load_settings(paths.settings_file(folder))
    word_list = load_words(held.folder.parent / f"{held.folder.name}.words.toml")
    notes = load_notes(held.folder.parent / f"{held.folder.name}.notes.jsonl")
    path = paths.index_file(folder, held.folder, held.id)
    encoder, cross, notices = _models(settings) if models else (None, None, [])
    wanted = encoder.identity if encoder else ""
    index = None if rebuild else _stored(path, held, wanted)
    if index is None:
        index = ingest(held, progress).index
        if encoder is not None:
            index = embed(index, encoder, progress)
        notices += _saved(path, index)
    return Engine(
        held,
        index,
        settings=settings,
        word_list=word_list,
        notes=notes,
        encoder=encoder,
        cross=cross,
        notices=notices,
    )


def _models(settings: Settings) -> tuple[Encoder | None, CrossScorer | None, list[Warning]]:
    """The models that the settings name; each that cannot be had is a notice instead."""
    notices: list[Warning] = []
    try:
        encoder = encoders.load(settings.spec)
    except ModelError as error:
        LOG.warning("keywords only: %s", error)
        return None, None, [Warning(KEYWORDS_ONLY, f"Only keywords are searched. {error}")]
    cross = None
    if settings.cross_encoder:
        try:
            cross = load_cross(settings.cross_encoder)
        except ModelError as error:
            LOG.warning("no cross-encoder: %s", error)
            notices.append(Warning("cross_encoder_not_used", f"Late interaction ranks instead. {error}"))
    return encoder, cross, notices


def _stored(path: Path, held: Collection, model: str) -> StoredIndex | None:
    """The index on disk if it fits; any model's will do for keywords."""
    if not path.is_file():
        return None
    try:
        index = read_index(path, current_to=held.current_to, vectors=bool(model))
    except IndexUnusableError as error:
        LOG.warning("the index is built again: %s", one_line(str(error)))
        return None
    fits = index.key.snapshot == held.sha256 and index.key.format == FORMAT and model in {"", index.key.model}
    return index if fits else None


def _saved(path: Path, index: StoredIndex) -> list[Warning]:
    try:
        write_index(path, index)
    except IndexUnusableError as error:
        LOG.warning("the index is kept in memory only: %s", one_line(str(error)))
        return [
            Warning("index_not_saved", f"The index could not be saved and is built at each start. {error}")
        ]
    return []
