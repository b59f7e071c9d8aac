"""Every badge and status can be read in every theme that is offered."""

from __future__ import annotations

import pytest
from textual.color import Color

from tui.themes import LEAST_CONTRAST, OFFERED, contrast, own_variables, theme_named

BADGES = ("in-force", "not-in-force", "pending", "stale", "mark", "removed", "added", "day")


@pytest.mark.parametrize("badge", BADGES)
@pytest.mark.parametrize("theme", OFFERED)
def test_badges(theme: str, badge: str) -> None:
    made = own_variables(theme)

    assert contrast(Color.parse(made[f"{badge}-text"]), Color.parse(made[f"{badge}-back"])) >= LEAST_CONTRAST


@pytest.mark.parametrize("status", ["quiet", "warn", "bad", "good", "link", "foreground"])
@pytest.mark.parametrize("ground", ["background", "surface", "panel"])
@pytest.mark.parametrize("theme", OFFERED)
def test_words_on_every_ground(theme: str, ground: str, status: str) -> None:
    made = {**theme_named(theme).to_color_system().generate(), **own_variables(theme)}
    back = Color.parse(made[ground])
    front = Color.parse(made[status])

    assert contrast(back.blend(Color(*front.rgb), front.a), back) >= LEAST_CONTRAST


def test_an_unknown_theme_is_the_default() -> None:
    assert theme_named("none").name == OFFERED[0]


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(Color.parse("#000"), Color.parse("#fff")) == pytest.approx(21)
    assert contrast(Color.parse("#777"), Color.parse("#fff")) == pytest.approx(4.48, abs=0.01)
