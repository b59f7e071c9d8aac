"""Faults that users of like programs reported, each with a small collection of our own."""

from __future__ import annotations

import hashlib
import json
import socket
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from engine.card import to_json, to_markdown, to_text
from engine.context import dates
from engine.engine import Engine
from engine.errors import UsageError
from engine.index import read_index, write_index
from engine.ingest import embed, ingest
from engine.model import Answer, Claim, Coverage, Reason, Status
from engine.opening import open_engine
from engine.search.encoder import ModelSpec, load
from engine.search.retriever import Method
from engine.snapshot import load_collection
from engine.sources.numbers import section_key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from conftest import FakeEncoder

    from engine.model import AnswerCard, Context, Question

CURRENT_TO = date(2024, 12, 31)
DECLARATION = "<?xml version='1.0' encoding='UTF-8'?>\n"
ODD_NUMBERS = ["226.5a", "240.10b-21", "1.1031(d)-1T", "100.35T01-0125", "708a.101", "9.2", "9.2a", "9.10"]


def section(number: str, *paragraphs: str, title: str = "Pay.", note: str = "") -> str:
    """One section in the publisher's form; a paragraph that begins with `<` is taken as it is."""
    inner = "".join(text if text.startswith("<") else f"<P>{text}</P>" for text in paragraphs)
    cited = f"<CITA TYPE='N'>[{note}]</CITA>" if note else ""
    return f"<DIV8 N='{number}' TYPE='SECTION'><HEAD>§ {number} {title}</HEAD>{inner}{cited}</DIV8>"


class Write(Protocol):
    """Writes a collection with its sums."""

    def __call__(
        self, copies: Mapping[str, str], versions: list[dict[str, Any]] | None = ..., start: str = ...
    ) -> Path:
        """`copies` gives by `part_day` the sections of a copy; `versions` is the publisher's list."""
        ...


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(
        copies: Mapping[str, str], versions: list[dict[str, Any]] | None = None, start: str = "2017-01-01"
    ) -> Path:
        folder = tmp_path / "small"
        folder.mkdir()
        files: dict[str, str] = {}
        rows = ["file,kind,title,part,date,url,origin,sha256,note"]

        def add(name: str, content: str, kind: str, part: str = "", day: str = "") -> None:
            files[name] = content
            digest = hashlib.sha256(content.encode()).hexdigest()
            rows.append(f"{name},{kind},9,{part},{day},https://example.org/{name},exact,{digest},")

        for key, sections in copies.items():
            part, _, day = key.partition("_")
            xml = f"{DECLARATION}<DIV5 N='{part}' TYPE='PART'><HEAD>PART {part}—PAY</HEAD>{sections}</DIV5>"
            add(f"part-{key}.xml", xml, "part", part, day)
        if versions is not None:
            part = next(iter(copies)).partition("_")[0]
            add("versions.json", json.dumps({"content_versions": versions}), "versions", part)
        titles = {"meta": {}, "titles": [{"number": 9, "up_to_date_as_of": CURRENT_TO.isoformat()}]}
        add("titles.json", json.dumps(titles), "titles")
        described = {
            "id": "small",
            "name": "9 CFR Part 9",
            "source": "ecfr",
            "publisher": "P",
            "language": "en",
        }
        described |= {"history_start": start, "licence": "ours", "attribution": "Ours."}
        files["collection.json"] = json.dumps(described | {"official": False})
        files["sources.csv"] = "\n".join(rows) + "\n"
        for name, content in files.items():
            (folder / name).write_bytes(content.encode())
        sums = (
            f"{hashlib.sha256(content.encode()).hexdigest()}  {name}\n" for name, content in files.items()
        )
        (folder / "SHA256SUMS").write_text("".join(sums), "utf-8", newline="\n")
        return folder

    return write


def opened(folder: Path) -> Engine:
    return open_engine(folder, folder.parent / "data", models=False)


def with_vectors(folder: Path, encoder: FakeEncoder, *, through_disk: bool = False) -> Engine:
    held = load_collection(folder)
    index = embed(ingest(held).index, encoder)
    if through_disk:
        path = folder.parent / "index.sqlite3"
        write_index(path, index)
        index = read_index(path, current_to=held.current_to, vectors=True)
    return Engine(held, index, encoder=encoder)


def ask(engine: Engine, question: str, day: str, **options: Any) -> AnswerCard:
    return engine.ask(question, date.fromisoformat(day), **options)


