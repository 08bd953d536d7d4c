"""LED displays over real pseudo-terminals: the bytes, the module's thread, and the fake that reads them as the maker's firmware does."""

from __future__ import annotations

import errno
import io
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import Diagnosis, LedError
from faults.errors import TileclockError
from hardware import settings
from hardware.led.emulator import FakeLed, Panel, drawn
from hardware.led.module import LedModule, LedTimeouts
from hardware.led.picture import ALL_LIT, DARK, Frame, Lit, Picture, brightness, cells, changes, lit, still, whole
from hardware.led.port import LedPort
from hardware.led.watch import watch
from hardware.settings import LedLine
from tests.cells import each_cell
from tests.errors import with_fields
from tests.processes import until

ON, OFF = Lit(colon=True), DARK


def test_one_frame_stands_for_ever() -> None:
    assert [still(ON).at(ms) for ms in (0, 1, 10_000_000)] == [(ON, None)] * 3


def test_frames_follow_one_another_over_and_over() -> None:
    for cell in each_cell([(0, (ON, 500)), (499, (ON, 1)), (500, (OFF, 200)), (699, (OFF, 1)), (700, (ON, 500)), (7_000_650, (OFF, 50))]):
        with cell as (ms, expected):
            assert Picture((Frame(ON, 500), Frame(OFF, 200))).at(ms) == expected


@pytest.mark.parametrize("frames", [(), (Frame(ON, 0), Frame(OFF, 5))])
def test_a_picture_without_lasting_frames_is_refused(frames: tuple[Frame, ...]) -> None:
    with pytest.raises(ValueError, match="expected frames that last"):
        Picture(frames)


def test_all_that_a_module_has_can_be_lit() -> None:
    assert Lit((0x7F, 0x7F, 0x7F, 0x7F), 0b1111, colon=True, apostrophe=True) == ALL_LIT


SEGMENTS = st.integers(0, 0x7F)
LITS = st.builds(Lit, st.tuples(SEGMENTS, SEGMENTS, SEGMENTS, SEGMENTS), st.integers(0, 0xF), st.booleans(), st.booleans())


def after(panel: Panel, data: bytes) -> Lit:
    for _ in panel.feed(data):
        pass
    return panel.lit


@given(LITS)
def test_a_whole_picture_is_what_is_lit(lit: Lit) -> None:
    assert after(Panel(), whole(lit)) == lit


@given(LITS, LITS)
def test_changes_take_a_module_from_any_picture_to_any_other(before: Lit, now: Lit) -> None:
    panel = Panel()
    after(panel, whole(before))
    assert after(panel, changes(before, now)) == now


@given(LITS)
def test_what_has_not_changed_is_not_sent(lit: Lit) -> None:
    assert changes(lit, lit) == b""


@given(LITS, LITS)
def test_nothing_that_is_not_wanted_is_lit_between_two_pictures_of_the_same_points(before: Lit, now: Lit) -> None:
    panel = Panel()
    after(panel, whole(before))
    for between in panel.feed(whole(now)):
        assert all(digit in pair for digit, *pair in zip(between.digits, before.digits, now.digits, strict=True))


@given(LITS, st.integers(0x77, 0xFF).filter(lambda command: command != 0x78))
def test_a_module_that_waits_for_an_argument_is_in_step_again_with_the_next_whole_picture(lit: Lit, command: int) -> None:
    panel = Panel()
    after(panel, bytes((command,)))
    assert after(panel, whole(lit)) == lit
    if command != 0x7F:
        assert panel.speed_changes == 0


@given(LITS, st.binary(max_size=40))
def test_whatever_noise_came_before_two_whole_pictures_are_what_is_lit(lit: Lit, noise: bytes) -> None:
    panel = Panel()
    after(panel, noise)
    assert after(panel, whole(lit) * 2) == lit


@given(LITS)
def test_no_picture_writes_what_is_kept_without_power(lit: Lit) -> None:
    panel = Panel()
    after(panel, whole(lit) + changes(lit, DARK) + changes(DARK, lit))
    assert panel.eeprom_writes == 0


def test_a_whole_picture_is_out_in_thirteen_ms_at_9600_baud() -> None:
    assert len(whole(ALL_LIT)) == 12
    assert len(whole(ALL_LIT)) * 10 / 9600 <= 0.0125


@pytest.mark.parametrize("percent", [0, 50, 100])
def test_brightness_is_set(percent: int) -> None:
    panel = Panel()
    after(panel, brightness(percent))
    assert (panel.brightness, panel.eeprom_writes) == (percent, 1)


@pytest.mark.parametrize("percent", [-1, 101])
def test_a_brightness_that_cannot_be_is_refused(percent: int) -> None:
    with pytest.raises(ValueError, match="expected a brightness of 0 to 100"):
        brightness(percent)


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


