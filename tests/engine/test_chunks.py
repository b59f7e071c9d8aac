from __future__ import annotations

import hashlib
from statistics import median
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from engine.chunks import MAX_WORDS, chunk_id, cut
from engine.model import Block, BlockKind, SectionText

if TYPE_CHECKING:
    from engine.model import Chunk
    from tests.engine.conftest import MakeText, MakeVersion


def named(chunks: tuple[Chunk, ...], section: str, day: str) -> list[Chunk]:
    return [c for c in chunks if c.section == section and str(c.version.effective_from) == day]


def test_134_chunks_of_153_words_in_the_middle(chunks: tuple[Chunk, ...]) -> None:
    assert len(chunks) == 134
    assert median(chunk.words for chunk in chunks) == 153
    assert len({chunk.id for chunk in chunks}) == 134


@pytest.mark.parametrize(
    ("section", "day", "position", "expected"),
    [
        ("254.4", "2017-01-01", 0, "db8de54f5d91"),
        ("254.4", "2021-01-13", 0, "cb303a8b8934"),
        ("254.4", "2021-04-13", 0, "e9c55bed3e23"),
        ("254.4", "2024-10-24", 0, "50c05ac5e1c7"),
        ("254.4", "2025-01-22", 0, "ef9d00e64081"),
        ("250.5", "2024-10-24", 0, "1c4d6d940b9a"),
        ("250.6", "2017-01-01", 0, "786f4a9fd5cb"),
    ],
)
def test_ids_of_the_case_study(
    chunks: tuple[Chunk, ...], section: str, day: str, position: int, expected: str
) -> None:
    assert named(chunks, section, day)[position].id == expected


def test_ids_of_250_9_b_of_2025(chunks: tuple[Chunk, ...]) -> None:
    found = {chunk.id: chunk for chunk in named(chunks, "250.9", "2025-01-22")}
    for known in ("cde04502622d", "29aa7740d1df"):
        assert {block.top for block in found[known].blocks} == {"(b)"}


def test_an_id_is_the_beginning_of_a_sha256(chunks: tuple[Chunk, ...]) -> None:
    for chunk in chunks:
        key = f"{chunk.section}|{chunk.version.effective_from}|{chunk.start}|{chunk.end}"
        assert chunk.id == hashlib.sha256(key.encode()).hexdigest()[:12]
    assert chunk_id("254.4", "2017-01-01", 0, len(chunks[0].body)) != chunk_id("254.4", "2017-01-01", 0, 1)


def assert_covers(chunks: list[Chunk]) -> None:
    """The chunks of one version hold every block once, in order, and say where it stands."""
    text = chunks[0].version.text
    assert tuple(block for chunk in chunks for block in chunk.blocks) == text.blocks
    place = 0
    for number, chunk in enumerate(chunks):
        assert (chunk.position, chunk.first_block) == (number, place)
        assert chunk.body == text.body[chunk.start : chunk.end]
        assert chunk.body == "\n".join(block.text for block in chunk.blocks)
        place += len(chunk.blocks)
    assert chunks[0].start == 0
    assert chunks[-1].end == len(text.body)


def test_the_chunks_of_a_version_cover_it_once_and_in_order(chunks: tuple[Chunk, ...]) -> None:
    by_version: dict[int, list[Chunk]] = {}
    for chunk in chunks:
        by_version.setdefault(id(chunk.version), []).append(chunk)
    assert len(by_version) == 44
    for group in by_version.values():
        assert_covers(group)


def test_no_chunk_of_several_blocks_is_over_the_limit(chunks: tuple[Chunk, ...]) -> None:
    sizes = [len(chunk.body.split()) for chunk in chunks if len(chunk.blocks) > 1]
    assert 180 < max(sizes) <= MAX_WORDS


