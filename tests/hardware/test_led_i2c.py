"""LED displays on an I2C bus: the driver above the kernel's calls, and the chip as its data sheet has it. The calls are caught where they leave the process."""

import errno
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import smbus2.smbus2 as kernel
from hypothesis import given

from appliance.errors import LedError
from hardware.led import port as i2c
from hardware.led.module import LedModule
from hardware.led.picture import ALL_LIT, DARK, POINTS, Frame, Lit, Picture, cells, lit, still
from hardware.led.port import I2cPort, LedPort, memory, port_of
from hardware.settings import LedLine
from tests.errors import with_fields
from tests.hardware.test_led import LITS, QUICK
from tests.processes import until

NO_APOSTROPHE = Lit((0x7F,) * 4, 0b1111, colon=True)


class Ht16k33:
    """The chip of an I2C module: takes the bytes of a transfer to its address, and lights only what its memory and its settings say."""

    def __init__(self) -> None:
        self.power_up()

    def power_up(self) -> None:
        """Oscillator and lights off, full brightness, and anything in the memory."""
        self._memory = bytearray(b"\x5a" * 16)
        self._oscillates = self._lights = False
        self.steps = i2c.STEPS
        """The brightness, 1 to 16."""

    def receive(self, data: bytes) -> None:
        command, *values = data
        if command < len(self._memory):
            for at, value in enumerate(values, command):
                self._memory[at % len(self._memory)] = value
        elif command & 0xF0 == 0x20:
            self._oscillates = bool(command & 1)
        elif command & 0xF0 == 0x80:
            self._lights = bool(command & 1)
        elif command & 0xF0 == i2c.DIMMING:
            self.steps = (command & 0x0F) + 1

    @property
    def lit(self) -> Lit:
        if not (self._oscillates and self._lights):
            return Lit()
        digits = [self._memory[2 * common] for common in i2c.COMMONS]
        first, second, third, fourth = (digit & ~i2c.POINT_BIT for digit in digits)
        points = sum(point for point, digit in zip(POINTS, digits, strict=True) if digit & i2c.POINT_BIT)
        return Lit((first, second, third, fourth), points, colon=bool(self._memory[2 * i2c.COLON_COMMON] & i2c.COLON_BIT))


@dataclass
class Bus:
    """A bus as the kernel's driver shows it; ``device`` is its file."""

    device: Path
    chips: dict[int, Ht16k33] = field(default_factory=lambda: {0x70: Ht16k33(), 0x71: Ht16k33()})
    transfers: list[tuple[int, bytes]] = field(default_factory=list)
    address: dict[int, int] = field(default_factory=dict)

    def port(self, address: int = 0x70) -> str:
        return f"{self.device}@{address:#x}"

    def ioctl(self, handle: int, request: int, argument: object) -> None:
        if not os.path.samestat(os.fstat(handle), self.device.stat()):
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        if request == kernel.I2C_SLAVE:
            assert isinstance(argument, int)
            self.address[handle] = argument
        elif request == kernel.I2C_SMBUS:
            self._transfer(self.address[handle], argument)
        else:
            assert request == kernel.I2C_FUNCS

    def _transfer(self, address: int, asked: object) -> None:
        """Put on the wire what the kernel makes of a call: a byte alone is the command; a block follows it, without its length."""
        assert isinstance(asked, kernel.i2c_smbus_ioctl_data)
        assert asked.read_write == kernel.I2C_SMBUS_WRITE
        data = bytes([asked.command])
        if asked.size == kernel.I2C_SMBUS_I2C_BLOCK_DATA:
            length, *block = asked.data.contents.block
            data += bytes(block[:length])
        if address not in self.chips:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self.transfers.append((address, data))
        self.chips[address].receive(data)


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    made = Bus(tmp_path / "i2c-7")
    made.device.touch()
    monkeypatch.setattr(kernel, "ioctl", made.ioctl)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are counted, no path is made
    yield made
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - likewise


def word(text: str) -> Lit:
    return lit(cells(text))


@given(LITS)
def test_the_chip_lights_what_its_memory_has_but_for_the_apostrophe_that_it_lacks(shown: Lit) -> None:
    chip = Ht16k33()
    chip.receive(b"\x00" + memory(shown))
    assert chip.lit == DARK, "neither oscillator nor lights are on"
    chip.receive(b"\x21")
    chip.receive(b"\x81")
    assert chip.lit == Lit(shown.digits, shown.points, colon=shown.colon)


