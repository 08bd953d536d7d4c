"""``python -m hall.link PLAN``: the running link, started by ``tilehall link`` in its own place. Its one argument is a ``LinkPlan`` as JSON.

It imports only what it needs: no settings, no command line, no database, no cryptography but OpenSSL's.
"""

import os
import signal
import sys
import time
from types import FrameType

from sdnotify import SystemdNotifier

from hall.link import lean  # noqa: F401 - first
from hall.link.connection import BrokerConnection, LinkPlan, wait
from hall.link.relay import Relay
from hall.link.upkeep import Upkeep
from wire.local.client import DeviceEnd


def watchdog_every_ns() -> int | None:
    """Return how often systemd wants a sign of life: half the unit's time, in ns; None: never."""
    asked = os.environ.get("WATCHDOG_USEC", "")
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(asked) * 500 if ours and asked.isascii() and asked.isdigit() and int(asked) else None


def main(argument: str) -> None:
    plan = LinkPlan.from_json(argument)
    wake, stopped = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    stopping: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopping.append(number)

    signal.set_wakeup_fd(stopped)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    connection = BrokerConnection(plan)
    relay, upkeep = Relay(plan, DeviceEnd(plan.device, plan.socket), connection), Upkeep(plan, connection)
    systemd = SystemdNotifier()
    systemd.notify("READY=1")
    every, alive_due, said = watchdog_every_ns(), 0, ""
    ready: frozenset[int] = frozenset()
    while not stopping:
        now = time.monotonic_ns()
        # The address of the broker may come just before the connection is due.
        due = min(upkeep.step(now, time.time()), relay.step(now, ready))
        if relay.why != said:
            said = relay.why
            sentence = said or f"Connected with the broker of hall {plan.hall}."
            sys.stderr.write(f"{sentence}\n")
            sys.stderr.flush()
            systemd.notify(f"STATUS={sentence}")
        if every is not None and now >= alive_due:
            systemd.notify("WATCHDOG=1")
            alive_due = now + every
        ready = wait({upkeep.fileno(): False, wake: False, **relay.descriptors()}, due if every is None else min(due, alive_due))
    upkeep.close()
    relay.close()


if __name__ == "__main__":
    main(sys.argv[1])
