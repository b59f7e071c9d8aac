"""The app that a widget or a screen runs in, by its own type."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from tui.app import RegulationsApp


def own_app(node: DOMNode) -> RegulationsApp:
    """The app of a node of ours."""
    return cast("RegulationsApp", node.app)
