"""The services as they are shipped, under a systemd of their own: started, ready, killed, hung, with a settings file that is wrong, switched off from the menu.

What is measured is printed at the end of the run; this computer is no Pi.
"""

import re
import time
from collections.abc import Iterator

import pytest

from tests.firmware.shell.rig import rows_in
from tests.machine.figures import Figures
from tests.packaged.container import UNITS, Machine, machine

CLOCK = "tileclock.service"
STATION = "tilekiosk.service"
ENABLED = (CLOCK, "tileclock-poweroff.path", STATION, "tilekiosk-poweroff.path")
PARTITION = "srv/boot-partition"
FILES = {
    "etc/tileclock/clock.toml": '[board]\npins = "none"\n[screen]\nkind = "terminal"\n',
    "etc/tileclock/station.toml": '[lexicon]\npath = "/usr/lib/tileclock/lexicon/practice/practice.dawg"\n',
    f"{PARTITION}/tileclock.toml": 'rulebook = "naspa-2014"\n',
    # It is mounted only for units that name it as required.
    "etc/systemd/system/boot-firmware.mount": f"[Mount]\nWhat=/{PARTITION}\nWhere=/boot/firmware\nType=none\nOptions=bind\n",
}
UP = "\x1b[A"
DOWN = "\x1b[B"


@pytest.fixture(scope="module")
def booted() -> Iterator[Machine]:
    with machine(*ENABLED, files=FILES) as here:
        yield here


def game(here: Machine) -> str:
    return here.inside("tileclock", "journal", "show", "--journal", "/var/lib/tileclock/journal.db")


@pytest.mark.parametrize("unit", [CLOCK, STATION])
def test_it_is_ready_and_its_process_is_nobody_with_no_right_beyond_its_own(booted: Machine, unit: str, figures: Figures) -> None:
    inside = booted.ready(unit)
    figures.add(f"{unit}, start to ready: {booted.took_s(unit):.1f} s")
    status = booted.inside("cat", f"/proc/{inside}/status")
    assert re.search(r"^Uid:(\t[1-9]\d*){4}$", status, re.MULTILINE)
    assert re.search(r"^CapBnd:\t0{16}$", status, re.MULTILINE)
    assert re.search(r"^NoNewPrivs:\t1$", status, re.MULTILINE)
    assert re.search(r"^Seccomp:\t2$", status, re.MULTILINE)
    # Its network is its own, and has nothing in it.
    assert booted.inside("readlink", f"/proc/{inside}/ns/net") != booted.inside("readlink", "/proc/1/ns/net")
    assert re.findall(r"^ *(\w+):", booted.inside("cat", f"/proc/{inside}/net/dev"), re.MULTILINE) == ["lo"]
    home = f"/var/lib/{unit.removesuffix('.service')}"
    assert booted.inside("stat", "--format=%U %a", home).split() == [unit.removesuffix(".service"), "750"]


def test_the_file_on_the_boot_partition_was_taken_before_the_clock_was_started(booted: Machine) -> None:
    booted.ready(CLOCK)
    # Its log goes where its screen is, in this container: to the console.
    assert "from /boot/firmware/tileclock.toml" in booted.console
    assert "naspa-2014" in game(booted)


def test_what_the_boot_has_the_clock_wait_for(booted: Machine, figures: Figures) -> None:
    booted.ready(CLOCK)
    booted.until(lambda: booted.inside("systemctl", "is-system-running", check=False).strip() in ("running", "degraded"), "the boot to end")
    chain = booted.inside("systemd-analyze", "critical-chain", "--no-pager", CLOCK)
    figures.add(f"critical chain of the clock's start:\n{chain}")
    assert not re.search("network|time-sync|getty|multi-user", chain.split(CLOCK, 1)[1])


def test_nothing_of_systems_journal_is_written_to_the_card(booted: Machine) -> None:
    booted.ready(CLOCK)
    assert list((booted.root / "var/log/journal").glob("*")) == []


def test_a_clock_that_is_killed_in_a_game_is_started_again_into_that_game_stopped(booted: Machine, figures: Figures) -> None:
    before = booted.ready(CLOCK)
    booted.type("l")
    booted.until(lambda: "press right" in game(booted), "the game to begin")
    assert "running" in game(booted).splitlines()[0]
    began = time.monotonic()
    booted.inside("sh", "-c", f"kill -KILL {before}")
    booted.ready(CLOCK, but=before)
    figures.add(f"clock, SIGKILL to ready again: {time.monotonic() - began:.1f} s")
    first, *rows = game(booted).splitlines()
    assert re.match(r"\s*1 ", first), "the same game"
    assert "neutral" in first
    # The sentinel lives through the unit's end, and the crash record through its restart: all of the time is known.
    assert any("recovered after an interruption (program restarted): no time is missing" in row for row in rows)
    booted.until(lambda: "THE PROGRAM RESTARTED, " in booted.console, "the screen to tell of it")


