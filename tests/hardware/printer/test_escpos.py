import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.printer.escpos import encode
from hardware.printer.slip import Slip, SlipLine
from lexicon.alphabet import alphabets, load_alphabet
from tests.hardware.printer.emulator import Paper

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz0123456789.,:;!?()[]'\"-/ÀÂÄÅÃÇÉÈÊËÍÎÏÑÓÔÖÕÚÛÜÆØßĄĆĘŁŃŚŹŻŐŰ"
LINES = st.builds(SlipLine, st.text(LATIN, max_size=48), st.booleans(), st.booleans(), st.booleans())


def printed(slip: Slip, profile: str = "default", *, cut: bool = True) -> Slip:
    paper = Paper()
    assert paper.feed(encode(slip, profile, cut=cut)) == b""
    assert paper.lines == []
    assert paper.cuts == (cut and profile != "simple")  # that profile has no cutter
    assert len(paper.slips) <= 1
    return paper.slips[0] if paper.slips else ()


def text(given: str, profile: str = "default") -> str:
    return printed((SlipLine(given),), profile)[0].text


@given(st.lists(LINES, max_size=12).map(tuple))
def test_what_is_printed_is_the_slip_every_line_with_its_style(slip: Slip) -> None:
    assert printed(slip) == slip


@pytest.mark.parametrize("name", alphabets())
def test_every_tile_of_every_shipped_alphabet_is_printed_as_it_is(name: str) -> None:
    tiles = " ".join(tile.text for tile in load_alphabet(name).tiles)
    assert text(tiles) == tiles


def test_letters_are_printed_as_the_nearest_that_a_printer_has() -> None:
    assert text(unicodedata.normalize("NFD", "PIÑATA CÔTÉ ŻÓŁĆ")) == "PIÑATA CÔTÉ ŻÓŁĆ"
    assert text("PIÑATA ŁÓDŹ CŒUR RØD À “ÇA” ŻÓŁĆ", "simple") == 'PIÑATA LODZ COEUR ROD A "ÇA" ZOLC'
    assert text("A\x1b@B\x10\x04\x01C\nD\u200bE") == "A?@B???C?D?E"
    assert printed((SlipLine("one"), SlipLine("two")), cut=False) == (SlipLine("one"), SlipLine("two"))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("ǸẼ", "NE"),
        ("ẞ", "SS"),
        ("日", "?"),
        ("é\u0301", "é?"),
        ("5 \N{EN DASH} 6", "5 \N{EN DASH} 6"),
        ("\N{MULTIPLICATION SIGN}", "\N{MULTIPLICATION SIGN}"),
        ("270\u202f163\xa0:", "270 163 :"),
        ("Ω", "Ω"),
    ],
)
def test_a_letter_that_no_code_page_has_is_printed_as_the_nearest(given: str, found: str) -> None:
    assert text(given) == found


@given(st.text())
def test_no_text_gives_the_printer_a_command_or_a_line_of_its_own(anything: str) -> None:
    lines = printed((SlipLine(anything), SlipLine("end", bold=True)))
    assert len(lines) == 2
    assert lines[1] == SlipLine("end", bold=True)
    assert lines[0].text.isprintable()


def test_a_profile_without_a_page_that_is_known_here_is_refused_at_once() -> None:
    with pytest.raises(KeyError, match="AF-240"):
        encode((SlipLine("É"),), "AF-240")
