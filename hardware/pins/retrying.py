"""Pins that cannot be had when a program starts: it goes on without them, says so, and they are tried again until they are there.

Between ``opening`` and the programs' shells, for a program that runs as a service: nobody at a tournament can log in, correct something and start it by hand.
A pin that another program holds is let go of some time, and a chip may come late at boot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from appliance.errors import Diagnosis, PinLibraryMissing, PinUnavailable, TileclockError
from appliance.log import get_logger
from appliance.service.heartbeat import Notifier

MISSING: Final = (PinUnavailable, PinLibraryMissing)
"""What says that pins cannot be had."""
EVERY_NS: Final = 5_000_000_000
"""They are tried again so often."""


class Closes(Protocol):
    """Pins that were opened together."""

    def close(self) -> None:
        """Give them back."""
        ...


P = TypeVar("P", bound=Closes)


class RetryingPins(Generic[P]):
    """Pins that are not there yet. All or none: a clock that lacks one button is worse than one that says so.

    Args:
        opener: opens them, or raises one of ``MISSING``; called again from the thread that calls ``again``.
        error: what it has just raised.
        now: the instant, ns.
        notifier: hears why in a line, for whoever asks systemd how the service does.
    """

    def __init__(self, opener: Callable[[], P], error: TileclockError, now: int, notifier: Notifier) -> None:
        self._opener = opener
        self._notifier = notifier
        self._opened: P | None = None
        self.why: Diagnosis | None = None
        """Why they cannot be had; None once they are there."""
        self.due = now + EVERY_NS
        """When they are tried again, ns."""
        self._cannot(error)

    def again(self, now: int) -> P | None:
        """Try once more, if it is time at ``now`` (ns); return the pins, which this object closes, or None."""
        if now < self.due:
            return None
        self.due = now + EVERY_NS
        try:
            self._opened = self._opener()
        except MISSING as error:
            self._cannot(error)
            return None
        self.why = None
        self._notifier.notify("STATUS=")
        get_logger().info("pins", found="they are there now")
        return self._opened

    def close(self) -> None:
        """Give back what has been opened; harmless when done twice."""
        if self._opened is not None:
            self._opened.close()

    def _cannot(self, error: TileclockError) -> None:
        why = Diagnosis.of(error)
        if why != self.why:
            self.why = why
            self._notifier.notify(f"STATUS=No pins, tried again: {why}")
            get_logger().error("no pins, tried again", why=str(why))


def open_or_await(opener: Callable[[], P], now: int, notifier: Notifier | None) -> P | RetryingPins[P]:
    """Return pins, opened; or, where they cannot be had, those that are tried again. The caller closes either.

    Args:
        opener: opens them.
        now: the instant, ns.
        notifier: hears of it. None: nobody starts the program again, or nobody sees that it goes on: then it ends with the sentence.

    Raises:
        PinUnavailable, PinLibraryMissing: they cannot be had, and ``notifier`` is None.
    """
    try:
        return opener()
    except MISSING as error:
        if notifier is None:
            raise
        return RetryingPins(opener, error, now, notifier)
