"""Why somebody has to go to a table, and since when: the most urgent first."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from msgspec import Struct

from faults.errors import Phrase
from game.game import Phase
from hall.desk.tiles.folded import LiveClock
from hall.picture import RemoteDevice
from hall.status import phase_words
from records.words import SIDES
from rules.duration import NS, seconds_shown
from rules.side import BySide
from wire.reports import STALE_NS

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
    NeedKind.CALL: Phrase("calls the director"),
    NeedKind.CHALLENGE: Phrase("challenge"),
    NeedKind.OVERTIME: Phrase("overtime"),
    NeedKind.ASKED: Phrase("not frozen"),
    NeedKind.HOLD: Phrase("hold"),
    NeedKind.STOP: Phrase("stopped"),
    NeedKind.NOT_STARTED: Phrase("not started"),
    NeedKind.STALE: Phrase("not heard"),
    NeedKind.TROUBLE: Phrase("record"),
    NeedKind.POWER: Phrase("weak power"),
}


class Need(Struct, frozen=True):
    kind: NeedKind
    since: int | None
    """In ns of the listener; None: it is not known."""
    words: str

    @property
    def urgency(self) -> tuple[int, int]:
        """The sort key: by kind, then whoever has waited longest."""
        return self.kind, 0 if self.since is None else self.since


class TableSituation(Struct, frozen=True):
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
    names: BySide[str] = BySide("", "")
    call_taker: str = ""
    """The user who goes to the call; empty: none yet."""
    next_awaited: bool = False
    """Its game is over, and others play there in the current round."""

    def desk_instant(self, at: int) -> int | None:
        """Return an instant of the clock's machine as one of the listener."""
        return None if self.offset is None else at + self.offset


def needs(situation: TableSituation) -> tuple[Need, ...]:
    """Return why somebody has to go there, the most urgent first."""
    found = [*_of_game(situation), *_of_device(situation)]
    return tuple(sorted(found, key=lambda need: need.urgency))


def next_need(situation: TableSituation) -> Iterator[int]:
    """Yield the instants (ns of the listener) at which the needs change although nothing happens at the table."""
    device, clock = situation.device, situation.clock
    heard = device.first_heard if device.beat_at is None else device.beat_at
    if situation.now - heard <= STALE_NS:
        yield heard + STALE_NS + 1
    if clock is None:
        return
    if (
        clock.running is not None
        and (begins := situation.desk_instant(clock.at + clock.accounts.of(clock.running).remaining + NS)) is not None
    ):
        yield begins
    if (asked := _asked_since(situation, clock)) is not None:
        yield asked + SLOW_STOP_NS
    if (stopped := _stopped_since(situation, clock)) is not None:
        yield stopped + LONG_STOP_NS
    if _not_begun(situation, clock) and situation.round_began is not None:
        yield situation.round_began


def stale_since(device: RemoteDevice, now: int) -> int | None:
    """Return since when a device is stale; a new one has as long for its first beat as any has for the next."""
    since = device.stale_since(now)
    return None if since is None or now - since <= STALE_NS else since


def _of_game(situation: TableSituation) -> Iterator[Need]:
    device, clock = situation.device, situation.clock
    if device.called_at is not None or (clock is not None and clock.called):
        taken = situation.call_taker and Phrase("calls the director; {who} is on the way", who=situation.call_taker)
        yield Need(NeedKind.CALL, _called_since(situation), taken or WORDS[NeedKind.CALL])
    if clock is None:
        return
    since = situation.desk_instant(clock.since)
    if clock.phase is Phase.ADJUDICATION:
        yield Need(NeedKind.CHALLENGE, since, Phrase("challenge waits for a verdict"))
    yield from _overtime(situation, clock)
    if (asked := _asked_since(situation, clock)) is not None and situation.now - asked >= SLOW_STOP_NS:
        yield Need(NeedKind.ASKED, asked, Phrase("asked to stop, still running"))
    if clock.phase is Phase.HOLD:
        by = clock.holder and Phrase("hold by {who}", who=situation.names.of(clock.holder) or SIDES[clock.holder])
        yield Need(NeedKind.HOLD, since, by or WORDS[NeedKind.HOLD])
    if (stopped := _stopped_since(situation, clock)) is not None and situation.now - stopped >= LONG_STOP_NS:
        yield Need(NeedKind.STOP, stopped, _stop_words(clock))
    began = situation.round_began
    if clock.phase is Phase.LATE:
        yield Need(NeedKind.NOT_STARTED, since, Phrase("a player is late, the clock counts"))
    elif _not_begun(situation, clock) and began is not None and situation.now >= began:
        yield Need(NeedKind.NOT_STARTED, began, WORDS[NeedKind.NOT_STARTED])


