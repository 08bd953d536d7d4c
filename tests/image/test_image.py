"""The image as a file: what is in it, what is not, and that it is the same when it is made again."""

import hashlib
import itertools
import os
import time
from pathlib import Path
from typing import Final

import pytest

from tests.image.card import BOOT, DATA, KERNEL_ROOT, MIB, Card, built, image
from tests.machine.cache import scratch
from tests.machine.figures import Figures

PIS: Final = ("bcm2837-rpi-zero-2-w", "bcm2837-rpi-3-b", "bcm2837-rpi-3-b-plus", "bcm2711-rpi-4-b", "bcm2711-rpi-400", "bcm2712-rpi-5-b")
PACKAGES: Final = "cat /var/lib/dpkg/status"
pytestmark = pytest.mark.timeout(7200)


@pytest.fixture(scope="module")
def card() -> Card:
    return Card(image("tileclock"))


def test_made_again_from_nothing_it_is_the_same_bit_for_bit(figures: Figures) -> None:
    with scratch() as work:
        # Debian's root, the tools and our packages are made anew too: all that a cache could hide.
        cold = _made("from nothing", work / "cold", figures, TILECLOCK_CACHE=str(work / "cache"))
        warm = _made("from a root that is there", work / "warm", figures)
        if cold.inside(PACKAGES, KERNEL_ROOT) != warm.inside(PACKAGES, KERNEL_ROOT):
            # Debian has others since that root was made.
            warm = _made("from today's Debian", work / "fresh", figures, FRESH="1")
        assert _sum(cold.file) == _sum(warm.file)
        figures.add(f"{cold.file.name}: {cold.file.stat().st_size // MIB} MiB, made twice, both {_sum(cold.file)[:16]}...")


def _made(how: str, folder: Path, figures: Figures, **environment: str) -> Card:
    began = time.monotonic()
    built("tileclock", folder, DEBS="", **environment)
    (packed,) = folder.glob("*.img.zst")
    figures.add(f"{how}: {time.monotonic() - began:.0f} s, as .zst {packed.stat().st_size // MIB} MiB")
    return Card(packed.with_suffix(""))


def _sum(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def test_the_boot_partition_has_what_each_pi_starts_with(card: Card) -> None:
    names = card.listing()
    assert set(names) >= {f"{pi}.dtb" for pi in PIS} | {"bootcode.bin", "start.elf", "start4.elf", "vmlinuz", "initrd.img"}
    assert set(names) >= {"config.txt", "cmdline.txt", "tileclock.toml", "version.txt"}


def test_the_kernel_finds_its_root_by_what_the_partition_table_says(card: Card, tmp_path: Path) -> None:
    line = card.read("cmdline.txt", tmp_path).read_text(encoding="ascii")
    assert " ro " in line
    with card.file.open("rb") as raw:
        raw.seek(0x1B8)
        disk = int.from_bytes(raw.read(4), "little")
    assert f"root=PARTUUID={disk:08x}-02" in line
    assert f"PARTUUID={disk:08x}-02" in card.inside("cat /etc/fstab", KERNEL_ROOT)


def test_no_card_has_an_identity_before_its_first_boot(card: Card) -> None:
    assert card.inside("cat /etc/machine-id", KERNEL_ROOT) == ""
    assert "ssh_host" not in card.inside("ls /etc/ssh", KERNEL_ROOT)
    assert "random-seed" not in card.inside("ls /var/lib/systemd", KERNEL_ROOT)
    assert card.inside("ls -p /", DATA).count("//") <= 4, "nothing but . .. and lost+found"


def test_nothing_of_the_making_is_left(card: Card) -> None:
    for folder in ("/var/log", "/var/cache/apt/archives/partial", "/var/lib/apt/lists/partial", "/var/tmp"):  # noqa: S108 - the card's
        left = [each.split("/")[5] for each in card.inside(f"ls -p {folder}", KERNEL_ROOT).splitlines() if each.count("/") > 5]
        assert set(left) <= {".", "..", "", "partial"}, folder
    sources = card.inside("cat /etc/apt/sources.list", KERNEL_ROOT)
    assert sources.count("http") == sources.count("http://deb.debian.org/")
    assert "/run/tileclock-machine/hosts" in card.inside("stat /etc/hosts", KERNEL_ROOT)
    assert os.uname().nodename not in card.inside("cat /etc/hostname", KERNEL_ROOT)


def test_the_partitions_lie_one_after_the_other_and_fill_the_image(card: Card) -> None:
    parts = card.parts()
    assert [part.start % MIB for part in parts] == [0, 0, 0]
    assert all(first.start + first.size == second.start for first, second in itertools.pairwise(parts))
    assert parts[-1].start + parts[-1].size == card.file.stat().st_size
    assert parts[BOOT].size == 192 * MIB
