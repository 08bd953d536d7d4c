"""Input devices that a window sleeps on, with named pipes in their place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pygame
import pytest

from hardware.display.alarm import Alarm
from hardware.display.sources import Devices, Looking, sources
from tests.hardware.display.plugged import Plugged


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    with closing(Plugged(tmp_path)) as devices:
        yield devices


@pytest.fixture
def alarm() -> Iterator[Alarm]:
    with closing(Alarm()) as made:
        yield made


def test_an_event_of_any_device_ends_a_sleep_and_is_emptied_so_that_the_next_one_sleeps(plugged: Plugged, alarm: Alarm) -> None:
    for name in ("event0", "event1"):
        plugged.plug(name)
    with closing(Devices(plugged.folder)) as devices:
        assert devices.blocks
        plugged.event("event1")
        slept: list[bool] = []
        heard = alarm.sleep

        def told(*words: object) -> bool:
            slept.append(heard(*words))  # type: ignore[arg-type] # handed on as they came
            return slept[-1]

        alarm.sleep = told  # type: ignore[method-assign,assignment] # watched, not changed
        devices.sleep(alarm, None)
        devices.sleep(alarm, None)
        assert slept == [True, False]


def test_the_sleep_after_an_event_is_short_for_sdl_may_have_got_it_a_moment_later(plugged: Plugged) -> None:
    plugged.plug("event0")
    lengths: list[int | None] = []

    class Watched(Alarm):
        def sleep(self, sources: object, timeout_ms: int | None) -> bool:
            lengths.append(timeout_ms)
            return super().sleep(sources, 0)  # type: ignore[arg-type] # handed on as they came

    with closing(Devices(plugged.folder)) as devices, closing(Watched()) as alarm:
        devices.sleep(alarm, None)
        plugged.event("event0")
        for _ in range(3):
            devices.sleep(alarm, None)
    assert lengths == [1000, 1000, 10, 1000]


def test_a_device_that_is_plugged_in_later_is_slept_on_and_one_that_is_pulled_out_is_let_go(plugged: Plugged, alarm: Alarm) -> None:
    plugged.plug("event0")
    with closing(Devices(plugged.folder)) as devices:
        plugged.plug("event1")
        plugged.unplug("event0")
        devices.sleep(alarm, 0)
        assert [path.name for path in devices._opened] == ["event1"]


def test_where_no_device_can_be_opened_there_is_nothing_to_sleep_on(tmp_path: Path) -> None:
    (tmp_path / "event0").symlink_to(tmp_path / "nowhere")
    assert not Devices(tmp_path).blocks
    assert not Devices(tmp_path / "missing").blocks


@pytest.mark.usefixtures("dummy_display")
@pytest.mark.parametrize(("driver", "devices"), [("KMSDRM", True), ("dummy", False)])
def test_only_a_bare_panel_sleeps_on_the_devices(monkeypatch: pytest.MonkeyPatch, plugged: Plugged, driver: str, *, devices: bool) -> None:
    plugged.plug("event0")
    pygame.display.init()
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    monkeypatch.setattr("hardware.display.sources.FOLDER", plugged.folder)
    with closing(sources()) as source:
        assert isinstance(source, Devices if devices else Looking)
        assert source.blocks is devices
    pygame.display.quit()


def test_closed_devices_are_let_go(plugged: Plugged) -> None:
    plugged.plug("event0")
    devices = Devices(plugged.folder)
    (descriptor,) = devices._opened.values()
    devices.close()
    devices.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