@pytest.mark.parametrize(("unit", "watched_s"), [(CLOCK, 10), (STATION, 30)])
def test_a_loop_that_hangs_is_ended_and_started_again_and_says_where(booted: Machine, unit: str, watched_s: int, figures: Figures) -> None:
    before = booted.ready(unit)
    began = time.monotonic()
    booted.inside("sh", "-c", f"kill -STOP {before}")
    booted.ready(unit, but=before)
    took = time.monotonic() - began
    figures.add(f"{unit}, hang to ready again: {took:.1f} s (watchdog {watched_s} s)")
    assert watched_s / 2 - 1 < took < watched_s + 15
    said = booted.said(unit)
    assert "Watchdog timeout" in said
    assert "Fatal Python error: Aborted" in said
    assert "loop.py" in said


def test_after_a_stop_in_order_nothing_is_missing(booted: Machine, figures: Figures) -> None:
    booted.ready(CLOCK)
    # The times of the game that was killed are confirmed first, else that stays to be told.
    for keys in ("k", "\r", "k"):
        booted.press(keys)
    booted.until(lambda: "confirmed" in game(booted), "the director's word to be kept")
    began = time.monotonic()
    booted.inside("systemctl", "stop", CLOCK)
    figures.add(f"clock, told to stop until it has: {time.monotonic() - began:.1f} s")
    assert booted.of_unit(CLOCK, "Result", "ActiveState") == {"Result": "success", "ActiveState": "inactive"}
    assert "stopped" in game(booted)
    assert booted.inside("tileclock", "journal", "verify").startswith("Whole")
    booted.inside("systemctl", "start", CLOCK)
    booted.until(lambda: "SWITCHED OFF" in booted.console, "the screen to tell of it")


def test_a_boot_partition_that_cannot_be_mounted_is_told_of_and_what_was_on_it_last_is_in_force() -> None:
    with machine(*ENABLED[:2], files=FILES) as here:
        here.ready(CLOCK)
        here.inside("systemctl", "stop", CLOCK, "boot-firmware.mount")
        here.inside("rm", "-r", "/var/lib/tileclock/journal.db", f"/{PARTITION}")
        # systemd would make a folder that is missing, and mount that.
        here.inside("touch", f"/{PARTITION}")
        here.inside("systemctl", "start", CLOCK)
        here.ready(CLOCK)
        assert here.of_unit("boot-firmware.mount", "ActiveState") == {"ActiveState": "failed"}
        assert "settings not taken: /boot/firmware/tileclock.toml: expected settings, found no file" in here.console
        assert "naspa-2014" in game(here), "the last good file's rulebook"
        here.until(lambda: "tileclock.toml" in here.console, "the screen to tell of it")


def test_the_director_switches_the_machine_off_from_the_menu(figures: Figures) -> None:
    with machine(*ENABLED[:2], files=FILES) as here:
        here.ready(CLOCK)
        here.press("k")
        # The menu begins on the row that is likely now.
        while "▶ Switch the machine off" not in here.console:
            here.press(UP)
        for keys in ("\r", DOWN, "\r"):
            here.press(keys)
        began = time.monotonic()
        here.until(here.has_ended, "the machine to be off")
        figures.add(f"switched off in the menu, until the machine is off: {time.monotonic() - began:.1f} s")
        kept = {row.row.kind: row.row.body for row in rows_in(here.root / "var/lib/tileclock/journal.db")}
        assert "asked for in the menu" in kept["note"]
        assert "stopped" in kept, "ended in good order, by systemd's signal"


def test_of_both_programs_on_one_machine_one_has_the_panel_and_no_login_prompt_is_under_it() -> None:
    shipped = (UNITS / "tileclock.service.d/screen.conf", UNITS / "tilekiosk.service.d/screen.conf")
    about = [each.read_text(encoding="utf-8").partition("[Service]")[0] for each in shipped]
    homes = [f"usr/lib/systemd/system/{each.parent.name}/alone.conf" for each in shipped]
    # There is no /dev/tty1 here: a service stands for the login prompt, wanted by the same target.
    prompt = "[Service]\nExecStart=/usr/bin/sleep infinity\n"
    wanted = {"etc/systemd/system/getty@.service": prompt, "etc/systemd/system/getty.target.wants/getty@tty1.service": prompt}
    with machine(CLOCK, STATION, files={**FILES, **wanted, **dict(zip(homes, about, strict=True))}) as here:
        here.until(lambda: here.is_ready(CLOCK) or here.is_ready(STATION), "one of them to be ready")
        stands = [here.of_unit(unit, "ActiveState")["ActiveState"] for unit in (CLOCK, STATION, "getty@tty1.service")]
        assert sorted(stands) == ["active", "inactive", "inactive"]
        assert stands[2] == "inactive"
