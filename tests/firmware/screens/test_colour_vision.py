from itertools import product

import pytest

from firmware.screens.digits import RUNNING, STOPPED
from firmware.screens.layout import Room
from firmware.screens.paint_half import HalfView, pointer
from firmware.screens.scribe import AMBER, EMBER, GROUND, INK, IVORY, MIST, half_colours
from game.game import Phase
from tests.colour_vision import DEFICIENCIES, seen_contrast
from tests.firmware.screens.faces import FACES

READ, SHAPE = 4.5, 3.0
"""The least contrast of text, and of shapes and areas (WCAG 2, AA)."""


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_with_each_colour_vision_deficiency_all_words_and_digits_of_a_half_are_read(deficiency: str) -> None:
    for runs, overtime in product((False, True), repeat=2):
        used = half_colours(runs=runs, overtime=overtime)
        for colour in (used.digits, used.words, used.quiet, used.accent):
            assert seen_contrast(colour, used.panel, deficiency) >= READ
        assert seen_contrast(used.chip_words, used.chip, deficiency) >= READ
    strip = ((IVORY, GROUND), (MIST, GROUND), (AMBER, GROUND), (EMBER, GROUND), (INK, AMBER), (INK, EMBER))
    assert min(seen_contrast(*each, deficiency) for each in strip) >= READ


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_with_each_colour_vision_deficiency_the_half_that_runs_is_the_light_one(deficiency: str) -> None:
    for runs, waits in product((False, True), repeat=2):
        panels = (half_colours(runs=True, overtime=runs).panel, half_colours(runs=False, overtime=waits).panel)
        assert seen_contrast(*panels, deficiency) >= SHAPE


def test_overtime_is_a_sign_before_the_reading_and_which_half_runs_a_shape_besides_their_colours() -> None:
    halves = [(face, half) for face in FACES.values() for _, half in face.halves.items()]
    assert {half.overtime for _, half in halves} == {False, True}
    for face, half in halves:
        assert not half.overtime or half.reading.startswith("-")
        shape = pointer(HalfView(half, face.phase, None, (), Room.LARGE))
        assert (shape is RUNNING) is half.runs
        assert face.phase is not Phase.NEUTRAL or shape is STOPPED
