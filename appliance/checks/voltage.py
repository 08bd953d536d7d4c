"""Too little voltage, as the firmware of a Raspberry Pi reports it: a weak supply or a thin cable, which spoils cards and stops clocks.

Linux has it from the firmware every 2 s and shows it as the alarm of a hardware monitor named ``rpi_volt`` (kernel.org, hwmon/raspberrypi-hwmon). Who sleeps on
the file is woken when it changes (sysfs_notify), so nothing is asked in between but now and then, and nothing at all on a machine without it.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from appliance.checks.finding import Finding, fail, note, ok
from appliance.log import get_logger

SYSTEM: Final = Path("/sys")
_MONITOR: Final = "rpi_volt"
_ALARM: Final = "in0_lcrit_alarm"
LOOK_S: Final = 10
"""So often at the least: a kernel that wakes nobody is asked."""
CALM_LOOKS: Final = 6
"""So many looks in a row without the alarm, about a minute, and it is over: it comes and goes with the load, and each change is a row in the journal."""
REMEDY: Final = "use the supply made for this model (5.1 V, 2.5 to 5 A) with its own short cable, and take off what else draws from it"


@dataclass(frozen=True, slots=True)
class Power:
    """What has become of the voltage."""

    low: bool


@dataclass(frozen=True, slots=True)
class Calm:
    """What was last told of the alarm, and for how many looks it has been silent since."""

    low: bool = False
    silent: int = 0

    def looked(self, *, alarm: bool) -> Calm:
        """Return what it is after a look: low at once, and no longer low once the alarm has been silent for ``CALM_LOOKS``."""
        if alarm:
            return Calm(low=True)
        return Calm(self.low and self.silent + 1 < CALM_LOOKS, self.silent + 1)


def alarm_of(system: Path) -> Path | None:
    """Return the alarm's file below ``system``, where sysfs is mounted; None: this machine has none."""
    for monitor in sorted((system / "class/hwmon").glob("hwmon*")):
        try:
            named = (monitor / "name").read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if named == _MONITOR and (monitor / _ALARM).is_file():
            return monitor / _ALARM
    return None


def check_power(system: Path) -> Iterator[Finding]:
    """Yield what the firmware says of the voltage."""
    alarm = alarm_of(system)
    if alarm is None:
        yield note("power", "this machine does not tell whether its voltage is too low")
        return
    try:
        low = _reads(alarm.read_bytes())
    except OSError as error:
        yield note("power", f"{alarm} cannot be read: {error.strerror}")
        return
    yield (
        fail("power", "the voltage is too low", f"{REMEDY[0].upper()}{REMEDY[1:]}.")
        if low
        else ok("power", "the voltage is right just now")
    )


@contextmanager
def watched(changed: Callable[[Power], object], system: Path | None = None, look_s: float = LOOK_S) -> Iterator[None]:
    """Tell ``changed``, in a thread of its own, each time the voltage falls too low or is right again, as long as this lasts.

    Args:
        changed: told of each change; it only enqueues. What is right from the start is not told.
        system: where sysfs is mounted; None: /sys.
        look_s: so often at the least the alarm is read, in s.
    """
    alarm = alarm_of(SYSTEM if system is None else system)
    if alarm is None:
        yield
        return
    ended, end = os.pipe()
    thread = threading.Thread(target=_watch, args=(alarm, changed, ended, look_s), name="power", daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.close(end)
        thread.join()
        os.close(ended)


def _watch(alarm: Path, changed: Callable[[Power], object], ended: int, look_s: float) -> None:
    try:
        with alarm.open("rb", buffering=0) as file:
            waiting = select.poll()
            waiting.register(file, select.POLLPRI)
            waiting.register(ended, select.POLLIN)
            calm, going = Calm(), True
            while going:
                file.seek(0)
                before, calm = calm, calm.looked(alarm=_reads(file.read()))
                if calm.low is not before.low:
                    (get_logger().error if calm.low else get_logger().info)("power", low=calm.low)
                    changed(Power(calm.low))
                # Asleep until the kernel or the end wakes it; a pipe whose other end is closed hangs up.
                going = all(descriptor != ended for descriptor, _ in waiting.poll(look_s * 1000))
    except OSError as error:
        get_logger().warning("power is not watched any more", alarm=str(alarm), why=error.strerror)


def _reads(content: bytes) -> bool:
    return content.strip() not in (b"", b"0")
