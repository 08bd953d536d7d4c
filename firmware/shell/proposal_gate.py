"""What the link hands in, before the loop: form and signatures are checked in the socket's thread, and only what passes waits for the loop.

Garbage costs the loop nothing: at most ten refusals a minute reach it and the journal one by one, then their number.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from firmware.hall.opening import Refusal, SignatureCheck, Trust, id_of, opened
from rules.duration import NS
from wire.proposals import Order, RefusalReason, VerdictBody
from wire.reports import LinkState

A_MINUTE: Final = 10
_MINUTE_NS: Final = 60 * NS


class RefusalCounter(Struct):
    """Counts refusals, for one thread."""

    since: int = -_MINUTE_NS
    reported: int = 0
    untold: int = 0

    def refused(self, now: int) -> int:
        """Count a refusal at ``now`` (ns); return for how many a row is to be written, itself included; 0: none yet."""
        if now - self.since >= _MINUTE_NS:
            self.since, self.reported = now, 0
        self.untold += 1
        if self.reported >= A_MINUTE:
            return 0
        self.reported += 1
        return self._take_first()

    @property
    def due(self) -> int | None:
        """When ``rest`` is to be asked (ns): at the end of a minute with more refusals than rows; None: no row waits."""
        return self.since + _MINUTE_NS if self.reported >= A_MINUTE else None

    def rest(self, now: int, *, stops: bool = False) -> int:
        """Return for how many a row is due at ``now``, or at a stop; 0: none."""
        if not stops and (self.due is None or now < self.due):
            return 0
        self.reported = 0
        return self._take_first()

    def _take_first(self) -> int:
        count, self.untold = self.untold, 0
        return count


WAITING: Final = 8


class Proposed(Struct, frozen=True):
    """A genuine proposal."""

    proposal: Order | VerdictBody
    retained: bool


class RefusedPackets(Struct, frozen=True):
    """Packets refused before the loop: the last one, and how many there were since the last of these."""

    last: Refusal
    count: int


HallInput: TypeAlias = Proposed | RefusedPackets | LinkState


class ProposalGate:
    """Checks what comes in and passes it on.

    ``trust``: None, it is not enrolled and nothing comes in. ``pass_on`` enqueues for the loop, from any thread; ``refuse`` answers a packet that
    does not reach it, with its id. ``now`` in ns; ``today``: the day since 1970, None if the machine's date is not plausible.
    """

    def __init__(  # noqa: PLR0913 - what the thread may use is listed here
        self,
        trust: Trust | None,
        fits: SignatureCheck,
        *,
        pass_on: Callable[[HallInput], None],
        refuse: Callable[[str, RefusalReason], None],
        now: Callable[[], int],
        today: Callable[[], int | None],
    ) -> None:
        self.trust = trust
        """Replaced in the socket's thread once the clock is enrolled."""
        self._fits = fits
        self._pass_on, self._refuse = pass_on, refuse
        self._now, self._today = now, today
        self._room = threading.Semaphore(WAITING)
        self._refusals, self._last = RefusalCounter(), Refusal(RefusalReason.MALFORMED, None, "")
        self._counting = threading.Lock()

    def receive(self, topic: str, payload: str, *, retained: bool) -> None:
        if self.trust is None:
            self._turn_away(Refusal(RefusalReason.NOT_ENROLLED, id_of(payload), topic))
            return
        found = opened(topic, payload, self.trust, self._fits, self._today())
        if isinstance(found, Refusal):
            self._turn_away(found)
        elif self._room.acquire(blocking=False):
            self._pass_on(Proposed(found, retained))
        else:
            self._turn_away(Refusal(RefusalReason.BUSY, found.id, topic))

    def handled(self) -> None:
        self._room.release()

    def _turn_away(self, refusal: Refusal) -> None:
        if refusal.id is not None:
            self._refuse(refusal.id, refusal.reason)
        with self._counting:
            self._last = refusal
            count = self._refusals.refused(self._now())
        if count:
            self._pass_on(RefusedPackets(refusal, count))

    @property
    def due(self) -> int | None:
        with self._counting:
            return self._refusals.due

    def rest(self, now: int, *, stops: bool) -> RefusedPackets | None:
        """Return the refusals above ten a minute, once the minute is over or the clock stops; None: there are none. Any thread."""
        with self._counting:
            count = self._refusals.rest(now, stops=stops)
            return RefusedPackets(self._last, count) if count else None
