"""Why somebody has to go to a table, and since when: the most urgent first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from game.game import Phase
from hall.desk.cards.live import LiveClock
from hall.picture.hall import STALE_NS, RemoteDevice
from rules.duration import NS, seconds_shown
from rules.side import BySide

LONG_STOP_NS: Final = 120 * NS
"""A stop is a need from then on; most reasons for one take less."""
SLOW_STOP_NS: Final = 10 * NS
"""A clock that runs in spite of a freeze is a need from then on; players who stop theirs take less."""


class NeedKind(IntEnum):
    """The kinds, in the order in which a director goes to the tables."""

    CALL = 0
    CHALLENGE = 1
    OVERTIME = 2
    ASKED = 3
    HOLD = 4
    STOP = 5
    NOT_STARTED = 6
    STALE = 7
    TROUBLE = 8
    POWER = 9


WORDS: Final = {
    NeedKind.CALL: "calls the director",
    NeedKind.CHALLENGE: "challenge",
    NeedKind.OVERTIME: "overtime",
    NeedKind.ASKED: "not frozen",
    NeedKind.HOLD: "hold",
    NeedKind.STOP: "stopped",
    NeedKind.NOT_STARTED: "not started",
    NeedKind.STALE: "not heard",
    NeedKind.TROUBLE: "record",
    NeedKind.POWER: "weak power",
}


@dataclass(frozen=True, slots=True)
class Need:
    """One reason."""

    kind: NeedKind
    since: int | None
    """In ns of the listener; None: it is not known."""
    words: str

    @property
    def urgency(self) -> tuple[int, int]:
        """The sort key: by kind, then whoever has waited longest."""
        return self.kind, 0 if self.since is None else self.since


@dataclass(frozen=True, slots=True)
class Standing:
    """What the needs of a table follow from, at ``now``; instants in ns of the listener."""

    device: RemoteDevice
    clock: LiveClock | None
    offset: int | None
    """Add it to an instant of the clock's machine for the listener's; None: not known."""
    round_began: int | None
    """When the round began; None: it has not, or it is not known."""
    power_since: int | None
    """Since when its power is weak."""
    differs: bool
    """Its rows contradict what it reports."""
    now: int
    names: BySide[str] = BySide("", "")  # noqa: RUF009 - a frozen value
    on_way: str = ""
    """The user who goes to the call; empty: none yet."""
    next_awaited: bool = False
    """Its game is over, and others play there in the current round."""

    def here(self, at: int) -> int | None:
        """Return an instant of the clock's machine as one of the listener."""
        return None if self.offset is None else at + self.offset


def needs(standing: Standing) -> tuple[Need, ...]:
    """Return why somebody has to go there, the most urgent first."""
    found = [*_of_game(standing), *_of_device(standing)]
    return tuple(sorted(found, key=lambda need: need.urgency))


def next_need(standing: Standing) -> Iterator[int]:
    """Yield the instants (ns of the listener) at which the needs change although nothing happens at the table."""
    device, clock = standing.device, standing.clock
    heard = device.first_heard if device.beat_at is None else device.beat_at
    if standing.now - heard <= STALE_NS:
        yield heard + STALE_NS + 1
    if clock is None:
        return
    if clock.running is not None and (begins := standing.here(clock.at + clock.accounts.of(clock.running).remaining + NS)) is not None:
        yield begins
    if (asked := _asked_since(standing, clock)) is not None:
        yield asked + SLOW_STOP_NS
    if (stopped := _stopped_since(standing, clock)) is not None:
        yield stopped + LONG_STOP_NS
    if _not_begun(standing, clock) and standing.round_began is not None:
        yield standing.round_began


def stale_since(device: RemoteDevice, now: int) -> int | None:
    """Return since when a device is stale; a new one has as long for its first beat as any has for the next."""
    since = device.stale_since(now)
    return None if since is None or now - since <= STALE_NS else since


