import errno
import io
import os
import re
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import Diagnosis, LedError
from hardware import settings
from hardware.led.module import LedModule, LedTimeouts
from hardware.led.picture import ALL_LIT, DARK, Frame, Lit, Picture, brightness, cells, changes, lit, still, whole
from hardware.led.port import LedPort
from hardware.settings import LedLine
from tests.cells import each_cell
from tests.errors import with_fields
from tools.led_displays import FakeLed, Panel, drawn, watch

ON, OFF = Lit(colon=True), DARK
SEGMENTS = st.integers(0, 0x7F)
LITS = st.builds(Lit, st.tuples(SEGMENTS, SEGMENTS, SEGMENTS, SEGMENTS), st.integers(0, 0xF), st.booleans(), st.booleans())
QUICK = LedTimeouts(refresh_s=0.2, write_s=0.2, retry_s=0.02, longest_retry_s=0.05)
NEVER_AGAIN = LedTimeouts(refresh_s=3600)
"""Only changes are sent after the first picture."""


def fill_line(fake: FakeLed) -> None:
    """Fill the line of a module that does not read: the next byte blocks."""
    os.set_blocking(fake._near, False)
    # The kernel moves bytes on and makes room again: wait until it stays full.
    while select.select([], [fake._near], [], 0.1)[1]:
        with suppress(BlockingIOError):
            os.write(fake._near, b"\x78" * 256)


def word(text: str) -> Lit:
    return lit(cells(text))


def after(panel: Panel, data: bytes) -> Lit:
    for _ in panel.feed(data):
        pass
    return panel.lit


def test_one_frame_stands_for_ever_and_several_follow_one_another_over_and_over() -> None:
    assert [still(ON).at(ms) for ms in (0, 1, 10_000_000)] == [(ON, None)] * 3
    two = Picture((Frame(ON, 500), Frame(OFF, 200)))
    for cell in each_cell([(0, (ON, 500)), (499, (ON, 1)), (500, (OFF, 200)), (699, (OFF, 1)), (700, (ON, 500)), (7_000_650, (OFF, 50))]):
        with cell as (ms, expected):
            assert two.at(ms) == expected


@given(LITS, LITS)
def test_a_whole_picture_is_what_is_lit_and_changes_take_a_module_from_any_picture_to_any_other(before: Lit, now: Lit) -> None:
    panel = Panel()
    assert after(panel, whole(before)) == before
    assert after(panel, changes(before, now)) == now
    assert changes(now, now) == b""
    # No picture writes what is kept without power.
    assert panel.eeprom_writes == 0


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


def test_punctuation_is_the_point_of_the_digit_before_it_and_an_accent_is_dropped() -> None:
    points = [[each.point for each in cells(text)] for text in ("1.2", ".1", "1..", "é")]
    assert points == [[True, False], [True, False], [True, True], [False]]
    assert (word("É"), word("1.2").points) == (word("E"), 0b0001)


def test_a_whole_picture_is_out_in_thirteen_ms_at_9600_baud() -> None:
    assert len(whole(ALL_LIT)) * 10 / 9600 <= 0.0125


def test_brightness_is_set_with_one_write() -> None:
    for percent in (0, 50, 100):
        panel = Panel()
        after(panel, brightness(percent))
        assert (panel.brightness, panel.eeprom_writes) == (percent, 1)


FIRMWARE = [
    # Characters stand at the cursor, which goes on and round.
    (b"v12Ab", word("12Ab")),
    (b"v12Ab9", word("92Ab")),
    (b"\x76\x01\x02\x0a\x0b", word("12Ab")),
    (b"v12\x78\x20", word("12  ")),
    # A place beyond the digits is nowhere.
    (b"v\x79\x027", word("  7 ")),
    (b"v1\x79\x047", word("17  ")),
    # A digit's own segments leave the cursor where it is.
    (b"v12\x7d\x48C", word("12C ")),
    # Points, colon and apostrophe are bits of one byte.
    (b"v\x77\x3f", Lit(points=0b1111, colon=True, apostrophe=True)),
    (b"v\x77\x3f\x77\x10", Lit(colon=True)),
    # Clear puts the cursor to the left.
    (whole(ALL_LIT) + b"v", DARK),
    (b"v12v3", word("3   ")),
]


