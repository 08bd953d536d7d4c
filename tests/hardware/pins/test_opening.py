from __future__ import annotations

import errno
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import gpiod
import pytest

from appliance.errors import PinLibraryMissing, PinUnavailable
from faults.errors import TileclockError
from hardware.pins.mock import MockPins
from hardware.pins.opening import FACTORIES, FactoryName, open_factory
from tests.errors import with_fields

ROOT = Path(__file__).parents[3]


@pytest.fixture
def no_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide whatever gpiochips this machine has."""
    really = Path.glob

    def glob(self: Path, pattern: str) -> Any:
        return iter(()) if pattern.startswith("gpiochip") else really(self, pattern)

    monkeypatch.setattr(Path, "glob", glob)


def of_revision(revision: int) -> Callable[[], int]:
    """Return what tells gpiozero that this machine is that Pi."""
    return lambda: revision


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("gpiod", "gpiod.line", "tileclock[pi]"), ("rpigpio", "RPi.GPIO", "tileclock[old-pi]")],
)
def test_a_missing_pin_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch, name: FactoryName, module: str, extra: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PinLibraryMissing) as caught:
        open_factory(name)
    said = str(caught.value)
    assert said.startswith(f"expected the pin library {module}, found ")
    assert f"pip install '{extra}'" in said
    assert isinstance(caught.value, TileclockError)
    assert isinstance(caught.value, ImportError)


@pytest.mark.usefixtures("no_chips")
def test_a_machine_that_is_no_pi_is_sent_to_the_demo() -> None:
    with pytest.raises(
        PinUnavailable, check=with_fields(found=re.compile("no gpiochip in /dev"), remedy=re.compile("tileclock demo"))
    ) as caught:
        open_factory("gpiod")
    assert isinstance(caught.value, OSError)


@pytest.mark.usefixtures("no_chips")
def test_a_pi_without_its_gpiochip_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", of_revision(0xC03114))
    with pytest.raises(PinUnavailable, check=with_fields(found=re.compile("no gpiochip in /dev .*pinctrl-bcm or pinctrl-rp1"))):
        open_factory("gpiod")


def test_a_chip_that_may_not_be_opened_asks_for_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    really = Path.glob

    def glob(self: Path, pattern: str) -> Any:
        return iter([Path("/dev/gpiochip0")]) if pattern.startswith("gpiochip") else really(self, pattern)

    def refuse(path: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(Path, "glob", glob)
    monkeypatch.setattr(gpiod, "Chip", refuse)
    with pytest.raises(
        PinUnavailable, check=with_fields(found=re.compile("gpiochip0 in /dev, .*Permission denied"), remedy=re.compile("group gpio"))
    ):
        open_factory("gpiod", chip="another")


def test_rpi_gpio_off_a_pi_is_told_as_no_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_chips: None) -> None:
    package = tmp_path / "RPi"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "GPIO.py").write_text("raise RuntimeError('This module can only be run on a Raspberry Pi!')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "RPi", raising=False)
    monkeypatch.delitem(sys.modules, "RPi.GPIO", raising=False)
    with pytest.raises(
        PinUnavailable, check=with_fields(found=re.compile("no gpiochip in /dev .*This module can only be run on a Raspberry Pi!"))
    ):
        open_factory("rpigpio")
    sys.modules.pop("RPi", None)


def test_rpi_lgpio_that_cannot_make_its_fifo_asks_for_another_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "RPi"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "GPIO.py").write_text("open('.lgd-nfy-3', 'rb')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "RPi", raising=False)
    monkeypatch.delitem(sys.modules, "RPi.GPIO", raising=False)
    with pytest.raises(PinUnavailable, check=with_fields(expected=re.compile("working directory"), found="no such file or directory")):
        open_factory("rpigpio")
    sys.modules.pop("RPi", None)


def test_the_mock_factory_is_opened_by_name_and_stamps_like_the_kernel() -> None:
    factory = open_factory("mock")
    assert isinstance(factory, MockPins)
    assert factory.stamps == "kernel"
    factory.close()


def test_an_unknown_factory_is_answered_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=f"out of {', '.join(FACTORIES)}, found 'pigpio'"):
        open_factory(cast("FactoryName", "pigpio"))


def test_the_libraries_are_not_loaded_until_they_are_asked_for() -> None:
    program = "import sys, hardware.buttons.reader, hardware.pins.mock, hardware.buttons.board_pins, hardware.buttons.board_pins; print({'gpiod', 'RPi'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
