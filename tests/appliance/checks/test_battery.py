import queue
from pathlib import Path

import pytest

from appliance.errors import State
from appliance.power import Battery, battery_of, check_battery, watch_battery

PATIENCE_S = 20.0


def supply(system: Path, name: str, **files: str) -> Path:
    """Make a power supply as the kernel shows it."""
    folder = system / "class/power_supply" / name
    folder.mkdir(parents=True)
    for file, content in files.items():
        (folder / file).write_text(f"{content}\n")
    return folder


def test_the_emptiest_battery_counts_and_no_charger_or_mouse(tmp_path: Path) -> None:
    assert battery_of(tmp_path) is None
    supply(tmp_path, "ac", type="Mains", online="1")
    supply(tmp_path, "hid", type="Battery", scope="Device", capacity="3", status="Discharging")
    supply(tmp_path, "empty", type="Battery", status="Unknown")
    assert battery_of(tmp_path) is None
    supply(tmp_path, "max17040", type="Battery", capacity="62", status="Discharging")
    supply(tmp_path, "ups", type="UPS", scope="System", capacity="104", status="Charging")
    assert battery_of(tmp_path) == Battery(62, discharging=True)
    supply(tmp_path, "second", type="Battery", capacity="41", status="Not charging")
    assert battery_of(tmp_path) == Battery(41, discharging=False)


SAID = [
    (None, None, State.NOTE, "no battery"),
    ("26", "Discharging", State.OK, "26 % are left"),
    ("25", "Discharging", State.FAIL, "25 % are left"),
    ("7", "Charging", State.OK, "7 %, and it is not used now"),
]


@pytest.mark.parametrize(("capacity", "status", "state", "found"), SAID)
def test_the_self_test_fails_from_a_quarter_on_unless_it_charges(
    capacity: str | None, status: str | None, state: State, found: str, tmp_path: Path
) -> None:
    if capacity is not None and status is not None:
        supply(tmp_path, "max17040", type="Battery", capacity=capacity, status=status)
    (finding,) = check_battery(tmp_path)
    assert (finding.state, found in finding.found, bool(finding.fix)) == (state, True, state is State.FAIL)


def test_the_first_reading_and_each_other_one_are_told_and_a_swap_leaves_the_last(tmp_path: Path) -> None:
    told: queue.SimpleQueue[Battery] = queue.SimpleQueue()
    folder = supply(tmp_path, "max17040", type="Battery", capacity="30", status="Discharging")
    with watch_battery(told.put, tmp_path, interval_s=0.01):
        assert told.get(timeout=PATIENCE_S) == Battery(30, discharging=True)
        (folder / "capacity").unlink()
        (folder / "status").write_text("Charging\n")
        (folder / "capacity").write_text("88\n")
        assert told.get(timeout=PATIENCE_S) == Battery(88, discharging=False)
    assert told.empty()


def test_a_machine_without_a_battery_is_not_watched(tmp_path: Path) -> None:
    told: queue.SimpleQueue[Battery] = queue.SimpleQueue()
    with watch_battery(told.put, tmp_path, interval_s=0.01):
        pass
    assert told.empty()
