"""A service's supervisor: systemd's watchdog and status, and the requests to switch off and to update."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from appliance.service.heartbeat import Heartbeat, Notifier
from appliance.service.poweroff import PowerOff, power_off
from appliance.service.update import UpdateRequest


@dataclass(frozen=True, slots=True)
class Supervisor:
    """The supervisor's parts, each None if absent."""

    heartbeat: Heartbeat | None = None
    power_off: PowerOff | None = None
    update: UpdateRequest | None = None
    notifier: Notifier | None = None
    """systemd, which restarts the program and shows its status; None: a person started it and reads its output."""


NO_SUPERVISOR: Final = Supervisor()


def supervisor(notifier: Notifier, environment: Mapping[str, str], power_off_key: str, update: UpdateRequest | None = None) -> Supervisor:
    """Return the supervisor of this process from its environment.

    Args:
        notifier: notifies systemd.
        environment: of the process.
        power_off_key: the environment key that names the power-off request file.
        update: asks for an update of the software.
    """
    listens = bool(environment.get("NOTIFY_SOCKET"))
    return Supervisor(
        Heartbeat(notifier, environment, os.getpid()), power_off(environment, power_off_key), update, notifier if listens else None
    )