def test_the_fake_makes_of_bytes_what_the_makers_firmware_makes_of_them() -> None:
    for cell in each_cell(FIRMWARE):
        with cell as (data, expected):
            assert after(Panel(), data) == expected
    panel = Panel()
    assert after(panel, b"v12\x7e\x49").digits[3] == 0x49
    after(panel, b"\x7f\x04")
    assert panel.speed_changes == 1
    after(panel, b"\x7a\x05\x81\x00")
    assert panel.brightness == 100, "the maker's reset sets it back"


def test_what_is_lit_is_drawn_in_letters_and_on_a_terminal_whenever_something_else_is_lit() -> None:
    assert drawn(DARK) == "\n\n"
    out = io.StringIO()
    looks = 0

    def pause() -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            near = os.open(out.getvalue().split()[3], os.O_WRONLY | os.O_NOCTTY)
            os.write(near, whole(ALL_LIT))
            os.close(near)
        if drawn(ALL_LIT).split("\n")[2] in out.getvalue():
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


@contextmanager
def port(*places: str, side: str = "left", write_s: float = 1.0) -> Iterator[LedPort]:
    with closing(LedPort(side, LedLine(places), write_s=write_s)) as opened:
        opened.open()
        yield opened


def test_bytes_that_are_sent_arrive_at_the_first_place_that_can_be_had_and_nothing_stays_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are counted, no path is made
    with FakeLed() as fake:
        (tmp_path / "usb-left-2").symlink_to(fake.port)
        with port(str(tmp_path / "not-there"), str(tmp_path / "no-[xyz]*"), str(tmp_path / "usb-left-*")) as opened:
            assert opened.port == str(tmp_path / "usb-left-2")
            opened.send(whole(ALL_LIT))
            opened.settle()
            assert fake.shows(lambda lit: lit == ALL_LIT)
            opened.drop()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - likewise


def test_two_modules_never_share_a_port_and_of_several_places_one_that_is_there_is_what_is_told() -> None:
    with FakeLed() as fake, port(fake.port):
        for places in ((fake.port,), ("/dev/no-such", fake.port, "/dev/no-such-either")):
            with pytest.raises(LedError, check=with_fields(found="another program uses it")), port(*places, side="right"):
                pass


@pytest.mark.parametrize("place", ["/dev/no-such-*", "/dev/no-such"])
def test_a_missing_port_is_told_with_those_there_are_and_the_setting(place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "usb-Adaptor").touch()
    monkeypatch.setattr(settings, "_NAMES", (str(tmp_path / "usb-*"),))
    with pytest.raises(LedError) as caught, port(place):
        pass
    assert str(caught.value) == (
        f"expected the left LED display on {place}, found nothing there (plugged in now: {tmp_path / 'usb-Adaptor'}). "
        "Plug it in, and see that led.left in the settings is its port."
    )


def test_a_file_that_is_no_port_a_wrong_speed_and_a_closed_port_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(LedError, check=with_fields(expected=f"the left LED display on {file}")), port(str(file)):
        pass
    with FakeLed() as fake, pytest.raises(LedError, check=with_fields(found=re.compile("baudrate"))):
        LedPort("left", LedLine((fake.port,), baud=-1)).open()
    closed = LedPort("left", LedLine(("/dev/null",)))
    for use in (closed.open, closed.settle, lambda: closed.send(b"x")):
        with pytest.raises(LedError, check=with_fields(found=re.compile("could not configure port"))):
            use()
    closed.close()


