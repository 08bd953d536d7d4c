"""An update that the desk has ordered: no press counts any more, the answer goes out, then the machine is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from appliance.log import get_logger
from appliance.records.io_errors import describe_io_error
from appliance.service.update import UpdateRequest
from firmware.shell.clock import TableClock
from rules.duration import NS

ANSWERS_NS: Final = 2 * NS
"""From the decision to the request: the row and the answer go out first, for the request ends this program."""
TAKEN_NS: Final = 60 * NS
"""How long the clock waits for its end. Afterwards the players have it back."""


class ClockUpdate:
    """Asks for the update at its time.

    Args:
        clock: the table.
        request: where to ask.
        failed: told that nothing came of it.
    """

    def __init__(self, clock: TableClock, request: UpdateRequest, failed: Callable[[], None]) -> None:
        self._clock, self._request, self._failed = clock, request, failed
        self._asked = False
        self.due: int | None = None
        """When ``show`` has something to do (ns); None: no update is ordered."""

    def begin(self, now: int) -> None:
        """Let the clock rest from ``now`` (ns) on; an order that is repeated changes nothing."""
        if self.due is None:
            self._clock.rest(now)
            self._asked, self.due = False, now + ANSWERS_NS

    def show(self, now: int) -> None:
        """Ask, or give up, if it is time at ``now`` (ns)."""
        if self.due is None or now < self.due:
            return
        try:
            if not self._asked:
                self._request.ask()
                self._asked, self.due = True, now + TAKEN_NS
                get_logger().warning("update requested, as the director's desk ordered")
                return
            self._request.withdraw()
            why = f"this clock was not stopped within {TAKEN_NS // NS} s of the request"
        except OSError as error:
            why = str(describe_io_error(error))
        self.due = None
        self._clock.note(now, given_up="update", why=why)
        get_logger().error("the update is given up, the clock goes on", why=why)
        if self._clock.hall is not None:
            self._clock.hall = replace(self._clock.hall, updating=False)
        self._failed()
