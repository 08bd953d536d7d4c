"""The verdict and its time, one for the play at the end of a quantum; and which of the open lexicons judges."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.context import Trouble, TroubleKind
from kiosk.lexicons.loading import Loaded, load
from kiosk.shell.judging import MAX_JITTER_NS, QUANTUM_NS, OpenLexicons, Timing, judge, warm
from lexicon import Lexicon
from lexicon.errors import Ambiguous, Closed
from lexicon.practice import PRACTICE
from tests.errors import with_fields
from tests.kiosk.lexicons.files import cut, made, written_over
from tests.lexicon.making import alphabet, built


class Time:
    """A clock that each look moves on, and each sleep too; the look-up of the words takes ``look_up`` ns."""

    def __init__(self, look_up: int = 0) -> None:
        self.now = 1_000_003
        self._look_up = look_up
        self._looks = 0

    def __call__(self) -> int:
        self._looks += 1
        self.now += self._look_up if self._looks == 2 else 150
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += int(seconds * 1e9) + 70_000


@pytest.mark.parametrize(
    ("words", "acceptable"),
    [
        (("QI", "ZA"), True),
        (("qi", "za"), True),
        (("QI", "ZZ"), False),
        (("ZZ", "QI"), False),
        (("QI", ""), False),
        (("QI", "Ñ"), False),
        (("A" * 16,), False),
        (("A",), False),
    ],
)
def test_a_play_is_acceptable_when_every_word_is_in_the_list(tmp_path: Path, words: Sequence[str], acceptable: bool) -> None:
    with Lexicon.open(made(tmp_path / "a.dawg")) as lexicon:
        assert judge(lexicon, words) is acceptable


@given(look_up=st.integers(1, 3 * QUANTUM_NS), lot=st.integers(0, MAX_JITTER_NS - 1))
def test_however_long_the_look_up_takes_the_verdict_comes_at_the_end_of_a_quantum_and_of_the_lot(look_up: int, lot: int) -> None:
    time, asked = Time(look_up), list[int]()

    def draw(below: int) -> int:
        asked.append(below)
        return lot

    with Lexicon.open(PRACTICE) as lexicon:
        begun = time.now
        judge(lexicon, ("TILE",), Timing(time, time.sleep, draw))
    quanta, beyond = divmod(time.now - begun - lot, QUANTUM_NS)
    assert quanta == 1 + look_up // QUANTUM_NS
    assert beyond < 1000
    assert asked == [MAX_JITTER_NS]


@pytest.mark.parametrize("spoil", [cut, written_over, Path.unlink], ids=["cut", "written over", "removed"])
def test_a_file_spoiled_after_it_was_read_whole_changes_no_verdict(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    loaded = load(made(tmp_path / "a.dawg"))
    assert isinstance(loaded, Loaded)
    spoil(tmp_path / "a.dawg")
    assert judge(loaded.lexicon, ("QI", "ZA")) is True
    assert judge(loaded.lexicon, ("QI", "ZZ")) is False


def test_a_closed_list_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    loaded = load(made(tmp_path / "a.dawg"))
    assert isinstance(loaded, Loaded)
    loaded.close()
    with pytest.raises(Closed, check=with_fields(where=re.compile(re.escape(str(tmp_path))))):
        judge(loaded.lexicon, ("QI",))


def test_a_text_that_can_be_laid_in_two_ways_is_no_word(tmp_path: Path) -> None:
    of = alphabet(("A", "AB", "B"))
    built(tmp_path / "a.dawg", (b"\1\3", b"\2"), of)
    with Lexicon.open(tmp_path / "a.dawg", copied=True) as lexicon:
        with pytest.raises(Ambiguous):
            assert "AB" in lexicon
        assert judge(lexicon, ("AB",)) is False
        assert judge(lexicon, ("A[B]", "[AB]")) is True


def test_a_text_that_can_be_laid_in_two_ways_gets_no_verdict_from_a_closed_list(tmp_path: Path) -> None:
    built(tmp_path / "a.dawg", (b"\1\3", b"\2"), alphabet(("A", "AB", "B")))
    lexicon = Lexicon.open(tmp_path / "a.dawg", copied=True)
    lexicon.close()
    for words in (("AB",), ("A[B]", "AB"), ("AB", "ZZ")):
        with pytest.raises(Closed, check=with_fields(where=re.compile(r"a\.dawg$"), found="a closed one")):
            judge(lexicon, words)
    with pytest.raises(Closed):
        warm(lexicon, ("AB",))


def test_to_warm_a_list_up_asks_for_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    with Lexicon.open(made(tmp_path / "a.dawg", ("CHICA",), "spanish")) as lexicon:
        warm(lexicon)
        assert judge(lexicon, ("CHICA",))


def loaded(path: Path) -> Loaded:
    found = load(path)
    assert isinstance(found, Loaded)
    return found


@pytest.mark.parametrize("spoil", [cut, written_over, Path.unlink], ids=["cut", "written over", "removed"])
def test_a_list_spoiled_between_its_reading_and_its_taking_judges_as_it_was_read(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    found, open_lexicons = loaded(made(tmp_path / "list.dawg")), OpenLexicons()
    spoil(tmp_path / "list.dawg")
    open_lexicons.add(found)
    assert open_lexicons.judge(found.name, ("CAT", "QI")) is True
    assert open_lexicons.judge(found.name, ("CAT", "ZZ")) is False
    open_lexicons.close()


def test_a_list_that_is_not_open_judges_nothing_and_says_so(tmp_path: Path) -> None:
    found, open_lexicons = loaded(made(tmp_path / "list.dawg")), OpenLexicons()
    for name in (None, found.name):
        judged = open_lexicons.judge(name, ("CAT",))
        assert isinstance(judged, Trouble)
        assert judged.trouble_kind is TroubleKind.LEXICON_MISSING
        assert "Choose one at the director's desk" in judged.what.remedy
    open_lexicons.add(found)
    found.close()
    judged = open_lexicons.judge(found.name, ("CAT",))
    assert isinstance(judged, Trouble)
    assert judged.trouble_kind is TroubleKind.LEXICON_MISSING
    assert "found a closed one" in judged.what.problem


def test_of_the_same_list_in_another_file_the_older_is_closed_and_the_newer_judges(tmp_path: Path) -> None:
    older, newer, open_lexicons = loaded(made(tmp_path / "a.dawg")), loaded(made(tmp_path / "b.dawg")), OpenLexicons()
    open_lexicons.add(older)
    open_lexicons.add(newer)
    assert older.lexicon.closed
    assert open_lexicons.judge(older.name, ("CAT", "QI")) is True
    open_lexicons.close()
    assert newer.lexicon.closed
