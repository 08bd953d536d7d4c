"""Every event of docs/spec/events.md by buttons alone, on a full board and on two buttons: preview first, asked once more, cancelled without a trace."""

import pytest
from msgspec.structs import replace

from firmware.gestures.presses import hit_row
from firmware.menu.actions import Menu
from firmware.menu.menu import page
from firmware.texts import load_reasons
from game.event_table import BY_NAME, format_event
from game.events import By, Undo
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.states import ADJUDICATION, OVER, PENDING_STOP, READY, RUNNING, STOPPED, STOPPED_HOLD
from tests.firmware.gestures.trains import MS, Press, drive, setup
from tests.firmware.menu.director import WHY, Director, director
from tests.firmware.saying import keys_of, play

FORCED = ("0 adjust left seconds=-1500 when=now reason=x", "0 press right", "15 neutralise")
NASPA_2017 = "naspa-2017"
NASPA, NZ = (load_rulebook(each).title for each in ("naspa-2017", "nzasp-2022"))

# On two buttons, opening the menu stops a running clock; so each starts where that makes no difference. Rows by their texts.
CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "adjust left seconds=60 when=now": (STOPPED, ("Give or take time", "LEFT", WHY, "wrong clock ran", "+1:00")),
    "adjust right seconds=-71 when=end": (
        STOPPED,
        (
            *("Give or take time", "RIGHT", "When does it count? Now", "<end>", WHY, "delay by tracking"),
            *("Finer", "-1:00", "-0:10", "-0:01", "OK: -1:11"),
        ),
    ),
    "erase_overtime left to_seconds=-10": (FORCED, ("Erase overtime", "LEFT", WHY, "forced overtime", "back to -0:10")),
    "erase_overtime left to_seconds=-11": (FORCED, ("Erase overtime", "LEFT", "Finer", WHY, "forced overtime", "back to -0:11")),
    "points left points=-10": (STOPPED, ("Give or take points", "LEFT", WHY, "words looked up singly", "-10 points")),
    "rulebook rulebook=nzasp-2022": (STOPPED, ("Change the rulebook", NZ, WHY, "wrong rulebook at the start")),
    "call on=true": (STOPPED, ("Call for the director", "Yes: the players call")),
    "infraction right": (STOPPED, ("Minor infraction", "RIGHT")),
    "resume right": (STOPPED, ("Start a player's clock (turn)", "RIGHT")),
    "decide right": (STOPPED, ("Start a player's clock (decision)", "RIGHT")),
    "challenge": (STOPPED, ("Challenge", "player on turn")),
    "challenge right": (STOPPED, ("Challenge", "RIGHT")),
    "verdict acceptable=true words=1": (ADJUDICATION, ("Verdict", "ACCEPTABLE")),
    "verdict acceptable=false words=1": (ADJUDICATION, ("Verdict", "UNACCEPTABLE")),
    "withdraw": (ADJUDICATION, ("Withdraw the challenge",)),
    "release": (STOPPED_HOLD, ("Release the hold",)),
    "out_play": (STOPPED, ("Out play",)),
    "hold": (STOPPED, ("Hold",)),
    "not_out": (PENDING_STOP, ("No out play: play goes on",)),
    "press left": (STOPPED, ("Press a player's button", "LEFT")),
    "window name=tile_decision": (STOPPED, ("Start a time frame", "<tile_decision>", "nobody in particular")),
    "window left name=tile_decision": (STOPPED, ("Start a time frame", "<tile_decision>", "LEFT")),
    "window name=recount": (OVER, ("Start a time frame", "<recount>")),
    "window name=missed_press": (STOPPED, ("Start a time frame", "<missed_press>", "Just now")),
    "window name=missed_press ago=15": (STOPPED, ("Start a time frame", "<missed_press>", "15\u00a0s ago")),
    "window name=late_start": (READY, ("Start a time frame", "<late_start>", "Just now")),
    "window name=late_start ago=240": (READY, ("Start a time frame", "<late_start>", "4 min ago")),
    "window name=between_rounds": (OVER, ("Start a time frame", "<between_rounds>", "10:00")),
    "window name=between_rounds seconds=300": (OVER, ("Start a time frame", "<between_rounds>", "5:00")),
    "late_start left": (READY, ("Late: start the absent player's clock", "LEFT")),
    "late_start both": (READY, ("Late: start the absent player's clock", "BOTH")),
    "arrive right": (("0 late_start both",), ("An absent player has arrived", "RIGHT")),
    "swap": (STOPPED, ("Swap the sides", WHY, "players sat at the wrong side")),
    "end": (STOPPED, ("End the game", "director-shortened game")),
    "end loser=left reason=resignation": (STOPPED, ("End the game", "resignation", "LEFT")),
    "reopen": (OVER, ("Reopen the game", WHY, "wrong end")),
    "new_game rulebook=naspa-2017 ": (OVER, ("Next game: same rulebook",)),
    "new_game rulebook=nzasp-2022 left_seconds=1560": (OVER, ("New game", NZ, "+1:00", "OK: +1:00", "No extra time")),
    "new_game rulebook=naspa-2017": (OVER, ("New game", NASPA, "No extra time", "No extra time")),
}
AT_THE_AMOUNT = {"adjust", "erase_overtime", "points"}
"""The page of these shows at each amount what it changes, so taking one makes the event."""
STATED = {reason for kind in load_reasons().values() for reason in kind}
REASONED = {"adjust", "erase_overtime", "swap", "end", "reopen", "points", "rulebook"}
boards = pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])


