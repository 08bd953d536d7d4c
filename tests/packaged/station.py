"""The card of a table clock, and the emulated machine that it is put into.

The root is Debian's with systemd and the units as they are shipped, and is mounted read-only; the program is on a disk of its own, so that a change of it makes
no new root; the data partition is what the mount unit asks for. Only the players are not shipped: ``inside``.
"""

import shutil
from pathlib import Path
from typing import Final

from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import root_tar, run
from tests.machine.guest import Disk, Guest
from tests.machine.image import ext4, root_image
from tests.machine.initramfs import initramfs
from tests.machine.kernel import backports_kernel
from tests.machine.python import ROOT, SUITE, install, libraries, project_wheel
from tests.packaged import container
from tests.packaged.container import PACKAGES, UNITS, lay_units

INSIDE: Final = Path(__file__).resolve().parent / "inside"
SIMULATED: Final = ROOT / "tests" / "kernel" / "inside"
"""The simulated pins."""
MOUNT: Final = "var-lib-tileclock.mount"
ENABLED: Final = ("tileclock.service", "tileclock-poweroff.path", MOUNT, "chip.service", "table.service")
DATA_MIB: Final = 64
SYSTEMD: Final = "/sbin/init"
OWN: Final = "/tileclock-init"
"""Boots in a third of the time: the same mounts, and nothing else."""


class Station:
    """The machine; what it is made of stays the same for all its boots, whatever becomes of the tree meanwhile."""

    def __init__(self) -> None:
        kernel = backports_kernel()
        self._kernel, self._initrd = kernel.image, initramfs(kernel, ("gpio-sim",))
        self._root, self._program = Disk(_root()), Disk(_program())

    def boot(self, data: Path, log: Path, *words: str, init: str) -> Guest:
        """Return it with the data partition ``data`` in it; what is written there is logged too."""
        disks = (self._root, self._program, Disk(data, kept=True, log=log))
        return Guest(self._kernel, self._initrd, disks, init=init, append=" ".join(("ro quiet", *words)), cores=1)


def new_data(image: Path) -> None:
    """Make an empty data partition, as the guide has it made."""
    with scratch() as work:
        (work / "root").mkdir()
        ext4(work / "root", image, DATA_MIB, "tileclock-data")


def _root() -> Path:
    library = libraries("pi")

    def edit(root: Path) -> None:
        lay_units(root)
        units = root / "usr/lib/systemd/system"
        for unit in (UNITS / "data" / MOUNT, *INSIDE.glob("*.service")):
            shutil.copy(unit, units)
        shutil.copytree(library, root / "opt/libraries", symlinks=True)
        for folder in ("opt/tileclock", "var/lib/tileclock", "boot/firmware", "etc/systemd/system/tileclock.service.d"):
            (root / folder).mkdir(parents=True)
        _own(root)
        run("systemctl", f"--root={root}", "enable", *ENABLED)
        run("systemctl", f"--root={root}", "mask", "serial-getty@ttyS0.service", "apt-daily.timer", "apt-daily-upgrade.timer")
        # As the drop-in itself has it for a clock without a screen; after the enabling, for which there is no /dev/null yet.
        (root / "etc/systemd/system/tileclock.service.d/screen.conf").symlink_to("/dev/null")
        run("systemd-sysusers", f"--root={root}")

    inputs = [library.name, of_files([UNITS, INSIDE, Path(__file__), Path(container.__file__)])]
    return root_image("appliance-root", root_tar(SUITE, PACKAGES), inputs, edit, mib=700)


def _own(root: Path) -> None:
    """What an installed machine has of its own: its id, its settings, the command, and no tree of the card but the data to write to."""
    for source, target in (("tileclock", "usr/bin/tileclock"), ("init", "tileclock-init")):
        shutil.copy(INSIDE / source, root / target)
        (root / target).chmod(0o755)
    (root / "etc/tileclock").mkdir()
    shutil.copy(INSIDE / "clock.toml", root / "etc/tileclock/clock.toml")
    (root / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    shipped = [line for line in (UNITS / "boot/fstab").read_text().splitlines() if line.startswith("tmpfs")]
    (root / "etc/fstab").write_text("\n".join([*shipped, "/dev/vdb /opt/tileclock ext4 ro 0 0", ""]))


def _program() -> Path:
    wheel = project_wheel()

    def make(image: Path) -> None:
        with scratch() as work:
            install(wheel, work / "program")
            for each in (INSIDE, SIMULATED):
                shutil.copytree(each, work / "program" / each.relative_to(ROOT))
            ext4(work / "program", image, mib=32)

    return made("appliance-program", ".ext4", [wheel.parent.name, of_files([INSIDE, SIMULATED])], make)
