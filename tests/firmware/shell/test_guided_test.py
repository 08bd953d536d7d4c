"""The guided test on a whole clock with a mock board: from the director's menu to the note in the journal, and never into the game."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from appliance.errors import fail, ok
from firmware.hall.orders import HallState, LinkSign
from firmware.shell import assemble
from firmware.shell.hall import wants_signature
from firmware.shell.loop import Examined
from game.game import Phase
from hardware.led.picture import ALL_LIT, Lit, cells, lit
from records.device_test import DEVICE_TEST, TEST_LEFT, DeviceTest
from records.journal import Kind
from rules.contact import MS
from rules.side import Side
from tests.firmware.shell.rig import CALL_NS, Hand, Rig, Step, rig, rows_in, whole_game
from tools.led_displays import FakeLed

LAST_ROW: Final = (*["up"] * 11, "ok")
"""From the late start, on which the cursor begins, up round to the last row."""
OTHERS: Final = ("centre", "up", "down", "ok")
PICTURES: Final = 8
WEAK: Final = fail("power", "the voltage is too low", "Use the supply made for this model.")


@pytest.fixture(autouse=True)
def examines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock find a weak supply, at once, whenever it examines itself."""

    def at_once(_: object, pass_on: object) -> None:
        pass_on(Examined((ok("disk space", "900 MiB free"), WEAK)))  # type: ignore[operator]

    monkeypatch.setattr(assemble, "examine_apart", at_once)


def word(text: str) -> Lit:
    return lit(cells(text))


FIRST: Final[dict[str, Any]] = {"director__first_test": True}


def in_test(table: Rig, seconds: str) -> bool:
    menu = table.face(seconds).menu
    return menu is not None and menu.pattern != ""


def begins(table: Rig) -> list[Step]:
    return [*table.turn("2", "key", on=True), *table.presses("3", *LAST_ROW)]


def right_and_the_rest(table: Rig, since: int) -> list[Step]:
    """Return the steps from the right button on, half a second or more apart."""
    held = table.press(str(since + 1), "right", held=2_100 * MS)
    return [*table.press(str(since), "right"), *held, *table.presses(str(since + 4), *OTHERS, *["up"] * PICTURES)]


