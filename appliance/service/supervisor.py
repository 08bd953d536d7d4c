"""What stands over a program that runs as a service: systemd's watchdog, which hears its beats and how it does, and whoever switches the machine off for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from appliance.service.heartbeat import Heartbeat, Notifier
from appliance.service.poweroff import PowerOff, power_off


@dataclass(frozen=True, slots=True)
class Supervisor:
    """All of it, as far as there is any."""

    heartbeat: Heartbeat | None = None
    power_off: PowerOff | None = None
    notifier: Notifier | None = None
    """Who starts it again when it ends, and hears how it does; None: a person has started it, and reads what it says."""


NOBODY: Final = Supervisor()


def supervisor(notifier: Notifier, environment: Mapping[str, str], wish: str) -> Supervisor:
    """Return who stands over this process by its environment.

    Args:
        notifier: tells systemd.
        environment: of the process.
        wish: the key at which it names the file that asks for the machine to be switched off.
    """
    listens = bool(environment.get("NOTIFY_SOCKET"))
    return Supervisor(Heartbeat(notifier, environment, os.getpid()), power_off(environment, wish), notifier if listens else None)
