"""A card whose root is read-only, as systemd reads our example of its ``/etc/fstab``: what has to outlive a start lies on the data partition."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.systemd.laid import PROGRAMS, SYSTEM, UNITS, asked, laid

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