def test_a_section_without_text_is_one_empty_chunk(
    make_text: MakeText, make_version: MakeVersion, chunks: tuple[Chunk, ...]
) -> None:
    (chunk,) = cut(make_version(make_text("250.7", heading="§ 250.7 [Reserved]")))
    assert (chunk.start, chunk.end, chunk.blocks, chunk.body) == (0, 0, (), "")
    assert (chunk.position, chunk.first_block, chunk.paragraphs, chunk.labels) == (0, 0, "", ())
    assert chunk.titled == "14 CFR § 250.7 [Reserved]\n"
    (shipped,) = named(chunks, "250.7", "2017-01-01")
    assert shipped.id == chunk.id


def words(count: int) -> str:
    return " ".join(["word"] * count)


def sizes(made: tuple[Chunk, ...]) -> list[list[int]]:
    return [[len(block.text.split()) for block in chunk.blocks] for chunk in made]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Exactly the limit still fits; the title is not counted.
        ([f"(a)|{words(100)}", f"(b)|{words(100)}"], [[100, 100]]),
        ([f"(a)|{words(100)}", f"(b)|{words(101)}"], [[100], [101]]),
        # A whole paragraph goes into the next chunk although its first block would fit.
        ([f"(a)|{words(150)}", f"(b)|{words(40)}", f"(b)(1)|{words(40)}"], [[150], [40, 40]]),
        # A paragraph over the limit is parted between its blocks and begins a chunk.
        (
            [f"(a)|{words(50)}", f"(b)|{words(120)}", f"(b)(1)|{words(90)}", f"(c)|{words(100)}"],
            [[50], [120], [90, 100]],
        ),
        # A block is never cut.
        ([f"(a)|{words(450)}", f"(b)|{words(10)}"], [[450], [10]]),
        ([f"(a)|{words(10)}", f"(a)(1)|{words(450)}", f"(a)(2)|{words(10)}"], [[10], [450], [10]]),
        # Blocks before the first label are a group of their own.
        ([words(150), f"(a)|{words(30)}", f"(a)(1)|{words(30)}"], [[150], [30, 30]]),
        # A notice goes with what follows it, at the beginning and between paragraphs.
        ([f"notice|{words(12)}", f"(a)|{words(190)}"], [[12], [190]]),
        ([f"(a)|{words(170)}", f"notice|{words(12)}", f"(b)|{words(60)}"], [[170], [12, 60]]),
        ([f"(a)|{words(170)}", f"notice|{words(12)}", f"(a)|{words(60)}"], [[170], [12, 60]]),
        ([words(170), f"notice|{words(12)}", words(60)], [[170], [12, 60]]),
        # One at the end has only itself.
        ([f"(a)|{words(190)}", f"notice|{words(12)}"], [[190], [12]]),
        ([f"notice|{words(12)}"], [[12]]),
    ],
)
def test_paragraphs_are_packed_greedily(
    make_text: MakeText, make_version: MakeVersion, lines: list[str], expected: list[list[int]]
) -> None:
    assert sizes(cut(make_version(make_text("250.5", *lines)))) == expected


BLOCKS = st.lists(
    st.builds(
        lambda kind, label, count: Block(kind, words(count), label),
        st.sampled_from([BlockKind.PARAGRAPH, BlockKind.PARAGRAPH, BlockKind.NOTICE, BlockKind.TABLE]),
        st.sampled_from(["", "(a)", "(a)(1)", "(b)", "(b)(2)(ii)", "(c)"]),
        st.integers(1, 260),
    ),
    max_size=14,
)


@given(blocks=BLOCKS)
def test_any_blocks_are_covered_once_and_packed_within_the_limit(
    blocks: list[Block], make_version: MakeVersion
) -> None:
    version = make_version(SectionText("14", "250", "250.5", "§ 250.5 Amount.", tuple(blocks)))
    made = cut(version)
    assert_covers(list(made))
    assert all(len(chunk.blocks) == 1 or len(chunk.body.split()) <= MAX_WORDS for chunk in made if blocks)