def test_bytes_that_are_sent_arrive() -> None:
    with FakeLed() as fake, closing(LedPort("left", LedLine((fake.port,)))) as port:
        port.open()
        port.send(whole(ALL_LIT))
        port.settle()
        assert fake.shows(lambda lit: lit == ALL_LIT)


def test_the_first_place_that_can_be_had_is_taken(tmp_path: Path) -> None:
    with FakeLed() as fake:
        (tmp_path / "usb-left-2").symlink_to(fake.port)
        places = (str(tmp_path / "not-there"), str(tmp_path / "no-[xyz]*"), str(tmp_path / "usb-left-*"))
        with closing(LedPort("left", LedLine(places))) as port:
            assert port.port is None
            port.open()
            assert port.port == str(tmp_path / "usb-left-2")


def test_two_modules_never_share_a_port() -> None:
    with FakeLed() as fake, closing(LedPort("left", LedLine((fake.port,)))) as left:
        left.open()
        with (
            closing(LedPort("right", LedLine((fake.port,)))) as right,
            pytest.raises(LedError, check=with_fields(found="another program uses it")),
        ):
            right.open()


@pytest.mark.parametrize("place", ["/dev/no-such-*", "/dev/no-such"])
def test_a_port_that_is_not_there_is_told_with_those_that_are_and_the_setting_that_names_it(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "usb-Adaptor").touch()
    monkeypatch.setattr(settings, "_NAMES", (str(tmp_path / "usb-*"),))
    with pytest.raises(LedError) as told:
        LedPort("left", LedLine((place,))).open()
    assert isinstance(told.value, TileclockError)
    assert str(told.value) == (
        f"expected the left LED display on {place}, found nothing there (plugged in now: {tmp_path / 'usb-Adaptor'}). "
        "Plug it in, and see that led.left in the settings is its port."
    )


def test_of_several_places_one_that_is_there_and_cannot_be_had_is_what_is_told() -> None:
    with FakeLed() as fake, closing(LedPort("left", LedLine((fake.port,)))) as held:
        held.open()
        with pytest.raises(LedError, check=with_fields(found="another program uses it")):
            LedPort("right", LedLine(("/dev/no-such", fake.port, "/dev/no-such-either"))).open()


def test_a_file_that_is_no_port_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(LedError, check=with_fields(expected=f"the left LED display on {file}")):
        LedPort("left", LedLine((str(file),))).open()


def test_a_speed_that_cannot_be_is_told() -> None:
    with FakeLed() as fake, pytest.raises(LedError, check=with_fields(found=re.compile("baudrate"))):
        LedPort("left", LedLine((fake.port,), baud=-1)).open()


def test_a_port_that_is_not_open_is_told() -> None:
    port = LedPort("left", LedLine(("/dev/null",)))
    for use in (port.settle, lambda: port.send(b"x")):
        with pytest.raises(LedError, check=with_fields(found="it is not open")):
            use()
    port.close()


def test_a_module_that_takes_nothing_is_given_up_in_time_and_without_a_busy_loop() -> None:
    with FakeLed(reads=False) as fake, closing(LedPort("left", LedLine((fake.port,)), write_s=0.2)) as port:
        port.open()
        fake.fill_line()
        began, worked = time.monotonic(), time.thread_time()
        with pytest.raises(LedError, check=with_fields(found=re.compile("0.2 s"))):
            port.send(b"x")
        assert time.monotonic() - began < 2
        assert time.thread_time() - worked < 0.1


def test_what_is_not_sent_yet_is_waited_for_within_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeLed() as fake, closing(LedPort("left", LedLine((fake.port,)), write_s=0.05)) as port:
        port.open()
        # A pseudo-terminal has nothing between its ends that could wait: what a real port says of it is put in its place.
        left = iter((3, 2, 0))
        monkeypatch.setattr(type(port._serial), "out_waiting", property(lambda _: next(left)))
        port.settle()
        monkeypatch.setattr(type(port._serial), "out_waiting", property(lambda _: 5))
        with pytest.raises(LedError, check=with_fields(found=re.compile("0.05 s"))):
            port.settle()


def test_a_port_whose_cable_is_pulled_is_told() -> None:
    with FakeLed() as fake, closing(LedPort("left", LedLine((fake.port,)))) as port:
        port.open()
        fake.unplug()
        with pytest.raises(LedError, check=with_fields(found=re.compile(os.strerror(errno.EIO)))):
            port.send(b"x")


def test_nothing_stays_open() -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are counted, no path is made
    with FakeLed() as fake:
        port = LedPort("left", LedLine((fake.port,)))
        port.open()
        port.drop()
        port.drop()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - likewise


