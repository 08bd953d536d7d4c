from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from appliance.errors import PinLibraryMissing, PinUnavailable, TileclockError
from hardware.pins.factories import FACTORIES, FactoryName, open_factory
from hardware.pins.mock import MockPins

ROOT = Path(__file__).parents[2]


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
    [("lgpio", "lgpio", "tileclock[pi]"), ("gpiod", "gpiod.line", "tileclock[pi]"), ("rpigpio", "RPi.GPIO", "tileclock[old-pi]")],
)
def test_a_missing_pin_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch, name: FactoryName, module: str, extra: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PinLibraryMissing) as caught:
        open_factory(name)
    said = str(caught.value)
    assert said.startswith(f"expected the pin library {module}, found: ")
    assert f"pip install '{extra}'" in said
    assert isinstance(caught.value, TileclockError)
    assert isinstance(caught.value, ImportError)


@pytest.mark.usefixtures("no_chips")
@pytest.mark.parametrize("name", ["lgpio", "gpiod"])
def test_a_machine_that_is_no_pi_is_sent_to_the_demo(name: FactoryName) -> None:
    with pytest.raises(PinUnavailable, match=r"expected a Raspberry Pi .* found no gpiochip in /dev .* tileclock demo") as caught:
        open_factory(name)
    assert isinstance(caught.value, OSError)


@pytest.mark.usefixtures("no_chips")
@pytest.mark.parametrize("name", ["lgpio", "gpiod"])
def test_a_pi_without_its_gpiochip_says_so(monkeypatch: pytest.MonkeyPatch, name: FactoryName) -> None:
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", of_revision(0xC03114))
    with pytest.raises(PinUnavailable, match=r"found no gpiochip in /dev \(.*no gpiochip is labelled pinctrl-bcm or pinctrl-rp1"):
        open_factory(name)


def test_a_chip_that_may_not_be_opened_asks_for_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    really = Path.glob

    def glob(self: Path, pattern: str) -> Any:
        return iter([Path("/dev/gpiochip0")]) if pattern.startswith("gpiochip") else really(self, pattern)

    monkeypatch.setattr(Path, "glob", glob)
    with pytest.raises(PinUnavailable, match=r"found gpiochip0 in /dev, but: .*can not open gpiochip.*group gpio"):
        open_factory("lgpio", chip="another")


def test_loading_lgpio_leaves_nothing_behind_and_comes_back_to_the_same_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(PinLibraryMissing):
        open_factory("lgpio")
    assert Path.cwd() == tmp_path
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names are what is asked for


def test_no_room_for_lgpios_fifo_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(PinUnavailable, match=r"expected a temporary directory that can be written to .* set TMPDIR"):
        open_factory("lgpio")


def test_rpi_gpio_off_a_pi_is_told_as_no_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_chips: None) -> None:
    package = tmp_path / "RPi"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "GPIO.py").write_text("raise RuntimeError('This module can only be run on a Raspberry Pi!')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "RPi", raising=False)
    monkeypatch.delitem(sys.modules, "RPi.GPIO", raising=False)
    with pytest.raises(PinUnavailable, match=r"found no gpiochip in /dev \(This module can only be run on a Raspberry Pi!\)"):
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
    program = "import sys, hardware.buttons.reader, hardware.pins.mock, hardware.buttons.lamps, hardware.buttons.buzzer; print({'lgpio', 'gpiod', 'RPi'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_lgpio_loads_where_the_working_directory_cannot_be_written_to() -> None:
    program = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); os.chdir('/proc')\n"
        "from hardware.pins.factories import open_factory\n"
        "from appliance.errors import PinUnavailable\n"
        "try: open_factory('lgpio', chip='another')\n"
        "except PinUnavailable as why: print('lgpio' in sys.modules, os.getcwd(), 'labelled another, only' in str(why))\n"
    )
    run = subprocess.run([sys.executable, "-c", program, str(ROOT)], capture_output=True, text=True, check=True)
    assert run.stdout == "True /proc True\n"
