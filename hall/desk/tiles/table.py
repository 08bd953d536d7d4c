"""A table as a tile: who plays, both readings, what it does; why somebody has to go there, and since when. It stays the same value until something changes."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase, in_a_row
from game.game import Phase
from game.table import NO_NAMES
from hall.desk.tiles.folded import NOWHERE, DeskFreeze, FoldedGame, LiveClock, TableSeat, TileSide, agrees, names_next, of_game, of_report
from hall.picture import EXACT_NS, RemoteDevice
from hall.status import phase_words
from records.words import SIDES
from rules.duration import NS, reading, seconds_shown
from rules.side import BySide, Side
from wire.reports import STALE_NS, ClockReport


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
    known: Known
    differs: bool
    """Its rows contradict what it reports."""
    now: int
    names: BySide[str]
    next_awaited: bool
    """Its game is over, and others play there in the current round."""

    def desk_instant(self, at: int) -> int | None:
        return None if self.offset is None else at + self.offset


def needs(situation: TableSituation) -> tuple[Need, ...]:
    """Return why somebody has to go there, the most urgent first."""
    found = [*_of_game(situation), *_of_device(situation)]
    return tuple(sorted(found, key=lambda need: need.urgency))


def stale_since(device: RemoteDevice, now: int) -> int | None:
    """Return since when a device is stale; a new one has as long for its first beat as any has for the next."""
    since = device.stale_since(now)
    return None if since is None or now - since <= STALE_NS else since


def _of_game(situation: TableSituation) -> Iterator[Need]:
    device, clock = situation.device, situation.clock
    if device.called_at is not None or (clock is not None and clock.called):
        taken = situation.known.call_taker and Phrase("calls the director; {who} is on the way", who=situation.known.call_taker)
        yield Need(NeedKind.CALL, _called_since(situation), taken or WORDS[NeedKind.CALL])
    if clock is None:
        return
    since = situation.desk_instant(clock.since)
    if clock.phase is Phase.ADJUDICATION:
        yield Need(NeedKind.CHALLENGE, since, Phrase("challenge waits for a verdict"))
    yield from _overtime(situation, clock)
    # Players who stop their clock take less than ten seconds.
    if (asked := _asked_since(situation, clock)) is not None and situation.now - asked >= 10 * NS:
        yield Need(NeedKind.ASKED, asked, Phrase("asked to stop, still running"))
    if clock.phase is Phase.HOLD:
        by = clock.holder and Phrase("hold by {who}", who=situation.names.of(clock.holder) or SIDES[clock.holder])
        yield Need(NeedKind.HOLD, since, by or WORDS[NeedKind.HOLD])
    # Most reasons for a stop take less than two minutes.
    if (stopped := _stopped_since(situation, clock)) is not None and situation.now - stopped >= 120 * NS:
        yield Need(NeedKind.STOP, stopped, _stop_words(clock))
    began = situation.known.round_began
    if clock.phase is Phase.LATE:
        yield Need(NeedKind.NOT_STARTED, since, Phrase("a player is late, the clock counts"))
    elif (
        began is not None
        and situation.now >= began
        and (clock.phase is Phase.READY or (clock.phase is Phase.OVER and situation.next_awaited))
    ):
        yield Need(NeedKind.NOT_STARTED, began, WORDS[NeedKind.NOT_STARTED])


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
        yield Need(NeedKind.POWER, situation.known.power_since, weak)


def weak_power(device: RemoteDevice) -> Phrase | None:
    """Return what is wrong with the power of a device, in words; None: nothing is, or it has not been heard."""
    if device.power == "low":
        return WORDS[NeedKind.POWER]
    battery = device.battery
    return Phrase("battery {percent}\u00a0%", percent=battery.percent) if battery is not None and battery.low else None


class TableTile(Struct, frozen=True):
    """Instants in ns of the listener."""

    id: str
    table: int | None
    name: str
    division: str
    sides: BySide[TileSide] | None
    """None: the clock has not reported."""
    named: bool
    """The clock itself names both players; otherwise the names are an import's."""
    at: int | None
    """From then on the running side's time falls; None: none runs, or the time of the clock's machine is not known."""
    running: Side | None
    about: bool
    """A running reading may be off by more than 250 ms."""
    phase: str
    doing: str
    since: int | None
    needs: tuple[Need, ...]
    stale: int | None
    up: bool
    rulebook: str
    game: int
    rows: int
    missing: int
    freeze: DeskFreeze | None = None
    """The freeze that stands, with the instants of the clock's machine; None: none does."""
    asked: int | None = None
    """When it was asked to stop; None: there is no freeze, or the time of its machine is not known."""
    absent: tuple[Side, ...] = ()
    """Who has not pressed on arrival yet; empty also if the players are not asked to."""
    next_game: str = ""

    def gone(self, side: Side, now: int) -> int:
        """Return how much time of a side's has gone since ``at``, at ``now`` (ns)."""
        return max(0, now - self.at) if self.running is side and self.at is not None else 0

    def remaining(self, side: Side, now: int) -> int:
        """Return what a side has left at ``now``, in ns; 0: the clock has not reported."""
        return 0 if self.sides is None else self.sides.of(side).remaining - self.gone(side, now)

    @property
    def state(self) -> str:
        return in_a_row(self.next_game, self.doing, between=" · ") if self.next_game else self.doing

    @property
    def frozen(self) -> bool:
        return self.freeze is not None and self.running is None


