"""The table of docs/spec/events.md, "Bad input", row by row, as far as buttons and time make it."""

from itertools import product

import pytest

from firmware.gestures.clock_state import ClockState
from firmware.shell.clock import LateEdgeReplay
from game.game import Phase
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Edge, Press, drive, said, table

RUNNING = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")
OUT = ("0 press right", "4 out_play")
ADJUDICATION = ("0 press right", "4 challenge")
OVER = ("0 press right", "4 end reason=x")
OPEN = Press("centre", 7_000, 1_200)


def played(start: tuple[str, ...], *presses: Press, until: int, two_button: bool = False, code: bool = False) -> ClockState:
    """Return the table after the presses."""
    begun = table("naspa-2017", *start, two_button=two_button, code=code)
    return drive(begun, [edge for press in presses for edge in press.edges(bouncy=True) if edge.at <= until * MS], until)


def both(at: int, held: int) -> tuple[Press, Press]:
    """Return a press of both player buttons."""
    return Press("left", at, held), Press("right", at + 30, held)


def test_the_menu_left_open_on_any_page_closes_fifteen_seconds_after_the_last_edge_with_no_event() -> None:
    down, take = "right", "centre"
    ways = [[], [(down, 1), (take, 1)], [(down, 2), (take, 1)], [(down, 4), (take, 1)], [(down, 3), (take, 1)]]
    for cell in each_cell(ways):
        with cell as way:
            presses, at = [OPEN], 9_000
            for button, times in way:
                for _ in range(times):
                    presses.append(Press(button, at, 100))
                    at += 500
            last = presses[-1].at + presses[-1].held + 29  # the bounce ends 29.9 ms later
            opened = played(STOPPED, *presses, until=last + 14_999)
            assert opened.table_menu is not None
            closed = drive(opened, [], last + 15_002)
            assert closed.table_menu is None
            assert said(closed.record)[3:] == []


def test_both_buttons_held_for_a_minute_on_two_buttons() -> None:
    begun = table("naspa-2017", *RUNNING, two_button=True)
    down = [Edge(7_000 * MS, "left", down=True), Edge(7_030 * MS, "right", down=True)]
    menu = drive(begun, down, 8_100)
    assert menu.table_menu is not None
    assert said(menu.record)[2:] == [(7_000, "neutralise")]
    assert said(drive(begun, down, 9_100).record)[2:] == [(7_000, "challenge")]
    for cell in each_cell([(True, 20), (False, 300)]):
        with cell as (code, closes_s):
            opened = drive(table("naspa-2017", *RUNNING, two_button=True, code=code), down, 12_100)
            assert said(opened.record)[2:] == [(7_000, "neutralise")]
            assert (opened.door is not None, opened.menu is not None) == (code, not code)
            closed = drive(opened, [], 12_030 + closes_s * 1000)
            assert (closed.door, closed.menu, closed.record) == (None, None, opened.record)


def test_both_buttons_held_for_a_minute_on_a_board_with_a_bar() -> None:
    assert said(played(RUNNING, *both(7_000, 60_000), until=80_000).record)[2:] == [(7_000, "challenge")]
    over = played(OVER, *both(7_000, 60_000), until=80_000)
    assert over.record.before is not None, "no next game"
    assert said(over.record)[3:] == []
    assert over.table_menu is None


@pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
def test_a_button_stuck_while_the_menu_is_open_moves_one_round_and_no_more(two_button: bool) -> None:
    opens = both(7_000, 1_300) if two_button else (OPEN,)
    start = (*ADJUDICATION,)  # rows: take back, infraction, call, close
    stuck = played(start, *opens, Press("right", 9_000, 60_000), until=13_000, two_button=two_button)
    assert stuck.table_menu is not None
    assert stuck.table_menu.chosen == "take_back", "four rows, one round"
    other = drive(stuck, Press("left", 14_000).edges(bouncy=True), 15_000)
    assert other.table_menu is not None
    assert other.table_menu.chosen == "close"
    assert drive(stuck, [], 24_035).table_menu is None
    if two_button:
        later = drive(stuck, [], 20_000)
        pressed = drive(later, Press("left", 20_100, 400).edges(bouncy=True), 21_000)
        assert pressed.table_menu is not None, "no chord with a button that is stuck, so nothing is taken"
    else:
        taken = drive(drive(stuck, Press("left", 14_000).edges(bouncy=True), 15_000), Press("centre", 16_000).edges(bouncy=True), 17_000)
        assert taken.table_menu is None, "the bar takes: close"


