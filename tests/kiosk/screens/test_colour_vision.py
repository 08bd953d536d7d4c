import pytest

from kiosk.face.page import Tone
from kiosk.screens.painter import BARE_COLOURS, CHOSEN, COLOURS, LETTER
from tests.colour_vision import DEFICIENCIES, seen_contrast


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_with_each_colour_vision_deficiency_every_text_is_read_and_the_two_verdicts_differ_in_lightness(deficiency: str) -> None:
    for used in (*COLOURS.values(), LETTER, CHOSEN, BARE_COLOURS):
        for colour in (used.text, used.quiet):
            assert seen_contrast(colour, used.field, deficiency) >= 4.5
    assert seen_contrast(COLOURS[Tone.GOOD].field, COLOURS[Tone.BAD].field, deficiency) >= 3
