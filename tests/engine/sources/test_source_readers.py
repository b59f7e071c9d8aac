"""The interface that a source format fits."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.errors import SnapshotError
from engine.sources import LeftOut, ReadResult, reader_for
from engine.sources.ecfr import read


def test_the_ecfr_reader_is_found_by_name() -> None:
    assert reader_for("ecfr") is read


def test_an_unknown_format_names_those_that_are_known() -> None:
    with pytest.raises(SnapshotError) as caught:
        reader_for("akn\x1b")
    assert "akn\\x1b" in caught.value.message
    assert "ecfr" in caught.value.hint


def test_words_that_are_neither_kept_nor_listed_are_lost() -> None:
    left = (LeftOut(1, 3, "why", "text"),)
    assert ReadResult((), (), 10, 7, left).lost == 0
    assert ReadResult((), (), 10, 6, left).lost == 1


def test_the_xml_library_is_not_imported_with_the_interface() -> None:
    code = "import sys, engine.sources; print('lxml' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
