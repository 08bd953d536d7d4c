"""The machine's power: undervoltage as a Raspberry Pi's firmware reports it, and the charge of a battery or a UPS board.

A weak supply or thin cable corrupts cards and stops clocks. Linux polls the firmware every 2 s and exposes the alarm of a hardware monitor named ``rpi_volt``
(kernel.org, hwmon/raspberrypi-hwmon). A change wakes whoever polls the file (sysfs_notify), so the watcher reads only rarely, and not at all on a machine without
the monitor.

The driver of a fuel gauge, such as max17040 or bq27xxx on I2C, makes a power supply of the kernel (kernel.org, ABI/testing/sysfs-class-power); a device tree overlay
names it. A mouse's battery is of ``scope`` Device, and left out.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.errors import Finding, fail, note, ok
from appliance.log import get_logger
from faults.errors import Phrase, as_phrase, full_stop, reason

SYSTEM: Final = Path("/sys")
_MONITOR: Final = "rpi_volt"
_ALARM: Final = "in0_lcrit_alarm"
READ_INTERVAL_S: Final = 10
"""Longest time between two reads, in s, in case the kernel does not wake us."""
CLEAR_READS: Final = 6
"""The alarm clears after so many reads without it, about a minute: it flickers with the load, and each change is a journal row."""
REMEDY: Final = "Use the supply made for this model (5.1 V, 2.5 to 5 A) with its own short cable, and take off what else draws from it"


class Power(Struct, frozen=True):
    low: bool


class VoltageAlarm(Struct, frozen=True):
    """The last reported state of the alarm, and the number of reads without it since."""

    low: bool = False
    silent: int = 0

    def after_read(self, *, alarm: bool) -> VoltageAlarm:
        """Return the state after a read: low at once, clear after ``CLEAR_READS`` reads without the alarm."""
        return VoltageAlarm(low=True) if alarm else VoltageAlarm(self.low and self.silent + 1 < CLEAR_READS, self.silent + 1)


def alarm_of(system: Path) -> Path | None:
    """Return the alarm's file below ``system``, the sysfs mount; None if this machine has none."""
    for monitor in sorted((system / "class/hwmon").glob("hwmon*")):
        try:
            name = (monitor / "name").read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if name == _MONITOR and (monitor / _ALARM).is_file():
            return monitor / _ALARM
    return None


TOO_LOW: Final = fail("power", "the voltage is too low", full_stop(Phrase(REMEDY)))


def check_power(system: Path) -> Iterator[Finding]:
    alarm = alarm_of(system)
    if alarm is None:
        yield note("power", "this machine does not tell whether its voltage is too low")
        return
    try:
        low = _reads(alarm.read_bytes())
    except OSError as error:
        yield note("power", Phrase("{alarm} cannot be read: {why}", alarm=alarm, why=as_phrase(reason(error))))
        return
    yield (TOO_LOW if low else ok("power", "the voltage is right just now"))


@contextmanager
def watch_power(changed: Callable[[Power], object], system: Path | None = None, interval_s: float = READ_INTERVAL_S) -> Iterator[None]:
    """Within the block, call ``changed`` from a thread of its own each time the voltage drops too low or recovers.

    ``changed`` must only enqueue; it is not called if the voltage is fine from the start. ``system``: the sysfs mount; None: /sys. ``interval_s``: longest time
    between two reads.
    """
    alarm = alarm_of(SYSTEM if system is None else system)
    with nullcontext() if alarm is None else _in_thread("power", partial(_watch_voltage, alarm, changed, interval_s)):
        yield


@contextmanager
def _in_thread(name: str, watch: Callable[[int], None]) -> Iterator[None]:
    """Within the block, run ``watch`` in a thread of its own; the descriptor that it gets becomes readable when it is to end."""
    ended, end = os.pipe()
    thread = threading.Thread(target=watch, args=(ended,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.close(end)
        thread.join()
        os.close(ended)


def _watch_voltage(alarm: Path, changed: Callable[[Power], object], interval_s: float, ended: int) -> None:
    try:
        with alarm.open("rb", buffering=0) as file:
            waiting = select.poll()
            waiting.register(file, select.POLLPRI)
            waiting.register(ended, select.POLLIN)
            calm, going = VoltageAlarm(), True
            while going:
                file.seek(0)
                before, calm = calm, calm.after_read(alarm=_reads(file.read()))
                if calm.low is not before.low:
                    if calm.low:
                        get_logger().error("the supply voltage is too low")
                    else:
                        get_logger().info("the supply voltage is right again")
                    changed(Power(calm.low))
                # Sleep until the kernel wakes us or the block ends.
                going = all(descriptor != ended for descriptor, _ in waiting.poll(interval_s * 1000))
    except OSError as error:
        get_logger().warning("power is no longer watched", alarm=str(alarm), why=error.strerror)


def _reads(content: bytes) -> bool:
    return content.strip() not in (b"", b"0")


BATTERY_INTERVAL_S: Final = 30
LOW_PERCENT: Final = 25
"""From there on a battery that gives power is to be changed: there is time for it between two turns, and the game survives it."""
BATTERY_REMEDY: Final = "Plug the clock in, or change the battery: a game is kept"


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
    yield fail("battery", found, full_stop(Phrase(BATTERY_REMEDY))) if battery.low else ok("battery", found)


@contextmanager
def watch_battery(changed: Callable[[Battery], object], system: Path = SYSTEM, interval_s: float = BATTERY_INTERVAL_S) -> Iterator[None]:
    """Within the block, call ``changed`` from a thread of its own with the first reading and each other one. It must only enqueue.

    A machine without a battery at the start is not watched. ``system``: the sysfs mount.
    """
    first = battery_of(system)
    with nullcontext() if first is None else _in_thread("battery", partial(_watch_battery, first, changed, system, interval_s)):
        yield


def _watch_battery(battery: Battery, changed: Callable[[Battery], object], system: Path, interval_s: float, ended: int) -> None:
    known = None
    while True:
        if battery != known:
            get_logger().info("the battery's charge has changed", percent=battery.percent, discharging=battery.discharging)
            changed(battery)
            known = battery
        if select.select([ended], [], [], interval_s)[0]:
            return
        # While it is changed, the last reading stands.
        battery = battery_of(system) or battery
