"""An engine from folders: texts verified, index read or built, model loaded, each fallback said."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from engine import paths
from engine.cities import CITIES
from engine.engine import Engine
from engine.errors import IndexUnusableError, ModelError, SnapshotError, UsageError
from engine.index import FORMAT, read_index, write_index
from engine.ingest import embed, ingest
from engine.model import Warning
from engine.notes import load_notes
from engine.refresh.swap import recover
from engine.safe import one_line
from engine.search import encoder as encoders
from engine.search.cross import load_cross
from engine.search.words import load_words
from engine.settings import load_settings
from engine.snapshot import DESCRIPTION, Collection, find_collections, load_collection
from engine.warnings_of import KEYWORDS_ONLY

if TYPE_CHECKING:
    from pathlib import Path

    from engine.index import StoredIndex
    from engine.ingest import Progress
    from engine.search.cross import CrossScorer
    from engine.search.encoder import Encoder
    from engine.settings import Settings

LOG = logging.getLogger("regulations_assistant")


def collections_of(
    regulations: Path | None = None, data: Path | None = None, *, damaged: bool = False
) -> tuple[Path, ...]:
    """The folders of the collections at hand: those in `regulations`, or the shipped ones.

    Instead of a shipped one stands the user's own of its name, which `refresh` made, unless a later
    version of the program ships later texts. With `damaged` the user's own is not looked into.

    Raises:
        SnapshotError: there is none, or the user's own is not what its sums say.

    """
    if regulations is not None:
        return find_collections(regulations)
    shipped = find_collections(paths.shipped("regulations"))
    try:
        own = paths.own_regulations(paths.data_folder(data))
    except UsageError:
        return shipped  # without a home folder there is nothing of the user's own
    return tuple(folder if damaged else _later(folder, own / folder.name) for folder in shipped)


def _later(shipped: Path, own: Path) -> Path:
    try:
        recover(own)
    except PermissionError:
        return shipped  # a folder that may not be entered holds nothing that can be read
    if not paths.is_file(own / DESCRIPTION):
        return shipped
    try:
        held = load_collection(own)
    except SnapshotError as error:
        raise SnapshotError(
            f"{one_line(str(own))}: {error.message}",
            "Put the one before it back: `regulations-assistant refresh --undo`; or remove that folder to "
            "go back to the shipped texts.",
        ) from error
    return own if held.current_to >= load_collection(shipped).current_to else shipped


def open_collection(
    regulations: Path | None = None, name: str | None = None, data: Path | None = None
) -> Collection:
    """Verify and describe the one collection at hand, or the named one of several.

    Args:
        regulations: a folder of collections, or one; the shipped one or its refreshed form when None.
        name: the folder name of one of several collections.
        data: the folder of the user's own; the platform's when None.

    Raises:
        UsageError: there are several and none, or an unknown one, is named.
        SnapshotError: there is none, or it is not what its sums say.

    """
    folders = collections_of(regulations, data)
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
        regulations: a folder of collections, or one; the shipped one or its refreshed form when None.
        data: the folder of index and settings; the platform's when None.
        collection: the folder name of one of several collections.
        models: whether to search by meaning as well.
        rebuild: build the index even if a fitting one is there.
        progress: is told stage, done and total while the index is built.

    Raises:
        SnapshotError: the collection or its word list cannot be used.
        UsageError: the settings or the collection's name cannot be used.

    """
    held = open_collection(regulations, collection, data)
    folder = paths.data_folder(data)
    CITIES.keep_in(folder)
    settings = load_settings(paths.settings_file(folder))
    word_list = load_words(_beside(held, ".words.toml", folder))
    notes = load_notes(_beside(held, ".notes.jsonl", folder))
    path = paths.index_file(folder, held.folder, held.id)
    encoder, cross, notices = _models(settings) if models else (None, None, [])
    wanted = encoder.identity if encoder else ""
    index = None if rebuild else _stored(path, held, wanted)
    kept = index
    index = index or ingest(held, progress).index
    if encoder is not None and (index is not kept or set(word_list.sentences) - index.vectors.keys()):
        index = embed(index, encoder, progress, word_list.sentences)
    if index is not kept:
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


def _beside(held: Collection, ending: str, data: Path) -> Path:
    """A file beside a collection; the user's own form of a shipped one has the shipped one's."""
    path = held.folder.parent / f"{held.folder.name}{ending}"
    if paths.is_file(path) or held.folder.parent != paths.own_regulations(data):
        return path
    return paths.shipped("regulations") / path.name


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
    if not paths.is_file(path):
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
