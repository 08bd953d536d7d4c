"""Input devices that a window sleeps on, with named pipes in their place: they come and go as udev's database shows it."""

import os
import threading
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

import pygame
import pytest

from appliance.display.pane import POLL_MS, Connection, Devices, Hotplug, sources
from appliance.program import Wakeup
from tests.appliance.display.plugged import Plugged


def test_a_ring_and_a_source_end_the_sleep_and_a_ring_after_closing_writes_to_nothing() -> None:
    # A ring only ends the sleep; a source is also returned as an input.
    alarm = Wakeup()
    alarm.wake()
    assert not alarm.sleep([], None)
    alarm.close()
    alarm, (read, write) = Wakeup(), os.pipe()
    os.write(write, b"x")
    assert alarm.sleep([read], None)
    for end in (read, write):
        os.close(end)
    alarm.close()
    # After closing, a ring writes to nothing that was opened since.
    alarm = Wakeup()
    alarm.close()
    read, write = os.pipe()
    os.set_blocking(read, False)
    alarm.wake()
    alarm.sleep([], None)
    with pytest.raises(BlockingIOError):
        os.read(read, 1)
    for end in (read, write):
        os.close(end)


def test_a_close_from_another_thread_waits_for_a_ring_that_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    alarm, closed = Wakeup(), threading.Event()
    written: list[int] = []
    write = os.eventfd_write

    def close() -> None:
        alarm.close()
        closed.set()

    thread = threading.Thread(target=close)

    def slow(descriptor: int, value: int) -> None:
        thread.start()
        # Without the lock this is set at once, and the descriptor is closed.
        assert not closed.wait(0.2)
        write(descriptor, value)
        written.append(value)

    with monkeypatch.context() as patched:
        patched.setattr(os, "eventfd_write", slow)
        alarm.wake()
    thread.join()
    assert written == [1]
    assert closed.is_set()


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    with closing(Plugged(tmp_path)) as devices:
        yield devices


def test_a_device_that_sdl_reads_is_reported_once_its_rules_are_done_and_once_it_is_gone(plugged: Plugged) -> None:
    assert not plugged.hotplug.changed()
    for happens in (plugged.plug, plugged.unplug):
        happens("event0")
        assert plugged.hotplug.changed()
        assert not plugged.hotplug.changed()
    # Only what SDL reads is reported, however much comes at once.
    # A disk, a terminal, a USB device, the input device's parent, which has no file in /dev, and the same device as mouse, mice and joystick.
    for entry in ("b8:0", "c4:64", "c189:13", "+input:input13", "c13:32", "c13:63", "c13:0"):
        plugged.settle(entry)
    assert not plugged.hotplug.changed()
    for entry in ("c13:64", "c13:95", "c13:256"):
        plugged.settle("c13:33")
        plugged.settle(entry)
        assert plugged.hotplug.changed(), entry
    for number in range(300):
        plugged.settle(f"c13:{number % 96}")
    assert plugged.hotplug.changed()
    assert not plugged.hotplug.changed()


def test_without_udev_there_is_nothing_to_watch(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Hotplug(tmp_path / "data")


@pytest.fixture
def alarm() -> Iterator[Wakeup]:
    with closing(Wakeup()) as made:
        yield made


def test_an_event_of_any_device_ends_a_sleep_and_is_emptied_so_that_the_next_one_sleeps(plugged: Plugged) -> None:
    for name in ("event0", "event1"):
        plugged.plug(name)
    slept: list[bool] = []

    class Watched(Wakeup):
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

    class Watched(Wakeup):
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
    plugged: Plugged, alarm: Wakeup
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


def test_where_no_device_can_be_opened_it_sleeps_until_one_is_plugged_in(plugged: Plugged, alarm: Wakeup) -> None:
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
    monkeypatch.setattr("appliance.display.pane.FOLDER", plugged.folder)
    with closing(sources(plugged.hotplug)) as source:
        assert isinstance(source, Devices if devices else Connection)
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
