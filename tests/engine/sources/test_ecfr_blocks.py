"""Sections of the eCFR's XML, element by element, in small files of our own."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine.model import Block, BlockKind
from engine.sources.ecfr import read

if TYPE_CHECKING:
    from engine.model import SectionText
    from engine.sources import ReadResult


def whole(xml: str, title: str = "14") -> ReadResult:
    """Read a file and check that none of its words is lost."""
    result = read(xml.encode(), "copy.xml", title)
    assert result.lost == 0, result
    return result


def file_of(body: str, tag: str = "DIV8") -> ReadResult:
    return whole(
        f'<DIV5 N="9"><HEAD>PART 9</HEAD>\n<{tag} N="9.1"><HEAD>§ 9.1 Title.</HEAD>\n{body}</{tag}></DIV5>'
    )


def section_of(body: str, tag: str = "DIV8") -> SectionText:
    return file_of(body, tag).parts[0].sections[0]


def seen(body: str, tag: str = "DIV8") -> list[tuple[str, str, str]]:
    return [(block.kind.value, block.label, block.text) for block in section_of(body, tag).blocks]


def warnings(result: ReadResult) -> list[str]:
    return [warning.text for warning in result.warnings]


class TestLines:
    def test_white_space_is_collapsed_and_inline_elements_part_no_words(self) -> None:
        start = "<P>\n  H<sub>2</sub>O at\u00a0 1\n<FR>1/2</FR> <E T='04'>Federal</E>\tx<br/>"
        assert seen(f"{start}y<img src='a'/> <SU>1</SU><FTREF/></P>") == [
            ("paragraph", "", "H2O at 1 1/2 Federal x y 1")
        ]

    @pytest.mark.parametrize(
        "name",
        [
            "FP",
            "FP-1",
            "FP-2",
            "FP1-2",
            "FP2-3",
            "FP-DASH",
            "FRP",
            "P-1",
            "P2",
            "PSPACE",
            "LI",
            "HALFDASH",
            "MATH",
        ],
    )
    def test_every_kind_of_paragraph_is_kept_with_the_label_before(self, name: str) -> None:
        assert seen(f"<P>(a)(3) x</P><{name}>flush text</{name}>")[1] == ("paragraph", "(a)(3)", "flush text")

    @pytest.mark.parametrize("name", ["HD1", "HD6", "HED", "HED1", "SUBJECT", "BCAP", "TCAP"])
    def test_headings_inside_a_section_are_blocks(self, name: str) -> None:
        assert seen(f"<{name}>Text</{name}>") == [("heading", "", "Text")]

    def test_a_term_is_the_emphasised_start(self) -> None:
        body = (
            "<P><I>Large aircraft.</I> means x</P><P>(a) <E T='03'>Caption—</E>text</P><P>a <I>word</I></P>"
        )
        blocks = section_of(body).blocks
        assert [block.term for block in blocks] == ["Large aircraft", "Caption", ""]

    def test_neighbouring_emphasis_is_one_term(self) -> None:
        assert section_of("<P><I>V</I><E T='52'>1</E> <I>speed</I> means x</P>").blocks[0].term == "V1 speed"

    def test_a_section_without_text_has_no_blocks(self) -> None:
        section = (
            whole('<DIV8 N="9.2"><HEAD>§ 9.2 [Reserved]</HEAD><P> </P><STARS/><TABLE/><XREF/><APPRO/></DIV8>')
            .parts[0]
            .sections[0]
        )
        assert (section.blocks, section.approvals, section.reserved) == ((), (), True)

    def test_reserved_text_is_kept(self) -> None:
        assert seen("<RESERVED>[Reserved]</RESERVED>") == [("paragraph", "", "[Reserved]")]

    def test_mathematics_in_a_line_stays_in_the_line(self) -> None:
        assert seen("<P>where<MATH>a/b</MATH>is</P>") == [("paragraph", "", "where a/b is")]

    def test_names_in_lower_case_and_with_a_name_space_are_the_same(self) -> None:
        assert seen("<p xmlns='urn:x'>(a) <i>T</i> x</p><div><P>y</P></div>") == [
            ("paragraph", "(a)", "(a) T x"),
            ("paragraph", "(a)", "y"),
        ]

    def test_a_block_in_a_paragraph_divides_it(self) -> None:
        table = "<DIV><TABLE><TR><TD>1</TD><TD>2</TD></TR></TABLE></DIV>"
        assert seen(f"<P>(a) before{table}after <I>x<P>(b) inner</P>y</I></P>") == [
            ("paragraph", "(a)", "(a) before"),
            ("table", "(a)", "1 | 2"),
            ("paragraph", "(a)", "after x"),
            ("paragraph", "(b)", "(b) inner"),
            ("paragraph", "(b)", "y"),
        ]


class TestTables:
    def test_a_table_is_one_block_with_a_line_a_row(self) -> None:
        rows = "<TR><TD>0\nhour</TD><TD>No <I>c</I></TD></TR><TR><TD/></TR><TR><TD>x</TD><TD/><TD>z</TD></TR>"
        assert seen(f"<DIV width='1'><DIV><TABLE><TBODY>{rows}</TBODY></TABLE></DIV></DIV>") == [
            ("table", "", "0 hour | No c\nx | | z")
        ]

    def test_captions_keep_their_lines_and_spans_keep_columns_aligned(self) -> None:
        table = """<TABLE><CAPTION><P>One</P><P>Two</P></CAPTION><THEAD>
        <TR><TH rowspan="3">Seats</TH><TH colspan="2">Width</TH><TH>d</TH></TR>
        <TR><TH>low</TH><TH>high</TH></TR>
        <TR><TD>p<br/>q</TD><TD rowspan="2">r</TD></TR></THEAD>
        <TBODY><TR><TD>1</TD></TR></TBODY><TFOOT><TR><TD colspan="9999">foot</TD></TR></TFOOT></TABLE>"""
        assert seen(table)[0][2].split("\n") == [
            "One",
            "Two",
            "Seats | Width | | d",
            "| low | high",
            "| p q | r",
            "1",
            "foot",
        ]

    @pytest.mark.parametrize("span", ["", "x", "0", "²", "9" * 5_000])
    def test_a_span_that_is_no_number_is_survived(self, span: str) -> None:
        assert seen(f"<TABLE><TR><TD colspan='{span}'>a</TD></TR></TABLE>") == [("table", "", "a")]

    def test_loose_text_in_a_table_is_kept(self) -> None:
        cell = "<TD><P>i</P><P>j</P><QQ>k</QQ></TD>"
        rows = f"<TR>c<I>d</I><TD>e</TD>f</TR>g<QQ>h</QQ><TR>{cell}</TR>"
        result = file_of(f"<TABLE>a <I>b</I>{rows}</TABLE>")
        assert result.parts[0].sections[0].blocks[0].text == "a b\ne | cd f\ng\nh\ni j k"
        assert warnings(result) == ["unknown element <QQ>, its text is kept"] * 2

    def test_footnotes_of_a_table_follow_it(self) -> None:
        rows = "<TR><TD>1<FTNT><P>in cell</P></FTNT>2</TD></TR><FTNT><P>exempt</P></FTNT>"
        body = f"<P>(a) x</P><TABLE>{rows}</TABLE><FTNT><P>(b) y</P></FTNT>"
        assert seen(body)[1:] == [
            ("table", "(a)", "1 2"),
            ("footnote", "(a)", "in cell"),
            ("footnote", "(a)", "exempt"),
            ("footnote", "(a)", "(b) y"),
        ]


class TestSetOffText:
    def test_labels_in_an_extract_count_under_the_label_before(self) -> None:
        inner = "<HD1>H</HD1><P>(1) you</P><HD1>I</HD1><P>text</P>"
        body = f"<P>(b) Reads:</P><EXTRACT>{inner}</EXTRACT><P>(c) x</P>"
        assert [label for _, label, _ in seen(body)] == ["(b)", "(b)", "(b)(1)", "(b)", "(b)", "(c)"]

    @pytest.mark.parametrize("name", ["EXTRACT", "EXAMPLE", "BOXTXT", "LDRWK", "LDRFIG"])
    def test_set_off_text_is_walked_into(self, name: str) -> None:
        body = f"<P>(a) x</P><{name}><HED>Example 1.</HED><PSPACE>A request</PSPACE></{name}>"
        assert seen(body)[1:] == [("heading", "(a)", "Example 1."), ("paragraph", "(a)", "A request")]

    def test_a_note_has_no_labels_of_its_own(self) -> None:
        body = "<P>(a) x</P><NOTE><HED>Note:</HED><P>(1) Taxi is</P></NOTE>"
        assert seen(body)[1:] == [("heading", "(a)", "Note:"), ("note", "(a)", "(1) Taxi is")]

    def test_a_footnote_in_a_paragraph_follows_it(self) -> None:
        assert seen("<P>(a) one<FTNT><P><SU>1</SU> exempt</P></FTNT>two</P><P>(b) x</P>") == [
            ("paragraph", "(a)", "(a) one two"),
            ("footnote", "(a)", "1 exempt"),
            ("paragraph", "(b)", "(b) x"),
        ]

    def test_a_footnote_of_the_heading_is_kept(self) -> None:
        section = (
            whole('<DIV8 N="9.1"><HEAD>§ 9.1 T.<FTREF/><EFTNT><P>1 x</P></EFTNT></HEAD></DIV8>')
            .parts[0]
            .sections[0]
        )
        assert section.heading == "§ 9.1 T."
        assert section.blocks == (Block(BlockKind.FOOTNOTE, "1 x"),)

    def test_in_an_appendix_a_heading_begins_anew(self) -> None:
        assert [label for _, label, _ in seen("<P>(a) x</P><HD2>H</HD2><P>y</P><P>(a) z</P>", "DIV9")] == [
            "(a)",
            "",
            "",
            "(a)",
        ]
        assert [label for _, label, _ in seen("<P>(a) x</P><HD2>H</HD2><P>y</P><P>(b) z</P>")] == [
            "(a)",
            "(a)",
            "(a)",
            "(b)",
        ]


class TestNotesOfTheEditors:
    @pytest.mark.parametrize(
        "name", ["EDNOTE", "CROSSREF", "EFFDNOT", "SECAUTH", "PARAUTH", "AUTH", "SOURCE"]
    )
    def test_a_note_is_joined_with_its_lead_word_and_stands_apart(self, name: str) -> None:
        assert seen(f"<P>(a) x</P><{name}><HED>Lead:</HED><PSPACE>text</PSPACE></{name}>")[1] == (
            "note",
            "",
            "Lead: text",
        )

    def test_a_lead_word_alone_is_kept(self) -> None:
        assert seen("<EDNOTE><HED>Note</HED> <HED>of:</HED></EDNOTE>") == [("note", "", "Note of:")]

    def test_the_other_text_of_a_section_never_becomes_its_rule(self) -> None:
        body = """<P>(a) $775</P><EFFDNOT><HED>Effective Date Note:</HED><PSPACE>revised:</PSPACE><REVTXT>
        <DIV8 N="9.1"><HEAD>§ 9.1 New.</HEAD><XREF ID="20240101">Link</XREF><P>(a) $1,075</P>
        <EXTRACT><P>(1) x</P></EXTRACT>
        <TABLE><TR><TD>1</TD><TD>2</TD></TR></TABLE><QQ>y</QQ><CITA>[z]</CITA><MATH>m</MATH></DIV8>
        </REVTXT></EFFDNOT><P>(b) w</P>"""
        result = file_of(body)
        section = result.parts[0].sections[0]
        assert [(block.kind.value, block.label, block.text) for block in section.blocks] == [
            ("paragraph", "(a)", "(a) $775"),
            ("note", "", "Effective Date Note: revised:"),
            ("note", "", "§ 9.1 New."),
            ("note", "", "Link"),
            ("note", "", "(a) $1,075"),
            ("note", "", "(1) x"),
            ("note", "", "1 | 2"),
            ("note", "", "y"),
            ("note", "", "[z]"),
            ("note", "", "m"),
            ("paragraph", "(b)", "(b) w"),
        ]
        assert (section.notices, section.source_note, section.heading) == ((), "", "§ 9.1 Title.")
        assert len(result.parts[0].sections) == 1
        assert "unknown element <QQ>, its text is kept" in warnings(result)

    def test_source_note_and_approvals_are_no_blocks(self) -> None:
        approvals = "<APPRO>(Approved 1)</APPRO><APPRO>(Approved 2)</APPRO>"
        section = section_of(f"<P>x</P>{approvals}<CITA TYPE='N'>[A\n]\n</CITA><CITA>[B]</CITA>")
        assert section.source_note == "[A ] [B]"
        assert section.approvals == ("(Approved 1)", "(Approved 2)")
        assert section.body == "x"

    def test_a_missing_source_note_is_no_warning(self) -> None:
        result = file_of("<P>x</P>")
        assert result.parts[0].sections[0].source_note == ""
        assert result.warnings == ()


class TestNotices:
    LINK = "Link to an amendment published at 89 FR 84818, Oct. 24, 2024."

    @pytest.mark.parametrize(
        "attributes", ['ID="20241024"', 'ID="20241024" REFID="42"', "", 'ID="20241399"', 'ID="x"']
    )
    def test_the_day_of_publication_comes_from_the_attribute_or_the_text(self, attributes: str) -> None:
        section = section_of(f"<XREF {attributes}>{self.LINK}</XREF><P>(a) x</P>")
        assert section.notices[0].text == self.LINK
        assert section.notices[0].citation == "89 FR 84818"
        assert section.notices[0].published == date(2024, 10, 24)
        assert section.blocks[0] == Block(BlockKind.NOTICE, self.LINK)

    @pytest.mark.parametrize(
        "text", ["Link to an amendment.", "Link of Foo. 24, 2024", "Link of Feb. 30, 2024"]
    )
    def test_a_notice_without_a_day_is_kept_and_told(self, text: str) -> None:
        result = file_of(f"<XREF>{text}</XREF>")
        notice = result.parts[0].sections[0].notices[0]
        assert (notice.citation, notice.published) == ("", None)
        assert warnings(result) == [f"no day of publication in the notice: {text}"]

    def test_two_notices_may_stand_in_a_row(self) -> None:
        section = section_of(
            '<XREF ID="20241024">One 1 FR 2</XREF><XREF ID="20241025">Two 1 FR 3</XREF><P>x</P>'
        )
        assert [notice.published for notice in section.notices] == [date(2024, 10, 24), date(2024, 10, 25)]
        assert [block.kind for block in section.blocks[:2]] == [BlockKind.NOTICE, BlockKind.NOTICE]

    def test_a_reference_inside_a_paragraph_is_part_of_its_text(self) -> None:
        section = section_of("<P>see <XREF ID='1'>§ 9.2</XREF>.</P>")
        assert (section.body, section.notices) == ("see § 9.2.", ())
