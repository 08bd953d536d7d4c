"""The guided test on a whole clock with a mock board: from the director's menu to the note in the journal, and never into the game."""

from pathlib import Path
from typing import Final

import pytest

from appliance.finding import fail, ok
from firmware.hall.state import HallState, LinkSign, check_network
from firmware.shell import assemble
from firmware.shell.hall import wants_signature
from firmware.shell.loop import Examined
from game.game import Phase
from records.device_test import DEVICE_TEST, DeviceTest
from records.journal import Kind
from rules.contact import MS
from tests.firmware.shell.rig import Rig, Step, rig, rows_in

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


def test_the_key_ends_it_without_a_row_and_the_players_go_on(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        off = table.turn("12", "key", on=False)
        table.play(begins(table), table.press("10", "left"), off, table.press("14", "right"), until="16")
        assert table.clock.table.game_at(table.hand.now).phase is Phase.RUNNING
        assert table.notes() == []


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
    finding = check_network(HallState(link=link))
    assert (finding.found if finding.fix else "") == found
