"""Which rows the table menu offers: the table of docs/spec/events.md, "Rows by phase", the time frames of the players, and the page to agree on."""

import re
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from firmware.face import schedule
from firmware.face.value import HalfFace
from firmware.face.view import face
from firmware.table_menu.actions import CHANGE, REGULATION, RESULT, SIGN, PageKind, opened
from firmware.table_menu.pages import _BY_PHASE, _JUDGED_OUT, _NO_TURN, _PENDING, rows_behind
from firmware.texts import load_texts
from game.game import Phase
from rules.contact import MS
from rules.duration import NS, reading
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.states import ADJUDICATION, HOLD, NO_TURN, OUT, OVER, PENDING_STOP, RUNNING, STOPPED, answered
from tests.firmware.gestures.trains import Press, drive, said
from tests.firmware.saying import NASPA, NZ, RULEBOOKS, own_rulebook
from tests.firmware.table_menu.player import Players, Seats, players
from tests.some import some

MINUTES = "clock_hit_in_error wrong_board"
RESIGN = "resignation_left resignation_right"
FORFEIT = ("0 press right", "4 end reason=forfeit loser=left")
ROWS = [
    (NASPA, (), 20, "allowance frames -take_back call -next_game close"),
    (NASPA, ("0 late_start left",), 20, "call -take_back close"),
    (NASPA, ("0 late_start both", "3 arrive left"), 20, "call take_back close"),
    (
        NASPA,
        STOPPED,
        20,
        f"challenge reason call take_back frames out_play_left -out_play_right infraction {MINUTES} six_zeros {RESIGN} close",
    ),
    (NZ, STOPPED, 20, "challenge reason call take_back out_play_left -out_play_right six_zeros close"),
    (NZ, (), 20, "allowance late_clock -take_back call -next_game close"),
    (NASPA, OUT, 10, "call not_out challenge hold take_back close"),
    (NASPA, PENDING_STOP, 20, "call not_out challenge take_back reason close"),
    (NZ, OUT, 20, "call not_out challenge hold take_back close"),
    (NASPA, (*OUT, "5 challenge"), 20, "not_out take_back call infraction close"),
    (NASPA, (*OUT, "5 challenge", "9 withdraw"), 20, "call not_out challenge take_back -reason close"),
    (NASPA, ADJUDICATION, 20, "-out_play_left -out_play_right take_back call infraction close"),
    ("naspa-2017-collins-5", ADJUDICATION, 20, "words -out_play_left -out_play_right take_back call infraction close"),
    (NZ, ADJUDICATION, 20, "words -out_play_left -out_play_right take_back call close"),
    (NASPA, OVER, 70, "frames recount allowance -take_back call next_game close"),
    (NASPA, OVER, 20, "frames recount allowance take_back call next_game close"),
    (NASPA, ("0 press right", "4 out_play", "5 release"), 20, "not_out frames recount -allowance take_back call -next_game close"),
    ("naspa-2014", OVER, 70, "frames -recount allowance -take_back call next_game close"),
    (NZ, OVER, 70, "allowance -take_back call next_game close"),
    (NASPA, FORFEIT, 70, "frames -recount allowance -take_back call next_game close"),
    (NASPA, NO_TURN, 20, "call frames close"),
]


def test_the_rows_of_each_phase_in_their_order_with_those_that_the_game_refuses(seats: Seats) -> None:
    for cell in each_cell(ROWS):
        with cell as (rulebook, start, at, rows):
            page = seats(rulebook, *start, at=at * 1000).do("menu").page
            assert " ".join(f"{'' if row.refused is None else '-'}{row.name.replace(' ', '_')}" for row in page.rows) == rows


def test_a_player_whose_clock_runs_before_the_game_keeps_the_own_button_in_the_menu(seats: Seats) -> None:
    keeps = {start: seats(NASPA, *start, at=20_000).do("menu").page.keeps for start in (("0 late_start left",), STOPPED)}
    assert [*keeps.values()] == [(Side.LEFT,), ()]


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
        ("missed_press", STOPPED, "How long ago was the draw?", ["Just now", *(f"{ago}\u00a0s ago" for ago in (5, 10, 15)), "Back"]),
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


def seen(both: Players) -> tuple[HalfFace, ...]:
    return tuple(half for _, half in face(both.table, both.now * MS).halves.items())


