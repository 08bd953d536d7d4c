"""Which rows the table menu offers: the table of docs/spec/events.md, "Rows by phase", the time frames of the players, and the page to agree on."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.face import schedule
from rules.contact import MS
from rules.duration import NS, reading
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.states import ADJUDICATION, HOLD, NO_TURN, OUT, OVER, PENDING_STOP, RUNNING, STOPPED
from tests.firmware.gestures.trains import Press, drive, said
from tests.firmware.saying import NASPA, NZ, RULEBOOKS
from tests.firmware.table_menu.player import Players, Seats, players
from tests.some import some

MINUTES = "clock_hit_in_error wrong_board"
FORFEIT = ("0 press right", "4 end reason=forfeit loser=left")
ROWS = [
    (NASPA, (), 20, "allowance frames call close"),
    (NASPA, ("0 late_start left",), 20, "call close"),
    (NASPA, ("0 late_start both", "3 arrive left"), 20, "call take_back close"),
    (NASPA, STOPPED, 20, f"challenge reason frames out_play take_back infraction {MINUTES} call six_zeros resignation close"),
    (NZ, STOPPED, 20, "challenge reason out_play take_back call six_zeros close"),
    (NZ, (), 20, "allowance late_clock call close"),
    (
        NASPA,
        (*STOPPED, "5 call on=true"),
        20,
        f"challenge reason frames out_play take_back infraction {MINUTES} call_answered six_zeros resignation close",
    ),
    (NASPA, OUT, 10, "challenge hold not_out take_back call close"),
    (NASPA, PENDING_STOP, 20, "challenge reason not_out take_back call close"),
    (NZ, OUT, 20, "challenge hold not_out take_back call close"),
    (NASPA, (*OUT, "5 challenge"), 20, "not_out take_back infraction call close"),
    (NASPA, (*OUT, "5 challenge", "9 withdraw"), 20, "challenge not_out take_back call close"),
    (NASPA, ADJUDICATION, 20, "take_back infraction call close"),
    ("naspa-2017-collins-5", ADJUDICATION, 20, "words take_back infraction call close"),
    (NZ, ADJUDICATION, 20, "words take_back call close"),
    (NASPA, OVER, 70, "next_game recount frames allowance call close"),
    (NASPA, OVER, 20, "next_game recount frames allowance take_back call close"),
    ("naspa-2014", OVER, 70, "next_game frames allowance call close"),
    (NZ, OVER, 70, "next_game allowance call close"),
    (NASPA, FORFEIT, 70, "next_game frames allowance call close"),
    (NASPA, NO_TURN, 20, "call frames close"),
]


def test_the_rows_of_each_phase_in_their_order(seats: Seats) -> None:
    for cell in each_cell(ROWS):
        with cell as (rulebook, start, at, rows):
            assert " ".join(seats(rulebook, *start, at=at * 1000).do("menu").rows) == rows


@pytest.mark.parametrize("start", [RUNNING, HOLD])
def test_from_a_running_clock_the_bar_stops_it_so_the_rows_are_those_of_the_stop(start: tuple[str, ...]) -> None:
    both = players(NASPA, *start, at=90_000).do("menu")
    assert both.rows[:3] == ("challenge", "reason", "frames")
    assert "take_back" not in both.rows, "older than a minute"


STOP_FRAMES = ["missed_press", "return_to_table", "mixing", "overdraw_decision", "tiles_returned", "tile_decision"]
FRAMES = [
    (STOPPED, STOP_FRAMES),
    (("0 press right", "3 hold", "4 neutralise"), STOP_FRAMES),
    (NO_TURN, STOP_FRAMES[3:]),
    ((), ["late_start", "between_rounds"]),
    (OVER, ["between_rounds", "disconnected"]),
]


def test_the_time_frames_of_each_phase_and_only_those_of_the_rulebook() -> None:
    for cell in each_cell([(rulebook, *row) for rulebook in RULEBOOKS for row in FRAMES]):
        with cell as (rulebook, start, names):
            both = players(rulebook, *start, at=10_000).do("menu")
            offered = [name for name in names if name in load_rulebook(rulebook).windows]
            assert ("frames" in both.rows) is bool(offered)
            if offered:
                assert list(both.do("take frames").rows) == [*offered, "back"]


@pytest.mark.parametrize(
    ("frame", "start", "title", "rows"),
    [
        ("missed_press", STOPPED, "How long ago was the draw?", ["Just now", "5 s ago", "10 s ago", "15 s ago", "Back"]),
        ("late_start", (), "How long ago did the round begin?", ["Just now", *(f"{each} min ago" for each in range(1, 5)), "Back"]),
    ],
)
def test_a_missed_press_and_a_late_start_ask_how_long_ago_it_was(frame: str, start: tuple[str, ...], title: str, rows: list[str]) -> None:
    both = players(NASPA, *start).do(f"menu frames/{frame}")
    texts = both.table.setup.texts
    assert (both.page.title.said(texts), [row.message.said(texts) for row in both.page.rows]) == (title, rows)
    assert both.do("take back").rows[0] == frame


def in_round(began_s: float | None, at_s: float, *lines: str) -> Players:
    both = players(NASPA, *lines, at=int(at_s * 1000))
    began = None if began_s is None else int(began_s * NS)
    both.table = replace(both.table, setup=replace(both.table.setup, round_began=began))
    return both.do("menu frames")


def first_row(both: Players) -> str:
    return both.page.rows[0].message.said(both.table.setup.texts)


def test_where_the_desk_has_sent_when_the_round_began_a_late_start_says_what_is_left_and_asks_nothing() -> None:
    both = in_round(-98.5, 0)
    assert first_row(both) == f"Late start: {reading(300 * NS - (both.now * MS + 98_500 * MS))} left"
    window = some(both.do("take late_start").game.window)
    assert both.table.table_menu is None
    # Whole seconds: at most one later, never earlier than 5 minutes after the start.
    assert 0 <= window.starts + 98_500 * MS < NS
    assert both.presses <= 4


@pytest.mark.parametrize("began", [None, 60, -300])
def test_a_start_of_the_round_that_is_unknown_ahead_or_five_minutes_past_leaves_the_question(began: int | None) -> None:
    both = in_round(began, 1)
    assert first_row(both) == "Late start: 5:00"
    assert both.do("take late_start").rows == ("0", *(str(minutes * 60 * NS) for minutes in range(1, 5)), "back")


def test_what_is_left_of_a_late_start_counts_down_on_the_open_page() -> None:
    both = in_round(-98.5, 0)
    left, now = first_row(both), both.now * MS
    change = some(schedule.next_due(both.table, now))
    assert 0 < change - now <= NS
    assert first_row(both.do(f"wait {(change - now) // MS + 1}")) != left


def test_an_answer_for_which_the_time_would_be_over_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    names = 'id = "ours"\ntitle = "Ours"\nsummary = "A shorter time."\nextends = "naspa-2017"\n'
    file.write_text(f'{names}[windows.late_start]\nseconds = 120\nclause = "ours"\n', "utf-8")
    assert players(str(file)).do("menu frames/late_start").rows == ("0", str(60 * NS), "back")


@pytest.mark.parametrize("start", [OVER, ("0 press right", "14 end reason=resignation loser=left"), ("14 end reason=x",)])
def test_disconnected_tiles_are_offered_for_twenty_seconds_after_the_end_of_a_game_that_was_played_to_it(start: tuple[str, ...]) -> None:
    assert players(NASPA, *start, at=24_000).do("menu frames").rows == ("between_rounds", "back")


def test_the_rulebooks_are_offered_where_the_director_allows_it() -> None:
    both = players(NASPA, players_choose_rulebook=True).do("menu")
    assert both.rows[:2] == ("allowance", "rulebook")
    assert set(both.do("take rulebook").rows) == {*RULEBOOKS, "back"}


def test_the_times_begin_with_the_present_one_go_up_by_the_minute_and_wrap_round() -> None:
    *times, back = players(NASPA).do("menu allowance/left").rows
    assert [int(ns) // (60 * 10**9) for ns in times] == [*range(25, 61), *range(5, 25)]
    assert back == "back"


LATE = ("0 late_start both", "480 arrive right", "600 arrive left", "700 press left", "720 end reason=x")
GIVEN = ("0 press right", "10 adjust right seconds=60 when=now reason=x", "20 end reason=x")
OWN = (*GIVEN, "25 new_game rulebook=naspa-2017 right_seconds=1800", "30 press right", "40 end reason=x")


@pytest.mark.parametrize(("rulebook", "lines", "at"), [(NZ, LATE, 740), (NASPA, GIVEN, 60), (NASPA, OWN, 60)])
def test_after_a_game_the_times_begin_with_the_regulation_and_not_with_what_was_given_or_left_in_this_one(
    rulebook: str, lines: tuple[str, ...], at: int
) -> None:
    assert players(rulebook, *lines, at=at * 1000).do("menu allowance/right").rows[0] == str(25 * 60 * NS)


def test_back_leads_to_the_page_before() -> None:
    both = players(NASPA, *STOPPED).do("menu")
    first = both.rows
    for name in ("reason", "frames"):
        assert both.do(f"take {name}").rows != first
        assert both.do("take back").rows == first


def test_the_page_to_agree_on_names_what_is_taken_back_with_before_and_after(seats: Seats) -> None:
    change = some(seats(NASPA, "0 press right", "10 press left", "14 neutralise").do("menu take_back").page.change)
    assert (type(change.event).__name__, change.before.turn, change.after.turn) == ("Press", Side.RIGHT, Side.LEFT)


def test_a_short_press_of_anything_goes_back_from_the_page_to_agree_on(seats: Seats) -> None:
    for button in ("left", "right", "centre"):
        if button == "centre" and seats.keywords["two_button"]:
            continue
        both = seats(NASPA, *STOPPED).do(f"menu take_back, {button}")
        assert both.page.rows[0].name == "challenge"
        assert both.said() == ["new_game 4 naspa-2017", "press right", "neutralise"]


def test_one_player_alone_or_both_for_less_than_a_second_do_not_agree(seats: Seats) -> None:
    both = seats(NASPA, *STOPPED)
    assert both.do("menu take_back, left 4000").said()[3:] == []
    assert both.do("take take_back, both 950").said()[3:] == []


def test_in_out_play_the_out_players_press_on_the_page_to_agree_on_counts_and_agreeing_takes_it_back(seats: Seats) -> None:
    for buttons in (("left", "right"), ("right", "left")):
        both = seats(NASPA, *OUT, at=10_000).do("menu take_back")
        alone = Players(both.table, both.now).do("left")
        assert alone.said()[3:] == ["press left"], "no press that starts a clock is swallowed"
        assert alone.table.table_menu is None
        both._press(buttons, 1_200)
        assert both.said()[3:] == ["undo taken back by both players 3 players"]


@pytest.mark.parametrize(("at", "taken_back"), [(60_000, True), (60_001, False)])
def test_the_players_last_act_can_be_taken_back_until_exactly_sixty_seconds_after_it(seats: Seats, at: int, taken_back: bool) -> None:
    both = seats(NASPA, "0 press right", "14 neutralise", at=50_000).do("menu take_back")
    # Both agree at the later of the two first edges.
    both.now = at - 20
    assert both.do("both 1100").said()[-1].startswith("undo") is taken_back


def test_the_bar_pressed_while_both_hold_to_agree_says_no() -> None:
    both = players(NASPA, *STOPPED).do("menu take_back")
    presses = (Press("left", both.now, 2_000), Press("right", both.now, 2_000), Press("centre", both.now + 500))
    both.table = drive(both.table, [edge for press in presses for edge in press.edges(bouncy=False)], both.now + 3_000)
    assert said(both.table.history)[3:] == []
    assert some(both.table.table_menu).path == ()
