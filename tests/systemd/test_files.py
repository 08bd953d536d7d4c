import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest

from hall.keys.files import identity_in
from hall.settings import BOOT_FILES, Settings
from tests.systemd.laid import COMMANDS, PROGRAMS, SYSTEM, UNITS, asked, laid

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


GROUPS = {
    "tileclock": {"gpio", "dialout", "i2c", "audio", "video", "render", "input"},
    "tilekiosk": {"gpio", "dialout", "audio", "video", "render", "input"},
}
"""Those that the units ask for (``test_units``)."""


def _sysusers(root: Path, program: str) -> dict[str, tuple[int, str]]:
    """Make the program's user below ``root``; return each group's number and members."""
    (root / "etc").mkdir(exist_ok=True)
    code, said = asked("systemd-sysusers", f"--root={root}", UNITS / "sysusers.d" / f"{program}.conf")
    assert code == 0, said
    lines = [line.split(":") for line in (root / "etc/group").read_text().splitlines()]
    return {name: (int(number), members) for name, _, number, members in lines}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_user_is_made_without_a_shell_in_the_groups_of_the_devices_which_are_made_where_missing(tmp_path: Path, program: str) -> None:
    groups = _sysusers(tmp_path, program)
    (line,) = [line for line in (tmp_path / "etc/passwd").read_text().splitlines() if line.startswith(f"{program}:")]
    assert line.endswith(f":/var/lib/{program}:/usr/sbin/nologin")
    assert {name for name, (_, members) in groups.items() if members == program} == GROUPS[program]


def test_the_halls_user_is_in_no_group_of_a_device(tmp_path: Path) -> None:
    groups = _sysusers(tmp_path, "tilehall")
    assert {name for name, (_, members) in groups.items() if "tilehall" in members.split(",")} == set()
    assert "tilehall" in groups


