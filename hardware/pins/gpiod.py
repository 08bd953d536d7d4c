"""A gpiozero factory on libgpiod, the kernel's own GPIO library.

The kernel stamps each edge in its interrupt, in CLOCK_MONOTONIC, and numbers it, so losses in a flood are known. One thread sleeps until there is an edge. The
gpiochip of the header is found by its label, never by its number, which differs between kernels.
"""

from __future__ import annotations

import dataclasses
import errno
import os
import select
import threading
from pathlib import Path
from typing import Any, Final

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.exc import GPIOZeroError, PinUnknownPi
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.pins.contract import MonotonicTicks, Stamps

MODEL: Final = Path("/proc/device-tree/model")
HEADER: Final = ("pinctrl-bcm", "pinctrl-rp1")
"""Label prefixes of the header's chip: the processor up to the Pi 4, the RP1 on a Pi 5."""


def numbers() -> list[int]:
    return sorted(int(node.name.removeprefix("gpiochip")) for node in Path("/dev").glob("gpiochip[0-9]*"))


def matches(label: str, wanted: str | None) -> bool:
    """Return whether ``label`` is the ``wanted`` one or, if that is None, the label of a Pi's header chip."""
    return label == wanted if wanted is not None else label.startswith(HEADER)


BUFFER: Final = 1024
"""The kernel's buffer of unread edges per pin: the maximum (drivers/gpio/gpiolib-cdev.c); the default is 16."""
_PULLS: Final = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES: Final = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}
_FUNCTIONS: Final = {"input": Direction.INPUT, "output": Direction.OUTPUT}
_PI_4B: Final = 0xC03114
"""Revision code of a Pi 4B, whose 40-pin header is that of every Pi since the B+."""