def test_a_button_stuck_when_the_game_starts_or_ends_is_one_press_in_the_past() -> None:
    started = played((), Press("left", 7_000, 900_000), until=600_000)
    assert said(started.record)[1:] == [(7_000, "press left")]
    ended = drive(table("naspa-2017 left_seconds=10", "0 press right"), [Edge(5_000 * MS, "right", down=True)], 900_000)
    assert ended.game_at(900_000 * MS).phase is Phase.OVER
    assert said(ended.record)[2:] == [(5_000, "hold")]
    assert ended.record.before is not None, "no next game"


def test_bar_and_own_button_at_once_count_by_their_first_edges() -> None:
    for cell in each_cell(
        [
            (("centre", "left"), [(7_000, "neutralise"), (7_010, "press left")]),
            (("left", "centre"), [(7_000, "press left"), (7_010, "neutralise")]),
        ]
    ):
        with cell as ((first, second), events):
            assert said(played(RUNNING, Press(first, 7_000, 3_000), Press(second, 7_010, 300), until=12_000).record)[2:] == events


def test_both_players_within_a_hundred_ms_of_contact_together_are_two_presses_in_their_order() -> None:
    presses = Press("left", 7_000, 90), Press("right", 7_020, 90)
    assert said(played(RUNNING, *presses, until=9_000).record)[2:] == [(7_000, "press left"), (7_020, "press right")]


def test_one_fills_a_hold_and_the_other_ends_the_turn() -> None:
    fills = Press("right", 7_000, 3_000)
    assert said(played(RUNNING, fills, Press("left", 7_500, 101), until=12_000).record)[2:] == [(7_000, "neutralise")]
    assert said(played(RUNNING, fills, Press("left", 7_500, 99), until=12_000).record)[2:] == [(7_500, "press left")]


def test_acceptance_that_was_overtaken_is_held_anew() -> None:
    presses = Press("right", 7_000, 2_000), Press("left", 7_500, 80), Press("right", 10_000, 1_100)
    after = played(OUT, *presses, until=13_000)
    assert said(after.record)[3:] == [(7_500, "press left"), (10_000, "release")]


def test_a_late_edge_is_inserted_at_its_instant() -> None:
    presses = [Press("right", 7_000, 1_500), Press("centre", 9_500, 1_200), Press("left", 11_500, 100), Press("centre", 12_000, 100)]
    edges = sorted(edge for press in presses for edge in press.edges(bouncy=True))
    begun = table("naspa-2017", *RUNNING)
    in_time = drive(begun, edges, 15_000)
    # By nine edges: over the whole bounce, so that a press or its end is known only then.
    for cell in each_cell(product(range(0, len(edges), 3), (2, 9))):
        with cell as (late, by):
            replay = LateEdgeReplay(begun, 5_000 * MS)
            for index, edge in enumerate(edges):
                if index != late:
                    replay.edge(edge.button, edge.at, down=edge.down)
                    replay.tick(edge.at)
                if index == late + by:
                    replay.edge(edges[late].button, edges[late].at, down=edges[late].down)
            if late + by >= len(edges):
                replay.edge(edges[late].button, edges[late].at, down=edges[late].down)
            replay.tick(15_000 * MS)
            assert said(replay.table.record) == said(in_time.record)


