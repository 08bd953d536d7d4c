"""Pins by each library, without a chip; with a kernel's own: ``tests/kernel``."""

import contextlib
import errno
import os
import queue
import re
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import gpiod
import pytest
from gpiod.line import Bias, Direction, Value
from gpiod.line import Edge as LineEdge
from gpiozero.exc import PinUnknownPi

from appliance.errors import DEBIANS, BoardError, Diagnosis, PinLibraryMissing, PinUnavailable, State
from appliance.program import supervisor
from appliance.settings import Layers
from faults.errors import TileclockError
from firmware.settings import LAYERS as CLOCK
from hardware.boards.board import load_board
from hardware.buttons.board_pins import ButtonPins, Edge, Lamps
from hardware.buttons.self_test import check_library
from hardware.pins import gpiod as gpiod_pins
from hardware.pins.contract import PinFactory
from hardware.pins.mock import MockPins
from hardware.pins.opening import EVERY_NS, FactoryName, RetryingPins, open_factory, open_or_retry
from kiosk.settings import LAYERS as STATION
from tests.errors import with_fields
from tests.hardware.waiting import Systemd
from tests.processes import until

ROOT = Path(__file__).parents[2]


def chips_in_dev(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    really = Path.glob

    def glob(self: Path, pattern: str) -> Any:
        return iter(map(Path, names)) if pattern.startswith("gpiochip") else really(self, pattern)

    monkeypatch.setattr(Path, "glob", glob)


@pytest.fixture
def no_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    chips_in_dev(monkeypatch)


PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GPIOD: Final = next(each for each in PROJECT["dependencies"] if each.startswith("gpiod=="))
RPI_LGPIO: Final = next(each for each in PROJECT["optional-dependencies"]["old-pi"] if each.startswith("rpi-lgpio=="))


@pytest.mark.parametrize(
    ("path", "version", "name", "remedy"),
    [
        ([DEBIANS], (3, 13), "gpiod", "sudo apt install python3-libgpiod (from trixie on)"),
        ([], (3, 13), "gpiod", f"'/my clock/python' -m pip install {GPIOD}"),
        ([DEBIANS], (3, 13), "rpigpio", "sudo apt install python3-rpi-lgpio"),
        ([], (3, 12), "rpigpio", f"'/my clock/python' -m pip install {RPI_LGPIO}"),
        ([], (3, 13), "rpigpio", 'Set pins = "gpiod" under [board]'),
    ],
)
def test_a_missing_pin_library_is_to_be_installed_where_the_python_that_runs_looks(
    monkeypatch: pytest.MonkeyPatch, path: list[str], version: tuple[int, int], name: FactoryName, remedy: str
) -> None:
    module = {"gpiod": "gpiod.line", "rpigpio": "RPi.GPIO"}[name]
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(sys, "path", [*(each for each in sys.path if each != DEBIANS), *path])
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setattr(sys, "executable", "/my clock/python")
    with pytest.raises(PinLibraryMissing, check=with_fields(remedy=re.compile(re.escape(remedy)))) as caught:
        open_factory(name)
    assert str(caught.value).startswith(f"expected the pin library {module}, found ")
    assert isinstance(caught.value, TileclockError)
    assert isinstance(caught.value, ImportError)


@pytest.mark.usefixtures("no_chips")
def test_a_machine_that_is_no_pi_is_sent_to_the_demo_and_a_pi_without_its_gpiochip_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        PinUnavailable, check=with_fields(found=re.compile("no gpiochip in /dev"), remedy=re.compile("tileclock demo"))
    ) as caught:
        open_factory("gpiod")
    assert isinstance(caught.value, OSError)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC03114)
    with pytest.raises(PinUnavailable, check=with_fields(found=re.compile("no gpiochip in /dev .*pinctrl-bcm or pinctrl-rp1"))):
        open_factory("gpiod")


