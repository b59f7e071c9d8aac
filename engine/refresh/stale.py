"""What rested on the old texts and does not fit the new ones: dated questions and recorded answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.answerers.replay import read_recordings
from engine.errors import RegulationsError
from engine.evaluation.questions import faults, load_questions
from engine.evaluation.retrieval import holds
from engine.model import Coverage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engine.answerers.replay import Recording
    from engine.engine import Engine
    from engine.evaluation.questions import DatedQuestion


@dataclass(frozen=True, slots=True)
class StaleQuestion:
    """A dated question that needs another look."""

    set: str
    """The file's name without its ending."""
    id: str
    why: str


@dataclass(frozen=True, slots=True)
class StaleRecordings:
    """A file of recorded answers that were given from the old texts."""

    model: str
    file: str
    """Folder and name, such as `quote/filter-on.jsonl`."""
    recorded: int
    """Answers that were given from the old texts; each counts as of another snapshot from now on."""
    outdated: tuple[str, ...]
    """The ids of those that cite a passage which is gone or altered, or whose question is stale."""


def stale_questions(before: Engine, after: Engine, sets: Sequence[Path]) -> tuple[StaleQuestion, ...]:
    """The questions whose passages, day or coverage are not what they were; a missing set has none."""
    found: list[StaleQuestion] = []
    for path in sets:
        try:
            questions = load_questions(path)
        except RegulationsError:
            continue
        for question in questions:
            why = "; ".join(_reasons(question, before, after))
            if why:
                found.append(StaleQuestion(path.stem, question.id, why))
    return tuple(found)


def stale_recordings(
    before: Engine, after: Engine, folders: Sequence[Path], questions: Sequence[StaleQuestion]
) -> tuple[StaleRecordings, ...]:
    """The files with recordings of the old texts; one that cannot be read is of no use before or after."""
    found: list[StaleRecordings] = []
    asked = frozenset(question.id for question in questions)
    for folder in folders:
        for path in sorted(folder.glob("*/*.jsonl")):
            try:
                rows = read_recordings(path)
            except RegulationsError:
                continue
            old = [row for row in rows if row.snapshot == before.collection.sha256]
            if old:
                outdated = tuple(row.id for row in old if row.id in asked or _altered(row, before, after))
                file = f"{path.parent.name}/{path.name}"
                found.append(StaleRecordings(old[0].model, file, len(old), outdated))
    return tuple(found)


def _reasons(question: DatedQuestion, before: Engine, after: Engine) -> Iterator[str]:
    known = set(faults([question], before))
    for fault in faults([question], after):
        if fault not in known:
            yield fault.partition(": ")[2]
    then, now = (engine.collection.coverage(question.as_of) for engine in (before, after))
    if then is not now:
        yield f"{question.as_of} was {_WHERE[then]} and is {_WHERE[now]}"
    for place in question.relevant:
        texts = [[chunk.body for chunk in engine.chunks if holds(chunk, place)] for engine in (before, after)]
        if all(texts) and texts[0] != texts[1]:
            yield f"the words of {place.section}{place.paragraph} of {place.effective_from} changed"


def _altered(row: Recording, before: Engine, after: Engine) -> bool:
    """Whether a passage that an answer cites is gone or reads otherwise."""
    cited = {one for claim in row.answer.claims for one in claim.passages} | set(row.answer.rests_on)
    for one in cited:
        old, new = before.chunk(one), after.chunk(one)
        if old is not None and (new is None or new.body != old.body):
            return True
    return False


_WHERE = {
    Coverage.BEFORE: "before the history",
    Coverage.INSIDE: "inside the days held",
    Coverage.AFTER: "after the up-to-date day",
}
