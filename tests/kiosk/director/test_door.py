from hypothesis import given
from hypothesis import strategies as st

from appliance.lock import LONGEST_WAIT_NS, wait_ns
from kiosk.director import door as doors
from rules.duration import NS
from tests.cells import each_cell
from tests.kiosk.kept_pin import KEPT_PIN

PIN = doors.Lock(KEPT_PIN)
KEY = doors.Lock(key=True)
AT = 1_000 * NS


def asked(lock: doors.Lock = PIN, at: int = AT) -> doors.Door:
    return doors.knock(doors.Door(lock), at)


def wrong(door: doors.Door, at: int) -> doors.Door:
    return handed_in(door, "0000", at)


def handed_in(door: doors.Door, pin: str, at: int = AT) -> doors.Door:
    return doors.hand_in(doors.type_digits(door, pin, at), at)


def test_a_right_pin_opens_the_door_and_forgets_the_wrong_tries() -> None:
    opened = handed_in(wrong(asked(), AT), "2468")
    assert (opened.is_open, opened.tries, opened.shut_until) == (True, 0, None)


def test_a_pin_has_4_to_12_digits_and_nothing_else_counts() -> None:
    short = doors.type_digits(asked(), "12a3\n", AT)
    assert doors.hand_in(short, AT) == short
    long = doors.type_digits(asked(), "1234567890123456", AT)
    assert long.digits == "123456789012"
    assert doors.type_digits(asked(), "\u0661\u0662\u0663\u0664", AT).digits == ""


def test_the_pin_is_kept_no_longer_than_it_is_typed_and_is_in_no_text_of_the_door() -> None:
    typed = doors.type_digits(asked(), "2468", AT)
    assert "2468" not in repr(typed)
    assert (
        doors.hand_in(typed, AT).digits
        == wrong(asked(), AT).digits
        == ""
        == doors.closed(typed).digits
        == doors.knock(doors.closed(typed), AT).digits
    )


def test_three_wrong_tries_shut_the_door_for_30_s_and_each_further_one_for_twice_as_long_up_to_15_min() -> None:
    for cell in each_cell([(0, 0), (2, 0), (3, 30), (4, 60), (5, 120), (6, 240), (7, 480), (8, 900), (9, 900), (10_000, 900)]):
        with cell as (tries, seconds):
            assert wait_ns(tries) == seconds * NS


def test_no_pin_is_taken_while_wrong_tries_keep_the_door_shut() -> None:
    door = wrong(wrong(wrong(asked(), AT), AT), AT)
    assert door.shut_until == AT + 30 * NS
    assert doors.type_digits(door, "2468", AT + 30 * NS - 1).digits == ""
    later = AT + 30 * NS
    assert handed_in(door, "2468", later).is_open


@given(tries=st.integers(0, 100), at=st.integers(0, 10**15))
def test_a_station_that_is_switched_off_and_on_waits_its_whole_time_again(tries: int, at: int) -> None:
    door = doors.Door.after(PIN, tries, at)
    assert door.is_closed
    assert (0 if door.shut_until is None else door.shut_until - at) == wait_ns(tries) <= LONGEST_WAIT_NS
    assert wrong(doors.knock(door.replace(shut_until=None), at), at).tries == tries + 1


def test_a_door_that_the_key_opened_has_forgotten_the_wrong_pins_as_after_a_right_one() -> None:
    # The key is the director's: what others tried before is over, as it is for the log, which counts from the last opening on.
    shut = wrong(wrong(wrong(asked(doors.Lock(KEPT_PIN, key=True)), AT), AT), AT)
    assert shut.shut(AT)
    again = doors.knock(doors.turn_key(doors.turn_key(shut, AT, on=True), AT, on=False), AT)
    assert (again.is_open, again.tries, again.shut(AT)) == (False, 0, False)
    assert handed_in(again, "2468").is_open
    # Help that was shown goes with its page.
    helped = asked().replace(helping=True)
    assert (doors.opened(helped, AT).helping, doors.closed(helped).helping) == (False, False)


def test_a_door_that_has_closed_by_itself_says_for_how_long_digits_go_nowhere() -> None:
    lapsed = doors.lapsed(asked(), AT + 4 * NS)
    assert [doors.seconds_lapsed(lapsed, AT + later) for later in (0, 3 * NS + 1, 4 * NS)] == [4, 1, None]
    assert [doors.seconds_lapsed(door, AT) for door in (doors.closed(lapsed), doors.knock(lapsed, AT))] == [None, None]
