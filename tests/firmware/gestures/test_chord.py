"""Both player buttons at once are the centre bar: the two-button board's own (docs/spec/events.md, "Gestures")."""

from itertools import product

import pytest

from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Press, drive, said, table

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])
RUNNING = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")


def told(start: tuple[str, ...], *presses: Press, bouncy: bool, rulebook: str = "naspa-2017", until: int = 20_000) -> list[tuple[int, str]]:
    """Return what the presses said, by instants in ms."""
    begun = table(rulebook, *start, two_button=True)
    edges = [edge for press in presses for edge in press.edges(bouncy=bouncy)]
    return said(drive(begun, edges, until).record)[len(start) + 1 :]


def test_first_edges_at_most_four_hundred_ms_apart_are_the_bar_at_the_first_edge(bouncy: bool) -> None:
    for cell in each_cell(product([("left", "right"), ("right", "left")], [0, 1, 40, 250, 400])):
        with cell as ((first, second), apart):
            presses = [Press(first, 7_000, 600), Press(second, 7_000 + apart, 600)]
            assert told(RUNNING, *presses, bouncy=bouncy) == [(7_000, "neutralise")]
            assert told(STOPPED, *presses, bouncy=bouncy) == [(7_000, "resume left")]


def test_nobody_is_charged_for_a_chord(bouncy: bool) -> None:
    edges = [edge for press in (Press("left", 7_000), Press("right", 7_300)) for edge in press.edges(bouncy=bouncy)]
    game = drive(table("naspa-2017", *RUNNING), edges, 9_000).game_at(9_000 * MS)
    assert (game.used.left, game.used.right) == (7_000 * MS, 0)


@pytest.mark.parametrize("held", [100, 900])
def test_first_edges_further_apart_are_two_presses(held: int, bouncy: bool) -> None:
    presses = [Press("left", 7_000, held), Press("right", 7_401, held)]
    assert told(RUNNING, *presses, bouncy=bouncy) == [(7_000, "press left"), (7_401, "press right")]


def test_a_chord_counts_though_the_first_button_was_let_go_before_the_second_came(bouncy: bool) -> None:
    assert told(RUNNING, Press("left", 7_000, 100), Press("right", 7_200, 100), bouncy=bouncy) == [(7_000, "neutralise")]


def test_held_counts_one_second_from_the_second_buttons_edge(bouncy: bool) -> None:
    short = [Press("left", 7_000, 1_399), Press("right", 7_400, 3_000)]
    assert told(RUNNING, *short, bouncy=bouncy) == [(7_000, "neutralise")]
    long = [Press("left", 7_000, 1_400), Press("right", 7_400, 3_000)]
    assert told(RUNNING, *long, bouncy=bouncy) == [(7_000, "challenge")]


def test_held_by_the_second_button_alone_the_chord_stays_a_short_press(bouncy: bool) -> None:
    for cell in each_cell([100, 180, 300]):
        with cell as first_held:
            presses = [Press("left", 7_000, first_held), Press("right", 7_200, 1_500)]
            assert told(RUNNING, *presses, bouncy=bouncy) == [(7_000, "neutralise")]


def test_a_button_pressed_anew_while_the_chords_other_button_is_let_go_keeps_its_own_meaning(bouncy: bool) -> None:
    chord = [Press("right", 7_000, 100), Press("left", 7_200, 160)]
    on_turn = Press("right", 7_370, 1_500)
    assert told(("0 press left",), *chord, on_turn, bouncy=bouncy) == [(7_000, "neutralise"), (7_370, "out_play")]
    again = [Press("right", 7_370, 100), Press("left", 7_500, 100)]
    assert told(("0 press left",), *chord, *again, bouncy=bouncy) == [(7_000, "neutralise"), (7_370, "resume right")]


def test_the_verdict_is_taken_by_both_buttons(bouncy: bool) -> None:
    offers = [Press(button, 7_000 + 700 * index + late) for index in range(2) for button, late in (("left", 0), ("right", 30))]
    takes = [Press("left", 10_000, 1_500), Press("right", 10_050, 1_500)]
    assert told(("0 press right", "4 challenge"), *offers, *takes, bouncy=bouncy) == [(10_000, "verdict false 1")]


def test_an_acceptance_of_the_out_play_is_taken_back_by_the_chord(bouncy: bool) -> None:
    out = ("0 press right", "4 out_play")
    assert told(out, Press("right", 7_000), Press("left", 7_300), bouncy=bouncy) == []
    assert told(out, Press("right", 7_000, 1_500), Press("left", 7_300, 1_500), bouncy=bouncy) == [(7_000, "challenge")]


def test_both_buttons_start_nobodys_clock_before_the_game(bouncy: bool) -> None:
    assert told((), Press("left", 7_000), Press("right", 7_200), bouncy=bouncy) == []


