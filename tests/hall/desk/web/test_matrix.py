"""The matrix of a freeze beside the line at the top of each page: both count the same tables."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

from game.events import End, Event, Neutralise, Resume
from hall.orders.book import KeptOrder, OrderState, opened_book
from rules.side import Side
from tests.hall.desk.trial_hall import TrialHall, acting_parts, served
from tests.processes import until

REQUEST = "0" * 32
LATER: dict[int, Event] = {2: Neutralise(None), 3: End("x"), 4: End("x"), 6: Resume(Side.LEFT)}
"""What happens at a table after the freeze."""
HARD = (1, 3, 6)


def test_a_matrix_and_the_line_on_each_page_count_the_same_tables(tmp_path: Path) -> None:
    hall, parts = TrialHall(tmp_path, 6), acting_parts(tmp_path)
    for table in hall.clocks:
        hall.begin(table, ago_s=60)
        hall.order(table, "stop", 20, hard=table in HARD)
        if table in LATER:
            hall.say(table, LATER[table], 5)
    with opened_book(tmp_path / "orders.db") as book:
        book.keep(
            [
                KeptOrder(f"{table:032x}", REQUEST, each.device.id, "stop", "{}", OrderState.ACCEPTED, None, 3 if table in HARD else None)
                for table, each in hall.clocks.items()
            ]
        )
    with served(hall, parts=parts) as address, httpx.Client(base_url=address) as client:
        line = "Freeze (Fire alarm): 2 frozen, 2 still running."
        until(lambda: line in client.get(f"/orders/{REQUEST}").text, line)
        page = client.get(f"/orders/{REQUEST}").text
    counts = dict(re.findall(r'<li class="count (\w+)"><strong>(\d+)', page))
    assert counts == {"frozen": "2", "asked": "2", "over": "2"}
