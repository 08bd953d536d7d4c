from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.face import schedule
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.menu.menu import Menu
from game.events import Undo
from game.history import accept
from rules.duration import NS
from tests.examples import examples
from tests.firmware.gestures.trains import setup
from tests.firmware.random_games import Played, keep, played
from tests.firmware.saying import play
from tests.some import some

SETUP = setup()
FAR = 3_000 * NS


def _table(game: Played) -> ClockState:
    return ClockState(keep(*game), SETUP)


def _require_still(table: ClockState, now: int, spots: list[int]) -> int | None:
    """Return the instant of the next change; up to it the face stands still."""
    due = schedule.next_due(table, now)
    end = now + FAR if due is None else due
    assert due is None or due > now
    shown = face(table, now)
    for spot in {now, end - 1, *(now + spot * (end - now) // 10_000 for spot in spots)} - {end}:
        assert face(table, spot) == shown
    return due


@settings(max_examples=examples(300), deadline=None)
@given(played(), st.integers(0, 2_000 * NS), st.lists(st.integers(0, 9_999), max_size=6))
def test_the_face_stands_still_until_its_next_change_and_differs_there(game: Played, later: int, spots: list[int]) -> None:
    table = _table(game)
    now = table.history.at + later
    for _ in range(4):
        due = _require_still(table, now, spots)
        assert due is None or face(table, due) != face(table, now)
        now = due or now + 1


@settings(max_examples=examples(100), deadline=None)
@given(played(), st.integers(0, 100 * NS), st.integers(0, 100 * NS))
def test_a_frozen_table_never_changes(game: Played, later: int, much_later: int) -> None:
    table = _table(game)
    frozen = replace(table, frozen=table.history.at)
    assert schedule.next_due(frozen, later) is None
    assert face(frozen, later) == face(frozen, later + much_later)


@settings(max_examples=examples(100), deadline=None)
@given(played(), st.integers(0, 30 * NS), st.lists(st.integers(0, 9_999), max_size=4), st.integers(1, 30))
def test_an_undo_in_the_menu_shows_what_it_would_come_to_at_every_instant(game: Played, later: int, spots: list[int], number: int) -> None:
    table = _table(game)
    asked = replace(table, menu=Menu("undo", (number, "wrong button")))
    now = table.history.at + later
    for _ in range(3):
        # What would have been may tick where the page says nothing of it: to wake for that is allowed, to sleep through a change is not.
        now = _require_still(asked, now, spots) or now + 1


def test_the_reading_turns_to_minus_zero_one_nanosecond_past_zero() -> None:
    table = ClockState(play("naspa-2017", "0 press right").history, SETUP)
    zero = 1_500 * NS
    assert schedule.next_due(table, zero) == zero + 1
    assert (face(table, zero).halves.left.reading, face(table, zero + 1).halves.left.reading) == ("0:00", "-0:00")
    assert schedule.next_due(table, zero + 1) == zero + NS


def test_points_that_count_a_late_side_s_debt_change_between_two_readings() -> None:
    # Left owes 5.25 s, to be deducted at the end: with 4.25 s left it is a whole second over.
    history = play("naspa-2012", "0 late_start both", "5.25 arrive left", "6 arrive right", "10 press left", "20 press right").history
    table, begins = ClockState(history, SETUP), (20 + 1_500) * NS - 4_250_000_000
    assert schedule.next_due(table, begins - 1) == begins
    marks = [face(table, now).halves.left.marks for now in (begins - 1, begins)]
    assert ["-10 points" in each for each in marks] == [False, True]


def test_an_undo_of_a_stop_previews_a_clock_that_would_run_on() -> None:
    history = play("naspa-2017", "1 press right", "10 neutralise").history
    table = ClockState(history, SETUP, menu=Menu("undo", (3, "wrong button")))
    assert isinstance(accept(history, Undo("x", 3), 20 * NS).event, Undo)
    assert face(table, 20 * NS).menu != face(table, some(schedule.next_due(table, 20 * NS))).menu
