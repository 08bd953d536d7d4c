"""The page on which the challenger types."""

from __future__ import annotations

from typing import Any

import pytest

from game.challenge_log.entry import Kind
from kiosk.challenge.flow import EarlierRow, Flow
from kiosk.events import (
    AddWord,
    Back,
    CallDirector,
    ChooseCount,
    ChooseWord,
    Concede,
    Erase,
    Finish,
    Next,
    RemoveWord,
    ShowWaysOut,
    TypeTile,
    Withdraw,
)
from kiosk.face.page import Tone
from kiosk.face.players import players_page
from kiosk.keyboards import keyboard, layouts
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet
from rules.side import Side
from tests.cells import each_cell
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import NO_WAY_OUT, NOW, WORDS, shown, targets, typing


def undeclared(**changes: Any) -> Flow:
    return typing(count=None).replace(context=context(count_first=False)).replace(**changes)


def test_all_words_are_in_sight_numbered_and_the_one_being_typed_is_marked() -> None:
    page = shown(typing())
    assert page.name == "words"
    assert [(word.number, word.text, word.chosen) for word in page.words] == [(1, "CAT", False), (2, "QI", True)]
    assert page.lines == ("Words challenged: 2",)
    assert page.typed


def test_another_word_is_chosen_by_its_line_or_an_arrow() -> None:
    page = shown(typing())
    first, second = page.words
    assert first.choose is not None
    assert first.choose.event == ChooseWord(0)
    assert second.choose is None
    assert page.keys["up"] == ChooseWord(0)
    assert "down" not in page.keys
    assert shown(typing(chosen=0)).keys["down"] == ChooseWord(1)


def test_the_number_goes_down_first_and_then_the_players_choose_which_word_goes() -> None:
    assert RemoveWord(1) not in [target.event for target in targets(shown(typing()))]
    page = shown(typing(count=1))
    (remove,) = (target for target in page.actions if target.id == "remove")
    assert (remove.text, remove.event, page.keys["delete"]) == ("Remove word 2", RemoveWord(1), RemoveWord(1))
    assert "count.fewer" not in [target.id for target in page.actions]


def test_a_single_word_cannot_be_removed() -> None:
    for flow in (typing(words=WORDS[:1], chosen=0, count=1), undeclared(words=WORDS[:1], chosen=0)):
        page = shown(flow)
        assert "remove" not in [target.id for target in page.actions]
        assert not {"up", "down", "delete"} & set(page.keys)


@pytest.mark.parametrize("layout", layouts())
def test_every_tile_of_the_alphabet_is_a_key_that_acts_when_the_finger_comes_down_and_one_more_erases(layout: str) -> None:
    for cell in each_cell(["english", "spanish", "catalan", "polish", "norwegian"]):
        with cell as alphabet:
            tiles = load_alphabet(alphabet).spelling.tiles
            flow = typing().replace(context=context(alphabet=alphabet))
            pressed = [target for row in players_page(flow, NOW, load_texts(), keyboard(layout, tiles)).keyboard for target in row]
            assert all(target.on_down for target in pressed)
            assert sorted(target.event.tile for target in pressed if isinstance(target.event, TypeTile)) == sorted(tiles)
            assert [target.event for target in pressed if not isinstance(target.event, TypeTile)] == [Erase()]


def test_the_way_on_is_the_next_word_until_all_declared_words_are_typed_and_then_the_check() -> None:
    unfinished = shown(typing(words=(*WORDS[:1], ()), chosen=0))
    assert (unfinished.actions[0].event, unfinished.actions[0].tone, unfinished.keys["return"]) == (Next(), Tone.MAIN, Next())
    finished = shown(typing())
    assert (finished.actions[0].event, finished.actions[0].tone, finished.keys["return"]) == (Finish(), Tone.MAIN, Finish())


def test_the_number_declared_may_be_changed_between_one_and_eight() -> None:
    events = {target.id: target.event for target in targets(shown(typing()))}
    assert (events["count.fewer"], events["count.more"]) == (ChooseCount(1), ChooseCount(3))
    least = {target.id for target in targets(shown(typing(count=1, words=WORDS[:1], chosen=0)))}
    most = {target.id for target in targets(shown(typing(count=8, words=WORDS * 4)))}
    assert "count.fewer" not in least
    assert "count.more" in least
    assert "count.more" not in most
    assert "count.fewer" in most


def test_where_no_number_was_declared_the_check_stands_beside_the_next_word() -> None:
    page = shown(undeclared())
    assert page.lines == ()
    assert [target.event for target in page.actions] == [Next(), Finish(), Back(), RemoveWord(1), CallDirector(), ShowWaysOut()]
    assert (page.actions[0].tone, page.actions[1].tone) == (Tone.MAIN, Tone.PLAIN)
    assert (page.keys["return"], page.keys["f8"], page.keys["delete"]) == (Next(), Finish(), RemoveWord(1))


def test_where_no_number_was_declared_a_word_is_added_from_before_the_last_up_to_eight() -> None:
    page = shown(undeclared(chosen=0))
    assert [target.event for target in page.actions] == [Finish(), AddWord(), Back(), RemoveWord(0), CallDirector(), ShowWaysOut()]
    assert page.keys["f7"] == AddWord()
    assert AddWord() not in [target.event for target in shown(undeclared(words=WORDS * 4, chosen=0)).actions]


def test_where_no_number_was_declared_an_empty_word_or_the_eighth_leads_to_the_check_and_nothing_typed_does_not() -> None:
    after_empty = shown(undeclared(words=(*WORDS, ()), chosen=2))
    eighth = shown(undeclared(words=WORDS * 4, chosen=7))
    nothing = shown(undeclared(words=((),), chosen=0))
    assert [page.keys["return"] for page in (after_empty, eighth, nothing)] == [Finish(), Finish(), Next()]
    assert Finish() not in [target.event for target in nothing.actions]


def test_a_repeat_keeps_its_number_of_words_and_says_what_it_is() -> None:
    page = shown(typing(link=EarlierRow(Kind.REPEAT, 3, 1)))
    assert page.lines == ("Words challenged: 2 · Repeated challenge",)
    assert [target.event for target in page.actions] == [Finish(), Back(), CallDirector(), ShowWaysOut()]
    assert "delete" not in page.keys


def test_a_tile_that_is_kept_in_brackets_is_read_without_them() -> None:
    assert shown(typing(words=(("[A]", "B"), ("CH", "A")))).words[1].text == "CHA"
    assert shown(typing(words=(("[A]", "B"), ("CH", "A")))).words[0].text == "AB"


def test_whatever_the_words_there_are_at_most_six_actions_for_a_small_screen() -> None:
    for count in (1, 4, 8, None):
        for words in (WORDS[:1], WORDS, WORDS * 4, ((),), (*WORDS, ())):
            for chosen in range(len(words)):
                for first in (True, False):
                    flow = typing(count=count, words=words, chosen=chosen, context=context(count_first=first))
                    assert len(shown(flow).actions) <= 6


def test_tab_adjudicates_nothing_while_words_are_typed() -> None:
    assert "tab" not in shown(typing()).keys


def test_where_the_rulebook_has_no_way_out_there_is_no_target_for_it_and_its_keys_say_so() -> None:
    page = shown(typing(NO_WAY_OUT))
    assert ShowWaysOut() not in [target.event for target in page.actions]
    assert [page.keys[key] for key in ("f10", "f3", "f4")] == [Withdraw(), Concede(Side.LEFT), Concede(Side.RIGHT)]
    assert "f9" not in page.keys
