"""Runs inside the emulated machine: touch panels that report nonsense, made by uinput, until it is ended. It is ready once a program has opened them and they have reported all.

``odd_touch.py PID``: waits for that process.
"""

import fcntl
import os
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Final

_SYN, _KEY, _ABS = 0, 1, 3
_SLOT, _X, _Y, _TRACKING = 0x2F, 0x35, 0x36, 0x39
_TOUCH: Final = 0x14A
_DIRECT: Final = 1
_CREATE, _SETUP, _ABS_SETUP = 0x5501, 0x405C5503, 0x401C5504
_EVBIT, _KEYBIT, _ABSBIT, _PROPBIT = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
"""linux/input-event-codes.h and linux/uinput.h."""
SLOTS: Final = 10
OPENED: Final = 2
"""So often a program has a device open: by SDL, and by what it sleeps on."""
OUTSIDE: Final = ((-300, 500), (500, 70_000), (2**31 - 1, -(2**31)), (100_000, 100_000))
PLACES: Final = {0: ((0, 0), *OUTSIDE), 1023: OUTSIDE}
"""By the largest value that a panel says it reports: of one that is 0 units wide and high no share can be told."""


def panel(largest: int) -> int:
    """Make a panel with ten slots; return what it is written to by."""
    device = os.open("/dev/uinput", os.O_WRONLY)
    for request, bits in (
        (_EVBIT, (_KEY, _ABS)),
        (_KEYBIT, (_TOUCH,)),
        (_ABSBIT, (0, 1, _SLOT, _X, _Y, _TRACKING)),
        (_PROPBIT, (_DIRECT,)),
    ):
        for bit in bits:
            fcntl.ioctl(device, request, bit)
    for axis, most in ((0, largest), (1, largest), (_SLOT, SLOTS - 1), (_X, largest), (_Y, largest), (_TRACKING, 65535)):
        fcntl.ioctl(device, _ABS_SETUP, struct.pack("=H2x6i", axis, 0, 0, most, 0, 0, 0))
    fcntl.ioctl(device, _SETUP, struct.pack("=4H80sI", 3, 1, 1, 1, f"odd touch {largest}".encode(), 0))
    fcntl.ioctl(device, _CREATE)
    return device


def say(device: int, *events: tuple[int, int, int]) -> None:
    for kind, code, value in (*events, (_SYN, 0, 0)):
        os.write(device, struct.pack("=qqHHi", 0, 0, kind, code, value))


def nonsense(device: int, places: tuple[tuple[int, int], ...]) -> None:
    """Put fingers down at impossible places, lift some that were never down, and never lift the last ones."""
    for number, (x, y) in enumerate(places):
        say(device, (_ABS, _SLOT, 0), (_ABS, _TRACKING, number), (_ABS, _X, x), (_ABS, _Y, y), (_KEY, _TOUCH, 1))
        say(device, (_ABS, _TRACKING, -1), (_KEY, _TOUCH, 0))
        say(device, (_ABS, _TRACKING, -1))
    for slot in range(SLOTS):
        x, y = places[slot % len(places)]
        say(device, (_ABS, _SLOT, slot), (_ABS, _TRACKING, 100 + slot), (_ABS, _X, x), (_ABS, _Y, y), (_KEY, _TOUCH, 1))


def nodes() -> set[str]:
    """Return the device files of these panels, as far as udev has made them."""
    names = Path("/sys/class/input").glob("event*/device/name")
    return {f"/dev/input/{name.parts[-3]}" for name in names if name.read_text().startswith("odd touch")}


def opened(pid: str) -> list[str]:
    return [str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir() if each.is_symlink()]


def main() -> None:
    panels = {panel(largest): places for largest, places in PLACES.items()}
    while len(there := nodes()) < len(panels) or any(opened(sys.argv[1]).count(each) < OPENED for each in there):
        time.sleep(0.2)
    for device, places in panels.items():
        nonsense(device, places)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
        notifications.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
    signal.pause()


if __name__ == "__main__":
    main()
