"""The words of a play as they are written: how many, which of them, and when they may be shown to both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.challenge.apply import begin
from kiosk.challenge.flow import Notice, Step
from kiosk.events import AddWord, Back, ChallengeEvent, ChooseCount, ChooseWord, Erase, Finish, Mistyped, Next, RemoveWord, Type, TypeTile
from tests.kiosk.challenge.making import at_checking, at_verdict, at_words, context, played
from tests.kiosk.challenge.words_typed import english, one_word, said_of, words_of


def test_the_end_of_a_text_that_is_too_long_is_left_out_and_that_is_said() -> None:
    assert said_of(played(english(), Type(" " * 1_001)))[0] == "cut"


def test_more_pasted_words_than_declared_are_left_out_and_that_is_said() -> None:
    flow = played(english(), Type("cat dog emu"))
    assert (words_of(flow), said_of(flow)) == (["CAT", "DOG"], ("left_out", {"count": 2}))


def test_a_word_of_one_tile_is_no_word() -> None:
    flow = played(english(), Type("a"), Next())
    assert (flow.chosen, said_of(flow)) == (0, ("short", {"word": "A", "least": 2}))
    flow = played(one_word("spanish"), Type("ch"), Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("short", {"word": "CH", "least": 2}))


def test_the_words_are_shown_only_if_their_number_is_the_declared_one_and_both_numbers_are_said() -> None:
    flow = played(english(3), Type("cat dog"), Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("count_differs", {"count": 3, "words": 2}))
    assert played(flow, ChooseCount(2), Finish()).step is Step.CHECKING
    more = played(english(1), Type("cat"), AddWord(), Type("dog"), Finish())
    assert said_of(more) == ("count_differs", {"count": 1, "words": 2})
    assert played(more, ChooseCount(2), Finish()).count == 2


def test_a_word_that_was_left_empty_is_gone_back_to_so_that_nothing_is_typed_on_at_the_end_of_another() -> None:
    flow = played(english(2), ChooseWord(1), Type("cat"), Next())
    assert (flow.chosen, said_of(flow)) == (0, ("count_differs", {"count": 2, "words": 1}))
    assert words_of(played(flow, Type("dog"))) == ["DOG", "CAT"]


def test_where_no_number_was_asked_for_it_becomes_that_of_the_words() -> None:
    flow = played(at_words(begin(context(count_first=False))), Type("cat dog emu"), Next(), Next())
    assert (flow.step, flow.count, words_of(flow)) == (Step.CHECKING, 3, ["CAT", "DOG", "EMU"])


def test_words_are_added_changed_and_removed_freely_until_the_play_is_adjudicated() -> None:
    flow = played(english(), Type("cat dog"), ChooseWord(0), Erase(), Type("r"), AddWord(), Type("emu"), RemoveWord(1), Finish())
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAR", "EMU"])
    flow = played(flow, Back(), ChooseCount(3), AddWord(), RemoveWord(2), Finish())
    assert said_of(flow) == ("count_differs", {"count": 3, "words": 2})
    assert words_of(played(flow, ChooseCount(1))) == ["CAR", "EMU"]


def test_the_word_that_is_being_typed_goes_on_being_typed_when_another_before_or_after_it_is_removed() -> None:
    typing = played(english(3), Type("cat dog emu"), ChooseWord(1))
    assert words_of(played(typing, RemoveWord(0), Type("s"))) == ["DOGS", "EMU"]
    assert words_of(played(typing, RemoveWord(2), Type("s"))) == ["CAT", "DOGS"]


def test_eight_words_are_the_most() -> None:
    flow = played(english(8), AddWord())
    assert (len(flow.words), said_of(flow)) == (8, ("words_full", {"most": 8}))


def test_the_last_word_removed_is_an_empty_one() -> None:
    assert played(english(1), Type("cat"), RemoveWord(0)).words == ((),)


@pytest.mark.parametrize("event", [ChooseWord(2), ChooseWord(-1), RemoveWord(2), RemoveWord(-1), ChooseCount(0), ChooseCount(9)])
def test_a_word_that_is_not_there_cannot_be_chosen_or_removed(event: ChallengeEvent) -> None:
    flow = played(english(), Type("cat"))
    assert played(flow, event) == flow


def test_a_play_may_make_the_same_word_twice() -> None:
    assert at_checking(begin(context()), "CAT", "CAT").step is Step.CHECKING


def test_empty_words_count_as_not_typed_and_none_at_all_is_said() -> None:
    assert said_of(played(english(), Finish()))[0] == "nothing_typed"
    flow = played(english(1), Type("cat"), AddWord(), AddWord(), Finish())
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAT"])


def test_erasing_in_an_empty_word_brings_the_one_before_back() -> None:
    flow = played(english(), Type("cat"), Next(), Erase(), Erase())
    assert (words_of(flow), flow.chosen, len(flow.words)) == (["CA", ""], 0, 2)
    flow = played(at_words(begin(context(count_first=False))), Type("cat"), Next(), Erase())
    assert (words_of(flow), flow.chosen) == (["CAT"], 0)
    assert played(english(), Erase()) == english()


def test_next_goes_on_to_the_next_word_and_after_the_last_shows_them() -> None:
    flow = played(english(), Type("cat"), Next())
    assert flow.chosen == 1
    assert played(flow, Type("dog"), Next()).step is Step.CHECKING


@pytest.mark.parametrize("event", [AddWord(), RemoveWord(0), ChooseCount(1)])
def test_a_repeat_keeps_its_number_of_words(event: ChallengeEvent) -> None:
    repeat = played(at_verdict(begin(context()), "CAT", "DOG"), Mistyped())
    flow = played(repeat, event)
    assert flow.replace(notice=None, touched=0) == repeat.replace(touched=0)
    assert said_of(flow) == ("repeat_fixed", {"count": 2})


def test_a_notice_goes_with_the_next_thing_that_is_done() -> None:
    flow = played(english(), Type("4"))
    assert flow.notice == Notice("notice.strange", (("characters", "4"),))
    assert played(flow, Type("c")).notice is None


def test_a_word_judge_writes_a_slip_without_a_lexicon_too() -> None:
    slip = english()
    flow = slip.replace(context=replace(slip.context, spelling=None, lexicon=None))
    flow = played(flow, Type("cat 4ñu"), TypeTile("S"), TypeTile("CH"), Finish())
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAT", "ÑUS"])
