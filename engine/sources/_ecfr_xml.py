"""Bytes of a dated copy to a tree, safely: no entity, no network, no DTD, nothing too large or deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from engine.errors import SnapshotError
from engine.safe import one_line
from engine.sources._ecfr_names import FILE_WRAPPERS, is_level, name_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is read; the whole of a usual title is smaller."""

MAX_DEPTH = 100
"""The deepest nesting that is read; real files stay below 20."""

_VERIFY = "Run `regulations-assistant snapshot verify`: it names every file that is not as published."
_FETCH = "Fetch the copy again, or restore it from the shipped collection."


def parse(data: bytes, name: str) -> Element:
    """Return the root of the file `name`.

    Raise `SnapshotError`, which names the file, the line and what to do, for a file that is empty,
    too large, too deep, cut off, not XML, not the eCFR's, or that declares or uses entities.
    """
    if not data.strip():
        raise SnapshotError(f"{name} is empty.", _VERIFY)
    if len(data) > MAX_BYTES:
        raise SnapshotError(f"{name} is larger than {MAX_BYTES} bytes.", "Keep one file a part.")
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise SnapshotError(f"{name}, line 1: a web page stands where XML should.", _FETCH)
    # A declared entity can be refused only before the parser has put it into an attribute.
    before, declared, _ = data.partition(b"<!ENTITY")
    if declared:
        line = before.count(b"\n") + 1
        raise SnapshotError(f"{name}, line {line}: it declares entities, which no copy does.", _VERIFY)
    root = _tree(data, name)
    _check(root, name)
    return root


def _tree(data: bytes, name: str) -> Element:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        reason = one_line(error.msg or "no reason given")
        raise SnapshotError(f"{name}, line {line}: no complete XML ({reason}).", _VERIFY) from error


def _check(root: Element, name: str) -> None:
    """Refuse a tree of another kind, too deep a tree, and one with entities in another encoding."""
    kind = name_of(root)
    if kind not in FILE_WRAPPERS and not is_level(kind):
        raise SnapshotError(f"{name}, line {line_of(root)}: no eCFR file (<{one_line(kind)}>).", _FETCH)
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            where = f"{name}, line {line_of(element)}"
            raise SnapshotError(f"{where}: nested more than {MAX_DEPTH} deep.", _VERIFY)
    for entity in root.iter(etree.Entity):
        where = f"{name}, line {line_of(entity)}"
        raise SnapshotError(f"{where}: it uses the entity {one_line(str(entity.text))}.", _VERIFY)
    # Bytes of UTF-16 hold no `<!ENTITY`; a DTD of any encoding does once it is parsed.
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and dtd.entities():  # type: ignore[attr-defined] # the stubs leave it out
        raise SnapshotError(f"{name}, line 1: it declares entities, which no copy does.", _VERIFY)


def line_of(element: Element) -> int:
    """Return the 1-based line on which the element begins, 0 when it is not known."""
    line: int | None = getattr(element, "sourceline", None)  # the stubs give it no type
    return line or 0