def _row(at: Director, text: str) -> str:
    """The row that is meant: ``<name>`` is a window or an instant, whose row has another text."""
    if not text.startswith("<"):
        return text
    name = text.strip("<>")
    return next(option.text for option in at.page.options if name in (option.value, getattr(option.value, "value", None)))


def _asked(case: str, *, two_button: bool) -> tuple[Director, Director]:
    """The director in the menu before, and where one press more makes the event."""
    lines, (*rows, last) = CASES[case]
    begun = director(NASPA_2017, *lines, two_button=two_button)
    asked = begun
    for row in rows:
        asked = asked.take(_row(asked, row))
    if keys_of(case)["do"] in AT_THE_AMOUNT:
        return begun, asked.move_to(last)
    asked = asked.take(_row(asked, last))
    assert asked.page.title.startswith("Sure?")
    assert asked.rows[:2] == ["Back", "Do it"]
    assert asked.row == "Back"
    return begun, asked.move_to("Do it")


@boards
def test_the_event_can_be_reached_and_is_kept_with_its_reason(two_button: bool) -> None:
    for cell in each_cell(CASES):
        with cell as case:
            begun, asked = _asked(case, two_button=two_button)
            # It is shown before and after, and no press before has done anything.
            assert asked.table.history is begun.table.history
            assert asked.page.sentence != ""
            assert all(line.strip() for line in asked.page.lines)
            done = asked.press("both" if two_button else "ok")
            kept = format_event(done.table.history.event)
            expected = keys_of(case)
            if expected["do"] in REASONED:
                expected |= {"reason": expected.get("reason", next(row for row in reversed(CASES[case][1]) if row in STATED))}
            if expected["do"] == "new_game":
                expected |= {"edition": 5}
            assert kept == expected
            assert done.table.history.number == (1 if kept["do"] == "new_game" else begun.table.history.number + 1)
            assert done.page.said.startswith("Done: ")
            assert done.table.history.by is By.DIRECTOR or kept["do"] == "new_game"
            # Going back all the way changes nothing.
            while asked.table.menu is not None and asked.table.menu.action is not None:
                asked = asked.take("Back")
            left = asked.leave()
            assert (left.table.menu, left.table.history is begun.table.history) == (None, True)


def test_every_event_of_the_format_but_the_stop_its_reason_the_undo_and_the_players_result_is_among_the_cases() -> None:
    assert {keys_of(case)["do"] for case in CASES} | {"neutralise", "reason", "undo", "result"} == set(BY_NAME)


@boards
@pytest.mark.parametrize(
    ("rows", "keys"),
    [
        (("Stop the clock",), {"do": "neutralise"}),
        (("Stop the clock", "underdraw"), {"do": "reason", "reason": "underdraw"}),
        (("Hold", "Do it"), {"do": "hold"}),
    ],
)
def test_the_clock_is_stopped_first_and_asked_for_the_reason_afterwards(
    rows: tuple[str, ...], keys: dict[str, str], two_button: bool
) -> None:
    running = director(NASPA_2017, *STOPPED, two_button=two_button).take_all("Start a player's clock (turn)", "LEFT", "Do it")
    assert format_event(running.take_all(*rows).table.history.event) == keys
    stopped = running.take("Stop the clock")
    assert (stopped.page.title, stopped.page.said) == ("Why? · Reason for the stop", "Done: Stop the clock")
    assert stopped.take("Back").page.title == "DIRECTOR"


