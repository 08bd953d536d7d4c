"""The pages of the director's door: the PIN, and what is said where there is none or a wrong one."""

from kiosk import events as players
from kiosk.director.door import Lock
from kiosk.events import KnockAtDoor, PinChecked
from tests.kiosk.face.desk_pages import ids, seen, texts_of
from tests.kiosk.station.playing import station


def test_the_pin_stands_there_in_dots_only() -> None:
    shown = seen(station().do(KnockAtDoor(), players.Type("2468")))
    assert (shown.name, shown.entry, shown.typed) == ("door.pin", "••••", True)
    assert "2468" not in texts_of(shown)


def test_a_wrong_pin_is_said_and_too_many_of_them_how_long_to_wait() -> None:
    wrong = (players.Type("1111"), players.Next(), PinChecked(right=False))
    assert seen(station().do(KnockAtDoor(), *wrong)).notice == "That was not the PIN."
    shut = station().do(KnockAtDoor(), *wrong, *wrong, *wrong)
    assert seen(shut).lines[0] == "Too many wrong PINs: wait 30 s."
    shut.seconds += 12.5
    assert seen(shut).lines[0] == "Too many wrong PINs: wait 18 s."
    assert ids(seen(shut)) == ["back"]


def test_a_station_without_a_pin_says_how_to_set_one_and_that_the_key_opens_it() -> None:
    none = seen(station(Lock(pin=False)).do(KnockAtDoor()))
    assert "tilekiosk config pin" in none.lines[0]
    assert (none.keyboard, none.typed, ids(none)) == ((), False, ["back"])
    assert seen(station(Lock(pin=False, key=True)).do(KnockAtDoor())).lines[1] == "Or turn the key switch."


def test_while_the_pin_is_checked_nothing_can_be_pressed() -> None:
    shown = seen(station().do(KnockAtDoor(), players.Type("2468"), players.Next()))
    assert (shown.name, shown.actions, dict(shown.keys)) == ("door.checking", (), {})
