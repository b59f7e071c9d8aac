"""Broken copies and odd labels by the thousand, and what must hold of whatever is made of them."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import SnapshotError
from engine.safe import one_line
from engine.sources.ecfr import read
from engine.sources.labels import Line, Role, read_labels

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

SHIPPED = Path(__file__).parents[2] / "regulations" / "us-14-cfr"
INPUTS = Path(__file__).parent / "inputs"
"""What once broke a reader, by name of its target: `reader-….xml` and `labels-….txt`."""
SLOW = 10.0
"""Seconds that one small input may take on a busy machine."""

_NAMES = [
    name.encode()
    for name in [
        "P",
        "FP",
        "HEAD",
        "DIV5",
        "DIV8",
        "DIV9",
        "EXTRACT",
        "NOTE",
        "EDNOTE",
        "HED",
        "TABLE",
        "TR",
        "TD",
        "FTNT",
        "XREF",
        "CITA",
        "APPRO",
        "AUTH",
        "SOURCE",
        "I",
        "SU",
        "BR",
        "MATH",
        "AMDDATE",
        "CFRTOC",
        "x:P",
        "UNKNOWN",
        "ECFR",
    ]
]
_PIECES = [
    piece.encode()
    for piece in (
        *[
            "(a)",
            "(1)",
            "(i)",
            "(A)",
            "(iv)",
            "(aa)",
            "(a)(1)",
            "[Reserved]",
            ":",
            "|",
            "&amp;",
            "&#0;",
            "&#27;",
            "&#xD800;",
            "&nbsp;",
            "&x;",
            "]]>",
            "'",
            "<",
            ">",
        ],
        *(
            "\u00a7 250.5",
            "<!ENTITY x 'y'>",
            "<!-- x -->",
            "<?x y?>",
            "<![CDATA[ (a) <P> ]]>",
            "\x00",
            "\x1b[2J",
        ),
        *("<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>", "\u202e", "\U0001f600", " N='250.5'"),
        *(" colspan='9'", " rowspan='99999999999999999999'", " ID='20249999'", " xmlns='urn:x'", '"'),
    )
]
_PIECES += [b"\xff\xfe", b"\xed\xa0\x80"]
_LABELS = [
    "(a)",
    "(b)",
    "(i)",
    "(ii)",
    "(1)",
    "(2)",
    "(A)",
    "(I)",
    "(aa)",
    "(v)",
    "(l)",
    "(zz)",
    "(999)",
    "()",
    "(a)-(c)",
    "A.",
    "1.",
    "§",
    "—",
    ":",
    "[Reserved]",
    "(",
]
_LABELS += ["(1) through (9)", "\u202e", "(\u0430)", "(\uff11)", "\u0663"]
_LABELLED = re.compile(r"(\([A-Za-z0-9]+\))*")
_MOST = 60_000
"""Bytes of a copy that is broken; a longer one is cut to a stretch of it first."""


@dataclass(frozen=True)
class Target:
    """One thing that takes what the world gives it."""

    name: str
    ending: str
    make: Callable[[random.Random], bytes]
    """A new input."""
    check: Callable[[bytes], None]
    """Raises when what must hold does not."""

    def run(self, data: bytes) -> None:
        """Check one input, and that it is quick."""
        begun = time.process_time()
        self.check(data)
        took = time.process_time() - begun
        assert took < SLOW, f"{took:.1f} s for {len(data)} bytes"


def _broken_copy(chosen: random.Random) -> bytes:
    data = bytearray(chosen.choice(_copies()))
    for _ in range(chosen.choice((1, 1, 2, 4, 16, 64))):
        _break(data, chosen)
    return bytes(data)


def _copies() -> list[bytes]:
    if not _COPIES:
        for path in sorted(SHIPPED.glob("*.xml")):
            whole = path.read_bytes()
            _COPIES.append(whole[:_MOST])
            _COPIES.extend(_sections(whole))
    return _COPIES


_COPIES: list[bytes] = []


def _sections(whole: bytes) -> list[bytes]:
    """Single sections are whole files too, and far quicker to read."""
    return [b"<DIV8" + one.partition(b"</DIV8>")[0] + b"</DIV8>" for one in whole.split(b"<DIV8")[1:]]


def _break(data: bytearray, chosen: random.Random) -> None:
    at = chosen.randrange(len(data) + 1)
    to = min(len(data), at + chosen.choice((1, 2, 8, 40, 400, 4000)))
    match chosen.randrange(9):
        case 0 if data:
            data[min(at, len(data) - 1)] ^= 1 << chosen.randrange(8)
        case 1:
            del data[at:to]
        case 2:
            data[at:at] = data[at:to] * chosen.choice((1, 1, 2, 30))
        case 3:
            data[at:at] = chosen.choice(_PIECES)
        case 4:
            name = chosen.choice(_NAMES)
            depth = chosen.choice((1, 1, 3, 30, 120))
            data[at:at] = (b"<%b>" % name) * depth + chosen.choice(_PIECES) + (b"</%b>" % name) * depth
        case 5:
            _rename(data, chosen)
        case 6:
            other = chosen.choice(_copies())
            begin = chosen.randrange(len(other))
            data[at:to] = other[begin : begin + (to - at)]
        case 7:
            _inside_text(data, chosen)
        case 8 if not chosen.randrange(8):
            encoded = (
                bytes(data)
                .decode("utf-8", "replace")
                .encode(chosen.choice(("utf-16", "latin-1", "utf-7")), "replace")
            )
            data[:] = encoded


def _rename(data: bytearray, chosen: random.Random) -> None:
    """Give an element another name, most often so that the file stays whole."""
    found = list(re.finditer(rb"<([A-Z][A-Z0-9]*)([ />])", data))
    if not found:
        return
    match, name = chosen.choice(found), chosen.choice(_NAMES)
    closing = data.find(b"</%b>" % match[1], match.end())
    if closing >= 0:
        data[closing + 2 : closing + 2 + len(match[1])] = name
    data[match.start(1) : match.end(1)] = name


def _inside_text(data: bytearray, chosen: random.Random) -> None:
    """Put a piece at the beginning of an element's text, where labels stand."""
    places = [match.end() for match in re.finditer(rb"<[A-Z][^<>]*>", data)]
    if places:
        at = chosen.choice(places)
        data[at:at] = chosen.choice(_PIECES)


