"""A screen that clears itself: what was typed is in the log's file, with nobody having touched anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.challenge_log.entry import Kind
from tests.kiosk.shell.rig import rig

pytestmark = pytest.mark.usefixtures("dummy_display")


def test_words_that_nobody_had_adjudicated_are_in_the_file_once_when_their_time_is_up(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE", "QI", table=7)
        station.goes_by(119)
        assert station.page == "checking"
        station.goes_by(1)
        assert station.page == "still_there"
        station.tap("back")
        assert station.page == "checking"
        station.goes_by(179)
        before = station.entries()
        station.goes_by(1)
        assert station.page == "idle"
        (row,) = station.entries()[len(before) :]
        assert (row.kind, row.table, row.words, row.acceptable) == (Kind.ABORTED, 7, ("TILE", "QI"), None)
        station.goes_by(100)
        assert station.entries()[len(before) :] == [row]
