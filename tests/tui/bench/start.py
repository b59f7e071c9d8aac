"""How long the first screen takes: from starting the command to the question box, in a pseudo-terminal.

`python tests/tui/bench/start.py [TIMES [DATA]]` prints seconds of wall clock and of processor, the load
beside them, and how long quitting takes. Not for Windows, which has no pseudo-terminals of this kind.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from pathlib import Path

BOX = b"Question (Ctrl+L)"
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 20


def once(data: str) -> tuple[float, float, float]:
    """Seconds to the first screen, of them on the processor, and seconds to quit."""
    begun = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, "-m", "tui", "--data", data])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen = b""
    while BOX not in seen and time.perf_counter() - begun < PATIENCE:
        if select.select([terminal], [], [], 0.01)[0]:
            seen += os.read(terminal, 65536)
    shown = time.perf_counter() - begun
    fields = Path(f"/proc/{child}/stat").read_text("ascii").split()
    worked = (int(fields[13]) + int(fields[14])) / TICKS
    begun = time.perf_counter()
    os.write(terminal, b"\x11")
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass
    os.waitpid(child, 0)
    return shown, worked, time.perf_counter() - begun


if __name__ == "__main__":
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
        first, busy, left = once(sys.argv[2] if len(sys.argv) > 2 else "/tmp/soak-data")
        load = os.getloadavg()[0]
        print(f"first screen {first:.2f} s, processor {busy:.2f} s, quit {left:.2f} s, load {load:.1f}")  # noqa: T201 - a script that reports
