"""What is a press, what is bounce and what a spike; both player buttons at once as the bar; and fills (docs/spec/events.md, "Gestures")."""

from itertools import product

import pytest

from firmware.face.schedule import fills
from firmware.gestures.clock_state import ClockState
from tests.cells import each_cell
from tests.firmware.gestures.states import ADJUDICATION, HOLD, LATE, OUT, OVER, PENDING_HOLD, RUNNING, STOPPED, after, edges, made, new
from tests.firmware.gestures.trains import MS, Edge, chatter, drive, said, table

bouncing = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])


def pulses(*touches: tuple[int, int], button: str = "left") -> ClockState:
    """Return the table at which left's clock ran, after a contact was closed at such instants for so long (us)."""
    train = [Edge((at + later) * 1000, button, down=later == 0) for at, width in touches for later in (0, width)]
    return drive(table("naspa-2017", *RUNNING), train, 7_000)


@pytest.mark.parametrize(
    "touches", [[(5_000_000, 1)], [(5_000_000, 100)], [(5_000_000, 1999)], [(5_000_000 + 4_000 * each, 1_900) for each in range(4)]]
)
def test_a_contact_that_is_never_down_for_two_ms_on_end_is_a_spike_counted_once_and_not_acted_on(touches: list[tuple[int, int]]) -> None:
    done = pulses(*touches)
    assert (new(done, RUNNING), done.spikes) == ("", 1)


@pytest.mark.parametrize("width_us", [5_000, 20_000, 999_000])
def test_five_ms_on_end_is_a_press_from_its_first_edge(width_us: int) -> None:
    done = pulses((5_000_000, width_us))
    assert (new(done, RUNNING), done.spikes) == ("5000 press left", 0)


def test_a_down_edge_begins_a_press_after_thirty_five_ms_up_and_is_bounce_before() -> None:
    assert new(pulses((5_000_000, 100_000), (5_134_999, 100_000), button="centre"), RUNNING) == "5000 neutralise"
    assert new(pulses((5_000_000, 100_000), (5_135_000, 100_000), button="centre"), RUNNING) == "5000 neutralise, 5135 resume left"


@pytest.mark.parametrize("button", ["left", "right", "centre"])
def test_a_button_that_is_stuck_is_one_press_and_a_level_that_comes_twice_changes_nothing(button: str) -> None:
    stuck = drive(table("naspa-2017", *RUNNING), [Edge(5_000 * MS, button, down=True)], 900_000)
    longer = drive(stuck, [Edge(900_001 * MS, button, down=True)], 1_200_000)
    assert len(said(longer.history)) == 3
    twice = [Edge((5_000 + each) * MS, "left", down=each < 100) for each in (0, 10, 100, 110)]
    assert new(drive(table("naspa-2017", *RUNNING), twice, 7_000), RUNNING) == "5000 press left"


@pytest.mark.parametrize("offsets", [(0,), (0, 500_000, 12_000_000)], ids=["clean", "late to settle"])
def test_of_two_buttons_within_each_others_bounce_the_first_edges_decide_the_order(offsets: tuple[int, ...]) -> None:
    def both(first: str, second: str, **more: bool) -> str:
        train = [*chatter(first, 5_000 * MS, offsets, down=True), Edge(5_300 * MS, first, down=False), *edges(second)]
        return new(drive(table("naspa-2017", *RUNNING, **more), train, 9_000), RUNNING)

    assert both("centre", "right@5005") == "5000 neutralise, 5005 press right"
    assert both("left", "right@5005+200") == "5000 press left, 5005 press right"
    for first, second in (("left", "right@5005+200"), ("right", "left@5005+200")):
        assert both(first, second, two_button=True) == "5000 neutralise"


@bouncing
def test_closed_together_for_a_hundred_ms_they_are_the_bar_at_the_first_edge(bouncy: bool) -> None:
    for cell in each_cell(product([("left", "right"), ("right", "left")], [0, 1, 40, 250, 401, 900, 1_000])):
        with cell as ((first, second), apart):
            presses = f"{first}@7000+{apart + 100}, {second}@{7000 + apart}+900"
            assert made(RUNNING, presses, 20_000, bouncy=bouncy, two_button=True) == "7000 neutralise"
            assert made(STOPPED, presses, 20_000, bouncy=bouncy, two_button=True) == "7000 resume left"


