import pytest
from msgspec.structs import replace

from kiosk import events as ev
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Flow, Notice, Step
from kiosk.challenge.writing import entry, lookup_text, shown_text, tiles_in
from kiosk.effects import Judge
from lexicon.alphabet import load_alphabet
from records.entry import Kind, Way
from tests.cells import each_cell
from tests.kiosk.challenge.making import AMBIGUOUS, S, at_verdict, at_words, context, played, run


def words_of(flow: Flow) -> list[str]:
    return [lookup_text(word) for word in flow.words]


def said_of(flow: Flow) -> tuple[str, dict[str, str | int]]:
    assert flow.notice is not None
    return flow.notice.key.removeprefix("notice."), dict(flow.notice.values)


def english() -> Flow:
    return at_words(begin(context()))


def repeated() -> Flow:
    return played(at_verdict(begin(context()), "CAT", "DOG"), ev.RepeatIt())


def one_word(alphabet: str) -> Flow:
    return at_words(begin(context(alphabet=alphabet)))


def test_the_end_of_a_text_that_is_too_long_is_left_out_and_that_is_said() -> None:
    assert said_of(played(english(), ev.Type(" " * 1_001)))[0] == "cut"


def test_more_pasted_words_than_a_repeat_has_are_left_out_and_that_is_said() -> None:
    flow = played(repeated(), ev.Type("cat dog emu"))
    assert (words_of(flow), said_of(flow)) == (["CAT", "DOG"], ("left_out", {"count": 2}))


def test_a_word_of_one_tile_is_no_word() -> None:
    flow = played(english(), ev.Type("a"), ev.Next())
    assert (flow.chosen, said_of(flow)) == (0, ("short", {"word": "A", "least": 2}))
    flow = played(one_word("spanish"), ev.Type("ch"), ev.Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("short", {"word": "CH", "least": 2}))


def test_the_words_of_a_repeat_are_shown_only_if_they_are_as_many_as_in_the_first_try() -> None:
    flow = played(repeated(), ev.Type("cat"), ev.Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("count_differs", {"count": 2, "words": 1}))
    assert played(flow, ev.Type("dog"), ev.Finish()).step is Step.CHECKING


def test_a_word_that_was_left_empty_is_gone_back_to_so_that_nothing_is_typed_on_at_the_end_of_another() -> None:
    flow = played(repeated(), ev.ChooseWord(1), ev.Type("cat"), ev.Next())
    assert (flow.chosen, flow.notice) == (0, None)
    assert words_of(played(flow, ev.Type("dog"))) == ["DOG", "CAT"]


def test_where_no_number_was_asked_for_it_becomes_that_of_the_words() -> None:
    flow = played(at_words(begin(context())), ev.Type("cat dog emu"), ev.Next(), ev.Next())
    assert (flow.step, flow.count, words_of(flow)) == (Step.CHECKING, 3, ["CAT", "DOG", "EMU"])


def test_words_are_added_changed_and_removed_freely_until_the_play_is_adjudicated() -> None:
    flow = played(
        english(),
        ev.Type("cat dog"),
        ev.ChooseWord(0),
        ev.Erase(),
        ev.Type("r"),
        ev.AddWord(),
        ev.Type("emu"),
        ev.RemoveWord(1),
        ev.Finish(),
    )
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAR", "EMU"])


def test_the_word_that_is_being_typed_goes_on_being_typed_when_another_before_or_after_it_is_removed() -> None:
    typing = played(english(), ev.Type("cat dog emu"), ev.ChooseWord(1))
    assert words_of(played(typing, ev.RemoveWord(0), ev.Type("s"))) == ["DOGS", "EMU"]
    assert words_of(played(typing, ev.RemoveWord(2), ev.Type("s"))) == ["CAT", "DOGS"]


def test_eight_words_are_the_most() -> None:
    flow = played(english(), ev.Type(" ".join(["cat"] * 8)), ev.AddWord())
    assert (len(flow.words), said_of(flow)) == (8, ("words_full", {"most": 8}))
    assert played(flow, ev.Next()).step is Step.CHECKING


