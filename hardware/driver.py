"""A device with a thread of its own, for all that the programs drive on a port: LED displays and the slip printer.

A device's faults (unplugged, blocked, back under another name) never affect the caller, who may ask for its trouble at any time.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

from appliance.errors import Diagnosis
from appliance.log import get_logger
from faults.errors import TileclockError

OnTrouble: TypeAlias = Callable[[Diagnosis | None], None]


class Driver(ABC):
    """Drives a device from now on until ``close``; the thread finds out whether it is there.

    ``name`` is for messages; ``error`` is the trouble once an unexpected error has ended the thread, and ``works`` what it expected. ``changed`` is called in that thread whenever ``trouble`` changes: it must only enqueue, not raise. A subclass sets its own
    fields before it calls this: the thread begins here.
    """

    def __init__(self, name: str, changed: OnTrouble | None, error: type[TileclockError], works: str) -> None:
        self._device, self._error, self._works = name, error, works
        self._changed = changed
        self._trouble: Diagnosis | None = None
        self._closing = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> Diagnosis | None:
        """Why the device does nothing; None while no fault is known."""
        return self._trouble

    def close(self, within_s: float = 3.0) -> bool:
        """Let the device finish if it can now, and end the thread; return whether it ended in time."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(within_s)
        return not self._thread.is_alive()

    @abstractmethod
    def _drive(self) -> None:
        """Find the device, and drive it until ``_closing``; in the thread."""

    def _run(self) -> None:
        try:
            self._drive()
        except Exception as why:  # noqa: BLE001 - whatever ends the thread must be reported
            self._set_trouble(self._error(expected=self._works, found=type(why).__name__, remedy="Restart the program"))

    def _pause(self, seconds: float) -> None:
        with self._wake:
            self._wake.wait_for(lambda: self._closing, seconds)

    def _set_trouble(self, error: TileclockError | None) -> None:
        trouble = None if error is None else Diagnosis.of(error)
        if trouble == self._trouble:
            return
        self._trouble = trouble
        if trouble is None:
            get_logger().info(f"the {self._device} works again")
        else:
            get_logger().warning(f"the {self._device} does not work", why=str(trouble))
        if self._changed is not None:
            self._changed(trouble)
