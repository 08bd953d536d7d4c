"""A short program beside the link: what would cost the link's memory runs in a process of its own. Standard library without ``subprocess``, which costs 1 MB."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

_MOST_BYTES: Final = 4_096


class Child:
    """A process of ``tilehall``, from its start to its end. It writes one short line; its faults go to the link's standard error.

    Args:
        words: the verb and its options.
    """

    def __init__(self, *words: str) -> None:
        self._reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._said = b""
        command = [sys.executable, "-P", "-m", "hall.cli", *words]
        environment = {name: value for name, value in os.environ.items() if name not in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")}
        actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, writing, 1)]
        try:
            self._pid = os.posix_spawn(sys.executable, command, environment, file_actions=actions)
        finally:
            os.close(writing)

    def fileno(self) -> int:
        """Return the descriptor that is readable when there is something to do."""
        return self._reading

    def result(self) -> str | None:
        """Return what it has written, once it has ended; empty where it has failed. None: it still runs."""
        try:
            while data := os.read(self._reading, _MOST_BYTES):
                self._said = (self._said + data)[:_MOST_BYTES]
        except BlockingIOError:
            return None
        # Its output is closed, so it is about to end.
        _, status = os.waitpid(self._pid, 0)
        os.close(self._reading)
        return self._said.decode(errors="replace").strip() if status == 0 else ""

    def kill(self) -> None:
        """End it."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, 9)
        os.waitpid(self._pid, 0)
        os.close(self._reading)
