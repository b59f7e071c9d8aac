"""Questions of history and what the 44 versions say, from a table written by reading the texts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from engine.engine import Engine
from engine.model import Status
from engine.search.words import load_words

if TYPE_CHECKING:
    from engine.ingest import IngestReport
    from engine.snapshot import Collection

NOTICE = "only the publisher's notice of an amendment differs"

# Read from the 44 versions: question, asked day, what the answer says, what it does not say.
TABLE = (
    (
        "what changed in 254.4 between 2020 and 2023",
        "2026-01-01",
        (
            "Changes from 2020-01-01 to 2023-12-31:",
            (
                "14 CFR 254.4, 2021-04-13: $3,500 → $3,800 "
                "(version 2021-01-13 to 2021-04-12 → version 2021-04-13 to 2024-10-23)."
            ),
            f"14 CFR 254.4, 2021-01-13: {NOTICE}",
        ),
        ("$4,700", "2025"),
    ),
    (
        "how did 250.5 change since 2021",
        "2026-01-01",
        (
            "2021-04-13: (a)(2), (b)(2) $675 → $775; (a)(3) $1,350 → $1,550; added (g);",
            "2021-08-02: (b)(3) $1,350 → $1,550",
            "2025-01-22: (a)(2), (b)(2) $775 → $1,075; (a)(3), (b)(3) $1,550 → $2,150",
            f"2021-01-13 and 2024-10-24: {NOTICE}",
        ),
        (),
    ),
    (
        "how did 250.5 change since 2021",
        "2021-06-15",
        ("(a)(2), (b)(2) $675 → $775; (a)(3) $1,350 → $1,550",),
        ("2021-08-02:", "$2,150"),
    ),
    (
        "how did 250.5(b)(3) change since 2021",
        "2022-06-10",
        ("250.5(b)(3), 2021-04-13: reworded (", "250.5(b)(3), 2021-08-02: $1,350 → $1,550"),
        ("$775", "$2,150", "(a)(2)"),
    ),
    (
        "what is different in the baggage limit now compared with 2019",
        "2026-01-01",
        ("14 CFR 254.4, 2021-04-13: $3,500 → $3,800", "14 CFR 254.4, 2025-01-22: $3,800 → $4,700"),
        (NOTICE,),
    ),
    (
        "since when is it $775",
        "2022-06-10",
        ("14 CFR 250.5(a)(2), (b)(2): $775 from 2021-04-13 to 2025-01-21", "Before: $675 ("),
        ("$1,075", "After", "Still in force"),
    ),
    (
        "since when has the limit been $3,800",
        "2022-06-10",
        ("14 CFR 254.4: $3,800 from 2021-04-13 to 2025-01-21", "Before: $3,500 ("),
        ("$4,700",),
    ),
    (
        "until when was the limit $3,500",
        "2026-01-01",
        (
            "14 CFR 254.4: $3,500 from 2017-01-01 at least (earlier texts are not held) to 2021-04-12",
            "After: $3,800 (version 2021-04-13 to 2024-10-23).",
        ),
        ("Before",),
    ),
    (
        "how long was it $675",
        "2026-01-01",
        (
            (
                "14 CFR 250.5(a)(2), (b)(2): $675 from 2017-01-01 at least (earlier texts are not held) "
                "to 2021-04-12 (first version held from 2017-01-01 to 2021-01-12, last version 2021-01-13 "
                "to 2021-04-12)."
            ),
        ),
        ("2021-01-13:",),
    ),
    (
        "since when is it $1,550 in 250.5",
        "2022-06-10",
        (
            "250.5(a)(3): $1,550 from 2021-04-13 to 2025-01-21",
            "250.5(b)(3): $1,550 from 2021-08-02 to 2025-01-21",
        ),
        (),
    ),
    (
        "since when is it $1,550 in 250.5",
        "2021-06-15",
        ("250.5(a)(3): $1,550 from 2021-04-13 to 2025-01-21",),
        ("(b)(3)",),
    ),
    (
        "since when is 250.5(g) in force",
        "2022-06-10",
        ("250.5(g) stands in the texts since 2021-04-13", "Still in force on 2026-10-07"),
        ("reworded",),
    ),
    (
        "since when is it $1,075 in 250.5(a)(2)",
        "2026-01-01",
        (
            (
                "250.5(a)(2): $1,075 since 2025-01-22 (version since 2025-01-22). Before: $775 ("
                "version 2024-10-24 to 2025-01-21). "
                "Still in force on 2026-10-07, the last day of these texts."
            ),
        ),
        (),
    ),
    (
        "since when is it $1,075",
        "2022-06-10",
        ("Not in force on 2022-06-10: 14 CFR 250.5(a)(2), (b)(2): $1,075 since 2025-01-22",),
        ("Still in force",),
    ),
    (
        "since when is it 200 percent in 250.5",
        "2026-01-01",
        ("250.5(a)(2), (b)(2): 200% since 2017-01-01 at least (earlier texts are not held)",),
        (),
    ),
    (
        "when did 254.4 last change",
        "2022-06-10",
        ("14 CFR 254.4, 2021-04-13: $3,500 → $3,800",),
        ("Changes", NOTICE, "$4,700"),
    ),
    ("when did 254.3 last change", "2022-06-10", ("14 CFR 254.3: no change of the words (version held",), ()),
    (
        "when did the maximum go up",
        "2022-06-10",
        (
            "(of days before 2017-01-01 nothing is held)",
            "14 CFR 250.5, 2021-04-13: (a)(2), (b)(2) $675 → $775",
            "14 CFR 254.4, 2021-04-13: $3,500 → $3,800",
        ),
        ("$1,075", "$4,700", NOTICE),
    ),
    (
        "since when is the current baggage limit in force?",
        "2026-01-01",
        ("254.4: $4,700 since 2025-01-22",),
        (),
    ),
    (
        "since when must airlines offer the money unasked?",
        "2026-01-01",
        ("250.2b(d) stands in the texts since 2021-04-13", "Before: no such paragraph (version 2021-01-13"),
        (),
    ),
    (
        "since when is 250.10(b) in force",
        "2026-01-01",
        ("since 2017-01-01 at least", "Last reworded on 2021-08-02"),
        ("Before",),
    ),
    (
        "when was 250.7 introduced",
        "2018-01-01",
        (
            "Not in force on 2018-01-01: 14 CFR 250.7 stands in the texts since 2021-04-13",
            "Before: the section held no rule",
        ),
        (),
    ),
    (
        "what changed in 250.7 since 2018",
        "2026-01-01",
        (
            "2021-01-13: the heading changed; the section held no rule",
            "2021-04-13: a rule came in; before, the section held no rule",
        ),
        (),
    ),
    (
        "what changed in 250.2b since 2018",
        "2026-01-01",
        ("2021-04-13: added (d) (version 2021-01-13 to 2021-04-12 → version since 2021-04-13).",),
        (),
    ),
    (
        "what changed in 254.3 since 2019",
        "2026-01-01",
        ("14 CFR 254.3: no change of the words (version held from 2017-01-01).",),
        (NOTICE,),
    ),
    (
        "what changed in 254.4 in 2022",
        "2026-01-01",
        ("14 CFR 254.4: no change of the words (version 2021-04-13 to 2024-10-23).",),
        ("→",),
    ),
    (
        "what changed on 2021-04-13",
        "2026-01-01",
        (
            "Changes on 2021-04-13:",
            "250.9, 2021-04-13: (b) $675, $1,350 → $775, $1,550",
            "254.5, 2021-04-13: (b) $3,500 → $3,800",
            "2021-04-13, words and no amount: 250.2, 250.2b, 250.7, 254.6.",
        ),
        (NOTICE,),
    ),
    ("what changed in Part 254 in 2023", "2026-01-01", ("No words of a rule changed in 254.1, 254.2,",), ()),
    (
        "what changed in 254.4 since 2020",
        "2026-12-01",
        ("Changes from 2020-01-01 to 2026-10-07 (the texts are up to date to 2026-10-07):",),
        (),
    ),
    (
        "will the baggage limit change",
        "2024-12-01",
        (
            (
                "14 CFR 254.4: “Link to an amendment published at 89 FR 84819, Oct. 24, 2024.” "
                "It is not the rule on 2024-12-01 (version 2024-10-24 to 2025-01-21)."
            ),
            "To come, not in force on 2024-12-01: 14 CFR 254.4, 2025-01-22: $3,800 → $4,700",
        ),
        (),
    ),
    (
        "will the baggage limit change",
        "2022-06-10",
        ("254.4: no amendment to come is announced (version 2021-04-13 to 2024-10-23).",),
        ("$",),
    ),
    (
        "what changed in 254.4 between 2010 and 2018",
        "2026-01-01",
        ("Changes from 2017-01-01 to 2018-12-31 (of days before 2017-01-01 nothing is held):",),
        (),
    ),
)


@pytest.fixture(scope="module")
def engine(collection: Collection, ingested: IngestReport) -> Engine:
    words = load_words(collection.folder.parent / f"{collection.folder.name}.words.toml")
    return Engine(collection, ingested.index, word_list=words)


@pytest.mark.parametrize(
    ("question", "day", "said", "unsaid"), TABLE, ids=[f"{row[0]} ({row[1]})" for row in TABLE]
)
def test_a_history_says_what_the_texts_say(
    engine: Engine, question: str, day: str, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    card = engine.ask(question, date.fromisoformat(day))
    assert card.status is Status.ANSWERED
    for words in said:
        assert words in card.answer
    for words in unsaid:
        assert words not in card.answer
    assert [claim.problems for claim in card.claims if claim.problems] == []
    assert not {"date_in_question_differs", "several_dates"} & {one.kind for one in card.warnings}
