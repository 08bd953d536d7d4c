from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from appliance.display.layout import ELLIPSIS, Box, fit, split

LONG = "The adjudicator has to look the words up again, in the other list, because the first was the wrong one"
WORDS = st.lists(st.text(alphabet="abcdefgh WMi", min_size=1, max_size=60), min_size=1, max_size=4)
BOXES = st.builds(Box, st.just(0), st.just(0), st.integers(30, 900), st.integers(14, 300))


def half_as_wide_as_tall(text: str, size: int) -> int:
    return len(text) * size // 2


def test_a_short_text_stands_on_one_line_as_large_as_its_box() -> None:
    fitted = fit(["HOLD"], Box(0, 0, 500, 57), half_as_wide_as_tall)
    assert fitted.lines == ("HOLD",)
    assert fitted.size == 50


def test_a_text_shrinks_before_it_is_wrapped() -> None:
    fitted = fit(["ten letters"], Box(0, 0, 200, 57), half_as_wide_as_tall)
    assert fitted.lines == ("ten letters",)
    assert 31 <= fitted.size < 50


def test_a_text_that_would_be_too_small_on_one_line_is_wrapped() -> None:
    fitted = fit(["the game ends unless it is challenged"], Box(0, 0, 200, 57), half_as_wide_as_tall)
    assert len(fitted.lines) > 1
    assert " ".join(fitted.lines) == "the game ends unless it is challenged"


def test_a_text_without_room_is_cut_with_an_ellipsis() -> None:
    fitted = fit([LONG], Box(0, 0, 120, 24), half_as_wide_as_tall)
    assert fitted.lines[-1].endswith(ELLIPSIS)
    assert LONG.startswith(fitted.lines[0])


def test_a_single_word_wider_than_its_box_is_cut() -> None:
    assert fit(["unpronounceable"], Box(0, 0, 40, 12), half_as_wide_as_tall).lines[0].endswith(ELLIPSIS)


@given(WORDS, BOXES)
def test_no_text_leaves_its_box(texts: list[str], box: Box) -> None:
    fitted = fit(texts, box, half_as_wide_as_tall)
    assert fitted.height <= box.height
    assert all(half_as_wide_as_tall(line, fitted.size) <= box.width for line in fitted.lines)


def test_a_text_on_two_lines_breaks_at_a_pause_where_both_parts_fit() -> None:
    box = Box(0, 0, 250, 40)
    assert fit(["It is me: press your button · back: the bar"], box, half_as_wide_as_tall, one_line=1.0, even=True).lines == (
        "It is me: press your button ·",
        "back: the bar",
    )
    assert fit(["Go to the station. You challenge? Hold it"], box, half_as_wide_as_tall, one_line=1.0, even=True).lines == (
        "Go to the station.",
        "You challenge? Hold it",
    )


def test_a_space_that_does_not_break_and_a_point_between_two_parts_begin_no_line() -> None:
    assert split("Fini\u00a0: relire") == ["Fini\u00a0:", "relire"]
    assert split("128 · 10:48 · table 7") == ["128 ·", "10:48 ·", "table", "7"]
    assert split("· 7") == ["·", "7"]