@boards
def test_an_undo_is_chosen_from_the_latest_events_newest_first_and_shows_what_it_changes(two_button: bool) -> None:
    begun = director("naspa-2017", "0 press right", "4 infraction left", "5 neutralise", "6 window name=mixing", two_button=two_button)
    listed = begun.take("Undo")
    events = [row for row in listed.rows if row != "Back"]
    assert [row.split(".")[0] for row in events] == ["5", "4", "3", "2"]
    assert "infraction" in events[2]
    asked = listed.take_all(events[2], WHY, "wrong entry")
    assert any("LEFT" in line for line in asked.page.lines)
    assert asked.table.history is begun.table.history
    done = asked.take("Do it")
    assert done.table.history.event == Undo("wrong entry", 3)


@boards
def test_what_cannot_be_done_now_is_grey_and_says_why_and_answers_a_press_with_it(two_button: bool) -> None:
    begun = director(NASPA_2017, *STOPPED, two_button=two_button)
    refused = {
        "Withdraw the challenge": "only while a challenge is judged",
        "Reopen the game": "only after the end",
        "Verdict": "no challenge is being adjudicated",
        "Release the hold": "there is no hold to release",
        "Erase overtime": "no overtime to erase",
        "New game": "a game is going on: it has to end first",
        "Stop the clock": "only while a turn runs or during a hold",
        "Credit since asked to stop": "no time used since a request to stop",
    }
    assert {row: begun.why(row) for row in refused} == refused
    assert {"Give or take time", "Challenge", "Out play", "End the game"} <= set(begun.open_rows)
    pressed = begun.take("Reopen the game")
    assert (pressed.page.said, pressed.row) == ("Not now: only after the end", "Reopen the game")
    assert pressed.table.history is begun.table.history
    # So is each answer of a page that the game has overtaken.
    for row, page_rows in (("End the game", ["Back"]), ("Swap the sides", ["Back", WHY])):
        asked = begun.take(row)
        ended = replace(asked, table=replace(asked.table, history=play(NASPA_2017, *OVER).history))
        assert ended.open_rows == page_rows
    assert ended.take("Do it").page.said.startswith("Not now: only before the first start")


@pytest.mark.parametrize(
    ("rulebook", "lines", "menu", "row", "why"),
    [
        (NASPA_2017, ("20 window name=late_start",), Menu(), "Late: start the absent player's clock", "4:53 left"),
        ("nzasp-2022", ("0 press right", "24 out_play"), Menu("press"), "LEFT", "0:02 left"),
    ],
)
def test_where_time_alone_decides_a_grey_row_says_how_long_it_still_does(
    rulebook: str, lines: tuple[str, ...], menu: Menu, row: str, why: str
) -> None:
    history, now = play(rulebook, *lines).history, 27 * NS
    rows = page(menu, history, setup(two_button=False), now).options
    assert next(option.why for option in rows if option.text == row).endswith(f" · {why}")


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        (READY, "Late: start the absent player's clock"),
        (("0 late_start both",), "An absent player has arrived"),
        (RUNNING, "Stop the clock"),
        (STOPPED, "Give or take time"),
        (ADJUDICATION, "Verdict"),
        (OVER, "Next game: same rulebook"),
    ],
)
def test_the_cursor_begins_on_the_common_act_of_the_phase(lines: tuple[str, ...], first: str) -> None:
    assert director(NASPA_2017, *lines).row == first


def test_a_mouse_or_a_finger_takes_the_row_that_it_hits() -> None:
    begun = director(NASPA_2017, *STOPPED)
    hit = hit_row(begun.table, begun.rows.index("Minor infraction"), 30_000 * MS)
    asked = replace(begun, table=hit, now=30_500)
    assert asked.page.title == "Which player? · Minor infraction"
    assert hit_row(hit, 99, 31_000 * MS).menu == hit.menu
    chosen = replace(asked, table=hit_row(hit, 1, 31_000 * MS), now=31_500)
    assert format_event(chosen.take("Do it").table.history.event) == {"do": "infraction", "side": "right"}


