"""Each row of the desk's guide on what goes wrong with results has a test that shows it."""

import ast
import re
from pathlib import Path

from tests.cells import each_cell

ROOT = Path(__file__).resolve().parents[2]
AT_DESK, PAGES, BOOK, FILE = (
    f"tests/hall/{each}.py" for each in ("desk/test_results", "desk/web/test_results", "results/test_book", "results/test_model")
)
SHOWN_BY = {
    "one player presses both buttons to sign": (
        "tests/firmware/table_menu/test_result.py",
        "test_buttons_that_are_down_together_sign_nothing",
    ),
    "a false score that both have signed": (PAGES, "test_a_slip_by_its_tables_number_is_entered_once_and_not_signed"),
    "the wrong table": (BOOK, "test_where_a_doubt_is_left_the_director_is_asked"),
    "names of another round": (AT_DESK, "test_what_fits_no_pairing_waits_until_its_round_is_current"),
    "two clocks for one table, or a game for fun with the same names": (
        AT_DESK,
        "test_two_clocks_at_one_table_are_one_result_and_a_question",
    ),
    "two players of one name": (BOOK, "test_two_players_of_one_name_are_told_apart_by_the_table"),
    "both meet at the same table again": (BOOK, "test_a_second_meeting_at_the_same_table_takes_the_second_result"),
    "the director reopens the game": (
        AT_DESK,
        "test_a_director_who_reopens_the_game_takes_the_result_back_until_it_is_signed_again",
    ),
    "a player disputes the signed result at the clock": (AT_DESK, "test_a_player_who_disputes_the_signed_result_leaves_it_to_a_director"),
    "a slip that differs from the clock, or two slips that differ": (
        FILE,
        "test_what_differs_is_disputed_whichever_source_came_last",
    ),
    "a form is sent twice": (PAGES, "test_a_slip_by_its_tables_number_is_entered_once_and_not_signed"),
    "another result comes while a director corrects": (
        PAGES,
        "test_a_correction_is_of_what_the_director_saw_and_warns_when_the_next_round_is_paired",
    ),
    "a correction after the next pairing, a late objection": (
        PAGES,
        "test_a_correction_is_of_what_the_director_saw_and_warns_when_the_next_round_is_paired",
    ),
    "the clock has no connection all day": (AT_DESK, "test_a_clock_without_connection_all_day_brings_each_game_to_its_round_once"),
    "a clock is cut off while a player is late": (
        AT_DESK,
        "test_a_forfeit_by_time_alone_counts_when_the_clock_says_so_or_the_next_game_has_begun",
    ),
    "the desk's store is full or away": (AT_DESK, "test_a_store_that_is_away_loses_nothing"),
}


def test_each_row_has_a_test_that_exists() -> None:
    table = (ROOT / "docs" / "desk.md").read_text("utf-8").split("| at the table or the desk | at the desk |\n")[1].split("\n\n")[0]
    assert re.findall(r"^\| ([^|-][^|]*) \|", table, re.MULTILINE) == list(SHOWN_BY)
    for cell in each_cell(SHOWN_BY.items(), lambda entry: entry[0]):
        with cell as (_, (file, name)):
            assert name in {each.name for each in ast.parse((ROOT / file).read_text("utf-8")).body if isinstance(each, ast.FunctionDef)}
