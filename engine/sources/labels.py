"""Label paths such as `(a)(2)(i)`, read from the paragraphs' text.

The XML does not nest paragraphs, so the labels alone tell the levels, and a label may be ambiguous:
`(i)` is the letter after `(h)` or the first roman numeral. All readings of a section are followed
side by side, each surprise costs, and the reading with the least surprise is taken; what comes later
thus decides what stood before. Levels count (a) (1) (i) (A) and then (1) (i) in italics.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from engine.sources._label_tokens import Style, Token, read_lead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.sources._label_tokens import Lead, Reading


class Role(Enum):
    """How a block takes part in the labels."""

    PARAGRAPH = "paragraph"
    """May begin with labels; without one it belongs to the label before it."""
    FOLLOWS = "follows"
    """Belongs to the label before it: a table, a footnote, a note."""
    HEADING = "heading"
    """Belongs to what is set off, or to the label before it; a list may begin anew after it."""
    APART = "apart"
    """Has no label and changes none: a notice, a note of the editors."""


@dataclass(frozen=True, slots=True)
class Line:
    """One block as far as its label goes."""

    text: str
    emphasis: tuple[tuple[int, int], ...] = ()
    """Emphasised characters of the text, half open."""
    role: Role = Role.PARAGRAPH
    setoff: tuple[int, ...] = ()
    """Ids of the set-off texts around the block, outermost first; labels in them count on their own."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """What was read of one line."""

    label: str
    """The full path; empty before the first label and for what stands apart."""
    term: str = ""
    surprise: str = ""
    """What is odd about the label, such as `(d) follows (a)`; empty for most."""


class _Level(NamedTuple):
    style: Style
    ordinal: int
    text: str


class _Trail(NamedTuple):
    """The results so far, newest first, shared between readings that begin alike."""

    before: _Trail | None
    label: str
    surprise: str


class _State(NamedTuple):
    """One reading of the lines so far."""

    levels: tuple[_Level, ...] = ()
    shown: int = 0
    """Levels that the next unlabelled block belongs to; deeper ones may still go on."""
    bases: tuple[int, ...] = ()
    """For each open set-off text the number of levels around it."""
    terms: int | None = None
    """The number of levels around a list of unlabelled definitions."""
    cost: float = 0.0
    surprise: str = ""
    """Of the line that is being read."""
    trail: _Trail | None = None

    @property
    def base(self) -> int:
        """The number of levels around the innermost set-off text."""
        return self.bases[-1] if self.bases else 0


class _Cue(NamedTuple):
    """What the line before says about the next label."""

    introduces: bool = False
    """It ends with a colon or a dash: a list is about to begin."""
    loose: bool = False
    """It is a heading or an unlabelled paragraph: a list may begin anew."""


_WIDTH = 8
"""Readings that are followed side by side; three are usually enough."""
_DEEPEST = 20
"""Levels that may be open at once; real sections have six. Without a bound odd lists nest without end."""

_CHILD = {"a": "1", "1": "i", "i": "A", "A": "1", "I": "1"}
_TOP_COST = {"a": 0.0, "1": 1.0, "A": 1.5, "i": 2.5, "I": 4.0}
_JUMP, _BACK, _LATE = 10.0, 11.0, 14.0
_INTRODUCES = (":", "—", "-", "–")


def read_labels(lines: Sequence[Line]) -> tuple[Labelled, ...]:
    """Return label, term and surprise of each line, in order; never fails, changes nothing.

    Each label is a chain of parenthesised letters or digits, or empty.
    """
    states = [_State()]
    terms: list[str] = []
    cue = _Cue()
    setoff: tuple[int, ...] = ()
    for line in lines:
        lead = _lead(line)
        terms.append(lead.term if lead else "")
        if line.role is Role.APART:
            states = [_note(state, "", "") for state in states]
            continue
        states = [_move_setoff(state, setoff, line.setoff) for state in states]
        setoff = line.setoff
        states = _best(after for state in states for after in _follow(state, line, lead, cue))
        loose = line.role is Role.HEADING or (lead is not None and not lead.tokens)
        cue = _Cue(line.text.endswith(_INTRODUCES), loose)
    return tuple(
        Labelled(trail.label, term, trail.surprise)
        for trail, term in zip(_unroll(states[0].trail), terms, strict=True)
    )


def _lead(line: Line) -> Lead | None:
    if line.role is not Role.PARAGRAPH:
        return None
    return read_lead(line.text, line.emphasis, outlined=bool(line.setoff))


def _unroll(trail: _Trail | None) -> list[_Trail]:
    out = []
    while trail is not None:
        out.append(trail)
        trail = trail.before
    return out[::-1]


def _best(states: Iterable[_State]) -> list[_State]:
    """Keep the cheapest reading for each different situation, the cheapest first."""
    kept: dict[_State, _State] = {}
    for state in sorted(states, key=lambda state: state.cost):
        kept.setdefault(state._replace(cost=0.0, surprise="", trail=None), state)
    return list(kept.values())[:_WIDTH]


def _move_setoff(state: _State, before: tuple[int, ...], now: tuple[int, ...]) -> _State:
    """Leave the set-off texts that ended and enter those that began."""
    if before == now:
        return state
    common = 0
    while common < min(len(before), len(now)) and before[common] == now[common]:
        common += 1
    if common < len(state.bases):
        base = state.bases[common]
        state = state._replace(levels=state.levels[:base], shown=base, bases=state.bases[:common])
    if common < len(now):
        entered = (state.shown,) * (len(now) - common)
        state = state._replace(levels=state.levels[: state.shown], bases=state.bases + entered)
    return state._replace(terms=None)


def _follow(state: _State, line: Line, lead: Lead | None, cue: _Cue) -> Iterator[_State]:
    """Yield the readings of one line after `state`."""
    if (lead is not None and lead.outline) or (line.role is Role.HEADING and state.bases):
        # Outside of set-off text a centred heading says nothing about the paragraph it interrupts.
        state = state._replace(shown=state.base)
    if lead is not None and lead.tokens:
        yield from _labelled(state, lead, cue)
        return
    if lead is not None and lead.outline:
        state = state._replace(terms=None)
    elif lead is not None and lead.term:
        around = state.shown if state.terms is None else state.terms
        state = state._replace(shown=around, terms=around)
    yield _note(state, _path(state), "")


def _labelled(state: _State, lead: Lead, cue: _Cue) -> Iterator[_State]:
    """Yield the readings of a line that begins with labels."""
    states = [state]
    for place, token in enumerate(lead.tokens):
        final = place == len(lead.tokens) - 1
        here = _Cue(introduces=True) if place else cue
        states = _best(after for before in states for after in _moves(before, token, here, final=final))
    for after in states:
        yield _skip_range(_note(after, _path(after), after.surprise), lead.last)


def _skip_range(state: _State, last: Token | None) -> _State:
    """Let the list go on after the last of a range of reserved paragraphs."""
    level = state.levels[-1]
    for style, ordinal in last.readings if last else ():
        if style.kind == level.style.kind and ordinal > level.ordinal:
            levels = (*state.levels[:-1], level._replace(ordinal=ordinal))
            return state._replace(levels=levels)
    return state


def _moves(state: _State, token: Token, cue: _Cue, *, final: bool) -> Iterator[_State]:
    """Yield each way in which the label fits: it goes on with an open list, or begins a deeper one."""
    for reading in token.readings:
        level = _Level(*reading, token.text)
        for index, before in enumerate(state.levels):
            if before.style.kind == reading.style.kind:
                cost, odd = _going_on(before, reading, cue, final=final)
                # Closing lists costs a little, leaving a set-off text from within costs more.
                cost += 0.1 * (len(state.levels) - 1 - index) + 4.0 * (index < state.base)
                surprise = f"({token.text}) follows ({before.text})" if odd else ""
                yield _place(state, index, level, cost, surprise)
        for depth in sorted({min(len(state.levels), _DEEPEST - 1), min(state.shown, _DEEPEST - 1)}):
            cost, odd = _opening(state, depth, reading, cue)
            yield _place(state, depth, level, cost, f"({token.text}) begins a list" if odd else "")


def _going_on(before: _Level, reading: Reading, cue: _Cue, *, final: bool) -> tuple[float, bool]:
    """Return what it costs to go on with the list of `before`, and whether that is a surprise."""
    step = reading.ordinal - before.ordinal
    mismatch = 0.0 if before.style == reading.style else 1.0
    if step == 1:
        return mismatch, False
    if step == 0 and not final:  # (b)(2) in full after (b)(1)
        return mismatch + 2.0, False
    if reading.ordinal == 1 and cue.loose:
        return mismatch + 4.0, False
    return mismatch + (_JUMP if step > 1 else _BACK), True


def _opening(state: _State, depth: int, reading: Reading, cue: _Cue) -> tuple[float, bool]:
    """Return what it costs to begin a list under the first `depth` levels, and whether it is a surprise."""
    style = reading.style
    kinds = [level.style.kind for level in state.levels[:depth]]
    if not kinds:
        cost = _TOP_COST[style.kind]
    else:
        expected = Style(_CHILD[kinds[-1]], italic=kinds[-1] in {"A", "1"} and "A" in kinds)
        cost = _child_cost(style, expected, state.levels[depth - 1].style)
        cost = min(cost, 0.5) if depth == state.base else cost + 0.5 * (not cue.introduces)
    if depth > state.shown:  # under a list that a heading or a definition closed
        cost += 3.0
    return (cost, False) if reading.ordinal == 1 else (cost + _LATE, True)


def _child_cost(style: Style, expected: Style, parent: Style) -> float:
    if style.kind == expected.kind:
        return 0.0 if style == expected else 1.0
    return 12.0 if style == parent else 3.0  # a label that was set twice is likelier


def _place(state: _State, index: int, level: _Level, cost: float, surprise: str) -> _State:
    """Return the state in which `level` is the deepest, at `index`."""
    return state._replace(
        levels=(*state.levels[:index], level),
        shown=index + 1,
        bases=tuple(min(base, index + 1) if base > index else base for base in state.bases),
        terms=state.terms if state.terms is not None and state.terms <= index else None,
        cost=state.cost + cost,
        surprise=state.surprise or surprise,
    )


def _path(state: _State) -> str:
    return "".join(f"({level.text})" for level in state.levels[: state.shown])


def _note(state: _State, label: str, surprise: str) -> _State:
    """Write down the result of one line."""
    return state._replace(trail=_Trail(state.trail, label, surprise), surprise="")
