"""The lgpio pins without a chip: what asks the kernel is replaced, what the kernel would say is written into lgpio's own FIFO.

From there on all is real: lgpio's thread, its messages, gpiozero's pin, our contact.
"""

from __future__ import annotations

import queue
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from gpiozero.exc import PinUnknownPi

from appliance.errors import PinUnavailable
from hardware.boards.board import load_board
from hardware.buttons.edge import Edge
from hardware.buttons.reader import ButtonPins
from hardware.pins.factories import PinFactory, open_factory

UPTIME = 120 * 86400 * 1_000_000_000 + 1
"""Four months: as a float of seconds, two stamps a ns apart would be one."""
CHIP, LABEL = 3, "simulated"


class Chip:
    """A chip of lines that remember how they were claimed; stands in for lgpio's calls into the kernel."""

    def __init__(self, *labels: str) -> None:
        self.labels = labels
        self.modes: dict[int, int] = {}
        self.low: set[int] = set()
        self.closed: list[int] = []
        self.busy: set[int] = set()

    def open(self, number: int) -> int:
        return number << 16

    def close(self, handle: int) -> int:
        self.closed.append(handle >> 16)
        return 0

    def info(self, handle: int) -> list[Any]:
        number = handle >> 16
        return [0, 54, f"gpiochip{number}", self.labels[number]]

    def claim(self, _handle: int, gpio: int, flags: int = 0) -> int:
        if gpio in self.busy:
            import lgpio  # noqa: PLC0415 - loaded by the factory, where its FIFO does no harm

            raise lgpio.error("GPIO busy")
        self.modes[gpio] = flags
        return 0

    def claim_alert(self, _handle: int, gpio: int, _edges: int, flags: int = 0) -> int:
        self.modes[gpio] = flags
        return 0

    def free(self, _handle: int, gpio: int) -> int:
        self.modes.pop(gpio, None)
        return 0

    def mode(self, _handle: int, gpio: int) -> int:
        return self.modes.get(gpio, 0)

    def read(self, _handle: int, gpio: int) -> int:
        return int(gpio not in self.low)

    def debounce(self, _handle: int, _gpio: int, micros: int) -> int:
        assert micros == 0
        return 0


def on(monkeypatch: pytest.MonkeyPatch, chip: Chip) -> None:
    with pytest.raises(PinUnavailable):
        open_factory("lgpio", chip="another")  # loads the library the way the clock does
    monkeypatch.setattr("hardware.pins.lgpio_factory.numbers", lambda: list(range(len(chip.labels))))
    for name, call in {
        "gpiochip_open": chip.open,
        "gpiochip_close": chip.close,
        "gpio_get_chip_info": chip.info,
        "gpio_claim_input": chip.claim,
        "gpio_claim_alert": chip.claim_alert,
        "gpio_free": chip.free,
        "gpio_get_mode": chip.mode,
        "gpio_read": chip.read,
        "gpio_set_debounce_micros": chip.debounce,
    }.items():
        monkeypatch.setattr(f"lgpio.{name}", call)


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Chip:
    chip = Chip(*["another"] * CHIP, LABEL)
    on(monkeypatch, chip)
    return chip


@pytest.fixture
def factory(chip: Chip) -> Iterator[PinFactory]:
    factory = open_factory("lgpio", chip=LABEL)
    yield factory
    factory.close()


@pytest.fixture
def kernel(factory: PinFactory) -> Iterator[BinaryIO]:
    import lgpio  # noqa: PLC0415 - loaded by the factory, where its FIFO does no harm

    with Path(f"/proc/self/fd/{lgpio._notify_thread._file.fileno()}").open("wb", buffering=0) as fifo:
        yield fifo


def message(at: int, gpio: int, level: int) -> bytes:
    """Return an edge as lgpio's C code writes it."""
    return struct.pack("QBBBBI", at, CHIP, gpio, level, 0, 0)


