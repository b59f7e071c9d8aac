"""The themes offered, and colours for badges and quiet text that can be read on each of them."""

from __future__ import annotations

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

LEAST_CONTRAST = 4.5
"""WCAG AA for small text."""
OFFERED = ("textual-dark", "textual-light", "nord", "gruvbox", "dracula", "atom-one-light", "paper")
DEFAULT = OFFERED[0]
PAPER = Theme(
    name="paper",
    primary="#003d99",
    secondary="#003d99",
    warning="#7a4a00",
    error="#a00000",
    success="#00591f",
    accent="#003d99",
    foreground="#000000",
    background="#ffffff",
    surface="#ffffff",
    panel="#eeeeee",
    dark=False,
)
"""Black on white with the strongest contrast, for bright rooms and tired eyes."""
_BADGES = {
    "in-force": ("#ffffff", "#0a5c2b"),
    "not-in-force": ("#ffffff", "#b3001b"),
    "pending": ("#000000", "#ffcc33"),
    "stale": ("#ffffff", "#5a2d82"),
    "mark": ("#000000", "#ffe680"),
    "removed": ("#ffffff", "#8c1d2f"),
    "added": ("#ffffff", "#0a5c2b"),
    "day": ("#000000", "#7fd4ff"),
}
"""Name of a badge: its text and its ground. They are the same in every theme, so that red stays red."""


def theme_named(name: str) -> Theme:
    """The offered theme of that name; the default for any other name."""
    if name == PAPER.name:
        return PAPER
    return BUILTIN_THEMES[name if name in OFFERED else DEFAULT]


def own_variables(name: str) -> dict[str, str]:
    """The CSS variables that our widgets add to a theme: `$quiet`, `$pending-text` and so on."""
    made = theme_named(name).to_color_system().generate()
    grounds = [Color.parse(made[key]) for key in ("background", "surface", "panel")]
    text = _solid(Color.parse(made["foreground"]), grounds[0])
    variables = {"quiet": _quiet(text, grounds).hex}
    for kind, colours in (
        ("warn", made["warning"]),
        ("bad", made["error"]),
        ("good", made["success"]),
        ("link", made["accent"]),
    ):
        variables[kind] = _readable(Color.parse(colours), text, grounds).hex
    for badge, (front, back) in _BADGES.items():
        variables[f"{badge}-text"], variables[f"{badge}-back"] = front, back
    return variables


def contrast(front: Color, back: Color) -> float:
    """The WCAG contrast of two solid colours, 1 to 21."""
    lighter, darker = sorted((_luminance(front), _luminance(back)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - WCAG 2

    red, green, blue = (linear(part / 255) for part in colour.rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _solid(colour: Color, ground: Color) -> Color:
    return ground.blend(Color(*colour.rgb), colour.a)


def _least(colour: Color, grounds: list[Color]) -> float:
    return min(contrast(colour, ground) for ground in grounds)


def _quiet(text: Color, grounds: list[Color]) -> Color:
    """The text's colour as far toward the ground as it can still be read."""
    steps = [text.blend(grounds[0], part / 20) for part in range(8, -1, -1)]
    return next((step for step in steps if _least(step, grounds) >= LEAST_CONTRAST), text)


def _readable(colour: Color, text: Color, grounds: list[Color]) -> Color:
    """A colour as near to the wanted one as can be read on every ground."""
    steps = [Color(*colour.rgb).blend(text, part / 20) for part in range(21)]
    return next((step for step in steps if _least(step, grounds) >= LEAST_CONTRAST), text)