class TestDays:
    def test_each_section_keeps_the_first_day_of_its_own_change(self, write: Write) -> None:
        """Row 1: the day of loading was shown as the first day of everything."""
        engine = opened(
            write(
                {
                    "9_2018-01-01": section("9.1", "Pay five coins."),
                    "9_2020-03-01": section("9.1", "Pay six coins."),
                    "10_2018-01-01": section("10.1", "Carry bags."),
                    "10_2021-07-01": section("10.1", "Carry all bags."),
                }
            )
        )
        firsts = {
            number: [str(version.effective_from) for version in engine.timelines_of(number)[0].versions]
            for number in ("9.1", "10.1")
        }
        assert firsts == {"9.1": ["2018-01-01", "2020-03-01"], "10.1": ["2018-01-01", "2021-07-01"]}

    def test_a_day_that_is_listed_without_a_text_answers_no_question(self, write: Write) -> None:
        """Row 2: the list of versions named days for which there was no text."""
        rows = [{"identifier": "9.1", "date": day, "removed": False} for day in ("2016-11-28", "2017-01-01")]
        engine = opened(write({"9_2017-01-01": section("9.1", "Pay five coins.")}, rows))
        (version,) = engine.timelines_of("9.1")[0].versions
        assert dates(version) == "held from 2017-01-01"
        assert "2016-11-28" in version.notes[0]
        card = ask(engine, "coins", "2016-12-01")
        assert (card.status, card.coverage, card.sources) == (Status.NOT_HELD, Coverage.BEFORE, ())
        assert "held from 2017-01-01" in ask(engine, "coins", "2018-01-01").answer

    def test_an_amendment_newer_than_every_copy_is_said_to_be_missing(self, write: Write) -> None:
        """Row 3: rules that came after the yearly edition were left out without a word."""
        rows = [{"identifier": "9.1", "date": day, "removed": False} for day in ("2017-01-01", "2024-06-01")]
        engine = opened(write({"9_2017-01-01": section("9.1", "Pay five coins.")}, rows))
        (warning,) = engine.ingest_warnings
        assert "9.1 of 2024-06-01" in warning

    def test_one_document_with_two_first_days_gives_two(self, write: Write) -> None:
        """Rows 4 and 5: one citation with several first days, listed in no order."""
        note = "86 FR 2534, Jan. 13, 2021"
        old, new = (section("9.1", f"Pay {n} coins.", note=note) for n in ("five", "six"))
        bag, bags = (section("9.2", f"Carry {n} bags.", note=note) for n in ("one", "two"))
        engine = opened(
            write({"9_2021-03-01": new + bags, "9_2020-01-01": old + bag, "9_2021-01-01": new + bag})
        )
        last = {line.section: str(line.versions[-1].effective_from) for line in engine.timelines}
        assert last == {"9.1": "2021-01-01", "9.2": "2021-03-01"}

    def test_an_ended_version_never_reads_as_reaching_today(self, write: Write) -> None:
        """Row 6: an old version was said to be up to date on a day after its end."""
        copies = {
            "9_2018-01-01": section("9.1", "Pay five coins."),
            "9_2020-03-24": section("9.1", "Pay six."),
        }
        card = ask(opened(write(copies)), "coins", "2019-05-01")
        for text in (to_text(card), to_markdown(card)):
            assert "2020-03-23" in text
            assert "2024-12-31" not in text
            assert "2020-03-24" not in text
            assert "today" not in text.casefold()

    def test_an_old_day_gets_the_old_text_alone(self, write: Write) -> None:
        """Row 30: the newest provision was preferred for an old fact."""
        copies = {
            "9_2017-01-01": section("9.1", "Pay $5."),
            "9_2020-01-01": section("9.1", "Pay $6, the newest and best amount for every coin."),
        }
        card = ask(opened(write(copies)), "newest and best amount of pay", "2018-05-01")
        assert "$5" in card.answer
        assert "$6" not in json.dumps([to_json(card)["answer"], to_json(card)["claims"]])
        assert [str(source.chunk.version.effective_from) for source in card.sources] == ["2017-01-01"]


