"""Timelines drawn to scale: one line a section, from the first day held to the last one known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from textual.content import Content

from tui.drawing.badges import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import SectionVersion, Timeline

LEGEND = "━ in force    ┿ new text\n┅ amendment pending\n─ reserved    · no rule\n░ not known   ▲ the day"
WIDE_LEGEND = (
    "━ in force   ┿ new text   ┅ amendment pending   ─ reserved   · no rule\n░ not known   ▲ the day"
)
WIDE = 72
"""Columns from which the wide legend fits."""
LABEL = 8
"""Columns before the scale begins."""
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Scale:
    """Days on columns."""

    first: date
    last: date
    width: int
    """Columns, at least 1."""

    def column(self, day: date) -> int:
        """The column of a day; days outside stand on the first or the last one."""
        day = min(max(day, self.first), self.last)
        return (day - self.first).days * self.width // ((self.last - self.first).days + 1)

    def span(self, column: int) -> tuple[date, date]:
        """The first and the last day of a column."""
        days = (self.last - self.first).days + 1
        begin, end = -(-column * days // self.width), -(-(column + 1) * days // self.width) - 1
        return self.first + timedelta(days=begin), self.first + timedelta(days=max(begin, end))


def scale_for(timelines: Sequence[Timeline], day: date | None, width: int) -> Scale:
    """From the first day held to the up-to-date day, or on to the chosen day when that lies after it."""
    first = min(line.held_from for line in timelines)
    last = max(line.current_to for line in timelines)
    return Scale(first, max(last, day or last), max(1, width - LABEL))


def drawing(timelines: Sequence[Timeline], day: date | None, chosen: int, width: int) -> Content:
    """The whole drawing: years, a line a section, and the mark of the day."""
    scale = scale_for(timelines, day, width)
    lines = [axis(scale)]
    lines += [section_line(line, scale, day, chosen=place == chosen) for place, line in enumerate(timelines)]
    lines.append(day_line(scale, day))
    return Content("\n").join(lines)


def axis(scale: Scale) -> Content:
    """The years: the first one whole, the others in two digits where there is room."""
    cells = [" "] * scale.width
    free = 0
    for year in range(scale.first.year, scale.last.year + 1):
        at = scale.column(max(date(year, 1, 1), scale.first))
        label = str(year) if year == scale.first.year else f"{year % 100:02}"
        if at >= free and at + len(label) <= scale.width:
            cells[at : at + len(label)] = label
            free = at + len(label) + 1
    return plain(" " * LABEL + "".join(cells), "$quiet")


def section_line(line: Timeline, scale: Scale, day: date | None, *, chosen: bool) -> Content:
    """One section: its number, and one sign a column."""
    name = line.section if len(line.section) < LABEL - 1 else f"{line.section[: LABEL - 3]}…"
    label = plain(f"{'»' if chosen else ' '}{name:<{LABEL - 1}}", "bold" if chosen else "")
    marked = scale.column(day) if day else -1
    parts: list[Content] = [label]
    for column in range(scale.width):
        sign = _sign(line, *scale.span(column))
        style = "$day-text on $day-back" if column == marked else _STYLES.get(sign, "")
        parts.append(Content.styled(sign, style) if style else Content(sign))
    return Content.assemble(*parts)


_STYLES = {"┿": "bold $link", "┅": "bold $warn", "·": "$quiet", "░": "$quiet", "─": "$quiet"}


def _sign(line: Timeline, first: date, last: date) -> str:
    if first > line.current_to:
        return "░"
    last = min(last, line.current_to)
    shown = [version for version in line.versions if _meets(version, first, last)]
    if any(first <= version.effective_from <= last and version.change == "text" for version in shown):
        return "┿"
    if not shown or not shown[-1].in_force(last):
        return "·"
    if shown[-1].pending:
        return "┅"
    return "─" if shown[-1].text.reserved else "━"


def _meets(version: SectionVersion, first: date, last: date) -> bool:
    ends = version.effective_to or date.max
    return version.effective_from <= last and first <= ends


def day_line(scale: Scale, day: date | None) -> Content:
    """The mark under the day, and the day beside it on the side that has room."""
    if day is None:
        return plain(f"{' ' * LABEL}no flight date yet", "$quiet")
    at = LABEL + scale.column(day)
    text = f"{day} ▲" if at > len(f"{day} ") + 1 else f"▲ {day}"
    start = at - len(text) + 1 if text.endswith("▲") else at
    return Content.assemble(" " * start, plain(text, "bold"))


def standing_words(line: Timeline, day: date) -> str:
    """Where a section stands on a day, in a few words."""
    standing = line.standing(day)
    version = standing.version
    words = {
        "not_held": "not held",
        "not_yet": "not yet a rule",
        "gap": "no rule",
        "after": f"after {line.current_to}: last known text" if version else "no rule at the end",
    }
    if standing.kind in words or version is None:
        return words.get(standing.kind, "no rule")
    if version.text.reserved:
        return "reserved"
    return "in force, amendment pending" if version.pending else "in force"


def standing_changes(
    timelines: Sequence[Timeline], before: date | None, after: date | None
) -> tuple[str, ...]:
    """Which sections read otherwise on the second day: `250.5: new text`, `254.4: amendment pending`."""
    if before is None or after is None or before == after:
        return ()
    made = []
    for line in timelines:
        old, new = line.standing(before), line.standing(after)
        if (old.kind, old.version) == (new.kind, new.version):
            continue
        made.append(f"{line.section}: {_change_words(line, before, after)}")
    return tuple(made)


def _change_words(line: Timeline, before: date, after: date) -> str:
    old, new = line.text_on(before), line.text_on(after)
    if old is None or new is None or old == new:
        return f"now {standing_words(line, after)}"
    between = [
        version
        for version in line.versions
        if min(before, after) < version.effective_from <= max(before, after)
    ]
    if any(version.change == "text" for version in between):
        return "other text"
    if all(version.change == "typographic" for version in between):
        return "other typography"
    return "amendment pending" if new.pending else "no longer pending"
