"""A clock's present game, from the rows that the hall holds: folded by the clock's own journal reading; the desk's freeze in it; and the clock as of now.

From its rows or its last report anybody can compute a clock's readings until the next change. Also who sits where, by an import, and who plays, by the journal.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.records.chain import ChainLink
from faults.errors import Phrase
from game.events import Press
from game.exact_json import decode
from game.game import Game, Phase
from game.history import History
from game.rulings import DIRECTOR_CALLED
from game.table import Assignment
from hall.event.model import BYE, Event, Pairing
from records.games import RejectedRow, fold
from records.journal import ACCEPTED, CLEAR, ID, STOP, Kind, Row, place_of
from rules.rulebooks import RulebookError, load_rulebook, shipped_ids
from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side
from wire.reports import ClockReport, SideReport


class FrozenBy(Enum):
    """Who has stopped a clock because of a freeze; the values are for the director."""

    DESK = Phrase("frozen by the desk")
    PLAYERS = Phrase("frozen by its players")


class DeskFreeze(Struct, frozen=True):
    """The last freeze in a game that the clock took. Instants in ns of the game, until they are ``moved``."""

    asked: int
    order: str
    text: str
    numbers: frozenset[int]
    """The events by which the clock has stopped itself, of all freezes in the game."""
    taken_back: int | None = None
    by: FrozenBy | None = None
    """Who has stopped the clock because of it; None: the clock runs, or stood before for another reason."""

    @property
    def stands(self) -> bool:
        return self.taken_back is None

    def moved(self, distance: int) -> DeskFreeze:
        """Return it with its instants in ns of another timeline."""
        return replace(self, asked=self.asked + distance, taken_back=None if self.taken_back is None else self.taken_back + distance)


def _frozen_by(freeze: DeskFreeze, history: History) -> FrozenBy | None:
    stop = _first_of_stop(history)
    if stop is None:
        return None
    if stop.number in freeze.numbers:
        return FrozenBy.DESK
    asked_before = freeze.asked <= stop.at and (freeze.taken_back is None or stop.at < freeze.taken_back)
    return FrozenBy.PLAYERS if asked_before else None


def desk_freeze(rows: Iterable[ChainLink[Row]]) -> DeskFreeze | None:
    found: DeskFreeze | None = None
    for stored in rows:
        body = _accepted(stored.row)
        if body.get("what") == STOP:
            number = body.get("number")
            # A clock that stops itself has its event first, then this row with the event's number.
            numbers = (frozenset() if found is None else found.numbers) | ({number} if isinstance(number, int) else frozenset())
            # One that is repeated before it is taken back stands since its first order.
            first = found if found is not None and found.stands else None
            asked, order = (stored.row.at, str(body.get(ID, ""))) if first is None else (first.asked, first.order)
            found = DeskFreeze(asked, order, str(body.get("text", "")), numbers)
        elif body.get("what") == CLEAR and found is not None and found.stands:
            found = replace(found, taken_back=stored.row.at)
    return found


def _accepted(row: Row) -> dict[str, Any]:
    if row.kind == Kind.PROPOSAL:
        with suppress(ValueError):
            body = decode(row.body)
            if body.get("answer") == ACCEPTED:
                return body
    return {}


def _first_of_stop(history: History) -> History | None:
    """Return the event with which the present stop began; None: the clock is not stopped."""
    first = None
    for link in history:
        if link.game.phase is not Phase.NEUTRAL:
            break
        first = link
    return first


MOST_ROWS: Final = 1_000
"""Of one game; further ones are left out, and the table shows what the clock reports. A real game has 200; no device may keep the pages busy with its own."""


class FoldedGame(Struct, frozen=True):
    """The game with the highest number in a journal. Instants of the game in ns of its own timeline, ``mono`` in ns of the clock's machine."""

    number: int
    rows: tuple[ChainLink[Row], ...]
    history: History | None
    refused: tuple[RejectedRow, ...]
    boot: str
    """The boot of the last row that knows the time."""
    offset: int
    """Add it to an instant of the clock's machine, in that boot, for the game's instant."""
    frozen: int | None
    """After a power cut: the game's instant until the director confirms the times."""
    freeze: DeskFreeze | None = None

    def instant(self, mono: int) -> int:
        return mono + self.offset if self.frozen is None else self.frozen

    @property
    def end(self) -> int | None:
        """When the game was over, also without an event, or else stood still; None: its beginning cannot be read.

        For a game that another one has followed: no event comes any more, so the clock's own end has come.
        """
        if self.history is None:
            return None
        if self.frozen is not None:
            return self.frozen
        # At the end of any timeline.
        end = self.history.game_at(1 << 62).end
        return self.history.at if end is None else end.at

    def at(self, mono: int) -> Game | None:
        """Return the game at an instant of the clock's machine; None: its beginning cannot be read."""
        return None if self.history is None else self.history.game_at(self.instant(mono))


