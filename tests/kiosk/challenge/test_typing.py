"""A word as it is typed: its characters become tiles, and what no tile is, or too much, is left out and named."""

from __future__ import annotations

import pytest

from game.challenge_log.entry import Kind, Way
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Step
from kiosk.challenge.writing import entry, lookup_text, shown_text, tiles_in
from kiosk.effects import Judge
from kiosk.events import Adjudicate, ChallengeEvent, Erase, Finish, Type, TypeTile
from lexicon.alphabet import load_alphabet
from tests.cells import each_cell
from tests.kiosk.challenge.making import AMBIGUOUS, S, at_words, context, played, run
from tests.kiosk.challenge.words_typed import english, one_word, said_of, words_of


def test_letters_of_either_case_become_the_alphabets_and_white_space_goes_on_to_the_next_word() -> None:
    assert words_of(played(english(), Type("c"), Type("aT"), Type(" "), Type("dog"))) == ["CAT", "DOG"]


def test_a_pasted_list_with_line_ends_is_all_words_at_once_and_its_end_shows_them_to_both() -> None:
    flow = played(english(3), Type("cat\r\n dog\t\tEMU\n"))
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAT", "DOG", "EMU"])


def test_characters_that_no_tile_has_are_left_out_and_named() -> None:
    flow = played(english(), Type("c4-a!é4ŋt\N{COMBINING TILDE}"))
    assert words_of(flow) == ["CAT", ""]
    assert said_of(flow) == ("strange", {"characters": "4 - ! é ŋ U+0303"})


def test_control_characters_are_nobodys_letters_and_change_nothing() -> None:
    for cell in each_cell(["\x00", "\x1b\x7f", "\x1c", "\u200b", "\ud800", ""]):
        with cell as text:
            flow = played(english(), Type("ca"))
            assert apply(flow, Type(text), flow.touched + S) == (flow, ())
            assert words_of(played(flow, Type(f"{text}t"))) == ["CAT", ""]


def test_the_keys_of_the_screen_are_whole_tiles_and_those_of_no_tile_do_nothing() -> None:
    flow = played(one_word("spanish"), TypeTile("CH"), TypeTile("A"), TypeTile("Ñ"), TypeTile("K"), TypeTile("ch"), TypeTile("7"))
    assert (words_of(flow), [shown_text(word) for word in flow.words]) == (["[CH]AÑ"], ["CHAÑ"])
    assert words_of(played(flow, Erase(), Erase())) == ["[CH]"]


def test_what_a_keyboard_types_for_a_tile_is_taken_and_counted_in_tiles() -> None:
    for cell in each_cell(
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
        ]
    ):
        with cell as (alphabet, typed, tiles):
            flow = played(one_word(alphabet), Type(typed), Finish())
            assert (flow.step, tiles_in(flow.words[0], load_alphabet(alphabet).spelling)) == (Step.CHECKING, tiles)


@pytest.mark.parametrize("typed", ["q", "co·l", "aqo"])
def test_a_word_that_no_tiles_spell_is_not_shown_to_both_and_is_named(typed: str) -> None:
    flow = played(one_word("catalan"), Type(typed), Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("unspellable", {"word": typed.upper()}))


def test_a_word_has_fifteen_tiles_at_most_and_a_sixteenth_is_refused() -> None:
    flow = played(english(), Type("A" * 16))
    assert (words_of(flow)[0], said_of(flow)) == ("A" * 15, ("word_full", {"most": 15}))
    again = played(flow, TypeTile("B"))
    assert (words_of(again), said_of(again)[0]) == (words_of(flow), "word_full")


@pytest.mark.parametrize(("alphabet", "tile"), [("spanish", "LL"), ("spanish", "CH"), ("catalan", "L·L"), ("catalan", "QU")])
def test_the_fifteenth_tile_may_be_one_of_several_letters(alphabet: str, tile: str) -> None:
    keys: list[ChallengeEvent] = [TypeTile(tile)] * 16
    flow = played(one_word(alphabet), *keys)
    assert (len(flow.words[0]), said_of(flow)[0]) == (15, "word_full")
    typed: list[ChallengeEvent] = [Type(letter) for letter in "a" * 14 + tile]
    flow = played(one_word(alphabet), *typed)
    assert tiles_in(flow.words[0], flow.context.spelling) == 15
    assert said_of(played(flow, Type("a")))[0] == "word_full"
    assert played(flow, Finish()).step is Step.CHECKING


