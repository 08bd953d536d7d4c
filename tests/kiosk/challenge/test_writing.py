from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from kiosk import events as ev
from kiosk.challenge.apply import begin
from kiosk.challenge.flow import Flow, Step
from kiosk.challenge.writing import entry, lookup_text, shown_text, tiles_in
from lexicon.alphabet import load_alphabet
from records.entry import Kind
from tests.cells import each_cell
from tests.kiosk.challenge.making import AMBIGUOUS, at_verdict, at_words, context, played


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


TYPE, NEXT, ADD, ERASE, FINISH = ev.Type, ev.Next(), ev.AddWord(), ev.Erase(), ev.Finish()
CAT, CAT_DOG = TYPE("cat"), TYPE("cat dog")
SHORT, FULL, FIXED = {"least": 2}, ("word_full", {"most": 15}), ("repeat_fixed", {"count": 2})
WRITTEN: list[tuple[str, str, tuple[ev.ChallengeEvent, ...], Step, int, str, tuple[str, Mapping[str, str | int]] | None]] = [
    ("the end of a text that is too long is left out", "english", (TYPE(" " * 1_001),), Step.WORDS, 0, "", ("cut", {})),
    ("so are more words than a repeat has", "repeat", (TYPE("cat dog emu"),), Step.WORDS, 1, "CAT DOG", ("left_out", {"count": 2})),
    ("a word of one tile is no word", "english", (TYPE("a"), NEXT), Step.WORDS, 0, "A", ("short", {"word": "A", **SHORT})),
    ("nor is one of one digraph", "spanish", (TYPE("ch"), FINISH), Step.WORDS, 0, "CH", ("short", {"word": "CH", **SHORT})),
    ("a repeat has as many words", "repeat", (CAT, FINISH), Step.WORDS, 1, "CAT,", ("count_differs", {"count": 2, "words": 1})),
    ("then they are shown", "repeat", (CAT, FINISH, TYPE("dog"), FINISH), Step.CHECKING, 0, "CAT DOG", None),
    ("a word left empty is gone back to", "repeat", (ev.ChooseWord(1), CAT, NEXT), Step.WORDS, 0, ",CAT", None),
    ("and typed there", "repeat", (ev.ChooseWord(1), CAT, NEXT, TYPE("dog")), Step.WORDS, 0, "DOG CAT", None),
    ("all words are shown after an empty one", "english", (TYPE("cat dog emu"), NEXT, NEXT), Step.CHECKING, 0, "CAT DOG EMU", None),
    ("a word is removed before this one", "english", (CAT_DOG, ev.RemoveWord(0), TYPE("s")), Step.WORDS, 0, "DOGS", None),
    ("or after it", "english", (CAT_DOG, ev.ChooseWord(0), ev.RemoveWord(1), TYPE("s")), Step.WORDS, 0, "CATS", None),
    (
        "eight words are the most",
        "english",
        (TYPE("cat " * 7 + "cat"), ADD),
        Step.WORDS,
        7,
        "CAT " * 7 + "CAT",
        ("words_full", {"most": 8}),
    ),
    ("and the last leads on", "english", (TYPE("cat " * 7 + "cat"), NEXT), Step.CHECKING, 0, "CAT " * 7 + "CAT", None),
    *(
        ("the next begins empty", "english", (CAT_DOG, ev.ChooseWord(chosen), begun, TYPE("emu")), Step.WORDS, 2, "CAT DOG EMU", None)
        for begun in (NEXT, ADD, TYPE(" "))
        for chosen in (0, 1)
    ),
    ("the last word removed is an empty one", "english", (CAT, ev.RemoveWord(0)), Step.WORDS, 0, "", None),
    ("which cannot be removed", "english", (ev.RemoveWord(0),), Step.WORDS, 0, "", ("nothing_typed", {})),
    ("no word is added after an empty one", "english", (ADD,), Step.WORDS, 0, "", ("word_empty", {})),
    ("nor after a short one", "english", (TYPE("c"), ADD), Step.WORDS, 0, "C", ("short", {"word": "C", **SHORT})),
    ("no words are not shown", "english", (FINISH,), Step.WORDS, 0, "", ("nothing_typed", {})),
    ("empty words do not count", "english", (CAT, ADD, ADD, FINISH), Step.CHECKING, 0, "CAT", None),
    ("an empty word is erased", "english", (CAT, NEXT, ERASE, ERASE), Step.WORDS, 0, "CA", None),
    ("but for one of a repeat", "repeat", (CAT, NEXT, ERASE, ERASE), Step.WORDS, 0, "CA,", None),
    ("a repeat has no more words", "repeat", (CAT_DOG, ADD), Step.WORDS, 1, "CAT DOG", FIXED),
    ("and no fewer", "repeat", (CAT_DOG, ev.RemoveWord(0)), Step.WORDS, 1, "CAT DOG", FIXED),
    ("a notice goes with the next event", "english", (TYPE("4"), TYPE("c")), Step.WORDS, 0, "C", None),
    ("a pasted list ends a repeat", "repeat", (TYPE("cat\r\n\t\tDIG\n"),), Step.CHECKING, 0, "CAT DIG", None),
    ("an i has a dot or none", "turkish", (TYPE("kitap \u0131l\u0131k Ilik"),), Step.WORDS, 2, "KİTAP ILIK ILİK", None),
    (
        "strange characters are left out",
        "english",
        (TYPE("c4-a!é4ŋt\N{COMBINING TILDE}"),),
        Step.WORDS,
        0,
        "CAT",
        ("strange", {"characters": "4 - ! é ŋ U+0303"}),
    ),
    *(
        (
            "what no tiles spell is not shown",
            "catalan",
            (TYPE(word), FINISH),
            Step.WORDS,
            0,
            word.upper(),
            ("unspellable", {"word": word.upper()}),
        )
        for word in ("q", "co·l", "aqo")
    ),
    ("a word has fifteen tiles", "english", (TYPE("A" * 16),), Step.WORDS, 0, "A" * 15, FULL),
    ("and no other", "english", (TYPE("A" * 15), ev.TypeTile("B")), Step.WORDS, 0, "A" * 15, FULL),
]
"""Words by blanks, or by a comma beside an empty one."""