@pytest.mark.parametrize("begun", [ev.Next(), ev.AddWord(), ev.Type(" ")])
@pytest.mark.parametrize("chosen", [0, 1])
def test_the_next_word_begins_empty_after_any_word_that_is_chosen(begun: ev.ChallengeEvent, chosen: int) -> None:
    flow = played(english(), ev.Type("cat dog"), ev.ChooseWord(chosen), begun, ev.Type("emu"))
    assert words_of(flow) == ["CAT", "DOG", "EMU"]


def test_the_last_word_removed_is_an_empty_one_which_has_nothing_to_remove() -> None:
    assert played(english(), ev.Type("cat"), ev.RemoveWord(0)).words == ((),)
    assert said_of(played(english(), ev.RemoveWord(0))) == ("nothing_typed", {})


def test_another_word_is_begun_only_after_this_one_is_typed_and_valid() -> None:
    assert said_of(played(english(), ev.AddWord())) == ("word_empty", {})
    assert said_of(played(english(), ev.Type("c"), ev.AddWord())) == ("short", {"word": "C", "least": 2})


@pytest.mark.parametrize("event", [ev.ChooseWord(2), ev.ChooseWord(-1), ev.RemoveWord(2), ev.RemoveWord(-1)])
def test_a_word_that_is_not_there_cannot_be_chosen_or_removed(event: ev.ChallengeEvent) -> None:
    flow = played(english(), ev.Type("cat"))
    assert played(flow, event) == flow


def test_empty_words_count_as_not_typed_and_none_at_all_is_said() -> None:
    assert said_of(played(english(), ev.Finish()))[0] == "nothing_typed"
    flow = played(english(), ev.Type("cat"), ev.AddWord(), ev.AddWord(), ev.Finish())
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAT"])


def test_erasing_in_an_empty_word_brings_the_one_before_back() -> None:
    flow = played(english(), ev.Type("cat"), ev.Next(), ev.Erase(), ev.Erase())
    assert (words_of(flow), flow.chosen) == (["CA"], 0)
    repeat = played(repeated(), ev.Type("cat"), ev.Next(), ev.Erase(), ev.Erase())
    assert (words_of(repeat), repeat.chosen) == (["CA", ""], 0)
    assert played(english(), ev.Erase()) == english()


@pytest.mark.parametrize("event", [ev.AddWord(), ev.RemoveWord(0)])
def test_a_repeat_keeps_its_number_of_words(event: ev.ChallengeEvent) -> None:
    repeat = played(repeated(), ev.Type("cat dog"))
    flow = played(repeat, event)
    assert flow.replace(notice=None, touched=0) == repeat.replace(touched=0)
    assert said_of(flow) == ("repeat_fixed", {"count": 2})


def test_a_notice_goes_with_the_next_thing_that_is_done() -> None:
    flow = played(english(), ev.Type("4"))
    assert flow.notice == Notice("notice.strange", (("characters", "4"),))
    assert played(flow, ev.Type("c")).notice is None


def test_a_word_judge_writes_a_slip_without_a_lexicon_too() -> None:
    slip = english()
    flow = slip.replace(context=replace(slip.context, spelling=None, lexicon=None))
    flow = played(flow, ev.Type("cat 4ñu"), ev.TypeTile("S"), ev.TypeTile("CH"), ev.Finish())
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAT", "ÑUS"])


def test_a_pasted_list_with_line_ends_is_all_words_at_once_and_the_end_of_a_repeats_last_word_shows_them_to_both() -> None:
    flow = played(repeated(), ev.Type("cat\r\n\t\tDIG\n"))
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAT", "DIG"])


def test_an_i_with_a_dot_and_one_without_are_the_tiles_that_turkish_has_for_them() -> None:
    flow = played(one_word("turkish"), ev.Type("kitap \u0131l\u0131k Ilik"))
    assert words_of(flow) == ["KİTAP", "ILIK", "ILİK"]


def test_characters_that_no_tile_has_are_left_out_and_named() -> None:
    flow = played(english(), ev.Type("c4-a!é4ŋt\N{COMBINING TILDE}"))
    assert words_of(flow) == ["CAT"]
    assert said_of(flow) == ("strange", {"characters": "4 - ! é ŋ U+0303"})