def test_both_buttons_of_one_absent_player_are_that_players_arrival_and_of_two_nobodys(bouncy: bool) -> None:
    assert told(("0 late_start left",), Press("left", 7_000), Press("right", 7_100), bouncy=bouncy) == [(7_000, "arrive left")]
    assert told(("0 late_start both",), Press("left", 7_000), Press("right", 7_100), bouncy=bouncy) == []


def test_both_buttons_start_the_recount(bouncy: bool) -> None:
    over = ("0 press right", "4 end reason=x")
    assert told(over, Press("left", 7_000), Press("right", 7_100), bouncy=bouncy) == [(7_000, "window recount")]


def test_a_third_press_soon_after_a_chord_is_no_second_chord(bouncy: bool) -> None:
    presses = [Press("left", 7_000, 100), Press("right", 7_100, 100), Press("left", 7_350, 100)]
    assert told(RUNNING, *presses, bouncy=bouncy) == [(7_000, "neutralise"), (7_350, "press left")]


def test_on_two_buttons_both_held_five_seconds_open_the_menu_and_take_back_the_challenge(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ((), "ready"),
            (RUNNING, "neutral"),  # the challenge is taken back; the clock that was stopped stays stopped for the director
            (STOPPED, "neutral"),
            (("0 press right", "4 challenge"), "adjudication"),
            (("0 press right", "4 end reason=x"), "over"),
        ]
    ):
        with cell as (start, phase):
            begun = table("naspa-2017", *start, two_button=True)
            edges = [edge for press in (Press("left", 7_000, 5_200), Press("right", 7_100, 5_200)) for edge in press.edges(bouncy=bouncy)]
            assert drive(begun, [edge for edge in edges if edge.at < 8_000 * MS], 12_099).menu is None
            opened = drive(begun, edges, 14_000)
            assert opened.menu is not None
            assert opened.game_at(14_000 * MS).phase.value == phase


def test_on_two_buttons_a_verdict_taken_on_the_way_to_the_menu_is_taken_back(bouncy: bool) -> None:
    begun = table("naspa-2017", "0 press right", "4 challenge", two_button=True)
    offered = [Press("left", 6_000), Press("right", 6_050)]
    menu = [Press("left", 7_000, 5_200), Press("right", 7_100, 5_200)]
    edges = [edge for press in (*offered, *menu) for edge in press.edges(bouncy=bouncy)]
    assert drive(begun, [edge for edge in edges if edge.at < 9_000 * MS], 9_000).game_at(9_000 * MS).phase.value == "neutral"
    assert drive(begun, edges, 14_000).game_at(14_000 * MS).phase.value == "adjudication"


def test_on_a_full_board_both_held_five_seconds_stay_the_bar_held(bouncy: bool) -> None:
    begun = table("naspa-2017", *RUNNING)
    edges = [edge for press in (Press("left", 7_000, 5_200), Press("right", 7_100, 5_200)) for edge in press.edges(bouncy=bouncy)]
    done = drive(begun, edges, 14_000)
    assert done.menu is None
    assert said(done.record)[2:] == [(7_000, "challenge")]


STUCK = Press("left", 2_000, 60_000)
"""It ended the left player's turn; the right player's clock runs."""


def test_with_the_other_button_stuck_one_held_for_a_second_is_the_bar_at_its_first_edge(bouncy: bool) -> None:
    assert told(("0 press right",), STUCK, Press("right", 15_000, 999), bouncy=bouncy) == [(2_000, "press left"), (15_000, "press right")]
    held = (STUCK, Press("right", 15_000, 1_000))
    assert told(("0 press right",), *held, bouncy=bouncy) == [(2_000, "press left"), (15_000, "neutralise")]
    # The waiting player's too, whose short press would be a hold.
    waiting = (STUCK, Press("right", 15_000), Press("right", 18_000, 6_000))
    assert told(("0 press right",), *waiting, bouncy=bouncy, until=30_000)[1:] == [(15_000, "press right"), (18_000, "neutralise")]


def test_a_button_that_is_held_less_than_ten_seconds_is_not_stuck_and_the_other_one_held_keeps_its_meaning(bouncy: bool) -> None:
    early = (STUCK, Press("right", 11_999, 1_500))
    assert told(("0 press right",), *early, bouncy=bouncy) == [(2_000, "press left"), (11_999, "press right")]


def test_after_the_stop_one_button_held_is_the_out_play_though_the_other_one_is_stuck(bouncy: bool) -> None:
    stopped = (STUCK, Press("right", 15_000, 1_500), Press("right", 18_000, 1_500))
    assert told(("0 press right",), *stopped, bouncy=bouncy, until=25_000)[1:] == [(15_000, "neutralise"), (18_000, "out_play")]


def test_on_a_full_board_a_button_held_beside_a_stuck_one_means_no_more_than_before(bouncy: bool) -> None:
    begun = table("naspa-2017", "0 press right")
    edges = [edge for press in (STUCK, Press("right", 15_000, 1_500)) for edge in press.edges(bouncy=bouncy)]
    assert said(drive(begun, edges, 20_000).record)[2:] == [(2_000, "press left"), (15_000, "press right")]
