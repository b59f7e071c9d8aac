"""The shipped recordings against the program as it is: each is played, and none is stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.answerers.replay import BUILT_IN, load_replay
from engine.cli import main
from engine.opening import open_engine

RECORDINGS = Path(__file__).parents[3] / "recordings"
MODELS = sorted(path.name for path in RECORDINGS.iterdir() if path.is_dir())
AGAIN = "record it again: recordings/README.md has the commands"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the index of the default method."""
    folder = tmp_path_factory.mktemp("data")
    open_engine(data=folder)
    return folder


@pytest.mark.slow
@pytest.mark.models
@pytest.mark.parametrize("model", MODELS)
def test_each_is_played_and_none_is_stale(model: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--model", model, "--json", "--data", str(data)]) == 0
    report = json.loads(capsys.readouterr().out)

    assert [run["model"] for run in report["answers"]] == [model, model]
    assert [run["stale"] for run in report["answers"]] == [[], []], AGAIN
    assert len(report["outcomes"]) == 68
    assert "no_recording" not in report["outcomes"].values(), AGAIN


@pytest.mark.parametrize("model", MODELS)
def test_a_recording_says_where_its_model_lay(model: str) -> None:
    sources = {row.source for row in load_replay([RECORDINGS], model).recordings}

    assert len(sources) == 1
    (source,) = sources
    if model == "quote":
        assert source == BUILT_IN
    else:
        name, _, digest = source.partition(":")
        assert (name, len(digest)) == ("sha256", 64)
