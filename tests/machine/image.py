"""Disks: ext4 images made from a folder without mounting anything, and plain ones that a machine writes to."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.machine.cache import made, scratch
from tests.machine.debian import run, unpack

MIB: Final = 1 << 20


def ext4(source: Path, image: Path, mib: int, label: str = "") -> None:
    """Make ``image``, ``mib`` MiB large, an ext4 file system with what lies in the folder ``source``."""
    blank(image, mib)
    # The inode size and features are Debian's own; nothing is left for the kernel to make ready after the boot.
    run("/usr/sbin/mke2fs", "-q", "-t", "ext4", "-E", "lazy_itable_init=0,lazy_journal_init=0", "-L", label, "-d", str(source), str(image))


def blank(image: Path, mib: int) -> None:
    """Make an empty disk, which takes no room until it is written to."""
    with image.open("wb") as file:
        file.truncate(mib * MIB)


def root_image(kind: str, tar: Path, inputs: Sequence[str | bytes], edit: Callable[[Path], None], mib: int = 1024) -> Path:
    """Return a cached bootable disk with the root of ``tar`` after ``edit``, which goes by ``inputs`` alone; ``Disk(image)`` keeps it."""

    def make(image: Path) -> None:
        with scratch() as work:
            unpack(tar, work / "root")
            # systemd would take a new /etc for a first boot, and go over everything.
            for stamp in ("etc/.updated", "var/.updated"):
                (work / "root" / stamp).touch()
            edit(work / "root")
            ext4(work / "root", image, mib, "root")

    return made(kind, ".ext4", [tar.name, str(mib), *inputs], make)
