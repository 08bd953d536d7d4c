"""The questions before the words."""

from __future__ import annotations

from kiosk.challenge.flow import Question
from kiosk.events import (
    Back,
    CallDirector,
    ChooseChallenger,
    ChooseCount,
    ClockRuns,
    ClockStopped,
    Erase,
    NewChallenge,
    Next,
    RepeatIt,
    ShowVerdict,
    ShowWaysOut,
    TypeTile,
)
from kiosk.face.page import Icon, Tone
from rules.side import BySide, Side
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import asked, last_asked, said, shown


def test_first_the_station_asks_whether_the_clock_is_stopped() -> None:
    page = shown(asked(Question.CLOCK))
    assert page.name == "table.clock"
    assert page.title == "Is your clock stopped?"
    assert [target.event for target in page.actions] == [ClockStopped(), ClockRuns(), CallDirector()]
    assert [target.icon for target in page.actions] == [Icon.TICK, Icon.CLOCK, Icon.PERSON]
    assert (page.keys["return"], page.keys["escape"], page.keys["f2"]) == (ClockStopped(), ClockRuns(), CallDirector())


def test_the_table_is_typed_large_on_a_pad_of_digits_or_a_real_keyboard() -> None:
    page = shown(asked(Question.TABLE, digits="12"))
    assert page.name == "table.table"
    assert page.entry == "12"
    assert page.typed
    pad = [[target.event for target in row] for row in page.keyboard]
    assert pad == [
        [TypeTile("1"), TypeTile("2"), TypeTile("3")],
        [TypeTile("4"), TypeTile("5"), TypeTile("6")],
        [TypeTile("7"), TypeTile("8"), TypeTile("9")],
        [Erase(), TypeTile("0"), Next()],
    ]
    assert page.keyboard[3][2].tone is Tone.MAIN
    assert (page.keys["return"], page.keys["backspace"], page.keys["escape"]) == (Next(), Erase(), Back())


def test_before_a_digit_is_typed_the_place_for_it_stands_there() -> None:
    assert shown(asked(Question.TABLE)).entry == ""


def test_who_challenges_is_touched_on_that_players_own_side() -> None:
    page = shown(asked(Question.CHALLENGER, digits="12"))
    assert page.name == "table.challenger"
    assert page.by_side is not None
    assert page.by_side.map(lambda target: target.event) == BySide(ChooseChallenger(Side.LEFT), ChooseChallenger(Side.RIGHT))
    assert page.by_side.map(lambda target: target.icon) == BySide(Icon.LEFT, Icon.RIGHT)
    assert (page.keys["left"], page.keys["right"]) == (ChooseChallenger(Side.LEFT), ChooseChallenger(Side.RIGHT))
    assert page.sides is None


def test_a_table_whose_repeat_is_open_is_asked_which_challenge_it_is() -> None:
    page = shown(last_asked())
    assert (page.name, page.table) == ("table.repeat", "Table 12")
    assert [target.event for target in page.actions] == [RepeatIt(), ShowVerdict(), NewChallenge(), Back(), CallDirector()]
    assert (page.keys["f9"], page.keys["f8"], page.keys["f10"]) == (RepeatIt(), ShowVerdict(), NewChallenge())
    assert page.actions[0].key == "F9"


def test_only_what_a_table_may_do_about_its_last_challenge_is_offered_and_the_verdict_is_not_told_there() -> None:
    without_repeat, without_verdict = shown(last_asked(open=())), shown(last_asked(verdicts=()))
    assert [target.event for target in without_repeat.actions] == [ShowVerdict(), NewChallenge(), Back(), CallDirector()]
    assert without_repeat.lines == ("Its verdict may be shown once more.",)
    assert [target.event for target in without_verdict.actions] == [RepeatIt(), NewChallenge(), Back(), CallDirector()]
    assert without_verdict.lines == ("It may be repeated where a word was mistyped. A new challenge closes it.",)
    assert "ACCEPTABLE" not in said(shown(last_asked()))


def test_one_to_eight_words_may_be_challenged() -> None:
    page = shown(asked(Question.COUNT, digits="12", challenger=Side.LEFT))
    assert page.name == "table.count"
    assert [target.event for row in page.keyboard for target in row] == [ChooseCount(count) for count in range(1, 9)]
    assert [target.text for row in page.keyboard for target in row] == list("12345678")
    assert page.typed


def test_once_the_challenger_is_known_each_side_says_what_its_player_is() -> None:
    assert shown(asked(Question.COUNT, challenger=Side.LEFT)).sides == BySide("CHALLENGER", "CHALLENGED")
    assert shown(asked(Question.COUNT, challenger=Side.RIGHT)).sides == BySide("CHALLENGED", "CHALLENGER")


def test_from_the_number_of_words_on_one_target_last_and_quiet_leads_to_the_ways_out_where_the_rulebook_has_them() -> None:
    actions = shown(asked(Question.COUNT, digits="12", challenger=Side.LEFT)).actions
    assert [target.event for target in actions] == [Back(), CallDirector(), ShowWaysOut()]
    assert [target.tone is Tone.QUIET for target in actions] == [False, False, True]
    elsewhere = asked(Question.COUNT, digits="12", challenger=Side.LEFT, context=context("nzasp-2022"))
    assert [target.event for target in shown(elsewhere).actions] == [Back(), CallDirector()]
