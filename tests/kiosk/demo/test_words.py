"""The words of the scripted challenges, whatever the list."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.demo.headless import TypedWords, words_of
from lexicon import Lexicon
from lexicon.practice import PRACTICE
from tests.kiosk.lexicons.files import made


def _chosen(path: Path) -> TypedWords | None:
    with Lexicon.open(path) as lexicon:
        return words_of(lexicon)


def test_of_the_practice_list_the_words_are_always_the_same() -> None:
    words = _chosen(PRACTICE)
    assert words is not None
    assert (words.first, words.second) == (tuple("TILE"), tuple("RACKS"))
    assert (words.mistyped, words.meant, words.left) == (tuple("CHALENGE"), tuple("CHALLENGE"), tuple("QI"))


def test_of_a_list_without_them_they_are_its_own_and_the_mistyped_one_is_in_no_list(tmp_path: Path) -> None:
    words = _chosen(made(tmp_path / "es.dawg", ("[CH]ICO", "CASA", "[LL]AVE", "PE[RR]O", "NIÑO"), "spanish"))
    assert words is not None
    assert {words.first, words.second, words.meant} <= {
        ("CH", "I", "C", "O"),
        ("C", "A", "S", "A"),
        ("LL", "A", "V", "E"),
        ("P", "E", "RR", "O"),
        tuple("NIÑO"),
    }
    assert words.mistyped not in {("CH", "I", "C", "O"), ("C", "A", "S", "A"), ("LL", "A", "V", "E"), ("P", "E", "RR", "O"), tuple("NIÑO")}


def test_one_word_is_enough_and_a_letter_is_none(tmp_path: Path) -> None:
    words = _chosen(made(tmp_path / "one.dawg", ("AA",)))
    assert words == TypedWords(("A", "A"), ("A", "A"), ("A", "A", "A"), ("A", "A"), ("A", "A"))
    assert _chosen(made(tmp_path / "letter.dawg", ("A",))) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(of=st.sets(st.text("ABLCH", min_size=1, max_size=6), min_size=1))
def test_what_is_judged_is_in_the_list_but_for_the_mistyped_word(tmp_path: Path, of: set[str]) -> None:
    words = _chosen(made(tmp_path / "list.dawg", tuple(of)))
    if words is None:
        assert all(len(word) < 2 for word in of)
        return
    assert {"".join(each) for each in (words.first, words.second, words.meant)} <= of
    assert "".join(words.mistyped) not in of


@pytest.mark.parametrize("alphabet", ["english", "spanish", "french"])
def test_a_list_of_any_shipped_alphabet_has_some(tmp_path: Path, alphabet: str) -> None:
    assert _chosen(made(tmp_path / "list.dawg", ("CASA", "NO", "SI"), alphabet)) is not None
