"""The page on which both players check, and the moment after the key."""

from __future__ import annotations

import pytest

from game.challenge_log.entry import Kind, Way
from kiosk.challenge.flow import EarlierRow, Step
from kiosk.events import Adjudicate, Back, CallDirector, Concede, ShowWaysOut
from kiosk.face.page import Icon, Tone
from rules.side import BySide, Side
from tests.kiosk.face.flows import NO_WAY_OUT, checking, shown, targets


def test_the_words_stand_there_locked_and_numbered_for_both() -> None:
    page = shown(checking())
    assert page.name == "checking"
    assert [(word.number, word.text) for word in page.words] == [(1, "CAT"), (2, "QI")]
    assert all(word.choose is None and word.remove is None and not word.chosen for word in page.words)
    assert not page.typed
    assert page.keyboard == ()
    assert "Check them together: all must be right." in page.lines


@pytest.mark.parametrize(
    ("challenger", "challenged", "said"), [(Side.LEFT, Side.RIGHT, "on the right"), (Side.RIGHT, Side.LEFT, "on the left")]
)
def test_the_adjudication_key_is_the_challenged_players_on_that_players_side(challenger: Side, challenged: Side, said: str) -> None:
    page = shown(checking(challenger=challenger))
    assert page.adjudicate is not None
    side, key = page.adjudicate
    assert side is challenged
    assert (key.event, key.tone) == (Adjudicate(Way.TOUCH), Tone.MAIN)
    assert key.icon is BySide(Icon.LEFT, Icon.RIGHT).of(challenged)
    assert any(said in line and "TAB" in line for line in page.lines)
    assert page.sides == BySide.both("CHALLENGED").replace(challenger, "CHALLENGER")


def test_of_all_keys_only_tab_adjudicates() -> None:
    page = shown(checking())
    assert [name for name, event in page.keys.items() if isinstance(event, Adjudicate)] == ["tab"]
    assert page.keys["tab"] == Adjudicate(Way.TAB)
    assert page.keys["escape"] == Back()


def test_until_then_there_is_a_way_back_a_call_for_the_director_and_the_ways_out_that_the_rulebook_has() -> None:
    events = [target.event for target in shown(checking()).actions]
    assert events == [Back(), CallDirector(), ShowWaysOut()]
    assert [target.event for target in shown(checking(NO_WAY_OUT)).actions] == [Back(), CallDirector()]


def test_a_second_opinion_is_named_and_leaves_nothing_to_withdraw_or_concede() -> None:
    page = shown(checking(link=EarlierRow(Kind.SECOND_OPINION, 3, 0)))
    assert page.lines[0] == "Second opinion"
    assert [target.event for target in page.actions] == [Back(), CallDirector()]


def test_a_repeat_may_still_be_conceded_and_no_more_withdrawn() -> None:
    repeat = checking(link=EarlierRow(Kind.REPEAT, 3, 1))
    assert [target.event for target in shown(repeat).actions] == [Back(), CallDirector(), ShowWaysOut()]
    out = shown(repeat.replace(leaving=True))
    assert [target.event for target in out.actions] == [Back(), CallDirector()]
    assert out.by_side is not None
    assert out.by_side.map(lambda target: target.event) == BySide(Concede(Side.LEFT), Concede(Side.RIGHT))


def test_while_the_words_are_looked_up_nothing_can_be_pressed() -> None:
    page = shown(checking(step=Step.JUDGING))
    assert page.name == "judging"
    assert page.title == "Looking up"
    assert list(targets(page)) == []
    assert not page.keys
    assert not page.typed
    assert page.words == ()
