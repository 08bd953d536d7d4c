import gc
import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from appliance.clocks import Clocks, is_dated
from appliance.errors import PowerOffError, State
from appliance.log import get_logger
from appliance.process import fast_startup, startup_done
from appliance.program import Heartbeat, Inbox, PowerOff, UpdateRequest, supervisor, update_request
from appliance.wall_time import Timekeeper, check_timekeeper, check_wall, find_timekeeper, synchronised
from tests.cells import each_cell
from tests.errors import with_fields
from tests.hardware.waiting import Systemd
from tests.processes import ready
from tests.some import some


def test_the_clocks_are_the_kernels_and_the_wall_is_in_utc() -> None:
    clocks = Clocks()
    before, now, after = time.monotonic_ns(), clocks.now(), time.monotonic_ns()
    assert before <= now <= after
    assert clocks.boot() == Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    wall = datetime.fromisoformat(clocks.wall())
    assert wall.utcoffset() == datetime.now(UTC).utcoffset()
    assert abs((datetime.now(UTC) - wall).total_seconds()) < 60


class Sleeper:
    def __init__(self, *, blocks: bool) -> None:
        self.blocks = blocks
        self.woken = 0
        self.slept: list[int | None] = []

    def wait(self, timeout_ms: int | None) -> None:
        self.slept.append(timeout_ms)

    def wake(self) -> None:
        self.woken += 1


def test_what_was_put_in_is_taken_in_its_order_and_once_whichever_thread_puts_it_in() -> None:
    inbox: Inbox[str] = Inbox()
    for word in ("one", "two"):
        inbox.put(word)
    assert inbox.wait(None) == ["one", "two"]
    assert inbox.wait(0) == []
    thread = threading.Thread(target=inbox.put, args=("three",))
    thread.start()
    assert inbox.wait(None) == ["three"]
    thread.join()


def test_a_sleeper_is_woken_for_what_comes_and_for_what_came_before_it_until_it_is_replaced() -> None:
    inbox: Inbox[int] = Inbox()
    inbox.put(1)
    sleeper, another = Sleeper(blocks=True), Sleeper(blocks=False)
    inbox.wake_on_put(sleeper)
    assert sleeper.woken == 1
    inbox.put(2)
    assert sleeper.woken == 2
    assert inbox.wait(0) == [1, 2]
    inbox.wake_on_put(another)
    inbox.put(3)
    assert (sleeper.woken, another.woken) == (2, 1)


def test_the_loop_sleeps_in_a_sleeper_that_blocks_no_moment_too_short_and_on_the_inbox_otherwise() -> None:
    inbox: Inbox[int] = Inbox()
    inbox.put(1)
    sleeper = Sleeper(blocks=True)
    assert inbox.sleep(sleeper, 1_000_001) == [1]
    assert inbox.sleep(sleeper, None) == []
    assert sleeper.slept == [2, None]
    assert inbox.sleep(Sleeper(blocks=False), 1) == []


def test_what_is_logged_stands_in_one_line_and_a_full_standard_output_ends_no_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    get_logger().info("ready", pins="none")
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "ready" in out
    assert "pins" in out
    # Unbuffered: nothing is left to be refused when it is closed.
    with Path("/dev/full").open("wb", buffering=0) as device:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(device, write_through=True))
        get_logger().warning("journal", trouble="the disk is full")


NS = 1_000_000_000