class TestOddTexts:
    def test_a_removed_and_reserved_section_is_reserved_and_not_unknown(self, write: Write) -> None:
        """Row 9: of "removed and reserved" the second half was lost."""
        copies = {
            "9_2018-01-01": section("9.1", "Pay five coins."),
            "9_2020-01-01": section("9.1", title="[Reserved]"),
        }
        engine = opened(write(copies))
        card = ask(engine, "What does § 9.1 say?", "2021-01-01")
        assert (card.status, card.reason) == (Status.ABSTAINED, Reason.ABSENT)
        assert "9 CFR 9.1 was reserved on 2021-01-01: it held no rule." in card.answer
        assert engine.timelines_of("9.1")[0].versions[-1].status == "reserved"

    def test_a_placeholder_heading_is_shown_as_published_and_not_summarised(self, write: Write) -> None:
        """Row 10: headings such as "xxx" stand in published data."""
        engine = opened(write({"9_2018-01-01": section("9.9", title="xxx")}))
        card = ask(engine, "What does § 9.9 say?", "2019-01-01")
        assert "only the placeholder heading “§ 9.9 xxx”" in card.answer
        assert (card.claims, [source.chunk.version.heading for source in card.sources]) == ((), ["§ 9.9 xxx"])
        assert "placeholder" in engine.timelines_of("9.9")[0].versions[0].notes[0]

    def test_unmarked_text_after_a_label_belongs_to_it(self, write: Write) -> None:
        """Row 11: flush paragraphs and extracts vanished."""
        body = ("(a) Pay when late.", "(3) The third case.", "<FP>Zebras travel free.</FP>")
        card = ask(opened(write({"9_2018-01-01": section("9.1", *body)})), "zebras", "2019-01-01")
        assert "“Zebras travel free.”" in card.answer
        assert card.sources[0].paragraphs.startswith("(a)")

    def test_a_footnote_of_a_table_is_found_and_cited_with_it(self, write: Write) -> None:
        """Row 12: footnotes behind a table were dropped."""
        table = "<TABLE><TR><TD>Late</TD><TD>Pay</TD></TR><TR><TD>1 hour</TD><TD>$5</TD></TR></TABLE>"
        body = ("(a) The table says it.", table, "<FTNT><P>¹ Zebras are exempt.</P></FTNT>")
        card = ask(opened(write({"9_2018-01-01": section("9.1", *body)})), "exempt zebras", "2019-01-01")
        assert "“¹ Zebras are exempt.”" in card.answer
        assert "1 hour | $5" in card.sources[0].chunk.body

    def test_a_section_without_a_source_note_shows_none(self, write: Write) -> None:
        """Row 13: some parts have no source notes at all."""
        card = ask(opened(write({"9_2018-01-01": section("9.1", "Pay coins.")})), "coins", "2019-01-01")
        assert card.sources[0].chunk.version.text.source_note == ""
        for text in (to_text(card), to_markdown(card), json.dumps(to_json(card))):
            assert "amended" not in text
            assert "None" not in text

    def test_a_section_under_the_wrong_part_is_told_and_found(self, write: Write) -> None:
        """Row 14: sections were nested under the wrong parent."""
        engine = opened(write({"9_2018-01-01": section("9.1", "Pay.") + section("77.3", "Zebras fly.")}))
        assert any("77.3" in warning for warning in engine.ingest_warnings)
        assert engine.timelines_of("§ 77.3")[0].versions[0].text.body == "Zebras fly."
        assert engine.search("zebras", date(2019, 1, 1)).hits[0].chunk.section == "77.3"

    def test_odd_numbers_are_each_one_section(self, write: Write) -> None:
        """Rows 15 and 16: letters and dashes of section numbers were cut off."""
        sections = "".join(section(number, f"Rule of {number}.") for number in ODD_NUMBERS)
        engine = opened(write({"9_2018-01-01": sections}))
        for number in ODD_NUMBERS:
            for said in (number, f"§{number}", f"9 CFR {number}", f"9 C.F.R. Sec. {number}"):
                assert [line.section for line in engine.timelines_of(said)] == [number]
            found = engine.search(f"What does § {number} say?", date(2019, 1, 1))
            assert found.hits[0].chunk.section == number
        assert sorted(("9.10", "9.2a", "9.2"), key=section_key) == ["9.2", "9.2a", "9.10"]
        for said in ("9.2b", "240.10b", "240", ""):
            with pytest.raises(UsageError, match="There is no section"):
                engine.timelines_of(said)


SMALL = {
    "9_2018-01-01": section("9.1", "Pay silver coins."),
    "9_2019-01-01": section("9.1", "Pay silver coins.") + section("9.2", "Silver coins are heavy."),
    "9_2020-01-01": section("9.3", "Zebras."),
}


