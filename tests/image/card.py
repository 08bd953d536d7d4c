"""A card: the image as `make image` builds it, written to something of a card's size. Its parts are read and changed as a computer with a card reader would."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from tests.appliance.packages import ROOT, SOURCES, packages
from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import run

Program: TypeAlias = Literal["tileclock", "tilekiosk"]
SECTOR: Final = 512
MIB: Final = 1 << 20
GIB: Final = 1 << 30
SIZE: Final = 4 * GIB
"""Of a card. A power of two: an emulated Pi takes no other."""
BOOT, DATA, KERNEL_ROOT = 0, 2, 1
MACHINE_ID: Final = 32


def image(program: Program) -> Path:
    """Return the cached image of the tree as it is now; building one takes some minutes.

    Raises:
        RuntimeError: it cannot be built.
    """

    def make(folder: Path) -> None:
        built(program, folder)

    inputs = [program, of_files(ROOT / each for each in (*SOURCES, ".ci/image", "docs"))]
    return next(made(f"card-{program}", "", inputs, make).glob("*.img"))


def built(program: Program, folder: Path, **environment: str) -> str:
    """Build an image into ``folder`` and return all that was said."""
    asked = {**os.environ, "PROGRAM": program, "DIST": str(folder), "DEBS": str(packages("trixie", "arm64")), **environment}
    done = subprocess.run(
        [ROOT / ".ci/image"], env=asked, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stdout)
    return done.stdout


@dataclass(frozen=True, slots=True)
class Part:
    """A partition, in bytes."""

    start: int
    size: int


@dataclass(frozen=True, slots=True)
class Card:
    """A card in a file."""

    file: Path

    def parts(self) -> list[Part]:
        """Return the partitions as the table has them."""
        said = subprocess.run(["/usr/sbin/sfdisk", "--json", str(self.file)], capture_output=True, text=True, check=True).stdout
        table = json.loads(said)["partitiontable"]
        return [Part(each["start"] * SECTOR, each["size"] * SECTOR) for each in table["partitions"]]

    def write(self, name: str, text: str) -> None:
        """Write a file on the boot partition."""
        with scratch() as work:
            (work / name).write_text(text, encoding="utf-8")
            self._mtools("mcopy", "-o", str(work / name), f"::{name}")

    def read(self, name: str, into: Path) -> Path:
        """Copy a file of the boot partition into a folder, and return it."""
        self._mtools("mcopy", "-n", f"::{name}", str(into / name))
        return into / name

    def listing(self) -> list[str]:
        """Return the names of the boot partition's files."""
        said = self._mtools("mdir", "-b", "::")
        return [line.removeprefix("::/") for line in said.splitlines()]

    def inside(self, command: str, part: int) -> str:
        """Ask debugfs about an ext4 partition."""
        place = f"{self.file}?offset={self.parts()[part].start}"
        return subprocess.run(["/usr/sbin/debugfs", "-R", command, place], capture_output=True, text=True, check=True).stdout

    def fill(self, part: int, leave: int = 0) -> None:
        """Fill an ext4 partition with one file, but for ``leave`` KiB."""
        with scratch() as work:
            extent = self.parts()[part]
            alone = work / "part.img"
            run(
                "dd", f"if={self.file}", f"of={alone}", "bs=1M", f"skip={extent.start // MIB}", f"count={extent.size // MIB}", "status=none"
            )
            free = int(next(line for line in _stats(alone).splitlines() if line.startswith("Free blocks:")).split()[2]) * 4
            (work / "much").write_bytes(b"x" * max(0, free - leave) * 1024)
            subprocess.run(["/usr/sbin/debugfs", "-w", "-R", f"write {work / 'much'} much", str(alone)], capture_output=True, check=True)
            run("dd", f"if={alone}", f"of={self.file}", "bs=1M", f"seek={extent.start // MIB}", "conv=notrunc", "status=none")

    def wipe(self, part: int) -> None:
        """Overwrite the beginning of a partition."""
        with self.file.open("r+b") as disk:
            disk.seek(self.parts()[part].start)
            disk.write(b"\xff" * MIB)

    def _mtools(self, command: str, *words: str) -> str:
        place = f"{self.file}@@{self.parts()[BOOT].start}"
        done = subprocess.run(
            [command, "-i", place, *words], env={**os.environ, "MTOOLS_SKIP_CHECK": "1"}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def _stats(file: Path) -> str:
    return subprocess.run(["/usr/sbin/dumpe2fs", "-h", str(file)], capture_output=True, text=True, check=True).stdout


@contextmanager
def flashed(program: Program, settings: str = "", size: int = SIZE) -> Iterator[Card]:
    """Give a card that the image was written to, with ``settings`` in its text file; gone afterwards.

    Args:
        program: whose image.
        settings: TOML; nothing leaves the file as it is shipped.
        size: the card's, in bytes. What of the image does not fit is cut off.
    """
    with scratch() as work:
        file = work / "card.img"
        run("cp", "--sparse=always", str(image(program)), str(file))
        os.truncate(file, size)
        card = Card(file)
        if settings:
            card.write(f"{program}.toml", settings)
        yield card
