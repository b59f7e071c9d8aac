"""A server on this computer that speaks the eCFR's API, with its quirks, and fails when it is told to."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

SHIPPED = Path(__file__).parents[3] / "regulations" / "us-14-cfr"
HISTORY_START = "2017-01-01"
NEW_DAY = "2026-11-12"
CURRENT_TO = "2026-11-20"
QUESTION = "Bumped involuntarily inside the US, rebooked 90 minutes late: the most owed?"
OLD_AMOUNT, NEW_AMOUNT = "$1,075", "$1,225"


@dataclass(frozen=True)
class Answer:
    """What the server sends back."""

    body: bytes = b""
    status: int = 200
    media: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    """Close the connection after so many bytes of the body; 0 before any byte of the answer."""
    drip: float = 0.0
    """Seconds before each byte."""


@dataclass
class Fault:
    """Alters the answers to requests whose address holds a text."""

    where: str
    alter: Callable[[Answer], Answer]
    times: int


class FakeEcfr:
    """The publisher's texts in memory; begins with those of the shipped collection."""

    def __init__(self) -> None:
        self.current_to = CURRENT_TO
        self.meta: dict[str, Any] = {"date": "2026-11-21", "import_in_progress": False}
        self.copies: dict[str, dict[str, bytes]] = {"250": {}, "254": {}}
        """By part and by the day from which a text stands."""
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self.per_page = 1000
        self.titles_of: dict[str, str] = {}
        """Parts that are of another title than 14."""
        self.requests: list[str] = []
        """Path and query of every request, in order."""
        self.agents: set[str] = set()
        self._faults: list[Fault] = []
        for part, copies in self.copies.items():
            for path in sorted(SHIPPED.glob(f"part-{part}_*.xml")):
                copies[path.stem.partition("_")[2]] = path.read_bytes()
            listed = json.loads((SHIPPED / f"versions_part-{part}.json").read_bytes())["content_versions"]
            self.rows[part] = [
                row | {"issue_date": row["date"], "substantive": True, "type": "section"} for row in listed
            ]

    def amend(self, part: str = "250", section: str = "250.5", day: str = NEW_DAY) -> None:
        """A further amendment of a section: other amounts."""
        text = self.text(part, day).decode()
        before, mark, rest = text.partition(f'<DIV8 N="{section}"')
        body, end, after = rest.partition("</DIV8>")
        assert OLD_AMOUNT in body
        self.copies[part][day] = "".join(
            (before, mark, body.replace(OLD_AMOUNT, NEW_AMOUNT), end, after)
        ).encode()
        self.list(part, section, day)

    def list(self, part: str, section: str, day: str, **changed: Any) -> None:
        """A further row of a part's list."""
        name = f"§ {section}"
        row = {"date": day, "amendment_date": day, "issue_date": day, "identifier": section, "name": name}
        row |= {"part": part, "substantive": True, "removed": False, "subpart": None, "title": "14"}
        self.rows[part].append(row | {"type": "section"} | changed)

    def text(self, part: str, day: str) -> bytes:
        """A part's text as it stands on a day."""
        return self.copies[part][max(known for known in self.copies[part] if known <= day)]

    def fails(self, where: str, alter: Callable[[Answer], Answer] | Answer, times: int = 1000) -> None:
        """Alter, or replace, the next answers to requests whose address holds `where`."""
        change = alter if callable(alter) else lambda _: alter
        self._faults.append(Fault(where, change, times))

    def mends(self) -> None:
        """From now on nothing fails."""
        self._faults.clear()

    def answer(self, target: str) -> Answer:
        """The answer to a request, with what was told to fail."""
        self.requests.append(target)
        parts = urlsplit(target)
        made = self._right(parts.path, {key: value[0] for key, value in parse_qs(parts.query).items()})
        for fault in self._faults:
            if fault.where in target and fault.times:
                fault.times -= 1
                made = fault.alter(made)
        return made

    def _right(self, path: str, query: dict[str, str]) -> Answer:
        words = path.removeprefix("/api/versioner/v1/").split("/")
        if words == ["titles.json"]:
            return _json({"titles": self._titles(), "meta": self.meta})
        if query.get("part") not in self.copies and words[0] == "full":
            return _json({"error": "No matching content found."}, 404)
        if words[0] == "versions":
            return self._versions(query)
        if words[0] == "full":
            return self._full(words[1], query["part"])
        return Answer(b"<html><body>Not found</body></html>", 404, "text/html")

    def _titles(self) -> list[dict[str, Any]]:
        reserved = {"number": 35, "name": "Reserved", "up_to_date_as_of": None, "reserved": True}
        dates = {"latest_amended_on": self.current_to, "latest_issue_date": self.current_to}
        ours = {"number": 14, "name": "Aeronautics and Space", "up_to_date_as_of": self.current_to}
        other = {"number": 2, "name": "Federal Financial Assistance", "up_to_date_as_of": self.current_to}
        return [other | dates, ours | dates | {"reserved": False}, reserved]

    def _versions(self, query: dict[str, str]) -> Answer:
        if not any(key.startswith("issue_date[") for key in query):
            return _json({"errors": "Bad parameters: An issue_date parameter must be provided."}, 400)
        until = query["issue_date[lte]"]
        rows = [row for row in self.rows.get(query["part"], []) if row["issue_date"] <= until]
        page = int(query.get("page", "1"))
        shown = rows[(page - 1) * self.per_page : page * self.per_page]
        # As the description has it, the counts of this list come in digits.
        title = self.titles_of.get(query["part"], "14")
        shown = [row | {"title": title} for row in shown]
        meta: dict[str, Any] = {"title": title, "result_count": str(len(rows)), "issue_date": {"lte": until}}
        if len(rows) > self.per_page:
            pages = -(-len(rows) // self.per_page)
            meta |= {"page": str(page), "per_page": str(self.per_page), "total_pages": str(pages)}
        return _json({"content_versions": shown, "meta": meta})

    def _full(self, day: str, part: str) -> Answer:
        try:
            date.fromisoformat(day)
        except ValueError:
            return _json({"error": f"Bad date: '{day}'"}, 400)
        if not HISTORY_START <= day <= self.current_to:
            return _json({"error": "No matching content found."}, 404)
        title = f"title-{self.titles_of.get(part, '14')}".encode()
        return Answer(
            self.text(part, day).replace(b"title-14", title), media="application/xml; charset=utf-8"
        )


def _json(table: object, status: int = 200) -> Answer:
    return Answer(json.dumps(table).encode(), status, "application/json; charset=utf-8")


def edited(edit: Callable[[Any], Any]) -> Callable[[Answer], Answer]:
    """Alters the JSON of an answer in place."""

    def alter(answer: Answer) -> Answer:
        table = json.loads(answer.body)
        edit(table)
        return _json(table)

    return alter


class Serving:
    """Runs a `FakeEcfr` on a free port of this computer; a context manager."""

    def __init__(self, ecfr: FakeEcfr) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                ecfr.agents.add(self.headers.get("user-agent", ""))
                _send(self, ecfr.answer(self.path))

            def log_message(self, *_: object) -> None:
                """Nothing is narrated."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    if answer.cut == 0:
        handler.close_connection = True
        return
    handler.send_response_only(answer.status)
    sent = {"Content-Type": answer.media, "Content-Length": str(len(answer.body))} | answer.headers
    for name, value in sent.items():
        if value:
            handler.send_header(name, value)
    handler.end_headers()
    body = answer.body[: answer.cut]
    try:
        if answer.drip:
            for place in range(len(body)):
                time.sleep(answer.drip)
                handler.wfile.write(body[place : place + 1])
        else:
            handler.wfile.write(body)
    except OSError:
        # Whoever asked has lost patience.
        pass
    handler.close_connection = answer.cut is not None or bool(answer.drip)
