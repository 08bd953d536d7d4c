"""A hall late in a round that stands still: the same instants, names and needs in every picture of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from game.events import Adjust, Call, Challenge, End, Hold, LateStart, Neutralise, NewGame, When
from game.game import Phase
from hall.desk.cards.seating import FloorPosition, TableSeat
from hall.orders.book import KeptOrder, OrderState, opened_book
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.side import BySide, Side
from tests.hall.desk.trial_hall import NS, TrialHall
from wire.reports import OpenCall

NOW: Final = 1_000_000 * NS
"""CLOCK_MONOTONIC for the hall, the desk and its pages."""
TABLES: Final = 24
MANY_TURNS: Final = 3
"""A table with a long game, in overtime."""
REQUEST: Final = "0" * 32
"""A freeze with every kind of answer."""
_BEGAN_S: Final = 2600.0
_LONG: Final = BySide("Maximiliane Oberhuber-Wildenstein", "Bartholomew Featherstonehaugh")
_NOT_PLAYED: Final = (7, 8)
_STOPPED: Final = 5
_PLAYS_ON: Final = (10, 17)
"""In spite of a freeze."""


def shown_hall(folder: Path) -> TrialHall:
    """Return the hall, with its files in ``folder``."""
    hall = TrialHall(folder, TABLES, lambda: NOW)
    hall.clocks[9].names = _LONG
    hall.desk.seats = {table: TableSeat(each.names, "Open" if table <= 12 else "B", _place(table)) for table, each in hall.clocks.items()}
    hall.desk.overlays, hall.desk.round = {"main": 10}, 3
    for table in hall.clocks:
        _play(hall, table)
    _call(hall, 1, 48)
    _call(hall, 16, 7)
    hall.say(2, Challenge(), 70)
    hall.say(4, Hold(), 12)
    hall.say(_STOPPED, Neutralise("spilled tiles"), 200)
    hall.say(6, End("six zeros"), 90)
    hall.say(8, LateStart(Side.RIGHT), 340)
    _fare(hall)
    hall.clocks[19].device.beat_at = NOW - 95 * NS
    hall.desk.begin_round(NOW - round(_BEGAN_S * NS))
    with opened_book(folder / "orders.db") as book:
        book.keep([_answer(hall, table) for table in hall.clocks])
    return hall


def _fare(hall: TrialHall) -> None:
    """Let cards, power and versions differ."""
    well = {"free": 2_100_000_000, "slowest_ns": 40_000_000, "fault": None}
    other: dict[int, dict[str, Any]] = {
        4: {"card": well | {"free": 3_000_000}},
        11: {"card": well | {"slowest_ns": 1_400_000_000}},
        20: {"power": "low"},
        6: {"update": "failed"},
    }
    for table, clock in hall.clocks.items():
        hall.beat(clock, **({"card": well} | other.get(table, {})))
        if table in (6, 12) and clock.device.presence is not None:
            clock.device.presence = clock.device.presence.model_copy(update={"versions": {"tileclock": "0.0.9"}})


def freeze(hall: TrialHall) -> None:
    """Let the hall be told to stop 20 s ago: some clocks stop themselves, nearly all players stop theirs."""
    for table, clock in hall.clocks.items():
        assert clock.record is not None
        runs = clock.record.game_at(NOW - clock.offset).phase in (Phase.RUNNING, Phase.HOLD)
        hall.order(table, "stop", 20, hard=runs and table % 3 == 0)
        if runs and table % 3 and table not in _PLAYS_ON:
            hall.say(table, Neutralise(None), 5)


def _place(table: int) -> FloorPosition:
    return FloorPosition((table - 1) % 6 / 5, (table - 1) // 6 / 3)


def _play(hall: TrialHall, table: int) -> None:
    """Play up to now: all turns of one table, and few of all others, because nobody looks at them."""
    hall.say(table, NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None)), _BEGAN_S + 30)
    ago, turn = _BEGAN_S - table * 7 % 60, 0
    while table not in _NOT_PLAYED and ago > (260 if table == _STOPPED else 75 + table * 7 % 60):
        hall.press(table, ago)
        ago -= 20 + turn * 37 % 110 + turn % 2 * 45 if table == MANY_TURNS else 400 + table * 17 % 120
        turn += 1
        if table == MANY_TURNS and turn == 9:
            hall.say(table, Adjust(Side.LEFT, -60 * NS, When.NOW, "telephone"), ago + 10)


def _call(hall: TrialHall, table: int, ago_s: float) -> None:
    clock = hall.clocks[table]
    at = hall.say(table, Call(on=True), ago_s)
    clock.device.call = OpenCall.model_validate({"since": at - clock.offset, "boot": "boot", "table": table, "from": "players"})
    hall.desk.heard(clock.device.id)


def _answer(hall: TrialHall, table: int) -> KeptOrder:
    """Return what a clock has answered to the freeze."""
    state, reason, number = {
        19: (OrderState.SILENT, "unheard", None),
        21: (OrderState.SILENT, None, None),
        22: (OrderState.REFUSED, "busy", None),
        23: (OrderState.WAITING, None, None),
    }.get(table, (OrderState.ACCEPTED, None, 40 if table % 3 == 0 else None))
    return KeptOrder(f"{table:032x}", REQUEST, hall.clocks[table].device.id, "stop", '{"text": "Fire alarm"}', state, reason, number)
