"""The words as they are typed: tiles, bounds, slots, and when they may be shown to both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.challenge.apply import apply, begin
from kiosk.challenge.effects import Judge
from kiosk.challenge.entries import entry
from kiosk.challenge.entry import Kind, Way
from kiosk.challenge.events import (
    AddWord,
    Adjudicate,
    Back,
    ChallengeEvent,
    ChooseCount,
    ChooseWord,
    Erase,
    Finish,
    Mistyped,
    Next,
    RemoveWord,
    Type,
    TypeTile,
)
from kiosk.challenge.flow import Flow, Notice, Step
from kiosk.challenge.laid import lookup_text, shown_text, tiles_in
from kiosk.challenge.notices import NOTICES
from lexicon.alphabet import load_alphabet
from tests.kiosk.challenge.making import AMBIGUOUS, S, at_checking, at_verdict, at_words, played, run, standing


def _words(flow: Flow) -> list[str]:
    return [lookup_text(word) for word in flow.words]


def _said(flow: Flow) -> tuple[str, dict[str, str | int]]:
    assert flow.notice is not None
    assert NOTICES[flow.notice.key] == tuple(name for name, _ in flow.notice.values)
    return flow.notice.key.removeprefix("notice."), dict(flow.notice.values)


def _english(count: int = 2) -> Flow:
    return at_words(begin(standing()), count=count)


def _one(alphabet: str) -> Flow:
    return at_words(begin(standing(alphabet=alphabet)), count=1)


def test_letters_of_either_case_become_the_alphabets_and_white_space_goes_on_to_the_next_word() -> None:
    assert _words(played(_english(), Type("c"), Type("aT"), Type(" "), Type("dog"))) == ["CAT", "DOG"]


def test_a_pasted_list_with_line_ends_is_all_words_at_once_and_its_end_shows_them_to_both() -> None:
    flow = played(_english(3), Type("cat\r\n dog\t\tEMU\n"))
    assert (flow.step, _words(flow)) == (Step.CHECKING, ["CAT", "DOG", "EMU"])


def test_characters_that_no_tile_has_are_left_out_and_named() -> None:
    flow = played(_english(), Type("c4-a!é4ŋt\N{COMBINING TILDE}"))
    assert _words(flow) == ["CAT", ""]
    assert _said(flow) == ("strange", {"characters": "4 - ! é ŋ U+0303"})


@pytest.mark.parametrize("text", ["\x00", "\x1b\x7f", "\x1c", "\u200b", "\ud800", ""])
def test_control_characters_are_nobodys_letters_and_change_nothing(text: str) -> None:
    flow = played(_english(), Type("ca"))
    assert apply(flow, Type(text), flow.touched + S) == (flow, ())
    assert _words(played(flow, Type(f"{text}t"))) == ["CAT", ""]


def test_the_keys_of_the_screen_are_whole_tiles_and_those_of_no_tile_do_nothing() -> None:
    flow = played(_one("spanish"), TypeTile("CH"), TypeTile("A"), TypeTile("Ñ"), TypeTile("K"), TypeTile("ch"), TypeTile("7"))
    assert (_words(flow), [shown_text(word) for word in flow.words]) == (["[CH]AÑ"], ["CHAÑ"])
    assert _words(played(flow, Erase(), Erase())) == ["[CH]"]


@pytest.mark.parametrize(
    ("alphabet", "typed", "tiles"),
    [
        ("spanish", "challe", 4),
        ("catalan", "co\u0140lega", 6),
        ("spanish", "perro", 4),
        ("spanish", "ÁRBOL", 5),
        ("spanish", "A\N{COMBINING ACUTE ACCENT}n\N{COMBINING TILDE}o", 3),
        ("catalan", "col·lega", 6),
        ("catalan", "col.lega", 6),
        ("catalan", "any", 2),
        ("german", "straße", 7),
    ],
)
def test_what_a_keyboard_types_for_a_tile_is_taken_and_counted_in_tiles(alphabet: str, typed: str, tiles: int) -> None:
    flow = played(_one(alphabet), Type(typed), Finish())
    assert (flow.step, tiles_in(flow.words[0], load_alphabet(alphabet).spelling)) == (Step.CHECKING, tiles)


@pytest.mark.parametrize("typed", ["q", "co·l", "aqo"])
def test_a_word_that_no_tiles_spell_is_not_shown_to_both_and_is_named(typed: str) -> None:
    flow = played(_one("catalan"), Type(typed), Finish())
    assert (flow.step, _said(flow)) == (Step.WORDS, ("unspellable", {"word": typed.upper()}))


def test_a_word_has_fifteen_tiles_at_most_and_a_sixteenth_is_refused() -> None:
    flow = played(_english(), Type("A" * 16))
    assert (_words(flow)[0], _said(flow)) == ("A" * 15, ("word_full", {"most": 15}))
    again = played(flow, TypeTile("B"))
    assert (_words(again), _said(again)[0]) == (_words(flow), "word_full")


@pytest.mark.parametrize(("alphabet", "tile"), [("spanish", "LL"), ("spanish", "CH"), ("catalan", "L·L"), ("catalan", "QU")])
def test_the_fifteenth_tile_may_be_one_of_several_letters(alphabet: str, tile: str) -> None:
    keys: list[ChallengeEvent] = [TypeTile(tile)] * 16
    flow = played(_one(alphabet), *keys)
    assert (len(flow.words[0]), _said(flow)[0]) == (15, "word_full")
    typed: list[ChallengeEvent] = [Type(letter) for letter in "a" * 14 + tile]
    flow = played(_one(alphabet), *typed)
    assert tiles_in(flow.words[0], flow.standing.spelling) == 15
    assert _said(played(flow, Type("a")))[0] == "word_full"
    assert played(flow, Finish()).step is Step.CHECKING


@pytest.mark.parametrize("typed", ["q" * 5_000, "·" * 5_000, "a b " * 50_000, "ch" * 9_999, "\n" * 100_000, "é\x00 " * 9_999])
def test_a_pasted_text_of_any_length_is_bounded(typed: str) -> None:
    flow = played(at_words(begin(standing(alphabet="catalan", count_first=False))), Type(typed))
    assert len(flow.words) <= 8
    assert all(len(word) <= 60 and tiles_in(word, flow.standing.spelling) <= 15 for word in flow.words)


def test_the_end_of_a_text_that_is_too_long_is_left_out_and_that_is_said() -> None:
    assert _said(played(_english(), Type(" " * 1_001)))[0] == "cut"


def test_more_pasted_words_than_declared_are_left_out_and_that_is_said() -> None:
    flow = played(_english(), Type("cat dog emu"))
    assert (_words(flow), _said(flow)) == (["CAT", "DOG"], ("left_out", {"count": 2}))


def test_a_word_that_can_be_laid_in_two_ways_is_named_and_typed_again_by_the_tile_keys() -> None:
    flow = played(at_words(begin(standing(alphabet=AMBIGUOUS)), count=1), Type("tab"), Finish())
    assert (flow.step, _said(flow)) == (Step.WORDS, ("ambiguous", {"word": "TAB"}))
    two = played(flow, Erase(), Erase(), TypeTile("A"), TypeTile("B"), Finish())
    assert (two.step, _words(two), shown_text(two.words[0])) == (Step.CHECKING, ["T[A][B]"], "TAB")
    one = played(flow, Erase(), Erase(), TypeTile("AB"), Finish())
    assert (one.step, _words(one), shown_text(one.words[0])) == (Step.CHECKING, ["T[AB]"], "TAB")


def test_the_keys_of_letters_that_are_never_laid_for_a_digraph_type_the_digraph() -> None:
    flow = played(_one("spanish"), TypeTile("C"), TypeTile("H"), TypeTile("A"), Finish())
    assert (flow.step, _words(flow), tiles_in(flow.words[0], flow.standing.spelling)) == (Step.CHECKING, ["CHA"], 2)


def test_a_word_of_one_tile_is_no_word() -> None:
    flow = played(_english(), Type("a"), Next())
    assert (flow.chosen, _said(flow)) == (0, ("short", {"word": "A", "least": 2}))
    flow = played(_one("spanish"), Type("ch"), Finish())
    assert (flow.step, _said(flow)) == (Step.WORDS, ("short", {"word": "CH", "least": 2}))


def test_the_words_are_shown_only_if_their_number_is_the_declared_one_and_both_numbers_are_said() -> None:
    flow = played(_english(3), Type("cat dog"), Finish())
    assert (flow.step, _said(flow)) == (Step.WORDS, ("count_differs", {"count": 3, "words": 2}))
    assert played(flow, ChooseCount(2), Finish()).step is Step.CHECKING
    more = played(_english(1), Type("cat"), AddWord(), Type("dog"), Finish())
    assert _said(more) == ("count_differs", {"count": 1, "words": 2})
    assert played(more, ChooseCount(2), Finish()).count == 2


def test_a_word_that_was_left_empty_is_gone_back_to_so_that_nothing_is_typed_on_at_the_end_of_another() -> None:
    flow = played(_english(2), ChooseWord(1), Type("cat"), Next())
    assert (flow.chosen, _said(flow)) == (0, ("count_differs", {"count": 2, "words": 1}))
    assert _words(played(flow, Type("dog"))) == ["DOG", "CAT"]


def test_where_no_number_was_asked_for_it_becomes_that_of_the_words() -> None:
    flow = played(at_words(begin(standing(count_first=False))), Type("cat dog emu"), Next(), Next())
    assert (flow.step, flow.count, _words(flow)) == (Step.CHECKING, 3, ["CAT", "DOG", "EMU"])


def test_words_are_added_changed_and_removed_freely_until_the_play_is_adjudicated() -> None:
    flow = played(_english(), Type("cat dog"), ChooseWord(0), Erase(), Type("r"), AddWord(), Type("emu"), RemoveWord(1), Finish())
    assert (flow.step, _words(flow)) == (Step.CHECKING, ["CAR", "EMU"])
    flow = played(flow, Back(), ChooseCount(3), AddWord(), RemoveWord(2), Finish())
    assert _said(flow) == ("count_differs", {"count": 3, "words": 2})
    assert _words(played(flow, ChooseCount(1))) == ["CAR", "EMU"]


def test_the_word_that_is_being_typed_goes_on_being_typed_when_another_before_or_after_it_is_removed() -> None:
    typing = played(_english(3), Type("cat dog emu"), ChooseWord(1))
    assert _words(played(typing, RemoveWord(0), Type("s"))) == ["DOGS", "EMU"]
    assert _words(played(typing, RemoveWord(2), Type("s"))) == ["CAT", "DOGS"]


def test_eight_words_are_the_most() -> None:
    flow = played(_english(8), AddWord())
    assert (len(flow.words), _said(flow)) == (8, ("words_full", {"most": 8}))


def test_the_last_word_removed_is_an_empty_one() -> None:
    assert played(_english(1), Type("cat"), RemoveWord(0)).words == ((),)


@pytest.mark.parametrize("event", [ChooseWord(2), ChooseWord(-1), RemoveWord(2), RemoveWord(-1), ChooseCount(0), ChooseCount(9)])
def test_a_word_that_is_not_there_cannot_be_chosen_or_removed(event: ChallengeEvent) -> None:
    flow = played(_english(), Type("cat"))
    assert played(flow, event) == flow


def test_a_play_may_make_the_same_word_twice() -> None:
    assert at_checking(begin(standing()), "CAT", "CAT").step is Step.CHECKING


def test_empty_words_count_as_not_typed_and_none_at_all_is_said() -> None:
    assert _said(played(_english(), Finish()))[0] == "nothing_typed"
    flow = played(_english(1), Type("cat"), AddWord(), AddWord(), Finish())
    assert (flow.step, _words(flow)) == (Step.CHECKING, ["CAT"])


def test_erasing_in_an_empty_word_brings_the_one_before_back() -> None:
    flow = played(_english(), Type("cat"), Next(), Erase(), Erase())
    assert (_words(flow), flow.chosen, len(flow.words)) == (["CA", ""], 0, 2)
    flow = played(at_words(begin(standing(count_first=False))), Type("cat"), Next(), Erase())
    assert (_words(flow), flow.chosen) == (["CAT"], 0)
    assert played(_english(), Erase()) == _english()


def test_next_goes_on_to_the_next_word_and_after_the_last_shows_them() -> None:
    flow = played(_english(), Type("cat"), Next())
    assert flow.chosen == 1
    assert played(flow, Type("dog"), Next()).step is Step.CHECKING


@pytest.mark.parametrize("event", [AddWord(), RemoveWord(0), ChooseCount(1)])
def test_a_repeat_keeps_its_number_of_words(event: ChallengeEvent) -> None:
    repeat = played(at_verdict(begin(standing()), "CAT", "DOG"), Mistyped())
    flow = played(repeat, event)
    assert flow.but(notice=None, touched=0) == repeat.but(touched=0)
    assert _said(flow) == ("repeat_fixed", {"count": 2})


def test_a_notice_goes_with_the_next_thing_that_is_done() -> None:
    flow = played(_english(), Type("4"))
    assert flow.notice == Notice("notice.strange", (("characters", "4"),))
    assert played(flow, Type("c")).notice is None


def test_a_word_judge_writes_a_slip_without_a_lexicon_too() -> None:
    slip = _english()
    flow = slip.but(standing=replace(slip.standing, spelling=None, lexicon=None))
    flow = played(flow, Type("cat 4ñu"), TypeTile("S"), TypeTile("CH"), Finish())
    assert (flow.step, _words(flow)) == (Step.CHECKING, ["CAT", "ÑUS"])


@pytest.mark.parametrize(("alphabet", "typed"), [("spanish", "1"), ("spanish", "3"), ("spanish", "k"), ("english", "é"), ("catalan", "7")])
def test_what_no_tile_of_the_alphabet_can_be_is_refused_at_the_key_and_named(alphabet: str, typed: str) -> None:
    flow = played(_one(alphabet), Type("x"), Type(typed))
    assert (_words(flow), _said(flow)) == (["X"], ("strange", {"characters": typed}))


@pytest.mark.parametrize(
    ("alphabet", "typed", "shown"),
    [
        ("spanish", "xé", "XE"),
        ("french", "cœur", "COEUR"),
        ("catalan", "col.lega", "COL·LEGA"),
        ("catalan", "co\u0140lega", "COL·LEGA"),
        ("catalan", "aqüífer", "AQUIFER"),
        ("german", "straße", "STRASSE"),
    ],
)
def test_what_is_typed_for_a_tile_stands_in_the_word_as_that_tile_letter_by_letter_and_pasted(
    alphabet: str, typed: str, shown: str
) -> None:
    for events in ((Type(typed),), tuple(map(Type, typed))):
        flow = played(_one(alphabet), *events)
        assert [shown_text(word) for word in flow.words] == [shown]


@pytest.mark.parametrize("events", [(Type("chico"),), (TypeTile("CH"), Type("ico")), (TypeTile("CH"), TypeTile("I"), Type("co"))])
def test_a_word_is_kept_in_one_spelling_whether_its_tiles_were_typed_or_their_keys_pressed(events: tuple[ChallengeEvent, ...]) -> None:
    _, effects = run(_one("spanish"), *events, Finish(), Adjudicate(Way.TAB))
    (asked,) = (effect for effect in effects if isinstance(effect, Judge))
    assert asked.entry.words == ("CHICO",)


def test_a_word_that_could_be_read_otherwise_keeps_its_brackets_and_one_that_is_not_complete_what_was_typed() -> None:
    words = at_words(begin(standing(alphabet=AMBIGUOUS)), count=1)
    for keys, kept in (((TypeTile("A"), TypeTile("B")), "T[A]B"), ((TypeTile("AB"),), "T[AB]")):
        flow = played(words, Type("t"), *keys)
        assert entry(flow, Kind.ABORTED).words == (kept,)
        assert AMBIGUOUS.spelling.codes(kept) == AMBIGUOUS.spelling.codes(lookup_text(flow.words[0]))
    assert entry(played(_one("catalan"), Type("aq")), Kind.ABORTED).words == ("AQ",)