def test_a_clock_whose_left_button_is_missing_says_so_in_one_row_and_its_game_is_as_it_was(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        # The left button's step is over ten seconds after the row was taken, at 8.5.
        table.play(
            begins(table), right_and_the_rest(table, 20), table.press("40", "left", "right"), table.turn("45", "key", on=False), until="50"
        )
        game = table.clock.table.game_at(table.hand.now)
        assert (game.phase, game.running, table.clock.table.menu) == (Phase.READY, None, None)
        shown = table.face("35").menu
    assert shown is not None
    assert (shown.title, shown.sentence) == ("15 of 17 checks passed", "NOT PASSED")
    assert shown.lines == ("LEFT: check its plug and its two wires", "Power: use the supply made for this clock")
    (body,) = (each[DEVICE_TEST] for each in table.notes() if DEVICE_TEST in each)
    assert [each["what"] for each in body["failed"]] == ["left button", "power"]
    assert (body["checks"], body["buttons"]["right"]["down_ms"]) == (17, [120, 2_100])
    assert [each.row.kind for each in rows_in(table.path)].count(Kind.EVENT) == 1


def test_the_key_ends_it_without_a_result_and_the_players_go_on(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        off = table.turn("12", "key", on=False)
        table.play(begins(table), table.press("10", "left"), off, table.press("14", "right"), until="16")
        assert table.clock.table.game_at(table.hand.now).phase is Phase.RUNNING
        assert table.notes() == [TEST_LEFT]


def test_both_buttons_held_leave_it_are_not_stuck_and_begin_nothing_until_they_are_pressed_again(tmp_path: Path) -> None:
    with rig(tmp_path, board__file="two-button", **FIRST) as table:
        table.play(table.press("2", "left", "right", held=9_000 * MS), table.press("13", "right"), until="15")
        assert in_test(table, "6.9")
        assert (in_test(table, "7.1"), table.face("10.9").fills, table.face("10.9").notices) == (False, (), ())
        assert (table.clock.table.game_at(table.hand.now).running, table.notes()) == (Side.LEFT, [TEST_LEFT])


def test_a_new_clock_begins_it_by_itself_until_there_is_a_result_which_also_comes_with_nobody_there(tmp_path: Path) -> None:
    with rig(tmp_path, **FIRST) as table:
        # The power fails before anybody has pressed a button.
        table.play(until="9", cut=True)
        assert (in_test(table, "1"), table.notes()) == (True, [])
    with rig(tmp_path, Hand(boot="second boot"), **FIRST) as table:
        table.play(until="400")
        assert (in_test(table, "1"), [*table.notes()[0]]) == (True, [DEVICE_TEST])
        assert in_test(table, "400"), "until somebody has read the result"
    with rig(tmp_path, Hand(boot="third boot"), **FIRST) as table:
        table.play(until="2")
        assert not in_test(table, "1")


def test_once_somebody_has_left_it_it_does_not_come_again(tmp_path: Path) -> None:
    with rig(tmp_path, **FIRST) as table:
        table.play(table.press("2", "left", "right", held=5_200 * MS), until="9")
    with rig(tmp_path, Hand(boot="second boot"), **FIRST) as table:
        table.play(until="2")
        assert not in_test(table, "1")


def test_two_displays_without_a_screen_lead_from_the_first_button_to_the_result(tmp_path: Path) -> None:
    with FakeLed() as left, FakeLed() as right:
        shown: list[bool] = []

        def look(*wanted: Lit) -> None:
            for fake, own in zip((left, right), wanted * 2, strict=False):
                shown.append(fake.shows(own.__eq__))

        alone = {**FIRST, "board__file": "two-display", "screen__kind": "none", "led__left": left.port, "led__right": right.port}
        with rig(tmp_path, **alone) as table:

            def shows(seconds: str, *wanted: Lit) -> list[Step]:
                return [(table.at(seconds), lambda: look(*wanted))]

            table.play(
                shows("1", word("L")),
                *(table.press("2", "left"), table.press("3", "left", held=2_100 * MS), shows("5.05", word("FrEE"))),
                *(table.press("6", "right"), table.press("7", "right", held=2_100 * MS), table.press("10", "left", "right")),
                *(shows("11", ALL_LIT), shows("11.5", word("L"), word("r")), table.press("12", "right")),
                *(shows("13", word("LIt?")), table.press("14", "left"), shows("15", word("FAIL"))),
                until="16",
            )
            assert shown == [True] * 12
            (body,) = (each[DEVICE_TEST] for each in table.notes())
    assert (body["checks"], [each["what"] for each in body["failed"]]) == (9, ["power"])


def played(folder: Path) -> None:
    with rig(folder) as table:
        table.play(table.press("2", "right"), table.press("12", "centre"), until="15")


def after_a_game(folder: Path) -> None:
    with rig(folder) as table:
        # After the recount the held bar, and a yes, set up the next game.
        yes = table.press("404", "right"), table.press("405", "centre")
        table.play(whole_game(table), table.press("400", "centre", held=CALL_NS), *yes, until="410")
        assert table.clock.table.game_at(table.hand.now).phase is Phase.READY


def damaged(folder: Path) -> None:
    (folder / "journal.db").write_bytes(b"no database" * 100)


@pytest.mark.parametrize("before", [played, after_a_game, damaged])
def test_no_clock_begins_it_in_a_tournament(tmp_path: Path, before: Callable[[Path], None]) -> None:
    before(tmp_path)
    with rig(tmp_path, Hand(boot="second boot"), **FIRST) as table:
        table.play(until="2")
        assert not in_test(table, "1")


@pytest.mark.parametrize("settings", [{}, {**FIRST, "board__pins": "none"}])
def test_a_clock_that_is_not_asked_to_or_has_no_pins_does_not_begin_it(tmp_path: Path, settings: dict[str, Any]) -> None:
    with rig(tmp_path, **settings) as table:
        table.play(until="2")
        assert not in_test(table, "1")


def test_in_a_game_it_cannot_be_begun(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        stops = table.press("1", "right"), table.press("4", "centre"), table.turn("5", "key", on=True)
        table.play(*stops, table.presses("6", *["up"] * 2, "ok"), until="9")
        menu = table.screen.face.menu
        assert menu is not None
        assert (menu.lines[-1], DEVICE_TEST in str(table.notes())) == ("Not now: a game is in progress", False)


def test_a_clock_of_a_hall_signs_the_result_and_no_other_note() -> None:
    assert [wants_signature(Kind.NOTE, body) for body in (DeviceTest(3).body, {"power": "too weak"})] == [True, False]


@pytest.mark.parametrize(
    ("link", "found"), [(LinkSign.UP, ""), (LinkSign.DOWN, "no connection to the hall"), (LinkSign.REFUSED, "the hall refuses this clock")]
)
def test_the_network_is_what_the_link_to_the_hall_says(link: LinkSign, found: str) -> None:
    finding = HallState(link=link).network
    assert (finding.found if finding.fix else "") == found