def folded(rows: Sequence[ChainLink[Row]]) -> FoldedGame | None:
    """Return the game of ``rows`` (one game's, oldest first); None: they hold no event."""
    timed = [stored.row for stored in rows if stored.row.kind != Kind.BOOT]
    if not any(stored.row.kind == Kind.EVENT for stored in rows):
        return None
    found = fold(rows, _rulebook)
    last, freeze = timed[-1], desk_freeze(rows)
    if freeze is not None and found.history is not None:
        freeze = replace(freeze, by=_frozen_by(freeze, found.history))
    return FoldedGame(
        rows[0].row.game,
        tuple(rows),
        found.history,
        found.refused,
        last.boot,
        last.at - last.mono,
        _frozen(rows, found.history),
        freeze,
    )


def history_of(rows: Iterable[ChainLink[Row]]) -> History | None:
    """Return the history of one game's rows, oldest first; None: its beginning cannot be read."""
    return fold(rows, _rulebook).history


def _frozen(rows: Sequence[ChainLink[Row]], history: History | None) -> int | None:
    recoveries = [stored.row for stored in rows if stored.row.kind in (Kind.RECOVERED, Kind.CONFIRMED)]
    if history is None or not recoveries or recoveries[-1].kind == Kind.CONFIRMED:
        return None
    at = recoveries[-1].at
    return None if history.game_at(at).phase in (Phase.READY, Phase.OVER) else at


@functools.cache
def _rulebook(name: str) -> Rulebook:
    # A row's rulebook may be a path on the clock's machine: it means nothing here, and no file of this machine is opened for it.
    if name not in shipped_ids():
        raise RulebookError(expected="a shipped rulebook, or its text in the row", found=repr(name[:60]))
    return load_rulebook(name)


class TileSide(Struct, frozen=True):
    """Durations in ns."""

    remaining: int
    """At ``LiveClock.at``; it falls from then on while this side runs."""
    used: int
    penalty: int
    name: str = ""
    """Who plays; a tile has it."""


class LiveClock(Struct, frozen=True):
    """What stands at ``at``. All instants in ns of the clock's machine."""

    at: int
    """From then on the running side's time counts."""
    phase: Phase
    reason: str | None
    running: Side | None
    holder: Side | None
    called: bool
    accounts: BySide[TileSide]
    rulebook: str
    """Its title, or its id where only the report is known."""
    since: int
    """Since when it is in this phase, as far as is known."""
    freeze: DeskFreeze | None = None
    """The desk's last freeze in this game; None: there was none, or the rows are not there yet."""


def of_game(folded: FoldedGame, mono: int) -> LiveClock | None:
    """Return the clock at ``mono`` (ns of the clock's machine) by its rows; None: its beginning cannot be read."""
    game = folded.at(mono)
    if game is None or folded.history is None:
        return None
    now = folded.instant(mono)
    # Nothing counts before `since`, so a clock that runs stands there: the same value until the next event.
    stands = now if game.running is None else game.state.since
    return LiveClock(
        at=stands - folded.offset,
        phase=game.phase,
        reason=game.reason if game.phase in (Phase.NEUTRAL, Phase.OVER) else None,
        running=game.running,
        holder=game.holder,
        called=game.called,
        accounts=BySide(_account(game, Side.LEFT, stands, now), _account(game, Side.RIGHT, stands, now)),
        rulebook=game.rulebook.title,
        since=_phase_since(folded.history, game) - folded.offset,
        freeze=None if folded.freeze is None else folded.freeze.moved(-folded.offset),
    )


def of_report(report: ClockReport) -> LiveClock:
    # A clock that stops itself for a freeze reports this reason, too; the rows, which come a moment later, tell which it was.
    uncertain = report.freeze == "hard" and report.reason == DIRECTOR_CALLED and not report.called
    return LiveClock(
        at=report.at,
        phase=Phase(report.phase),
        reason=None if uncertain else report.reason,
        running=_side(report.running),
        holder=_side(report.holder),
        called=report.called,
        accounts=BySide(_reported(report.left), _reported(report.right)),
        rulebook=report.rulebook,
        since=report.at,
    )