@bouncing
def test_beside_a_bar_the_player_buttons_are_no_chord(bouncy: bool) -> None:
    # A player who leans on the own button must not swallow the end of the other one's turn.
    presses = "right@7000+2500, left@7400+500"
    assert made(RUNNING, presses, 20_000, bouncy=bouncy) == "7400 press left"
    assert made(STOPPED, "left@7000+300, right@7100+300", 20_000, bouncy=bouncy) == "7000 press left, 7100 press right"


@bouncing
@pytest.mark.parametrize(
    ("start", "presses", "events"),
    [
        # For less they are two presses in the order of their edges; so are two that never overlap, however near.
        *(
            (RUNNING, f"left@7000+{each + 99}, right@{7000 + each}+300", f"7000 press left, {7000 + each} press right")
            for each in (50, 250, 900)
        ),
        *((RUNNING, f"left@7000+100, right@{7000 + each}+100", f"7000 press left, {7000 + each} press right") for each in (150, 350)),
        # First edges at most a second apart, also where the first fill would be full: the waiting player's, held a second, would be a hold.
        *((RUNNING, f"right@7000+3000, left@{7000 + each}+400", "7000 neutralise") for each in (999, 1_000)),
        (RUNNING, "right@7000+3000, left@8001+400", "7000 hold, 8001 press left"),
        # A fill that waited for a chord that did not come is full: the opponent accepts, the out player's button does nothing there.
        (PENDING_HOLD, "right@7000+3000, left@7950+80", "7000 release"),
        # It is held from the second edge to the first release.
        *((RUNNING, f"left@7000+{400 + left}, right@7400+{right}", "7000 neutralise") for left, right in ((1_999, 3_000), (3_000, 1_999))),
        *((RUNNING, f"left@7000+{400 + left}, right@7400+{right}", "7000 challenge") for left, right in ((2_000, 3_000), (3_000, 2_000))),
        # A button pressed anew beside one that is still down after a chord plays by itself.
        (STOPPED, "left@7000+2000, right@7100+200, right@7600+300", "7000 resume left"),
        (STOPPED, "left@7000+2000, right@7100+200, right@7600+1100", "7000 resume left, 7600 hold"),
        (
            ADJUDICATION,
            "left@7000+300, right@7030+300, left@8700+300, left@10000+1500, right@10050+1500",
            "10000 verdict false 1",
        ),
        # A press that was too short for a chord has acted: the button beside it is in no chord with a later one.
        (RUNNING, "left@7000+4000, right@7090+40, right@7200+200, right@10500+1100", "7000 press left, 7090 press right, 10500 hold"),
        # Before the game they start no clock; with one absent player they are the arrival, with two they are none.
        ((), "left@7000+400, right@7200+400", ""),
        (LATE, "left@7000+400, right@7100+400", "7000 arrive left"),
        (("0 late_start both",), "left@7000+400, right@7100+400", ""),
    ],
)
def test_what_two_buttons_come_to(start: tuple[str, ...], presses: str, events: str, bouncy: bool) -> None:
    assert made(start, presses, 20_000, bouncy=bouncy, two_button=True) == events


DOOR = "left@7000+5200, right@7100+5200"


@bouncing
@pytest.mark.parametrize(
    ("start", "phase"),
    [
        *(((), "ready"), (RUNNING, "neutral"), (STOPPED, "neutral"), (ADJUDICATION, "adjudication"), (OVER, "over")),
        # The window of the out play and the late player's clock are stopped: no challenge or arrival is possible at the door.
        *((OUT, "adjudication"), (LATE, "ready"), (("0 late_start both",), "late")),
    ],
)
def test_two_buttons_held_five_seconds_are_the_door_and_only_a_stop_stands(start: tuple[str, ...], phase: str, bouncy: bool) -> None:
    begun, train = table("naspa-2017", *start, two_button=True), edges(DOOR, bouncy=bouncy)
    assert drive(begun, [edge for edge in train if edge.at < 8_000 * MS], 12_099).menu is None
    opened = drive(begun, train, 14_000)
    assert opened.menu is not None
    assert (opened.table_menu, opened.game_at(14_000 * MS).phase.value) == (None, phase)


