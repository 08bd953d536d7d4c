from appliance.display.layout import Colour, Shape
from kiosk.face.page import Icon, Tone
from kiosk.screens.brushes import AMBER, BARE_COAT, CHOSEN, COATS, GROUND, LETTER, MIST, NIGHT, SIGNS
from tests.cells import each_cell

WORN = [*COATS.values(), LETTER, CHOSEN, BARE_COAT]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1.0 to 21.0, as defined by WCAG 2.1."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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