def _check_copy(data: bytes) -> None:
    """A copy is refused with name and advice, or read whole: every word kept or listed."""
    try:
        result = read(data, "broken.xml")
    except SnapshotError as error:
        refusal = error.message
        assert refusal.startswith("broken.xml")
        assert refusal == one_line(refusal)
        return
    assert result.lost == 0, f"{result.lost} words lost"
    for warning in result.warnings:
        assert warning.text == one_line(warning.text)
    for part in result.parts:
        for section in part.sections:
            assert "\0" not in section.heading
            for block in section.blocks:
                assert _LABELLED.fullmatch(block.label), block.label
                block.text.encode("utf-8")


def _odd_lines(chosen: random.Random) -> bytes:
    """Each line: role, emphasis, set-off depth and text, parted by tabs."""
    rows = []
    for _ in range(chosen.choice((1, 5, 40, 200))):
        role = chosen.choice(("PARAGRAPH",) * 12 + ("HEADING", "FOLLOWS", "APART"))
        text = "".join(
            chosen.choice(_LABELS) + chosen.choice(("", " ", " Text. ")) for _ in range(chosen.randrange(6))
        )
        begin, end = sorted((chosen.randrange(20), chosen.randrange(20)))
        setoff = ",".join(str(chosen.randrange(3)) for _ in range(chosen.choice((0, 0, 0, 1, 2, 9))))
        rows.append(f"{role}\t{begin}-{end}\t{setoff}\t{text}")
    return "\n".join(rows).encode()


def _check_lines(data: bytes) -> None:
    """As many results as lines, each label a chain of letters or digits in parentheses."""
    lines = []
    for row in data.decode().split("\n"):
        role, emphasis, setoff, text = row.split("\t", 3)
        begin, _, end = emphasis.partition("-")
        depths = tuple(int(one) for one in setoff.split(",") if one)
        lines.append(Line(text, ((int(begin), int(end)),), Role[role], depths))
    labels = read_labels(lines)
    assert len(labels) == len(lines)
    for line, label in zip(lines, labels, strict=True):
        assert _LABELLED.fullmatch(label.label), label.label
        assert label.label == "" or line.role is not Role.APART
    assert labels == read_labels(lines)


TARGETS = (
    Target("reader", ".xml", _broken_copy, _check_copy),
    Target("labels", ".txt", _odd_lines, _check_lines),
)
