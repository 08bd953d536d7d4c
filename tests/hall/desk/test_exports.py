"""What goes out as CSV comes back as it was, by table, and begins no formula."""

from __future__ import annotations

import csv
import io

import pytest

from hall.desk.exports import as_csv, exported_round
from hall.event.model import BYE, Event, Pairing, Player

NAMES = (
    "=cmd()", "=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(1)", "\t=1", '"=1"', 'a",=cmd()', "a\n=cmd()", "a;=cmd()", "Ann Abel",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_or_a_division_is_one_cell_that_no_spreadsheet_computes(name: str) -> None:
    event = Event((Player(name, 1, name), Player(name, 2, "Bo")), (Pairing(name, 1, 1, 2, table=7),))
    rows = list(csv.DictReader(io.StringIO(as_csv(exported_round("club", event, 1, {})), newline="")))
    assert len(rows) == 1
    for cell in (rows[0]["Division"], rows[0]["Player1"]):
        assert cell.removeprefix("'") == name
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert (rows[0]["Player2"], rows[0]["table"]) == ("Bo", "7")


def test_the_games_come_by_table_and_those_without_one_last() -> None:
    players = tuple(Player("A", number, f"player {number}") for number in range(1, 8))
    pairings = (Pairing("A", 1, 1, BYE), Pairing("A", 1, 2, 3, table=12), Pairing("A", 1, 4, 5, table=7), Pairing("A", 1, 6, 7))
    exported = exported_round("club", Event(players, pairings), 1, {})
    assert [(game.table, game.players[0].name) for game in exported.games] == [
        (7, "player 4"), (12, "player 2"), (None, "player 1"), (None, "player 6"),
    ]  # fmt: skip
