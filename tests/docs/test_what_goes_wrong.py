"""Each row of the guides on what goes wrong with results has a test that shows it."""

import ast
import re
from pathlib import Path

from tests.cells import each_cell

ROOT = Path(__file__).resolve().parents[2]
AT_DESK, PAGES, BOOK, FILE = (
    f"tests/hall/{each}.py" for each in ("desk/test_results", "desk/web/test_results", "results/test_book", "results/test_model")
)
AT_CLOCK, AFTER_A_CUT = "tests/firmware/table_menu/test_result.py", "tests/firmware/shell/test_resume.py"
TOGETHER = AT_CLOCK, "test_buttons_that_are_down_together_sign_nothing"
FALSE_SCORE = PAGES, "test_a_false_score_that_both_have_signed_counts_and_odd_ones_are_marked"
WRONG_TABLE = BOOK, "test_where_a_doubt_is_left_the_director_is_asked"
TWO_CLOCKS = AT_DESK, "test_two_clocks_at_one_table_are_one_result_and_a_question"
LATE = PAGES, "test_a_late_objection_is_corrected_in_an_earlier_round_and_the_signed_row_and_the_next_pairings_stay"
ALL_DAY = AT_DESK, "test_a_clock_without_connection_all_day_brings_each_game_to_its_round_once"
REOPENED = AT_DESK, "test_a_director_who_reopens_the_game_takes_the_result_back_until_it_is_signed_again"
POWER = AFTER_A_CUT, "test_a_power_cut_loses_a_draft_and_one_signature_and_keeps_two"
AT_THE_DESK = {
    "one player presses both buttons to sign": TOGETHER,
    "a false score that both have signed": FALSE_SCORE,
    "the wrong table": WRONG_TABLE,
    "names of another round": (AT_DESK, "test_what_fits_no_pairing_waits_until_its_round_is_current"),
    "two clocks for one table, or a game for fun with the same names": TWO_CLOCKS,
    "two players of one name": (PAGES, "test_two_players_of_one_name_who_play_each_other_are_told_apart_by_their_numbers"),
    "both meet at the same table again": (BOOK, "test_a_second_meeting_at_the_same_table_takes_the_second_result"),
    "the director reopens the game": REOPENED,
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
    "a correction after the next pairing, a late objection, also by a third player": LATE,
    "the clock has no connection all day": ALL_DAY,
    "a clock is cut off while a player is late": (
        AT_DESK,
        "test_a_forfeit_by_time_alone_counts_when_the_clock_says_so_or_the_next_game_has_begun",
    ),
    "the desk's store is full or away": (AT_DESK, "test_a_store_that_is_away_loses_nothing"),
}
AT_THE_TABLE = {
    "one player holds both buttons": TOGETHER,
    "one player signs for both, one button after the other": (
        AT_CLOCK,
        "test_one_row_after_the_signing_disputes_the_result_until_the_next_game_and_calls_the_director",
    ),
    "the other player sees it only after the next game has begun": LATE,
    "a false score that both sign": FALSE_SCORE,
    "a slip of the hand before the second signature": (AT_CLOCK, "test_any_change_takes_both_signatures_back"),
    "only one has signed, and the other leaves": (AT_CLOCK, "test_the_next_game_asks_once_if_the_last_result_is_not_signed"),
    "the power fails before both have signed": POWER,
    "the power fails after both have signed": POWER,
    "the director erases overtime after one has signed": (
        AT_CLOCK,
        "test_a_signature_counts_only_for_the_scores_that_its_player_has_read",
    ),
    "the next game is begun with a time or a rulebook of its own": (
        AT_CLOCK,
        "test_a_next_game_with_a_time_or_a_rulebook_of_its_own_asks_for_the_paper_too",
    ),
    "tiles are found after the signing": REOPENED,
    "the hall cannot be reached, also all day": ALL_DAY,
    "you have played at the wrong table": WRONG_TABLE,
    "two clocks at one table have a result each": TWO_CLOCKS,
    "two players have one name": (BOOK, "test_two_players_of_one_name_are_told_apart_by_the_table"),
    "a third player objects later": LATE,
    "a result is corrected when the next round is paired already": LATE,
}


def rows_below(page: str, heading: str) -> list[str]:
    table = (ROOT / "docs" / page).read_text("utf-8").split(f"\n| {heading} |")[1].split("\n\n")[0]
    return re.findall(r"^\| ([^|-][^|]*) \|", table, re.MULTILINE)


def test_each_row_has_a_test_that_exists() -> None:
    for page, heading, shown_by in (
        ("desk.md", "at the table or the desk", AT_THE_DESK),
        ("results.md", "at the table", AT_THE_TABLE),
    ):
        assert rows_below(page, heading) == list(shown_by)
        for cell in each_cell(shown_by.items(), lambda entry: entry[0]):
            with cell as (_, (file, name)):
                assert name in {each.name for each in ast.parse((ROOT / file).read_text("utf-8")).body if isinstance(each, ast.FunctionDef)}


def test_each_language_has_as_many_rows() -> None:
    for page, heading, shown_by in (
        ("fr/desk.md", "à la table ou au tableau de bord", AT_THE_DESK),
        ("fr/results.md", "à la table", AT_THE_TABLE),
        ("es/desk.md", "en la mesa o en el panel", AT_THE_DESK),
        ("es/results.md", "en la mesa", AT_THE_TABLE),
        ("de/results.md", "am Tisch", AT_THE_TABLE),
    ):
        assert len(rows_below(page, heading)) == len(shown_by)
