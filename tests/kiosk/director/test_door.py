"""The director's door: the PIN, its wrong tries, the key switch, and when it closes by itself."""

from hypothesis import given
from hypothesis import strategies as st

from appliance.lock import LONGEST_WAIT_NS, wait_ns
from kiosk.director.door import (
    ASKING_NS,
    Door,
    Doorway,
    Lock,
    checked,
    closed,
    erase_digit,
    hand_in,
    knock,
    shuts_at,
    turn_key,
    type_digits,
)
from rules.duration import NS
from tests.cells import each_cell

PIN = Lock(pin=True)
KEY = Lock(pin=False, key=True)
AT = 1_000 * NS


def asked(lock: Lock = PIN, at: int = AT) -> Door:
    return knock(Door(lock), at)


def wrong(door: Door, at: int) -> Door:
    given_in, pin = hand_in(type_digits(door, "0000", at), at)
    assert pin == "0000"
    return checked(given_in, at, right=False)


def test_a_right_pin_opens_the_door_and_forgets_the_wrong_tries() -> None:
    door, pin = hand_in(type_digits(wrong(asked(), AT), "2468", AT), AT)
    assert (door.way, pin) == (Doorway.CHECKING, "2468")
    opened = checked(door, AT, right=True)
    assert (opened.is_open, opened.tries, opened.shut_until) == (True, 0, None)


def test_a_pin_has_4_to_12_digits_and_nothing_else_counts() -> None:
    short = type_digits(asked(), "12a3\n", AT)
    assert hand_in(short, AT) == (short, None)
    long = type_digits(asked(), "1234567890123456", AT)
    assert hand_in(long, AT)[1] == "123456789012"
    assert hand_in(erase_digit(long), AT)[1] == "12345678901"
    assert type_digits(asked(), "\u0661\u0662\u0663\u0664", AT).digits == ""


def test_the_pin_is_kept_no_longer_than_it_is_typed_and_is_in_no_text_of_the_door() -> None:
    typed = type_digits(asked(), "2468", AT)
    assert "2468" not in repr(typed)
    assert hand_in(typed, AT)[0].digits == "" == closed(typed).digits == knock(closed(typed), AT).digits


def test_while_a_pin_is_checked_nothing_else_is_taken() -> None:
    door, _ = hand_in(type_digits(asked(), "2468", AT), AT)
    assert type_digits(door, "1", AT) == door == erase_digit(door) == knock(door, AT) == hand_in(door, AT)[0]
    assert shuts_at(door) is None


def test_an_unrequested_answer_opens_nothing() -> None:
    for door in (Door(PIN), asked()):
        assert checked(door, AT, right=True) == door


def test_three_wrong_tries_shut_the_door_for_30_s_and_each_further_one_for_twice_as_long_up_to_15_min() -> None:
    for cell in each_cell([(0, 0), (2, 0), (3, 30), (4, 60), (5, 120), (6, 240), (7, 480), (8, 900), (9, 900), (10_000, 900)]):
        with cell as (tries, seconds):
            assert wait_ns(tries) == seconds * NS


def test_who_gave_a_wrong_pin_is_asked_again_for_the_whole_time() -> None:
    later = AT + ASKING_NS - 1
    assert shuts_at(wrong(asked(), later)) == later + ASKING_NS


def test_no_pin_is_taken_while_wrong_tries_keep_the_door_shut() -> None:
    door = wrong(wrong(wrong(asked(), AT), AT), AT)
    assert door.shut_until == AT + 30 * NS
    assert type_digits(door, "2468", AT + 30 * NS - 1).digits == ""
    later = AT + 30 * NS
    assert hand_in(type_digits(door, "2468", later), later)[1] == "2468"


def test_leaving_and_knocking_again_does_not_shorten_the_wait() -> None:
    door = wrong(wrong(wrong(asked(), AT), AT), AT)
    assert knock(closed(door), AT + NS).shut_until == door.shut_until


@given(tries=st.integers(0, 100), at=st.integers(0, 10**15))
def test_a_station_that_is_switched_off_and_on_waits_its_whole_time_again(tries: int, at: int) -> None:
    door = Door.after(PIN, tries, at)
    assert door.is_closed
    assert (0 if door.shut_until is None else door.shut_until - at) == wait_ns(tries) <= LONGEST_WAIT_NS
    assert wrong(knock(door.replace(shut_until=None), at), at).tries == tries + 1


def test_a_door_that_the_key_opened_has_forgotten_the_wrong_pins_as_after_a_right_one() -> None:
    # The key is the director's: what others tried before is over, as it is for the log, which counts from the last opening on.
    shut = wrong(wrong(wrong(asked(Lock(pin=True, key=True)), AT), AT), AT)
    assert shut.shut(AT)
    again = knock(turn_key(turn_key(shut, AT, on=True), AT, on=False), AT)
    assert (again.tries, again.shut(AT)) == (0, False)
    assert hand_in(type_digits(again, "2468", AT), AT)[1] == "2468"


def test_a_knock_opens_again_while_the_key_is_still_turned() -> None:
    assert knock(closed(turn_key(Door(KEY), AT, on=True)), AT).is_open


def test_a_key_turned_while_a_pin_is_checked_opens_with_the_answer_whatever_it_is() -> None:
    door, _ = hand_in(type_digits(asked(Lock(pin=True, key=True)), "2468", AT), AT)
    turned = turn_key(door, AT, on=True)
    assert turned.way is Doorway.CHECKING
    assert checked(turned, AT, right=False).is_open


def test_without_a_pin_nothing_that_is_typed_is_taken() -> None:
    door = type_digits(asked(KEY), "2468", AT)
    assert hand_in(door, AT) == (asked(KEY), None)