def test_giving_time_shows_at_each_amount_for_whom_it_is_and_what_it_comes_to() -> None:
    asked = director(NASPA_2017, *STOPPED).take_all("Give or take time", "LEFT")
    assert [*asked.rows[:3], *asked.rows[-3:]] == ["Back", "+1:00", "+2:00", "Finer", "When does it count? Now", WHY]
    said = {row: asked.move_to(row).page.sentence for row in ("Back", WHY, "+1:00", "+2:00", "-0:30")}
    assert said == {
        **dict.fromkeys(("Back", WHY), "LEFT: 24:56"),
        "+1:00": "LEFT: 24:56 becomes 25:56",
        "+2:00": "LEFT: 24:56 becomes 26:56",
        "-0:30": "LEFT: 24:56 becomes 24:26",
    }
    finer = asked.take_all("Finer", "+1:00", "+0:10", "-0:01").move_to("Back")
    assert finer.page.sentence == "LEFT: 24:56 becomes 26:05"
    assert finer.take("Back").page == asked.page
    # What follows at once stands above the rows.
    short = director(NASPA_2017, "0 adjust left seconds=-1200 when=now reason=x", *RUNNING).take_all("Give or take time", "LEFT")
    assert "LEFT loses" in short.move_to("-15:00").page.said
    at_the_end = asked.take_all("When does it count? Now", "At the end of the game").move_to("+1:00")
    assert at_the_end.page.sentence == "LEFT: 0 becomes +1:00 at the end"


def test_a_finger_on_an_amount_shows_the_change_first_and_a_second_one_makes_it() -> None:
    asked = director(NASPA_2017, *STOPPED).take_all("Give or take time", "RIGHT")
    row = asked.rows.index("+5:00")
    touched = hit_row(asked.table, row, 40_000 * MS)
    assert touched.history is asked.table.history
    assert replace(asked, table=touched).page.sentence == "RIGHT: 25:00 becomes 30:00"
    assert hit_row(touched, row, 41_000 * MS).history.game.accounts.right.allowed == 1800 * NS


def test_above_the_points_to_give_stand_those_that_were_given_and_not_the_time() -> None:
    for lines, sentence in (((), "RIGHT: 0"), (("20 points right points=-10 reason=x",), "RIGHT: -10 points")):
        assert director(NASPA_2017, *STOPPED, *lines).take_all("Give or take points", "RIGHT").move_to("Back").page.sentence == sentence


def test_what_may_be_undone_names_a_players_press_as_one() -> None:
    assert any("Button pressed, RIGHT" in row for row in director(NASPA_2017, "0 press right", "4 neutralise").take("Undo").rows)


def test_a_withdrawal_that_the_rulebook_forbids_is_the_directors_decision_and_the_page_says_so() -> None:
    asked = director("nzasp-2022", *ADJUDICATION).take("Withdraw the challenge")
    assert "The rulebook forbids it to the players: this is your decision" in asked.page.lines
    assert asked.take("Do it").table.history.game.phase.value == "neutral"


def test_on_a_full_board_a_players_button_takes_that_side_and_the_bar_goes_back() -> None:
    begun = director(NASPA_2017, *STOPPED)
    done = begun.take("Minor infraction").press("right").take("Do it")
    assert format_event(done.table.history.event) == {"do": "infraction", "side": "right"}
    back = begun.take("Minor infraction").press("centre")
    assert back.page.title == begun.page.title
    assert back.row == "Minor infraction"


def test_how_long_a_break_is_asks_for_the_rulebooks_length_first_and_for_five_to_ten_minutes() -> None:
    asked = director(NASPA_2017, *OVER).take_all("Start a time frame", "BREAK 10:00")
    assert asked.page.title == "How long? · Start a time frame"
    assert asked.rows == ["10:00", "9:00", "8:00", "7:00", "6:00", "5:00", "Back"]
    assert asked.take("5:00").page.lines[0] == "BREAK, 5:00"


