import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pygame
import pytest

from appliance.errors import ScreenError
from kiosk.context import Facts
from kiosk.events import JudgeDeskAnswer
from kiosk.log import export_csv
from kiosk.shell import effect_handler
from kiosk.shell.threads import EndProgram, Reported
from records.entry import Kind, Way
from records.log import reading, verify
from tests.errors import with_fields
from tests.examples import examples
from tests.kiosk.shell.rig import PIN, Hand, Rig, entries_in, rig
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

    assert twice("tile.1") == "table.table"
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
    wired.loop._handle(wired.loop.inbox.wait(0))
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


def kinds_in(folder: Path) -> list[Kind]:
    return [entry.kind for entry in entries_in(folder / "station.db")[1:]]


def by_a_signal(station: Rig) -> None:
    station.loop.inbox.put(EndProgram("by a signal"))
    station.loop.run()


def click_the_cross(station: Rig) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    station.loop.turn()


def test_words_that_were_typed_are_logged_as_aborted(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        by_a_signal(station)
    _, aborted, stopped = entries_in(tmp_path / "station.db")
    assert (aborted.kind, aborted.table, aborted.words) == (Kind.ABORTED, 12, ("TILE",))
    assert (stopped.kind, stopped.why) == (Kind.STOPPED, "by a signal")


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


def test_a_window_that_is_closed_at_the_desk_or_over_the_help_asks_there_too(station: Rig) -> None:
    station.asked("TILE")
    for hide, show in (("help", "help"), ("director", "back"), ("door", "back")):
        station.tap(hide)
        click_the_cross(station)
        assert "Close the window once more" in station.said
        station.goes_by(5)
        assert "Close the window once more" not in station.said
        station.tap(show)
    assert station.page == "checking"
    station.opened()
    for places in ((), ("place.log",), ("back", "place.judge", "slip.new")):
        station.tap(*places)
        click_the_cross(station)
        assert "Close the window once more" in station.said
        assert station.loop.why == "the program ended"
        station.goes_by(5)


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
    assert kinds_in(tmp_path) == [Kind.STARTED, Kind.STARTED, Kind.STOPPED]


def test_an_export_that_is_being_written_when_the_director_leaves_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()

    def slow(log: Path, target: Path) -> int:
        os.read(reader, 1)
        return export_csv(log, target)

    monkeypatch.setattr(effect_handler, "export_csv", slow)
    with rig(tmp_path, **PIN) as station:
        station.opened()
        station.tap("place.export", "export", "back", "place.quit", "quit")
        os.write(writer, b"!")
    os.close(reader)
    os.close(writer)
    assert kinds_in(tmp_path) == [Kind.DOOR_OPENED, Kind.EXPORTED, Kind.STOPPED]


KILLS = examples(20)
LATEST_S = 0.025
"""From the key on: the words' quantum, the commit and the picture take less."""


def killed(folder: Path, chance: random.Random) -> list[str]:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "tests.kiosk.shell.killed", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as station:
        assert station.stdout is not None
        said: list[str] = []
        challenges = chance.randrange(1, 4)
        for line in station.stdout:
            said.append(line.strip())
            if said.count("key") == challenges:
                break
        threading.Event().wait(chance.uniform(0, LATEST_S))
        station.kill()
        said += [line.strip() for line in station.stdout]
    return said


def test_kills_at_random_instants_around_the_commit_lose_nothing_that_was_shown(tmp_path: Path) -> None:
    chance = random.Random(4)  # noqa: S311 - the instants are random enough
    shown = 0
    for kill in range(KILLS):
        before = len(entries_in(tmp_path / "station.db")) if kill else 0
        said = killed(tmp_path, chance)
        with reading(tmp_path / "station.db") as connection:
            assert verify(connection).fault is None
        entries = entries_in(tmp_path / "station.db")
        verdicts = [line.split() for line in said if line.startswith("shown")]
        for _, row, table in verdicts:
            entry = entries[int(row) - 1]
            assert (entry.kind, entry.table, entry.acceptable) == (Kind.LOOKUP, int(table), True)
        written = sum(entry.kind is Kind.LOOKUP for entry in entries[before:])
        # A row may exist whose verdict was never shown; the reverse never happens.
        assert len(verdicts) <= written <= len(verdicts) + 1
        shown += len(verdicts)
    assert shown > KILLS // 2
