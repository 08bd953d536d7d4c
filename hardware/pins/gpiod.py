"""A gpiozero factory on libgpiod, the kernel's own library for its pins.

The kernel stamps each edge in its interrupt, by CLOCK_MONOTONIC, and numbers it: what a flood has lost is known. One thread sleeps until the kernel has an
edge.
"""

from __future__ import annotations

import errno
import os
import select
import threading
from dataclasses import replace
from typing import Any, Final

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.exc import PinFixedPull, PinInvalidBounce, PinInvalidEdges, PinInvalidFunction, PinInvalidPull, PinSetInput, PinUnknownPi
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.pins.contract import MonotonicTicks, Stamps
from hardware.pins.gpiochips import fits, is_pi, none_fits, numbers

BUFFER: Final = 1024
"""Edges that the kernel keeps for a pin until they are read: the most that it allows (drivers/gpio/gpiolib-cdev.c), its default is 16."""
_PULLS: Final = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES: Final = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}
_FUNCTIONS: Final = {"input": Direction.INPUT, "output": Direction.OUTPUT}
_PI_4B: Final = 0xC03114
"""Revision code of a Pi 4B: its 40-pin header is that of every Pi since the B+."""


class LibgpiodPin(LocalPiPin):  # type: ignore[misc] # gpiozero ships no types
    """A pin, requested from the kernel by itself; an input until it is told otherwise."""

    def __init__(self, factory: LibgpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._settings = gpiod.LineSettings(direction=Direction.INPUT)
        self._wanted_edges = Edge.BOTH
        self._last: int | None = None
        try:
            self.request = factory.chip.request_lines({self._number: self._settings}, consumer="tileclock", event_buffer_size=BUFFER)
        except OSError as why:
            raise _by_whom(why, factory.chip, self._number) from why

    def close(self) -> None:
        """Give the pin back to the kernel."""
        self.when_changed = None
        self.request.release()

    def tell(self, event: gpiod.EdgeEvent) -> None:
        """Hand an edge on, with its instant, in the reader's thread."""
        held = self._when_changed  # taken once: the main thread may close the pin between a look and a call
        handler = None if held is None else held()
        if handler is not None:
            handler(event.timestamp_ns, int(event.event_type is event.Type.RISING_EDGE))

    def missing(self, event: gpiod.EdgeEvent) -> int:
        """Return how many edges of this pin were lost before ``event``."""
        before, self._last = self._last, event.line_seqno
        return 0 if before is None else event.line_seqno - before - 1

    def _apply(self, **changes: Any) -> None:
        self._settings = replace(self._settings, **changes)
        self.request.reconfigure_lines({self._number: self._settings})

    def _get_function(self) -> str:
        return "output" if self._settings.direction is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value not in _FUNCTIONS:
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        self.when_changed = None
        self._apply(direction=_FUNCTIONS[value], bias=Bias.AS_IS, output_value=Value.INACTIVE)

    def _get_state(self) -> bool:
        return self.request.get_value(self._number) is Value.ACTIVE

    def _set_state(self, value: Any) -> None:
        if self.function == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self.request.set_value(self._number, Value.ACTIVE if value else Value.INACTIVE)

    def _get_pull(self) -> str:
        return next((name for name, bias in _PULLS.items() if bias is self._settings.bias), "floating")

    def _set_pull(self, value: str) -> None:
        if self.function != "input" or self.info.pull not in (value, ""):
            raise PinFixedPull(f"cannot set the pull of pin {self!r}")
        if value not in _PULLS:
            raise PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")
        self._apply(bias=_PULLS[value])

    def _get_bounce(self) -> None:
        """Nothing is filtered here: the kernel's own debounce drops short presses."""

    def _set_bounce(self, value: float | None) -> None:
        if value is not None:
            raise PinInvalidBounce(f"pin {self!r} has no debounce, only None")

    def _get_edges(self) -> str:
        return next(name for name, edge in _EDGES.items() if edge is self._wanted_edges)

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise PinInvalidEdges(f"invalid edges {value!r} for pin {self!r}")
        handler, self.when_changed = self.when_changed, None
        self._wanted_edges = _EDGES[value]
        self.when_changed = handler

    def _enable_event_detect(self) -> None:
        self._last = None
        self._apply(edge_detection=self._wanted_edges)
        self.factory.reader.watch(self)

    def _disable_event_detect(self) -> None:
        self.factory.reader.forget(self)
        self._apply(edge_detection=Edge.NONE)


class Reader(threading.Thread):
    """Sleeps until a pin has edges, and hands them on in the order in which they were."""

    def __init__(self) -> None:
        super().__init__(name="gpiod edges", daemon=True)
        self.lost = 0
        self._telling = False
        """Whether edges may have been read that are not told yet."""
        self._pins: dict[int, LibgpiodPin] = {}
        self._using = threading.Lock()
        """Held while a pin's edges are read: a pin is forgotten before that or after."""
        self._poll = select.epoll()
        self._end = os.eventfd(0)
        self._poll.register(self._end, select.EPOLLIN)

    def run(self) -> None:
        """Read until the end."""
        while True:
            came: list[tuple[LibgpiodPin, gpiod.EdgeEvent]] = []
            ready = [fd for fd, _ in self._poll.poll()]
            self._telling = True
            # While one pin is read, an earlier edge of another may come: all that is there is read before any of it is told, but not for ever.
            while ready and len(came) < BUFFER:
                if self._end in ready:
                    return
                came += [each for fd in ready for each in self._read(fd)]
                ready = [fd for fd, _ in self._poll.poll(0)]
            for pin, event in sorted(came, key=lambda each: each[1].timestamp_ns):
                pin.tell(event)
            self._telling = False

    def behind(self) -> bool:
        """Tell whether edges lie unread, or are being told."""
        with self._using:
            unread = any(pin.request.wait_edge_events(0) for pin in self._pins.values())
        # Asked second: whoever reads has said before that he is about to tell.
        return unread or self._telling

    def watch(self, pin: LibgpiodPin) -> None:
        """Read this pin's edges from now on."""
        with self._using:
            self._pins[pin.request.fd] = pin
            self._poll.register(pin.request.fd, select.EPOLLIN)

    def forget(self, pin: LibgpiodPin) -> None:
        """Read no more of this pin's edges."""
        with self._using:
            del self._pins[pin.request.fd]
            self._poll.unregister(pin.request.fd)

    def stop(self) -> None:
        """End the thread, and wait for it."""
        os.eventfd_write(self._end, 1)
        self.join()
        self._poll.close()
        os.close(self._end)

    def _read(self, fd: int) -> list[tuple[LibgpiodPin, gpiod.EdgeEvent]]:
        with self._using:
            pin = self._pins.get(fd)
            # Where edges were there and the pin was set up anew since, there may be none left, and to read is to wait for ever.
            if pin is None or not pin.request.wait_edge_events(0):
                return []
            events = pin.request.read_edge_events()
        self.lost += sum(pin.missing(event) for event in events)
        return [(pin, event) for event in events]


class LibgpiodFactory(MonotonicTicks, LocalPiFactory):  # type: ignore[misc] # gpiozero ships no types
    """Pins by libgpiod; ticks are ns of CLOCK_MONOTONIC, taken by the kernel.

    Args:
        chip: the label of a chip, which is then taken for a 40-pin header even off a Pi; None finds the header's chip.

    Raises:
        PinUnknownPi: not a Raspberry Pi, and no chip was named.
        OSError: the chip is not there or cannot be opened.
    """

    stamps: Stamps = "kernel"
    library = "gpiod"
    failures: tuple[type[Exception], ...] = (OSError,)

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
        """How many edges the kernel numbered and could not keep until they were read."""
        return self.reader.lost

    @property
    def behind(self) -> bool:
        """Whether edges lie unread, or are being told."""
        return self.reader.behind()

    def close(self) -> None:
        """Give every pin back; harmless when done twice."""
        super().close()
        if not self._closed:
            self._closed = True
            self.reader.stop()
            self.chip.close()

    def _get_revision(self) -> int:
        try:
            return int(super()._get_revision())
        except PinUnknownPi:
            # A chip that is named is taken for a 40-pin header, even where this is no Pi (the kernel's gpio-sim). A Pi's revision comes from its firmware alone.
            if self._wanted is None and not is_pi():
                raise
            return _PI_4B


def _by_whom(why: OSError, chip: gpiod.Chip, line: int) -> OSError:
    """Return the error, where something else holds the line with who it is: an overlay's driver has a name too."""
    if why.errno != errno.EBUSY:
        return why
    return OSError(why.errno, f"{why.strerror}, held by {chip.get_line_info(line).consumer or 'the kernel'}")


def _open_chip(wanted: str | None) -> gpiod.Chip:
    labels = []
    for number in numbers():
        chip = gpiod.Chip(f"/dev/gpiochip{number}")
        label = chip.get_info().label
        if fits(label, wanted):
            return chip
        chip.close()
        labels.append(label)
    raise OSError(none_fits(labels, wanted))
