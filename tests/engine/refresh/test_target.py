"""Which collection is meant, and where the renewed one goes."""

from __future__ import annotations

import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from fake_ecfr import CURRENT_TO, SHIPPED

from engine.errors import UsageError
from engine.opening import open_engine
from engine.refresh.address import api_address
from engine.refresh.assemble import description_of
from engine.refresh.plan import HISTORY_START
from engine.refresh.run import undo
from engine.refresh.target import Named, choose, place_of
from engine.snapshot import load_collection

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Held, Refresh
    from fake_ecfr import FakeEcfr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"title": "14"}, "belong together"),
        ({"parts": ("250",)}, "belong together"),
        ({"title": "14", "parts": ("250",)}, "Where is the collection to be made"),
        ({"title": "0", "parts": ("250",), "into": True}, "--title is '0'"),
        ({"title": "14/../x", "parts": ("250",), "into": True}, "--title is"),
        ({"title": "14", "parts": ("../x",), "into": True}, "--part is"),
        ({"into": True, "regulations": True}, "--into names a collection's own folder"),
        ({"into": True, "collection": "x"}, "--into names a collection's own folder"),
        ({"into": True}, "There is no collection in"),
    ],
)
def test_options_that_do_not_name_one_are_refused(given: dict[str, Any], said: str, tmp_path: Path) -> None:
    paths = {name: tmp_path / name for name in ("into", "regulations") if given.get(name)}
    with pytest.raises(UsageError, match=said):
        choose(Named(**(given | paths)))


def test_a_folder_that_holds_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    for folder in (tmp_path, tmp_path / "letter.txt"):
        with pytest.raises(UsageError, match="is there already and is no collection"):
            choose(Named(into=folder, title="14", parts=("250",)))


def test_a_collection_is_made_from_any_parts(ecfr: FakeEcfr, run: Refresh, tmp_path: Path) -> None:
    named = Named(into=tmp_path / "mine", title="14", parts=("254", "254", "250"))
    ecfr.amend()
    assert run(named=named).applied

    made = load_collection(tmp_path / "mine")
    assert (made.id, made.name) == ("us-14-cfr-254-250", "14 CFR Parts 254 and 250")
    assert made.current_to.isoformat() == CURRENT_TO
    assert {file.origin for file in made.files} == {"fetched"}
    assert run.reports[0].before is None
    assert not any("254.5" in warning for warning in run.reports[0].warnings)
    engine = open_engine(tmp_path / "mine", tmp_path / "data", models=False)
    assert "250.5" in {line.section for line in engine.timelines}
    # And renewed afterwards, with the parts named again or not.
    ecfr.current_to = "2026-11-23"
    assert run(named=Named(into=tmp_path / "mine", title="14", parts=("250", "254"))).applied
    ecfr.current_to = "2026-11-24"
    assert run(named=Named(into=tmp_path / "mine")).applied
    undo(place_of(Named(into=tmp_path / "mine")), lambda _: None, stands_in=False)
    assert load_collection(tmp_path / "mine").current_to.isoformat() == "2026-11-23"
    with pytest.raises(UsageError, match="holds 14 CFR Parts 254 and 250"):
        choose(Named(into=tmp_path / "mine", title="14", parts=("259",)))


def test_an_unknown_part_is_a_message(run: Refresh, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="the publisher has no such part"):
        run(named=Named(into=tmp_path / "mine", title="14", parts=("999",)))
    assert not (tmp_path / "mine").exists()


def test_a_part_of_ones_own_is_described() -> None:
    ours = json.loads(description_of(api_address(None, {}, ""), "14", ("259",), HISTORY_START))
    assert ours["name"] == "14 CFR Part 259"
    assert ours["publisher"] == "Electronic Code of Federal Regulations (ecfr.gov)"
    theirs = json.loads(
        description_of(api_address("https://x.example", {}, ""), "14", ("259",), HISTORY_START)
    )
    assert theirs["publisher"] == "x.example"


class TestSeveral:
    @pytest.fixture
    def several(self, held: Held) -> Path:
        shutil.copytree(held.folder, held.parent / "other")
        return held.parent

    def test_one_has_to_be_named(self, several: Path) -> None:
        with pytest.raises(UsageError, match="Which collection"):
            place_of(Named(several))
        assert place_of(Named(several, collection="other")).current == (several / "other").absolute()
        with pytest.raises(UsageError, match="several collections"):
            choose(Named(several))
        assert choose(Named(several, collection="other")).place.current.name == "other"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("collection.json", '"source": "ecfr"', '"source": "usc"'),
        ("sources.csv", "2025-01-22.xml,part,14,254,", "2025-01-22.xml,part,14,,"),
    ],
)
def test_only_parts_in_the_ecfrs_form_are_renewed(file: str, old: str, new: str, copied: Any) -> None:
    copied.replace(file, old, new)
    with pytest.raises(UsageError, match="not held part by part in the eCFR's form"):
        choose(Named(into=copied.folder))


@pytest.mark.usefixtures("no_report")
def test_texts_of_two_titles_lie_side_by_side(ecfr: FakeEcfr, run: Refresh, held: Held) -> None:
    """A collection may hold parts of several titles; the names of new files say which."""
    sources = held.folder / "sources.csv"
    rows = sources.read_text("utf-8").replace(",14,254,", ",2,254,").replace("titles,14,", "titles,,")
    sources.write_text(rows, "utf-8", newline="")
    titles = json.loads((held.folder / "titles.json").read_bytes())
    titles["titles"].append(titles["titles"][0] | {"number": 2})
    (held.folder / "titles.json").write_text(json.dumps(titles), "utf-8")
    _seal(held.folder)
    ecfr.titles_of = {"254": "2"}

    assert run().applied
    names = {path.name for path in held.folder.iterdir()}
    assert {"title-2_part-254_2026-11-20.xml", "title-14_part-250_2026-11-20.xml"} <= names
    assert SHIPPED.name == held.folder.name


def _seal(folder: Path) -> None:
    def digest(name: str) -> str:
        return hashlib.sha256((folder / name).read_bytes()).hexdigest()

    before = dict(reversed(line.split()) for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines())
    sources = folder / "sources.csv"
    text = sources.read_text("utf-8").replace(before["titles.json"], digest("titles.json"))
    sources.write_text(text, "utf-8", newline="")
    lines = "".join(f"{digest(name)}  {name}\n" for name in sorted(before))
    (folder / "SHA256SUMS").write_text(lines, "utf-8", newline="")
