"""``tilelexicon convert`` and ``diff``."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.alphabet import load_alphabet
from lexicon.cli.lists import changes
from lexicon.dawg import minimal
from lexicon.errors import BadLines
from lexicon.formats import kwg
from tests.lexicon.cli.program import CLUB, PAIR, invoke, lexicon_of, made_up, refusal, run, text_of

LEXICON, TEXT = "a Tileclock lexicon", "a text"


def _converted(source: Path, to: Path, kind: str, *more: str) -> list[str]:
    done = invoke("convert", source, to, "--to", kind, *more)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.splitlines()


def _words(path: Path) -> list[str]:
    return invoke("words", path).stdout.splitlines()


@pytest.mark.parametrize("alphabet", ["english", "spanish", "polish"])
@pytest.mark.parametrize("kind", ["text", "kwg", "quackle", "tileclock"])
def test_a_list_comes_back_from_each_format_as_it_went(tmp_path: Path, kind: str, alphabet: str) -> None:
    # A tile of the highest number, so that a file which does not name its alphabet can be of no smaller one.
    words = made_up(3000, alphabet)
    words = [*words, invoke("alphabets", alphabet).stdout.split("\n\n")[1].splitlines()[-1].split()[1] * 9]
    path = lexicon_of(tmp_path / "club.dawg", *words, alphabet=alphabet)
    _converted(path, tmp_path / "other", kind)
    more = [] if kind == "tileclock" else ["--alphabet", alphabet, "--name", "Club list", "--edition", "2026-01"]
    _converted(tmp_path / "other", tmp_path / "back.dawg", "tileclock", *more)
    assert set(_words(tmp_path / "back.dawg")) == set(words)
    assert (tmp_path / "back.dawg").read_bytes() == path.read_bytes()


def test_zyzzyva_comes_with_its_two_other_files_and_back(tmp_path: Path) -> None:
    words = made_up(3000)
    path = lexicon_of(tmp_path / "club.dawg", *words)
    _converted(path, tmp_path / "club.dwg", "zyzzyva")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["club-Checksums.txt", "club-R.dwg", "club.dawg", "club.dwg"]
    said = _converted(tmp_path / "club.dwg", tmp_path / "club.txt", "text")
    assert (tmp_path / "club.txt").read_text(encoding="ascii").split() == words
    assert any(line.startswith("note: ") and "checksum" in line for line in said)
    refusal("convert", tmp_path / "club-R.dwg", tmp_path / "r.txt", "--to", "text", found=re.compile("reversed"))
    (tmp_path / "club-Checksums.txt").unlink()
    said = _converted(tmp_path / "club.dwg", tmp_path / "club.txt", "text")
    assert any("club-Checksums.txt" in line for line in said)


def test_a_text_is_what_words_prints(tmp_path: Path) -> None:
    path = lexicon_of(tmp_path / "club.dawg", *made_up(3000, "catalan"), alphabet="catalan")
    _converted(path, tmp_path / "club.txt", "text")
    assert (tmp_path / "club.txt").read_bytes() == run("words", path).stdout


def test_it_says_what_was_read_and_written(tmp_path: Path) -> None:
    text = text_of(tmp_path, "TILE", *CLUB, "tile")
    assert _converted(text, tmp_path / "club.dawg", "tileclock", "--name", "Club list") == [
        f"read {text}: {TEXT} in the alphabet english",
        f"wrote {tmp_path}/club.dawg: {LEXICON} of 8 words",
        "note: 2 duplicates left out.",
    ]
    assert _words(tmp_path / "club.dawg") == list(CLUB)


def test_a_lexicon_keeps_its_name_and_its_own_tiles_or_takes_a_new_name(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR.replace('"pair"', '"english"'), encoding="utf-8")
    path = lexicon_of(tmp_path / "pair.dawg", "[AB]", alphabet=str(tmp_path / "pair.toml"))
    _converted(path, tmp_path / "same.dawg", "tileclock")
    assert (tmp_path / "same.dawg").read_bytes() == path.read_bytes()
    _converted(path, tmp_path / "new.dawg", "tileclock", "--name", "New", "--edition", "2027")
    assert invoke("verify", tmp_path / "new.dawg").stdout.startswith("whole: New, 2027, english, 1 word, ")
    assert _words(tmp_path / "new.dawg") == ["[AB]"]


def test_lines_that_cannot_be_laid_refuse_or_are_left_out_and_listed(tmp_path: Path) -> None:
    text = text_of(tmp_path, "T1LE", *CLUB)
    for kind in ("text", "kwg", "zyzzyva", "quackle"):
        error = refusal("convert", text, tmp_path / "out", "--to", kind)
        assert isinstance(error, BadLines)
        assert [line.split(":")[0] for line in error.lines] == ["line 1"]
        assert list(tmp_path.iterdir()) == [text]
    done = invoke("convert", text, tmp_path / "out", "--to", "text", "--skip-invalid")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[1].startswith("line 1: ")
    assert (tmp_path / "out").read_text(encoding="ascii").split() == list(CLUB)


def test_a_list_without_words_is_refused_in_every_format(tmp_path: Path) -> None:
    text = text_of(tmp_path, "", " ")
    for kind in ("text", "kwg", "zyzzyva", "quackle"):
        refusal("convert", text, tmp_path / "out", "--to", kind, expected="words", found="none")
    refusal("convert", text, tmp_path / "out", "--to", "tileclock", "--name", "N", expected="words", found="none")
    assert list(tmp_path.iterdir()) == [text]


def test_options_that_say_nothing_are_refused(tmp_path: Path, club: Path) -> None:
    text = text_of(tmp_path, *CLUB)
    refusal("convert", text, tmp_path / "out", "--to", "tileclock", expected=re.compile("^--name"))
    refusal("convert", text, tmp_path / "out", "--to", "kwg", "--name", "N", remedy=re.compile("Leave them out"))
    refusal("convert", club, tmp_path / "out", "--to", "text", "--alphabet", "english", expected=re.compile("^no --alphabet"))
    assert not (tmp_path / "out").exists()


def test_a_file_that_could_be_of_another_alphabet_needs_from(tmp_path: Path) -> None:
    _converted(text_of(tmp_path, *CLUB[:3]), tmp_path / "club.kwg", "kwg")
    refusal("convert", tmp_path / "club.kwg", tmp_path / "out", "--to", "text", remedy=re.compile("--from kwg"))
    _converted(tmp_path / "club.kwg", tmp_path / "out", "text", "--from", "kwg")
    assert (tmp_path / "out").read_text(encoding="ascii").split() == list(CLUB[:3])


@pytest.mark.parametrize("said", ["kwg", "zyzzyva", "quackle", "quackle0", "tileclock", "text"])
def test_a_file_that_is_not_what_from_says_is_refused(tmp_path: Path, said: str) -> None:
    (tmp_path / "noise").write_bytes(bytes(range(255)))
    noise = tmp_path / "noise"
    refusal("convert", noise, tmp_path / "out", "--from", said, "--to", "quackle", where=re.compile(re.escape(str(noise))))
    assert not (tmp_path / "out").exists()


def test_the_source_is_never_what_is_written(tmp_path: Path, club: Path) -> None:
    before = club.read_bytes()
    for to in (club, tmp_path / "." / "club.dawg"):
        refusal("convert", club, to, "--to", "text", found=re.compile("^the same"))
    beside = text_of(tmp_path, *CLUB, name="new-Checksums.txt")
    refusal("convert", beside, tmp_path / "new.dwg", "--to", "zyzzyva", found=re.compile("^the same"))
    assert beside.read_text(encoding="ascii").split() == list(CLUB)
    assert club.read_bytes() == before


def test_letters_that_a_format_cannot_hold_are_refused(tmp_path: Path) -> None:
    path = lexicon_of(tmp_path / "es.dawg", "CHA", alphabet="spanish")
    refusal("convert", path, tmp_path / "es.dwg", "--to", "zyzzyva", expected=re.compile("letters A to Z"))
    assert list(tmp_path.iterdir()) == [path]


def test_a_list_with_a_word_longer_than_the_board_becomes_no_lexicon(tmp_path: Path) -> None:
    error = refusal("convert", text_of(tmp_path, "TILE", "UNEXCEPTIONABLES"), tmp_path / "x.dawg", "--to", "tileclock", "--name", "X")
    assert isinstance(error, BadLines)
    assert [line.split(": ")[:2] for line in error.lines] == [["line 2", "'UNEXCEPTIONABLES'"]]
    (tmp_path / "long.kwg").write_bytes(kwg.write(minimal(map(load_alphabet("english").spelling.codes, ("UNEXCEPTIONABLES", "ZA")))))
    options = ("--to", "tileclock", "--name", "X", "--alphabet", "english")
    expected = "words of at most 15 tiles, as the board has in a row"
    refusal("convert", tmp_path / "long.kwg", tmp_path / "x.dawg", *options, expected=expected, found="16: UNEXCEPTIONABLES")
    assert not (tmp_path / "x.dawg").exists()


LISTS = st.sets(st.binary(max_size=3), max_size=12)


@given(LISTS, LISTS)
def test_changes_are_what_sets_say_in_order(old: set[bytes], new: set[bytes]) -> None:
    found = list(changes(sorted(old), sorted(new)))
    assert [word for _, word in found] == sorted(old ^ new)
    assert {word for mark, word in found if mark == "+"} == new - old
    assert {word for mark, word in found if mark == "-"} == old - new


def test_added_and_removed_words_are_shown_in_order_and_counted(tmp_path: Path, club: Path) -> None:
    new = lexicon_of(tmp_path / "new.dawg", "AB", *CLUB[1:], "ZZ", name="New", edition="2027")
    done = invoke("diff", club, new)
    assert (done.exit_code, done.stdout) == (1, "+ AB\n- BANE\n+ ZZ\n")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("A: Club list, 2026-01, english, 8 words, ")
    assert lines[1].startswith("B: New, 2027, english, 9 words, ")
    assert lines[2:] == ["2 added, 1 removed, 7 words in both"]


def test_large_lists_differ_as_sets_do(tmp_path: Path) -> None:
    words = made_up(6000)
    old, new = set(words[::2]) | set(words[:1000]), set(words[1::2]) | set(words[-1000:])
    done = invoke("diff", lexicon_of(tmp_path / "old.dawg", *old), lexicon_of(tmp_path / "new.dawg", *new))
    shown = [tuple(line.split()) for line in done.stdout.splitlines()]
    assert shown == sorted([*(("-", word) for word in old - new), *(("+", word) for word in new - old)], key=lambda each: each[1])


def test_the_same_words_are_the_same_whatever_the_lists_are_called(tmp_path: Path, club: Path) -> None:
    new = lexicon_of(tmp_path / "new.dawg", *CLUB, name="New")
    done = invoke("diff", club, new)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines()[-1] == "0 added, 0 removed, 8 words in both"


def test_a_summary_is_only_the_counts(tmp_path: Path, club: Path) -> None:
    done = invoke("diff", "--summary", club, lexicon_of(tmp_path / "new.dawg", *CLUB[2:]))
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1] == "0 added, 2 removed, 6 words in both"


def test_lists_in_different_alphabets_are_compared_by_how_words_are_written(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    pair = lexicon_of(tmp_path / "pair.dawg", "AA", "BB", alphabet=str(tmp_path / "pair.toml"))
    polish = lexicon_of(tmp_path / "pl.dawg", "ĄĆ", "BA", "ZA", alphabet="polish")
    german = lexicon_of(tmp_path / "de.dawg", "BA", "ZA", "ÄÖ", alphabet="german")
    done = invoke("diff", polish, german)
    assert (done.exit_code, done.stdout) == (1, "+ ÄÖ\n- ĄĆ\n")
    assert "different alphabets" in done.stderr
    assert invoke("diff", pair, polish).exit_code == 1
    english = lexicon_of(tmp_path / "en.dawg", "BA", "ZA")
    same = invoke("diff", english, lexicon_of(tmp_path / "pl2.dawg", "BA", "ZA", alphabet="polish"))
    assert (same.exit_code, same.stdout) == (0, "")