def test_words_are_written_as_the_players_type_them() -> None:
    for cell in each_cell(WRITTEN, lambda case: case[0]):
        with cell as (_, begun, events, step, chosen, words, said):
            flow = played(repeated() if begun == "repeat" else one_word(begun), *events)
            assert (flow.step, flow.chosen) == (step, chosen)
            assert words_of(flow) == (words.split(",") if "," in words else words.split(" "))
            assert (None if flow.notice is None else said_of(flow)) == said
            assert flow.count == (len(flow.words) if step is Step.CHECKING or begun == "repeat" else None)


def test_words_are_added_changed_and_removed_freely_until_the_play_is_adjudicated() -> None:
    typed = (CAT_DOG, ev.ChooseWord(0), ERASE, TYPE("r"), ADD, TYPE("emu"), ev.RemoveWord(1), FINISH)
    flow = played(english(), *typed)
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAR", "EMU"])
    assert played(english(), ERASE) == english()


def test_a_word_judge_writes_a_slip_without_a_lexicon_too() -> None:
    slip = english()
    flow = slip.replace(context=replace(slip.context, spelling=None, lexicon=None))
    flow = played(flow, ev.Type("cat 4ñu"), ev.TypeTile("S"), ev.TypeTile("CH"), ev.Finish())
    assert (flow.step, words_of(flow)) == (Step.CHECKING, ["CAT", "ÑUS"])


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
    for half, tiles in (("aq", 2), ("col·", 3)):
        flow = played(one_word("catalan"), ev.Type(half))
        assert tiles_in(flow.words[0], flow.context.spelling) == tiles
    composed = played(one_word("spanish"), ev.Type("A\N{COMBINING ACUTE ACCENT}n\N{COMBINING TILDE}o"))
    assert [shown_text(word) for word in composed.words] == ["AÑO"]


@pytest.mark.parametrize("typed", ["q" * 5_000, "·" * 5_000, "a b " * 50_000, "ch" * 9_999, "\n" * 100_000, "é\x00 " * 9_999])
def test_a_pasted_text_of_any_length_is_bounded(typed: str) -> None:
    flow = played(at_words(begin(context(alphabet="catalan"))), ev.Type(typed))
    assert len(flow.words) <= 8
    assert all(len(word) <= 60 and tiles_in(word, flow.context.spelling) <= 15 for word in flow.words)


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
