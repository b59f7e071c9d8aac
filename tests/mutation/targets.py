"""What is mutated, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """One file of the engine, or some functions of it, and the files of its tests."""

    file: str
    tests: tuple[str, ...]
    functions: frozenset[str] = frozenset()
    """Qualified names, `<module>` for what stands outside; all when empty."""

    @property
    def name(self) -> str:
        """`engine/versions.py`, or with the functions' subject for a part of a file."""
        return f"{self.file} (in part)" if self.functions else self.file


def _tests(*names: str) -> tuple[str, ...]:
    return tuple(f"tests/engine/test_{name}.py" for name in names)


TARGETS = (
    Target("engine/versions.py", _tests("versions", "versions_edges")),
    Target("engine/model.py", _tests("model", "versions", "checks", "chunks", "context")),
    Target(
        "engine/snapshot.py",
        _tests("snapshot", "snapshot_edges"),
        frozenset(
            {"Collection.coverage", "Collection.copies", "Collection.of_kind", "_current_to", "_title_day"}
        ),
    ),
    Target("engine/checks.py", _tests("checks", "checks_edges")),
    Target("engine/checks_reading.py", _tests("checks_reading", "checks_reading_edges")),
    Target("engine/checks_references.py", _tests("references", "references_edges")),
    Target("engine/references.py", _tests("references", "references_edges")),
    Target(
        "engine/finding.py",
        _tests("finding", "finding_edges", "engine_dropped", "references"),
        frozenset(
            {
                "Finder._places_on",
                "Finder.hits",
                "Finder._named_elsewhere",
                "Finder._elsewhere",
                "Finder._nearest",
                "Finder._hits",
                "_rules",
            }
        ),
    ),
    Target(
        "engine/warnings_of.py",
        _tests("warnings", "warnings_edges"),
        frozenset({"<module>", "_about_day", "_about_version", "_date_in_question"}),
    ),
)
