"""The verdict and its time: one for the play, at the end of a quantum, whatever the words are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.lexicons.shelf import Loaded, load
from kiosk.shell.judging import LOT_NS, QUANTUM_NS, Timing, judge, warm
from lexicon import Lexicon
from lexicon.errors import Damaged
from lexicon.practice import PRACTICE
from tests.kiosk.lexicons.files import cut, made, written_over


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


@given(look_up=st.integers(1, 3 * QUANTUM_NS), lot=st.integers(0, LOT_NS - 1))
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
    assert asked == [LOT_NS]


def test_the_spoiled_file_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    for name, spoil in (("a", cut), ("b", written_over)):
        path = made(tmp_path / f"{name}.dawg")
        loaded = load(path)
        assert isinstance(loaded, Loaded)
        spoil(path)
        with pytest.raises(Damaged, match=str(path)):
            judge(loaded.lexicon, ("QI",))


def test_to_warm_a_list_up_asks_for_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    with Lexicon.open(made(tmp_path / "a.dawg", ("CHICA",), "spanish")) as lexicon:
        warm(lexicon)
        assert judge(lexicon, ("CHICA",))