def test_a_chip_that_may_not_be_opened_asks_for_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    chips_in_dev(monkeypatch, "/dev/gpiochip0")
    monkeypatch.setattr(gpiod, "Chip", refuse)
    with pytest.raises(
        PinUnavailable, check=with_fields(found=re.compile("gpiochip0 in /dev, .*Permission denied"), remedy=re.compile("group gpio"))
    ):
        open_factory("gpiod", chip="another")


@pytest.mark.parametrize(
    ("module", "check"),
    [
        ("raise RuntimeError('only on a Raspberry Pi!')", with_fields(found=re.compile("no gpiochip in /dev .*only on a Raspberry Pi!"))),
        ("open('.lgd-nfy-3', 'rb')", with_fields(expected=re.compile("working directory"), found="no such file or directory")),
    ],
    ids=["off a Pi", "it cannot make its FIFO"],
)
@pytest.mark.usefixtures("no_chips")
def test_an_error_while_rpi_gpio_is_loaded_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str, check: Callable[[BaseException], bool]
) -> None:
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi/__init__.py").touch()
    (tmp_path / "RPi/GPIO.py").write_text(module, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(PinUnavailable, check=check):
        open_factory("rpigpio")
    sys.modules.pop("RPi", None)


def test_the_mock_factory_is_opened_by_name_and_stamps_like_the_kernel_and_an_unknown_one_is_answered_with_those_that_are() -> None:
    factory = open_factory("mock")
    assert isinstance(factory, MockPins)
    assert factory.stamps == "kernel"
    assert factory.ticks_diff(2_500_000_000, 1_000_000_000) == 1.5
    factory.close()


def test_the_libraries_are_not_loaded_until_they_are_asked_for() -> None:
    program = "import sys, hardware.buttons.board_pins, hardware.pins.mock, hardware.buttons.board_pins, hardware.buttons.board_pins; print({'gpiod', 'RPi'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


Edges = queue.SimpleQueue[Edge]
UPTIME = 120 * 86400 * 1_000_000_000 + 1
LABEL = "simulated"


class Request:
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
    labels: tuple[str, ...] = ()

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


def chips(monkeypatch: pytest.MonkeyPatch, *labels: str) -> None:
    monkeypatch.setattr(gpiod_pins, "numbers", lambda: list(range(len(labels))))
    monkeypatch.setattr(gpiod, "Chip", Chip)
    monkeypatch.setattr(Chip, "labels", labels)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    chips(monkeypatch, "another", LABEL)
    opened = open_factory("gpiod", chip=LABEL)
    yield opened
    opened.close()


@pytest.fixture
def heard() -> Edges:
    return queue.SimpleQueue()


@pytest.fixture
def pins(factory: PinFactory, heard: Edges) -> Iterator[ButtonPins]:
    pins = ButtonPins(load_board("two-button"), factory, heard.put)
    yield pins
    pins.close()


def came(heard: Edges, number: int) -> list[Edge]:
    return [heard.get(timeout=10) for _ in range(number)]


@pytest.mark.usefixtures("pins")
def test_the_buttons_are_inputs_with_the_pull_up_and_both_edges(factory: Any) -> None:
    settings = {line: each.settings for line, each in factory.chip.requests.items()}
    assert {line: (each.direction, each.bias, each.edge_detection) for line, each in settings.items()} == dict.fromkeys(
        (5, 6), (Direction.INPUT, Bias.PULL_UP, LineEdge.BOTH)
    )


@pytest.mark.usefixtures("pins")
def test_edges_of_two_pins_come_in_the_order_of_their_instants_to_the_nanosecond(factory: Any, heard: Edges) -> None:
    with factory.reader._using:  # all of them are there before the first is read
        factory.chip.say((6, UPTIME + 1, 0, 1), (5, UPTIME, 0, 1), (5, UPTIME + 2, 1, 2))
    assert came(heard, 3) == [
        Edge("left", down=True, at=UPTIME, stamped=True),
        Edge("right", down=True, at=UPTIME + 1, stamped=True),
        Edge("left", down=False, at=UPTIME + 2, stamped=True),
    ]


def test_edges_that_the_kernel_did_not_keep_are_counted_and_a_level_is_the_lines_own(factory: Any, pins: ButtonPins, heard: Edges) -> None:
    factory.chip.say((5, UPTIME, 0, 1), (5, UPTIME + 1, 1, 40))
    came(heard, 2)
    assert pins.lost == 38
    factory.chip.say((5, UPTIME + 2, 0, 41), (6, UPTIME + 3, 0, 1))
    came(heard, 2)
    assert pins.lost == 38
    factory.chip.requests[6].high = False
    assert pins.down() == {"right"}


def test_a_pin_that_is_closed_is_heard_no_more_and_the_others_are(factory: Any, pins: ButtonPins, heard: Edges) -> None:
    pins._pins["left"].when_changed = None
    factory.chip.say((5, UPTIME, 0, 1), (6, UPTIME + 1, 0, 1))
    assert [edge.button for edge in came(heard, 1)] == ["right"]
    assert heard.empty()


def test_the_library_is_behind_from_the_kernels_word_until_the_edge_is_told(factory: Any) -> None:
    reported, go_on = threading.Event(), threading.Event()

    def slow(_edge: Edge) -> None:
        reported.set()
        go_on.wait(10)

    pins = ButtonPins(load_board("two-button"), factory, slow)
    before = factory.behind
    factory.chip.say((5, UPTIME, 0, 1))
    said = factory.behind
    assert reported.wait(10)
    assert (before, said, factory.behind) == (False, True, True)
    go_on.set()
    pins.close()
    until(lambda: not factory.behind)


def test_a_lamp_is_an_output_that_is_dark_at_first(factory: Any) -> None:
    lamps = Lamps(load_board("full"), factory)
    outputs = [each for each in factory.chip.requests.values() if each.settings.direction is Direction.OUTPUT]
    assert len(outputs) == 2
    lamps.light(frozenset({"left"}))
    assert sorted(each.high for each in outputs) == [False, True]
    lamps.close()


def test_a_pin_that_is_busy_is_named_with_who_holds_it_or_the_bus_that_can_be_turned_off(factory: Any) -> None:
    factory.chip.busy.add(6)
    with pytest.raises(
        PinUnavailable, check=with_fields(expected="GPIO6 (header pin 31) for buttons.right", found=re.compile("busy, .*onewire@0"))
    ):
        ButtonPins(load_board("two-button"), factory, lambda _edge: None)
    factory.chip.busy = {4}
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO4 (header pin 7) for buttons.centre", remedy=re.compile("1-Wire"))):
        ButtonPins(load_board("full"), factory, lambda _edge: None)


def unknown_pi() -> int:
    raise PinUnknownPi("not here")


def test_a_chip_that_is_named_is_taken_for_a_40_pin_header_off_a_pi(factory: PinFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown_pi)
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
def test_the_chip_is_found_by_its_label_whatever_its_number(monkeypatch: pytest.MonkeyPatch, labels: tuple[str, ...], number: int) -> None:
    chips(monkeypatch, *labels)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC04170)
    with contextlib.closing(open_factory("gpiod")) as factory:
        chosen: Any = factory
        assert chosen.chip.get_info().label == labels[number]