def first_row(both: Players) -> str:
    return some(seen(both)[0].page).rows[0]


def test_where_the_desk_has_sent_when_the_round_began_a_late_start_says_what_is_left_and_asks_nothing() -> None:
    both = in_round(-98.5, 0)
    assert first_row(both) == f"Late start: 5:00 · {reading(300 * NS - (both.now * MS + 98_500 * MS))} left"
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
    own = own_rulebook(tmp_path, "[windows.late_start]\nseconds = 120")
    assert players(own).do("menu frames/late_start").rows == ("0", str(60 * NS), "back")


@pytest.mark.parametrize("start", [OVER, ("0 press right", "14 end reason=resignation loser=left"), ("14 end reason=x",)])
def test_disconnected_tiles_are_offered_for_twenty_seconds_after_the_end_of_a_game_that_was_played_to_it(start: tuple[str, ...]) -> None:
    shown = players(NASPA, *start, at=24_000).do("menu frames").page.rows
    assert {row.name: row.refused is None for row in shown} == {"between_rounds": True, "disconnected": False, "back": True}
    assert [row.lapses for row in shown if row.name == "disconnected"] == [0 if start == OVER else None]
    counting = players(NASPA, *OVER, at=10_000).do("menu frames")
    assert [row.lapses for row in counting.page.rows] == [None, (24_000 - counting.now) * MS, None]


def test_the_rulebooks_are_offered_where_the_director_allows_it() -> None:
    both = players(NASPA, players_choose_rulebook=True).do("menu")
    assert both.rows[:2] == ("allowance", "rulebook")
    assert rows_behind(("close",), both.table.history, both.table.setup, both.now * MS) == (), "no page is behind it"
    assert set(both.do("take rulebook").rows) == {*RULEBOOKS, "back"}