class LibgpiodPin(LocalPiPin):  # type: ignore[misc] # gpiozero ships no types
    def __init__(self, factory: LibgpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._settings = gpiod.LineSettings(direction=Direction.INPUT)
        self._wanted_edges = Edge.BOTH
        self._last: int | None = None
        try:
            self.request = factory.chip.request_lines({self._number: self._settings}, consumer="tileclock", event_buffer_size=BUFFER)
        except OSError as why:
            raise _with_holder(why, factory.chip, self._number) from why

    def close(self) -> None:
        self.when_changed = None
        self.request.release()

    def dispatch(self, event: gpiod.EdgeEvent) -> None:
        held = self._when_changed  # read once: the main thread may close the pin between test and call
        handler = None if held is None else held()
        if handler is not None:
            handler(event.timestamp_ns, int(event.event_type is event.Type.RISING_EDGE))

    def lost_before(self, event: gpiod.EdgeEvent) -> int:
        before, self._last = self._last, event.line_seqno
        return 0 if before is None else event.line_seqno - before - 1

    def _apply(self, **changes: Any) -> None:
        self._settings = dataclasses.replace(self._settings, **changes)
        self.request.reconfigure_lines({self._number: self._settings})

    def _get_function(self) -> str:
        return "output" if self._settings.direction is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        self.when_changed = None
        self._apply(direction=_FUNCTIONS[value], bias=Bias.AS_IS, output_value=Value.INACTIVE)

    def _get_state(self) -> bool:
        return self.request.get_value(self._number) is Value.ACTIVE

    def _set_state(self, value: Any) -> None:
        self.request.set_value(self._number, Value.ACTIVE if value else Value.INACTIVE)

    def _get_pull(self) -> str:
        return next((name for name, bias in _PULLS.items() if bias is self._settings.bias), "floating")

    def _set_pull(self, value: str) -> None:
        self._apply(bias=_PULLS[value])

    def _get_bounce(self) -> None:
        """Return None: no debounce, since the kernel's drops short presses."""

    def _set_bounce(self, value: None) -> None:
        """Do nothing."""

    def _get_edges(self) -> str:
        return next(name for name, edge in _EDGES.items() if edge is self._wanted_edges)

    def _set_edges(self, value: str) -> None:
        handler, self.when_changed = self.when_changed, None
        self._wanted_edges = _EDGES[value]
        self.when_changed = handler

    def _enable_event_detect(self) -> None:
        self._last = None
        self._apply(edge_detection=self._wanted_edges)
        self.factory.reader.watch(self)

    def _disable_event_detect(self) -> None:
        self.factory.reader.unwatch(self)
        self._apply(edge_detection=Edge.NONE)


class Reader(threading.Thread):
    """Sleeps until a pin has edges and dispatches them in the order of their instants."""

    def __init__(self) -> None:
        super().__init__(name="gpiod edges", daemon=True)
        self.lost = 0
        self._dispatching = False
        """Whether edges may have been read and not yet dispatched."""
        self._pins: dict[int, LibgpiodPin] = {}
        self._using = threading.Lock()
        """Held while a pin's edges are read, so that ``unwatch`` happens before or after."""
        self._poll = select.epoll()
        self._end = os.eventfd(0)
        self._poll.register(self._end, select.EPOLLIN)

    def run(self) -> None:
        while True:
            batch: list[tuple[LibgpiodPin, gpiod.EdgeEvent]] = []
            ready = [fd for fd, _ in self._poll.poll()]
            self._dispatching = True
            # While one pin is read, an earlier edge of another may arrive: read everything before dispatching, up to a limit.
            while ready and len(batch) < BUFFER:
                if self._end in ready:
                    return
                batch += [each for fd in ready for each in self._read(fd)]
                ready = [fd for fd, _ in self._poll.poll(0)]
            for pin, event in sorted(batch, key=lambda each: each[1].timestamp_ns):
                pin.dispatch(event)
            self._dispatching = False

    def behind(self) -> bool:
        with self._using:
            unread = any(pin.request.wait_edge_events(0) for pin in self._pins.values())
        # Check this second: the reader sets it before it reads.
        return unread or self._dispatching

    def watch(self, pin: LibgpiodPin) -> None:
        with self._using:
            self._pins[pin.request.fd] = pin
            self._poll.register(pin.request.fd, select.EPOLLIN)

    def unwatch(self, pin: LibgpiodPin) -> None:
        with self._using:
            del self._pins[pin.request.fd]
            self._poll.unregister(pin.request.fd)

    def stop(self) -> None:
        os.eventfd_write(self._end, 1)
        self.join()
        self._poll.close()
        os.close(self._end)

    def _read(self, fd: int) -> list[tuple[LibgpiodPin, gpiod.EdgeEvent]]:
        with self._using:
            pin = self._pins.get(fd)
            # If the pin was reconfigured since the poll, no edge may be left, and a read would block for ever.
            if pin is None or not pin.request.wait_edge_events(0):
                return []
            events = pin.request.read_edge_events()
        self.lost += sum(pin.lost_before(event) for event in events)
        return [(pin, event) for event in events]


class LibgpiodFactory(MonotonicTicks, LocalPiFactory):  # type: ignore[misc] # gpiozero ships no types
    """libgpiod pins; ticks are ns of CLOCK_MONOTONIC, taken by the kernel.

    ``chip`` is the label of a chip to use as a 40-pin header, also off a Pi; None finds the header's. Raises PinUnknownPi: not a Raspberry Pi, and
    no chip was named; OSError: the chip is missing or cannot be opened.
    """

    stamps: Stamps = "kernel"
    library = "gpiod"
    failures: tuple[type[Exception], ...] = (GPIOZeroError, OSError)

    def __init__(self, *, chip: str | None = None) -> None:
        super().__init__()
        self._wanted = chip
        self._get_revision()
        self.chip = _open_chip(chip)
        self.reader = Reader()
        self.reader.start()
        self._closed = False
        self.pin_class = LibgpiodPin

    @property
    def lost(self) -> int:
        return self.reader.lost

    @property
    def behind(self) -> bool:
        return self.reader.behind()

    def close(self) -> None:
        super().close()
        if not self._closed:
            self._closed = True
            self.reader.stop()
            self.chip.close()

    def _get_revision(self) -> int:
        try:
            return int(super()._get_revision())
        except PinUnknownPi:
            # Treat a named chip as a 40-pin header, also off a Pi (the kernel's gpio-sim). Only a Pi's firmware provides the revision.
            if self._wanted is None and not (MODEL.exists() and MODEL.read_bytes().startswith(b"Raspberry Pi")):
                raise
            return _PI_4B


def _with_holder(why: OSError, chip: gpiod.Chip, line: int) -> OSError:
    """Return the error, for a busy line with the name of its holder; overlay drivers have names too."""
    if why.errno != errno.EBUSY:
        return why
    return OSError(why.errno, f"{why.strerror}, held by {chip.get_line_info(line).consumer or 'the kernel'}")


def _open_chip(wanted: str | None) -> gpiod.Chip:
    labels = []
    for number in numbers():
        chip = gpiod.Chip(f"/dev/gpiochip{number}")
        label = chip.get_info().label
        if matches(label, wanted):
            return chip
        chip.close()
        labels.append(label)
    expected = wanted if wanted is not None else f"{' or '.join(HEADER)}..."
    raise OSError(f"no gpiochip is labelled {expected}, only {', '.join(labels) or 'none at all'}")
