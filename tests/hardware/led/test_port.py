from __future__ import annotations

import errno
import os
import re
import time
from contextlib import closing
from pathlib import Path

import pytest

from appliance.errors import LedError
from faults.errors import TileclockError
from hardware import settings
from hardware.led.emulator import FakeLed
from hardware.led.picture import ALL_LIT, whole
from hardware.led.port import LedPort
from hardware.settings import LedLine
from tests.errors import with_fields


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