@bouncing
def test_on_two_buttons_a_verdict_taken_on_the_way_to_the_door_is_none_and_a_full_board_has_no_door(bouncy: bool) -> None:
    begun = table("naspa-2017", *ADJUDICATION, two_button=True)
    train = edges(f"left@6000+300, right@6050+300, {DOOR}", bouncy=bouncy)
    assert drive(begun, [edge for edge in train if edge.at < 9_000 * MS], 9_000).game_at(9_000 * MS).phase.value == "neutral"
    assert drive(begun, train, 14_000).game_at(14_000 * MS).phase.value == "adjudication"
    full = after(RUNNING, f"centre@7000+5200, {DOOR}", 14_000, bouncy=bouncy)
    assert (full.menu, full.door) == (None, None)


@bouncing
def test_on_two_buttons_the_next_game_is_asked_about_on_letting_go_before_five_seconds(bouncy: bool) -> None:
    for held, page in ((1_999, ()), (2_000, ("next_game",)), (4_999, ("next_game",)), (5_000, None)):
        done = after(OVER, f"left@7000+{held}, right@7000+{held}", 14_000, bouncy=bouncy, two_button=True)
        assert (new(done, OVER), done.table_menu and done.table_menu.path) == ("", page)


STUCK = "left@2000+60000"
"""It ended the left player's turn; the right player's clock runs."""


@bouncing
@pytest.mark.parametrize(
    ("two_button", "presses", "events"),
    [
        # Beside it one held for a second is the bar at its first edge; the waiting player's too, whose held press would be a hold.
        (True, "right@15000+999", "15000 press right"),
        (True, "right@15000+1000", "15000 neutralise"),
        (True, "right@15000, right@18000+3000", "15000 press right, 18000 neutralise"),
        # After the stop, held and pressed again, it is the out play.
        (True, "right@15000+1500, right@16600+1300, right@18000", "15000 neutralise, 18000 out_play"),
        # One that is held less than ten seconds is not stuck, and on a full board none means more than before.
        (True, "right@11999+1500", "11999 press right"),
        (False, "right@15000+1500", "15000 press right"),
    ],
)
def test_beside_a_stuck_button_the_other_one_is_the_bar(two_button: bool, presses: str, events: str, bouncy: bool) -> None:
    assert made(RUNNING, f"{STUCK}, {presses}", 30_000, bouncy=bouncy, two_button=two_button) == f"2000 press left, {events}"


@bouncing
@pytest.mark.parametrize(("presses", "stop"), [("right@15000+5100", 15_000), ("right@13000+1500, right@18000+5100", 13_000)])
def test_with_one_button_stuck_the_other_held_five_seconds_is_the_door_and_its_stop_stands(presses: str, stop: int, bouncy: bool) -> None:
    done = after(RUNNING, f"{STUCK}, {presses}", 26_000, bouncy=bouncy, two_button=True)
    assert done.menu is not None
    assert new(done, RUNNING) == f"2000 press left, {stop} neutralise"


def held(start: tuple[str, ...], until: int, *buttons: str, **more: bool) -> ClockState:
    """Return the table at ``until`` (ms) while these buttons have been down since 7 s, one 50 ms after the other."""
    downs = [Edge((7_000 + 50 * index) * MS, button, down=True) for index, button in enumerate(buttons)]
    return drive(table("naspa-2017", *start, **more), downs, until)


@pytest.mark.parametrize(
    ("start", "button", "let_go", "hold_on"),
    [
        (RUNNING, "right", "nothing", "hold"),
        (HOLD, "right", "nothing", "released"),
        (OUT, "right", "nothing", "accept"),
        (PENDING_HOLD, "right", "nothing", "accept"),
        (STOPPED, "left", "opponent_runs", "out_play"),
        (ADJUDICATION, "right", "unacceptable", "i_challenge"),
        (RUNNING, "centre", "stopped", "menu"),
        (STOPPED, "centre", "runs_on", "menu"),
        (OUT, "centre", "nothing", "menu"),
        (LATE, "centre", "arrived", "menu"),
        (OVER, "centre", "nothing", "menu"),
    ],
)
def test_the_first_stage_says_what_letting_go_and_holding_on_do(start: tuple[str, ...], button: str, let_go: str, hold_on: str) -> None:
    (fill,) = fills(held(start, 7_300, button))
    assert (fill.let_go.key, fill.hold_on and fill.hold_on.key) == (f"fill.let_go.{let_go}", f"fill.hold_on.{hold_on}")
    assert (None if fill.where is None else fill.where.value) == (None if button == "centre" else button)
    full_at = 9_000 if hold_on == "i_challenge" else 8_000
    assert (fill.since, fill.shows_from, fill.full_at) == (7_000 * MS, 7_250 * MS, full_at * MS)
    # What else holding on does has its own part of the fill.
    assert fill.fraction(7_500 * MS) == 500 / (full_at - 7_000) / fill.stages


