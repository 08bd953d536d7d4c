"""From the challenged player's key to the verdict: the row first, then the page; and what the log and the screen say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.challenge_log.entry import Kind, Way
from game.challenge_log.reading import reading, verify
from tests.kiosk.shell.rig import Hand, entries_in, rig

pytestmark = pytest.mark.usefixtures("dummy_display")


def test_a_challenge_by_touch_is_judged_logged_and_clears_itself(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        assert "ACCEPTABLE" in station.judged("TILE", "QI")
        row = station.entries()[-1]
        assert (row.kind, row.table, row.words, row.acceptable, row.way, row.challenger) == (
            *(Kind.LOOKUP, 12, ("TILE", "QI"), True, Way.TOUCH),
            "left",
        )
        station.goes_by(30)
        assert station.page == "idle"
    assert [entry.kind for entry in entries_in(tmp_path / "station.db")] == [Kind.STARTED, Kind.LOOKUP, Kind.STOPPED]


def test_a_challenge_by_keyboard_alone_is_judged_by_the_tab_key(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.key("return", "return")
        station.type("7")
        station.key("return", "right", "return")
        station.type("2")
        station.type("tile")
        station.key("return")
        station.type("zz")
        station.key("return")
        assert station.page == "checking"
        station.key("tab")
        assert "UNACCEPTABLE" in station.said
        row = station.entries()[-1]
        assert (row.table, row.words, row.acceptable, row.way, row.challenger) == (7, ("TILE", "ZZ"), False, Way.TAB, "right")


def test_the_row_is_on_the_disk_before_the_verdict_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    with rig(tmp_path) as station:
        station.asked("TILE")
        draw = station.window.draw

        def watched(page: object) -> bool:
            seen.append((getattr(page, "name", ""), sum(entry.acceptable is not None for entry in station.entries())))
            return bool(draw(page))

        monkeypatch.setattr(station.window, "draw", watched)
        station.tap("adjudicate")
    assert [verdicts for page, verdicts in seen if page.startswith("verdict")]
    assert all(verdicts == 1 for page, verdicts in seen if page.startswith("verdict"))


def test_nothing_of_the_words_is_left_in_the_station_once_it_is_idle(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.judged("TILES")
        station.tap("done")
        assert station.page == "idle"
        assert "TILES" not in repr(station.loop.station)
        assert "TILES" not in repr(station.loop.page)


def test_the_clock_on_the_wall_set_back_an_hour_in_mid_challenge_changes_nothing_but_what_the_log_says_of_the_time(tmp_path: Path) -> None:
    hand = Hand()
    with rig(tmp_path, hand) as station:
        station.asked("TILE")
        hand.wall = "2026-01-01T11:00:00.000+00:00"
        station.tap("adjudicate")
        assert "ACCEPTABLE" in station.said
        station.goes_by(29)
        assert station.page.startswith("verdict")
        station.goes_by(1)
        assert station.page == "idle"
        assert "UNACCEPTABLE" in station.judged("QZ", table=3)
    with reading(tmp_path / "station.db") as connection:
        assert verify(connection).fault is None


def test_a_word_of_one_letter_is_said_and_does_not_come_up_for_checking(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.tap("begin", "clock.stopped", "tile.1", "next", "challenger.left", "last_play.no", "count.1", "tile.A", "finish")
        assert station.page == "words"
        assert "A: a word has at least 2 tiles." in station.said
        station.tap("tile.A", "finish")
        assert station.page == "checking"
        assert [entry.kind for entry in station.entries()] == [Kind.STARTED]


def test_of_a_word_of_sixteen_letters_the_last_is_left_out_and_that_is_said_before_both_check_what_is_judged(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.tap("begin", "clock.stopped", "tile.1", "next", "challenger.left", "last_play.no", "count.1")
        station.type("A" * 15)
        assert "A word has 15 tiles at most." not in station.said
        station.type("Z")
        assert "A word has 15 tiles at most." in station.said
        station.tap("finish")
        assert station.page == "checking"
        assert station.loop.page is not None
        assert [line.text for line in station.loop.page.words] == ["A" * 15]
        station.tap("adjudicate")
        assert "UNACCEPTABLE" in station.said
        assert station.entries()[-1].words == ("A" * 15,)


def test_a_station_that_is_started_again_idles_and_has_all_its_rows(tmp_path: Path) -> None:
    for table in (12, 13):
        with rig(tmp_path) as station:
            assert station.page == "idle"
            station.judged("QI", table=table)
    assert [entry.kind for entry in entries_in(tmp_path / "station.db")] == [Kind.STARTED, Kind.LOOKUP, Kind.STOPPED] * 2
