"""Opens a pin library by its name. The libraries are imported when they are opened, not before: most machines have one of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from gpiozero.exc import PinUnknownPi

from appliance.errors import PinLibraryMissing, PinUnavailable, reason
from appliance.phrase import Phrase
from hardware.pins.contract import PinFactory

FactoryName = Literal["gpiod", "rpigpio", "mock"]
FACTORIES: tuple[str, ...] = get_args(FactoryName)


Opener: TypeAlias = Callable[..., PinFactory]
"""Opens a pin library by its name, with ``chip=`` the label of a gpiochip or None: as ``open_factory`` does."""


def open_factory(name: FactoryName, *, chip: str | None = None) -> PinFactory:
    """Return an open pin factory; whoever opens it closes it.

    Args:
        name: ``gpiod`` (kernel stamps), ``rpigpio`` (old boards, Python stamps) or ``mock`` (no pins at all, exact stamps).
        chip: for gpiod, the label of a gpiochip; None to find the one that drives the header.

    Raises:
        PinLibraryMissing: the library is not installed or does not load.
        PinUnavailable: there are no pins here, or they may not be opened.
        ValueError: no factory has that name.
    """
    if name == "gpiod":
        return _open_gpiod(chip)
    if name == "rpigpio":
        return _open_rpigpio()
    if name == "mock":
        return _open_mock()
    raise ValueError(f"expected a pin factory out of {', '.join(FACTORIES)}, found {name!r}; name one of these")


def opener_of(name: FactoryName | Literal["none"], chip: str, factory: PinFactory | None) -> Callable[[], PinFactory] | None:
    """Return what opens the pin library that settings name, or hands over ``factory`` where one is given; None where no pins are used.

    Args:
        name: as settings have it.
        chip: likewise: the label of a gpiochip, empty to find the one that drives the header.
        factory: one that is open already.
    """
    if factory is not None:
        return lambda: factory
    return None if name == "none" else lambda: open_factory(name, chip=chip or None)


def _open_gpiod(chip: str | None) -> PinFactory:
    # Not ``gpiod`` alone: the 1.x of Debian bookworm has that name, and is another library.
    _library("gpiod.line", "tileclock[pi]", "python3-libgpiod from trixie on, for the 1.x of bookworm is another library")
    from hardware.pins.gpiod import LibgpiodFactory  # noqa: PLC0415 - needs the library that was just found

    try:
        factory: PinFactory = LibgpiodFactory(chip=chip)
    except (PinUnknownPi, OSError) as why:
        raise _no_chip(why) from why
    return factory


def _open_rpigpio() -> PinFactory:
    _library("RPi.GPIO", "tileclock[old-pi]", "python3-rpi-lgpio")
    from hardware.pins.rpigpio import FAILURES, PythonStampedFactory  # noqa: PLC0415 - needs the library that was just found

    try:
        factory: PinFactory = PythonStampedFactory()
    except (PinUnknownPi, *FAILURES) as why:
        raise _no_chip(why) from why
    return factory


def _open_mock() -> PinFactory:
    from hardware.pins.mock import MockPins  # noqa: PLC0415 - the fake is loaded only where it is asked for

    factory: PinFactory = MockPins()
    return factory


def _library(module: str, extra: str, package: str) -> None:
    """Import the library, or raise with what to install."""
    try:
        importlib.import_module(module)
    except ImportError as why:
        remedy = Phrase("Install it with: pip install '{extra}' (Raspberry Pi OS has it as {package})", extra=extra, package=package)
        raise PinLibraryMissing(expected=Phrase("the pin library {module}", module=module), found=str(why), remedy=remedy) from why
    except RuntimeError as why:  # RPi.GPIO looks at the machine while it is imported
        raise _no_chip(why) from why
    except OSError as why:  # the lgpio below rpi-lgpio makes a FIFO in the working directory while it is imported
        expected = Phrase("a working directory that can be written to, where {module} makes a FIFO", module=module)
        raise PinUnavailable(expected=expected, found=reason(why), remedy="Start the program in another directory") from why


def _no_chip(why: Exception) -> PinUnavailable:
    chips = ", ".join(sorted(chip.name for chip in Path("/dev").glob("gpiochip*")))
    if isinstance(why, PinUnknownPi) or not chips:
        return PinUnavailable(
            expected="a Raspberry Pi with its GPIO header",
            found=Phrase("{chips} in /dev ({why})", chips=chips or Phrase("no gpiochip"), why=str(why)),
            remedy="Try it on this machine with: tileclock demo, or tilekiosk demo; or run it on a Pi",
        )
    return PinUnavailable(
        expected="to open the Pi's GPIO header",
        found=Phrase("{chips} in /dev, but: {why}", chips=chips, why=str(why)),
        remedy="Put the clock's user into the group gpio (sudo usermod -aG gpio USER), log in again, and end any other program that holds the pins",
    )
