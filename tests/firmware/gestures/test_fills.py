"""A fill is for the state at its first edge, shows what letting go and holding on will do, and ends where another press changes the game."""

import pytest

from firmware.face.schedule import fills
from firmware.gestures.clock_state import ClockState
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Edge, Press, drive, said, table

RUNNING = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")
OUT = ("0 press right", "4 out_play")
ADJUDICATION = ("0 press right", "4 challenge")
OVER = ("0 press right", "4 end reason=x")


def held(start: tuple[str, ...], button: str, until: int, *, rulebook: str = "naspa-2017", two_button: bool = False) -> ClockState:
    """Return the table at ``until`` (ms) while ``button`` has been down since 7 s."""
    return drive(table(rulebook, *start, two_button=two_button), [Edge(7_000 * MS, button, down=True)], until)


@pytest.mark.parametrize(
    ("start", "button", "let_go", "hold_on"),
    [
        (RUNNING, "right", "nothing", "hold"),
        (("0 press right", "4 hold"), "right", "nothing", "released"),
        (OUT, "right", "nothing", "accept"),
        ((*OUT, "5 hold"), "right", "nothing", "accept"),
        (STOPPED, "left", "opponent_runs", "out_play"),
        (ADJUDICATION, "right", "no_verdict", "i_challenge"),
        (RUNNING, "centre", "stopped", "menu"),
        (STOPPED, "centre", "runs_on", "menu"),
        (OUT, "centre", "nothing", "menu"),
        (("0 late_start left",), "centre", "arrived", "menu"),
        (OVER, "centre", "nothing", "menu"),
    ],
)
def test_the_first_stage_says_what_letting_go_and_holding_on_do(start: tuple[str, ...], button: str, let_go: str, hold_on: str) -> None:
    (fill,) = fills(held(start, button, 7_300))
    assert (fill.let_go.key, fill.hold_on and fill.hold_on.key) == (f"fill.let_go.{let_go}", f"fill.hold_on.{hold_on}")
    assert (None if fill.where is None else fill.where.value) == (None if button == "centre" else button)
    assert (fill.since, fill.shows_from, fill.full_at) == (7_000 * MS, 7_250 * MS, 8_000 * MS)
    assert fill.fraction(7_500 * MS) == 0.5


@pytest.mark.parametrize(("start", "hold_on"), [(RUNNING, "challenge"), (STOPPED, "challenge"), (OUT, "challenge"), (OVER, "next_game")])
def test_the_second_stage_of_the_bar_begins_where_the_first_is_full(start: tuple[str, ...], hold_on: str) -> None:
    (fill,) = fills(held(start, "centre", 8_500))
    assert (fill.let_go.key, fill.hold_on and fill.hold_on.key) == ("fill.let_go.menu", f"fill.hold_on.{hold_on}")
    assert (fill.since, fill.full_at) == (8_000 * MS, 9_000 * MS)


def test_after_two_seconds_in_over_letting_go_is_the_next_game() -> None:
    (fill,) = fills(held(OVER, "centre", 9_500))
    assert (fill.let_go.key, fill.hold_on, fill.full_at, fill.fraction(9_500 * MS)) == ("fill.hold_on.next_game", None, None, 1.0)


def test_on_two_buttons_the_third_stage_is_the_director() -> None:
    for cell in each_cell([(RUNNING, "fill.hold_on.challenge"), (OVER, "fill.hold_on.next_game"), ((), "fill.let_go.menu")]):
        with cell as (start, let_go):
            begun = table("naspa-2017", *start, two_button=True)
            both = drive(begun, [Edge(7_000 * MS, "left", down=True), Edge(7_050 * MS, "right", down=True)], 9_500)
            (fill,) = fills(both)
            assert fill.where is None
            assert (fill.let_go.key, fill.hold_on and fill.hold_on.key, fill.full_at) == (let_go, "fill.hold_on.director", 12_050 * MS)