class Known(Struct, frozen=True):
    """What a tile is made from, beside the device itself."""

    folded: FoldedGame | None = None
    players: BySide[str] = NO_NAMES
    """Who plays ``folded``, by the journal."""
    seat: TableSeat = NOWHERE
    round_began: int | None = None
    power_since: int | None = None
    call_taker: str = ""
    """The user who goes to the call; empty: none yet."""


def table_tile(device: RemoteDevice, known: Known, now: int) -> TableTile:
    boot = device.clock.boot if device.clock is not None else None if known.folded is None else known.folded.boot
    exchange = None if boot is None else device.offsets.of_boot(boot).best
    offset = None if exchange is None else exchange.offset
    clock, differs = _clock(device, known.folded, now, offset)
    own, seated = _names(device, known), known.seat.names
    names = BySide(own.left or seated.left, own.right or seated.right)
    # Who sits on the left, the clock decides.
    next_awaited = all((own.left, own.right, seated.left, seated.right)) and {own.left, own.right} != {seated.left, seated.right}
    situation = TableSituation(device, clock, offset, known, differs, now, names, next_awaited)
    about = exchange is not None and exchange.bound(now) > EXACT_NS
    freeze = None if clock is None or clock.freeze is None or not clock.freeze.stands else clock.freeze
    return TableTile(
        id=device.id,
        table=device.table,
        name=device.name,
        division=known.seat.division,
        sides=None if clock is None else _sides(clock, names),
        named=bool(own.left and own.right),
        at=None if clock is None or clock.running is None else situation.desk_instant(clock.at),
        running=None if clock is None else clock.running,
        about=about,
        phase="" if clock is None else clock.phase.value,
        doing="" if clock is None else _doing(clock),
        since=None if clock is None else situation.desk_instant(clock.since),
        needs=needs(situation),
        stale=stale_since(device, now),
        up=device.up,
        rulebook="" if clock is None else clock.rulebook,
        game=device.clock.game if device.clock is not None else 0 if known.folded is None else known.folded.number,
        rows=device.held,
        missing=device.missing,
        freeze=freeze,
        asked=None if freeze is None else situation.desk_instant(freeze.asked),
        absent=_absent(device.clock),
        next_game=next_game_words(device.clock),
    )


def _absent(report: ClockReport | None) -> tuple[Side, ...]:
    if report is None or report.here is None:
        return ()
    here = BySide(report.here.left, report.here.right)
    return tuple(side for side in Side if not here.of(side))


def next_game_words(report: ClockReport | None) -> str:
    """Return the set-up of the next game that a clock offers, its rulebook only where it is another one; empty: it offers none."""
    if report is None or report.offered is None:
        return ""
    new = report.offered
    left, right = reading(new.left), reading(new.right)
    # The times first: a narrow tile cuts the rest.
    times = Phrase("{time} each", time=left) if left == right else Phrase("{left} and {right}", left=left, right=right)
    rulebook = "" if new.rulebook == report.rulebook else f" ({new.rulebook})"
    return Phrase("next {times}{rulebook}", times=times, rulebook=rulebook)


def _doing(clock: LiveClock) -> str:
    if clock.freeze is not None and clock.freeze.by is not None:
        return clock.freeze.by.value
    return phase_words(clock.phase.value, clock.reason)


def _clock(device: RemoteDevice, folded: FoldedGame | None, now: int, offset: int | None) -> tuple[LiveClock | None, bool]:
    """Return what stands, by the rows where they are complete, and whether complete rows contradict the report."""
    report = device.clock
    if report is None:
        # Nothing but rows: of a clock that is away since before the desk started.
        return (None if folded is None or offset is None else of_game(folded, now - offset)), False
    if folded is None or not agrees(folded, report):
        # A report comes before its rows; one that other rows have passed by is old.
        complete = folded is not None and device.epoch == report.epoch and device.held >= device.seq
        passed = (
            folded is not None and folded.history is not None and folded.number == report.game and folded.history.number > report.number
        )
        return of_report(report), complete and passed
    return of_game(folded, report.at if offset is None else max(report.at, now - offset)), False


def _sides(clock: LiveClock, names: BySide[str]) -> BySide[TileSide]:
    return BySide(replace(clock.accounts.left, name=names.left), replace(clock.accounts.right, name=names.right))


def _names(device: RemoteDevice, known: Known) -> BySide[str]:
    """Return the names that the clock has or had for the game that it shows."""
    report, game = device.clock, known.folded
    if report is None or (game is not None and game.number == report.game and names_next(game)):
        return known.players
    return BySide(report.names.left, report.names.right)
