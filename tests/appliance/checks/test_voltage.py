import queue
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance import power
from appliance.errors import State
from appliance.power import CLEAR_READS, Power, VoltageAlarm, alarm_of, check_power, watch_power

PATIENCE_S = 20.0


def system(folder: Path, alarm: str | None = "0\n") -> Path:
    """Return a sysfs as a Raspberry Pi has it: the monitor of its temperature first, then that of its voltage."""
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        monitor = folder / "class" / "hwmon" / f"hwmon{number}"
        monitor.mkdir(parents=True)
        (monitor / "name").write_text(f"{name}\n")
        (monitor / "in0_lcrit_alarm").write_text("1\n" if number == 0 else alarm or "0\n")
    if alarm is None:
        (folder / "class" / "hwmon" / "hwmon1" / "name").write_text("pwmfan\n")
    return folder


def test_the_alarm_is_found_by_its_monitors_name_where_there_is_one(tmp_path: Path) -> None:
    assert alarm_of(tmp_path) is None
    assert alarm_of(system(tmp_path / "another", None)) is None
    assert alarm_of(system(tmp_path)) == tmp_path / "class/hwmon/hwmon1/in0_lcrit_alarm"


def test_the_self_test_says_what_the_firmware_says_and_an_alarm_that_cannot_be_read_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [("0\n", State.OK, "right just now"), ("1\n", State.FAIL, "the voltage is too low"), (None, State.NOTE, "does not tell")]
    for alarm, state, found in said:
        (finding,) = check_power(system(tmp_path / state.name, alarm))
        assert (finding.state, found in finding.found, bool(finding.fix)) == (state, True, state is State.FAIL)

    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    (finding,) = check_power(tmp_path / State.OK.name)
    assert finding.state is State.NOTE
    assert finding.found.endswith("in0_lcrit_alarm cannot be read: permission denied")


@given(st.lists(st.booleans()))
def test_low_is_told_at_the_first_alarm_and_its_end_only_after_a_minutes_silence(alarms: list[bool]) -> None:
    calm = VoltageAlarm()
    for number, alarm in enumerate(alarms, 1):
        calm = calm.after_read(alarm=alarm)
        latest = alarms[max(0, number - CLEAR_READS) : number]
        assert calm.low is any(latest)


def test_a_change_is_told_once_and_its_end_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "CLEAR_READS", 3)
    reported: queue.SimpleQueue[Power] = queue.SimpleQueue()
    alarm = alarm_of(system(tmp_path))
    assert alarm is not None
    with watch_power(reported.put, tmp_path, interval_s=0.01):
        for value in ("1\n", "0\n", "1\n"):
            alarm.write_text(value)
            assert reported.get(timeout=PATIENCE_S) == Power(low=value == "1\n")
    assert reported.empty()


def test_a_voltage_that_is_right_is_not_told_and_nobody_watches_where_there_is_no_alarm(tmp_path: Path) -> None:
    with watch_power(lambda _: None, tmp_path):
        assert "power" not in {thread.name for thread in threading.enumerate()}
    reported: list[Power] = []
    with watch_power(reported.append, system(tmp_path), interval_s=3600):
        assert "power" in {thread.name for thread in threading.enumerate()}
    assert "power" not in {thread.name for thread in threading.enumerate()}
    assert reported == []


def test_an_alarm_that_goes_away_ends_the_watch_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threading.Event()

    def gone(_: bytes) -> bool:
        looked.set()
        raise OSError(19, "No such device")

    monkeypatch.setattr(power, "_reads", gone)
    with watch_power(lambda _: None, system(tmp_path), interval_s=0.01):
        assert looked.wait(PATIENCE_S)
    assert "power is no longer watched" in capsys.readouterr().out
