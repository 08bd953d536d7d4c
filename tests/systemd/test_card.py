"""What the card lays over Debian (``systemd/card``), as the system's own tools read it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from hall.keys.files import identity_in
from hall.settings import BOOT_FILES, Settings
from tests.systemd.laid import PROGRAMS, SYSTEM, UNITS, asked, laid

CARD: Final = UNITS / "card"
ROOT: Final = CARD / "root"
ELSEWHERE: Final = ("ssh.service", "wpa_supplicant@.service", "wpa_supplicant@wlan0.service")
"""Units of Debian's packages that not every machine has that builds."""


def _card(root: Path) -> Path:
    """Lay the units, and the card's over them, below ``root``."""
    units = laid(root) / SYSTEM
    shutil.copytree(ROOT, root, dirs_exist_ok=True)
    for name in ELSEWHERE:
        if not (units / name).exists():
            (units / name).write_text("[Service]\nExecStart=/usr/bin/tileclock\n")
    return root


@pytest.mark.parametrize("program", PROGRAMS)
def test_systemd_has_nothing_to_say_against_the_cards_units(tmp_path: Path, program: str) -> None:
    root = _card(tmp_path)
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


def test_the_root_is_read_only_and_what_the_system_writes_is_in_memory() -> None:
    lines = [line.split() for line in (ROOT / "etc/fstab").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert {mounted for _, mounted, kind, *_ in lines if kind == "tmpfs"} == {"/tmp", "/var/tmp", "/var/log", "/var/lib/systemd"}  # noqa: S108 - the card's
    assert [options.split(",")[0] for _, mounted, _, options, *_ in lines if mounted == "/"] == ["ro"]


def test_the_data_partition_is_mounted_as_the_packages_own_unit_does() -> None:
    options = re.search(r"^Options=(.*)$", (UNITS / "data/var-lib-tileclock.mount").read_text(encoding="utf-8"), re.MULTILINE)
    assert options
    assert f"-o {options[1]} " in (ROOT / "usr/lib/tileclock-card/partitions").read_text(encoding="utf-8")


def test_no_key_of_a_machine_and_no_password_is_in_the_tree() -> None:
    texts = [path.read_text(encoding="utf-8") for path in CARD.rglob("*") if path.is_file()]
    assert not [text for text in texts if "PRIVATE KEY" in text]
    sshd = (ROOT / "etc/ssh/sshd_config.d/card.conf").read_text(encoding="utf-8")
    assert {"PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin no"} <= set(sshd.splitlines())


def test_the_picture_comes_before_the_network() -> None:
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
