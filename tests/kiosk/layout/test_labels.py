from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.display.layout import SMALLEST, Box, lines_height
from kiosk.events import Done
from kiosk.face.page import Icon, Target
from kiosk.layout.grid import Band, heights, room, stack
from kiosk.layout.labels import ABOVE, BARE, BESIDE, common, estimate, largest, size_of
from kiosk.layout.placed import Placed, What

texts = st.text("abcdefgh ABC", min_size=1, max_size=40).filter(lambda text: bool(text.strip()))
boxes = st.builds(Box, st.just(0), st.just(0), st.integers(40, 400), st.integers(30, 200))


def button(text: str, key: str = "", icon: Icon | None = None) -> Target:
    return Target(text, text, Done(), icon, key=key)


@given(texts, boxes, st.sampled_from([BARE, BESIDE, ABOVE]))
def test_a_label_and_its_sign_fit_their_box_in_one_line_or_two(text: str, box: Box, taken: tuple[float, float]) -> None:
    size, lines = largest(text, box, 60, taken, estimate)
    if size > SMALLEST:
        assert len(lines) in {1, 2}
        assert lines_height(len(lines), size) + int(taken[1] * size) <= box.height
        assert max(estimate(line, size) for line in lines) + int(taken[0] * size) <= box.width


@given(texts, boxes)
def test_a_sign_makes_no_label_larger(text: str, box: Box) -> None:
    assert size_of(text, Icon.TICK, box, 60, estimate) <= size_of(text, None, box, 60, estimate)


def test_several_buttons_are_written_in_the_size_of_the_one_with_least_room() -> None:
    box = Box(0, 0, 120, 50)
    short, long = button("Back"), button("Call the director of the tournament")
    assert common([short, long], [box, box], 40, 15, estimate)[0] == common([long], [box], 40, 15, estimate)[0]
    assert common([short], [box], 40, 15, estimate)[0] > common([long], [box], 40, 15, estimate)[0]
    assert common([], [], 40, 15, estimate) == (40, 0)


def test_a_key_is_named_at_the_foot_of_a_high_button_and_beside_the_label_of_a_low_one() -> None:
    keyed = button("Call the director", "F1", Icon.PERSON)
    high, low = Box(0, 0, 260, 90), Box(0, 0, 130, 50)
    assert common([keyed], [high], 24, 15, estimate)[1] == 0
    assert common([keyed], [low], 24, 15, estimate)[1] > estimate("F1", 15)
    assert common([replace(keyed, key="")], [low], 24, 15, estimate)[1] == 0


def seen(what: What) -> Band:
    return Band(lambda box: (Placed(what, box),), 0, 60, 60, least=30)


def test_what_stands_elsewhere_too_goes_first_and_then_eyes_have_the_rest() -> None:
    bands = [seen(What.LINES), replace(seen(What.SIDE), spare=True), Band(room().place, 100, 100, 100)]
    roomy, short = (stack(Box(0, 0, 100, height), bands, 0) for height in (160, 140))
    assert [item.what for item in roomy] == [What.LINES, What.SIDE]
    assert [item.what for item in short] == [What.LINES]
    assert short[0].box.height == 40


def test_fingers_come_first_then_what_can_just_be_read_then_wishes() -> None:
    bands = [Band(room().place, 50, 90, 90), Band(room().place, 0, 60, 60, least=30)]
    assert heights(80, bands, 0) == [50, 30]
    assert heights(115, bands, 0) == [70, 45]
    assert heights(150, bands, 0) == [90, 60]
