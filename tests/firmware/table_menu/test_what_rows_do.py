"""What each row of the table menu does, by real presses, and how many presses it costs: at most six, in every phase and rulebook."""

from pathlib import Path

import pytest

from firmware.face.view import face
from firmware.table_menu.deeds import MINUTE_ROWS, possible
from firmware.table_menu.pages import WHO_ROWS, first_page, rows_behind
from firmware.table_menu.value import PageKind
from game.game import Phase
from rules.duration import NS
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.states import answered
from tests.firmware.gestures.trains import MS
from tests.firmware.saying import RULEBOOKS
from tests.firmware.table_menu.player import Players, players

pytestmark = pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
RUNNING = ("0 press right",)
STOPPED = ("0 press right", "14 neutralise")
OUT = ("0 press right", "14 out_play")
ADJUDICATION = ("0 press right", "14 challenge")
OVER = ("0 press right", "14 end reason=x")
SIDES = ("left", "right")

DOES = [
    ("naspa-2017", STOPPED, ("challenge",), ["challenge"]),
    ("naspa-2017", STOPPED, ("reason", "tile count"), ["reason tile count"]),
    ("naspa-2017", STOPPED, ("frames", "missed_press", "0"), ["press left", "window missed_press"]),
    ("naspa-2017", STOPPED, ("frames", "missed_press", str(10 * NS)), ["press left", "window missed_press 10"]),
    ("naspa-2017", STOPPED, ("frames", "return_to_table"), ["resume left", "window return_to_table"]),
    ("naspa-2017", STOPPED, ("frames", "mixing"), ["resume left", "window mixing"]),
    ("naspa-2017", STOPPED, ("frames", "overdraw_decision", "right"), ["window overdraw_decision right"]),
    ("naspa-2017", STOPPED, ("frames", "tiles_returned", "left"), ["window tiles_returned left"]),
    ("naspa-2017", STOPPED, ("frames", "tile_decision", "left"), ["window tile_decision left"]),
    ("naspa-2017", STOPPED, ("out_play", "left"), ["out_play"]),
    ("naspa-2017", STOPPED, ("infraction", "right"), ["infraction right"]),
    ("naspa-2017", STOPPED, ("clock_hit_in_error", "left", "agreed"), ["adjust left 60 now clock started in error players"]),
    ("naspa-2017", STOPPED, ("wrong_board", "right", "agreed"), ["adjust right 60 now wrong board after a challenge players"]),
    ("naspa-2017", STOPPED, ("call",), ["call true"]),
    ("naspa-2017", STOPPED, ("six_zeros", "yes"), ["end six zeros"]),
    ("naspa-2017", STOPPED, ("six_zeros", "no"), []),
    ("naspa-2017", STOPPED, ("resignation", "left", "agreed"), ["end resignation left"]),
    ("club", STOPPED, ("resignation", "right", "agreed"), ["end resignation right"]),
    ("naspa-2017", OUT, ("hold",), ["hold"]),
    ("nzasp-2022", (), ("late_clock", "right"), ["late_start left players"]),
    ("naspa-2017", STOPPED, ("close",), []),
    ("naspa-2017", STOPPED, ("take_back", "agreed"), ["undo taken back by both players 2 players"]),
    ("naspa-2017", OUT, ("challenge",), ["challenge"]),
    ("naspa-2017", OUT, ("not_out", "agreed"), ["not_out"]),
    ("naspa-2017", (*OUT, "15 hold", "16 neutralise"), ("not_out", "agreed"), ["not_out"]),
    ("naspa-2017", (*OUT, "15 challenge"), ("not_out", "agreed"), ["not_out"]),
    ("nzasp-2022", (*OUT, "15 challenge", "16 withdraw by=director"), ("not_out", "agreed"), ["not_out"]),
    ("naspa-2017", (*STOPPED, "15 call on=true"), ("call_answered",), ["call false"]),
    ("naspa-2017", OUT, ("take_back", "agreed"), ["undo taken back by both players 3 players"]),
    ("naspa-2017-collins-5", ADJUDICATION, ("words", "3"), ["verdict true 3"]),
    ("nzasp-2022", ADJUDICATION, ("words", "8"), ["verdict true 8"]),
    ("naspa-2017", OVER, ("recount",), ["window recount"]),
    ("naspa-2017", OVER, ("frames", "between_rounds"), ["window between_rounds"]),
    ("naspa-2017", OVER, ("frames", "disconnected"), ["window disconnected"]),
    ("naspa-2017", (), ("frames", "late_start", "0"), ["window late_start"]),
    ("naspa-2017", (), ("frames", "late_start", str(240 * NS)), ["window late_start 240"]),
]


