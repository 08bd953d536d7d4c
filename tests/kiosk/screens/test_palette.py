from appliance.display.layout import Shape
from kiosk.face.page import Icon, Tone
from kiosk.screens.brushes import AMBER, BARE_COAT, CHOSEN, COATS, GROUND, LETTER, MIST, NIGHT, SIGNS
from tests.cells import each_cell
from tests.firmware.screens.test_legible import contrast

WORN = [*COATS.values(), LETTER, CHOSEN, BARE_COAT]


def test_every_text_has_a_contrast_of_seven_to_one_on_its_ground_pressed_or_not() -> None:
    for cell in each_cell([*WORN, *(coat.pressed for coat in WORN)]):
        with cell as coat:
            assert contrast(coat.text, coat.field) >= 7
            assert contrast(coat.quiet, coat.field) >= 7


def test_what_is_always_in_sight_and_what_counts_down_can_be_read_too() -> None:
    assert contrast(MIST, NIGHT) >= 7
    assert contrast(AMBER, GROUND) >= 7


def test_good_and_bad_differ_in_lightness_not_in_hue_alone() -> None:
    good, bad = COATS[Tone.GOOD].field, COATS[Tone.BAD].field
    assert contrast(good, bad) >= 4


def test_every_icon_is_a_shape_inside_its_field() -> None:
    for cell in each_cell(Icon):
        with cell as icon:
            shape: Shape = SIGNS[icon]
            points = [point for line in (*shape.lines, *shape.fills) for point in line]
            assert points
            assert all(0 <= x <= 1 and -0.01 <= y <= 1 for x, y in points)
            assert shape.weight > 0
