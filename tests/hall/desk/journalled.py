"""Games as rows in the journal of a device that the tests report."""

import json
from collections.abc import Iterable

from appliance.records.chain import covered
from game.events import End, Event, NewGame, Press
from game.history import History, accept, begin
from game.table import Assignment
from records.journal import GameStamp, Row, assigned_body, row_of, rows_of
from records.journal import Kind as RowKind
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.side import BySide, Side
from tests.hall.reporting import NS, Device

BEGIN = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None))


def play_game(device: Device, game: int, presses: int, names: BySide[str] | None = None, then: BySide[str] | None = None) -> None:
    """Write a game's rows into a device's journal, with the names that the desk has given before its first press, and after its end.

    The first press is made at 20 s, while the clock takes the names, and read after them.
    """
    at = game * 1000 * NS
    history = begin(BEGIN, at)
    keep_events(device, None, history, game, at)
    give(device, names, game, at + 21 * NS)
    events: list[Event] = [Press(Side.LEFT if number % 2 else Side.RIGHT) for number in range(presses)]
    for event in [*events, End("x")]:
        at += 20 * NS
        after = accept(history, event, at)
        keep_events(device, history, after, game, at)
        history = after
    give(device, then, game, at + NS)


def keep_events(device: Device, before: History | None, after: History, game: int, at: int) -> None:
    keep(device, rows_of(before, after, game, stamp(device, at)))


def give(device: Device, names: BySide[str] | None, game: int, at: int) -> None:
    if names is not None:
        keep(device, [row_of(RowKind.ASSIGNED, game, stamp(device, at), assigned_body(Assignment(61, names)))])


def stamp(device: Device, at: int) -> GameStamp:
    return GameStamp(at, at, device.boot, "2026-01-01T00:00:00.000+00:00")


def keep(device: Device, rows: Iterable[Row]) -> None:
    for row in rows:
        device.add(*json.loads(json.dumps(covered(len(device.rows) + 1, row)))[1:])
