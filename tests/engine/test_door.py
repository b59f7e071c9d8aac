"""The public door of the engine, its errors and its fixed words."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import engine
from engine import errors, kinds

if TYPE_CHECKING:
    from collections.abc import Iterable

CHECKOUT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", engine.__all__)
def test_every_name_of_the_door_is_there(name: str) -> None:
    assert getattr(engine, name).__name__ == name


def test_the_door_lists_what_it_opens() -> None:
    assert set(engine.__all__) == engine._DOOR.keys()
    assert engine.__all__ == sorted(engine.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Oracle'"):
        engine.Oracle  # noqa: B018 - the look-up is the point


def test_what_is_promised_to_type_checkers_is_what_the_door_opens() -> None:
    tree = ast.parse((CHECKOUT / "engine" / "__init__.py").read_text("utf-8"))
    promised = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    assert promised == engine._DOOR


def test_the_version_is_one() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", engine.__version__)


def test_an_error_is_what_happened_and_what_to_do() -> None:
    error = errors.UsageError("No day was given.", "Write 2022-06-10.")

    assert (error.message, error.hint) == ("No day was given.", "Write 2022-06-10.")
    assert str(error) == "No day was given. Write 2022-06-10."
    assert str(errors.ModelError("It is missing.")) == "It is missing."


def test_every_error_is_one_of_ours_with_an_exit_code() -> None:
    found = {
        kind.__name__: kind.exit_code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.RegulationsError)
    }

    assert found == {
        "RegulationsError": 3,
        "UsageError": 2,
        "SnapshotError": 3,
        "IndexUnusableError": 3,
        "ModelError": 3,
        "ServerError": 4,
        "PublisherError": 4,
    }


def test_the_fixed_words_are_those_of_the_contract() -> None:
    def values(kind: Iterable[str]) -> str:
        return "|".join(kind)

    assert values(kinds.Coverage) == "before|inside|after"
    assert values(kinds.Status) == "answered|abstained|not_held|no_recording|failed"
    assert values(kinds.Reason) == "absent|out_of_scope|not_covered|nothing_fits"
    assert values(kinds.DropReason) == "not_in_force|near_duplicate|over_budget|below_top_k"
    assert values(kinds.StandingKind) == "in_force|not_yet|gap|not_held|after"
    assert values(kinds.VersionStatus) == "in_force_at_end|ended|reserved|removed"
    assert values(kinds.Change) == "first|text|notice|typographic"
    assert values(kinds.Origin) == "exact|at_or_before"