def test_an_offer_that_stands_fills_to_be_taken() -> None:
    offered = drive(table("naspa-2017-collins-5", *ADJUDICATION), Press("centre", 6_000).edges(bouncy=False), 6_500)
    (fill,) = fills(drive(offered, [Edge(7_000 * MS, "centre", down=True)], 7_300))
    assert (fill.let_go.key, fill.hold_on and fill.hold_on.key) == ("fill.let_go.next", "fill.hold_on.word")


@pytest.mark.parametrize(("start", "button"), [((), "left"), (RUNNING, "left"), (OVER, "right"), (ADJUDICATION, "left")])
def test_where_a_stage_means_nothing_no_fill_shows(start: tuple[str, ...], button: str) -> None:
    assert fills(held(start, button, 7_300)) == ()


@pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])
def test_a_press_of_another_button_that_changes_the_game_ends_the_fill_and_both_presses_stand(bouncy: bool) -> None:
    for cell in each_cell(
        [
            # One player fills the hold, the other ends the turn, and they do not overlap for 100 ms.
            (RUNNING, Press("right", 7_000, 1_500), Press("left", 7_500, 80), [(7_500, "press left")]),
            # The bar fills the challenge, a player's button starts a clock.
            (STOPPED, Press("centre", 7_000, 3_000), Press("right", 7_500), [(7_000, "resume left")]),
            (RUNNING, Press("centre", 7_000, 3_000), Press("left", 7_500), [(7_000, "neutralise"), (7_500, "press left")]),
            # The opponent fills the acceptance, the out player starts the clock.
            (OUT, Press("right", 7_000, 1_500), Press("left", 7_500, 80), [(7_500, "press left")]),
        ]
    ):
        with cell as (start, filling, other, events):
            edges = [*filling.edges(bouncy=bouncy), *other.edges(bouncy=bouncy)]
            done = drive(table("naspa-2017", *start), edges, 12_000)
            if filling.button == "centre" and start == STOPPED:
                # The bar has started left's clock again; right's button says why it does nothing, and the fill goes on.
                assert said(done.record)[3:] == [(7_000, "challenge")]
            else:
                assert said(done.record)[len(start) + 1 :] == events


def test_a_press_that_changes_nothing_leaves_the_fill() -> None:
    edges = [*Press("right", 7_000, 1_200).edges(bouncy=False), *Press("centre", 7_300, 90).edges(bouncy=False)]
    done = drive(table("naspa-2017", *OUT), edges, 12_000)
    assert said(done.record)[3:] == [(7_000, "release")]


def test_a_press_just_before_a_fill_is_full_ends_it_though_it_is_detected_after() -> None:
    edges = [
        *Press("right", 7_000, 1_500).edges(bouncy=False),
        Edge(7_999 * MS, "centre", down=True),
        Edge(8_300 * MS, "centre", down=False),
    ]
    assert said(drive(table("naspa-2017", *RUNNING), edges, 12_000).record)[2:] == [(7_999, "neutralise")]


def test_two_fills_at_once_the_first_that_is_full_and_changes_the_game_ends_the_other() -> None:
    # The bar of a full board fills a challenge, the opponent of the out play the acceptance.
    edges = [*Press("centre", 7_000, 3_000).edges(bouncy=False), *Press("right", 7_500, 2_000).edges(bouncy=False)]
    assert said(drive(table("naspa-2017", *OUT), edges, 12_000).record)[3:] == [(7_500, "release")]


def test_a_timed_transition_does_not_end_a_fill() -> None:
    # The window of the out play is over at 24 s; a challenge whose first edge lies within it is in time.
    edges = Press("centre", 23_500, 2_100).edges(bouncy=False)
    done = drive(table("naspa-2017", *OUT), edges[:1], 24_400)
    assert done.game_at(24_400 * MS).phase.value == "over"
    done = drive(table("naspa-2017", *OUT), edges, 26_000)
    assert said(done.record)[3:] == [(23_500, "challenge")]
    assert done.game_at(26_000 * MS).phase.value == "adjudication"
