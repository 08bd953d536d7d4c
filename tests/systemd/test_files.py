"""What stands beside the units, asked of the tools that read it: users, folders, device rules, and the snippets of systemd's own settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.systemd.laid import COMMANDS, PROGRAMS, UNITS, asked

RULES = UNITS / "udev/rules.d/60-tileclock-appliance.rules"
KNOWN = {
    "journald.conf.d": ("Journal", {"Storage", "RuntimeMaxUse", "MaxLevelConsole", "ForwardToConsole", "ForwardToWall"}),
    "logind.conf.d": (
        "Login",
        {"NAutoVTs", "ReserveVT", "HandlePowerKey", "HandlePowerKeyLongPress", "HandleRebootKey", "HandleSuspendKey", "HandleHibernateKey"},
    ),
    "system.conf.d": ("Manager", {"RuntimeWatchdogSec", "RebootWatchdogSec", "CtrlAltDelBurstAction", "DefaultTimeoutStopSec"}),
}
"""The keys of journald.conf(5), logind.conf(5) and systemd-system.conf(5) that we use: no tool reads these files without their service."""


GROUPS = {"gpio", "dialout", "video", "render", "input"}
"""Those that the units ask for (``test_units``)."""


def _sysusers(root: Path, program: str) -> dict[str, tuple[int, str]]:
    """Make the program's user below ``root``; return each group's number and members."""
    (root / "etc").mkdir(exist_ok=True)
    code, said = asked("systemd-sysusers", f"--root={root}", UNITS / "sysusers.d" / f"{program}.conf")
    assert code == 0, said
    lines = [line.split(":") for line in (root / "etc/group").read_text().splitlines()]
    return {name: (int(number), members) for name, _, number, members in lines}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_user_is_made_without_a_shell_and_is_in_the_groups_of_the_devices_which_are_made_where_they_are_missing(
    tmp_path: Path, program: str
) -> None:
    groups = _sysusers(tmp_path, program)
    (line,) = [line for line in (tmp_path / "etc/passwd").read_text().splitlines() if line.startswith(f"{program}:")]
    assert line.endswith(f":/var/lib/{program}:/usr/sbin/nologin")
    assert {name for name, (_, members) in groups.items() if members == program} == GROUPS


def test_the_halls_user_is_in_no_group_of_a_device(tmp_path: Path) -> None:
    groups = _sysusers(tmp_path, "tilehall")
    assert {name for name, (_, members) in groups.items() if "tilehall" in members.split(",")} == set()
    assert "tilehall" in groups


def test_groups_that_are_there_keep_their_numbers_and_members_and_an_older_user_is_added(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\npi:x:1000:1000::/:/bin/sh\ntileclock:x:990:990::/:/bin/sh\n")
    (tmp_path / "etc/group").write_text(
        "root:x:0:\npi:x:1000:\ntileclock:x:990:\ndialout:x:20:\nvideo:x:44:pi\nrender:x:105:\ninput:x:106:\ngpio:x:993:pi\n"
    )
    groups = _sysusers(tmp_path, "tileclock")
    assert {name: groups[name] for name in GROUPS} == {
        "dialout": (20, "tileclock"),
        "video": (44, "pi,tileclock"),
        "render": (105, "tileclock"),
        "input": (106, "tileclock"),
        "gpio": (993, "pi,tileclock"),
    }
    assert _sysusers(tmp_path, "tileclock") == groups


@pytest.mark.needs_root
def test_state_folders_are_there_before_the_first_start_and_ctrl_alt_del_is_masked(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text(
        "root:x:0:0::/:/bin/sh\ntilekiosk:x:990:990::/:/bin/sh\ntileclock:x:991:991::/:/bin/sh\ntilehall:x:992:992::/:/bin/sh\n"
    )
    (tmp_path / "etc/group").write_text("root:x:0:\ntilekiosk:x:990:\ntileclock:x:991:\ntilehall:x:992:\n")
    for each in sorted((UNITS / "tmpfiles.d").iterdir()):
        code, said = asked("systemd-tmpfiles", f"--root={tmp_path}", "--create", each)
        assert (code, said) == (0, "")
    assert (tmp_path / "run/systemd/system/ctrl-alt-del.target").readlink() == Path("/dev/null")
    for name, owner in (("tilekiosk", 990), ("tilekiosk/lexicons", 990), ("tilekiosk/export", 990), ("tileclock", 991), ("tilehall", 992)):
        made = (tmp_path / "var/lib" / name).stat()
        assert (made.st_uid, made.st_gid, made.st_mode & 0o777) == (owner, owner, 0o750)
    assert (tmp_path / "var/lib/tilehall/link").stat().st_mode & 0o7777 == 0o2770


@pytest.mark.parametrize("program", COMMANDS)
def test_the_package_makes_user_and_folders(program: str) -> None:
    rules = (UNITS / "debian/rules").read_text(encoding="utf-8")
    (loop,) = re.findall(
        r"^\tfor each in (.*); do \\\n\t\tcp systemd/sysusers\.d/.*; cp systemd/tmpfiles\.d/.*; done$", rules, re.MULTILINE
    )
    assert program in loop.split()
    # The folders' owner has to be there first.
    assert "execute_before_dh_installtmpfiles:\n\tdh_installsysusers\n" in rules


def test_a_device_rule_only_gives_a_device_to_a_group_and_lets_units_wait_for_it() -> None:
    for number, line in enumerate(RULES.read_text(encoding="utf-8").splitlines(), 1):
        parts = [] if line.startswith("#") else line.split(", ")
        assert all(re.fullmatch(r'(SUBSYSTEM|KERNEL)==".+"|(GROUP|MODE)=".+"|TAG\+="systemd"', part) for part in parts), f"line {number}"


@pytest.mark.parametrize("folder", KNOWN)
def test_a_snippet_of_systemds_settings_has_known_keys_only(folder: str) -> None:
    section, known = KNOWN[folder]
    (file,) = (UNITS / folder).iterdir()
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[0] == f"[{section}]"
    assert {line.split("=")[0] for line in lines[1:]} <= known


def test_the_journal_keeps_off_the_card_and_a_hung_kernel_is_started_anew() -> None:
    said = {folder: (UNITS / folder / "tileclock-appliance.conf").read_text(encoding="utf-8") for folder in KNOWN}
    assert "Storage=volatile" in said["journald.conf.d"]
    # The Pi's watchdog counts to 15 s at most.
    assert "RuntimeWatchdogSec=15s" in said["system.conf.d"]
    assert "HandlePowerKey=ignore\nHandlePowerKeyLongPress=poweroff" in said["logind.conf.d"]


def test_time_is_never_turned_fast_enough_to_cost_a_player_a_second_in_a_game() -> None:
    said = (UNITS / "chrony/conf.d/tileclock-appliance.conf").read_text(encoding="utf-8")
    (most,) = re.findall(r"^maxslewrate (\d+)$", said, re.MULTILINE)
    assert int(most) * 2 * 25 * 60 / 1e6 < 1
    assert re.search(r"^makestep 1 3$", said, re.MULTILINE)


def test_no_file_is_marked_to_be_run() -> None:
    assert [path for path in UNITS.rglob("*.conf") if path.stat().st_mode & 0o111] == []
