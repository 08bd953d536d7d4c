"""What the link has done beside relaying: the broker looked for, where no address is set, and the certificate renewed.

One child process at a time: what would cost the link's memory runs in a process of its own. Standard library without ``subprocess``, which costs 1 MB.
"""

import json
import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from hall.link.connection import BrokerConnection, LinkPlan

_MAX_BYTES: Final = 4_096


class Child:
    """A process of ``tilehall`` with a verb and options. It writes one short line; its faults go to the link's standard error."""

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
        return self._reading

    def result(self) -> str | None:
        """Return what it has written, once it has ended; empty where it has failed. None: it still runs."""
        try:
            while data := os.read(self._reading, _MAX_BYTES):
                self._said = (self._said + data)[:_MAX_BYTES]
        except BlockingIOError:
            return None
        # Its output is closed, so it is about to end.
        _, status = os.waitpid(self._pid, 0)
        os.close(self._reading)
        return self._said.decode(errors="replace").strip() if status == 0 else ""

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._pid, 9)
        os.waitpid(self._pid, 0)
        os.close(self._reading)


_S: Final = 1_000_000_000
LOOK_NS: Final = 15 * _S
"""The broker is looked for again so long after the last search, while there is no connection."""
RENEW_NS: Final = 3_600 * _S
EXPIRED_NS: Final = 60 * _S
"""A renewal that fails is tried again after an hour; after a minute where the broker refuses the certificate."""


class Upkeep:
    """Changes the plan of a connection as the broker moves and the certificate ages."""

    def __init__(self, plan: LinkPlan, connection: BrokerConnection, start: Callable[..., Child] = Child) -> None:
        self._plan, self._connection, self._start = plan, connection, start
        self._searches = not plan.host
        self._child: Child | None = None
        self._look_due = 0
        self._renew_due = 0

    def fileno(self) -> int:
        return -1 if self._child is None else self._child.fileno()

    def step(self, now: int, wall: float) -> int:
        """Do what is due, without waiting; return when the next step is due at the latest.

        Args:
            now: ns of CLOCK_MONOTONIC.
            wall: s since 1970; a wrong date only renews early, or late: the broker then says that the certificate has ended.
        """
        if self._child is not None:
            said = self._child.result()
            if said is None:
                return now + RENEW_NS
            self._child = None
            self._use(said, now)
        if self._searches and not self._connection.is_up and now >= self._look_due:
            self._look_due = now + LOOK_NS
            start_from = ("--from", self._plan.look_from) if self._plan.look_from else ()
            self._child = self._start("find", "--for", self._plan.hall, *start_from)
        elif (
            self._plan.renew_at > 0
            and (wall >= self._plan.renew_at or self._connection.expired)
            and now >= self._renew_due
            and self._plan.host
        ):
            # For spreading only, not for secrets.
            pause = EXPIRED_NS if self._connection.expired else RENEW_NS
            self._renew_due = now + round(pause * random.uniform(0.5, 1))  # noqa: S311
            port = ("--host", self._plan.host, "--port", str(self._plan.enrol_port))
            self._child = self._start("renew", *port, "--folder", str(self._plan.certificate.parent))
        return min(now + LOOK_NS, max(now, self._look_due)) if self._searches and not self._connection.is_up else now + LOOK_NS

    def close(self) -> None:
        if self._child is not None:
            self._child.kill()

    def _use(self, said: str, now: int) -> None:
        # Where several brokers of the hall answer, the first.
        found = json.loads(said.partition("\n")[0] or "{}")
        plan = self._plan._replace(**{key: found[key] for key in ("host", "port", "enrol_port", "ends", "renew_at") if key in found})
        if plan != self._plan:
            self._plan = plan
            self._connection.use(plan, now)
