"""Input devices that a window sleeps on, with named pipes in their place."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

import pygame
import pytest

from appliance.display.screen import WakePipe
from appliance.display.sources import POLL_MS, Devices, Polling, sources
from tests.appliance.display.plugged import Plugged


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    with closing(Plugged(tmp_path)) as devices:
        yield devices


@pytest.fixture
def alarm() -> Iterator[WakePipe]:
    with closing(WakePipe()) as made:
        yield made


def test_an_event_of_any_device_ends_a_sleep_and_is_emptied_so_that_the_next_one_sleeps(plugged: Plugged) -> None:
    for name in ("event0", "event1"):
        plugged.plug(name)
    slept: list[bool] = []

    class Watched(WakePipe):
        def sleep(self, sources: Collection[int], timeout_ms: int | None) -> bool:
            slept.append(super().sleep(sources, timeout_ms))
            return slept[-1]

    with closing(Devices(plugged.folder, plugged.hotplug)) as devices, closing(Watched()) as alarm:
        devices.sleep(alarm, None)  # that they were plugged in
        plugged.event("event1")
        devices.sleep(alarm, None)
        devices.sleep(alarm, None)
        assert slept == [True, True, False]


def test_at_rest_it_sleeps_without_limit_and_only_the_sleep_after_an_event_is_short(plugged: Plugged) -> None:
    lengths: list[int | None] = []

    class Watched(WakePipe):
        def sleep(self, sources: Collection[int], timeout_ms: int | None) -> bool:
            lengths.append(timeout_ms)
            return super().sleep(sources, 0)

    with closing(Devices(plugged.folder, plugged.hotplug)) as devices, closing(Watched()) as alarm:
        devices.sleep(alarm, None)
        # SDL's queue may get what a device says, and that there is one, a moment after ours.
        for happens in (plugged.plug, plugged.event):
            happens("event0")
            for _ in range(3):
                devices.sleep(alarm, None)
    assert lengths == [None, None, POLL_MS, None, None, POLL_MS, None]


def test_a_device_that_is_plugged_in_ends_a_sleep_and_is_slept_on_and_one_that_is_pulled_out_is_let_go(
    plugged: Plugged, alarm: WakePipe
) -> None:
    with closing(Devices(plugged.folder, plugged.hotplug)) as devices:
        plugged.plug("event0")
        assert devices.sleep(alarm, None)
        assert [path.name for path in devices._opened] == ["event0"]
        plugged.plug("event1")
        plugged.unplug("event0")
        assert devices.sleep(alarm, None)
        assert not devices.sleep(alarm, 0)
        assert [path.name for path in devices._opened] == ["event1"]


def test_where_no_device_can_be_opened_it_sleeps_until_one_is_plugged_in(plugged: Plugged, alarm: WakePipe) -> None:
    (plugged.folder / "event7").symlink_to(plugged.folder / "nowhere")
    with closing(Devices(plugged.folder, plugged.hotplug)) as devices:
        assert devices._opened == {}
        plugged.plug("event0")
        devices.sleep(alarm, None)
        assert [path.name for path in devices._opened] == ["event0"]


@pytest.mark.usefixtures("dummy_display")
@pytest.mark.parametrize(("driver", "devices"), [("KMSDRM", True), ("dummy", False)])
def test_only_a_bare_panel_sleeps_on_the_devices(monkeypatch: pytest.MonkeyPatch, plugged: Plugged, driver: str, *, devices: bool) -> None:
    plugged.plug("event0")
    pygame.display.init()
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    monkeypatch.setattr("appliance.display.sources.FOLDER", plugged.folder)
    with closing(sources(plugged.hotplug)) as source:
        assert isinstance(source, Devices if devices else Polling)
        assert source.blocks is devices
    pygame.display.quit()


def test_closed_devices_are_let_go(plugged: Plugged) -> None:
    plugged.plug("event0")
    devices = Devices(plugged.folder, plugged.hotplug)
    (descriptor,) = devices._opened.values()
    devices.close()
    devices.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