def test_it_beats_at_half_of_the_watchdogs_time_if_that_is_for_this_process() -> None:
    systemd = Systemd()
    heart = Heartbeat(systemd, {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 7)
    beats = []
    for second in range(5, 41):
        before = len(systemd.heard)
        due = some(heart.beat(second * NS))
        assert second * NS < due <= (second + 10) * NS
        beats += [second] * (len(systemd.heard) - before)
    assert beats == [5, 15, 25, 35]
    assert set(systemd.heard) == {"WATCHDOG=1"}
    # After a late beat the next is half of the time from then.
    assert heart.beat(58 * NS) == 68 * NS
    # Silent without a request, or if it was for another process; a long start asks for more time.
    systemd = Systemd()
    for environment in ({}, {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"}, {"WATCHDOG_USEC": "-1"}, {"WATCHDOG_USEC": "0"}):
        heart = Heartbeat(systemd, environment, 7)
        assert [heart.beat(second * NS) for second in range(100)] == [None] * 100
    assert systemd.heard == []
    heart.extend_startup(180)
    assert systemd.heard == ["EXTEND_TIMEOUT_USEC=180000000"]


def test_the_wish_to_switch_off_is_a_file_at_the_named_place_or_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    wish = supervisor(Systemd(), {"WISH": str(tmp_path / "poweroff")}, "WISH").power_off
    assert wish is not None
    assert wish == PowerOff(tmp_path / "poweroff")
    assert not wish.path.exists()
    wish.ask()
    assert wish.path.is_file()
    for named in ({}, {"WISH": ""}, {"WISH": "poweroff"}, {"WISH": "/nowhere/at/all/poweroff"}):
        assert supervisor(Systemd(), named, "WISH").power_off is None
    gone = tmp_path / "gone" / "poweroff"
    with pytest.raises(PowerOffError, check=with_fields(where=str(gone), remedy="Use the power button")):
        PowerOff(gone).ask()


KEYS = ("WISH", "OUTCOME")


def test_the_wish_for_an_update_is_an_empty_file_at_the_named_place_until_it_is_withdrawn(tmp_path: Path) -> None:
    wish = update_request({"WISH": str(tmp_path / "update"), "OUTCOME": str(tmp_path / "outcome")}, *KEYS)
    assert wish == UpdateRequest(tmp_path / "update", tmp_path / "outcome")
    wish.ask()
    assert wish.path.read_bytes() == b""
    for _ in range(2):
        wish.withdraw()
        assert not wish.path.exists()
    # It is not offered where no unit looks for it.
    for named in ({}, {"WISH": "/nowhere/at/all/update", "OUTCOME": "/run/x"}, {"WISH": f"{tmp_path}/update"}):
        assert update_request(named, *KEYS) is None
    # What came of it is a word, if there is one.
    assert wish.last() == ""
    for content, reported in ((b"failed\n", "failed"), (b"\xff", "")):
        (tmp_path / "outcome").write_bytes(content)
        assert wish.last() == reported


BUSY = """
import subprocess, sys
from appliance.program import Inbox
from appliance.process import exit_on_signals, termination_signals
inbox = Inbox()
with termination_signals() as asked:
    if sys.argv[1] == "at the start":
        print("ready", flush=True)
        with exit_on_signals():
            # Where it comes while that is being started, that stays behind: it is not to hold our end of the pipe.
            subprocess.run(["sleep", "5"], stdout=subprocess.DEVNULL)
    with exit_on_signals():
        pass
    print("ready", flush=True)
    asked(lambda: inbox.put("asked to leave"), outlives_session=sys.argv[1] == "outlives")
    print(*inbox.wait(None), flush=True)
"""


def program(word: str) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", BUSY, word], stdout=subprocess.PIPE, text=True)
    assert some(process.stdout).readline() == "ready\n"
    return process


def said_by(process: subprocess.Popen[str]) -> tuple[str, int]:
    said, _ = process.communicate(timeout=60)
    return said, process.returncode


@pytest.mark.parametrize("each", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize(("when", "said"), [("at the start", ""), ("later", "asked to leave\n")])
def test_a_signal_ends_a_program_without_inputs_where_it_is_and_is_an_input_once_it_has_them(
    each: signal.Signals, when: str, said: str
) -> None:
    process = program(when)
    process.send_signal(each)
    assert said_by(process) == (said, 0)


def test_a_program_that_outlives_its_session_goes_on_until_it_is_asked_otherwise() -> None:
    process = program("outlives")
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.3)
    process.send_signal(signal.SIGTERM)
    assert said_by(process) == ("asked to leave\n", 0)


NEEDLESS: Final = {
    "PIL": "slips, by escpos",
    "asyncio": "no part of ours; libraries for logging load it",
    "click": "the command line",
    "pygame.imageext": "pictures from files",
    "typing_extensions": "Pythons without these types",
    "escpos": "slips",
    "firmware.doctor": "the self-test",
    "firmware.replay": "scripts",
    "firmware.screens.terminal": "a screen of its own kind",
    "hardware.electrics": "the check of a board",
    "hardware.buttons.self_test": "the self-test",
    "tools.wiring": "pictures",
    "kiosk.doctor": "the self-test, from the desk",
    "lexicon.formats": "other programs' word lists",
    "pygments": "rich",
    "rich": "tables, and the terminal's screen",
    "serial": "LED displays and the printer",
    "unittest": "tests",
    "yaml": "slips, by escpos",
}

STARTING: Final = """
import sys
from pathlib import Path
from appliance.process import loaded

settings = loaded("PACKAGE.settings")
from sdnotify import SystemdNotifier

notify = SystemdNotifier.notify
def notified(self, said):
    if said == "READY=1":
        print(*(name for name, module in sys.modules.items() if module is not None), flush=True)
    notify(self, said)

SystemdNotifier.notify = notified
settings.SYSTEM_FILE, settings.BOOT_FILES = Path(sys.argv.pop(1)) / "machine.toml", ()
loaded("PACKAGE.cli").main()
"""
"""As a service starts it: without options."""
RECORD: Final = {"firmware": "journal", "kiosk": "log"}


def started(folder: Path, package: str, text: str, **environment: str) -> AbstractContextManager[subprocess.Popen[str]]:
    words = (sys.executable, "-c", text.replace("PACKAGE", package).replace("RECORD", RECORD[package]), str(folder), "run")
    return ready(words, folder, SDL_VIDEODRIVER="dummy", STATE_DIRECTORY=str(folder / "state"), **environment)


def machines_own(folder: Path, package: str, record: Path) -> None:
    (folder / "machine.toml").write_text(f'board.pins = "mock"\n{RECORD[package]}.path = "{record}"\n', encoding="utf-8")


@pytest.mark.parametrize("package", ["firmware", "kiosk"])
def test_nothing_is_loaded_before_the_first_picture_that_it_does_without(tmp_path: Path, package: str) -> None:
    machines_own(tmp_path, package, tmp_path / "kept.db")
    with started(tmp_path, package, STARTING) as program:
        loaded = set(next(line for line in some(program.stdout) if " builtins " in line).split())
    assert "appliance.display.pane" in loaded
    assert {name: NEEDLESS[name] for name in loaded & NEEDLESS.keys()} == {}


@pytest.mark.parametrize(("package", "program"), [("firmware", "tileclock"), ("kiosk", "tilekiosk")])
def test_a_run_without_options_ends_with_a_sentence_where_it_cannot_start(tmp_path: Path, package: str, program: str) -> None:
    machines_own(tmp_path, package, tmp_path / "kept.db")
    environment = {**os.environ, "SDL_VIDEODRIVER": "none", "STATE_DIRECTORY": str(tmp_path / "state")}
    environment.pop("JOURNAL_STREAM", None)
    words = [sys.executable, "-c", STARTING.replace("PACKAGE", package), str(tmp_path), "run"]
    ended = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert re.search(rf"^{program}: expected a display for the window, found none", ended.stderr, re.MULTILINE)


def test_the_collector_is_off_from_a_verbs_first_step_until_it_has_begun() -> None:
    seen: list[bool] = []

    @fast_startup
    def verb(first: int, *, second: int) -> int:
        seen.append(gc.isenabled())
        startup_done()
        seen.append(gc.isenabled())
        return first + second

    try:
        assert verb(1, second=2) == 3
        assert seen == [False, True]
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.enable()


def test_numpy_is_out_of_reach_until_then_though_it_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "numpy.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "numpy", raising=False)

    @fast_startup
    def verb(*, begins: bool) -> None:
        with pytest.raises(ImportError):
            import_module("numpy")
        if begins:
            startup_done()
            import_module("numpy")

    try:
        verb(begins=False)
        assert "numpy" not in sys.modules
        verb(begins=True)
        assert sys.modules["numpy"].__file__ == str(tmp_path / "numpy.py")
    finally:
        gc.unfreeze()
        # It is an empty one: the libraries of other tests would take it for the real one.
        sys.modules.pop("numpy", None)


REST_S: Final = 6
CEILING_S: Final = 90
MAX: Final = {"firmware": 6, "kiosk": 18}
"""Wake-ups of all threads together in a rest. The clock has its beat to systemd alone; the station looks once a second whether its lexicon's file was replaced."""

RESTING: Final = """
import importlib, os, sys
from pathlib import Path
from unittest.mock import patch
from appliance.display.pane import Pane
from appliance.display.pane import Devices, Hotplug

folder, verb = sys.argv[1:]
show = Pane._show
def shown(pane, boxes):
    drawn = show(pane, boxes)
    if drawn:
        print("picture", flush=True)
    return drawn

devices = lambda _: Devices(Path(folder) / "input", Hotplug(Path(folder) / "data"))
with patch("appliance.display.pane.sources", devices), patch.object(Pane, "_show", shown):
    importlib.import_module("PACKAGE.cli.main").main(
        [verb, "--pins", "mock", "--RECORD", os.path.join(folder, "kept.db")], standalone_mode=False
    )
"""


class Pictures:
    def __init__(self, program: subprocess.Popen[str]) -> None:
        self.count = 0
        self._program = program
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._program.stdout is not None
        for line in self._program.stdout:
            self.count += line == "picture\n"


def wakes(pid: int) -> int:
    """Return how often the threads of a process have slept and been woken so far."""
    statuses = [(task / "status").read_text(encoding="utf-8") for task in Path(f"/proc/{pid}/task").iterdir()]
    lines = [line for status in statuses for line in status.splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches:"))


@pytest.mark.waits(6)
@pytest.mark.parametrize("package", ["firmware", "kiosk"])
def test_at_rest_nothing_is_drawn_and_next_to_nothing_wakes_it(tmp_path: Path, package: str) -> None:
    for each in ("input", "data"):
        (tmp_path / each).mkdir()
    with started(tmp_path, package, RESTING, WATCHDOG_USEC="10000000") as program:
        pictures = Pictures(program)
        ends = time.monotonic() + CEILING_S
        rests: list[tuple[int, int]] = []
        # What the start has left to do is done in the first of them, on a slow machine in the first few.
        while not rests or rests[-1][0] or rests[-1][1] > MAX[package]:
            assert time.monotonic() < ends, f"pictures and wake-ups in each {REST_S} s: {rests}"
            drawn, woken = pictures.count, wakes(program.pid)
            time.sleep(REST_S)
            rests.append((pictures.count - drawn, wakes(program.pid) - woken))
    assert pictures.count > 0


def test_the_walls_time_and_who_keeps_it_are_never_more_than_a_note() -> None:
    for year, is_synchronised, state, said in (
        (2026, True, State.OK, "synchronised"),
        (2026, False, State.NOTE, "not synchronised; only the log's dates go by it"),
        (2026, None, State.NOTE, "cannot be asked"),
        (1970, True, State.NOTE, "1970-01-01 00:00 UTC cannot be right; only the log's dates are wrong with it"),
    ):
        (finding,) = check_wall(datetime(year, 1, 1, tzinfo=UTC), is_synchronised, "the log's dates")
        assert (finding.state, said in finding.found) == (state, True)
    for kept_by, state, said in (
        (Timekeeper("timesyncd", chip=False), State.OK, "timesyncd; no clock chip: a start begins at the last time that was noted"),
        (Timekeeper("chrony", chip=True), State.OK, "chrony; a clock chip, which needs a battery of its own"),
        (Timekeeper("", chip=True), State.NOTE, "no service; a clock chip, which needs a battery of its own"),
        (Timekeeper(None, chip=False), State.NOTE, "no service that can be asked for; no clock chip: a start begins at the last time that"),
    ):
        (finding,) = check_timekeeper(kept_by)
        assert (finding.name, finding.state, finding.found.startswith(said)) == ("time keeper", state, True)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that alone is on the PATH: programs of a system made up here go into it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def _answering(folder: Path, name: str, answer: str, wanted: str) -> None:
    path = folder / name
    path.write_text(f'#!/bin/sh\n[ "$*" = "{wanted}" ] || exit 9\n{answer}\n')
    path.chmod(0o755)


def test_who_keeps_the_time_is_the_service_that_runs_and_whether_it_is_synchronised_what_the_system_says(system: Path) -> None:
    # Without systemd there is nothing to ask; a missing chip is reported.
    assert find_timekeeper(system / "rtc0") == Timekeeper(None, chip=False)
    assert synchronised() is None
    (system / "rtc0").touch()
    for answer, by in (
        ("echo active; echo inactive; echo inactive; exit 3", "timesyncd"),
        ("echo inactive; echo active; echo inactive; exit 3", "chrony"),
        ("echo active; echo active; echo inactive; exit 3", "timesyncd, chrony"),
        ("echo inactive; echo failed; echo inactive; exit 3", ""),
        ("exit 1", None),
    ):
        _answering(system, "systemctl", answer, "is-active systemd-timesyncd.service chrony.service ntpsec.service")
        assert find_timekeeper(system / "rtc0") == Timekeeper(by, chip=True)
    for answer, there in (("echo yes", True), ("echo no", False), ("exit 1", None), ("echo perhaps", None)):
        _answering(system, "timedatectl", answer, "show --property=NTPSynchronized --value")
        assert synchronised() is there


def test_a_wall_time_is_a_date_where_it_can_be_read_and_is_no_older_than_the_program() -> None:
    for cell in each_cell(
        [
            ("2026-11-21T10:00:00.000+00:00", True),
            ("2025-01-01T00:00:00+00:00", True),
            ("2025-01-01T00:59:59+01:00", False),
            ("1970-01-01T00:00:12.345+00:00", False),
            ("2026-11-21T10:00:00", False),
            ("yesterday", False),
            ("", False),
        ]
    ):
        with cell as (wall, dated):
            assert is_dated(wall) is dated
