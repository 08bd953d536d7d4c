"""Debian's own kernel from trixie-backports: the first of Debian's that has gpio-sim, pins that a program pulls.

The packages are unpacked, not installed: the machine boots the kernel from outside, and its first file system loads the modules.
"""

import lzma
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.machine.cache import made, scratch
from tests.machine.debian import fetched, run

SUITES: Final = ("trixie-backports", "trixie")
_PARTS: Final = ("linux-binary-", "linux-modules-", "linux-base-")
"""The kernel, its modules, and the lists of what is built in."""


class Kernel(Struct, frozen=True):
    folder: Path

    @property
    def image(self) -> Path:
        return self._there / "vmlinuz"

    @property
    def release(self) -> str:
        """As ``uname -r`` has it."""
        return self._there.name

    @property
    def _there(self) -> Path:
        return next(self.folder.glob("usr/lib/modules/*"))

    def modules(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return modules by their names in the order in which they load, each after those it needs; what is built in is left out."""
        files = {_name(file): file for file in (self._there / "kernel").rglob("*.ko*")}
        builtin = {_name(Path(line)) for line in (self._there / "modules.builtin").read_text().split()}
        loaded: dict[str, bytes] = {}

        def load(name: str) -> None:
            if name in builtin or name in loaded:
                return
            module = _plain(files[name])
            for needed in _needs(module):
                load(needed)
            loaded[name] = module

        for name in names:
            load(name.replace("-", "_"))
        return loaded

    def install(self, root: Path, names: Iterable[str]) -> None:
        """Lay modules, with all they need, into ``root``. After that root's own ``depmod`` udev finds them there by what is plugged in."""
        there = root / "usr/lib/modules" / self.release
        there.mkdir(parents=True)
        for name, raw in self.modules(names).items():
            (there / f"{name}.ko").write_bytes(raw)
        for listed in self._there.glob("modules.builtin*"):
            shutil.copy(listed, there)


def backports_kernel(arch: str = "amd64") -> Kernel:
    """Return the kernel; a first one takes a minute."""

    def make(folder: Path) -> None:
        with scratch() as debs:
            for deb in fetched(SUITES, f"linux-image-{arch}", lambda name: name.startswith(_PARTS), debs, arch):
                run("dpkg-deb", "--extract", str(deb), str(folder))

    return Kernel(made(f"kernel-{arch}", "", [*SUITES, arch], make))


def _name(file: Path) -> str:
    return file.name.partition(".")[0].replace("-", "_")


def _plain(file: Path) -> bytes:
    raw = file.read_bytes()
    return lzma.decompress(raw) if file.suffix == ".xz" else raw


def _needs(module: bytes) -> list[str]:
    """Return which modules must be there before this one: it says so itself, in its section .modinfo."""
    said = re.search(rb"\0depends=([^\0]*)\0", module)
    return [] if said is None else [name.replace("-", "_") for name in said[1].decode().split(",") if name]
