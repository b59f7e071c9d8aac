"""Files of the eCFR's XML: their levels, what is odd in them, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from engine.errors import SnapshotError
from engine.sources import _ecfr_xml
from engine.sources.ecfr import read

if TYPE_CHECKING:
    from engine.sources import ReadResult

PATH = "{&quot;path&quot;:&quot;/on/_SUBSTITUTE_DATE_/title-14/section-9.1&quot;}"


def whole(xml: str, title: str = "14") -> ReadResult:
    """Read a file and check that none of its words is lost."""
    result = read(xml.encode(), "copy.xml", title)
    assert result.lost == 0, result
    return result


def file_of(body: str, tag: str = "DIV8") -> ReadResult:
    return whole(
        f'<DIV5 N="9"><HEAD>PART 9</HEAD>\n<{tag} N="9.1"><HEAD>§ 9.1 Title.</HEAD>\n{body}</{tag}></DIV5>'
    )


def warnings(result: ReadResult) -> list[str]:
    return [warning.text for warning in result.warnings]


class TestLevels:
    WHOLE = """<?xml version="1.0" encoding="UTF-8"?>
    <DLPSTEXTCLASS><HEADER><TITLE>Title 1</TITLE></HEADER><TEXT><BODY><ECFRBRWS>
    <AMDDATE>Dec. 29, 2022</AMDDATE><VOLUME N="1"/>
    <DIV1 N="1" TYPE="TITLE"><HEAD>Title 1—General</HEAD><CFRTOC><P>Part one</P></CFRTOC>
    <DIV3 N="I"><HEAD>CHAPTER I</HEAD><DIV4 N="A"><HEAD>SUBCHAPTER A</HEAD>
    <DIV5 N="1"><HEAD>PART 1—A</HEAD><AUTH><HED>Authority:</HED><PSPACE>44 U.S.C.</PSPACE></AUTH>
    <SOURCE><HED>Source:</HED><PSPACE>37 FR</PSPACE></SOURCE><AUTH><P>second</P></AUTH>
    <EDNOTE><P>note</P></EDNOTE>
    <DIV6 N="A"><HEAD>Subpart A</HEAD><SOURCE><P>38 FR</P></SOURCE><DIV7 N="X"><HEAD>Group</HEAD>
    <DIV8 N="§ 1.1"><HEAD>§ 1.1   Definitions.</HEAD><P>x</P></DIV8></DIV7></DIV6>
    <DIV9 N="Appendix A to Part 1"><HEAD>Appendix A to Part 1—Form</HEAD><P>y</P></DIV9></DIV5></DIV4>
    <DIV5 N="Part 2"><HEAD>PART 2 [RESERVED]</HEAD></DIV5></DIV3></DIV1>
    </ECFRBRWS></BODY></TEXT></DLPSTEXTCLASS>"""

    def test_a_whole_title_gives_its_parts(self) -> None:
        result = whole(self.WHOLE.strip(), "")
        first, second = result.parts
        assert result.notes == ("Title 1—General", "CHAPTER I", "SUBCHAPTER A")
        assert (first.title, first.part, first.heading) == ("1", "1", "PART 1—A")
        assert (first.authority, first.source) == ("Authority: 44 U.S.C.", "Source: 37 FR")
        assert first.notes == ("second", "note", "Subpart A", "38 FR", "Group")
        assert [(s.section, s.part, s.title) for s in first.sections] == [
            ("1.1", "1", "1"),
            ("Appendix A to Part 1", "1", "1"),
        ]
        assert (second.part, second.sections) == ("2", ())
        assert result.warnings == ()

    def test_head_matter_is_left_out_with_its_reason(self) -> None:
        left = whole(self.WHOLE.strip()).left_out
        assert [(part.words, part.text) for part in left] == [
            (2, "Title 1"),
            (3, "Dec. 29, 2022"),
            (2, "Part one"),
        ]
        assert all(part.reason and part.line for part in left)

    def test_left_out_text_is_shown_shortened(self) -> None:
        left = file_of(f"<AMDDATE>{'word ' * 100}</AMDDATE>").left_out
        assert left[0].words == 100
        assert len(left[0].text) == 81

    def test_the_title_comes_from_the_path_before_the_parameter(self) -> None:
        double = PATH.replace("&", "&amp;")
        for path in (PATH, double):
            result = whole(f'<DIV5 N="9" hierarchy_metadata="{path}"><HEAD>P</HEAD></DIV5>', "49")
            assert result.parts[0].title == "14"
        assert whole('<DIV5 N="9"/>', "49").parts[0].title == "49"
        assert warnings(whole('<DIV5 N="9"/>', "")) == ["the file does not say which title it is of"]

    def test_a_section_alone_is_a_file_too(self) -> None:
        sections = "".join(f'<DIV8 N="{n}"><HEAD>§ {n}</HEAD></DIV8>' for n in ("9.1", "9.2"))
        result = whole(f'<ECFR>{sections}<DIV9 N="App"><HEAD>App</HEAD></DIV9></ECFR>')
        assert [(part.part, len(part.sections)) for part in result.parts] == [("9", 2), ("", 1)]

    def test_a_file_without_sections_is_told(self) -> None:
        assert warnings(whole("<ECFR/>")) == ["the file holds neither part nor section"]

    def test_an_empty_note_of_a_part_is_no_note(self) -> None:
        assert whole('<DIV5 N="9"><EDNOTE/></DIV5>').parts[0].notes == ()

    def test_text_between_the_levels_is_kept_and_told(self) -> None:
        section = '<FOO><DIV8 N="9.1"><HEAD>§ 9.1 x</HEAD></DIV8></FOO>'
        part = f'<DIV5 N="9"><HEAD>P</HEAD>lower<QQ>odd</QQ><HEAD>again</HEAD>{section}</DIV5>'
        result = whole(f"<ECFR>up<I>per</I>{part}</ECFR>")
        assert result.notes == ("upper",)
        assert result.parts[0].notes == ("lower", "odd", "again")
        assert [s.section for s in result.parts[0].sections] == ["9.1"]
        assert warnings(result) == [
            "text outside any element: upper",
            "text outside any element: lower",
            "unknown element <QQ>, its text is kept",
            "unknown element <FOO>, its text is kept",
        ]


class TestSurprises:
    def test_a_section_under_the_wrong_part_keeps_its_number(self) -> None:
        sections = '<DIV8 N="10.1"><HEAD>§ 10.1 x</HEAD></DIV8><DIV8 N="9.1-2"><HEAD>§ 9.1-2</HEAD></DIV8>'
        result = whole(f'<DIV5 N="9">{sections}</DIV5>')
        assert [(s.section, s.part) for s in result.parts[0].sections] == [("10.1", "10"), ("9.1-2", "9")]
        assert warnings(result) == ["section 10.1 stands under part 9"]

    def test_a_number_that_stands_twice_is_told(self) -> None:
        section = '<DIV8 N="9.1"><HEAD>§ 9.1 x</HEAD></DIV8>\n'
        assert warnings(whole(f'<DIV5 N="9">\n{section * 2}</DIV5>')) == ["section 9.1 stands in line 2 too"]

    @pytest.mark.parametrize(
        ("xml", "number"),
        [
            ("<DIV8><HEAD>§ 9.1a Title.</HEAD></DIV8>", "9.1a"),
            ("<DIV8><HEAD>§ 1.1031(d)-1T Title.</HEAD></DIV8>", "1.1031(d)-1T"),
            ("<DIV8><HEAD>Title alone</HEAD></DIV8>", "Title alone"),
            ("<DIV9><HEAD>Appendix A to Part 9—Form</HEAD></DIV9>", "Appendix A to Part 9"),
        ],
    )
    def test_a_missing_number_is_taken_from_the_heading(self, xml: str, number: str) -> None:
        result = whole(xml)
        assert result.parts[0].sections[0].section == number
        assert warnings(result) == [f"no number; {number!r} is taken from the heading"]

    def test_an_empty_heading_is_told(self) -> None:
        result = whole('<DIV5 N="9"><DIV8 N="9.1"><HEAD/><P>x</P></DIV8></DIV5>')
        assert result.parts[0].sections[0].heading == ""
        assert warnings(result) == ["section 9.1 has no heading"]

    def test_a_placeholder_heading_is_kept_as_it_is(self) -> None:
        section = whole('<DIV5 N="9"><DIV8 N="9.9"><HEAD>§ 9.9 xxx</HEAD></DIV8></DIV5>').parts[0].sections[0]
        assert (section.heading, section.placeholder, section.reserved) == ("§ 9.9 xxx", True, False)

    def test_a_heading_with_another_number_is_told(self) -> None:
        assert warnings(whole('<DIV5 N="9"><DIV8 N="9.1"><HEAD>§ 9.2 x</HEAD></DIV8></DIV5>')) == [
            "section 9.1 has the heading '§ 9.2 x'"
        ]

    def test_a_second_heading_is_a_block(self) -> None:
        section = file_of("<HEAD>More</HEAD>").parts[0].sections[0]
        assert (section.heading, section.body) == ("§ 9.1 Title.", "More")

    def test_a_section_inside_a_section_stands_on_its_own(self) -> None:
        result = file_of('<P>x</P><EXTRACT><DIV8 N="9.2"><HEAD>§ 9.2</HEAD><P>y</P></DIV8></EXTRACT>')
        assert [(s.section, s.body) for s in result.parts[0].sections] == [("9.1", "x"), ("9.2", "y")]
        assert warnings(result) == ["<DIV8> stands inside section 9.1"]

    def test_unknown_elements_keep_their_text_and_are_told_with_their_line(self) -> None:
        result = file_of("<P>a</P>\n<QQ>b <RR>c</RR>d</QQ>loose")
        assert [block.text for block in result.parts[0].sections[0].blocks] == ["a", "b c d", "loose"]
        assert [(w.line, w.text) for w in result.warnings] == [
            (4, "unknown element <QQ>, its text is kept"),
            (4, "unknown element <RR>, its text is kept"),
            (2, "text outside any paragraph: loose"),
        ]

    def test_a_label_that_jumps_is_told_with_its_line(self) -> None:
        result = file_of("<P>(a) x</P>\n<P>(d) y</P>")
        assert [(w.line, w.text) for w in result.warnings] == [(4, "label (d): (d) follows (a)")]


class TestRefusals:
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "copy.xml is empty."),
            (b" \n", "copy.xml is empty."),
            (b"\xef\xbb\xbf<!DOCTYPE html><html/>", "copy.xml, line 1: a web page stands where XML should."),
            (b"<html><body>503</body></html>", "copy.xml, line 1: a web page stands where XML should."),
            (b'{"error": "x"}', "copy.xml, line 1: no complete XML"),
            (b'<DIV5 N="9">\n<HEAD>x</HE', "copy.xml, line 2: no complete XML"),
            (b"<DIV5>&nbsp;</DIV5>", "copy.xml, line 1: no complete XML"),
            (b"\n<rss/>", "copy.xml, line 2: no eCFR file (<RSS>)."),
            (
                b'<!DOCTYPE DIV5 [\n<!ENTITY a "b">]><DIV5>&a;</DIV5>',
                "copy.xml, line 2: it declares entities",
            ),
            (
                b'<!DOCTYPE DIV5 SYSTEM "x.dtd">\n<DIV5>&a;</DIV5>',
                "copy.xml, line 2: it uses the entity &a;.",
            ),
            (
                b"<DIV5>" + b"<DIV>" * 150 + b"</DIV>" * 150 + b"</DIV5>",
                "copy.xml, line 1: nested more than 100 deep.",
            ),
        ],
    )
    def test_a_file_that_is_no_copy_is_refused_with_its_name_and_line(
        self, data: bytes, message: str
    ) -> None:
        with pytest.raises(SnapshotError) as caught:
            read(data, "copy.xml")
        assert message in caught.value.message
        assert caught.value.hint

    def test_entities_in_another_encoding_are_refused(self) -> None:
        data = (
            '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE DIV5 [<!ENTITY a "b">]><DIV5>&a;</DIV5>'.encode(
                "utf-16"
            )
        )
        with pytest.raises(SnapshotError, match="entity"):
            read(data, "copy.xml")

    def test_a_file_that_is_too_large_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(_ecfr_xml, "MAX_BYTES", 10)
        with pytest.raises(SnapshotError, match="larger than 10 bytes"):
            read(b"<DIV5></DIV5>", "copy.xml")

    def test_a_document_type_without_entities_is_read(self) -> None:
        assert whole('<!DOCTYPE DIV5 SYSTEM "none.dtd"><DIV5 N="9"/>').parts[0].part == "9"


_KINDS = (
    "P FP I E br SU FTNT TABLE TR TD CAPTION EXTRACT NOTE EDNOTE EFFDNOT REVTXT HED HD1 HEAD XREF CITA"
    " APPRO AUTH AMDDATE DIV DIV5 DIV6 DIV8 DIV9 QQ MATH ECFR CFRTOC"
)
_NAMES = st.sampled_from(_KINDS.split())
_WORDS = st.sampled_from(["", " ", "x", "(a) ", "(1)", " word", "|", " | "])


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inside = st.lists(st.tuples(children, _WORDS).map("".join), max_size=4).map("".join)
    return st.tuples(_NAMES, _WORDS, inside).map(
        lambda parts: f"<{parts[0]}>{parts[1]}{parts[2]}</{parts[0]}>"
    )


_TREES = st.recursive(_element(st.just("")), _element, max_leaves=25)


@settings(deadline=None)
@given(_TREES)
def test_no_word_is_lost_whatever_the_elements(xml: str) -> None:
    whole(f'<DIV5 N="9">{xml}</DIV5>')
    whole(f'<DIV8 N="9.1">{xml}</DIV8>')