QUICK = LedTimeouts(refresh_s=0.2, write_s=0.2, retry_s=0.02, longest_retry_s=0.05)
NEVER_AGAIN = LedTimeouts(refresh_s=3600)
"""Only changes are sent after the first picture."""


def is_lit(wanted: Lit) -> Callable[[Lit], bool]:
    return lambda lit: lit == wanted


class Told:
    """What a module said of itself."""

    def __init__(self) -> None:
        self.troubles: list[Diagnosis | None] = []
        self._more = threading.Condition()

    def __call__(self, trouble: Diagnosis | None) -> None:
        with self._more:
            self.troubles.append(trouble)
            self._more.notify_all()

    def number(self, wanted: int) -> list[Diagnosis | None]:
        with self._more:
            assert self._more.wait_for(lambda: len(self.troubles) >= wanted, 10)
            return list(self.troubles)


@contextmanager
def module(*ports: str, told: Told | None = None, timeouts: LedTimeouts = QUICK, percent: int = 100) -> Iterator[LedModule]:
    opened = LedModule("left", LedLine(ports, brightness=percent), told or Told(), timeouts)
    try:
        yield opened
    finally:
        assert opened.close()


def test_a_picture_that_is_handed_over_is_lit_at_the_brightness_that_was_set() -> None:
    with FakeLed() as fake, module(fake.port, percent=40) as left:
        left.show(still(word("2500")))
        assert fake.shows(is_lit(word("2500")))
        assert fake.panel.brightness == 40
        assert left.trouble is None


def test_only_what_has_changed_is_sent() -> None:
    with FakeLed() as fake, module(fake.port, timeouts=NEVER_AGAIN) as left:
        left.show(still(word("2500")))
        assert fake.shows(is_lit(word("2500")))
        before = fake.received_bytes
        left.show(still(word("2501")))
        assert fake.shows(is_lit(word("2501")))
        left.show(still(word("2501")))
        left.show(still(word("2502")))
        assert fake.shows(is_lit(word("2502")))
        assert fake.received_bytes - before == 4


def test_frames_follow_one_another_without_anybody_doing_anything() -> None:
    with FakeLed() as fake, module(fake.port) as left:
        left.show(Picture((Frame(word("on"), 30), Frame(word("oFF"), 30))))
        for each in ("on", "oFF", "on", "oFF"):
            assert fake.shows(is_lit(word(each)))


def test_a_picture_of_the_same_theme_goes_on_and_one_of_another_begins_anew() -> None:
    def two(second: str, theme: str) -> Picture:
        return Picture((Frame(word("1"), 40), Frame(word(second), 3_600_000)), theme)

    with FakeLed() as fake, module(fake.port) as left:
        left.show(two("A", "menu"))
        assert fake.shows(is_lit(word("A")))
        fake.seen.clear()
        left.show(two("B", "menu"))
        assert fake.shows(is_lit(word("B")))
        assert word("1") not in fake.seen
        left.show(two("C", "another"))
        assert fake.shows(is_lit(word("C")))
        assert word("1") in fake.seen


def test_a_module_that_lost_power_shows_the_right_picture_again() -> None:
    with FakeLed() as fake, module(fake.port, timeouts=LedTimeouts(), percent=60) as left:
        left.show(still(word("2459")))
        assert fake.shows(is_lit(word("2459")))
        fake.power(on=False)
        left.show(still(word("2458")))
        fake.power(on=True)
        assert fake.shows(is_lit(word("2458")))
        assert fake.panel.brightness == 60


def test_the_brightness_is_written_once_however_long_it_goes_on() -> None:
    with FakeLed() as fake, module(fake.port, timeouts=LedTimeouts(refresh_s=0.01)) as left:
        left.show(still(word("2459")))
        with fake._more:
            assert fake._more.wait_for(lambda: fake.received_bytes > 500, 10)
        assert fake.panel.eeprom_writes == 1


def test_a_new_brightness_is_in_force_at_once_and_written_once() -> None:
    with FakeLed() as fake, module(fake.port, percent=80, timeouts=NEVER_AGAIN) as left:
        left.show(still(word("2459")))
        assert fake.shows(is_lit(word("2459")))
        left.dim(20)
        left.dim(20)
        left.show(still(word("2458")))
        assert fake.shows(is_lit(word("2458")))
        assert (fake.panel.brightness, fake.panel.eeprom_writes) == (20, 2)


def test_a_module_out_of_step_is_in_step_again_with_the_next_refreshment() -> None:
    with FakeLed() as fake, module(fake.port) as left:
        left.show(still(word("8888")))
        assert fake.shows(is_lit(word("8888")))
        with fake._more:
            for _ in fake.panel.feed(b"v\x7b"):
                pass
        assert fake.shows(is_lit(word("8888")))
        assert fake.panel.speed_changes == 0


