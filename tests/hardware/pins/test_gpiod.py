"""The libgpiod pins without a chip: what asks the kernel is replaced, what the kernel would say comes through a descriptor that can be slept on.

From there on all is real: the reader's thread, its order and its counting, gpiozero's pin, our contact. With a kernel's own chip: ``tests/kernel``.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.exc import PinUnknownPi

from appliance.errors import PinUnavailable
from hardware.boards.board import load_board
from hardware.buttons import reader as edges
from hardware.buttons.board_pins import Lamps
from hardware.buttons.reader import ButtonPins
from hardware.pins import gpiod as gpiod_pins
from hardware.pins.contract import PinFactory
from hardware.pins.opening import open_factory
from tests.errors import with_fields
from tests.processes import until

UPTIME = 120 * 86400 * 1_000_000_000 + 1
LABEL = "simulated"


class Request:
    """A line that was requested; stands in for the kernel's."""

    def __init__(self, settings: gpiod.LineSettings) -> None:
        self.settings = settings
        self.high = True
        self.fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.unread: list[SimpleNamespace] = []

    def reconfigure_lines(self, config: Mapping[int, gpiod.LineSettings]) -> None:
        (self.settings,) = config.values()

    def get_value(self, _line: int) -> Value:
        return Value.ACTIVE if self.high else Value.INACTIVE

    def set_value(self, _line: int, value: Value) -> None:
        self.high = value is Value.ACTIVE

    def wait_edge_events(self, _timeout: float) -> bool:
        return bool(self.unread)

    def read_edge_events(self) -> list[SimpleNamespace]:
        os.eventfd_read(self.fd)
        read, self.unread = self.unread, []
        return read

    def release(self) -> None:
        """Like the real one harmless when done twice: a lamp gives its pin back, and so does its factory."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


class Chip:
    """Stands in for a gpiochip of the kernel."""

    labels: tuple[str, ...] = ("another", LABEL)

    def __init__(self, path: str) -> None:
        self._label = self.labels[int(path.removeprefix("/dev/gpiochip"))]
        self.requests: dict[int, Request] = {}
        self.busy: set[int] = set()

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label=self._label)

    def request_lines(self, config: Mapping[int, gpiod.LineSettings], *, consumer: str, event_buffer_size: int) -> Request:
        assert (consumer, event_buffer_size) == ("tileclock", gpiod_pins.BUFFER)
        ((line, settings),) = config.items()
        if line in self.busy:
            raise OSError(16, "Device or resource busy")
        self.requests[line] = Request(settings)
        return self.requests[line]

    def get_line_info(self, line: int) -> SimpleNamespace:
        return SimpleNamespace(consumer="onewire@0" if line in self.busy else "")

    def close(self) -> None:
        pass

    def say(self, *events: tuple[int, int, int, int]) -> None:
        """Have the kernel say edges: line, instant (ns), level, and the number of this line's edge."""
        for line, at, level, number in events:
            kind = gpiod.EdgeEvent.Type.RISING_EDGE if level else gpiod.EdgeEvent.Type.FALLING_EDGE
            event = SimpleNamespace(timestamp_ns=at, event_type=kind, Type=gpiod.EdgeEvent.Type, line_seqno=number)
            self.requests[line].unread.append(event)
        for line in {line for line, *_ in events}:
            os.eventfd_write(self.requests[line].fd, 1)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(gpiod_pins, "numbers", lambda: [0, 1])
    monkeypatch.setattr(gpiod, "Chip", Chip)
    opened = open_factory("gpiod", chip=LABEL)
    yield opened
    opened.close()


@pytest.fixture
def heard() -> queue.SimpleQueue[edges.Edge]:
    return queue.SimpleQueue()


@pytest.fixture
def pins(factory: PinFactory, heard: queue.SimpleQueue[edges.Edge]) -> Iterator[ButtonPins]:
    pins = ButtonPins(load_board("two-button"), factory, heard.put)
    yield pins
    pins.close()


def came(heard: queue.SimpleQueue[edges.Edge], number: int) -> list[edges.Edge]:
    return [heard.get(timeout=10) for _ in range(number)]


@pytest.mark.usefixtures("pins")
def test_the_buttons_are_inputs_with_the_pull_up_and_both_edges(factory: Any) -> None:
    settings = {line: each.settings for line, each in factory.chip.requests.items()}
    assert {line: (each.direction, each.bias, each.edge_detection) for line, each in settings.items()} == dict.fromkeys(
        (5, 6), (Direction.INPUT, Bias.PULL_UP, Edge.BOTH)
    )


@pytest.mark.usefixtures("pins")
def test_edges_of_two_pins_come_in_the_order_of_their_instants_to_the_nanosecond(
    factory: Any, heard: queue.SimpleQueue[edges.Edge]
) -> None:
    with factory.reader._using:  # all of them are there before the first is read
        factory.chip.say((6, UPTIME + 1, 0, 1), (5, UPTIME, 0, 1), (5, UPTIME + 2, 1, 2))
    assert came(heard, 3) == [
        edges.Edge("left", down=True, at=UPTIME, stamped=True),
        edges.Edge("right", down=True, at=UPTIME + 1, stamped=True),
        edges.Edge("left", down=False, at=UPTIME + 2, stamped=True),
    ]


