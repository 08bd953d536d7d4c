"""A real X server for tests that want a window."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.installed import require

PATIENCE_S = 20


@contextmanager
def x_server(folder: Path, size: str = "1024x600") -> Iterator[str]:
    """Yield the name of a display of its own, with a screen of that size; the server says on a pipe which one is free, and writes its log to ``folder``."""
    require("Xvfb", "xdotool", "import")
    # Without -noreset the server resets, and ignores clients for a moment, whenever its last client leaves.
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
    with (folder / "x.log").open("w") as log, subprocess.Popen(command, pass_fds=(write,), stdout=log, stderr=log) as server:
        os.close(write)
        try:
            with os.fdopen(read) as told:
                number = told.readline().strip()
            yield f":{number}"
        finally:
            server.terminate()
            server.wait(PATIENCE_S)