def test_a_module_that_takes_nothing_is_given_up_in_time_and_without_a_busy_loop() -> None:
    with FakeLed(reads=False) as fake, port(fake.port, write_s=0.2) as opened:
        fill_line(fake)
        began, worked = time.monotonic(), time.thread_time()
        with pytest.raises(LedError, check=with_fields(found=re.compile("0.2 s"))):
            opened.send(b"x")
        assert time.monotonic() - began < 2
        assert time.thread_time() - worked < 0.1


def test_what_is_not_sent_yet_is_waited_for_within_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeLed() as fake, port(fake.port, write_s=0.05) as opened:
        # A pseudo-terminal has nothing between its ends that could wait: what a real port says of it is put in its place.
        left = iter((3, 2, 0))
        monkeypatch.setattr(type(opened._serial), "out_waiting", property(lambda _: next(left)))
        opened.settle()
        monkeypatch.setattr(type(opened._serial), "out_waiting", property(lambda _: 5))
        with pytest.raises(LedError, check=with_fields(found=re.compile("0.05 s"))):
            opened.settle()


def test_a_port_whose_cable_is_pulled_is_reported() -> None:
    with FakeLed() as fake, port(fake.port) as opened:
        fake.unplug()
        with pytest.raises(LedError, check=with_fields(found=re.compile(os.strerror(errno.EIO)))):
            opened.send(b"x")


class Reported:
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
def module(
    *ports: str, reported: Callable[[Diagnosis | None], None] = lambda _: None, timeouts: LedTimeouts = QUICK, percent: int = 100
) -> Iterator[LedModule]:
    opened = LedModule("left", LedLine(ports, brightness=percent), reported, timeouts)
    try:
        yield opened
    finally:
        assert opened.close()


def shows(fake: FakeLed, left: LedModule, text: str) -> None:
    left.show(still(word(text)))
    assert fake.shows(lambda lit: lit == word(text))


def test_a_picture_that_is_handed_over_is_lit_until_the_end_and_only_what_has_changed_is_sent() -> None:
    with FakeLed() as fake:
        with module(fake.port, percent=40, timeouts=NEVER_AGAIN) as left:
            shows(fake, left, "2500")
            assert (fake.panel.brightness, left.trouble) == (40, None)
            before = fake.received_bytes
            shows(fake, left, "2501")
            left.show(still(word("2501")))
            shows(fake, left, "2502")
            assert fake.received_bytes - before == 4
        assert fake.shows(lambda lit: lit == DARK)


def test_frames_follow_one_another_without_anybody_doing_anything() -> None:
    with FakeLed() as fake, module(fake.port) as left:
        left.show(Picture((Frame(word("on"), 30), Frame(word("oFF"), 30))))
        for each in ("on", "oFF", "on", "oFF"):
            assert fake.shows(lambda lit, each=each: lit == word(each))  # type: ignore[misc]  # called at once


def test_a_picture_of_the_same_theme_goes_on_and_one_of_another_begins_anew() -> None:
    with FakeLed() as fake, module(fake.port) as left:
        for second, theme, anew in (("A", "menu", True), ("B", "menu", False), ("C", "another", True)):
            fake.seen.clear()
            left.show(Picture((Frame(word("1"), 400), Frame(word(second), 3_600_000)), theme))
            assert fake.shows(lambda lit, second=second: lit == word(second))  # type: ignore[misc]  # called at once
            assert (word("1") in fake.seen) is anew


def test_a_module_that_lost_power_shows_the_right_picture_again() -> None:
    with FakeLed() as fake, module(fake.port, timeouts=LedTimeouts(), percent=60) as left:
        shows(fake, left, "2459")
        fake.power(on=False)
        left.show(still(word("2458")))
        fake.power(on=True)
        assert fake.shows(lambda lit: lit == word("2458"))
        assert fake.panel.brightness == 60


