from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hardware.printer.slip import SlipLine
from kiosk.slip import fitted

LINES = st.builds(SlipLine, st.text("AB cd-.", max_size=120), st.booleans(), st.booleans(), st.booleans())


@given(LINES, st.integers(8, 80))
def test_a_line_fits_the_paper_and_loses_nothing_but_white_space(line: SlipLine, width: int) -> None:
    lines = list(fitted(line, width))
    assert all(len(each.text) * (2 if each.large else 1) <= width for each in lines)
    assert "".join(each.text for each in lines).replace(" ", "") == line.text.replace(" ", "")
    assert {replace(each, text="", large=False) for each in lines} == {replace(line, text="", large=False)}


def test_a_line_is_broken_between_words_and_never_at_a_hyphen() -> None:
    assert [line.text for line in fitted(SlipLine("one two-three four"), 12)] == ["one", "  two-three", "  four"]


def test_a_large_line_has_half_the_room_and_is_small_where_a_word_of_it_is_longer_than_that() -> None:
    assert list(fitted(SlipLine("CAT DOG", large=True, centred=True), 8)) == [
        SlipLine("CAT", large=True, centred=True),
        SlipLine("DOG", large=True, centred=True),
    ]
    assert list(fitted(SlipLine("GIRAFFE", large=True), 8)) == [SlipLine("GIRAFFE")]


def test_an_empty_line_stays_one_line() -> None:
    assert list(fitted(SlipLine("", bold=True), 32)) == [SlipLine("", bold=True)]
