"""What a folder's titles say when more than one of them says nothing."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

import pytest

from engine.errors import SnapshotError
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from tests.engine.conftest import Copied


def test_titles_without_an_up_to_date_day_are_named_in_order(copied: Copied) -> None:
    numbers = count(20)
    copied.write(
        "sources.csv", re.sub(r"part,14,", lambda _: f"part,{next(numbers)},", copied.text("sources.csv"))
    )
    named = ", ".join(str(number) for number in range(20, next(numbers)))

    with pytest.raises(SnapshotError) as refusal:
        load_collection(copied.folder)

    assert named.count(",") > 5
    assert str(refusal.value).startswith(f"No up-to-date day is listed for title {named}.")
