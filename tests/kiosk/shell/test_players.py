from pathlib import Path

import pygame
import pytest

from appliance.errors import ScreenError
from kiosk.context import Facts
from kiosk.events import JudgeDeskAnswer
from kiosk.shell.threads import EndProgram, Reported
from records.entry import Kind, Way
from tests.errors import with_fields
from tests.kiosk.shell.rig import PIN, Rig, entries_in, rig
from tools.mock_board import MockBoard

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


def test_a_press_before_the_screen_clears_counts_however_late_the_loop_comes_to_hear_of_it(wired: Rig, board: MockBoard) -> None:
    wired.asked("TILE")
    assert wired.goes_by(44.9) == "checking"
    board.down("adjudicate", wired.hand.now)
    wired.hand.now += 500_000_000
    # As in the loop's own turn: what woke it is taken first, and then all is brought to now.
    wired.loop._handle(wired.loop.inbox.wait(0))
    wired.loop._show()
    assert wired.page.startswith("verdict")
    assert wired.last.way is Way.BUTTON


def kinds_in(folder: Path) -> list[Kind]:
    return [entry.kind for entry in entries_in(folder / "station.db")[1:]]


def by_a_signal(station: Rig) -> None:
    station.loop.inbox.put(EndProgram("by a signal"))
    station.loop.run()


def click_the_cross(station: Rig) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    station.loop.turn()


def test_a_window_that_is_closed_in_mid_challenge_asks_first_and_closes_when_asked_again_within_five_seconds(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        # After five seconds a click is too late to be the answer: it asks again, and the challenge goes on.
        for _ in range(2):
            station.goes_by(5)
            click_the_cross(station)
            assert (station.page, station.loop.why) == ("checking", "the program ended")
            assert "Close the window once more" in station.said
        station.goes_by(4.9)
        click_the_cross(station)
        station.loop.run()
    assert [(entry.kind, entry.why) for entry in station.entries()[2:]] == [(Kind.STOPPED, "the window was closed")]


def test_a_window_that_is_closed_while_nobody_challenges_closes_at_once(station: Rig) -> None:
    click_the_cross(station)
    assert station.loop.why == "the window was closed"


def test_words_that_wait_behind_the_directors_door_are_logged_once_when_the_director_ends_the_program(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        station.asked("TILE")
        station.opened()
        station.tap("place.quit", "quit")
        station.loop.run()
    assert kinds_in(tmp_path) == [Kind.DOOR_OPENED, Kind.ABORTED, Kind.STOPPED]
    assert station.last.why == "by the director"


def test_a_display_that_is_lost_costs_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_: object) -> bool:
        raise ScreenError(expected="the display", found="it gone", remedy="Start the program again")

    def played() -> None:
        with rig(tmp_path) as station:
            station.asked("TILE")
            monkeypatch.setattr(station.window, "draw", lost)
            station.loop.run()

    with pytest.raises(ScreenError, check=with_fields(found="it gone")):
        played()
    assert kinds_in(tmp_path) == [Kind.ABORTED, Kind.STOPPED]


def test_what_an_errand_came_back_with_after_the_wish_to_leave_is_logged_before_that_it_stopped(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        by_a_signal(station)
        for why in ("one", "two"):
            station.loop.inbox.put(Reported(JudgeDeskAnswer(Facts(result=why)), station.entries()[0]))
        station.loop.inbox.put(EndProgram("by another signal"))
    assert kinds_in(tmp_path) == [Kind.STARTED, Kind.STARTED, Kind.STOPPED]
