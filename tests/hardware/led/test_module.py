"""A module in its thread, over a real pseudo-terminal by the real driver; what is lit is read at the far end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.errors import Diagnosis
from hardware.led.emulator import FakeLed
from hardware.led.module import LedModule, LedTimeouts
from hardware.led.picture import ALL_LIT, DARK, Frame, Lit, Picture, cells, lit, still
from hardware.settings import LedLine

QUICK = LedTimeouts(refresh_s=0.2, write_s=0.2, retry_s=0.02, longest_retry_s=0.05)
NEVER_AGAIN = LedTimeouts(refresh_s=3600)
"""Only changes are sent after the first picture."""


def word(text: str) -> Lit:
    return lit(cells(text))


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