def test_whoever_hands_pictures_over_is_never_held_up_by_a_module_that_takes_nothing() -> None:
    with FakeLed(reads=False) as fake:
        fake.fill_line()
        told = Told()
        with module(fake.port, told=told) as left:
            assert "it accepted nothing for 0.2 s" in str(told.number(1)[0])
            began = time.perf_counter()
            for number in range(1000):
                left.show(still(word(str(number))))
            assert time.perf_counter() - began < 0.5
            fake.resume()
            assert fake.shows(is_lit(word("999")))
            assert told.number(2)[-1] is None
            assert fake.panel.speed_changes == 0


def test_of_pictures_that_came_while_it_was_held_up_only_the_newest_is_shown() -> None:
    with FakeLed(reads=False) as fake:
        fake.fill_line()
        with module(fake.port) as left:
            for number in range(100, 200):
                left.show(still(word(str(number))))
            fake.resume()
            assert fake.shows(is_lit(word("199")))
            old = {word(str(number)).digits for number in range(100, 199)}
            assert not old & {each.digits for each in fake.seen}


def test_a_port_that_goes_and_comes_back_under_another_name_shows_the_whole_picture_again(tmp_path: Path) -> None:
    place, told = tmp_path / "usb-left-0", Told()
    with module(str(tmp_path / "usb-left-*"), told=told, percent=30) as left:
        left.show(still(word("1")))
        assert "nothing there" in str(told.number(1)[0])
        with FakeLed() as first:
            place.symlink_to(first.port)
            assert first.shows(is_lit(word("1")))
            assert told.number(2)[-1] is None
            place.unlink()
        assert told.number(3)[-1]
        left.show(still(ALL_LIT))
        with FakeLed() as second:
            (tmp_path / "usb-left-1").symlink_to(second.port)
            assert second.shows(is_lit(ALL_LIT))
            assert second.panel.brightness == 30
            assert second.panel.eeprom_writes == 1


def test_trouble_is_told_once_and_that_it_is_over() -> None:
    told = Told()
    with FakeLed() as fake, module("/dev/no-such", fake.port, told=told) as left:
        left.show(still(word("1")))
        assert fake.shows(is_lit(word("1")))
        fake.unplug()
        troubles = told.number(1)
        assert "expected the left LED display on /dev/no-such or " in str(troubles[0])


def test_a_display_that_is_closed_is_dark() -> None:
    with FakeLed() as fake:
        with module(fake.port) as left:
            left.show(still(ALL_LIT))
            assert fake.shows(is_lit(ALL_LIT))
        assert fake.shows(is_lit(DARK))


@pytest.mark.parametrize("ports", [("/dev/no-such",), ("/dev/null",)])
def test_one_that_never_was_there_ends_in_time(ports: tuple[str, ...]) -> None:
    told = Told()
    left = LedModule("left", LedLine(ports), told)
    assert told.number(1)[0]
    began = time.monotonic()
    assert left.close()
    assert time.monotonic() - began < 1


def test_one_that_is_held_up_ends_in_time() -> None:
    with FakeLed(reads=False) as fake:
        left = LedModule("left", LedLine((fake.port,)), timeouts=LedTimeouts(write_s=0.3))
        left.show(still(ALL_LIT))
        fake.fill_line()
        began = time.monotonic()
        assert left.close()
        assert time.monotonic() - began < 3


def test_that_nothing_more_can_be_shown_is_told_whatever_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()

    def broken(*_: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("hardware.led.module.brightness", broken)
    with FakeLed() as fake, module(fake.port, told=told):
        assert "found ZeroDivisionError. Restart the program" in str(told.number(1)[0])


def test_two_displays_are_drawn_on_a_terminal_whenever_something_else_is_lit() -> None:
    out = io.StringIO()
    looks = 0

    def pause() -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            near = os.open(out.getvalue().split()[3], os.O_WRONLY | os.O_NOCTTY)
            os.write(near, whole(ALL_LIT))
            os.close(near)
        if "|_|.|_|.o |_|.|_|." in out.getvalue():
            raise KeyboardInterrupt

    watch(out, pause)
    command, _, first, *_ = out.getvalue().split("\n")
    assert command.startswith("tileclock run --led-left /dev/pts/")
    assert first == "     _     _                 _     _"
    assert out.getvalue().split("\n\n")[-2].split("\n") == [
        " _   _     _ ' _             _     _",
        "|_| |_| o |_| |_|         |  _|    _| |_|",
        "|_|.|_|.o |_|.|_|.        | |_     _|   |",
    ]