@pytest.mark.parametrize("typed", ["q" * 5_000, "·" * 5_000, "a b " * 50_000, "ch" * 9_999, "\n" * 100_000, "é\x00 " * 9_999])
def test_a_pasted_text_of_any_length_is_bounded(typed: str) -> None:
    flow = played(at_words(begin(context(alphabet="catalan", count_first=False))), Type(typed))
    assert len(flow.words) <= 8
    assert all(len(word) <= 60 and tiles_in(word, flow.context.spelling) <= 15 for word in flow.words)


@pytest.mark.parametrize(("alphabet", "typed"), [("spanish", "1"), ("spanish", "3"), ("spanish", "k"), ("english", "é"), ("catalan", "7")])
def test_what_no_tile_of_the_alphabet_can_be_is_refused_at_the_key_and_named(alphabet: str, typed: str) -> None:
    flow = played(one_word(alphabet), Type("x"), Type(typed))
    assert (words_of(flow), said_of(flow)) == (["X"], ("strange", {"characters": typed}))


def test_what_is_typed_for_a_tile_stands_in_the_word_as_that_tile_letter_by_letter_and_pasted() -> None:
    for cell in each_cell(
        [
            ("spanish", "xé", "XE"),
            ("french", "cœur", "COEUR"),
            ("catalan", "col.lega", "COL·LEGA"),
            ("catalan", "co\u0140lega", "COL·LEGA"),
            ("catalan", "aqüífer", "AQUIFER"),
            ("german", "straße", "STRASSE"),
        ]
    ):
        with cell as (alphabet, typed, shown):
            for events in ((Type(typed),), tuple(map(Type, typed))):
                flow = played(one_word(alphabet), *events)
                assert [shown_text(word) for word in flow.words] == [shown]


@pytest.mark.parametrize("events", [(Type("chico"),), (TypeTile("CH"), Type("ico")), (TypeTile("CH"), TypeTile("I"), Type("co"))])
def test_a_word_is_kept_in_one_spelling_whether_its_tiles_were_typed_or_their_keys_pressed(events: tuple[ChallengeEvent, ...]) -> None:
    _, effects = run(one_word("spanish"), *events, Finish(), Adjudicate(Way.TAB))
    (asked,) = (effect for effect in effects if isinstance(effect, Judge))
    assert asked.entry.words == ("CHICO",)


def test_a_word_that_could_be_read_otherwise_keeps_its_brackets_and_one_that_is_not_complete_what_was_typed() -> None:
    words = at_words(begin(context(alphabet=AMBIGUOUS)), count=1)
    for keys, kept in (((TypeTile("A"), TypeTile("B")), "T[A]B"), ((TypeTile("AB"),), "T[AB]")):
        flow = played(words, Type("t"), *keys)
        assert entry(flow, Kind.ABORTED).words == (kept,)
        assert AMBIGUOUS.spelling.codes(kept) == AMBIGUOUS.spelling.codes(lookup_text(flow.words[0]))
    assert entry(played(one_word("catalan"), Type("aq")), Kind.ABORTED).words == ("AQ",)


def test_a_word_that_can_be_laid_in_two_ways_is_named_and_typed_again_by_the_tile_keys() -> None:
    flow = played(at_words(begin(context(alphabet=AMBIGUOUS)), count=1), Type("tab"), Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("ambiguous", {"word": "TAB"}))
    two = played(flow, Erase(), Erase(), TypeTile("A"), TypeTile("B"), Finish())
    assert (two.step, words_of(two), shown_text(two.words[0])) == (Step.CHECKING, ["T[A][B]"], "TAB")
    one = played(flow, Erase(), Erase(), TypeTile("AB"), Finish())
    assert (one.step, words_of(one), shown_text(one.words[0])) == (Step.CHECKING, ["T[AB]"], "TAB")


def test_the_keys_of_letters_that_are_never_laid_for_a_digraph_type_the_digraph() -> None:
    flow = played(one_word("spanish"), TypeTile("C"), TypeTile("H"), TypeTile("A"), Finish())
    assert (flow.step, words_of(flow), tiles_in(flow.words[0], flow.context.spelling)) == (Step.CHECKING, ["CHA"], 2)