def test_a_pi_whose_revision_the_kernel_does_not_know_has_a_40_pin_header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi 3 Model B\0")
    monkeypatch.setattr("hardware.pins.gpiod.MODEL", tmp_path / "model")
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown_pi)
    chips(monkeypatch, "pinctrl-bcm2835")
    with contextlib.closing(open_factory("gpiod")) as factory:
        assert factory.pin("GPIO27").info.name == "GPIO27"


def test_no_chip_of_that_label_names_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    chips(monkeypatch, "another", LABEL)
    with pytest.raises(PinUnavailable, check=with_fields(found=re.compile("nothing, only another, simulated"))):
        open_factory("gpiod", chip="nothing")


class LgpioError(Exception):
    """The error of lgpio: no error of Python's own but Exception."""


class FakeRPiGPIO(ModuleType):
    """As much of RPi.GPIO as gpiozero asks of it for a button, with the lines in memory. The real one on a kernel's pins: ``tests/kernel/test_rpi_lgpio.py``."""

    IN, OUT, SERIAL, SPI, I2C, HARD_PWM, UNKNOWN = 1, 0, 40, 41, 42, 43, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33
    BCM = 11

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.busy: set[int] = set()
        self.lgpio = SimpleNamespace(error=LgpioError)
        self.chip_opens = True
        self.low: set[int] = set()
        self.pulls: dict[int, int] = {}
        self.calls: dict[int, Callable[[int], None]] = {}

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM
        if not self.chip_opens:
            raise LgpioError("can not open gpiochip")

    def setwarnings(self, _on: bool) -> None:
        """Take the call."""

    def setup(self, pin: int, _function: int, pull: int = PUD_OFF) -> None:
        if pin in self.busy:
            raise LgpioError("GPIO busy")
        self.pulls[pin] = pull

    def gpio_function(self, _pin: int) -> int:
        return self.IN

    def input(self, pin: int) -> int:
        return int(pin not in self.low)

    def add_event_detect(self, pin: int, edges: int, callback: Callable[[int], None], bouncetime: int) -> None:
        assert (edges, bouncetime) == (self.BOTH, -666)  # -666: no debounce
        self.calls[pin] = callback

    def remove_event_detect(self, pin: int) -> None:
        del self.calls[pin]

    def cleanup(self, pin: int | None = None) -> None:
        """Take the call."""


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRPiGPIO]:
    gpio = FakeRPiGPIO()
    package: Any = ModuleType("RPi")
    package.GPIO = gpio
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xA02082)
    yield gpio
    for module in ("gpiozero.pins.rpigpio", "hardware.pins.rpigpio"):
        sys.modules.pop(module, None)  # they hold on to the fake