def test_groups_that_are_there_keep_their_numbers_and_members_and_an_older_user_is_added(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\npi:x:1000:1000::/:/bin/sh\ntileclock:x:990:990::/:/bin/sh\n")
    (tmp_path / "etc/group").write_text(
        "root:x:0:\npi:x:1000:\ntileclock:x:990:\ndialout:x:20:\naudio:x:29:\nvideo:x:44:pi\nrender:x:105:\ninput:x:106:\ngpio:x:993:pi\ni2c:x:994:pi\n"
    )
    groups = _sysusers(tmp_path, "tileclock")
    assert {name: groups[name] for name in GROUPS["tileclock"]} == {
        "dialout": (20, "tileclock"),
        "audio": (29, "tileclock"),
        "video": (44, "pi,tileclock"),
        "render": (105, "tileclock"),
        "input": (106, "tileclock"),
        "gpio": (993, "pi,tileclock"),
        "i2c": (994, "pi,tileclock"),
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


def test_the_journal_keeps_off_the_card_a_hung_kernel_is_started_anew_and_time_is_never_turned_fast() -> None:
    said = {folder: (UNITS / folder / "tileclock-appliance.conf").read_text(encoding="utf-8") for folder in KNOWN}
    assert "Storage=volatile" in said["journald.conf.d"]
    # The Pi's watchdog counts to 15 s at most.
    assert "RuntimeWatchdogSec=15s" in said["system.conf.d"]
    assert "HandlePowerKey=ignore\nHandlePowerKeyLongPress=poweroff" in said["logind.conf.d"]
    chrony = (UNITS / "chrony/conf.d/tileclock-appliance.conf").read_text(encoding="utf-8")
    (most,) = re.findall(r"^maxslewrate (\d+)$", chrony, re.MULTILINE)
    assert int(most) * 2 * 25 * 60 / 1e6 < 1
    assert re.search(r"^makestep 1 3$", chrony, re.MULTILINE)
    assert [path for path in UNITS.rglob("*.conf") if path.stat().st_mode & 0o111] == []


CARD: Final = UNITS / "card"
ROOT: Final = CARD / "root"
ELSEWHERE: Final = ("ssh.service", "wpa_supplicant@.service", "wpa_supplicant@wlan0.service")
"""Units of Debian's packages that not every machine has that builds."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_systemd_has_nothing_to_say_against_the_cards_units(tmp_path: Path, program: str) -> None:
    root = laid(tmp_path)
    shutil.copytree(ROOT, root, dirs_exist_ok=True)
    for name in ELSEWHERE:
        if not (root / SYSTEM / name).exists():
            (root / SYSTEM / name).write_text("[Service]\nExecStart=/usr/bin/tileclock\n")
    for name in ("sbin/wpa_supplicant", "sbin/sshd"):
        (root / "usr" / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / "usr/bin/tileclock", root / "usr" / name)
    names = [
        f"tileclock-card@{program}.service",
        f"tileclock-machine@{program}.service",
        f"tilehall-enrol@{program}.service",
        f"tilehall-link@{program}.service",
    ]
    code, said = asked("systemd-analyze", "verify", "--recursive-errors=no", "--man=no", f"--root={root}", *names)
    ours = [line for line in said.splitlines() if "tile" in line]
    assert ours == []
    assert code == 0, said


@pytest.mark.parametrize("script", ["partitions", "host-key"])
def test_the_scripts_are_read_by_a_plain_shell_and_can_be_run(script: str) -> None:
    path = ROOT / "usr/lib/tileclock-card" / script
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["/bin/sh", "-n", str(path)], capture_output=True, text=True, check=False).stderr == ""


def test_the_root_is_read_only_what_is_written_is_in_memory_and_data_is_mounted_as_by_the_package() -> None:
    lines = [line.split() for line in (ROOT / "etc/fstab").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert {mounted for _, mounted, kind, *_ in lines if kind == "tmpfs"} == {"/tmp", "/var/tmp", "/var/log", "/var/lib/systemd"}  # noqa: S108 - the card's
    assert [options.split(",")[0] for _, mounted, _, options, *_ in lines if mounted == "/"] == ["ro"]
    options = re.search(r"^Options=(.*)$", (UNITS / "data/var-lib-tileclock.mount").read_text(encoding="utf-8"), re.MULTILINE)
    assert options
    assert f"-o {options[1]} " in (ROOT / "usr/lib/tileclock-card/partitions").read_text(encoding="utf-8")


def test_no_key_or_password_is_in_the_tree_and_the_picture_comes_before_the_network() -> None:
    texts = [path.read_text(encoding="utf-8") for path in CARD.rglob("*") if path.is_file()]
    assert not [text for text in texts if "PRIVATE KEY" in text]
    sshd = (ROOT / "etc/ssh/sshd_config.d/card.conf").read_text(encoding="utf-8")
    assert {"PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin no"} <= set(sshd.splitlines())
    unit = (ROOT / "usr/lib/systemd/system/tileclock-machine@.service").read_text(encoding="utf-8")
    assert re.search(r"^After=.*%i\.service", unit, re.MULTILINE)


def test_only_the_halls_file_or_a_certificate_brings_a_card_into_a_hall() -> None:
    found = {
        unit: re.findall(
            r"^ConditionPathExists=(.*)$", (ROOT / f"usr/lib/systemd/system/{unit}.d/card.conf").read_text("utf-8"), re.MULTILINE
        )
        for unit in ("tilehall-enrol@.service", "tilehall-link@.service")
    }
    file, certificate = BOOT_FILES[0], identity_in(Path(Settings().link.folder)).certificate
    assert found == {"tilehall-enrol@.service": [f"{file}"], "tilehall-link@.service": [f"|{file}", f"|{certificate}"]}


GENERATOR: Final = Path("/usr/lib/systemd/system-generators/systemd-fstab-generator")
CLOCK: Final = "var-lib-systemd-timesync.mount"
TIMESYNCD: Final = """[Unit]
DefaultDependencies=no
Before=time-set.target sysinit.target
[Service]
ExecStart=/usr/bin/tileclock
StateDirectory=systemd/timesync
"""
"""What matters here of Debian's unit, which not every machine has that builds."""


def _generated(folder: Path, program: str) -> Path:
    """Return ``folder`` with the units that systemd makes at boot of our fstab, for that program's data partition."""
    fstab = folder / "fstab"
    fstab.write_text((UNITS / "boot/fstab").read_text(encoding="utf-8").replace("/var/lib/tileclock/", f"/var/lib/{program}/"))
    made = folder / "made"
    made.mkdir()
    environment = {**os.environ, "SYSTEMD_FSTAB": str(fstab), "SYSTEMD_PROC_CMDLINE": "", "SYSTEMD_IN_INITRD": "0"}
    done = subprocess.run([GENERATOR, made, made, made], env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return made


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_last_time_that_was_known_is_kept_on_the_data_partition_and_no_boot_waits_for_it(tmp_path: Path, program: str) -> None:
    made = _generated(tmp_path, program)
    said = (made / CLOCK).read_text(encoding="utf-8")
    assert re.search(rf"^What=/var/lib/{program}/timesync$", said, re.MULTILINE)
    assert re.search(r"^Options=bind,nofail$", said, re.MULTILINE)
    # With the partition gone the boot goes on.
    assert not (made / "local-fs.target.requires" / CLOCK).is_symlink()
    assert "Before=local-fs.target" not in said


def test_the_rest_of_what_systemd_keeps_there_is_in_memory(tmp_path: Path) -> None:
    assert "Type=tmpfs" in (_generated(tmp_path, "tileclock") / "var-lib-systemd.mount").read_text(encoding="utf-8")


@pytest.mark.parametrize("program", PROGRAMS)
def test_systemd_has_nothing_to_say_against_a_time_service_that_waits_for_that_mount(tmp_path: Path, program: str) -> None:
    units = laid(tmp_path / "machine") / SYSTEM
    for unit in _generated(tmp_path, program).glob("*.mount"):
        (units / unit.name).write_bytes(unit.read_bytes())
    (units / "systemd-timesyncd.service").write_text(TIMESYNCD)
    (units / "sysinit.target.wants/systemd-timesyncd.service").unlink(missing_ok=True)
    (units / "sysinit.target.wants/systemd-timesyncd.service").symlink_to("../systemd-timesyncd.service")
    wanted = ("basic.target", "sysinit.target", "systemd-timesyncd.service", CLOCK, f"var-lib-{program}.mount")
    _, said = asked("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", f"--root={tmp_path / 'machine'}", *wanted)
    assert [line for line in said.splitlines() if re.search(r"cycl|timesync|tile", line)] == []


PROJECT: Final = Path(__file__).resolve().parents[2]
DEBIAN: Final = PROJECT / "systemd/debian"
LOCKED: Final = re.compile(r"^([a-z0-9-]+)==(\S+)((?: \\\n +--hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def wanted() -> dict[str, str]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = [each.split("==") for each in project["dependencies"]]
    return {name.lower().replace("_", "-"): version for name, version in pinned}


def from_debian() -> dict[str, str]:
    lines = (DEBIAN / "from-debian.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def locked() -> dict[str, str]:
    return {name: version for name, version, _ in LOCKED.findall((DEBIAN / "wheels.txt").read_text(encoding="utf-8"))}


def test_every_library_is_debians_or_locked_in_the_projects_version_and_has_its_licence() -> None:
    assert {name: version for name, version in wanted().items() if name not in from_debian()} == {
        name: version for name, version in locked().items() if name in wanted()
    }
    assert not locked().keys() & from_debian().keys()
    text = (DEBIAN / "wheels.txt").read_text(encoding="utf-8")
    assert text.count("==") == len(locked())
    copyrights = (DEBIAN / "copyright").read_text(encoding="utf-8")
    reported = {match.rstrip("-").replace("_", "-") for match in re.findall(r"^Files: wheels/(\S+)\*", copyrights, re.MULTILINE)}
    assert reported == locked().keys() - {"setuptools"}


def test_what_is_debians_is_asked_for_by_the_shared_package() -> None:
    shared = (DEBIAN / "control").read_text(encoding="utf-8").split("Package: tileclock-common")[1].split("\n\n")[0]
    assert [package for package in from_debian().values() if f"{package}," not in shared] == []
    assert {"libegl1", "libgles2", "libgl1-mesa-dri"} <= set(re.findall(r"[a-z0-9-]+(?=,)", shared))


def test_no_script_of_the_packages_starts_or_restarts_a_service() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in DEBIAN.iterdir() if path.suffix in (".postinst", ".prerm", ".postrm"))
    assert not re.search(r"(?:invoke|systemctl(?: --system)?) (?:try-)?(?:re)?start", scripts)
    calls = re.findall(r"^\tdh_installsystemd .*$", (DEBIAN / "rules").read_text(encoding="utf-8"), re.MULTILINE)
    assert [call for call in calls if "--no-start --no-stop-on-upgrade" not in call] == []
