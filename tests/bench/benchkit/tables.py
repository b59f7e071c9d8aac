"""The measured tables: printed at once, kept in docs when asked to."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LIBRARIES = ("torch", "sentence-transformers", "rank-bm25", "numpy", "lxml")
_INTRODUCTION = """# Benchmarks

Written by `BENCH_WRITE=1 make bench`; [benchmarks.json](benchmarks.json) holds the same. Times depend on the
machine, so no benchmark fails for being slow: each shows its target and whether it was reached. With
`BENCH_WAIT=600` each table may spend so many seconds on waiting until others leave the processor alone.
How search works: [search.md](search.md).
"""


@dataclass(frozen=True)
class Table:
    """One table of text cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def markdown(self) -> str:
        """Columns, a rule, rows, and the note under them."""
        lines = [self.columns, tuple("---" for _ in self.columns), *self.rows]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"{text}\n\n{self.note}" if self.note else text


@dataclass
class Tables:
    """The tables of a run."""

    docs: Path
    made: dict[str, Table] = field(default_factory=dict)

    def add(
        self, key: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str
    ) -> None:
        """Take a table and print it."""
        table = Table(title, tuple(columns), tuple(tuple(row) for row in rows), note)
        self.made[key] = table
        sys.stdout.write(f"\n\n## {title}\n\n{table.markdown}\n")

    def write(self) -> None:
        """Write `benchmarks.md`, `benchmarks.json` and the marked tables of `search.md`.

        A table that this run did not make stays as it was.
        """
        path = self.docs / "benchmarks.json"
        before = json.loads(path.read_text("utf-8"))["tables"] if path.is_file() else {}
        kept = {key: Table(t["title"], *_cells(t), t["note"]) for key, t in before.items()}
        tables = dict(sorted((kept | self.made).items()))
        written = {"machine": machine(), "tables": {key: asdict(table) for key, table in tables.items()}}
        path.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", "utf-8")
        parts = [_INTRODUCTION, "Machine: " + "; ".join(f"{k} {v}" for k, v in machine().items()) + "."]
        parts += [f"\n## {table.title}\n\n{table.markdown}" for table in tables.values()]
        (self.docs / "benchmarks.md").write_text("\n".join(parts) + "\n", "utf-8")
        self._mark(tables)

    def _mark(self, tables: dict[str, Table]) -> None:
        search = self.docs / "search.md"
        if not search.is_file():
            return
        text = search.read_text("utf-8")
        for key, table in tables.items():
            begin, end = f"<!-- table: {key} -->", "<!-- /table -->"
            pattern = re.compile(rf"({re.escape(begin)}\n).*?({re.escape(end)})", re.DOTALL)
            text = pattern.sub(lambda found, t=table: f"{found[1]}\n{t.markdown}\n\n{found[2]}", text)
        search.write_text(text, "utf-8")


def machine() -> dict[str, str]:
    """What the run stood on, without a name or a path of this machine."""
    known = {"cores": str(os.cpu_count()), "processor": _processor(), "system": platform.system()}
    known["Python"] = platform.python_version()
    return known | {name: version(name) for name in _LIBRARIES}


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    found = None
    if listing.is_file():
        found = re.search(r"^model name\s*:\s*(.+)$", listing.read_text("utf-8"), re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine()


def _cells(table: dict[str, list[str]]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    return tuple(table["columns"]), tuple(tuple(row) for row in table["rows"])