def test_an_absent_players_clock_counts_from_the_call_where_the_rules_say_so() -> None:
    asked = director("nzasp-2022").take_all("Late: start the absent player's clock", "RIGHT")
    assert asked.page.title == "How long ago was the call to start? · Late: start the absent player's clock"
    begun = asked.take_all("3 min ago", "Do it").table.history
    assert begun.game.used_at(Side.RIGHT, begun.at) == 180 * NS
    # The Director starts it, and it counts from there (2017 III.C).
    assert "Do it" in director("naspa-2017").take_all("Late: start the absent player's clock", "RIGHT").rows


COUNTED: dict[tuple[str, ...], tuple[int, int]] = {
    ("Give or take time", "LEFT", "+2:00"): (4, 5),
    ("Give or take time", "RIGHT", "+15:00"): (4, 5),
    ("Give or take time", "RIGHT", "-0:01"): (4, 5),
    ("Give or take points", "LEFT", "-10 points"): (5, 6),
    ("Undo", "3. 0:04 Stop the clock", "Do it"): (5, 6),
    ("Change the rulebook", NZ, "Do it"): (6, 6),
    ("Swap the sides", "Do it"): (4, 4),
    ("End the game", "director-shortened game", "Do it"): (6, 6),
    ("End the game", "resignation", "RIGHT", "Do it"): (7, 8),
}
"""Presses on a full board and on two buttons from the open menu on, in a stop; a held one counts as one."""


@boards
@pytest.mark.parametrize("rows", COUNTED)
def test_an_act_takes_no_more_presses_than_the_contract_says(rows: tuple[str, ...], *, two_button: bool) -> None:
    at, presses = director(NASPA_2017, *STOPPED, two_button=two_button), 0
    for row in rows:
        own_button = row in ("LEFT", "RIGHT") and not two_button
        presses += 1 if own_button or row == at.row else 2
        at = at.press(row.lower()) if own_button else at.take(row)
    assert at.page.said.startswith("Done: ")
    assert presses == COUNTED[rows][two_button]


@boards
def test_a_held_button_moves_on_by_one_row_every_04_s_and_round_once(two_button: bool) -> None:
    begun, button = director(NASPA_2017, *STOPPED, two_button=two_button), "right" if two_button else "down"
    rows, start = begun.rows, begun.page.cursor
    for held, moved in ((590, 1), (610, 2), (1_010, 3), (4_590, 11), (60_000, len(rows))):
        edges = Press(button, begun.now, held).edges(bouncy=False)
        after = replace(begun, table=drive(begun.table, edges, begun.now + held + 500), now=begun.now + held + 500)
        assert after.row == rows[(start + moved) % len(rows)]


COLLINS = "naspa-2017-collins-5"


def test_on_two_buttons_a_stray_press_of_both_takes_nothing_and_after_an_act_one_press_leaves_the_menu() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=True)
    assert (begun.rows[0], begun.row) == ("Leave the menu", "Give or take time")
    assert begun.press("both").press("both").table.history is begun.table.history
    left = begun.take("Leave the menu")
    assert left.table.menu is None
    assert left.table.history is begun.table.history
    done = begun.take_all("Minor infraction", "RIGHT", "Do it")
    assert (done.page.said, done.press("both").table.menu) == ("Done: Minor infraction, RIGHT", None)


def test_without_a_code_the_menu_of_a_two_button_board_says_so_first() -> None:
    history = play("naspa-2017", *STOPPED).history
    warning = "No code is set: anyone can open this menu"
    at_table = setup(two_button=True)
    assert [page(Menu(), history, replace(at_table, code=code), 5).lines for code in (False, True)] == [(warning,), ()]
    assert page(Menu(), history, setup(two_button=False), 5).lines == ()


def test_on_two_buttons_the_way_back_is_the_first_row_of_every_page_and_lands_on_the_action_it_came_from() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=True)
    asked = begun
    for row in ("Give or take time", "LEFT", "Finer", "+1:00", WHY):
        asked = asked.take(row)
        assert asked.rows[0] == "Back"
    while asked.table.menu is not None and asked.table.menu.action is not None:
        asked = replace(asked, table=replace(asked.table, menu=replace(asked.table.menu, cursor=0))).press("both")
    assert asked.row == "Give or take time"