class TestSmallSets:
    """Rows 19, 20 and 23: division by zero, masked results, the filter applied too late."""

    @pytest.mark.parametrize("method", Method)
    @pytest.mark.parametrize(("day", "count"), [("2017-06-01", 0), ("2018-06-01", 1), ("2019-06-01", 2)])
    def test_no_one_or_two_passages_in_force(
        self, day: str, count: int, method: Method, write: Write, fake_encoder: FakeEncoder
    ) -> None:
        engine = with_vectors(write(SMALL), fake_encoder)
        for k in (1, 2, 3, 10, 200):
            hits = engine.search("silver coins", date.fromisoformat(day), method=method, top=k).hits
            assert len(hits) == min(k, count)
            assert all(hit.in_force for hit in hits)
        card = ask(engine, "silver coins", day, method=method)
        assert all(source.in_force for source in card.sources) or card.reason is Reason.ABSENT
        assert count or (card.status, card.claims) == (Status.ABSTAINED, ())

    def test_by_keywords_no_word_shared_is_no_hit(self, write: Write) -> None:
        engine = opened(write(SMALL))
        assert engine.search("walrus", date(2019, 6, 1)).hits == ()
        assert "says anything about this" in ask(engine, "walrus", "2019-06-01").answer
        assert (
            "No section held here was in force on 2017-06-01." in ask(engine, "walrus", "2017-06-01").answer
        )

    @pytest.mark.parametrize("method", Method)
    def test_many_near_copies_of_other_days_do_not_hide_the_text_in_force(
        self, method: Method, write: Write, fake_encoder: FakeEncoder
    ) -> None:
        copies = {
            f"9_2018-02-{day:02}": section("9.1", f"Pay silver coins, silver coins, {day} silver coins.")
            for day in range(1, 29)
        } | {"9_2019-01-01": section("9.1", "Pay with silver.")}
        engine = with_vectors(write(copies), fake_encoder)
        hits = engine.search("silver coins", date(2020, 1, 1), method=method, top=5).hits
        assert [hit.chunk.body for hit in hits] == ["Pay with silver."]

    @pytest.mark.parametrize("through_disk", [False, True])
    @pytest.mark.parametrize("method", Method)
    def test_of_two_versions_either_side_of_a_day_one_is_found(
        self, method: Method, through_disk: bool, write: Write, fake_encoder: FakeEncoder
    ) -> None:
        """Row 22: date filters were ignored, or failed after a reload."""
        copies = {"9_2018-01-01": section("9.1", "Pay $5."), "9_2020-01-01": section("9.1", "Pay $6.")}
        engine = with_vectors(write(copies), fake_encoder, through_disk=through_disk)
        for day, body in (("2019-12-31", "Pay $5."), ("2020-01-01", "Pay $6.")):
            hits = engine.search("pay", date.fromisoformat(day), method=method, top=10).hits
            assert [hit.chunk.body for hit in hits] == [body]


class Cites:
    """An answerer that cites what it likes."""

    name = "cites"

    def __init__(self, *passages: str, text: str = "Pay $5.") -> None:
        self.claim = Claim(text, passages)

    def answer(self, question: Question, context: Context) -> Answer:
        assert (question.text, context.budget) != ("", 0)
        return Answer(Status.ANSWERED, self.claim.text, (self.claim,))


class TestCitations:
    @pytest.fixture
    def engine(self, write: Write) -> Engine:
        return opened(
            write({"9_2018-01-01": section("9.1", "Pay $1,075.") + section("9.2", "Pay $87 for bags.")})
        )

    def test_an_id_that_was_not_given_is_flagged_and_no_source(self, engine: Engine) -> None:
        """Row 24: sources were cited that did not exist."""
        given, other = (engine.timelines_of(n)[0].versions[0] for n in ("9.1", "9.2"))
        ids = {chunk.version.section: chunk.id for chunk in engine.chunks}
        assert (given.section, other.section) == tuple(ids)
        card = ask(engine, "pay", "2019-01-01", top=1, answerer=Cites("[7]", ids["9.2"], ids["9.1"]))
        assert len(card.context.ids if card.context else ()) == 1
        assert [source.chunk.id for source in card.sources] == list(card.context.ids if card.context else ())
        problems = " ".join(card.claims[0].problems)
        assert 'holds no passage "[7]"' in problems
        assert "was not among the passages given" in problems


@pytest.mark.parametrize(
    "query",
    [
        "250.5(a)(2)",
        "$1,550",
        "what's owed?",
        "200% of fare",
        "AND",
        "OR NOT",
        '"',
        "'",
        "*",
        "(",
        "a:b",
        "§",
    ],
)
def test_marks_of_a_query_language_are_plain_words(query: str, write: Write) -> None:
    """Row 21: punctuation was a syntax error, or found nothing."""
    engine = opened(write({"9_2018-01-01": section("9.1", "Pay $1,550 or 200% of the fare, as owed.")}))
    found = {hit.chunk.section for hit in engine.search(query, date(2019, 1, 1)).hits}
    assert found == ({"9.1"} if query in {"$1,550", "what's owed?", "200% of fare"} else set())
    assert ask(engine, query, "2019-01-01").status in {Status.ANSWERED, Status.ABSTAINED}


@pytest.mark.models
def test_the_carried_model_loads_and_encodes_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 29: model hubs were asked although everything was there."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a network was asked for")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert load(ModelSpec()).query("a question").pooled.shape == (384,)
