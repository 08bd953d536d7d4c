"""Starts the sentinel (``note_end``) and ends it when the program ends normally."""

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
        """End the sentinel: this process ends normally."""


class EndNoter:
    """The sentinel as a separate process.

    It blocks all signals: systemd signals every process of a unit and a terminal every process of its session, but the sentinel must outlive this process. It ends
    by itself right after this process.
    """

    def __init__(self, record: int, offset: int) -> None:
        """Start it.

        Args:
            record: descriptor of the crash record; the sentinel shares its lock until it has written.
            offset: where to write in the record.

        Raises:
            OSError: it cannot be started.
        """
        reads, self._writes = os.pipe()
        try:
            self._pid = os.posix_spawn(
                sys.executable,
                # Isolated and without site-packages: load nothing else, run no stray code.
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
        """End the sentinel and wait for it."""
        os.close(self._writes)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