@pytest.mark.parametrize(
    ("two_button", "first"), [(False, ["The times are right: go on"]), (True, ["The times are right: go on", "Leave the menu"])]
)
def test_after_a_power_cut_the_question_of_the_times_comes_before_all_actions(first: list[str], *, two_button: bool) -> None:
    history = play("naspa-2017", *STOPPED).history
    shown = page(Menu(confirms=True), history, setup(two_button=two_button), 5 * NS)
    assert [option.text for option in shown.options[: len(first) + 1]] == [*first, "Stop the clock"]
    # Both buttons, which have just opened the door, confirm nothing if they are pressed once more.
    assert shown.options[shown.cursor].text == first[-1]


def test_no_time_at_all_cannot_be_given() -> None:
    asked = director("naspa-2017", *STOPPED).take_all("Give or take time", "LEFT", "Finer")
    for each in (asked, asked.take_all("+1:00", "-1:00")):
        assert each.why("OK: +0:00") == "no time is chosen yet"
        refused = each.take("OK: +0:00")
        assert (refused.page.said, refused.table.history) == ("Not now: no time is chosen yet", asked.table.history)


def test_the_words_of_a_challenge_are_asked_for_only_where_a_word_earns_points() -> None:
    asked = director(COLLINS, *ADJUDICATION).take_all("Verdict", "ACCEPTABLE")
    assert asked.page.title == "How many words were challenged? · Verdict"
    sure = asked.take("3 words")
    assert "ACCEPTABLE, 3 words" in sure.page.lines
    assert sure.take("Do it").table.history.game.accounts.right.points == 15
    assert director("naspa-2017", *ADJUDICATION).take_all("Verdict", "ACCEPTABLE").rows == ["Back", "Do it"]


def test_rulebooks_are_chosen_by_their_titles_and_a_copy_with_the_same_title_is_told_by_its_name() -> None:
    club = load_rulebook("club")
    at_table = replace(
        setup(two_button=False), rulebooks=(("club", club), ("my-club.toml", club), ("naspa-2017", load_rulebook("naspa-2017")))
    )
    rows = [option.text for option in page(Menu("new_game"), play("club", "0 end reason=x").history, at_table, 5).options]
    assert rows == ["Club rules: club", "Club rules: my-club.toml", load_rulebook("naspa-2017").title, "Back"]


OFF = "Switch the machine off"


def switched_off(*lines: str, two_button: bool = False, offered: bool = True) -> Director:
    begun = director("naspa-2017", *lines, two_button=two_button)
    return replace(begun, table=replace(begun.table, setup=replace(begun.table.setup, power_off=offered)))


@boards
def test_it_is_the_last_row_where_the_machine_can_be_switched_off_and_asked_once_more(*, two_button: bool) -> None:
    begun = switched_off(*STOPPED, two_button=two_button)
    assert begun.rows[-1] == OFF
    assert OFF not in switched_off(*STOPPED, two_button=two_button, offered=False).rows
    asked = begun.take(OFF)
    assert asked.page.title == f"Sure? · {OFF}"
    assert asked.page.lines == ("Nothing is lost: the game comes back stopped",)
    assert asked.rows == ["Back", "Switch off"]
    assert not asked.table.power_off
    sure = asked.take("Switch off")
    assert (sure.table.power_off, sure.table.history is begun.table.history) == (True, True)
    back = asked.take("Back")
    assert back.row == OFF
    assert not back.table.power_off


@pytest.mark.parametrize("lines", [("0 press right",), ("0 press right", "4 hold"), ("0 late_start left",), ("0 late_start both",)])
def test_while_anybodys_time_counts_it_is_grey_also_on_its_page(lines: tuple[str, ...]) -> None:
    refused = switched_off(*lines).take(OFF)
    assert (refused.page.said, refused.page.title) == ("Not now: a clock runs", "DIRECTOR")
    asked = replace(refused, table=replace(refused.table, menu=Menu("power_off")))
    assert asked.why("Switch off") == "a clock runs"
    still = asked.take("Switch off")
    assert (still.page.said, still.table.power_off) == ("Not now: a clock runs", False)


@pytest.mark.parametrize("lines", [(), ("0 press right", "4 end reason=x"), ("0 press right", "4 challenge"), STOPPED])
def test_it_can_be_done_whenever_no_time_counts(lines: tuple[str, ...]) -> None:
    assert switched_off(*lines).take_all(OFF, "Switch off").table.power_off
