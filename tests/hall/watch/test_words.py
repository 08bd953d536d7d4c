"""What ``watch`` and ``status`` say of a device."""

import json
from datetime import UTC, datetime
from typing import Any

from rich.console import Console

from hall.picture.hall import picture
from hall.watch.screen import table_of
from hall.watch.status import HallPicture, line_of, summary
from tests.hall.reporting import NS, Device, Rig

NOW = datetime(2026, 5, 1, 14, 0, 30, tzinfo=UTC)


def _seen(rig: Rig) -> HallPicture:
    found: dict[str, Any] = json.loads(picture(rig.hall, rig.now))
    return HallPicture(found["hall"], found["broker"]["up"], tuple(found["troubles"]), tuple(found["devices"]))


def _playing(rig: Rig, name: str, table: int, **state: Any) -> Device:
    device = Device(name)
    device.write()
    rig.report(device, "rows", device.batch(1, 1))
    rig.report(device, "up", device.up(table=table, name=f"Clock {table}"))
    rig.report(device, "beat", device.beat(sent=rig.now))
    rig.report(device, "beat", device.beat(sent=rig.now, echo=(rig.now, rig.now, rig.now, rig.now)))
    rig.report(device, "state", device.state(table=table, at=rig.now, **state))
    return device


def test_the_side_that_runs_is_marked_without_colours(rig: Rig) -> None:
    _playing(rig, "one", 4, names={"left": "Ann", "right": "Bob"})
    rig.now += 61 * NS // 10
    (device,) = _seen(rig).devices
    line = line_of(device, NOW)
    assert (line.table, line.left, line.right, line.doing, line.link) == ("4", "24:54 ◀ Ann", "25:00 Bob", "plays", "ok")


def test_a_stale_device_says_since_when(rig: Rig) -> None:
    _playing(rig, "one", 4)
    rig.now += 30 * NS
    words, well = summary(_seen(rig), NOW)
    assert words == ["Hall trial: 1 device, 0 calls, 1 stale.", "Table 4, Clock 4: stale since 14:00:00"]
    assert not well


def test_a_call_comes_first_and_is_nothing_wrong(rig: Rig) -> None:
    _playing(rig, "one", 4)
    calling = _playing(rig, "two", 40)
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 40, "from": "players"})
    rig.now += 5 * NS
    words, well = summary(_seen(rig), NOW)
    assert words == ["Hall trial: 2 devices, 1 call, 0 stale.", "Table 40, Clock 40: CALLS THE DIRECTOR for 5 s"]
    assert well


def test_a_terminal_that_is_too_small_shows_who_is_in_need_and_counts_the_rest(rig: Rig) -> None:
    for table in range(1, 31):
        _playing(rig, str(table), table)
    calling = _playing(rig, "calling", 77)
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 77, "from": "players"})
    console = Console(width=120, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123 - ends with the test
    console.print(table_of(_seen(rig), 12))
    text = console.export_text()
    assert "Clock 77" in text
    assert "CALLS THE DIRECTOR" in text
    assert "and 24 more" in text
    assert len(text.splitlines()) <= 12
