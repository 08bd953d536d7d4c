"""Opens a pin library by name, at once or as soon as it can be. Libraries are imported only when opened: most machines have just one of them.

A program that runs as a service opens its pins once its first picture stands: their library loads for longer than the picture takes. It starts without unavailable
pins, reports it, and retries: at a tournament people cannot log in, fix something and restart it. Another program may release a pin later, and a chip may appear late
at boot.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from appliance.errors import DEBIANS, Diagnosis, PinLibraryMissing, PinUnavailable, to_install
from appliance.log import get_logger
from appliance.program import Notifier
from faults.errors import Phrase, TileclockError, as_phrase, reason
from hardware.pins.contract import PinFactory

FactoryName = Literal["gpiod", "rpigpio", "mock"]
_LGPIO_WHEELS: Final = (3, 12)
"""The last Python for which PyPI has lgpio built."""


Opener: TypeAlias = Callable[..., PinFactory]
"""The signature of ``open_factory``: the library's name, ``chip=`` the label of a gpiochip or None."""


def open_factory(name: FactoryName, *, chip: str | None = None) -> PinFactory:
    """Return an open pin factory, which the caller closes; ``chip`` is for gpiod, the label of a gpiochip, None finds the header's.

    ``name``: ``gpiod`` (kernel stamps), ``rpigpio`` (RPi.GPIO as rpi-lgpio provides it, Python stamps) or ``mock`` (simulated pins, exact stamps).
    Raises PinLibraryMissing: it is not installed or fails to load; PinUnavailable: no pins on this machine, or no permission.
    """
    if name == "mock":
        from hardware.pins.mock import MockPins  # noqa: PLC0415 - loaded only if asked for

        return MockPins()
    return _open_gpiod(chip) if name == "gpiod" else _open_rpigpio()


def opener_of(name: FactoryName | Literal["none"], chip: str, factory: PinFactory | None) -> Callable[[], PinFactory] | None:
    """Return a function that opens the library of the settings, or returns ``factory``; None: no pins. ``chip``: its label, empty finds the header's."""
    if factory is not None:
        return lambda: factory
    return None if name == "none" else lambda: open_factory(name, chip=chip or None)


def _open_gpiod(chip: str | None) -> PinFactory:
    # Not just ``gpiod``: Debian bookworm's 1.x has that name but another API.
    _library("gpiod.line", to_install("gpiod==2.5.0", "python3-libgpiod (from trixie on)"))
    from hardware.pins.gpiod import LibgpiodFactory  # noqa: PLC0415 - needs the library just found

    try:
        factory: PinFactory = LibgpiodFactory(chip=chip)
    except LibgpiodFactory.failures as why:
        raise _no_chip(why) from why
    return factory


def _open_rpigpio() -> PinFactory:
    remedy = _to_install_rpi_lgpio()
    library = _library("RPi.GPIO", remedy)
    if not hasattr(library, "lgpio"):
        raise _missing("RPi.GPIO", "the original RPi.GPIO, which finds no edges since Linux 6.6", remedy)
    from hardware.pins.rpigpio import FAILURES, PythonStampedFactory  # noqa: PLC0415 - needs the library just found

    try:
        factory: PinFactory = PythonStampedFactory()
    except FAILURES as why:
        raise _no_chip(why) from why
    return factory


def _to_install_rpi_lgpio() -> Phrase:
    if DEBIANS not in sys.path and sys.version_info[:2] > _LGPIO_WHEELS:
        return as_phrase('Set pins = "gpiod" under [board]: PyPI has no rpi-lgpio for this Python')
    return to_install("rpi-lgpio==0.6", "python3-rpi-lgpio")


def _library(module: str, remedy: Phrase) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as why:
        raise _missing(module, str(why), remedy) from why
    except RuntimeError as why:  # RPi.GPIO looks at the machine while it is imported
        raise _no_chip(why) from why
    except OSError as why:  # the lgpio below rpi-lgpio makes a FIFO in the working directory while it is imported
        expected = Phrase("a writable working directory, where {module} creates a FIFO", module=module)
        raise PinUnavailable(expected=expected, found=reason(why), remedy="Start the program in another directory") from why


def _missing(module: str, found: str, remedy: Phrase) -> PinLibraryMissing:
    return PinLibraryMissing(expected=Phrase("the pin library {module}", module=module), found=found, remedy=remedy)


def _no_chip(why: Exception) -> PinUnavailable:
    from gpiozero.exc import PinUnknownPi  # noqa: PLC0415 - gpiozero loads slowly, and only what opens pins needs it

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
        remedy="Add the clock's user to the group gpio (sudo usermod -aG gpio USER), log in again, and end any other program that uses the pins",
    )


MISSING: Final = (PinUnavailable, PinLibraryMissing)
EVERY_NS: Final = 5_000_000_000


class Closeable(Protocol):
    def close(self) -> None: ...


P = TypeVar("P", bound=Closeable)


class RetryingPins(Generic[P]):
    """Pins to open, and to retry while unavailable. All or none: a clock that lacks one button without saying so is worse than one that says so.

    ``opener`` raises one of ``MISSING``. ``notifier`` gets the reason for systemd's status line.
    """

    def __init__(self, opener: Callable[[], P], notifier: Notifier) -> None:
        self._opener = opener
        self._notifier = notifier
        self._opened: P | None = None
        self.why: Diagnosis | None = None
        """Why they are unavailable; None: they are open, or not yet tried."""
        self.due = 0

    def retry(self, now: int) -> P | None:
        """Try if due at ``now`` (ns), the first time at once; return the open pins, which this object closes, or None."""
        if now < self.due:
            return None
        self.due = now + EVERY_NS
        try:
            self._opened = self._opener()
        except MISSING as error:
            self._report_failure(error)
            return None
        if self.why is not None:
            self.why = None
            self._notifier.notify("STATUS=")
            get_logger().info("the pins are available")
        return self._opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _report_failure(self, error: TileclockError) -> None:
        why = Diagnosis.of(error)
        if why != self.why:
            self.why = why
            self._notifier.notify(f"STATUS=No pins,retrying: {why}")
            get_logger().error("the pins are not available; trying again", why=str(why))


@contextmanager
def open_or_retry(opener: Callable[[], P] | None, notifier: Notifier | None) -> Iterator[tuple[P | None, RetryingPins[P] | None]]:
    """Yield open pins, or the object that opens them later; close either at the end. ``opener`` None: no pins are used, and both are None.

    ``notifier`` None: not a service, so they are opened now, and PinUnavailable or PinLibraryMissing is raised.
    """
    pins = opener() if opener is not None and notifier is None else None
    retrying = None if opener is None or notifier is None else RetryingPins(opener, notifier)
    try:
        yield pins, retrying
    finally:
        for opened in (pins, retrying):
            if opened is not None:
                opened.close()
