"""Copies made to harm: nothing outside the file is read, nothing grows, nothing takes for ever."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from engine.errors import SnapshotError
from engine.sources.ecfr import read
from engine.sources.labels import Line, read_labels

if TYPE_CHECKING:
    from pathlib import Path

BODY = '<DIV8 N="250.5" TYPE="SECTION"><HEAD>§ 250.5 Amount.</HEAD><P>{}</P></DIV8>'
ENCODINGS = ("utf-8", "utf-16", "utf-16-le", "utf-32")
LAUGHS = '<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


def copy(text: str, declared: str, encoding: str = "utf-8", *, attribute: str = "250.5") -> bytes:
    body = BODY.format(text).replace('N="250.5"', f'N="{attribute}"')
    return f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE d [{declared}]>{body}'.encode(encoding)


def refused(data: bytes, *words: str) -> None:
    begun = time.process_time()
    with pytest.raises(SnapshotError, match=r"hostile\.xml, line 1: ") as caught:
        read(data, "hostile.xml")
    assert time.process_time() - begun < 5
    assert caught.value.hint
    assert any(word in caught.value.message for word in words), caught.value.message


@pytest.mark.parametrize("encoding", ENCODINGS)
class TestEntities:
    def test_a_billion_laughs_are_not_laughed(self, encoding: str) -> None:
        refused(copy("&a9;", LAUGHS, encoding), "entities", "entity")
        refused(copy("x", LAUGHS, encoding, attribute="&a9;"), "entities", "entity")

    def test_none_is_put_into_an_attribute(self, encoding: str) -> None:
        refused(copy("x", '<!ENTITY a "250.9">', encoding, attribute="&a;"), "entities")

    def test_no_file_and_no_server_is_read(self, encoding: str, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("secret words", "utf-8")
        for address in (secret.as_uri(), "http://127.0.0.1:9/x"):
            refused(copy("&a;", f'<!ENTITY a SYSTEM "{address}">', encoding), "entities", "entity")
            refused(copy("x", f'<!ENTITY % a SYSTEM "{address}"> %a;', encoding), "entities")


def test_a_dtd_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    dtd = tmp_path / "x.dtd"
    dtd.write_text('<!ATTLIST DIV8 N CDATA "999.9">', "utf-8")
    body = BODY.format("x").replace(' N="250.5"', "")
    for address in (dtd.as_uri(), "http://127.0.0.1:9/x.dtd"):
        result = read(f'<!DOCTYPE d SYSTEM "{address}">{body}'.encode(), "hostile.xml")
        assert [section.section for part in result.parts for section in part.sections] == ["250.5"]


def test_an_include_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret words", "utf-8")
    space, place = "http://www.w3.org/2001/XInclude", (tmp_path / "secret").as_uri()
    include = f'<xi:include xmlns:xi="{space}" parse="text" href="{place}"/>'
    assert "secret words" not in str(read(BODY.format(include).encode(), "hostile.xml"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (("<DIV8>" * 101 + "</DIV8>" * 101).encode(), "nested more than 100 deep"),
        (("<DIV8>" * 5000 + "</DIV8>" * 5000).encode(), "no complete XML"),
        (BODY.format("x").replace("TYPE=", f'A="{"x" * 12_000_000}" TYPE=').encode(), "no complete XML"),
        (BODY.format("x" * 12_000_000).encode(), "no complete XML"),
        (BODY.format(f"<{'q' * 100_000}/>").encode(), "no complete XML"),
        (b'<?xml version="1.0" encoding="nonsense"?><DIV8/>', "no complete XML"),
        (b'<?xml version="1.0" encoding="utf-8"?><DIV8 N="1"><HEAD>\xa7 1</HEAD></DIV8>', "no complete XML"),
        ('<?xml version="1.0" encoding="cp037"?><DIV8/>'.encode("cp037"), "no complete XML"),
        (b"<DIV8>&#0;</DIV8>", "no complete XML"),
        (b"<DIV8>\x1b[2J</DIV8>", "no complete XML"),
    ],
    ids=[
        "deep", "deeper", "attribute", "text", "name", "encoding", "bytes", "EBCDIC", "NUL", "escape",
    ],
)  # fmt: skip
def test_what_is_too_large_too_deep_or_no_text_is_refused(data: bytes, said: str) -> None:
    refused(data, said)


@pytest.mark.parametrize(
    "rows",
    [
        ["(a) x:", "(1) x:", "(i) x:", "(A) x:"] * 250,
        ["(a) x"] * 1000,
        ["(a) x:", "(1) y:"] * 500,
        ["(i)(i)(i)(i)(i)(i)(i)(i) x:"] * 40,
    ],
    ids=["nested", "the same", "two levels", "ambiguous"],
)
def test_odd_labels_take_time_that_grows_with_their_number_alone(rows: list[str]) -> None:
    """Lists that open lists without end once took hours: levels are bounded."""

    def seconds(texts: list[str]) -> float:
        begun = time.process_time()
        labels = read_labels([Line(text) for text in texts])
        assert len(labels) == len(texts)
        assert max(one.label.count("(") for one in labels) <= 20
        return time.process_time() - begun

    # A few show whether levels are bounded; where they are not, all of them would still take hours.
    assert seconds(rows[:60]) < 30
    assert seconds(rows * 2) < 30