def test_the_bytes_of_a_reading_are_those_of_the_data_sheet() -> None:
    assert memory(Lit((0x06, 0x5B, 0x4F, 0x66), 0b1000, colon=True)).hex(" ") == "06 00 5b 00 02 00 4f 00 e6 00"


def test_a_whole_picture_sets_the_chip_and_a_change_is_one_transfer_and_nothing_is_sent_for_none(bus: Bus) -> None:
    with closing(I2cPort("left", LedLine((bus.port(),), brightness=0))) as port:
        port.open()
        assert port.port == bus.port()
        port.put(None, ALL_LIT)
        assert (bus.chips[0x70].lit, bus.chips[0x70].steps) == (NO_APOSTROPHE, 1)
        bus.transfers.clear()
        port.put(ALL_LIT, word("12"))
        port.put(word("12"), word("12"))
        assert bus.transfers == [(0x70, b"\x00" + memory(word("12")))]
        for percent, steps in ((50, 9), (100, 16)):
            port.dim(percent)
            assert bus.chips[0x70].steps == steps
        bus.chips[0x70].power_up()
        port.put(None, word("34"))
        assert (bus.chips[0x70].lit, bus.chips[0x70].steps) == (word("34"), 16)
    assert bus.chips[0x71].lit == DARK


def test_the_first_place_where_a_chip_answers_is_used_and_what_is_wrong_elsewhere_is_told(bus: Bus, tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    for ports, found in (
        ((bus.port(0x72),), "no module answers at that address"),
        ((f"{tmp_path}/i2c-9@0x70",), "no such I2C bus: its line in config.txt is missing"),
        ((f"{tmp_path}/plain@0x70",), "inappropriate ioctl for device"),
        ((bus.port(0x72), "/dev/ttyUSB0"), "a port without an address, as /dev/i2c-7@0x70 has one"),
    ):
        with pytest.raises(LedError, check=with_fields(expected=f"the left LED display on {' or '.join(ports)}", found=found)):
            I2cPort("left", LedLine(ports)).open()
    with closing(I2cPort("left", LedLine((bus.port(0x72), bus.port(0x71))))) as port:
        port.open()
        assert port.port == bus.port(0x71)
        del bus.chips[0x71]
        with pytest.raises(LedError, check=with_fields(found="no module answers at that address")):
            port.put(None, DARK)
    with pytest.raises(LedError, check=with_fields(found="it is not open")):
        port.put(None, DARK)


def test_a_bus_that_only_others_may_open_names_the_group(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(kernel, "ioctl", refused)
    with pytest.raises(LedError, check=with_fields(found="permission denied (the clock's user must be in the group i2c)")):
        I2cPort("left", LedLine((bus.port(),))).open()


def test_the_form_of_the_port_tells_the_family() -> None:
    assert isinstance(port_of("left", LedLine(("/dev/i2c-7@0x70",))), I2cPort)
    for port in ("/dev/ttyUSB0", "/dev/serial/by-id/usb-x@0x70y", "/dev/i2c-7@0x90"):
        assert isinstance(port_of("left", LedLine((port,))), LedPort)


def test_a_module_shows_frames_loses_power_is_dimmed_pulled_and_put_back_and_ends_dark(bus: Bus) -> None:
    chip = bus.chips[0x70]
    left = LedModule("left", LedLine((bus.port(),), brightness=40), timeouts=QUICK)
    try:
        left.show(Picture((Frame(word("on"), 30), Frame(word("oFF"), 30))))
        for each in ("on", "oFF", "on"):
            until(lambda each=each: chip.lit == word(each), each)  # type: ignore[misc]  # called at once
        assert chip.steps == 7
        left.show(still(word("2459")))
        until(lambda: chip.lit == word("2459"), "the reading")
        chip.power_up()
        until(lambda: (chip.lit, chip.steps) == (word("2459"), 7), "the reading after a loss of power")
        left.dim(100)
        until(lambda: chip.steps == 16, "the brightness")
        del bus.chips[0x70]
        until(lambda: left.trouble is not None, "the trouble")
        assert "no module answers" in str(left.trouble)
        bus.chips[0x70] = chip
        until(lambda: left.trouble is None, "the module")
    finally:
        assert left.close()
    assert chip.lit == DARK
