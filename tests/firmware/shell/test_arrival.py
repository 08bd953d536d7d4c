"""The arrival on a whole clock with a mock board: who is missing is known, no press starts a clock, and the ways out lead on."""

from pathlib import Path

from firmware.hall.orders import HallState, HallTimer
from firmware.menu.actions import LATE_CLOCK
from game.table import Assignment
from rules.contact import MS
from rules.side import BySide, Side
from tests.firmware.shell.rig import LONG_NS, Rig, Step, live, rig
from tests.some import some
from wire.reports import ArrivedPlayers

PAIR, NEXT = BySide("Ann", "Bo"), BySide("Cy", "Di")


def named(table: Rig, seconds: str, names: BySide[str] = PAIR, *, arrival: bool = True, timer: HallTimer | None = None) -> list[Step]:
    """Return the step in which the desk names the players."""
    hall = HallState(arrival=arrival, place=Assignment(7, names), timer=timer)

    def do() -> None:
        table.clock.hall = hall
        table.screen.wake()

    return [(table.at(seconds), do)]


def prompts(table: Rig, seconds: str) -> tuple[str, str]:
    halves = table.face(seconds).halves
    return halves.left.prompt, halves.right.prompt


def running(table: Rig) -> Side | None:
    return table.clock.table.game_at(table.hand.now).running


def test_each_is_here_by_an_own_press_and_only_then_and_later_does_a_press_start_a_clock(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        # The third press is one of doubt.
        presses = (table.press("3", "left"), table.press("5", "right"), table.press("6.5", "right"), table.press("9", "right"))
        table.play(named(table, "2"), *presses, until="12")
        assert prompts(table, "2.9") == ("Press your button: you are here",) * 2
        assert prompts(table, "4") == ("You are here. Your opponent is missing", "Press your button: you are here")
        assert {prompts(table, each) for each in ("6", "7.9")} == {("Both of you are here. The game can begin in 3\u00a0s",) * 2}
        assert "Press to start your opponent's clock" in prompts(table, "8.5")[0]
        assert (running(table), table.clock.here) == (Side.LEFT, None)


def test_without_the_option_or_without_names_a_press_starts_the_game_as_ever(tmp_path: Path) -> None:
    for names, arrival in ((PAIR, False), (BySide("Ann", ""), True)):
        with rig(tmp_path / str(arrival)) as table:
            table.play(named(table, "2", names, arrival=arrival), table.press("3", "right"), until="5")
            assert running(table) is Side.LEFT


def test_who_waits_alone_goes_on_by_the_bar_and_is_asked_about_a_late_start_where_players_start_it(tmp_path: Path) -> None:
    for rulebook, asks in (("nzasp-2022", True), ("naspa-2017", False)):
        with rig(tmp_path / rulebook, rulebook=rulebook) as table:
            table.play(named(table, "2"), table.press("3", "right"), table.press("8", "centre"), until="10")
            menu = table.clock.table.table_menu
            assert (None if menu is None else menu.path) == ((LATE_CLOCK,) if asks else None)
            assert (running(table), table.clock.here) == (None, BySide(left=False, right=True))


def test_both_buttons_of_a_two_button_board_lead_on_and_do_nothing_else_until_they_are_pressed_again(tmp_path: Path) -> None:
    with rig(tmp_path, board__file="two-button") as table:
        table.play(named(table, "2"), table.press("3", "left", "right", held=9_000 * MS), table.press("14", "left"), until="16")
        assert (table.face("11").fills, table.face("11").notices, table.clock.table.menu) == ((), (), None)
        assert running(table) is Side.RIGHT


def test_the_directors_key_opens_the_menu_at_once_and_the_players_are_not_asked_again(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        table.play(named(table, "2"), table.turn("4", "key", on=True), table.turn("7", "key", on=False), until="9")
        assert some(table.face("5").menu).title != ""
        assert "start your opponent's clock" in prompts(table, "8")[1]


def test_the_players_of_the_next_round_are_asked_while_the_page_stands_and_those_of_a_timer_are_not(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        timer = named(table, "7", BySide("Ed", "Flo"), timer=HallTimer(table.at("7"), 120))
        table.play(named(table, "2"), table.press("3", "left"), named(table, "4", NEXT), table.press("5", "right"), timer, until="9")
        assert prompts(table, "4.5") == ("Press your button: you are here",) * 2
        assert prompts(table, "6")[1] == "You are here. Your opponent is missing"
        assert "button: you are" not in prompts(table, "8")[0]


def test_the_page_goes_with_the_names_that_the_desk_takes_back(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        table.play(named(table, "2"), table.press("3", "left"), named(table, "5", BySide("", "")), table.press("7", "right"), until="9")
        assert prompts(table, "4")[1] == "Press your button: you are here"
        assert (running(table), table.clock.here) == (Side.LEFT, None)


def test_players_who_are_named_while_a_menu_is_open_have_not_arrived(tmp_path: Path) -> None:
    with rig(tmp_path) as table:
        both = (table.press("3", "left"), table.press("4", "right"))
        table.play(named(table, "2"), *both, table.press("8", "centre", held=LONG_NS), named(table, "11", NEXT), until="12")
        assert (table.clock.table.table_menu is None, table.clock.here) == (False, None)


def test_the_hall_hears_who_is_here(tmp_path: Path) -> None:
    with live(tmp_path) as clock:
        clock.loop._clock.here = BySide(left=True, right=False)
        clock.press("left")
        assert clock.state("running", "right").here == ArrivedPlayers(left=True, right=False)
