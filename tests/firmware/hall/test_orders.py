"""The director's orders: what each does, and when it is refused."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from firmware.face.view import face
from firmware.hall.state import HallState, OpenSettings, ShownNotice, StopRequest, with_hall
from game import events as ev
from game.events import By
from game.record import accept
from game.table import Assignment, next_game
from rules.duration import NS
from rules.side import BySide
from tests.firmware.gestures.trains import table
from tests.firmware.hall.hall_table import call, decided, made, order
from wire.proposals import RefusalReason

ASSIGN: dict[str, Any] = {"table": 12, "left": "Ana", "right": "Björn", "lexicon": None}
SETUP: dict[str, Any] = {"rulebook": "nzasp-2022", "left_seconds": 1200, "right_seconds": None}
SETTINGS: dict[str, Any] = {"language": "fr", "led_brightness": 40}
HARD = HallState(hard_freeze=True)
RUNNING = ("1 press right",)


def test_a_notice_stands_for_its_seconds_and_touches_no_game() -> None:
    answer = decided(table("naspa-2017", *RUNNING), order("notice", text="Lunch at noon", seconds=60), 10)
    assert answer.hall.notice == ShownNotice("Lunch at noon", 70 * NS)
    assert (answer.reason, answer.events) == (None, ())


@pytest.mark.parametrize("lines", [(), RUNNING, ("1 press right", "2 end reason=x")])
@pytest.mark.parametrize("began", [0, -100 * NS, 10**15, None])
def test_the_start_of_the_round_comes_in_at_any_time_and_touches_no_game(lines: tuple[str, ...], began: int | None) -> None:
    answer = decided(table("naspa-2017", *lines), order("round", began=began), 10)
    assert (answer.hall, answer.reason, answer.events, answer.number) == (HallState(), None, (), None)


def test_after_a_power_cut_the_start_of_the_round_comes_in_only_once_the_times_are_confirmed() -> None:
    frozen = replace(table("naspa-2017"), frozen=10 * NS)
    assert decided(frozen, order("round", began=0), 10).reason is RefusalReason.FROZEN


def test_clear_takes_notice_and_request_away() -> None:
    hall = HallState(notice=ShownNotice("x", 1), stop=StopRequest("y", 1))
    answer = decided(table("naspa-2017"), order("clear"), 1, hall)
    assert (answer.hall.notice, answer.hall.stop) == (None, None)


def test_a_stop_is_advisory_and_keeps_the_instant() -> None:
    answer = decided(table("naspa-2017", *RUNNING), order("stop", text="Fire alarm"), 10)
    assert answer.hall.stop == StopRequest("Fire alarm", 10 * NS)
    assert answer.events == ()


def test_a_hard_freeze_stops_a_running_clock_for_the_director() -> None:
    answer = decided(table("naspa-2017", *RUNNING), order("stop", text="Fire alarm"), 10, HARD)
    assert answer.events == ((ev.Neutralise("director called"), By.DIRECTOR),)
    assert answer.number == 3


@pytest.mark.parametrize("lines", [(), ("1 press right", "2 neutralise"), ("1 press right", "2 challenge"), ("1 late_start left",)])
def test_a_hard_freeze_makes_nothing_of_a_clock_that_stands_or_waits(lines: tuple[str, ...]) -> None:
    answer = decided(table("naspa-2017", *lines), order("stop", text="Fire alarm"), 10, HARD)
    assert (answer.events, answer.reason) == ((), None)


@pytest.mark.parametrize(("lines", "number"), [((), 1), (("1 press right", "2 end reason=x"), 3)])
def test_names_and_table_come_in_between_games(lines: tuple[str, ...], number: int) -> None:
    place = decided(table("naspa-2017", *lines), order("assign", number=number, **ASSIGN), 5).hall.place
    assert (place.table, place.names) == (12, BySide("Ana", "Björn"))


def test_names_that_come_after_the_end_stand_beside_the_next_game_and_not_beside_this_ones_times() -> None:
    over = table("naspa-2017", "1 press right", "2 end reason=x")
    before = HallState(place=Assignment(12, BySide("Cy", "Di")))
    first = decided(over, order("assign", number=3, **ASSIGN), 5, before).hall
    again = decided(over, order("assign", number=3, name="0d" * 16, **(ASSIGN | {"left": "Anna"})), 6, first).hall
    for hall, left in ((first, "Ana"), (again, "Anna")):
        assert (hall.place.names, hall.played) == (BySide(left, "Björn"), BySide("Cy", "Di"))
        shown = with_hall(face(over, 7 * NS), over, hall, 7 * NS)
        assert shown.halves.map(lambda half: half.marks[-1]) == BySide("Cy", "Di")
        assert shown.hint == f"Next: {left} and Björn"
    # Before the first press the names are this game's.
    assert decided(table("naspa-2017"), order("assign", number=1, **ASSIGN), 5, before).hall.played is None


@pytest.mark.parametrize("lines", [RUNNING, ("1 press right", "2 neutralise"), ("1 late_start left", "5 arrive left")])
@pytest.mark.parametrize(("do", "keys"), [("assign", ASSIGN), ("setup", SETUP), ("settings", SETTINGS), ("update", {})])
def test_nothing_of_the_next_game_comes_in_during_a_game(lines: tuple[str, ...], do: str, keys: dict[str, Any]) -> None:
    answer = decided(table("naspa-2017", *lines), order(do, number=len(lines) + 1, **keys), 10)
    assert answer.reason is RefusalReason.NOT_BETWEEN_GAMES
    assert answer.hall == HallState()


@pytest.mark.parametrize(("do", "keys"), [("assign", ASSIGN), ("setup", SETUP), ("settings", SETTINGS), ("update", {})])
def test_an_order_for_an_earlier_state_is_out_of_date(do: str, keys: dict[str, Any]) -> None:
    over = table("naspa-2017", "1 press right", "2 end reason=x")
    assert decided(over, order(do, number=2, **keys), 5).reason is RefusalReason.OUT_OF_DATE


@pytest.mark.parametrize(("do", "keys"), [("assign", ASSIGN), ("setup", SETUP), ("settings", SETTINGS), ("update", {})])
def test_a_restored_game_waits_for_the_director_first(do: str, keys: dict[str, Any]) -> None:
    frozen = replace(table("naspa-2017"), frozen=0)
    assert decided(frozen, order(do, **keys), 5).reason is RefusalReason.FROZEN


def test_a_set_up_game_is_offered_and_begun_by_the_players_only() -> None:
    over = table("naspa-2017", "1 press right", "2 end reason=x")
    answer = decided(over, order("setup", number=3, **SETUP), 5)
    assert answer.events == ()
    offered = next_game(over.record, answer.offered)
    assert (offered.rulebook_ref, offered.allowed) == ("nzasp-2022", BySide(1200 * NS, None))
    begun = accept(over.record, offered, 6 * NS)
    # It was for that one game: the times of the one after are the regulation (2017 III.A.3).
    assert next_game(accept(begun, ev.End("x"), 7 * NS), answer.offered) == replace(offered, allowed=BySide.both(None))
    assert accept(begun, ev.End("x"), 7 * NS).game.rulebook.id == "nzasp-2022"


def test_an_unknown_rulebook_is_refused() -> None:
    assert decided(table("naspa-2017"), order("setup", **{**SETUP, "rulebook": "chess"}), 5).reason is RefusalReason.UNKNOWN_RULEBOOK


@pytest.mark.parametrize(("lines", "number"), [((), 1), (("1 press right", "2 end reason=x"), 3)])
def test_settings_come_in_between_games_and_touch_no_game(lines: tuple[str, ...], number: int) -> None:
    answer = decided(table("naspa-2017", *lines), order("settings", number=number, **SETTINGS), 5)
    assert (answer.reason, answer.events, answer.hall) == (None, (), HallState())
    assert answer.settings == {"language": "fr", "led.brightness": 40}


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (SETTINGS, RefusalReason.SET_ON_CARD),
        ({"language": "xx"}, RefusalReason.UNKNOWN_LANGUAGE),
        ({"language": "es", "buzzer_enabled": True}, None),
    ],
)
def test_what_the_card_sets_or_the_clock_does_not_have_is_refused_as_a_whole(keys: dict[str, Any], reason: RefusalReason | None) -> None:
    hall = HallState(open=OpenSettings(frozenset({"led.brightness"})))
    answer = decided(table("naspa-2017"), order("settings", **keys), 5, hall)
    assert (answer.reason, bool(answer.settings)) == (reason, reason is None)


@pytest.mark.parametrize(("updates", "reason"), [(True, None), (False, RefusalReason.NO_UPDATES)])
def test_an_update_comes_in_between_games_only_where_the_owner_allows_it(updates: bool, reason: RefusalReason | None) -> None:
    before = HallState(updates=updates)
    answer = decided(table("naspa-2017", "1 press right", "2 end reason=x"), order("update", number=3), 5, before)
    assert (answer.reason, answer.events, answer.hall) == (reason, (), replace(before, updating=updates))


@pytest.mark.parametrize("lines", [(), RUNNING, ("1 press right", "2 end reason=x")])
def test_a_call_comes_in_always_and_is_never_answered_from_outside(lines: tuple[str, ...]) -> None:
    there = table("naspa-2017", *lines)
    answer = decided(there, call(), 10)
    assert made(answer) == [ev.Call(on=True)]
    called = replace(there, record=accept(there.record, ev.Call(on=True), 10 * NS))
    assert made(decided(called, call(), 11)) == []


@pytest.mark.parametrize("do", ["press", "resume", "adjust", "new_game", "end", "undo", "swap", "points", "erase_overtime", "reopen"])
def test_no_order_of_that_name_exists(do: str) -> None:
    with pytest.raises(ValidationError):
        order(do)
