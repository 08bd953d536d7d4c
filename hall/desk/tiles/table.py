"""A table as a tile: who plays, both readings, what it does, what it needs. It stays the same value until something changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase, in_a_row
from game.table import NO_NAMES
from hall.desk.tiles.folded import DeskFreeze, FoldedGame, LiveClock, TileSide, agrees, of_game, of_report
from hall.desk.tiles.need import Need, TableSituation, needs, next_need, stale_since
from hall.desk.tiles.seating import NOWHERE, TableSeat, names_next
from hall.picture import DRIFT, EXACT_NS, Exchange, RemoteDevice
from hall.status import phase_words
from rules.duration import NS, reading
from rules.side import BySide, Side
from wire.reports import ClockReport

NEVER: Final = 1 << 62


class TableTile(Struct, frozen=True):
    """One table. Instants in ns of the listener."""

    id: str
    table: int | None
    name: str
    """The clock's own name."""
    division: str
    sides: BySide[TileSide] | None
    """None: the clock has not reported."""
    named: bool
    """The clock itself names both players; otherwise the names are an import's."""
    at: int | None
    """From then on the running side's time falls; None: the time of the clock's machine is not known."""
    running: Side | None
    about: bool
    """A running reading may be off by more than 250 ms."""
    phase: str
    doing: str
    """The phase in words."""
    since: int | None
    """Since when it is in that phase."""
    needs: tuple[Need, ...]
    stale: int | None
    """Since when it has not been heard."""
    up: bool
    rulebook: str
    game: int
    rows: int
    missing: int
    changes_at: int
    """When it becomes another tile although nothing happens."""
    freeze: DeskFreeze | None = None
    """The freeze that stands, with the instants of the clock's machine; None: none does."""
    asked: int | None = None
    """When it was asked to stop; None: there is no freeze, or the time of its machine is not known."""
    next_game: str = ""
    """The set-up of the next game that the clock offers, in words; empty: none."""

    @property
    def state(self) -> str:
        """What it does, for the director: after the next game, if that is set up."""
        return in_a_row(self.next_game, self.doing, between=" · ") if self.next_game else self.doing

    @property
    def frozen(self) -> bool:
        """Return whether no time runs while a freeze stands."""
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


def table_tile(device: RemoteDevice, known: Known, now: int) -> TableTile:
    """Return the tile of a clock at ``now`` (ns of the listener)."""
    boot = device.clock.boot if device.clock is not None else None if known.folded is None else known.folded.boot
    exchange = None if boot is None else device.offsets.of_boot(boot).best
    offset = None if exchange is None else exchange.offset
    clock, differs = _clock(device, known.folded, now, offset)
    own, seated = _names(device, known), known.seat.names
    names = BySide(own.left or seated.left, own.right or seated.right)
    # Who sits on the left, the clock decides.
    next_awaited = all((own.left, own.right, seated.left, seated.right)) and {own.left, own.right} != {seated.left, seated.right}
    situation = TableSituation(
        device, clock, offset, known.round_began, known.power_since, differs, now, names, known.call_taker, next_awaited
    )
    about = exchange is not None and exchange.bound(now) > EXACT_NS
    freeze = None if clock is None or clock.freeze is None or not clock.freeze.stands else clock.freeze
    return TableTile(
        id=device.id,
        table=device.table,
        name=device.name,
        division=known.seat.division,
        sides=None if clock is None else _sides(clock, names),
        named=bool(own.left and own.right),
        at=None if clock is None else situation.desk_instant(clock.at),
        running=None if clock is None else clock.running,
        about=about,
        phase="" if clock is None else clock.phase.value,
        doing="" if clock is None else _doing(clock),
        since=None if clock is None else situation.desk_instant(clock.since),
        needs=needs(situation),
        stale=stale_since(device, now),
        up=device.presence is not None and device.presence.up,
        rulebook="" if clock is None else clock.rulebook,
        game=device.clock.game if device.clock is not None else 0 if known.folded is None else known.folded.number,
        rows=device.held,
        missing=device.seq - device.held,
        changes_at=min((each for each in _changes(situation, known.folded, exchange) if each > now), default=NEVER),
        freeze=freeze,
        asked=None if freeze is None else situation.desk_instant(freeze.asked),
        next_game=next_game_words(device.clock),
    )


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


def _changes(situation: TableSituation, folded: FoldedGame | None, exchange: Exchange | None) -> Iterator[int]:
    yield from next_need(situation)
    clock = situation.clock
    if clock is None or clock.running is None or exchange is None:
        return
    if exchange.bound(situation.now) <= EXACT_NS:
        yield exchange.at + (EXACT_NS - exchange.round_trip // 2) * DRIFT + DRIFT
    if folded is not None and (due := _next_penalty(clock, folded, situation.now - exchange.offset)) is not None:
        yield due + exchange.offset


def _next_penalty(clock: LiveClock, folded: FoldedGame, mono: int) -> int | None:
    """Return when the running side's penalty grows next, in ns of the clock's machine; None: no clock runs, or more than a second is left."""
    if clock.running is None or folded.history is None:
        return None
    remaining = clock.accounts.of(clock.running).remaining - max(0, mono - clock.at)
    if remaining > NS:
        return None
    overtime = folded.history.game.rulebook.overtime
    penalty, bands = overtime.penalty, overtime.bands
    # Past each whole second: where -0:00 is not free, overtime begins one nanosecond below zero.
    left = (remaining % NS or NS) + 1
    now = penalty(remaining)
    most = max(*(band.period_s for band in bands), *(after.from_s - band.from_s for band, after in pairwise(bands)), 0)
    return next((mono + left + step * NS for step in range(most + 1) if penalty(remaining - left - step * NS) != now), None)
