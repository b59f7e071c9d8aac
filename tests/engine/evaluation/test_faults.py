"""Each kind of fault that a question set can have is found and named."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from engine.evaluation.questions import Place, faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion

    Asked = Callable[..., DatedQuestion]


def test_a_sound_set_has_none(engine: Engine, asked: Asked) -> None:
    assert faults([asked(), asked(id="X2", relevant=())], engine) == ()


def test_the_latest_version_will_do_for_a_day_after_the_texts_end(engine: Engine, asked: Asked) -> None:
    after = asked(as_of=date(2030, 1, 1), relevant=(Place("250.5", date(2025, 1, 22), "(a)(2)"),))

    assert faults([after], engine) == ()


def test_an_id_that_stands_twice(engine: Engine, asked: Asked) -> None:
    assert faults([asked(), asked(), asked()], engine) == ("X1: the id stands twice",) * 2


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            {"relevant": (Place("250.5", date(2021, 8, 3), "(a)(2)"),)},
            "no passage 250.5(a)(2) of 2021-08-03",
        ),
        ({"relevant": (Place("250.55", date(2021, 8, 2), ""),)}, "no passage 250.55 of 2021-08-02"),
        (
            {"relevant": (Place("250.5", date(2021, 8, 2), "(a)(2)", ("400 percent",)),)},
            "no passage 250.5(a)(2) of 2021-08-02",
        ),
        (
            {"relevant": (Place("250.5", date(2025, 1, 22), "(a)(2)"),)},
            "250.5(a)(2) of 2025-01-22 is not in force on 2022-06-10",
        ),
        ({"keys": ("775", "675")}, "the key '675' does not match the reference answer"),
        ({"must_not": (r"\$775",)}, r"the forbidden '\\$775' matches the reference answer"),
        ({"keys": ("(",)}, "the pattern '(' is malformed: "),
        ({"must_not": ("[",)}, "the pattern '[' is malformed: "),
    ],
)
def test_a_fault_is_named_with_its_question(
    change: dict[str, Any], fault: str, engine: Engine, asked: Asked
) -> None:
    (found,) = faults([asked(id="X1"), asked(id="X2", **change)], engine)

    assert found.startswith(f"X2: {fault}")


SCOPE = Place("254.2", date(2017, 1, 1), "")
LATER = Place("250.7", date(2021, 4, 13), "(a)")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "not_covered", "relevant": (), "scope": (SCOPE,)},
        {"kind": "not_covered", "relevant": ()},
        {"kind": "absent", "relevant": (), "as_of": date(2019, 8, 8), "later": (LATER,)},
    ],
)
def test_the_scope_and_the_later_version_of_a_sound_question(
    change: dict[str, Any], engine: Engine, asked: Asked
) -> None:
    assert faults([asked(**change)], engine) == ()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"scope": (SCOPE,)}, "scope belongs to not_covered, not to dated"),
        (
            {"as_of": date(2021, 4, 12), "relevant": (), "later": (LATER,)},
            "later belongs to absent, not to dated",
        ),
        ({"kind": "absent", "relevant": ()}, "an absent rule needs later: the version that brought it"),
        (
            {"kind": "absent", "relevant": (), "later": (LATER,)},
            "250.7(a) of 2021-04-13 is no later version than that of 2022-06-10",
        ),
        (
            {"kind": "absent", "relevant": (), "as_of": date(2021, 4, 13), "later": (LATER,)},
            "250.7(a) of 2021-04-13 is no later version than that of 2021-04-13",
        ),
        (
            {"kind": "absent", "relevant": (), "later": (Place("250.7", date(2030, 1, 1), "(a)"),)},
            "no passage 250.7(a) of 2030-01-01",
        ),
        (
            {"kind": "not_covered", "relevant": (), "scope": (Place("254.22", date(2017, 1, 1), ""),)},
            "no passage 254.22 of 2017-01-01",
        ),
        (
            {"kind": "not_covered", "relevant": (), "scope": (Place("250.5", date(2025, 1, 22), "(a)"),)},
            "250.5(a) of 2025-01-22 is not in force on 2022-06-10",
        ),
    ],
)
def test_a_scope_or_later_version_that_is_none_is_named(
    change: dict[str, Any], fault: str, engine: Engine, asked: Asked
) -> None:
    assert faults([asked(**change)], engine) == (f"X1: {fault}",)


def test_every_fault_of_a_question_is_listed(engine: Engine, asked: Asked) -> None:
    bad = asked(relevant=(Place("9.9", date(2021, 8, 2), ""),), keys=("9",), must_not=("775",))

    assert len(faults([bad], engine)) == 3
