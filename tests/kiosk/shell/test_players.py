from pathlib import Path

import pygame
import pytest

from game.challenge_log.entry import Kind, Way
from game.challenge_log.reading import reading, verify
from hardware.pins.mock import MockBoard
from tests.kiosk.shell.rig import Hand, Rig, entries_in, rig

pytestmark = pytest.mark.usefixtures("dummy_display")


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


def test_the_clock_on_the_wall_set_back_an_hour_in_mid_challenge_changes_nothing_but_what_the_log_says_of_the_time(tmp_path: Path) -> None:
    hand = Hand()
    with rig(tmp_path, hand) as station:
        station.asked("TILE")
        hand.wall = "2026-01-01T11:00:00.000+00:00"
        station.tap("adjudicate")
        assert "ACCEPTABLE" in station.said
        assert station.goes_by(29).startswith("verdict")
        assert station.goes_by(1) == "idle"
        assert "UNACCEPTABLE" in station.judged("QZ", table=3)
    with reading(tmp_path / "station.db") as connection:
        assert verify(connection).fault is None


def test_a_station_that_is_started_again_idles_and_has_all_its_rows(tmp_path: Path) -> None:
    for table in (12, 13):
        with rig(tmp_path) as station:
            assert station.page == "idle"
            assert "ACCEPTABLE" in station.judged("TILE", "QI", table=table)
            row = station.last
            assert (row.table, row.words, row.acceptable, row.way) == (table, ("TILE", "QI"), True, Way.TOUCH)
    assert [entry.kind for entry in entries_in(tmp_path / "station.db")] == [Kind.STARTED, Kind.LOOKUP, Kind.STOPPED] * 2


def finger(at: tuple[float, float], *, down: bool) -> None:
    kind = pygame.FINGERDOWN if down else pygame.FINGERUP
    pygame.event.post(pygame.event.Event(kind, touch_id=0, finger_id=1, x=at[0], y=at[1], dx=0.0, dy=0.0, pressure=1.0))


@pytest.mark.parametrize("words", ["TILE", "QI"])
def test_touched_twice_within_a_fifth_of_a_second_nothing_is_done_that_came_up_in_between(station: Rig, words: str) -> None:
    def twice(target: str) -> str:
        station.goes_by(0.6)
        at = station.spot(target)
        for pause in (0.2, 0):
            for down in (True, False):
                finger(at, down=down)
                station.loop.turn()
            station.goes_by(pause)
        return station.page

    assert twice("begin") == "table.table"
    station.tap("12")
    assert twice("challenger.right") == "words"
    station.tap("TILE", "next", words)
    assert twice("finish") == "checking"
    # Neither withdrawn nor conceded.
    assert station.kinds == [Kind.STARTED]


def test_the_boards_button_adjudicates_its_lamps_show_the_verdict_and_its_key_switch_opens_the_desk(wired: Rig, board: MockBoard) -> None:
    wired.asked("TILE")
    wired.goes_by(0.6)
    assert board.lit("adjudicate")
    board.press("adjudicate", wired.hand.now)
    assert wired.goes_by(0.2).startswith("verdict")
    assert [board.lit(lamp) for lamp in ("adjudicate", "acceptable", "unacceptable")] == [False, True, False]
    assert wired.last.way is Way.BUTTON
    wired.tap("done")
    for turn, page in ((board.down, "desk.menu"), (board.up, "idle")):
        turn("key", wired.hand.now)
        assert wired.goes_by(0.2) == page


def test_a_button_that_is_held_while_the_words_come_up_and_let_go_later_adjudicates_nothing(wired: Rig, board: MockBoard) -> None:
    wired.begun()
    wired.tap("QI")
    board.down("adjudicate", wired.hand.now)
    wired.goes_by(0.2)
    wired.tap("finish")
    wired.goes_by(2)
    board.up("adjudicate", wired.hand.now)
    assert wired.goes_by(1) == "checking"
    assert wired.kinds == [Kind.STARTED]
    board.press("adjudicate", wired.hand.now)
    wired.goes_by(1)
    assert wired.last.way is Way.BUTTON


def test_a_press_before_the_screen_clears_counts_however_late_the_loop_comes_to_hear_of_it(wired: Rig, board: MockBoard) -> None:
    wired.asked("TILE")
    assert wired.goes_by(44.9) == "checking"
    board.down("adjudicate", wired.hand.now)
    wired.hand.now += 500_000_000
    # As in the loop's own turn: what woke it is taken first, and then all is brought to now.
    wired.loop._take(wired.loop.inbox.wait(0))
    wired.loop._show()
    assert wired.page.startswith("verdict")
    assert wired.last.way is Way.BUTTON


def test_a_finger_that_stays_on_the_key_adjudicates_nothing_and_the_words_are_in_the_file_once(station: Rig) -> None:
    station.asked("TILE", "QI", table=7)
    station.goes_by(0.6)
    finger(station.spot("adjudicate"), down=True)
    station.loop.turn()
    for _ in range(120):
        station.goes_by(1)
    assert station.page == "still_there"
    for _ in range(60):
        station.goes_by(1)
    finger((0.8, 0.8), down=False)
    assert station.goes_by(1) == "idle"
    station.goes_by(100)
    _, row = station.entries()
    assert (row.kind, row.table, row.words, row.acceptable) == (Kind.ABORTED, 7, ("TILE", "QI"), None)
