"""The way back comes first on two buttons, nothing is not an amount, and no question is asked whose answer is of no account."""

from dataclasses import replace

import pytest

from firmware.menu.menu import Menu, open_menu, page
from rules.rulebooks import load_rulebook
from tests.firmware.gestures.trains import setup
from tests.firmware.menu.director import director
from tests.firmware.saying import play

STOPPED = ("0 press right", "4 neutralise")
ADJUDICATION = ("0 press right", "4 challenge")
COLLINS = "naspa-2017-collins-5"


def test_on_two_buttons_a_stray_right_takes_nothing_and_one_step_further_leaves_the_menu() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=True)
    assert begun.rows[:2] == ["Give or take time", "Leave the menu"]
    assert begun.press("right").press("right").table.record is begun.table.record
    left = begun.press("left").press("right")
    assert left.table.menu is None
    assert left.table.record is begun.table.record


def test_without_a_code_the_menu_of_a_two_button_board_says_so_first() -> None:
    record = play("naspa-2017", *STOPPED).record
    warning = "No code is set: anyone can open this menu"
    at_table = setup(two_button=True)
    assert [page(open_menu(), record, replace(at_table, code=code), 5).lines for code in (False, True)] == [(warning,), ()]
    assert page(open_menu(), record, setup(two_button=False), 5).lines == ()


def test_on_two_buttons_the_way_back_is_the_first_row_of_every_page_and_lands_on_the_action_it_came_from() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=True)
    asked = begun
    for row in ("Give or take time", "LEFT", "+1:00", "OK: +1:00", "Now", "wrong clock ran"):
        asked = asked.take(row)
        assert asked.rows[0] == "Back"
    while asked.table.menu is not None and asked.table.menu.action is not None:
        asked = replace(asked, table=replace(asked.table, menu=replace(asked.table.menu, cursor=0))).press("right")
    assert asked.table.menu is not None
    assert asked.rows[asked.table.menu.cursor] == "Give or take time"


def test_a_keyboard_moves_through_the_menu_of_a_two_button_board_as_on_a_full_one() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=True)
    asked = begun
    for _ in range(begun.rows.index("Give or take time")):
        asked = asked.press("down")
    asked = asked.press("down").press("up").press("ok")
    assert asked.page.title.startswith("Give or take time: ")
    assert asked.press("centre").page.title == "DIRECTOR"


@pytest.mark.parametrize(
    ("two_button", "first"), [(False, ["The times are right: go on"]), (True, ["The times are right: go on", "Leave the menu"])]
)
def test_after_a_power_cut_the_question_of_the_times_comes_before_all_actions(first: list[str], *, two_button: bool) -> None:
    record = play("naspa-2017", *STOPPED).record
    rows = [option.text for option in page(open_menu(confirms=True), record, setup(two_button=two_button), 5).options]
    assert rows[: len(first) + 1] == [*first, "Stop the clock"]


def test_no_time_at_all_cannot_be_given() -> None:
    asked = director("naspa-2017", *STOPPED, two_button=False).take_all("Give or take time", "LEFT")
    assert asked.rows[0] == "No time chosen yet"
    assert asked.press("ok").page == asked.page
    assert asked.take_all("+1:00", "-1:00").rows[0] == "No time chosen yet"


def test_extra_time_is_never_below_nothing() -> None:
    begun = director("naspa-2017", "0 press right", "4 end reason=x", two_button=False)
    asked = begun.take_all("New game", load_rulebook("naspa-2017").title)
    assert asked.rows == ["No extra time", "+1:00", "+0:10", "+0:01", "+10:00", "Back"]


def test_the_words_of_a_challenge_are_asked_for_only_where_a_word_earns_points() -> None:
    asked = director(COLLINS, *ADJUDICATION, two_button=False).take_all("Verdict", "ACCEPTABLE")
    assert asked.page.title == "Verdict: How many words were challenged?"
    sure = asked.take("3 words")
    assert "ACCEPTABLE, 3 words" in sure.page.lines
    assert sure.take("Do it").table.record.game.points.right == 15
    assert director("naspa-2017", *ADJUDICATION, two_button=False).take_all("Verdict", "ACCEPTABLE").rows == ["Back", "Do it"]


def test_going_back_passes_over_a_question_that_was_not_asked() -> None:
    back = director("naspa-2017", *ADJUDICATION, two_button=False).take_all("Verdict", "ACCEPTABLE").press("centre")
    assert back.page.title == "Verdict: The play is"
    assert back.press("centre").page.title == "DIRECTOR"


def test_rulebooks_are_chosen_by_their_titles_and_a_copy_with_the_same_title_is_told_by_its_name() -> None:
    club = load_rulebook("club")
    at_table = replace(
        setup(two_button=False), rulebooks=(("club", club), ("my-club.toml", club), ("naspa-2017", load_rulebook("naspa-2017")))
    )
    rows = [option.text for option in page(Menu("new_game"), play("club", "0 end reason=x").record, at_table, 5).options]
    assert rows == ["Club rules: club", "Club rules: my-club.toml", load_rulebook("naspa-2017").title, "Back"]