def test_a_row_makes_its_events_closes_the_menu_and_says_so(two_button: bool) -> None:
    for cell in each_cell(DOES):
        with cell as (rulebook, start, path, events):
            both = players(rulebook, *start, two_button=two_button)
            before = both.said()
            both.open()
            both.path(*path)
            assert both.said()[len(before) :] == events
            assert both.table.table_menu is None
            assert [answer.message.key for answer in both.table.answers if answer.where is None and "table_menu" in answer.message.key] == (
                [f"table_menu.done.{path[0]}"] if events else []
            )
            assert both.presses <= 6


NEW_GAMES = [
    (OVER, ("next_game",), "new_game 4 naspa-2017"),
    (OVER, ("allowance", "left", str(30 * 60 * 10**9), "agreed"), "new_game 4 naspa-2017 1800"),
    ((), ("allowance", "right", str(20 * 60 * 10**9), "agreed"), "new_game 4 naspa-2017 1200"),
    ((), ("rulebook", "club", "agreed"), "new_game 4 club"),
    (OVER, ("rulebook", "nzasp-2022", "agreed"), "new_game 4 nzasp-2022"),
]


def test_a_row_that_sets_up_begins_a_new_game(two_button: bool) -> None:
    for cell in each_cell(NEW_GAMES):
        with cell as (start, path, event):
            both = players("naspa-2017", *start, two_button=two_button, players_choose_rulebook=True)
            both.open()
            both.path(*path)
            assert both.said() == [event]
            assert both.presses <= _most(path, start)
    twice = players("naspa-2017", two_button=two_button)
    for side, minutes in (("left", 30), ("right", 20)):
        twice.open()
        twice.path("allowance", side, str(minutes * 60 * 10**9), "agreed")
    assert twice.said() == ["new_game 4 naspa-2017 1800 1200"], "the rest as it is"


def _most(path: tuple[str, ...], start: tuple[str, ...]) -> int:
    """Return how many presses a row may cost: six; one more for a player's time at the end, which both agree on because it begins the next game."""
    return 7 if path[0] == "allowance" and start == OVER else 6


def test_for_twenty_seconds_after_an_out_play_next_game_says_how_long_it_waits_and_no_row_moves(two_button: bool) -> None:
    # Tiles found or disconnected reopen the game in that time (2017 III.G.5.7, V.C.3).
    both = players("naspa-2017", "0 press right", "14 out_play", "15 release", at=20_000, two_button=two_button)
    both.open()
    early, game = both.rows, both.game
    assert early[0] == "next_game"
    both.take("next_game")
    assert both.game == game
    assert answered(both.table) == [(None, "answer.next_game_wait")]
    both.wait(20_000)
    both.open()
    assert both.rows == early
    both.take("next_game")
    assert both.game.phase is Phase.READY


