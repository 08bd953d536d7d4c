"""What goes out as CSV comes back as it was, and begins no formula."""

from __future__ import annotations

import csv
import io

import pytest

from hall.desk.exports import as_csv, exported_round
from hall.event.model import Event, Pairing, Player

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
