"""The station's door: who comes in by PIN or key switch, what of it is logged and counted, and when it closes by itself."""

import pytest

from kiosk import events as players
from kiosk.director.door import Doorway, Lock
from kiosk.effects import CheckPin
from kiosk.events import DeskAnswer, DeskPlace, GoTo, KeyTurned, KnockAtDoor, LeaveDesk, PinChecked
from kiosk.facts import Facts
from tests.kiosk.station.playing import station


def test_the_pin_goes_to_the_shell_and_only_its_answer_opens_the_desk() -> None:
    played = station().do(KnockAtDoor(), players.Type("24"), players.TypeTile("6"), players.Type("8"), players.Next())
    assert played.asked == [CheckPin("2468")]
    assert not played.now.door.is_open
    assert played.do(PinChecked(right=True)).now.door.is_open
    assert played.kept() == [("door_opened", "PIN")]


def test_every_refusal_is_a_row_and_tells_how_many_there_were_in_a_row() -> None:
    played = station(tries=1).do(KnockAtDoor(), players.Type("1111"), players.Next(), PinChecked(right=False))
    assert played.kept() == [("door_refused", "wrong PIN, 2 in a row")]


def test_a_pin_that_is_being_checked_is_waited_for_also_by_who_would_leave_and_a_wrong_one_counts() -> None:
    for leaving in (LeaveDesk(), players.Back()):
        played = station().do(KnockAtDoor(), players.Type("1111"), players.Next(), leaving)
        assert played.now.door.way is Doorway.CHECKING
        assert played.do(PinChecked(right=False)).now.door.tries == 1
        assert played.kept() == [("door_refused", "wrong PIN, 1 in a row")]


def test_after_a_restart_the_door_is_shut_as_long_as_the_log_says() -> None:
    played = station(tries=4).do(KnockAtDoor(), players.Type("2468"), players.Next())
    assert played.asked == []
    played.seconds = 60
    assert played.do(KnockAtDoor(), players.Type("2468"), players.Next()).asked == [CheckPin("2468")]


def test_the_key_switch_opens_and_closes_the_desk() -> None:
    played = station().do(KeyTurned(on=True))
    assert played.now.door.is_open
    assert played.do(KeyTurned(on=False)).now.door.is_closed
    assert played.kept() == [("door_opened", "key switch")]


@pytest.mark.parametrize("lock", [Lock(pin=False), Lock(pin=True)])
def test_a_key_switch_that_the_settings_do_not_name_opens_nothing(lock: Lock) -> None:
    assert station(lock).do(KeyTurned(on=True)).now.door.is_closed


def test_the_question_for_the_pin_goes_away_by_itself() -> None:
    assert station().do(KnockAtDoor()).after(20).now.door.is_closed
    assert not station().do(KnockAtDoor()).after(19).do(players.Type("1")).after(19).now.door.is_closed


def test_the_open_desk_locks_itself_after_five_minutes_without_a_touch() -> None:
    played = station().opened().after(299).do(GoTo(DeskPlace.LOG)).after(299)
    assert played.now.door.is_open
    assert played.after(1).now.door.is_closed


def test_what_the_shell_tells_is_nobodys_touch() -> None:
    assert station().opened().after(299).do(DeskAnswer(Facts(result="x"))).after(1).now.door.is_closed


def test_a_touch_that_comes_after_the_desk_should_have_locked_finds_it_locked() -> None:
    played = station().opened()
    played.seconds += 301
    assert played.do(GoTo(DeskPlace.LOG)).now.door.is_closed


def test_behind_the_help_nothing_is_typed_or_chosen_and_the_shells_answers_arrive() -> None:
    played = station().do(KnockAtDoor(), players.ShowHelp(), players.Type("2468"), players.Next())
    assert (played.asked, played.now.door.digits, played.now.door.helping) == ([], "", True)
    played = station().opened().do(players.ShowHelp(), GoTo(DeskPlace.NAME), DeskAnswer(Facts(result="x")))
    assert (played.now.desk.place, played.now.desk.facts.result) == (DeskPlace.MENU, "x")
    assert not played.do(players.Back()).now.door.helping
    assert played.now.door.is_open


def test_the_help_does_not_hold_the_door_open_and_is_gone_with_it() -> None:
    played = station().opened().after(200).do(players.ShowHelp())
    assert played.after(299).now.door.is_open
    assert played.after(1).now.door.is_closed
    assert not played.opened().now.door.helping
    turned = station().do(KnockAtDoor(), players.ShowHelp(), KeyTurned(on=True))
    assert (turned.now.door.is_open, turned.now.door.helping) == (True, False)