def test_the_brightness_is_written_once_however_long_it_goes_on_and_a_new_one_at_once() -> None:
    with FakeLed() as fake, module(fake.port, percent=80, timeouts=LedTimeouts(refresh_s=0.01)) as left:
        shows(fake, left, "2459")
        with fake._more:
            assert fake._more.wait_for(lambda: fake.received_bytes > 500, 10)
        assert fake.panel.eeprom_writes == 1
        left.dim(20)
        left.dim(20)
        shows(fake, left, "2458")
        assert (fake.panel.brightness, fake.panel.eeprom_writes) == (20, 2)


def test_a_module_out_of_step_is_in_step_again_with_the_next_refreshment() -> None:
    with FakeLed() as fake, module(fake.port) as left:
        shows(fake, left, "8888")
        with fake._more:
            after(fake.panel, b"v\x7b")
        assert fake.shows(lambda lit: lit == word("8888"))
        assert fake.panel.speed_changes == 0


def test_whoever_hands_pictures_over_is_never_held_up_by_a_module_that_takes_nothing() -> None:
    with FakeLed(reads=False) as fake:
        fill_line(fake)
        reported = Reported()
        with module(fake.port, reported=reported) as left:
            assert "it accepted nothing for 0.2 s" in str(reported.number(1)[0])
            began = time.perf_counter()
            for number in range(1000):
                left.show(still(word(str(number))))
            assert time.perf_counter() - began < 0.5
            fake.resume()
            assert fake.shows(lambda lit: lit == word("999"))
            assert reported.number(2)[-1] is None
            assert fake.panel.speed_changes == 0


def test_of_pictures_that_came_while_it_was_held_up_only_the_newest_is_shown() -> None:
    with FakeLed(reads=False) as fake:
        fill_line(fake)
        with module(fake.port) as left:
            for number in range(100, 200):
                left.show(still(word(str(number))))
            fake.resume()
            assert fake.shows(lambda lit: lit == word("199"))
            old = {word(str(number)).digits for number in range(100, 199)}
            assert not old & {each.digits for each in fake.seen}


def test_a_port_that_goes_and_comes_back_under_another_name_shows_the_whole_picture_again(tmp_path: Path) -> None:
    place, reported = tmp_path / "usb-left-0", Reported()
    with module(str(tmp_path / "usb-left-*"), reported=reported, percent=30) as left:
        left.show(still(word("1")))
        assert "nothing there" in str(reported.number(1)[0])
        with FakeLed() as first:
            place.symlink_to(first.port)
            assert first.shows(lambda lit: lit == word("1"))
            assert reported.number(2)[-1] is None
            place.unlink()
        assert reported.number(3)[-1]
        left.show(still(ALL_LIT))
        with FakeLed() as second:
            (tmp_path / "usb-left-1").symlink_to(second.port)
            assert second.shows(lambda lit: lit == ALL_LIT)
            assert (second.panel.brightness, second.panel.eeprom_writes) == (30, 1)


@pytest.mark.parametrize("place", ["/dev/no-such", "/dev/null"])
def test_one_that_never_was_there_ends_in_time(place: str) -> None:
    reported = Reported()
    left = LedModule("left", LedLine((place,)), reported)
    assert reported.number(1)[0]
    began = time.monotonic()
    assert left.close()
    assert time.monotonic() - began < 1


def test_one_that_is_held_up_ends_in_time() -> None:
    with FakeLed(reads=False) as fake:
        left = LedModule("left", LedLine((fake.port,)), timeouts=LedTimeouts(write_s=0.3))
        left.show(still(ALL_LIT))
        fill_line(fake)
        began = time.monotonic()
        assert left.close()
        assert time.monotonic() - began < 3


def test_an_unexpected_error_of_the_thread_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    reported = Reported()

    def broken(*_: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("hardware.led.port.brightness", broken)
    with FakeLed() as fake, module(fake.port, reported=reported):
        assert "found ZeroDivisionError. Restart the program" in str(reported.number(1)[0])