def test_an_edge_at_the_instant_at_which_a_fill_was_full_may_still_begin_a_chord() -> None:
    replay = LateEdgeReplay(table("naspa-2017", *RUNNING), 5_000 * MS)
    replay.edge("right", 7_000 * MS, down=True)
    replay.tick(8_000 * MS)
    assert said(replay.table.record)[2:] == [(7_000, "hold")]
    replay.edge("left", 8_000 * MS, down=True)
    replay.tick(8_500 * MS)
    assert said(replay.table.record)[2:] == [(7_000, "neutralise")]


def test_a_decisions_fifteen_seconds_that_end_unseen_start_nothing() -> None:
    after = played((*STOPPED, "5 window left name=overdraw_decision"), until=600_000)
    game = after.game_at(600_000 * MS)
    assert (game.phase, game.running) == (Phase.NEUTRAL, None)


def test_a_press_that_starts_a_clock_is_never_swallowed_by_the_menu() -> None:
    out = played(OUT, OPEN, Press("left", 9_000), until=9_500)
    assert out.table_menu is None
    assert out.game_at(9_500 * MS).running is Side.RIGHT
    other = played(OUT, OPEN, Press("right", 9_000), until=9_500)
    assert other.table_menu is not None
    assert other.table_menu.chosen is not None, "moved"
    late = played(("0 late_start left",), OPEN, Press("left", 9_000), until=9_500)
    assert said(late.record)[2:] == [(9_000, "arrive left")]
    assert late.table_menu is None


def test_a_press_whose_first_edge_lies_before_the_menu_opened_keeps_its_meaning_and_the_menu_does_not_stay() -> None:
    edges = [*Press("centre", 7_000, 1_500).edges(bouncy=False), *Press("right", 7_999, 100).edges(bouncy=True)]
    after = drive(table("naspa-2017", *STOPPED), edges, 9_000)
    # The bar has started left's clock, so right's press does nothing, and the menu opens.
    assert after.table_menu is not None
    began = [*Press("centre", 7_000, 1_500).edges(bouncy=False), *Press("left", 7_999, 100).edges(bouncy=True)]
    started = drive(table("naspa-2017", *RUNNING), began, 9_000)
    assert said(started.record)[2:] == [(7_000, "neutralise"), (7_999, "press left")]
    assert started.table_menu is None


def test_the_menu_closes_when_the_phase_changes_by_itself() -> None:
    after = played(OUT, Press("centre", 22_000, 1_200), until=23_999)
    assert after.table_menu is not None
    assert drive(after, [], 24_000).table_menu is None


def test_a_row_is_taken_by_a_press_just_before_the_phase_changes_by_itself_though_it_is_detected_after() -> None:
    opens = Press("centre", 22_000, 1_200)
    assert said(played(OUT, opens, Press("centre", 23_999), until=26_000).record)[3:] == [(23_999, "challenge")]
    assert said(played(OUT, opens, Press("centre", 24_000), until=26_000).record)[3:] == []


def test_an_offer_is_taken_by_a_press_just_before_it_lapses() -> None:
    for cell in each_cell([(20_999, ["verdict true 1"]), (21_000, [])]):
        with cell as (at, events):
            after = played(ADJUDICATION, Press("centre", 6_000), Press("centre", at, 1_100), until=25_000)
            assert [words for _, words in said(after.record)[3:]] == events


def test_a_late_press_after_the_release_that_began_the_next_game_counts_from_its_own_edge() -> None:
    replay = LateEdgeReplay(table("naspa-2017", *OVER), 5_000 * MS)
    replay.edge("centre", 7_000 * MS, down=True)
    replay.tick(9_620 * MS)
    replay.edge("centre", 9_500 * MS, down=False)
    replay.tick(9_660 * MS)
    replay.edge("right", 9_560 * MS, down=True)
    replay.tick(9_800 * MS)
    assert [(at, words.split()[0]) for at, words in said(replay.table.record)] == [(9_500, "new_game"), (9_560, "press")]