def test_edges_that_the_kernel_numbered_and_could_not_keep_are_counted(
    factory: Any, pins: ButtonPins, heard: queue.SimpleQueue[edges.Edge]
) -> None:
    factory.chip.say((5, UPTIME, 0, 1), (5, UPTIME + 1, 1, 40))
    came(heard, 2)
    assert pins.lost == 38
    factory.chip.say((5, UPTIME + 2, 0, 41), (6, UPTIME + 3, 0, 1))
    came(heard, 2)
    assert pins.lost == 38


def test_a_pin_that_is_closed_is_heard_no_more_and_the_others_are(
    factory: Any, pins: ButtonPins, heard: queue.SimpleQueue[edges.Edge]
) -> None:
    pins._pins["left"].when_changed = None
    factory.chip.say((5, UPTIME, 0, 1), (6, UPTIME + 1, 0, 1))
    assert [edge.button for edge in came(heard, 1)] == ["right"]
    assert heard.empty()


def test_the_library_is_behind_from_the_kernels_word_until_the_edge_is_told(factory: Any) -> None:
    told, go_on = threading.Event(), threading.Event()

    def slow(_edge: edges.Edge) -> None:
        told.set()
        go_on.wait(10)

    pins = ButtonPins(load_board("two-button"), factory, slow)
    before = factory.behind
    factory.chip.say((5, UPTIME, 0, 1))
    said = factory.behind
    assert told.wait(10)
    assert (before, said, factory.behind) == (False, True, True)
    go_on.set()
    pins.close()
    until(lambda: not factory.behind)


def test_a_level_is_the_lines_own(factory: Any, pins: ButtonPins) -> None:
    factory.chip.requests[6].high = False
    assert pins.levels() == {"right"}


def test_a_lamp_is_an_output_that_is_dark_at_first(factory: Any) -> None:
    lamps = Lamps(load_board("full"), factory)
    outputs = [each for each in factory.chip.requests.values() if each.settings.direction is Direction.OUTPUT]
    assert len(outputs) == 2
    lamps.light(frozenset({"left"}))
    assert sorted(each.high for each in outputs) == [False, True]
    lamps.close()


def test_a_pin_that_is_busy_is_named_with_who_holds_it(factory: Any) -> None:
    factory.chip.busy.add(6)
    with pytest.raises(
        PinUnavailable, check=with_fields(expected="GPIO6 (header pin 31) for buttons.right", found=re.compile("busy, .*onewire@0"))
    ):
        ButtonPins(load_board("two-button"), factory, lambda _edge: None)


def test_a_pin_that_a_bus_of_the_pi_can_take_says_that_it_can_be_turned_off(factory: Any) -> None:
    factory.chip.busy.add(4)
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO4 (header pin 7) for buttons.centre", remedy=re.compile("1-Wire"))):
        ButtonPins(load_board("full"), factory, lambda _edge: None)


def test_a_chip_that_is_named_is_taken_for_a_40_pin_header_off_a_pi(factory: PinFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> int:
        raise PinUnknownPi("not here")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown)
    assert factory.stamps == "kernel"
    assert factory.pin("GPIO27").info.name == "GPIO27"


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        (("pinctrl-bcm2835", "raspberrypi-exp-gpio"), 0),
        (("gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520", "raspberrypi-exp-gpio", "pinctrl-rp1"), 3),
        (("pinctrl-rp1", "gpio-brcmstb@107d508500"), 0),
    ],
    ids=["up to a Pi 4", "Pi 5, older kernel", "Pi 5, newer kernel"],
)
def test_the_headers_chip_is_found_by_its_label_whatever_its_number(
    monkeypatch: pytest.MonkeyPatch, labels: tuple[str, ...], number: int
) -> None:
    monkeypatch.setattr(gpiod_pins, "numbers", lambda: list(range(len(labels))))
    monkeypatch.setattr(gpiod, "Chip", Chip)
    monkeypatch.setattr(Chip, "labels", labels)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC04170)
    with contextlib.closing(open_factory("gpiod")) as factory:
        chosen: Any = factory
        assert chosen.chip.get_info().label == labels[number]


def test_a_pi_whose_revision_the_kernel_does_not_know_has_a_40_pin_header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unknown() -> int:
        raise PinUnknownPi("not here")

    (tmp_path / "model").write_bytes(b"Raspberry Pi 3 Model B\0")
    monkeypatch.setattr("hardware.pins.gpiod.MODEL", tmp_path / "model")
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown)
    monkeypatch.setattr(gpiod_pins, "numbers", lambda: [0])
    monkeypatch.setattr(gpiod, "Chip", Chip)
    monkeypatch.setattr(Chip, "labels", ("pinctrl-bcm2835",))
    with contextlib.closing(open_factory("gpiod")) as factory:
        assert factory.pin("GPIO27").info.name == "GPIO27"


def test_no_chip_of_that_label_names_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiod_pins, "numbers", lambda: [0, 1])
    monkeypatch.setattr(gpiod, "Chip", Chip)
    with pytest.raises(PinUnavailable, check=with_fields(found=re.compile("nothing, only another, simulated"))):
        open_factory("gpiod", chip="nothing")
