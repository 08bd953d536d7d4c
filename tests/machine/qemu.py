"""Which QEMU emulates: this machine's own, or a newer one out of a Debian root, run where it lies by that root's own loader and libraries."""

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from tests.machine.debian import root_tar, run, tree

_PACKAGES: Final = ("qemu-system-x86", "qemu-system-modules-opengl", "qemu-utils", "seabios")
"""The modules bring virtio-gpu; seabios is only recommended by qemu, and nothing boots without it."""
_LIBRARIES: Final = "usr/lib/x86_64-linux-gnu"


class Qemu(Struct, frozen=True):
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What it needs beside this machine's variables."""
    image: tuple[str, ...] = ("qemu-img",)
    """Its tool for disk images."""

    def overlay(self, base: Path, file: Path) -> None:
        """Make ``file``, a qcow2 that holds what is written over the raw image ``base``."""
        run(*self.image, "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(base), str(file), env={**os.environ, **self.environment})


BOOKWORM: Final = Qemu(("qemu-system-x86_64",))
"""The one that ``.ci/setup machine`` installs."""


def trixie() -> Qemu:
    """Return trixie's QEMU 10; a first one takes a minute. Bookworm's 7.2 has no touch panel (``virtio-multitouch-pci``)."""
    root = tree("qemu", root_tar("trixie", _PACKAGES), [], lambda _: None)
    loader = [f"{root}/lib64/ld-linux-x86-64.so.2", "--library-path", f"{root}/{_LIBRARIES}"]
    data = [word for each in ("qemu", "seabios") for word in ("-L", f"{root}/usr/share/{each}")]
    modules = {"QEMU_MODULE_DIR": f"{root}/{_LIBRARIES}/qemu"}
    return Qemu((*loader, f"{root}/usr/bin/qemu-system-x86_64", *data), modules, (*loader, f"{root}/usr/bin/qemu-img"))
