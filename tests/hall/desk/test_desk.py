"""Whose card the desk makes first when a whole hall is heard at once."""

from __future__ import annotations

import time
from contextlib import nullcontext

import pytest

from hall.desk.desk import DirectorsDesk
from tests.hall.desk.trial_hall import TrialHall

TABLES = 250


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    found = TrialHall(tmp_path_factory.mktemp("hall"), TABLES)
    for table in found.clocks:
        found.begin(table)
    found.desk.changes(time.monotonic_ns())
    return found


def test_a_press_is_in_the_next_event_although_a_whole_hall_beats(hall: TrialHall) -> None:
    hall.beat_all()
    hall.press(TABLES)
    content, _ = hall.desk.changes(time.monotonic_ns())
    assert [card["id"] for card in content["cards"]] == [hall.clocks[TABLES].device.id]


def test_a_desk_that_starts_reads_its_journals_in_parts(hall: TrialHall) -> None:
    desk = DirectorsDesk("trial", lambda: nullcontext(hall.hall), hall.folder / "hall.db")
    for clock in hall.clocks.values():
        desk.heard(clock.device.id)
    made = []
    due = now = time.monotonic_ns()
    while due <= now:
        content, due = desk.changes(now)
        made.append(len(content["cards"]))
    assert made == [100, 100, 50]