def test_control_characters_are_not_letters_and_change_nothing() -> None:
    for cell in each_cell(["\x00", "\x1b\x7f", "\x1c", "\u200b", "\ud800", ""]):
        with cell as text:
            flow = played(english(), ev.Type("ca"))
            assert apply(flow, ev.Type(text), flow.touched + S) == (flow, ())
            assert words_of(played(flow, ev.Type(f"{text}t"))) == ["CAT"]


def test_the_keys_of_the_screen_are_whole_tiles_and_those_of_no_tile_do_nothing() -> None:
    flow = played(
        one_word("spanish"), ev.TypeTile("CH"), ev.TypeTile("A"), ev.TypeTile("Ñ"), ev.TypeTile("K"), ev.TypeTile("ch"), ev.TypeTile("7")
    )
    assert (words_of(flow), [shown_text(word) for word in flow.words]) == (["[CH]AÑ"], ["CHAÑ"])
    assert words_of(played(flow, ev.Erase(), ev.Erase())) == ["[CH]"]


TYPED = [
    ("spanish", "challe", 4, "CHALLE"),
    ("catalan", "co\u0140lega", 6, "COL·LEGA"),
    ("catalan", "col·lega", 6, "COL·LEGA"),
    ("catalan", "col.lega", 6, "COL·LEGA"),
    ("catalan", "any", 2, "ANY"),
    ("french", "cœur", 5, "COEUR"),
    ("german", "sTRaße", 7, "STRASSE"),
    ("greek", "μα\u0390ς", 4, "ΜΑΙΣ"),
]


def test_what_a_keyboard_types_for_a_tile_stands_in_the_word_as_that_tile_letter_by_letter_and_pasted() -> None:
    for cell in each_cell(TYPED):
        with cell as (alphabet, typed, tiles, shown):
            for events in ((ev.Type(typed),), tuple(map(ev.Type, typed))):
                flow = played(one_word(alphabet), *events, ev.Finish())
                assert (flow.step, tiles_in(flow.words[0], load_alphabet(alphabet).spelling)) == (Step.CHECKING, tiles)
                assert [shown_text(word) for word in flow.words] == [shown]
    composed = played(one_word("spanish"), ev.Type("A\N{COMBINING ACUTE ACCENT}n\N{COMBINING TILDE}o"))
    assert [shown_text(word) for word in composed.words] == ["AÑO"]


@pytest.mark.parametrize("typed", ["q", "co·l", "aqo"])
def test_a_word_that_no_tiles_spell_is_not_shown_to_both_and_is_named(typed: str) -> None:
    flow = played(one_word("catalan"), ev.Type(typed), ev.Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("unspellable", {"word": typed.upper()}))


def test_a_word_has_fifteen_tiles_at_most_and_a_sixteenth_is_refused() -> None:
    flow = played(english(), ev.Type("A" * 16))
    assert (words_of(flow)[0], said_of(flow)) == ("A" * 15, ("word_full", {"most": 15}))
    again = played(flow, ev.TypeTile("B"))
    assert (words_of(again), said_of(again)[0]) == (words_of(flow), "word_full")


@pytest.mark.parametrize(("alphabet", "tile"), [("spanish", "LL"), ("spanish", "CH"), ("catalan", "L·L"), ("catalan", "QU")])
def test_the_fifteenth_tile_may_be_one_of_several_letters(alphabet: str, tile: str) -> None:
    keys: list[ev.ChallengeEvent] = [ev.TypeTile(tile)] * 16
    flow = played(one_word(alphabet), *keys)
    assert (len(flow.words[0]), said_of(flow)[0]) == (15, "word_full")
    typed: list[ev.ChallengeEvent] = [ev.Type(letter) for letter in "a" * 14 + tile]
    flow = played(one_word(alphabet), *typed)
    assert tiles_in(flow.words[0], flow.context.spelling) == 15
    assert said_of(played(flow, ev.Type("a")))[0] == "word_full"
    assert played(flow, ev.Finish()).step is Step.CHECKING