@pytest.fixture
def rpigpio(gpio: FakeRPiGPIO) -> Iterator[PinFactory]:
    rpigpio = open_factory("rpigpio")
    yield rpigpio
    rpigpio.close()


def test_an_edge_is_stamped_in_python_and_one_under_way_while_pins_are_closed_harms_nobody(gpio: FakeRPiGPIO, rpigpio: PinFactory) -> None:
    edges: list[Edge] = []
    pins = ButtonPins(load_board("two-button"), rpigpio, edges.append)
    assert rpigpio.stamps == "python"
    assert gpio.pulls[5] == gpio.PUD_UP
    gpio.low.add(5)
    before = time.monotonic_ns()
    gpio.calls[5](5)
    assert before <= edges[0].at <= time.monotonic_ns()
    assert edges == [Edge("left", down=True, at=edges[0].at, stamped=False)]
    assert pins.down() == {"left"}
    pins.close()
    edges.clear()
    pins = ButtonPins(load_board("two-button"), rpigpio, edges.append)
    late = gpio.calls[6]
    pins.close()
    late(6)
    assert edges == []
    assert gpio.calls == {}


@pytest.mark.usefixtures("gpio")
def test_the_doctor_tells_which_library_it_found(rpigpio: PinFactory) -> None:
    finding = check_library("rpigpio", rpigpio)
    assert finding.state is State.NOTE
    assert finding.found.startswith("rpigpio, by rpi-lgpio; Python stamps each edge")


def test_a_pin_that_is_busy_is_named_by_rpi_lgpio_too(gpio: FakeRPiGPIO, rpigpio: PinFactory) -> None:
    gpio.busy.add(6)
    with pytest.raises(PinUnavailable, check=with_fields(expected="GPIO6 (header pin 31) for buttons.right", found="GPIO busy")):
        ButtonPins(load_board("two-button"), rpigpio, lambda _edge: None)


def test_the_original_rpi_gpio_is_refused_because_it_finds_no_edges(gpio: FakeRPiGPIO) -> None:
    del gpio.lgpio
    with pytest.raises(PinLibraryMissing, check=with_fields(found=re.compile("original RPi.GPIO"), remedy=re.compile("rpi-lgpio"))):
        open_factory("rpigpio")