def test_six_zeros_ask_for_the_score_too_where_they_do_not_end_a_game_at_nothing_each(two_button: bool) -> None:
    # General rules, on the end: "six successive scoreless turns have occurred and the score is not zero-zero"; the clock knows no score.
    for cell in each_cell(RULEBOOKS):
        with cell as rulebook:
            both = players(rulebook, *STOPPED, two_button=two_button)
            both.open()
            both.take("six_zeros")
            title = "six_zeros_not_at_zero" if rulebook == "club" else "six_zeros"
            assert (both.page.title.key, both.rows) == (f"table_menu.title.{title}", ("no", "yes"))


LEFT_TO_PLAYERS = """id = "ours"
title = "Ours"
summary = "The players start late clocks and warn before a recount ends."
extends = "naspa-2017"
[late]
starts = "players"
clause = "ours"
[windows.recount_warning]
seconds = 60
by = "players"
clause = "ours"
"""
PLAYERS_MAY = [
    ((), ("late_clock", "right"), ["late_start left players"]),
    (OVER, ("frames", "recount_warning"), ["window recount_warning"]),
]


def test_what_a_rulebook_of_ones_own_leaves_to_the_players_is_a_row_and_under_the_shipped_ones_it_is_none(
    two_button: bool, tmp_path: Path
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(LEFT_TO_PLAYERS, "utf-8")
    for cell in each_cell(PLAYERS_MAY):
        with cell as (start, path, events):
            both = players(str(file), *start, two_button=two_button)
            before = both.said()
            both.open()
            both.path(*path)
            assert both.said()[len(before) :] == events
            assert both.table.answers[-1].message.key == f"table_menu.done.{path[0]}"
            assert both.presses <= 6
            # In New Zealand the players start a late clock too, at the call that starts the game (NZ 4.2).
            for rulebook in set(RULEBOOKS) - {"nzasp-2022"}:
                shipped = players(rulebook, *start, two_button=two_button)
                shipped.open()
                rows = {
                    *shipped.rows,
                    *(row.name for row in rows_behind(("frames",), shipped.table.record, shipped.table.setup, 20_000 * MS)),
                }
                assert path[0] == "frames" or path[0] not in rows
                assert path[1] not in rows


def test_a_resignation_that_the_opponent_does_not_honour_ends_nothing(two_button: bool) -> None:
    both = players("naspa-2017", *STOPPED, two_button=two_button)
    both.open()
    both.path("resignation", "left")
    pages = face(both.table, both.now * MS).halves.map(lambda half: half.page)
    assert [shown.lines[-1] for _, shown in pages.items() if shown is not None] == ["You resign", "Your opponent resigns"]
    both.press("left", 4_000)
    assert both.game.phase is Phase.NEUTRAL


def test_a_rulebook_that_leaves_a_resignation_to_the_director_has_no_row_for_it(two_button: bool, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(f'{LEFT_TO_PLAYERS}[end]\nresignation = "director"\nclause = "ours"\n', "utf-8")
    both = players(str(file), *STOPPED, two_button=two_button)
    both.open()
    assert "six_zeros" in both.rows
    assert "resignation" not in both.rows


def test_the_recount_minute_is_no_row_where_a_rulebook_leaves_it_to_the_director(two_button: bool, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    window = '[windows.recount]\nseconds = 60\nby = "director"\nclause = "ours"\n'
    file.write_text(LEFT_TO_PLAYERS.replace("[windows.recount_warning]", f"{window}[windows.recount_warning]"), "utf-8")
    both = players(str(file), *OVER, two_button=two_button)
    both.open()
    assert "recount" not in both.rows


PHASES = (
    (),
    ("0 late_start left",),
    ("0 late_start both", "12 arrive left"),
    RUNNING,
    STOPPED,
    OUT,
    ADJUDICATION,
    OVER,
    ("0 press right", "3 hold"),
)


def test_every_row_of_every_phase_and_rulebook_costs_at_most_six_presses(two_button: bool) -> None:
    for cell in each_cell([(rulebook, start) for rulebook in RULEBOOKS for start in PHASES], name=lambda each: f"{each[0]} {each[1]}"):
        with cell as (rulebook, start):
            opened = players(rulebook, *start, two_button=two_button, players_choose_rulebook=True)
            opened.open()
            for path in _longest_paths(opened):
                both = Players(opened.table, opened.now, opened.presses)
                both.path(*path)
                assert both.presses <= _most(path, start), path
                assert both.table.table_menu is None, path


def _longest_paths(opened: Players) -> list[tuple[str, ...]]:
    """Return the way through every row, and of the rows behind it to the one furthest away."""
    record, setup, at = opened.table.record, opened.table.setup, opened.now * MS
    paths: list[tuple[str, ...]] = []
    for row in first_page(record, setup, at):
        path: tuple[str, ...] = (row.name,)
        while True:
            behind = rows_behind(path, record, setup, at)
            if (
                path in (("take_back",), ("not_out",))
                or (len(path) == 2 and path[0] in ("rulebook", "resignation", *MINUTE_ROWS))
                or (len(path) == 3 and path[0] == "allowance")
            ):
                path = (*path, "agreed")
            elif (len(path) == 1 and path[0] in WHO_ROWS) or (
                path[0] == "frames" and path[-1] in ("overdraw_decision", "tiles_returned", "tile_decision")
            ):
                path = (*path, next((side for side in SIDES if possible((*path, side), record, setup, at)), "left"))
            elif behind and not (path[0] == "out_play" and len(path) == 2):
                path = (*path, behind[len(behind) // 2].name)
            else:
                break
        paths.append(path)
    return paths


def test_out_play_by_the_row_takes_the_place_of_a_press_out_of_habit(two_button: bool) -> None:
    both = players("naspa-2017", "0 press right", "10 press left", "14 neutralise", two_button=two_button)
    both.open()
    both.path("out_play", "left")
    assert [each.split()[0] for each in both.said()[2:]] == ["out_play"]
    assert both.game.phase is Phase.OUT_PLAY


def test_an_out_play_that_would_end_the_game_asks_both_first(two_button: bool) -> None:
    both = players("naspa-2017", *STOPPED, at=50_000, two_button=two_button)
    both.open()
    both.path("out_play", "left")
    assert both.page.kind is PageKind.AGREE
    assert both.game.phase is Phase.NEUTRAL
    declined = Players(both.table, both.now)
    declined.press("left")
    declined.press("left", 4_000)
    assert declined.game.phase is Phase.NEUTRAL, "one player alone ends no game"
    both.both()
    assert (both.game.phase, both.game.reason) == (Phase.OVER, "out play")
    assert both.presses <= 6


def test_a_resumed_clock_is_charged_from_the_take_and_the_time_in_the_menu_is_neutral(two_button: bool) -> None:
    both = players("naspa-2017", *STOPPED, two_button=two_button)
    both.open()
    both.path("frames", "mixing")
    assert both.game.running is Side.LEFT
    charged = both.game.used_at(Side.LEFT, both.now * MS) - 14_000 * MS
    # The take was the last press: held 150 ms, 300 ms ago.
    assert charged == 450 * MS


def test_a_row_before_the_chosen_one_that_vanishes_with_time_puts_no_other_row_under_the_bar(two_button: bool) -> None:
    both = players("naspa-2017", *STOPPED, at=50_000, two_button=two_button)
    both.open()
    for _ in range(both.rows.index("call") - both.page.cursor):
        both.press("right")
    both.wait(60_001 - both.now)
    assert "take_back" not in both.rows
    assert both.rows[both.page.cursor] == "call"
    both.press("bar")
    assert both.said()[-1] == "call true"


def test_a_chosen_row_that_vanishes_leaves_close(two_button: bool) -> None:
    both = players("naspa-2017", *STOPPED, at=50_000, two_button=two_button)
    both.open()
    for _ in range(both.rows.index("take_back") - both.page.cursor):
        both.press("right")
    both.wait(60_001 - both.now)
    assert both.rows[both.page.cursor] == "close"