@pytest.mark.parametrize("typed", ["q" * 5_000, "·" * 5_000, "a b " * 50_000, "ch" * 9_999, "\n" * 100_000, "é\x00 " * 9_999])
def test_a_pasted_text_of_any_length_is_bounded(typed: str) -> None:
    flow = played(at_words(begin(context(alphabet="catalan"))), ev.Type(typed))
    assert len(flow.words) <= 8
    assert all(len(word) <= 60 and tiles_in(word, flow.context.spelling) <= 15 for word in flow.words)


@pytest.mark.parametrize(
    "events", [(ev.Type("chico"),), (ev.TypeTile("CH"), ev.Type("ico")), (ev.TypeTile("CH"), ev.TypeTile("I"), ev.Type("co"))]
)
def test_a_word_is_kept_in_one_spelling_whether_its_tiles_were_typed_or_their_keys_pressed(events: tuple[ev.ChallengeEvent, ...]) -> None:
    _, effects = run(one_word("spanish"), *events, ev.Finish(), ev.Adjudicate(Way.TAB))
    (asked,) = (effect for effect in effects if isinstance(effect, Judge))
    assert asked.entry.words == ("CHICO",)


def test_a_word_that_could_be_read_otherwise_keeps_its_brackets_and_one_that_is_not_complete_what_was_typed() -> None:
    words = at_words(begin(context(alphabet=AMBIGUOUS)))
    for keys, kept in (((ev.TypeTile("A"), ev.TypeTile("B")), "T[A]B"), ((ev.TypeTile("AB"),), "T[AB]")):
        flow = played(words, ev.Type("t"), *keys)
        assert entry(flow, Kind.ABORTED).words == (kept,)
        assert AMBIGUOUS.spelling.codes(kept) == AMBIGUOUS.spelling.codes(lookup_text(flow.words[0]))
    assert entry(played(one_word("catalan"), ev.Type("aq")), Kind.ABORTED).words == ("AQ",)


def test_a_word_that_can_be_laid_in_two_ways_is_named_and_typed_again_by_the_tile_keys() -> None:
    flow = played(at_words(begin(context(alphabet=AMBIGUOUS))), ev.Type("tab"), ev.Finish())
    assert (flow.step, said_of(flow)) == (Step.WORDS, ("ambiguous", {"word": "TAB"}))
    two = played(flow, ev.Erase(), ev.Erase(), ev.TypeTile("A"), ev.TypeTile("B"), ev.Finish())
    assert (two.step, words_of(two), shown_text(two.words[0])) == (Step.CHECKING, ["T[A][B]"], "TAB")
    one = played(flow, ev.Erase(), ev.Erase(), ev.TypeTile("AB"), ev.Finish())
    assert (one.step, words_of(one), shown_text(one.words[0])) == (Step.CHECKING, ["T[AB]"], "TAB")


def test_letters_typed_for_a_joined_digraph_are_that_tile_and_the_keys_of_its_letters_are_two() -> None:
    typed = played(one_word("croatian"), ev.Type("konj"), ev.Finish())
    assert (typed.step, words_of(typed), tiles_in(typed.words[0], typed.context.spelling)) == (Step.CHECKING, ["KONJ"], 3)
    keys = played(one_word("croatian"), ev.Type("ko"), ev.TypeTile("N"), ev.TypeTile("J"), ev.Finish())
    assert (keys.step, words_of(keys), tiles_in(keys.words[0], keys.context.spelling)) == (Step.CHECKING, ["KO[N][J]"], 4)
    assert entry(keys, Kind.ABORTED).words == ("KO[N]J",)


def test_the_keys_of_letters_that_are_never_laid_for_a_digraph_type_the_digraph() -> None:
    flow = played(one_word("spanish"), ev.TypeTile("C"), ev.TypeTile("H"), ev.TypeTile("A"), ev.Finish())
    assert (flow.step, words_of(flow), tiles_in(flow.words[0], flow.context.spelling)) == (Step.CHECKING, ["CHA"], 2)