def _not_begun(situation: TableSituation, clock: LiveClock) -> bool:
    return clock.phase is Phase.READY or (clock.phase is Phase.OVER and situation.next_awaited)


def _asked_since(situation: TableSituation, clock: LiveClock) -> int | None:
    """Return since when a clock runs in spite of a freeze; None: it does not."""
    freeze = clock.freeze
    if freeze is None or not freeze.stands or clock.running is None:
        return None
    return situation.desk_instant(freeze.asked)


def _stopped_since(situation: TableSituation, clock: LiveClock) -> int | None:
    """Return since when a stop counts as one that lasts; None: there is none, or a freeze keeps the clock stopped."""
    freeze = clock.freeze
    if clock.phase is not Phase.NEUTRAL or (freeze is not None and freeze.stands):
        return None
    # Players whom a freeze has stopped can go on only after it was taken back.
    ended = freeze.taken_back if freeze is not None and freeze.by is not None else None
    return situation.desk_instant(clock.since if ended is None else ended)


def _stop_words(clock: LiveClock) -> Phrase:
    if clock.freeze is not None and clock.freeze.by is not None:
        return Phrase("not started again after the freeze")
    return phase_words(clock.phase.value, clock.reason) if clock.reason else Phrase("stopped without a reason")


def _overtime(situation: TableSituation, clock: LiveClock) -> Iterator[Need]:
    if clock.phase is Phase.OVER:
        return
    for side, account in clock.accounts.items():
        runs = clock.running is side
        now = None if situation.offset is None else situation.now - situation.offset
        remaining = account.remaining - (max(0, now - clock.at) if runs and now is not None else 0)
        # -0:00 is not overtime (2017 V.G.2).
        if seconds_shown(remaining) < 0:
            since = situation.desk_instant(clock.at + account.remaining) if runs else None
            yield Need(NeedKind.OVERTIME, since, Phrase("{side} in overtime", side=SIDES[side]))


def _called_since(situation: TableSituation) -> int | None:
    """Return the instant of the call: the clock's own, where its machine's time is known."""
    device = situation.device
    if device.call is not None and device.clock is not None and device.call.boot == device.clock.boot:
        own = situation.desk_instant(device.call.since)
        if own is not None:
            return own
    return device.called_at


def _of_device(situation: TableSituation) -> Iterator[Need]:
    device = situation.device
    stale = stale_since(device, situation.now)
    if stale is not None:
        yield Need(NeedKind.STALE, stale, WORDS[NeedKind.STALE])
    if situation.differs:
        yield Need(NeedKind.TROUBLE, None, Phrase("its rows and its face differ"))
    elif device.troubles:
        yield Need(NeedKind.TROUBLE, None, next(iter(device.troubles.values())))
    elif device.beat is not None and device.beat.card is not None and device.beat.card.fault is not None:
        yield Need(NeedKind.TROUBLE, None, Phrase("its memory card cannot be written"))
    if (weak := weak_power(device)) is not None:
        yield Need(NeedKind.POWER, situation.power_since, weak)


def weak_power(device: RemoteDevice) -> Phrase | None:
    """Return what is wrong with the power of a device, in words; None: nothing is, or it has not been heard."""
    if device.beat is None:
        return None
    if device.beat.power == "low":
        return WORDS[NeedKind.POWER]
    battery = device.beat.battery
    return Phrase("battery {percent}\u00a0%", percent=battery.percent) if battery is not None and battery.low else None
