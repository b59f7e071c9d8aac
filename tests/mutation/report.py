"""What came of the mutants, as a table and as docs/mutants.md."""

from __future__ import annotations

import json
import platform
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mutations import Mutant

WANTED = 0.9
"""Share of the mutants of each target that the tests must notice."""
_EXPLAINED = Path(__file__).parent / "explained.json"
_INTRODUCTION = Path(__file__).parent / "introduction.md"


class Outcome(StrEnum):
    """What came of a mutant."""

    KILLED = "killed"
    """A test failed, or could not run."""
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    """Ended for its time: noticed, for a test that never ends fails."""


@dataclass(frozen=True, slots=True)
class Result:
    """A mutant that was tried."""

    mutant: Mutant
    outcome: Outcome

    @property
    def noticed(self) -> bool:
        """Whether the tests noticed it."""
        return self.outcome is not Outcome.SURVIVED


def explained() -> dict[str, str]:
    """Why a survivor is harmless, by its key."""
    return dict(json.loads(_EXPLAINED.read_text("utf-8")))


def table(results: Mapping[str, Sequence[Result]]) -> str:
    """One row a target, and one for all."""
    every = [one for some in results.values() for one in some]
    rows = [_row(name, some) for name, some in results.items()]
    head = ["| target | mutants | killed | timed out | survived | score |", "|---|--:|--:|--:|--:|--:|"]
    return "\n".join([*head, *rows, _row("**all**", every)])


def page(results: Mapping[str, Sequence[Result]], seconds: float) -> str:
    """The page of docs."""
    why = explained()
    when = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {seconds / 60:.0f} minutes"
    introduction = _INTRODUCTION.read_text("utf-8").rstrip()
    parts = [introduction, f"## Figures\n\n`make mutants` on {when}.", table(results), "## Survivors"]
    for name, some in results.items():
        left = [_why(one.mutant, why) for one in some if one.outcome is Outcome.SURVIVED]
        if left:
            parts += [
                f"### {name}",
                "\n".join(["| where | edit | why it may live |", "|---|---|---|", *left]),
            ]
    return "\n\n".join(parts) + "\n"


def _row(name: str, some: Sequence[Result]) -> str:
    counts = Counter(one.outcome for one in some)
    shown = " | ".join(str(counts[one]) for one in (Outcome.KILLED, Outcome.TIMED_OUT, Outcome.SURVIVED))
    score = sum(one.noticed for one in some) / max(len(some), 1)
    return f"| {name} | {len(some)} | {shown} | {score:.1%} |"


def _why(mutant: Mutant, why: Mapping[str, str]) -> str:
    _, _, kind, edit = mutant.key.split("::", 3)
    cell = edit.replace("|", "\\|").replace("`", "'")
    reason = why.get(mutant.key, "**not explained**")
    return f"| line {mutant.line}, `{mutant.function}` | {kind}: `{cell}` | {reason} |"