def test_a_chip_that_rpi_lgpio_cannot_open_is_no_traceback(gpio: FakeRPiGPIO) -> None:
    gpio.chip_opens = False
    with pytest.raises(PinUnavailable, check=with_fields(found=re.compile("can not open gpiochip"))):
        open_factory("rpigpio")


class Pins:
    closed = 0

    def close(self) -> None:
        self.closed += 1


@dataclass
class Library:
    """Raises what is on its list, one at each try; then it has pins."""

    errors: list[TileclockError]
    tried: int = 0
    pins: Pins = field(default_factory=Pins)

    def open(self) -> Pins:
        self.tried += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.pins


GONE, TAKEN = (
    PinUnavailable(expected="a chip", found="none", remedy="Run it on a Pi"),
    PinUnavailable(expected="GPIO4", found="it busy", remedy="End the other program"),
)


def test_pins_are_given_as_they_are_and_closed_at_the_end_also_those_that_came_later() -> None:
    library = Library([])
    with open_or_retry(library.open, None) as found:
        assert found == (library.pins, None)
        assert library.pins.closed == 0
    assert library.pins.closed == 1
    library = Library([GONE])
    with open_or_retry(library.open, Systemd()) as (_, awaited):
        assert awaited is not None
        assert awaited.retry(7) is None
        awaited.close()
        assert library.pins.closed == 0
        assert awaited.retry(7 + EVERY_NS) is library.pins
    assert library.pins.closed == 1


@pytest.mark.parametrize("error", [GONE, PinLibraryMissing(expected="a library", found="none")])
def test_where_nobody_watches_it_is_the_error(error: TileclockError) -> None:
    with pytest.raises(type(error)) as caught, open_or_retry(Library([error]).open, None):
        pass
    assert caught.value is error


def test_where_no_pins_are_used_nothing_is_retried_and_a_bad_board_is_an_error_whoever_watches() -> None:
    library = Library([BoardError(expected="a pin once", found="it twice")])
    with pytest.raises(BoardError):
        RetryingPins(library.open, Systemd()).retry(7)
    found: tuple[Pins | None, RetryingPins[Pins] | None]
    with open_or_retry(None, None) as found:
        assert found == (None, None)


def test_they_are_tried_every_five_seconds_until_they_are_there_and_systemd_hears_each_new_reason_once() -> None:
    systemd, library = Systemd(), Library([GONE, GONE, TAKEN])
    awaited = RetryingPins(library.open, systemd)
    assert awaited.retry(7) is None
    assert (awaited.why, awaited.due) == (Diagnosis.of(GONE), 7 + EVERY_NS)
    assert awaited.retry(awaited.due - 1) is None
    assert library.tried == 1
    assert awaited.retry(awaited.due) is None
    assert awaited.retry(awaited.due) is None
    assert awaited.why == Diagnosis.of(TAKEN)
    assert awaited.retry(awaited.due) is library.pins
    assert not awaited.why
    assert systemd.heard == [f"STATUS=No pins,retrying: {GONE}", f"STATUS=No pins,retrying: {TAKEN}", "STATUS="]


def test_a_program_is_watched_where_systemd_named_a_socket() -> None:
    systemd = Systemd()
    assert supervisor(systemd, {"NOTIFY_SOCKET": "/run/notify"}, "WISH").notifier is systemd
    assert supervisor(systemd, {}, "WISH").notifier is None


@pytest.mark.parametrize("program", [CLOCK, STATION], ids=["clock", "station"])
def test_a_settings_file_that_names_lgpio_uses_gpiod(tmp_path: Path, program: Layers[Any]) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[board]\npins = "lgpio"\n', encoding="utf-8")
    found = program.load({}, file)
    assert found.settings.board.pins == "gpiod"
    assert ("board.pins", '"gpiod"', str(file)) in program.dump(found)


def test_pins_that_open_the_first_time_are_no_news() -> None:
    systemd, library = Systemd(), Library([])
    with open_or_retry(library.open, systemd) as (pins, awaited):
        assert awaited is not None
        assert (pins, library.tried) == (None, 0)
        assert awaited.retry(7) is library.pins
    assert (systemd.heard, library.pins.closed) == ([], 1)
