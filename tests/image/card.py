"""A card: the image as `make image` builds it, written to something of a card's size. Its parts are read and changed as a computer with a card reader would."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import run
from tests.packaged.packages import ROOT, SOURCES, packages

Program: TypeAlias = Literal["tileclock", "tilekiosk"]
SECTOR: Final = 512
MIB: Final = 1 << 20
GIB: Final = 1 << 30
SIZE: Final = 4 * GIB
"""Of a card. A power of two: an emulated Pi takes no other."""
BOOT, DATA, KERNEL_ROOT = 0, 2, 1


@functools.cache
def image(program: Program) -> Path:
    def make(folder: Path) -> None:
        built(program, folder, DEBS=str(packages("trixie", "arm64")))

    inputs = [program, of_files(ROOT / each for each in (*SOURCES, ".ci/image", "docs/card.md"))]
    return next(made(f"card-{program}", "", inputs, make).glob("*.img"))


def built(program: Program, folder: Path, **environment: str) -> str:
    asked = {**os.environ, "PROGRAM": program, "DIST": str(folder), **environment}
    done = subprocess.run(
        [ROOT / ".ci/image"], env=asked, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stdout)
    return done.stdout


class Part(Struct, frozen=True):
    """In bytes."""

    start: int
    size: int


class Card(Struct, frozen=True):
    file: Path

    @contextmanager
    def copy(self) -> Iterator[Card]:
        with scratch() as work:
            run("cp", "--sparse=always", str(self.file), str(work / "card.img"))
            yield Card(work / "card.img")

    def parts(self) -> list[Part]:
        said = subprocess.run(["/usr/sbin/sfdisk", "--json", str(self.file)], capture_output=True, text=True, check=True).stdout
        table = json.loads(said)["partitiontable"]
        return [Part(each["start"] * SECTOR, each["size"] * SECTOR) for each in table["partitions"]]

    def write(self, name: str, content: bytes) -> None:
        with scratch() as work:
            (work / name).write_bytes(content)
            self._mtools("mcopy", "-o", str(work / name), f"::{name}")

    def read(self, name: str, into: Path) -> Path:
        self._mtools("mcopy", "-n", f"::{name}", str(into / name))
        return into / name

    def listing(self) -> list[str]:
        said = self._mtools("mdir", "-b", "::")
        return [line.removeprefix("::/") for line in said.splitlines()]

    def inside(self, command: str, part: int, *options: str) -> str:
        place = f"{self.file}?offset={self.parts()[part].start}"
        return subprocess.run(["/usr/sbin/debugfs", *options, "-R", command, place], capture_output=True, text=True, check=True).stdout

    def fill(self, part: int) -> None:
        free = next(line for line in self.inside("stats", part).splitlines() if line.startswith("Free blocks:")).split()[2]
        self.inside("write /dev/null much", part, "-w")
        self.inside(f"fallocate much 0 {free}", part, "-w")

    def cut(self, part: int, left: int) -> int:
        """End the card within a partition, of which ``left`` bytes stay; return the card's size in bytes."""
        size = self.parts()[part].start + left
        os.truncate(self.file, size)
        return size

    def wipe(self, part: int) -> None:
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


@contextmanager
def flashed(program: Program, settings: str = "") -> Iterator[Card]:
    """Give a card that the image was written to, with ``settings`` in its text file (none: as it is shipped); gone afterwards."""
    with Card(image(program)).copy() as card:
        os.truncate(card.file, SIZE)
        if settings:
            card.write(f"{program}.toml", settings.encode())
        yield card