def test_the_times_begin_with_the_present_one_go_up_by_the_minute_and_wrap_round() -> None:
    *times, back = players(NASPA).do("menu allowance/left").rows
    assert [int(ns) // (60 * 10**9) for ns in times] == [*range(25, 61), *range(5, 25)]
    assert back == "back"


LATE = ("0 late_start both", "480 arrive right", "600 arrive left", "700 press left", "720 end reason=x")
GIVEN = ("0 press right", "10 adjust right seconds=60 when=now reason=x", "20 end reason=x")
OWN = (*GIVEN, "25 new_game rulebook=naspa-2017 right_seconds=1800", "30 press right", "40 end reason=x")


@pytest.mark.parametrize(("rulebook", "lines", "at"), [(NZ, LATE, 740), (NASPA, GIVEN, 60), (NASPA, OWN, 60)])
def test_after_a_game_the_times_begin_with_the_regulation_not_what_was_left(rulebook: str, lines: tuple[str, ...], at: int) -> None:
    assert players(rulebook, *lines, at=at * 1000).do("menu allowance/right").rows[0] == str(25 * 60 * NS)


def test_the_page_to_agree_on_names_what_is_taken_back_with_before_and_after(seats: Seats) -> None:
    change = some(seats(NASPA, "0 press right", "10 press left", "14 neutralise").do("menu take_back").page.change)
    assert (type(change.event).__name__, change.before.turn, change.after.turn) == ("Press", Side.RIGHT, Side.LEFT)


def test_a_short_press_of_anything_goes_back_from_the_page_to_agree_on(seats: Seats) -> None:
    for button in ("left", "right", "centre"):
        if button == "centre" and seats.keywords["two_button"]:
            continue
        both = seats(NASPA, *STOPPED).do(f"menu take_back, {button}")
        assert both.page.rows[0].name == "challenge"
        assert both.said() == ["new_game 5 naspa-2017", "press right", "neutralise"]


def test_one_player_alone_or_both_for_less_than_a_second_do_not_agree(seats: Seats) -> None:
    both = seats(NASPA, *STOPPED)
    assert both.do("menu take_back, left 4000").said()[3:] == []
    assert both.do("take take_back, both 950").said()[3:] == []


def test_in_out_play_one_players_press_on_the_page_to_agree_on_starts_no_clock_and_agreeing_takes_it_back(seats: Seats) -> None:
    for buttons in (("left", "right"), ("right", "left")):
        both = seats(NASPA, *OUT, at=10_000).do("menu take_back")
        for alone in ("left", "left 2200", "right", "right 2200"):
            said_no = Players(both.table, both.now).do(alone)
            assert said_no.said()[3:] == [], alone
            assert said_no.page.rows[said_no.page.cursor].name == "take_back", alone
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


MINUTE = 60 * NS
DOES = {
    (NASPA, STOPPED): {
        "challenge": ["challenge"],
        "reason/tile count": ["reason tile count"],
        "frames/missed_press/0": ["press left", "window missed_press"],
        f"frames/missed_press/{10 * NS}": ["press left", "window missed_press 10"],
        "frames/return_to_table": ["resume left", "window return_to_table"],
        "frames/mixing": ["resume left", "window mixing"],
        "frames/overdraw_decision/right": ["window overdraw_decision right"],
        "frames/tiles_returned/left": ["window tiles_returned left"],
        "frames/tile_decision/left": ["window tile_decision left"],
        "out_play left": ["out_play"],
        "infraction/right": ["infraction right"],
        "clock_hit_in_error/left/agreed": ["adjust left 60 now clock started in error players"],
        "wrong_board/right/agreed": ["adjust right 60 now wrong board after a challenge players"],
        "six_zeros/yes": ["end six zeros"],
        "six_zeros/no": [],
        "resignation left/agreed": ["end resignation left"],
        "close": [],
        "take_back/agreed": ["undo taken back by both players 2 players"],
    },
    ("club", STOPPED): {"resignation right/agreed": ["end resignation right"]},
    (NZ, ()): {"late_clock/right": ["late_start left players"]},
    (NASPA, OUT): {
        "hold": ["hold"],
        "challenge": ["challenge"],
        "not_out/agreed": ["not_out"],
        "take_back/agreed": ["undo taken back by both players 3 players"],
    },
    (NASPA, (*OUT, "5 release")): {"not_out/agreed": ["not_out"]},
    (NASPA, (*OUT, "5 hold", "6 neutralise")): {"not_out/agreed": ["not_out"]},
    (NASPA, (*OUT, "5 challenge")): {"not_out/agreed": ["not_out"]},
    (NZ, (*OUT, "5 challenge", "6 withdraw by=director")): {"not_out/agreed": ["not_out"]},
    (NASPA, (*STOPPED, "5 call on=true")): {"call": ["call false"]},
    ("naspa-2017-collins-5", ADJUDICATION): {"words/3": ["verdict true 3"]},
    (NZ, ADJUDICATION): {"words/8": ["verdict true 8"]},
    (NASPA, OVER): {
        "recount": ["window recount"],
        "frames/between_rounds": ["window between_rounds"],
        "frames/disconnected": ["window disconnected"],
    },
    (NASPA, ()): {"frames/late_start/0": ["window late_start"], f"frames/late_start/{240 * NS}": ["window late_start 240"]},
}
CELLS = [(*begun, path, events) for begun, rows in DOES.items() for path, events in rows.items()]


def require(both: Players, path: str, events: list[str]) -> None:
    before = both.said()
    both.do(f"menu {path}")
    assert both.said()[len(before) :] == events
    assert both.table.table_menu is None
    answers = [answer.message.key for answer in both.table.answers if answer.where is None and "table_menu" in answer.message.key]
    row = path.split("/", maxsplit=1)[0].split(maxsplit=1)[0]
    # An out play is the face's own state: a sentence would stand where its answers are named.
    assert answers == ([f"table_menu.done.{row}"] if events and row != "out_play" else [])
    assert both.presses <= 6


def test_a_row_makes_its_events_closes_the_menu_and_says_so(seats: Seats) -> None:
    for cell in each_cell(CELLS):
        with cell as (rulebook, start, path, events):
            require(seats(rulebook, *start, at=12_000), path, events)


NEW_GAMES = [
    (OVER, "next_game/yes", "new_game 5 naspa-2017"),
    (OVER, f"allowance/left/{30 * MINUTE}/agreed", "new_game 5 naspa-2017 1800"),
    ((), f"allowance/right/{20 * MINUTE}/agreed", "new_game 5 naspa-2017 1200"),
    ((), "rulebook/club/agreed", "new_game 5 club"),
    (OVER, "rulebook/nzasp-2022/agreed", "new_game 5 nzasp-2022"),
]


def test_a_row_that_sets_up_begins_a_new_game(seats: Seats) -> None:
    for cell in each_cell(NEW_GAMES):
        with cell as (start, path, event):
            both = seats(NASPA, *start, at=30_000, players_choose_rulebook=True).do(f"menu {path}")
            assert both.said() == [event]
            assert both.presses <= _most(path)
    twice = seats(NASPA).do(f"menu allowance/left/{30 * MINUTE}/agreed, menu allowance/right/{20 * MINUTE}/agreed")
    assert twice.said() == ["new_game 5 naspa-2017 1800 1200"], "the rest as it is"


def _most(path: str) -> int:
    """Return how many presses a row may cost: six; one more for a player's time, which asks whose, how much, and whether both agree."""
    return 7 if path.startswith("allowance") else 6


def test_for_twenty_seconds_after_an_out_play_next_game_says_how_long_it_waits_and_no_row_moves(seats: Seats) -> None:
    # Tiles found or disconnected reopen the game in that time (2017 III.G.5.7, V.C.3).
    both = seats(NASPA, "0 press right", "14 out_play", "15 release").do("menu")
    early, game = both.rows, both.game
    assert both.do("take next_game").game == game
    left = reading(some(game.end).at + 20_000 * MS - both.now * MS)
    assert [some(each.page).hint for each in seen(both)] == [f"The next game can begin in {left}"] * 2
    assert both.do("wait 20000").rows == early
    assert both.do("take next_game/yes").game.phase is Phase.READY


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_six_zeros_ask_for_the_score_too_where_they_do_not_end_a_game_at_nothing_each(seats: Seats, rulebook: str) -> None:
    # General rules, on the end: "six successive scoreless turns have occurred and the score is not zero-zero"; the clock knows no score.
    both = seats(rulebook, *STOPPED).do("menu six_zeros")
    title = "six_zeros_not_at_zero" if rulebook == "club" else "six_zeros"
    assert (both.page.title.key, both.rows) == (f"table_menu.title.{title}", ("no", "yes"))


def test_another_number_of_zeros_is_named_in_row_and_question_and_ends_the_game_for_a_reason_of_its_own(
    seats: Seats, tmp_path: Path
) -> None:
    own = own_rulebook(tmp_path, "[six_zeros]\nturns = 4\nat_zero_score = false")
    both = seats(own, *STOPPED).do("menu")
    assert both.page.rows[both.rows.index("six_zeros")].message.key == "table_menu.row.zeros"
    question = both.do("take six_zeros").page.title
    assert question.said(load_texts("fr")) == "4 zéros, pas à 0-0\u00a0: fin\u00a0?"
    assert both.do("take yes").game.reason == "zeros in a row"


PLAYERS_MAY = [
    ('[late]\nstarts = "players"', (), "late_clock/right", ["late_start left players"]),
    ('[windows.recount_warning]\nseconds = 60\nby = "players"', OVER, "frames/recount_warning", ["window recount_warning"]),
]


@pytest.mark.parametrize("may", PLAYERS_MAY)
def test_what_a_rulebook_of_ones_own_leaves_to_the_players_is_a_row_and_under_the_shipped_ones_it_is_none(
    seats: Seats, may: tuple[str, tuple[str, ...], str, list[str]], tmp_path: Path
) -> None:
    table, start, path, events = may
    require(seats(own_rulebook(tmp_path, table), *start, at=12_000), path, events)
    # In New Zealand the players start a late clock too, at the call that starts the game (NZ 4.2).
    for rulebook in set(RULEBOOKS) - {NZ}:
        shipped = seats(rulebook, *start).do("menu")
        frames = {row.name for row in rows_behind(("frames",), shipped.table.history, shipped.table.setup, 20_000 * MS)}
        assert set(path.split("/")).isdisjoint({*shipped.rows, *frames} - {"frames"})


@pytest.mark.parametrize(
    ("table", "start", "row"),
    [
        ('[end]\nresignation = "director"', STOPPED, "resignation left"),
        ('[windows.recount]\nseconds = 60\nby = "director"', OVER, "recount"),
    ],
)
def test_what_is_left_to_the_director_is_no_row(seats: Seats, table: str, start: tuple[str, ...], row: str, tmp_path: Path) -> None:
    assert row in seats(NASPA, *start).do("menu").rows
    assert row not in seats(own_rulebook(tmp_path, table), *start).do("menu").rows


def test_a_resignation_that_the_opponent_does_not_honour_ends_nothing(seats: Seats) -> None:
    both = seats(NASPA, *STOPPED).do("menu resignation left")
    pages = face(both.table, both.now * MS).halves.map(lambda half: half.page)
    assert [shown.title for _, shown in pages.items() if shown is not None] == [
        "You resign, if the director allows it?",
        "Your opponent resigns, if the director allows it?",
    ]
    assert both.do("left 4000").game.phase is Phase.NEUTRAL


def test_an_out_play_that_would_end_the_game_asks_both_first(seats: Seats) -> None:
    # A release since would accept it.
    held = ("0 press right", "10 press left", "12 hold", "13 release", "14 neutralise")
    both = seats(NASPA, *held, at=50_000).do("menu out_play left")
    assert both.page.kind is PageKind.AGREE
    assert both.game.phase is Phase.NEUTRAL
    assert Players(both.table, both.now).do("left, left 4000").game.phase is Phase.NEUTRAL, "one player alone ends no game"
    both.do("both")
    assert (both.game.phase, both.game.reason) == (Phase.OVER, "out play")
    assert both.presses <= 6


def test_a_resumed_clock_is_charged_from_the_take_and_the_time_in_the_menu_is_neutral(seats: Seats) -> None:
    both = seats(NASPA, *STOPPED).do("menu frames/mixing")
    assert both.game.running is Side.LEFT
    # The take was the last press: held 150 ms, 300 ms ago.
    assert both.used(Side.LEFT) == 4_000 + 450


def test_a_row_that_lapses_counts_down_in_its_place_and_says_why_when_it_is_taken_too_late(seats: Seats) -> None:
    both = seats(NASPA, "0 press right", "14 neutralise", at=50_000).do("menu, right")
    rows, at = both.rows, both.page.cursor
    assert [some(half.page).rows[at] for half in seen(both)] == [f"Take back the last press · {reading((60_000 - both.now) * MS)} left"] * 2
    both.do(f"wait {60_001 - both.now}")
    assert (both.rows, both.rows[both.page.cursor]) == (rows, "take_back")
    page = some(seen(both)[0].page)
    assert (page.rows[at], page.hint, page.grey) == (
        "Take back the last press",
        "Not possible: older than 60 s",
        frozenset({at, rows.index("out_play right")}),
    )
    before = both.said()
    assert both.do("bar").rows == rows
    assert both.said() == before


def test_a_page_to_agree_on_what_has_lapsed_says_why_and_asks_for_no_press(seats: Seats) -> None:
    both = seats(NASPA, "0 press right", "14 neutralise", at=50_000).do("menu take_back")
    asked = some(seen(both)[0].page).sentence
    both.do(f"wait {60_001 - both.now}")
    assert [some(half.page).sentence for half in seen(both)] == ["Not possible: older than 60 s"] * 2
    assert asked.startswith("Both together")


COUNTING: Final = ("recount", "recount_warning", "between_rounds", "disconnected")
AFTER_THE_END: Final = (
    *((), ("frames",), ("next_game",), ("allowance", "left"), ("allowance", "left", str(30 * MINUTE)), ("called",)),
    *((RESULT, "score", "right", "1"), SIGN, CHANGE),
)


def test_a_time_frame_that_counts_shows_what_is_left_of_it_on_each_page_after_the_end(seats: Seats) -> None:
    for cell in each_cell(product(COUNTING, AFTER_THE_END)):
        with cell as (name, path):
            both = seats(NASPA, *OVER, f"6 window name={name}", at=9_300, results=True)
            both.table = replace(both.table, table_menu=opened(both.game, path))
            left = some(both.game.window_at(both.now * MS)).ends - both.now * MS
            for page in (some(half.page) for half in seen(both)):
                assert f" {reading(left)}" in " ".join(("", *page.rows, *page.lines, page.title))


def test_the_page_that_asks_whether_to_take_back_says_for_how_long_and_a_page_that_stays_says_nothing(seats: Seats) -> None:
    both = seats(NASPA, "0 press right", "14 neutralise", at=50_000).do("menu take_back")
    left = 60_000 - both.now
    assert [some(half.page).title for half in seen(both)] == [f"Take back the last press? · {reading(left * MS)} left"] * 2
    assert schedule.next_due(both.table, both.now * MS) == (both.now + left % 1_000) * MS
    both.do(f"wait {left + 5_000}, both")
    assert answered(both.table)[0][1] == "table_menu.not_done"
    assert some(seen(seats(NASPA, *STOPPED).do("menu resignation left"))[0].page).title.endswith("?")


def test_a_question_about_an_out_play_stays_when_its_time_frame_ends_the_game_and_both_still_answer_it(seats: Seats) -> None:
    for cell in each_cell([("not_out", Side.RIGHT), ("take_back", Side.LEFT)]):
        with cell as (name, turn):
            both = seats(NASPA, *OUT, at=19_300).do(f"menu {name}, wait 9000")
            assert (both.game.phase, both.page.kind, both.page.refused) == (Phase.OVER, PageKind.AGREE, None)
            both.do("both")
            assert (both.game.phase, both.game.turn, both.table.table_menu) == (Phase.NEUTRAL, turn, None)
    refused = seats(NASPA, *OUT, at=19_300).do("menu not_out, wait 9000, bar")
    assert (refused.game.phase, refused.rows[refused.page.cursor]) == (Phase.OVER, "not_out")


def test_a_call_is_made_by_two_presses_and_taken_back_by_one_held_while_a_short_one_does_nothing_and_the_bar_closes_its_page(
    seats: Seats,
) -> None:
    both = seats(NASPA, *RUNNING).do("bar 1200, bar")
    assert (both.game.called, both.page.kind) == (True, PageKind.CALLED)
    closed = Players(both.table, both.now).do("bar")
    assert (closed.game.called, closed.table.table_menu) == (True, None)
    short = Players(both.table, both.now).do("left")
    assert (short.game.called, short.page.kind) == (True, PageKind.CALLED)
    both.do("left 1200")
    assert (both.game.called, both.table.table_menu, both.game.running) == (False, None, None)
    assert answered(both.table) == [("left", "table_menu.done.called"), ("right", "table_menu.done.called")]


# --- the table of docs/spec/events.md, "The most common acts": each act played by real presses costs the number that stands there

SPEC: Final = Path(__file__).parents[3] / "docs" / "spec" / "events.md"
HABIT = ("0 press right", "10 press left")
ACTS: Final[dict[str, list[tuple[str, tuple[str, ...], str, str]]]] = {
    "end the turn": [(NASPA, RUNNING, "left", "press left")],
    "stop, resume": [(NASPA, RUNNING, "bar", "neutralise"), (NASPA, STOPPED, "bar", "resume left")],
    "challenge": [(NASPA, RUNNING, "bar 2200", "challenge")],
    "verdict acceptable; unacceptable; acceptable, 3 words (NZ, Collins)": [
        (NASPA, ADJUDICATION, "bar, bar 1200", "verdict true 1"),
        (NASPA, ADJUDICATION, "left, bar 1200", "verdict false 1"),
        (NZ, ADJUDICATION, "bar, left, right, bar 1200", "verdict true 3"),
    ],
    "record a hold; release it": [(NASPA, RUNNING, "right 1200", "hold"), (NASPA, HOLD, "right 1200", "release")],
    "out play after a stop": [(NASPA, RUNNING, "bar, left 1200, left", "out_play")],
    "out play after a press out of habit": [(NASPA, HABIT, "menu out_play left", "out_play")],
    "accept an out play": [(NASPA, OUT, "right 1200", "release")],
    "reason for the stop": [(NASPA, RUNNING, "menu reason/tile count", "reason tile count")],
    "time frame; with who decides; with how long ago": [
        (NASPA, RUNNING, "menu frames/mixing", "window mixing"),
        (NASPA, RUNNING, "menu frames/tile_decision/left", "window tile_decision left"),
        (NASPA, RUNNING, f"menu frames/missed_press/{10 * NS}", "window missed_press 10"),
    ],
    "six zeros": [(NASPA, RUNNING, "menu six_zeros/yes", "end six zeros")],
    "take back the last press": [(NASPA, HABIT, "menu take_back/agreed", "undo taken back by both players 3 players")],
    "call the director": [(NASPA, RUNNING, "menu call", "call true")],
    "resignation": [(NASPA, RUNNING, "menu resignation left/agreed", "end resignation left")],
    "recount minute": [(NASPA, OVER, "menu recount", "window recount")],
    "next game": [(NASPA, OVER, "bar 2200, take yes", "new_game 5 naspa-2017")],
}


def test_each_of_the_common_acts_costs_the_presses_of_the_table(seats: Seats) -> None:
    section = SPEC.read_text("utf-8").split("## The most common acts")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| .+ \| (.+) \|$", section, re.MULTILINE)[2:]
    # The table's last column; a held press is followed by its length.
    presses = {name: [int(found) for found in re.findall(r"(?<!held )\b\d+", counts)] for name, counts in rows}
    assert {name: len(counts) for name, counts in presses.items()} == {name: len(acts) for name, acts in ACTS.items()}
    for cell in each_cell(
        [(name, *each) for name in ACTS for each in zip(presses[name], ACTS[name], strict=True)], name=lambda each: each[0]
    ):
        with cell as (_, count, (rulebook, start, steps, event)):
            both = seats(rulebook, *start, at=17_000).do(steps)
            assert any(said == event or said.startswith(f"{event} ") for said in both.said())
            assert both.presses == count


SOON: Final = (20, 60, 300, 900)
KEPT: Final = ((), ("keep", str(30 * MINUTE), REGULATION), None, SOON)
ASKED: Final = (
    (STOPPED, ("frames", "overdraw_decision"), None, SOON),
    (STOPPED, ("infraction",), None, SOON),
    (STOPPED, ("clock_hit_in_error",), None, SOON),
    *((STOPPED, ("out_play",), side, SOON) for side in Side),
    KEPT,
    # It takes one player's second.
    ((*STOPPED, "5 call on=true"), ("called",), None, (*SOON, 1_100, 1_900)),
)


@pytest.mark.parametrize("two_button", [False, True])
def test_both_buttons_on_a_page_that_asks_either_player_answer_it_once_and_do_nothing_else(two_button: bool) -> None:
    cells = [(*each, *presses) for each in ASKED for presses in product((("left", "right"), ("right", "left")), each[-1], (120, 1_300))]
    if not two_button:
        cells += [(*KEPT, ("centre", side), apart, 120) for side in ("left", "right") for apart in SOON]
    for cell in each_cell(cells, str):
        with cell as (start, path, asked, _, order, apart, held):
            both = players(NASPA, *start, two_button=two_button)
            menu = opened(both.game, path, asked=asked)
            presses = [Press(button, both.now + apart * place, held).edges(bouncy=False) for place, button in enumerate(order)]
            end = both.now + apart + held + 200
            after = drive(replace(both.table, table_menu=menu), [edge for each in presses for edge in each], end)
            answered = [what for _, what in said(after.history)[len(both.said()) :]]
            assert len(answered) <= 1
            assert answered == [] or answered[0].split()[0] in ("window", "infraction", "out_play", "new_game", "call")
            assert after.game_at(end * MS).running is None
            # The page may ask on, or the bar of a two-button board goes back.
            assert after.table_menu is None or after.table_menu.asked is None


def test_a_second_after_the_answer_who_the_other_button_plays_again() -> None:
    both = players(NASPA, *STOPPED).do("menu infraction/left, wait 800, right")
    assert both.said()[-1] == "press right"


def test_two_buttons_that_have_gone_back_from_a_page_that_asks_who_may_ask_again_at_once() -> None:
    both = players(NASPA, *STOPPED, two_button=True).do("left 1200, bar, left 1200")
    assert some(both.table.table_menu).path == ("out_play",)


def test_what_each_row_has_done_has_words_but_for_an_out_play_which_both_halves_show_and_a_receipt() -> None:
    names = {name.split()[0] for rows in (*_BY_PHASE.values(), _PENDING, _JUDGED_OUT, _NO_TURN) for name in rows}
    wordless = {name for name in names if f"table_menu.done.{name}" not in load_texts("en").by_key}
    assert wordless == {"out_play", "receipt"}
