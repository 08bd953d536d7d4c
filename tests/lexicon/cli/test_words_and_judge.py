"""``tilelexicon words`` and ``judge``: the list itself, and one verdict on a play."""

import re
import unicodedata
from pathlib import Path
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cells import each_cell
from tests.lexicon.cli.program import CLUB, PAIR, invoke, lexicon_of, made_up, refusal, run


@pytest.fixture(scope="module")
def anywhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lexicon_of(tmp_path_factory.mktemp("lexicon") / "club.dawg", *CLUB)


def test_words_are_those_of_the_list_in_order(tmp_path: Path) -> None:
    words = made_up(5000, "spanish")
    done = run("words", lexicon_of(tmp_path / "large.dawg", *words, alphabet="spanish"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == words


def test_a_prefix_is_of_whole_tiles(tmp_path: Path, club: Path) -> None:
    assert invoke("words", club, "--prefix", "tile").stdout.split() == ["TILE", "TILED", "TILES"]
    assert invoke("words", club, "--prefix", "x").stdout == ""
    spanish = lexicon_of(tmp_path / "es.dawg", "CHA", "CASA", alphabet="spanish")
    assert invoke("words", spanish, "--prefix", "C").stdout == "CASA\n"
    assert invoke("words", spanish, "--prefix", "CH").stdout == "CHA\n"
    refusal("words", club, "--prefix", "7", found=re.compile("'7'"))


def _judged(path: Path, *play: str) -> tuple[int, str]:
    done = invoke("judge", path, *play)
    assert done.stderr == ""
    return done.exit_code, done.stdout


def test_a_play_is_acceptable_when_all_its_words_are(club: Path) -> None:
    for play in (["TILE"], ["tile", "Za"], list(CLUB), ["ZA"] * 8):
        assert _judged(club, *play) == (0, "ACCEPTABLE\n")


def test_one_word_that_is_none_makes_the_play_unacceptable_and_nothing_tells_which(club: Path) -> None:
    for cell in each_cell(["TILER", "T", "TI", "QQ", "[T]ILER", "Z" * 15]):
        with cell as wrong:
            plays = ([wrong], [wrong, "TILE", "ZA"], ["TILE", wrong, "ZA"], ["TILE", "ZA", wrong], [wrong] * 8)
            assert {_judged(club, "--", *play) for play in plays} == {(1, "UNACCEPTABLE\n")}


def test_every_word_and_every_one_letter_change_is_judged_as_a_set_would(club: Path) -> None:
    letters = [chr(letter) for letter in range(ord("A"), ord("Z") + 1)]
    words = ["TILE", "ZA", "CLOCK"]
    changed = {word[:at] + letter + word[at + 1 :] for word in words for at in range(len(word)) for letter in letters}
    for word in sorted(changed):
        assert _judged(club, word)[0] == (0 if word in CLUB else 1)


NO_WORDS = [
    "T1LE",
    "CAFÉ",
    "TILE ",
    " ",
    "TI LE",
    "TI\tLE",
    "TILE\n",
    "TI\x00LE",
    "\x1b[2J",
    "-za",
    "--",
    "\ud800",
    "[TILE]",
    "Z" * 16,
    "Z" * 100_000,
]


def test_what_is_no_word_is_refused_in_a_sentence_whatever_stands_beside_it_and_never_judged(club: Path) -> None:
    for cell in each_cell(NO_WORDS, lambda text: repr(text[:20])):
        with cell as wrong:
            plays = ([wrong], [wrong, "TILE", "QQ"], ["TILE", wrong], ["QQ", wrong])
            said = {str(refusal("judge", club, "--", *play)) for play in plays}
            assert len(said) == 1, "the sentence would tell of the other words"
            assert "UNACCEPTABLE" not in said.pop()


def test_the_sentence_names_what_is_on_no_tile_or_how_long_it_is(club: Path) -> None:
    refusal("judge", club, "TI LE", found="'TI LE', where ' ' is on no tile")
    expected = "a word of at most 15 tiles, as the board has in a row"
    refusal("judge", club, "Z" * 16, expected=expected, found=re.compile("^16: "))
    refusal("judge", club, "Z" * 100_000, expected=expected, found="100,000 characters")


@given(st.text(st.characters(exclude_characters="[]"), min_size=1, max_size=6) | st.sampled_from(CLUB).map(str.lower))
def test_any_text_is_judged_as_a_set_would_or_is_no_word(anywhere: Path, text: str) -> None:
    capitals = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).upper())
    if set(capitals) <= set(ascii_uppercase) and not set(text) & set("ıſﬀﬁﬂﬃﬄﬅﬆ"):
        assert _judged(anywhere, "--", text)[0] == (0 if capitals in CLUB else 1)
    else:
        assert invoke("judge", anywhere, "--", text).exit_code == 2


@given(st.text(max_size=6))
def test_any_text_is_a_prefix_or_refused(anywhere: Path, text: str) -> None:
    assert invoke("words", anywhere, f"--prefix={text}").exit_code in (0, 2)


def test_a_play_has_one_to_eight_words(club: Path) -> None:
    refusal("judge", club, *["TILE"] * 9, expected=re.compile("at most 8 words"))
    refusal("judge", club, "TILE", "", found="an empty one")
    assert invoke("judge", club).exit_code == 2


def test_a_text_that_can_be_laid_in_two_ways_is_refused_and_says_nothing_of_the_list(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    path = lexicon_of(tmp_path / "pair.dawg", "[AB]", "A", alphabet=str(tmp_path / "pair.toml"))
    said = {
        str(refusal("judge", path, *play, found="[AB] or [A]B")) for play in (["AB"], ["A", "AB"], ["AB", "A"], ["B", "AB"], ["AB", "B"])
    }
    assert len(said) == 1
    assert _judged(path, "[AB]", "A") == (0, "ACCEPTABLE\n")
    assert _judged(path, "[A][B]") == (1, "UNACCEPTABLE\n")
