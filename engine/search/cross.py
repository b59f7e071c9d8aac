"""A cross-encoder that reads question and passage together, when the user has configured one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import ModelError
from engine.safe import one_line
from engine.search.encoder import keep_quiet_and_offline, models_installed

if TYPE_CHECKING:
    from collections.abc import Sequence

DEPTH = 20
"""Passages of the first ranking that are read again; the others follow in their order."""


class CrossScorer(Protocol):
    """Anything that scores texts against a question by reading both."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score a text, higher is better, comparable within one call."""
        ...


@dataclass(frozen=True)
class _CrossEncoder:
    model: Any

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Score all pairs in one batch."""
        pairs = [(question, text) for text in texts]
        found = self.model.predict(pairs, batch_size=max(1, len(pairs)), show_progress_bar=False)
        return [float(score) for score in found]


def load_cross(name: str) -> CrossScorer:
    """Load a cross-encoder from a folder or the local hub cache; no server is asked.

    Raises:
        ModelError: the extra is not installed, or the model is missing or broken.

    """
    hint = "Correct `cross_encoder` in the settings, or remove it: late interaction is used then."
    if not models_installed():
        raise ModelError("The extra `models` is not installed.", hint)
    keep_quiet_and_offline()
    try:
        from sentence_transformers import CrossEncoder  # noqa: PLC0415 - takes seconds to import

        return _CrossEncoder(CrossEncoder(name, device="cpu", local_files_only=True))
    # The library lets through whatever its own parts raise on a broken or missing model.
    except Exception as error:
        raise ModelError(
            f"The cross-encoder {one_line(name)} does not load: {one_line(str(error))[:200]}", hint
        ) from error
