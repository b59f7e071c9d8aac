"""A cross-encoder orders what search found, when the user has configured one."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import date
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from engine import Method, open_engine
from engine.engine import Engine
from engine.errors import ModelError
from engine.ingest import embed, ingest
from engine.search import cross as crosses, encoder as encoders
from engine.search.cross import DEPTH, load_cross

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engine.snapshot import Collection

DAY = date(2022, 6, 10)


@dataclass
class Backwards:
    """Likes best what came last."""

    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((question, tuple(texts)))
        return [float(place) for place in range(len(texts))]


def engines(collection: Collection, fake_encoder: Any, cross: Any) -> tuple[Engine, Engine]:
    index = embed(ingest(collection).index, fake_encoder)
    return (
        Engine(collection, index, encoder=fake_encoder),
        Engine(collection, index, encoder=fake_encoder, cross=cross),
    )


def test_the_first_passages_are_read_again_and_the_others_follow(
    collection: Collection, fake_encoder: Any
) -> None:
    cross = Backwards()
    plain, again = engines(collection, fake_encoder, cross)
    before = [hit.chunk.id for hit in plain.search("denied boarding compensation", DAY, top=200).hits]
    after = [hit.chunk.id for hit in again.search("denied boarding compensation", DAY, top=200).hits]
    assert after == [*reversed(before[:DEPTH]), *before[DEPTH:]]
    ((question, texts),) = cross.asked
    assert question == "denied boarding compensation"
    assert len(texts) == DEPTH


def test_scores_fall_from_place_to_place(collection: Collection, fake_encoder: Any) -> None:
    _, again = engines(collection, fake_encoder, Backwards())
    scores = [hit.score for hit in again.search("baggage", DAY, top=200).hits]
    assert scores == sorted(scores, reverse=True)


def test_other_methods_do_without(collection: Collection, fake_encoder: Any) -> None:
    cross = Backwards()
    _, again = engines(collection, fake_encoder, cross)
    again.search("baggage", DAY, method=Method.HYBRID)
    assert cross.asked == []


class FakeModel:
    """Stands for the library's class; scores a pair by the length of its text."""

    def __init__(self, name: str, **options: Any) -> None:
        if name == "broken":
            raise OSError("no such \x1b[31mmodel")
        assert options == {"device": "cpu", "local_files_only": True}

    def predict(self, pairs: list[tuple[str, str]], **_options: Any) -> list[float]:
        return [len(text) for _, text in pairs]


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = ModuleType("sentence_transformers")
    stub.CrossEncoder = FakeModel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", stub)
    monkeypatch.setattr(crosses, "models_installed", lambda: True)


@pytest.mark.usefixtures("library")
def test_the_librarys_scores_are_given_on() -> None:
    assert load_cross("some/model").scores("q", ["a", "bbb"]) == [1.0, 3.0]


@pytest.mark.usefixtures("library")
def test_a_model_that_does_not_load_is_an_error_safe_to_show() -> None:
    with pytest.raises(ModelError, match=r"does not load: no such \\x1b\[31mmodel"):
        load_cross("broken")


def test_without_the_extra_it_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crosses, "models_installed", lambda: False)
    with pytest.raises(ModelError, match="not installed"):
        load_cross("some/model")


class TestOpening:
    @pytest.fixture(autouse=True)
    def _fake(self, monkeypatch: pytest.MonkeyPatch, fake_encoder: Any) -> None:
        monkeypatch.setattr(encoders, "load", lambda _spec: fake_encoder)

    def test_a_configured_one_is_used(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        cross = Backwards()
        monkeypatch.setattr("engine.opening.load_cross", lambda _name: cross)
        (tmp_path / "settings.toml").write_text('cross_encoder = "some/model"\n')
        open_engine(data=tmp_path).search("baggage", DAY)
        assert len(cross.asked) == 1

    @pytest.mark.usefixtures("library")
    def test_one_that_is_not_there_is_told_on_every_card(self, tmp_path: Path) -> None:
        (tmp_path / "settings.toml").write_text('cross_encoder = "broken"\n')
        card = open_engine(data=tmp_path).ask("baggage limit", DAY)
        assert "cross_encoder_not_used" in [warning.kind for warning in card.warnings]
