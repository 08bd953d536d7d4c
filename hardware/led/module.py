"""One serial LED module, in a thread of its own: a picture is handed over at once, and shown when the module can.

Nothing that a module does (unplugged, held up, gone and back under another name) comes back to whoever hands a picture over. Only what has changed is sent, and
no picture before the last one is out, so the newest always wins; once a second the whole picture is sent, for a module that lost power in between.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from appliance.errors import Diagnosis, LedError, reason
from appliance.log import get_logger
from hardware.led.picture import DARK, Lit, Picture, still
from hardware.led.protocol import brightness, changes, whole
from hardware.serial.line import LedLine

if TYPE_CHECKING:
    from hardware.led.port import LedPort


@dataclass(frozen=True, slots=True)
class LedPatience:
    """How long a module's thread waits for what; in s."""

    refresh_s: float = 1.0
    """So often the whole picture is sent."""
    write_s: float = 1.0
    """The module may take so long to take a picture."""
    again_s: float = 0.25
    """After trouble it is tried again so much later, each time twice as long after,"""
    longest_s: float = 2.0
    """but never longer than this."""


Tell = Callable[[Diagnosis | None], None]


def _nobody(_trouble: Diagnosis | None) -> None:
    """Nobody wants to know."""


class LedModule:
    """A module that is tended from now on, until ``close``; dark at first.

    Args:
        name: whose it is, as it is told: ``left``.
        line: where it may be, its speed and brightness. Whether it is there is found out in the thread.
        changed: told, in the module's thread, whenever ``trouble`` has become another; it only enqueues, and does not raise.
        patience: how long it waits for what.
    """

    def __init__(self, name: str, line: LedLine, changed: Tell = _nobody, patience: LedPatience = LedPatience()) -> None:
        self.name = name
        self._line = line
        self._changed = changed
        self._patience = patience
        self._picture = still(DARK)
        self._since = time.monotonic()
        self._fresh = False
        """A picture was handed over that the thread has not looked at."""
        self._trouble: Diagnosis | None = None
        self._closing = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=f"{name} LED display", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> Diagnosis | None:
        """Why the module shows nothing; None while nothing is known to be wrong."""
        return self._trouble

    def show(self, picture: Picture) -> None:
        """Hand over what is to be shown from now on, at once and whatever the module does."""
        with self._wake:
            if picture == self._picture:
                return
            if not picture.theme or picture.theme != self._picture.theme:
                self._since = time.monotonic()
            self._picture, self._fresh = picture, True
            self._wake.notify()

    def close(self, within_s: float = 3.0) -> bool:
        """End the thread; the module is left dark where it can be: a reading that stands would be taken for a clock. Return whether it ended within that time."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(within_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            # Here, so that a clock without LED displays has no pyserial in its memory.
            from hardware.led.port import LedPort  # noqa: PLC0415

            self._tend(LedPort(self.name, self._line, write_s=self._patience.write_s))
        except ImportError as why:
            self._tell(LedError(expected="the library pyserial", found=reason(why), remedy="Install Tileclock anew"))
        except Exception as why:  # noqa: BLE001 - of whatever a library's code made it end: that nothing is shown any more has to be said
            expected = f"to go on showing the {self.name} LED display"
            self._tell(LedError(expected=expected, found=type(why).__name__, remedy="Start the program anew"))

    def _tend(self, port: LedPort) -> None:
        wait_s = self._patience.again_s
        while not self._closing:
            began = time.monotonic()
            try:
                port.open()
                self._serve(port)
                port.close()
            except LedError as why:
                self._tell(why)
            finally:
                port.drop()
            # One that failed at once, or soon after it was there again, is not to be tried without end.
            lasted = time.monotonic() - began > 2 * self._patience.longest_s
            wait_s = self._patience.again_s if lasted else min(2 * wait_s, self._patience.longest_s)
            with self._wake:
                self._wake.wait_for(lambda: self._closing, wait_s)

    def _serve(self, port: LedPort) -> None:
        """Show what is wanted until the end, or until the port fails."""
        port.send(brightness(self._line.brightness))
        shown, due = DARK, 0.0
        while not self._closing:
            port.settle()
            now = time.monotonic()
            lit, lasts_s = self._wanted(now)
            if now >= due:
                port.send(whole(lit))
                due = now + self._patience.refresh_s
            else:
                port.send(changes(shown, lit))
            if self._trouble is not None:
                port.settle()  # back only once it has taken something
            self._tell(None)
            shown = lit
            self._sleep(min(due - now, lasts_s))
        port.settle()
        port.send(whole(DARK))
        port.settle()

    def _wanted(self, now: float) -> tuple[Lit, float]:
        """Return what is to be lit at ``now``, and for how long, in s."""
        with self._wake:
            self._fresh = False
            lit, ms = self._picture.at(int((now - self._since) * 1000))
        return lit, _FOR_EVER_S if ms is None else ms / 1000

    def _sleep(self, time_s: float) -> None:
        with self._wake:
            self._wake.wait_for(lambda: self._fresh or self._closing, time_s)

    def _tell(self, error: LedError | None) -> None:
        trouble = None if error is None else Diagnosis.of(error)
        if trouble == self._trouble:
            return
        self._trouble = trouble
        if trouble is None:
            get_logger().info("LED display back", side=self.name)
        else:
            get_logger().warning("LED display", side=self.name, why=str(trouble))
        self._changed(trouble)


_FOR_EVER_S: Final = 3600.0
