"""Text from outside made safe for a terminal: nothing in it can move the cursor or reorder a line."""

from __future__ import annotations

import json
import unicodedata

_TWO_DIGITS = 0xFF
_KEPT = frozenset("\n\t")
_FORMATS_SHOWN = frozenset("\u00ad\u200c\u200d")
"""Format characters that words are spelt with: the soft hyphen and the two joiners."""
_SIGNS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Format characters that are drawn."""
_HIDDEN = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # direction marks
    "\u2028\u2029\ufeff"
)


def safe_text(text: str) -> str:
    r"""Return `text` with control, direction, invisible and unassigned characters as `\x1b` or `\u202e`.

    New lines and tabs stay. The result holds no character of the Unicode categories Cc (but these
    two), Cs and Co, no mark that changes the direction of writing, and of the invisible ones (Cf) only
    the soft hyphen and the two joiners, which words are spelt with.
    """
    if text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def one_line(text: str) -> str:
    """Return the safe text with every run of white space as one space."""
    return " ".join(safe_text(text).split())


def _visible(char: str) -> str:
    if char in _KEPT:
        return char
    kind = unicodedata.category(char)
    unseen = kind == "Cf" and char not in _FORMATS_SHOWN and char not in _SIGNS
    if unseen or char in _HIDDEN or kind in {"Cc", "Cs", "Co", "Cn"}:
        code = ord(char)
        return f"\\x{code:02x}" if code <= _TWO_DIGITS else f"\\u{code:04x}"
    return char


def safe_json(value: object, indent: int | None = None) -> str:
    """Return JSON in which every hidden character is escaped, and that parses to the same value."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    # The new lines of the indentation are kept; whatever else is unsafe stands inside a string.
    return "".join(_escaped(char) for char in text)


def _escaped(char: str) -> str:
    if _visible(char) == char:
        return char
    return json.dumps(char)[1:-1]
