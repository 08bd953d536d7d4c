"""Starting the sentinel (``note_end``), and ending it with a program that ends in order."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

_SCRIPT: Final = Path(__file__).with_name("note_end.py")


class Sentinel(Protocol):
    """Notes when this process ended."""

    def close(self) -> None:
        """End it: this process ends in order."""


class EndNoter:
    """The sentinel as a process of its own.

    It is deaf to all signals that can be blocked: systemd signals every process of a unit, and a terminal every one of its session, and it has to be there
    after this one. It ends by itself as soon as this process has.
    """

    def __init__(self, record: int, offset: int) -> None:
        """Start it.

        Args:
            record: the descriptor of the crash record; it shares the record's lock until it has written.
            offset: where in the record it writes.

        Raises:
            OSError: it cannot be started.
        """
        reads, self._writes = os.pipe()
        try:
            self._pid = os.posix_spawn(
                sys.executable,
                # Isolated and without site-packages: nothing else is loaded, and nothing that lies about is run.
                [sys.executable, "-I", "-S", str(_SCRIPT), str(offset)],
                {},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, reads, 0),
                    (os.POSIX_SPAWN_DUP2, record, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
                setsigmask=signal.valid_signals(),
            )
        except OSError:
            os.close(self._writes)
            raise
        finally:
            os.close(reads)

    def close(self) -> None:
        """End it, and wait until it has."""
        os.close(self._writes)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
