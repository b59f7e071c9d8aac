"""Each way in which a publisher can fail: the message says what to do, and nothing held is touched."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fake_ecfr import NEW_DAY, SHIPPED, Answer, edited

from engine.errors import PublisherError, SnapshotError
from engine.refresh.wire import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import FakeClock, Held, Refresh
    from fake_ecfr import FakeEcfr

    from engine.refresh.session import Tools

XML = "application/xml"
TEXT = f"full/{NEW_DAY}"
LIST = "versions/title-14.json"
HTML = b"<!DOCTYPE html><html><body>Please show that you are no robot.</body></html>"
OTHER_PART = (SHIPPED / "part-254_2025-01-22.xml").read_bytes()


def _titles(**changed: Any) -> Callable[[Answer], Answer]:
    return edited(lambda table: table["titles"][1].update(changed))


def _meta(**changed: Any) -> Callable[[Answer], Answer]:
    return edited(lambda table: table["meta"].update(changed))


def _row(**changed: Any) -> Callable[[Answer], Answer]:
    return edited(lambda table: table["content_versions"][-1].update(changed))


def _nothing_listed(answer: Answer) -> Answer:
    emptied = edited(lambda table: table["content_versions"].clear())(answer)
    return _meta(result_count="0")(emptied)


def _cut(answer: Answer) -> Answer:
    return replace(answer, body=answer.body[:-40])


def _packed(answer: Answer) -> Answer:
    return replace(answer, headers={"Content-Encoding": "gzip"})


def _entity(answer: Answer) -> Answer:
    body = answer.body.replace(b'<?xml version="1.0"?>', b'<!DOCTYPE x [<!ENTITY a "b">]>')
    return replace(answer, body=body)


def _deep(answer: Answer) -> Answer:
    return replace(answer, body=b'<DIV5 N="250">' + b"<P>" * 200 + b"</P>" * 200 + b"</DIV5>")


CONTENT: dict[str, tuple[str, Callable[[Answer], Answer] | Answer, str]] = {
    "HTML with status 200": (TEXT, Answer(HTML, media="text/html"), "came as text/html"),
    "HTML that says it is XML": (TEXT, Answer(HTML, media=XML), "a web page stands where XML should"),
    "HTML that says it is JSON": (LIST, Answer(HTML), "not JSON"),
    "no type": (TEXT, lambda answer: replace(answer, media=""), "came as no type"),
    "truncated XML": (TEXT, _cut, "no complete XML"),
    "truncated JSON": (LIST, _cut, "cut off"),
    "empty text": (TEXT, Answer(media=XML), "came empty"),
    "empty list": (LIST, Answer(b" \n"), "came empty"),
    "a wrong part": (TEXT, Answer(OTHER_PART, media=XML), "is not of title 14, part 250"),
    "no part": (TEXT, Answer(b"<DIV1 N='14'/>", media=XML), "but of no part"),
    "another vocabulary": (TEXT, Answer(b"<rss/>", media=XML), "no eCFR file"),
    "entities": (TEXT, _entity, "declares entities"),
    "too deep": (TEXT, _deep, "nested more than"),
    "packed": (TEXT, _packed, "came packed (gzip)"),
    "a title's number as a text": ("titles.json", _titles(number="14"), "number is"),
    "a title missing": ("titles.json", _titles(number=15), "title 14 is not in it"),
    "a reserved title": ("titles.json", _titles(up_to_date_as_of=None), "it is reserved"),
    "a yes as a text": ("titles.json", _meta(import_in_progress="false"), 'import_in_progress is "false"'),
    "an import not spoken of": ("titles.json", edited(lambda table: table["meta"].clear()), "is null"),
    "a day that is none": ("titles.json", _titles(up_to_date_as_of="2026-13-01"), "is no date"),
    "a day in another form": ("titles.json", _titles(up_to_date_as_of="20261120"), "YYYY-MM-DD"),
    "titles that are no object": ("titles.json", Answer(b"[1]"), "not an object"),
    "a title that is no object": ("titles.json", edited(lambda table: table.update(titles=[4])),
                                  "a row is not an object"),
    "a removed that is a text": (LIST, _row(removed="false"), 'removed is "false"'),
    "an identifier that is a number": (LIST, _row(identifier=250.5), "identifier is 250.5"),
    "a row of another part": (LIST, _row(part="251"), "a row is of part 251"),
    "a list of another title": (LIST, _meta(title="15"), "it is of title 15"),
    "a count that is none": (LIST, _meta(result_count="many"), "which is no count"),
    "a count that is true": (LIST, _meta(result_count=True), "which is no count"),
    "a count that is missing": (LIST, _meta(result_count=None), "missing or absurd"),
    "an absurd count": (LIST, _meta(result_count=10**9), "missing or absurd"),
    "more rows than counted": (LIST, _meta(result_count=1), "where 1 are counted"),
    "a page of another number": (LIST, _meta(page="2"), "says that it is page 2"),
    "an unknown part": (LIST, _nothing_listed, "has no such part"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTENT)
@pytest.mark.usefixtures("no_report")
def test_what_is_not_as_it_should_be_is_refused(
    name: str, ecfr: FakeEcfr, run: Refresh, untouched: Callable[[], None]
) -> None:
    where, alter, said = CONTENT[name]
    ecfr.amend()
    ecfr.fails(where, alter)

    with pytest.raises(SnapshotError) as caught:
        run()
    assert said in caught.value.message
    assert "The snapshot is as it was." in caught.value.hint
    assert "Run the same command again" in caught.value.hint
    assert not run.reports
    untouched()

    ecfr.mends()
    assert run().applied


STATUS: dict[str, tuple[Answer, str, int]] = {
    "400": (Answer(b'{"error": "Bad date: \'2026-16-01\'"}', 400), "(400): Bad date", 1),
    "400 in the other form": (Answer(b'{"errors": "Bad parameters"}', 400), "(400): Bad parameters.", 1),
    "403": (Answer(b"no", 403, "text/plain"), "(403): no.", 1),
    "404": (Answer(b'{"error": "No matching content found."}', 404), "(404): No matching content found.", 1),
    "404 as HTML": (Answer(HTML, 404, "text/html"), "(404).", 1),
    "429": (Answer(b"slow down " * 90, 429, "text/plain"), "cannot give", 4),
    "500": (Answer(b"[]", 500), "cannot give", 4),
    "503": (Answer(b'{"message": "Title 14 currently unavailable"}', 503), "14 currently unavailable", 4),
    "504 as HTML": (Answer(HTML, 504, "text/html"), "(504).", 4),
    "302": (Answer(b"", 302, headers={"Location": "https://other.example/"}), "sends on to other.example", 1),
    "302 to nowhere": (Answer(b"", 302, headers={"Location": "https://[x"}), "sends on to another", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", STATUS)
def test_a_status_that_is_not_200_ends_the_run(
    name: str, ecfr: FakeEcfr, run: Refresh, clock: FakeClock, untouched: Callable[[], None]
) -> None:
    answer, said, attempts = STATUS[name]
    ecfr.amend()
    ecfr.fails(TEXT, answer)

    with pytest.raises(PublisherError) as caught:
        run()
    assert said in caught.value.message
    assert "The snapshot is as it was." in caught.value.hint
    assert caught.value.exit_code == 4
    assert sum(TEXT in request for request in ecfr.requests) == attempts
    assert [wait for wait in clock.slept if wait > 1.3] == [2.0, 4.0, 8.0][: attempts - 1]
    untouched()


@pytest.mark.parametrize(
    "passing",
    [
        Answer(b"", 503, headers={"Retry-After": "7"}),
        Answer(b"", 429, headers={"Retry-After": "Sat, 21 Nov 2026 12:00:07 GMT"}),
        Answer(b"", 504),
        Answer(b"<html>", 502, "text/html"),
        Answer(b"x", cut=0),
        Answer(b"<DIV5", media=XML, cut=3, headers={"Content-Length": "500"}),
        Answer(b"<DIV5 N", media=XML, drip=0.5),
    ],
    ids=["503", "429", "504", "502", "no answer", "broken off", "silent"],
)
def test_what_passes_is_tried_again(passing: Answer, ecfr: FakeEcfr, run: Refresh, clock: FakeClock) -> None:
    ecfr.amend()
    ecfr.fails(TEXT, passing, times=1)

    assert run().applied
    assert sum(TEXT in request for request in ecfr.requests) == 2
    waited = sum(clock.slept) - 1.2 * 6
    assert waited >= (7.0 - 1.2 if "Retry-After" in passing.headers else 0.0)


def test_a_server_that_wants_more_time_than_is_waited_is_told_of(
    ecfr: FakeEcfr, run: Refresh, untouched: Callable[[], None]
) -> None:
    ecfr.fails("titles.json", Answer(b"", 503, headers={"Retry-After": "3600"}))

    with pytest.raises(PublisherError, match="asks to be left alone for 3600 seconds"):
        run()
    untouched()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(b"x", cut=0), "broke the connection off"),
        (Answer(b"<DIV5 N", media=XML, drip=0.5), "did not finish an answer within"),
    ],
    ids=["broken", "silent"],
)
def test_a_connection_that_never_holds_ends_the_run(
    answer: Answer, said: str, ecfr: FakeEcfr, run: Refresh, untouched: Callable[[], None]
) -> None:
    ecfr.amend()
    ecfr.fails(TEXT, answer)

    with pytest.raises(PublisherError, match=said):
        run()
    assert sum(TEXT in request for request in ecfr.requests) == 4
    untouched()


def test_an_answer_that_drips_has_an_end(
    ecfr: FakeEcfr, run: Refresh, tools: Tools, clock: FakeClock
) -> None:
    ecfr.fails("titles.json", Answer(b'{"titles": []}', drip=0.01))
    ticking = replace(clock.clock, monotonic=lambda: clock.sleep(0.2) or clock.at)

    with pytest.raises(PublisherError, match="did not finish an answer within 1 seconds"):
        run(tools=replace(tools, clock=ticking, limits=Limits(whole=1.0, attempts=2)))
    assert len(ecfr.requests) == 2


def test_too_large_a_file_is_not_read_to_its_end(
    ecfr: FakeEcfr, run: Refresh, monkeypatch: pytest.MonkeyPatch, untouched: Callable[[], None]
) -> None:
    monkeypatch.setattr("engine.refresh.wire.MAX_XML", 20_000)
    ecfr.amend()

    with pytest.raises(SnapshotError, match="is larger than"):
        run()
    untouched()


class TestAnImport:
    def test_under_way_ends_the_run_before_anything_else_is_asked(
        self, ecfr: FakeEcfr, run: Refresh, untouched: Callable[[], None]
    ) -> None:
        ecfr.meta["import_in_progress"] = True
        with pytest.raises(PublisherError, match="bringing in new texts at this moment"):
            run()
        assert len(ecfr.requests) == 1
        untouched()

    def test_of_our_title_alone_ends_the_run_too(self, ecfr: FakeEcfr, run: Refresh) -> None:
        ecfr.fails("titles.json", _titles(processing_in_progress=True))
        with pytest.raises(PublisherError, match="bringing in new texts"):
            run()

    def test_of_another_title_does_not_matter(self, ecfr: FakeEcfr, run: Refresh) -> None:
        ecfr.fails(
            "titles.json", edited(lambda table: table["titles"][0].update(processing_in_progress=True))
        )
        assert run().applied

    def test_that_begins_meanwhile_ends_the_run(
        self, ecfr: FakeEcfr, run: Refresh, tools: Tools, untouched: Callable[[], None]
    ) -> None:
        def step(name: str) -> None:
            if name == "ask for the titles again":
                ecfr.current_to = "2026-11-21"

        with pytest.raises(PublisherError, match="while these were fetched"):
            run(tools=replace(tools, step=step))
        untouched()


class TestPages:
    @pytest.fixture(autouse=True)
    def _short_pages(self, ecfr: FakeEcfr) -> None:
        ecfr.per_page = 10
        ecfr.amend()

    def test_all_are_fetched_and_kept(self, run: Refresh, held: Held) -> None:
        assert run().applied
        names = sorted(path.name for path in held.folder.glob("versions_part-250*"))
        assert names == [
            "versions_part-250.json", "versions_part-250_page-2.json", "versions_part-250_page-3.json",
        ]  # fmt: skip
        rows = [
            row for name in names for row in json.loads((held.folder / name).read_bytes())["content_versions"]
        ]
        assert len(rows) == 29

    def test_without_a_count_of_pages_the_rows_decide(self, ecfr: FakeEcfr, run: Refresh) -> None:
        keys = ("page", "per_page", "total_pages")
        ecfr.fails(LIST, edited(lambda table: [table["meta"].pop(key, None) for key in keys]))
        assert run().applied

    @pytest.mark.parametrize(
        ("alter", "said"),
        [
            (edited(lambda table: table["content_versions"].clear()), "19 of 29 rows are missing"),
            (_meta(total_pages="2"), "counts other rows or pages"),
            (_meta(result_count="30"), "counts other rows or pages"),
            (_meta(page="1"), "says that it is page 1"),
        ],
        ids=["empty", "other pages", "other rows", "another page"],
    )
    def test_one_that_is_missing_is_noticed(
        self,
        alter: Callable[[Answer], Answer],
        said: str,
        ecfr: FakeEcfr,
        run: Refresh,
        untouched: Callable[[], None],
    ) -> None:
        ecfr.fails("page=2", alter)
        with pytest.raises(SnapshotError, match=said):
            run()
        untouched()

    def test_the_last_one_that_lacks_rows_is_noticed(self, ecfr: FakeEcfr, run: Refresh) -> None:
        ecfr.fails("page=3", edited(lambda table: table["content_versions"].pop()))
        with pytest.raises(SnapshotError, match="1 of 29 rows are missing"):
            run()

    def test_the_first_one_given_twice_is_noticed(self, ecfr: FakeEcfr, run: Refresh) -> None:
        keys = ("page", "per_page", "total_pages")
        ecfr.fails(LIST, edited(lambda table: [table["meta"].pop(key, None) for key in keys]))
        first = ecfr.answer("/api/versioner/v1/versions/title-14.json?issue_date[lte]=2026-11-20&part=250")
        ecfr.fails("page=2", first)
        with pytest.raises(SnapshotError, match="is the page before it once more"):
            run()
