"""Input devices that come and go, as udev's database shows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from appliance.display.sources import Hotplug
from tests.appliance.display.plugged import Plugged


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    with closing(Plugged(tmp_path)) as devices:
        yield devices


def test_a_device_is_reported_once_its_rules_are_done_and_once_it_is_gone(plugged: Plugged) -> None:
    assert not plugged.hotplug.changed()
    for happens in (plugged.plug, plugged.unplug):
        happens("event0")
        assert plugged.hotplug.changed()
        assert not plugged.hotplug.changed()


def test_only_what_sdl_reads_is_reported(plugged: Plugged) -> None:
    # A disk, a terminal, a USB device, the input device's parent, which has no file in /dev, and the same device as mouse, mice and joystick.
    for entry in ("b8:0", "c4:64", "c189:13", "+input:input13", "c13:32", "c13:63", "c13:0"):
        plugged.settle(entry)
    assert not plugged.hotplug.changed()
    for entry in ("c13:64", "c13:95", "c13:256"):
        plugged.settle("c13:33")
        plugged.settle(entry)
        assert plugged.hotplug.changed(), entry


def test_more_changes_than_one_read_holds_are_discarded_at_once(plugged: Plugged) -> None:
    for number in range(300):
        plugged.settle(f"c13:{number % 96}")
    assert plugged.hotplug.changed()
    assert not plugged.hotplug.changed()


def test_without_udev_there_is_nothing_to_watch(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Hotplug(tmp_path / "data")
