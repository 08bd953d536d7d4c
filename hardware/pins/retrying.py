"""Unavailable pins: the program starts without them, reports it, and retries until they are available.

For programs that run as a service: at a tournament no one can log in, fix something and restart it. Another program may release a pin later, and a chip may
appear late at boot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, Protocol, TypeVar

from appliance.errors import Diagnosis, PinLibraryMissing, PinUnavailable
from appliance.log import get_logger
from appliance.service.heartbeat import Notifier
from faults.errors import TileclockError

MISSING: Final = (PinUnavailable, PinLibraryMissing)
"""The errors that mean unavailable pins."""
EVERY_NS: Final = 5_000_000_000
"""The retry interval, in ns."""


class Closeable(Protocol):
    """An object that owns open pins."""

    def close(self) -> None:
        """Release the pins."""
        ...


P = TypeVar("P", bound=Closeable)


class RetryingPins(Generic[P]):
    """Unavailable pins to retry. All or none: a clock that lacks one button without saying so is worse than one that says so.

    Args:
        opener: opens them, or raises one of ``MISSING``; called in the thread that calls ``retry``.
        error: the opener's first error.
        now: the instant, ns.
        notifier: gets the reason for systemd's status line.
    """

    def __init__(self, opener: Callable[[], P], error: TileclockError, now: int, notifier: Notifier) -> None:
        self._opener = opener
        self._notifier = notifier
        self._opened: P | None = None
        self.why: Diagnosis | None = None
        """Why they are unavailable; None once they are open."""
        self.due = now + EVERY_NS
        """The instant of the next retry, ns."""
        self._report_failure(error)

    def retry(self, now: int) -> P | None:
        """Retry if due at ``now`` (ns); return the open pins, which this object closes, or None."""
        if now < self.due:
            return None
        self.due = now + EVERY_NS
        try:
            self._opened = self._opener()
        except MISSING as error:
            self._report_failure(error)
            return None
        self.why = None
        self._notifier.notify("STATUS=")
        get_logger().info("pins", found="available now")
        return self._opened

    def close(self) -> None:
        """Release the pins if open. Idempotent."""
        if self._opened is not None:
            self._opened.close()

    def _report_failure(self, error: TileclockError) -> None:
        why = Diagnosis.of(error)
        if why != self.why:
            self.why = why
            self._notifier.notify(f"STATUS=No pins,retrying: {why}")
            get_logger().error("no pins,retrying", why=str(why))


@contextmanager
def open_or_retry(opener: Callable[[], P] | None, now: int, notifier: Notifier | None) -> Iterator[tuple[P | None, RetryingPins[P] | None]]:
    """Yield open pins, or the object that retries them; close either at the end.

    Args:
        opener: opens them; None: no pins are used, and both are None.
        now: the instant, ns.
        notifier: notifies systemd; None (not a service): raise the error instead of retrying.

    Raises:
        PinUnavailable, PinLibraryMissing: they are unavailable, and ``notifier`` is None.
    """
    pins = retrying = None
    if opener is not None:
        try:
            pins = opener()
        except MISSING as error:
            if notifier is None:
                raise
            retrying = RetryingPins(opener, error, now, notifier)
    try:
        yield pins, retrying
    finally:
        for opened in (pins, retrying):
            if opened is not None:
                opened.close()
