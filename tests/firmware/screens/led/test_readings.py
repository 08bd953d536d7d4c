"""No reading on four digits can be taken for another: each one from 99:59 to -99:59 is looked at, from both sides and with every row of lights dead."""

from functools import cache

import pytest
from msgspec import Struct
from msgspec.structs import replace

from firmware.face.value import WindowFace
from firmware.screens.led import FOOT, LETTERS, WORDS, reading_lit, window_lit
from hardware.led.picture import A, B, C, D, E, F, G, Lit, cells, lit
from rules.duration import NS, reading
from tests.firmware.screens.led.reading_off import read_off, signs

FURTHEST = 99 * 60 + 59


@cache
def both_halves() -> dict[tuple[str, bool], Lit]:
    readings = [*(reading(seconds * NS) for seconds in range(-FURTHEST, FURTHEST + 1)), reading(-1)]
    return {(each, colon): reading_lit(each, colon=colon) for each in readings for colon in (True, False)}


@cache
def by_picture() -> dict[Lit, str]:
    return {each: said for (said, _), each in both_halves().items()}


def test_every_reading_has_a_picture_of_its_own_in_both_halves_of_the_second_and_is_read_off_it() -> None:
    assert len(both_halves()) == len(set(both_halves().values())) == 24_000
    assert all(read_off(each) == said for (said, _), each in both_halves().items())


@cache
def others() -> frozenset[Lit]:
    faces = (WindowFace(name, "", reading(seconds * NS), "", expired=False) for name in LETTERS for seconds in range(100 * 60))
    windows = (window_lit(face, colon=colon) for face in faces for colon in (True, False))
    return frozenset((*windows, *(lit(cells(word)) for word in WORDS)))


def test_no_reading_looks_like_a_time_frame_or_a_word() -> None:
    assert others().isdisjoint(both_halves().values())
    assert not any(other.points & FOOT for other in others())


# --- seen from the wrong side


class Look(Struct, frozen=True, dict=True):
    digits: tuple[int, ...]
    bottoms: frozenset[int]
    """Dots at the foot, by the digit on whose right they are, from 1."""
    tops: frozenset[int]
    colon: bool


def _plain(digit: int) -> int:
    """A stroke on the left is seen as a 1, as one on the right is."""
    return B | C if digit == E | F else digit


def look(shown: Lit) -> Look:
    bottoms = frozenset(digit for digit in range(1, 5) if shown.points >> (digit - 1) & 1)
    return Look(tuple(_plain(digit) for digit in shown.digits), bottoms, frozenset({3} if shown.apostrophe else ()), shown.colon)


_OPPOSITE = {A: D, B: E, C: F, D: A, E: B, F: C, G: G}


def upside_down(seen: Look) -> Look:
    digits = tuple(_plain(sum(_OPPOSITE[bit] for bit in _OPPOSITE if digit & bit)) for digit in reversed(seen.digits))
    return Look(digits, frozenset(4 - top for top in seen.tops), frozenset(4 - bottom for bottom in seen.bottoms), seen.colon)


def test_no_reading_looks_like_anything_else_from_the_wrong_side() -> None:
    readings = {look(each) for each in both_halves().values()}
    rest = {look(each) for each in others()}
    assert (readings | rest).isdisjoint({upside_down(each) for each in readings})
    assert readings.isdisjoint({upside_down(each) for each in rest})


def test_without_the_foot_some_would() -> None:
    bare = {upside_down(replace(look(each), bottoms=frozenset())) for each in both_halves().values()}
    assert replace(look(reading_lit("15:21")), bottoms=frozenset()) in bare


# --- with a row of lights dead: the segment of that name in all four digits, all points, the colon or the apostrophe


def without(shown: Lit, row: str) -> Lit:
    if row == "points":
        return replace(shown, points=0)
    if row in ("colon", "apostrophe"):
        return replace(shown, colon=shown.colon and row != "colon", apostrophe=shown.apostrophe and row != "apostrophe")
    first, second, third, fourth = (digit & ~(1 << "ABCDEFG".index(row)) for digit in shown.digits)
    return replace(shown, digits=(first, second, third, fourth))


ROWS = (*"ABCDEFG", "points", "colon", "apostrophe")


INEVITABLE = {"B": {"86", "95"}, "E": {"65", "89"}, "F": {"93"}, "G": {"80"}}
"""The numerals that become another one where a segment is dead, as on any display of seven."""


@pytest.mark.parametrize("row", ["", *"ABCDEFG", "colon", "points"])
def test_without_an_apostrophe_only_dead_points_make_overtime_look_like_time_that_is_left_and_both_lack_the_foot(row: str) -> None:
    seen: dict[Lit, set[bool]] = {}
    for each, said in by_picture().items():
        bare = replace(each, apostrophe=False)
        seen.setdefault(without(bare, row) if row else bare, set()).add(said.startswith("-"))
    both = [shown for shown, signs in seen.items() if len(signs) == 2]
    assert bool(both) is (row == "points")
    assert not any(shown.points & FOOT for shown in both)


@pytest.mark.parametrize("row", ROWS)
def test_with_a_row_dead_no_overtime_looks_like_time_that_is_left_nor_a_numeral_like_another_unless_inevitable(row: str) -> None:
    seen: dict[Lit, set[bool]] = {}
    made = set()
    for each, said in by_picture().items():
        below, dimmed = said.startswith("-"), without(each, row)
        seen.setdefault(dimmed, set()).add(below)
        taken_for = by_picture().get(dimmed)
        assert taken_for is None or taken_for.startswith("-") is below
        if taken_for not in (None, said):
            made |= {was + now for was, now in zip(signs(each), signs(dimmed), strict=True) if was != now}
    assert all(len(signs) == 1 for signs in seen.values())
    assert made == INEVITABLE.get(row, set())


# --- the pictures themselves


@pytest.mark.parametrize(
    ("said", "digits"), [("100:00", "1H40"), ("599:59", "9H59"), ("600:00", "HHHH"), ("-100:00", "1H40"), ("-6000:00", "HHHH")]
)
def test_what_the_director_makes_longer_still_is_hours_and_never_a_wrong_reading(said: str, digits: str) -> None:
    for colon in (True, False):
        shown = reading_lit(said, colon=colon)
        assert signs(shown) == (digits if colon else digits.replace("H", " "))
        assert not shown.colon
        assert shown.apostrophe is said.startswith("-")
        assert shown not in by_picture()
