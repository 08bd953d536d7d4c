"""``tilelexicon diff``: what one edition has that the other has not."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lexicon.cli.lists import changes
from tests.lexicon.cli.program import CLUB, PAIR, invoke, lexicon_of, made_up

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
