"""A game that was begun on an installed clock, and that the power was cut in."""

import os
import pty
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.firmware.shell.processes import said_in
from tests.packaged.packages import Debian
from tests.processes import until


def interrupted_game(root: Debian, journal: str) -> str:
    """Run the installed clock, press a player's button, and kill it: the journal ends while the other's clock runs. Return what the terminal showed."""
    root.at(journal).parent.mkdir(parents=True, exist_ok=True)
    root.run("chown", "tileclock:tileclock", str(Path(journal).parent))
    with _clock(root) as (clock, hand, seen):
        until(lambda: ("new_game" in said_in(root.at(journal)) and b"a left" in seen) or _ended(clock, seen))
        os.write(hand, b"a")
        until(lambda: "press left" in said_in(root.at(journal)) or _ended(clock, seen))
        return seen.decode(errors="replace")


@contextmanager
def _clock(root: Debian) -> Iterator[tuple[subprocess.Popen[bytes], int, bytearray]]:
    """Run the installed clock on a terminal as its own user, and kill it afterwards. Give the process, the terminal's other end, and what it showed."""
    hand, terminal = pty.openpty()
    run = ["setpriv", "--reuid=tileclock", "--regid=tileclock", "--init-groups", "env", "TERM=xterm-256color", "tileclock", "run"]
    clock = subprocess.Popen(root.command(*run), stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
    os.close(terminal)
    seen = bytearray()
    threading.Thread(target=_read, args=(hand, seen), daemon=True).start()
    try:
        yield clock, hand, seen
    finally:
        _cut(clock)


def _cut(clock: subprocess.Popen[bytes]) -> None:
    """Kill the clock itself, which is the only child: it has another user, and with that it outlives who entered the root for it."""
    for child in Path(f"/proc/{clock.pid}/task/{clock.pid}/children").read_text(encoding="ascii").split():
        os.kill(int(child), signal.SIGKILL)
    clock.kill()
    clock.wait()


def _ended(clock: subprocess.Popen[bytes], seen: bytearray) -> bool:
    """Return no; of a clock that has ended, what it said is the error."""
    assert clock.poll() is None, seen.decode(errors="replace")
    return False


def _read(hand: int, seen: bytearray) -> None:
    with suppress(OSError):
        while some := os.read(hand, 4096):
            seen += some
