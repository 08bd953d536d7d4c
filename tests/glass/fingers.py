"""Fingers on the glass and keys on the keyboard, as QEMU's monitor takes them."""

import time
from collections.abc import Sequence
from typing import Any, Final

from tests.glass.panels import Panel
from tests.machine.monitor import Monitor

FULL: Final = 32767
"""What QEMU counts a panel's width and height as."""
MAX: Final = 5
"""The fingers that are distinguished at once, each in a slot of its own."""
HELD_S: Final = 0.15
"""How long a tap or a key is held: players do not hold longer, and an emulated machine that is slow sees down and up one after the other all the same."""


class Fingers:
    """Fingers on a panel. Places are pixels as players see them, however the panel is mounted."""

    def __init__(self, monitor: Monitor, panel: Panel) -> None:
        self._monitor, self._panel = monitor, panel
        self._tracked = 0
        self._down: dict[int, int] = {}

    def down(self, finger: int, x: int, y: int) -> None:
        assert finger not in self._down, f"finger {finger} is down"
        assert 0 <= finger < MAX, f"there are {MAX} fingers"
        self._tracked += 1
        self._down[finger] = self._tracked
        self._send(finger, "begin", x, y)

    def move(self, finger: int, x: int, y: int) -> None:
        self._send(finger, "update", x, y)

    def up(self, finger: int) -> None:
        del self._down[finger]
        # Without this number the kernel hears of no end, and SDL of no finger that was lifted.
        self._events({"type": "end", "slot": finger, "tracking-id": -1})

    def tap(self, x: int, y: int, finger: int = 0) -> None:
        self.down(finger, x, y)
        time.sleep(HELD_S)
        self.up(finger)

    def report(self, finger: int, x: int, y: int) -> None:
        """Have the panel's controller report a tap at a place of its own counting, which need not be on the panel."""
        self._tracked += 1
        touch = {"slot": finger, "tracking-id": self._tracked}
        places = [{"type": "data", **touch, "axis": axis, "value": value} for axis, value in (("x", x), ("y", y))]
        self._events({"type": "begin", **touch}, *places)
        time.sleep(HELD_S)
        self._events({"type": "end", "slot": finger, "tracking-id": -1})

    def _send(self, finger: int, kind: str, x: int, y: int) -> None:
        touch = {"slot": finger, "tracking-id": self._down[finger]}
        place = [
            {"type": "data", **touch, "axis": axis, "value": (2 * pixel + 1) * FULL // (2 * length)}
            for axis, pixel, length in zip("xy", self._panel.pixel(x, y), self._panel.size, strict=True)
        ]
        # In one call: each ends with a report of its own, and a finger that is down without a place would be at the one before it.
        self._events({"type": kind, **touch}, *place)

    def _events(self, *data: dict[str, Any]) -> None:
        events = [{"type": "mtt", "data": {"axis": "x", "value": 0, **each}} for each in data]
        self._monitor.execute("input-send-event", events=events)


class Keys:
    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor

    def press(self, *names: str) -> None:
        """Press keys together for a moment, by QEMU's names (QKeyCode): ``a``, ``ret``, ``ctrl``, ``alt``, ``f2``, ``delete``."""
        self._send(names, down=True)
        time.sleep(HELD_S)
        self._send(names[::-1], down=False)

    def _send(self, names: Sequence[str], *, down: bool) -> None:
        # Not ``send-key``: that one returns at once, and has the keys come one after the other by the machine's own clock.
        keys = [{"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": name}}} for name in names]
        self._monitor.execute("input-send-event", events=keys)

    def down(self, name: str) -> None:
        self._send([name], down=True)

    def up(self, name: str) -> None:
        self._send([name], down=False)

    def type(self, text: str) -> None:
        for letter in text:
            self.press(letter)
