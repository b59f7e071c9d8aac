"""Copying: the system's own clipboard first, the terminal's after it, and always saying which."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PATIENCE = 2.0
"""Seconds that a clipboard program may take."""


def copy_natively(text: str) -> str | None:
    """Hand `text` to the system's clipboard program; its name, or None when none took it."""
    for command in _programs(os.environ, sys.platform):
        if shutil.which(command[0]) is None:
            continue
        encoding = "utf-16" if command[0] == "clip.exe" else "utf-8"
        try:
            # xclip and wl-copy live on in the background: their output must not hold us.
            subprocess.run(  # noqa: S603 - fixed commands, the text goes to stdin
                command,
                input=text.encode(encoding, "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_PATIENCE,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return command[0]
    return None


def _programs(environment: Mapping[str, str], platform: str) -> Iterator[tuple[str, ...]]:
    """The clipboard programs worth trying here, best first."""
    if environment.get("SSH_CONNECTION"):
        # A program here would fill the clipboard of the far machine; the terminal reaches the near one.
        return
    if platform == "darwin":
        yield ("pbcopy",)
    if platform == "win32":
        yield ("clip.exe",)
        return
    if environment.get("WAYLAND_DISPLAY"):
        yield ("wl-copy",)
    if environment.get("DISPLAY"):
        yield ("xclip", "-selection", "clipboard")
        yield ("xsel", "--clipboard", "--input")
    if environment.get("WSL_DISTRO_NAME"):
        yield ("clip.exe",)