def agrees(folded: FoldedGame, report: ClockReport) -> bool:
    """Return whether the rows give what the clock reports, to the nanosecond, at the instant of the report."""
    if (folded.boot, folded.number) != (report.boot, report.game) or folded.history is None or folded.history.number != report.number:
        return False
    game = folded.at(report.at)
    if game is None:
        return False
    instant = folded.instant(report.at)
    shown = (game.phase.value, _name(game.running), _name(game.turn), game.called)
    if shown != (report.phase, report.running, report.turn, report.called):
        return False
    return all(
        (game.remaining(side, instant), game.accounts.of(side).points, game.accounts.of(side).credit)
        == (reported.remaining_ns, reported.points, reported.credit_ns)
        for side, reported in ((Side.LEFT, report.left), (Side.RIGHT, report.right))
    )


def _account(game: Game, side: Side, stands: int, now: int) -> TileSide:
    return TileSide(game.remaining(side, stands), game.used_at(side, stands), game.penalty(side, now))


def _reported(side: SideReport) -> TileSide:
    return TileSide(side.remaining_ns, side.used_ns, side.penalty)


def _phase_since(history: History, game: Game) -> int:
    """Return the instant of the first of the last links that are in the game's phase."""
    if game.end is not None:
        return game.end.at
    since = history.at
    for link in history:
        if link.game.phase is not game.phase:
            break
        since = link.at
    return since


def _side(name: str | None) -> Side | None:
    return None if name is None else Side(name)


def _name(side: Side | None) -> str | None:
    return None if side is None else side.value


class FloorPosition(Struct, frozen=True):
    """A table's place in the room: from the upper left corner, as shares of width and height between 0 and 1."""

    x: float
    y: float


class TableSeat(Struct, frozen=True):
    names: BySide[str]
    division: str = ""
    place: FloorPosition | None = None


NOWHERE: Final = TableSeat(BySide("", ""))


def seats_of(event: Event, number: int) -> Mapping[int, TableSeat]:
    """Return who sits where in a round, by table; who goes first sits on the left until the table's clock says otherwise."""
    places = _places(event)
    seats = {table: TableSeat(BySide("", ""), place=place) for table, place in places.items()}
    for pairing in event.round(number):
        table = event.table_of(pairing)
        if table is not None and pairing.second != BYE:
            seats[table] = TableSeat(_names(event, pairing), pairing.division, places.get(table))
    return seats


def _names(event: Event, pairing: Pairing) -> BySide[str]:
    def name(number: int) -> str:
        player = event.by_number.get((pairing.division, number))
        return "" if player is None else player.clock_name

    return BySide(name(pairing.first), name(pairing.second))


def _places(event: Event) -> dict[int, FloorPosition]:
    places = event.floor
    if not places:
        return {}
    left, top = min(each.x for each in places), min(each.y for each in places)
    width, height = max(each.x for each in places) - left, max(each.y for each in places) - top
    return {each.table: FloorPosition(_share(each.x - left, width), _share(each.y - top, height)) for each in places}


def _share(distance: int, whole: int) -> float:
    return 0.5 if whole == 0 else distance / whole


def assigned(before: Assignment, rows: Iterable[ChainLink[Row]]) -> Assignment:
    for stored in rows:
        if stored.row.kind == Kind.ASSIGNED:
            with suppress(ValueError):
                before = place_of(decode(stored.row.body), before)
    return before


def players(before: Assignment, game: FoldedGame) -> BySide[str]:
    """Return the names that the clock had when play began, or now if it has not; empty: the journal has none. ``before``: as assigned before the game's first row."""
    return assigned(before, (each for each in game.rows if is_before_play(each, game))).names


def names_next(game: FoldedGame) -> bool:
    """Return whether names have come since play began: those of the next game, which the clock reports from then on."""
    return any(each.row.kind == Kind.ASSIGNED and not is_before_play(each, game) for each in game.rows)


def is_before_play(stored: ChainLink[Row], game: FoldedGame) -> bool:
    """Return whether a row is an assignment for its own game; one that comes later is for the next."""
    if stored.row.kind != Kind.ASSIGNED or game.history is None:
        return False
    phase = game.history.game_at(stored.row.at).phase
    if phase in (Phase.READY, Phase.OVER):
        return phase is Phase.READY
    # The clock takes names between games only. A press of an earlier instant was read after them, or the end that they followed was struck.
    presses = {link.number for link in game.history if isinstance(link.event, Press)}
    return not any(each.seq < stored.seq and each.row.kind == Kind.EVENT and each.row.number in presses for each in game.rows)
