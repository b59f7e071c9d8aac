"""Words of a text as the keyword search counts them."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(
    r"""
    \$\s?\d[\d,]*(?:\.\d+)?                       # $1,550
    | \d+[a-z]?(?:\.\d+[a-z]?(?:-\d+[a-z]?)?)+(?:\([a-z0-9]{1,5}\))*  # 250.5(a)(2), 240.10b-21
    | \d[\d,]*(?:\.\d+)?%?                        # 1,550, 200%
    | [a-z]+(?:-[a-z]+)+                          # cpi-u, frequent-flyer
    | [a-z]+(?:'[a-z]+)?                          # words
    """,
    re.VERBOSE,
)
_QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u2010": "-", "\u2011": "-"})
_REFERENCE = re.compile(r"\d+[a-z]?\.\d")
_SILENT = """
a an and any are as at be been but by can could did do does for from had has have he her him his how i if in
into is it its me my no not of off on one or our out she should so such than that the their them then there
these they this those to up us was we were what when where which who why will with would you your am being
about after all also before because during each only own same some too very just get got
"""
STOP = frozenset(_SILENT.split())
"""Words that say nothing about the subject."""


def tokens(text: str) -> list[str]:
    """Split a text into lower-case stems, amounts, percentages and section numbers.

    `$1,550` gives `$1550` and `1550`; `250.5(a)(2)` gives itself and each shorter reference (`250.5(a)`,
    `250.5`); `CPI-U` gives itself and its parts; stop words are left out.
    """
    made: list[str] = []
    for match in _TOKEN.finditer(text.translate(_QUOTES).casefold()):
        made.extend(_expand(match.group()))
    return made


def words(text: str) -> list[str]:
    """The words alone, without figures and stop words, as they are written."""
    found = _TOKEN.findall(text.translate(_QUOTES).casefold())
    return [word for word in found if word[0].isalpha() and word not in STOP]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The Porter (Snowball, English) stem of a lower-case word."""
    stemmed: str = _stemmer().stemWord(word.removesuffix("'s"))
    return stemmed


def _expand(token: str) -> list[str]:
    if token[0].isalpha():
        if "-" in token:
            return [token, *(stem(part) for part in token.split("-") if part not in STOP and len(part) > 1)]
        return [] if token.removesuffix("'s") in STOP else [stem(token)]
    if _REFERENCE.match(token):
        return list(references(token))
    plain = re.sub(r"[,\s]", "", token)
    return [plain, plain[1:]] if plain[0] == "$" else [plain]


def references(reference: str) -> tuple[str, ...]:
    """A reference and each shorter one: `250.5(a)(2)`, `250.5(a)`, `250.5`."""
    parts = re.split(r"(?=\()", reference)
    return tuple("".join(parts[:count]) for count in range(len(parts), 0, -1))


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]  # noqa: ANN202 - the library has no types
    import snowballstemmer  # noqa: PLC0415 - keeps `import engine` light

    return snowballstemmer.stemmer("english")