@pytest.mark.parametrize(("start", "hold_on"), [(RUNNING, "challenge"), (STOPPED, "challenge"), (OUT, "challenge"), (OVER, "next_game")])
def test_the_bars_second_stage_begins_where_the_first_is_full_and_letting_go_then_is_a_game(start: tuple[str, ...], hold_on: str) -> None:
    (fill,) = fills(held(start, 8_500, "centre"))
    assert (fill.let_go.key, fill.hold_on and fill.hold_on.key) == ("fill.hold_on.menu", f"fill.hold_on.{hold_on}")
    assert (fill.since, fill.full_at, fill.fraction(8_500 * MS)) == (8_000 * MS, 9_000 * MS, 0.75)
    if start == OVER:
        (fill,) = fills(held(OVER, 9_500, "centre"))
        assert (fill.let_go.key, fill.hold_on, fill.full_at, fill.fraction(9_500 * MS)) == ("fill.hold_on.next_game", None, None, 1.0)


@pytest.mark.parametrize(("start", "let_go"), [(RUNNING, "hold_on.challenge"), (OVER, "hold_on.next_game"), ((), "hold_on.menu")])
def test_on_two_buttons_the_third_stage_is_the_director(start: tuple[str, ...], let_go: str) -> None:
    (fill,) = fills(held(start, 9_500, "left", "right", two_button=True))
    assert (fill.where, fill.let_go.key, fill.full_at) == (None, f"fill.{let_go}", 12_050 * MS)
    assert fill.hold_on is not None
    assert fill.hold_on.key == "fill.hold_on.director"


def test_an_offer_that_stands_fills_to_be_taken() -> None:
    offered = after(ADJUDICATION, "centre@6000", 6_500, rulebook="naspa-2017-collins-5")
    (fill,) = fills(drive(offered, [Edge(7_000 * MS, "centre", down=True)], 7_300))
    assert (fill.let_go.key, fill.hold_on and fill.hold_on.key) == ("fill.let_go.nothing", "fill.hold_on.word")


@pytest.mark.parametrize(("start", "button"), [((), "left"), (RUNNING, "left"), (OVER, "right"), (ADJUDICATION, "left")])
def test_where_a_stage_means_nothing_no_fill_shows(start: tuple[str, ...], button: str) -> None:
    assert fills(held(start, 7_300, button)) == ()


@bouncing
@pytest.mark.parametrize(
    ("start", "presses", "events"),
    [
        # One player fills the hold, the other ends the turn, and they do not overlap for 100 ms.
        (RUNNING, "right@7000+1500, left@7500+80", "7500 press left"),
        (RUNNING, "centre@7000+3000, left@7500", "7000 neutralise, 7500 press left"),
        # The bar has started left's clock again; right's button says why it does nothing, and the fill goes on.
        (STOPPED, "centre@7000+3000, right@7500", "7000 challenge"),
        # The opponent fills the acceptance, the out player starts the clock; a press that changes nothing leaves the fill.
        (OUT, "right@7000+1500, left@7500+80", "7500 press left"),
        (OUT, "right@7000+1200, centre@7300+90", "7000 release"),
        # Just before a fill is full, though it is detected after.
        (RUNNING, "right@7000+1500, centre@7999+301", "7999 neutralise"),
        # Of two at once, the first that is full and changes the game ends the other: a challenge, and the acceptance.
        (OUT, "centre@7000+3000, right@7500+2000", "7500 release"),
    ],
)
def test_another_buttons_press_that_changes_the_game_ends_the_fill(start: tuple[str, ...], presses: str, events: str, bouncy: bool) -> None:
    assert made(start, presses, 12_000, bouncy=bouncy) == events


def test_a_timed_transition_does_not_end_a_fill() -> None:
    # The window of the out play is over at 24 s; a challenge whose first edge lies within it is in time.
    begun = drive(table("naspa-2017", *OUT), edges("centre@23500+2100")[:1], 24_400)
    assert begun.game_at(24_400 * MS).phase.value == "over"
    done = after(OUT, "centre@23500+2100", 26_000)
    assert (new(done, OUT), done.game_at(26_000 * MS).phase.value) == ("23500 challenge", "adjudication")