def test_a_kernel_stamp_comes_out_to_the_nanosecond(factory: PinFactory, kernel: BinaryIO) -> None:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    pins = ButtonPins(load_board("two-button"), factory, edges.put)
    kernel.write(message(UPTIME, 5, 0) + message(UPTIME + 1, 6, 0) + message(UPTIME + 2, 5, 1))
    assert [edges.get(timeout=10) for _ in range(3)] == [
        Edge("left", down=True, at=UPTIME, stamped=True),
        Edge("right", down=True, at=UPTIME + 1, stamped=True),
        Edge("left", down=False, at=UPTIME + 2, stamped=True),
    ]
    pins.close()


def test_a_burst_of_4000_kernel_stamps_arrives_complete_and_in_order(factory: PinFactory, kernel: BinaryIO) -> None:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    pins = ButtonPins(load_board("two-button"), factory, edges.put)
    kernel.writelines(message(UPTIME + number, 5, number % 2) for number in range(4_000))
    got = [edges.get(timeout=10) for _ in range(4_000)]
    assert [edge.at for edge in got] == list(range(UPTIME, UPTIME + 4_000))
    assert [edge.down for edge in got] == [True, False] * 2_000
    pins.close()


def test_lgpios_watchdog_and_edges_of_a_closed_pin_make_no_edge_and_do_no_harm(factory: PinFactory, kernel: BinaryIO) -> None:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    pins = ButtonPins(load_board("two-button"), factory, edges.put)
    left = factory.pin("GPIO5")
    kernel.write(message(UPTIME, 5, 2) + message(UPTIME + 1, 6, 0))
    assert edges.get(timeout=10).at == UPTIME + 1
    pins.close()
    left._call_when_changed(CHIP, 5, 0, UPTIME + 2)  # was under way in lgpio's thread while the pins were closed
    assert edges.empty()


def test_the_pins_are_claimed_with_the_pull_up_and_keep_it_while_edges_are_watched(factory: PinFactory, chip: Chip) -> None:
    import lgpio  # noqa: PLC0415 - loaded by the factory, where its FIFO does no harm

    pins = ButtonPins(load_board("two-button"), factory, lambda _edge: None)
    assert chip.modes[5] & lgpio.SET_PULL_UP
    assert chip.modes[6] & lgpio.SET_PULL_UP
    chip.low.add(6)
    assert pins.levels() == {"right"}
    pins.close()


def test_a_pin_that_is_busy_is_named(factory: PinFactory, chip: Chip) -> None:
    chip.busy.add(6)
    with pytest.raises(PinUnavailable, match=r"expected GPIO6 \(header pin 31\) for buttons.right, found: .*GPIO busy"):
        ButtonPins(load_board("two-button"), factory, lambda _edge: None)


def test_a_pi_whose_revision_the_kernel_does_not_know_has_a_40_pin_header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unknown() -> int:
        raise PinUnknownPi("not here")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown)
    (tmp_path / "model").write_bytes(b"Raspberry Pi 3 Model B\0")
    monkeypatch.setattr("hardware.gpiochips.MODEL", tmp_path / "model")
    on(monkeypatch, Chip("pinctrl-bcm2835"))
    factory: Any = open_factory("lgpio")
    assert factory.pin("GPIO27").info.name == "GPIO27"
    factory.close()


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
    chip = Chip(*labels)
    on(monkeypatch, chip)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC04170)
    factory: Any = open_factory("lgpio")
    assert factory.chip == number
    assert chip.closed == list(range(number))
    factory.close()
    assert chip.closed[-1] == number


def test_a_pin_that_lgpio_has_not_let_go_of_yet_is_left_to_the_chips_closing(factory: PinFactory, chip: Chip) -> None:
    pins = ButtonPins(load_board("two-button"), factory, lambda _edge: None)
    chip.busy.update((5, 6))
    pins.close()
    factory.close()
    assert chip.closed[-1] == CHIP
