"""The fake is a module: what its maker's firmware makes of bytes, byte by byte, it makes of them too."""

from __future__ import annotations

import os

from hardware.led.emulator import FakeLed, Panel, drawn
from hardware.led.picture import ALL_LIT, DARK, Lit, cells, lit, whole
from tests.processes import until


def fed(data: bytes, panel: Panel | None = None) -> Panel:
    panel = panel or Panel()
    for _ in panel.feed(data):
        pass
    return panel


def word(text: str) -> Lit:
    return lit(cells(text))


def test_characters_stand_at_the_cursor_which_goes_on_and_round() -> None:
    assert fed(b"v12Ab").lit == word("12Ab")
    assert fed(b"v12Ab9").lit == word("92Ab")
    assert fed(b"\x76\x01\x02\x0a\x0b").lit == word("12Ab")


def test_the_cursor_is_put_and_a_place_beyond_the_digits_is_nowhere() -> None:
    assert fed(b"v\x79\x027").lit == word("  7 ")
    assert fed(b"v1\x79\x047").lit == word("17  ")


def test_a_blank_is_a_character() -> None:
    assert fed(b"v12\x78\x20").lit == word("12  ")


def test_a_digits_own_segments_leave_the_cursor_where_it_is() -> None:
    assert fed(b"v12\x7d\x48C").lit.digits == word("12C ").digits
    assert fed(b"v12\x7e\x49").lit.digits[3] == 0x49


def test_points_colon_and_apostrophe_are_bits_of_one_byte() -> None:
    assert fed(b"v\x77\x3f").lit == Lit(points=0b1111, colon=True, apostrophe=True)
    assert fed(b"v\x77\x3f\x77\x10").lit == Lit(colon=True)


def test_clear_takes_everything_and_puts_the_cursor_to_the_left() -> None:
    assert fed(whole(ALL_LIT) + b"v").lit == DARK
    assert fed(b"v12v3").lit == word("3   ")


def test_brightness_outlives_a_loss_of_power_and_nothing_else_does() -> None:
    panel = fed(b"\x7a\x28" + whole(ALL_LIT))
    panel.power_up()
    assert (panel.brightness, panel.lit) == (40, word("1234"))
    assert panel.eeprom_writes == 1


def test_a_command_that_lost_power_has_no_argument_any_more() -> None:
    panel = fed(b"v\x7b")
    panel.power_up()
    assert fed(b"v8", panel).lit == word("8   ")


def test_a_change_of_speed_is_counted() -> None:
    assert fed(b"\x7f\x04").speed_changes == 1


def test_the_makers_reset_sets_the_brightness_back() -> None:
    assert fed(b"\x7a\x05\x81\x00").brightness == 100


def test_a_fake_on_a_pseudo_terminal_shows_what_is_written_to_it_and_can_be_without_power() -> None:
    with FakeLed() as fake:
        near = os.open(fake.port, os.O_WRONLY | os.O_NOCTTY)
        try:
            os.write(near, whole(ALL_LIT))
            assert fake.shows(lambda lit: lit == ALL_LIT)
            assert fake.lit == ALL_LIT
            fake.power(on=False)
            os.write(near, b"v")
            until(lambda: fake.received_bytes == 13, "the byte")
            assert not fake.shows(lambda lit: lit == DARK, within_s=0.1)
            fake.power(on=True)
            assert fake.lit == word("1234")
        finally:
            os.close(near)


def test_what_is_lit_is_drawn_in_letters() -> None:
    assert drawn(ALL_LIT).split("\n") == [
        " _   _     _ ' _",
        "|_| |_| o |_| |_|",
        "|_|.|_|.o |_|.|_|.",
    ]
    assert drawn(DARK) == "\n\n"