def _of_game(standing: Standing) -> Iterator[Need]:
    device, clock = standing.device, standing.clock
    if device.called_at is not None or (clock is not None and clock.called):
        goes = f"; {standing.on_way} is on the way" if standing.on_way else ""
        yield Need(NeedKind.CALL, _called_since(standing), WORDS[NeedKind.CALL] + goes)
    if clock is None:
        return
    since = standing.here(clock.since)
    if clock.phase is Phase.ADJUDICATION:
        yield Need(NeedKind.CHALLENGE, since, "challenge waits for a verdict")
    yield from _overtime(standing, clock)
    if (asked := _asked_since(standing, clock)) is not None and standing.now - asked >= SLOW_STOP_NS:
        yield Need(NeedKind.ASKED, asked, "asked to stop, still running")
    if clock.phase is Phase.HOLD:
        by = "" if clock.holder is None else f" by {standing.names.of(clock.holder) or clock.holder}"
        yield Need(NeedKind.HOLD, since, f"hold{by}")
    if (stopped := _stopped_since(standing, clock)) is not None and standing.now - stopped >= LONG_STOP_NS:
        yield Need(NeedKind.STOP, stopped, _stop_words(clock))
    began = standing.round_began
    if clock.phase is Phase.LATE:
        yield Need(NeedKind.NOT_STARTED, since, "a player is late, the clock counts")
    elif _not_begun(standing, clock) and began is not None and standing.now >= began:
        yield Need(NeedKind.NOT_STARTED, began, WORDS[NeedKind.NOT_STARTED])


def _not_begun(standing: Standing, clock: LiveClock) -> bool:
    return clock.phase is Phase.READY or (clock.phase is Phase.OVER and standing.next_awaited)


def _asked_since(standing: Standing, clock: LiveClock) -> int | None:
    """Return since when a clock runs in spite of a freeze; None: it does not."""
    freeze = clock.freeze
    if freeze is None or freeze.taken_back is not None or clock.running is None:
        return None
    return standing.here(freeze.asked)


def _stopped_since(standing: Standing, clock: LiveClock) -> int | None:
    """Return since when a stop counts as one that lasts; None: there is none, or a freeze keeps the clock stopped."""
    freeze = clock.freeze
    if clock.phase is not Phase.NEUTRAL or (freeze is not None and freeze.taken_back is None):
        return None
    # Players whom a freeze has stopped can go on only after it was taken back.
    ended = freeze.taken_back if freeze is not None and freeze.by is not None else None
    return standing.here(clock.since if ended is None else ended)


def _stop_words(clock: LiveClock) -> str:
    if clock.freeze is not None and clock.freeze.by is not None:
        return "not started again after the freeze"
    return f"stopped: {clock.reason}" if clock.reason else "stopped without a reason"


def _overtime(standing: Standing, clock: LiveClock) -> Iterator[Need]:
    if clock.phase is Phase.OVER:
        return
    for side, account in clock.accounts.items():
        runs = clock.running is side
        now = None if standing.offset is None else standing.now - standing.offset
        remaining = account.remaining - (max(0, now - clock.at) if runs and now is not None else 0)
        # -0:00 is not overtime (2017 V.G.2).
        if seconds_shown(remaining) < 0:
            since = standing.here(clock.at + account.remaining) if runs else None
            yield Need(NeedKind.OVERTIME, since, f"{side} in overtime")


def _called_since(standing: Standing) -> int | None:
    """Return the instant of the call: the clock's own, where its machine's time is known."""
    device = standing.device
    if device.call is not None and device.clock is not None and device.call.boot == device.clock.boot:
        own = standing.here(device.call.since)
        if own is not None:
            return own
    return device.called_at


def _of_device(standing: Standing) -> Iterator[Need]:
    device = standing.device
    stale = stale_since(device, standing.now)
    if stale is not None:
        yield Need(NeedKind.STALE, stale, WORDS[NeedKind.STALE])
    if standing.differs:
        yield Need(NeedKind.TROUBLE, None, "its rows and its face differ")
    elif device.troubles:
        yield Need(NeedKind.TROUBLE, None, next(iter(device.troubles.values())))
    elif device.beat is not None and device.beat.card is not None and device.beat.card.fault is not None:
        yield Need(NeedKind.TROUBLE, None, "its card cannot be written")
    if device.beat is not None and device.beat.power == "low":
        yield Need(NeedKind.POWER, standing.power_since, "weak power")
