"""Debian trixie has a younger systemd than bookworm: the units and the device rules, read by its own tools in a root of it."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machine.cache import scratch
from tests.machine.debian import root_tar, unpack
from tests.machine.figures import Figures
from tests.packaged.container import UNITS, lay_units


@pytest.fixture(scope="module")
def trixie() -> Iterator[Path]:
    with scratch() as work:
        root = work / "root"
        unpack(root_tar("trixie", ("systemd-sysv", "udev", "dbus")), root)
        lay_units(root)
        inside(root, "systemd-sysusers")
        for program in ("tileclock", "tilekiosk"):
            command = root / "usr/bin" / program
            command.write_text("#!/bin/sh\n")
            command.chmod(0o755)
        yield root


def inside(root: Path, *command: str) -> tuple[int, str]:
    done = subprocess.run(["chroot", str(root), *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def test_it_has_nothing_to_say_against_the_units(trixie: Path) -> None:
    names = [path.name for path in UNITS.iterdir() if path.suffix in (".service", ".path")]
    # Here the root is the root: what a unit names has to be there.
    _, said = inside(trixie, "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *names)
    assert [line for line in said.splitlines() if re.search(r"tile|Unknown", line)] == []


def test_little_is_left_to_an_intruder_by_its_reckoning_too(trixie: Path, figures: Figures) -> None:
    for service in ("tileclock.service", "tilekiosk.service"):
        _, said = inside(trixie, "systemd-analyze", "security", "--offline=true", "--no-pager", service)
        (exposure,) = re.findall(r"Overall exposure level for \S+: (\d+\.\d+)", said)
        figures.add(f"{service}, exposure by trixie's systemd: {exposure}")
        assert float(exposure) < 2


def test_udev_has_nothing_to_say_against_the_device_rules(trixie: Path) -> None:
    code, said = inside(trixie, "udevadm", "verify", "/usr/lib/udev/rules.d/60-tileclock-appliance.rules")
    assert code == 0, said
    assert re.search(r"Success: 1\b", said), said
