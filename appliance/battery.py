"""The charge of a battery or a UPS board, as the kernel's power-supply class reports it (kernel.org, ABI/testing/sysfs-class-power).

The driver of a fuel gauge makes one, such as max17040 or bq27xxx on I2C; a device tree overlay names it. A mouse's battery is of ``scope`` Device, and left out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.finding import Finding, fail, note, ok
from appliance.log import get_logger
from appliance.voltage import SYSTEM
from faults.errors import Phrase, full_stop

READ_INTERVAL_S: Final = 30
LOW_PERCENT: Final = 25
"""From there on a battery that gives power is to be changed: there is time for it between two turns, and the game survives it."""
REMEDY: Final = "Plug the clock in, or change the battery: a game is kept"


class Battery(Struct, frozen=True):
    """What is left in the battery: of several, in the emptiest."""

    percent: int
    discharging: bool

    @property
    def low(self) -> bool:
        return self.discharging and self.percent <= LOW_PERCENT


def battery_of(system: Path) -> Battery | None:
    """Return the emptiest battery below ``system``, the sysfs mount; None: the machine has none that says how full it is."""
    found = [battery for supply in sorted((system / "class/power_supply").glob("*")) if (battery := _battery(supply)) is not None]
    return min(found, key=lambda each: each.percent, default=None)


def _battery(supply: Path) -> Battery | None:
    try:
        if _read(supply / "type") not in ("Battery", "UPS") or ((supply / "scope").exists() and _read(supply / "scope") == "Device"):
            return None
        return Battery(min(100, max(0, int(_read(supply / "capacity")))), _read(supply / "status") == "Discharging")
    except (OSError, ValueError):
        # It was taken out in between, or its driver has no reading yet.
        return None


def _read(path: Path) -> str:
    return path.read_text(encoding="ascii").strip()


def check_battery(system: Path) -> Iterator[Finding]:
    battery = battery_of(system)
    if battery is None:
        yield note("battery", "this machine has no battery that says how full it is")
        return
    found = Phrase("{percent} % are left" if battery.discharging else "{percent} %, and it is not used now", percent=battery.percent)
    yield fail("battery", found, full_stop(Phrase(REMEDY))) if battery.low else ok("battery", found)


@contextmanager
def watch_battery(changed: Callable[[Battery], object], system: Path = SYSTEM, interval_s: float = READ_INTERVAL_S) -> Iterator[None]:
    """Within the block, call ``changed`` from a thread of its own with the first reading and each other one. It must only enqueue.

    A machine without a battery at the start is not watched. ``system``: the sysfs mount.
    """
    if (first := battery_of(system)) is None:
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_watch, args=(first, changed, system, interval_s, ended), name="battery", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _watch(first: Battery, changed: Callable[[Battery], object], system: Path, interval_s: float, ended: threading.Event) -> None:
    known, battery = None, first
    while True:
        if battery != known:
            get_logger().info("the battery's charge has changed", percent=battery.percent, discharging=battery.discharging)
            changed(battery)
            known = battery
        if ended.wait(interval_s):
            return
        # While it is changed, the last reading stands.
        battery = battery_of(system) or battery
