"""The record: events put in at an earlier instant, short presses taken back, and what a journal is told of it."""

import pytest

from game.events import GameEvent, NewGame, Undo
from game.game import EventNotAllowed
from game.record import accept, changes, take_back
from rules.duration import NS
from tests.firmware.saying import Told, event_of, face_of, play


def _game_event(text: str) -> GameEvent:
    event = event_of(text)
    assert not isinstance(event, NewGame | Undo)
    return event


def _numbers(told: Told) -> list[int]:
    return [link.number for link in told.record]


def test_an_event_put_in_at_its_earlier_instant_counts_from_there() -> None:
    told = play("naspa-2017", "0 press right", "10 adjust left seconds=60 when=now reason=x")
    late = accept(told.record, event_of("press left"), 5 * NS)
    assert face_of(late, 10 * NS)["right"]["used_ns"] == 5 * NS
    assert face_of(late, 10 * NS)["left"]["reading"] == "25:55"
    assert [link.number for link in late] == [3, 4, 2, 1]


def test_an_event_that_is_not_allowed_at_its_earlier_instant_is_refused() -> None:
    told = play("naspa-2017", "0 press right", "10 challenge")
    with pytest.raises(EventNotAllowed):
        accept(told.record, event_of("withdraw"), 5 * NS)


def test_at_the_same_instant_the_one_that_was_said_first_stays_first() -> None:
    told = play("naspa-2017", "0 press right", "5 press left", "9 hold")
    between = accept(told.record, event_of("press right"), 5 * NS)
    assert face_of(between, 9 * NS)["running"] == "left"
    assert [link.number for link in between] == [4, 5, 3, 2, 1]


def test_what_is_taken_back_was_never_accepted_and_the_rest_follows() -> None:
    told = play("naspa-2017", "0 press right", "5 press left", "9 press right")
    alone = take_back(told.record, 3, None)
    assert [link.number for link in alone] == [2, 1]
    assert face_of(alone, 10 * NS)["left"]["used_ns"] == 10 * NS


def test_what_stands_in_its_place_has_its_number() -> None:
    told = play("naspa-2017", "0 press right", "5 neutralise")
    instead = take_back(told.record, 3, (_game_event("challenge"), 5 * NS))
    assert face_of(instead, 6 * NS)["phase"] == "adjudication"
    assert (instead.number, instead.at) == (3, 5 * NS)


def test_a_number_that_was_given_is_not_given_again_while_it_is_in_the_record() -> None:
    told = play("naspa-2017", "0 press right", "10 infraction left")
    late = accept(told.record, event_of("press left"), 5 * NS)
    assert accept(late, event_of("press right"), 20 * NS).number == 5
    assert _numbers(told) == [3, 2, 1]


@pytest.mark.parametrize("number", [1, 3, 9])
def test_a_new_game_what_was_struck_and_what_is_not_there_cannot_be_taken_back(number: int) -> None:
    told = play("naspa-2017", "0 press right", "5 press left", "6 undo reason=x")
    with pytest.raises(EventNotAllowed):
        take_back(told.record, number, None)


def test_a_replacement_that_is_not_allowed_there_is_refused() -> None:
    told = play("naspa-2017", "0 press right", "5 press left")
    with pytest.raises(EventNotAllowed):
        take_back(told.record, 3, (_game_event("withdraw"), 5 * NS))


def test_a_journal_is_told_only_of_what_is_new() -> None:
    told = play("naspa-2017", "0 press right")
    more = told.then("5 press left", "9 press right")
    gone, written = changes(told.record, more.record)
    assert (gone, [link.number for link in written]) == ((), [3, 4])
    begun = changes(None, told.record)
    assert (begun[0], [link.number for link in begun[1]]) == ((), [1, 2])


def test_a_journal_is_told_what_was_taken_back_and_what_stands_in_its_place() -> None:
    told = play("naspa-2017", "0 press right", "5 neutralise")
    assert changes(told.record, take_back(told.record, 3, None)) == ((3,), ())
    instead = take_back(told.record, 3, (_game_event("challenge"), 5 * NS))
    gone, written = changes(told.record, instead)
    assert (gone, [(link.number, link.event) for link in written]) == ((), [(3, event_of("challenge"))])


def test_an_undo_is_kept_with_the_number_it_struck() -> None:
    told = play("naspa-2017", "0 press right", "5 press left", "6 undo reason=x")
    assert told.record.event == event_of("undo reason=x event=3")
