"""The first file system: busybox and the modules, just enough to mount the disk and hand over to what is on it.

It loads every module that will be needed, so that the disk has no modules, and one disk serves any kernel.
"""

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.machine.cache import made
from tests.machine.kernel import Kernel

DISK: Final = ("virtio_pci", "virtio_blk", "ext4")
"""Without these there is no root."""

_BUSYBOX: Final = Path("/bin/busybox")
_INIT: Final = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /root
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
load() {{ name=$1; shift; /bin/busybox insmod /modules/$name.ko "$@" || echo "cannot load $name" >/dev/console; }}
{loads}
init=/sbin/init how=ro
for word in $(/bin/busybox cat /proc/cmdline); do
    case $word in tc.init=*) init=${{word#tc.init=}} ;; rw) how=rw ;; esac
done
until [ -b /dev/vda ]; do /bin/busybox usleep 20000; done
/bin/busybox mount -t ext4 -o $how /dev/vda /root
for each in proc sys dev; do /bin/busybox mkdir -p /root/$each; /bin/busybox mount --move /$each /root/$each; done
exec /bin/busybox switch_root /root $init
"""


def initramfs(kernel: Kernel, modules: Sequence[str]) -> Path:
    """Return an initramfs that loads ``modules`` beside those of the disk, and then starts tc.init= of the command line.

    Args:
        modules: by name, with all they need; after the name stand its options.
    """
    options = {words[0].replace("-", "_"): words[1:] for words in (module.split() for module in modules)}
    names = [*DISK, *options]

    def make(file: Path) -> None:
        loaded = kernel.modules(names)
        init = _INIT.format(loads="\n".join(" ".join(("load", name, *options.get(name, ()))) for name in loaded))
        entries = [
            ("bin", None, 0o755),
            ("modules", None, 0o755),
            ("bin/busybox", _BUSYBOX.read_bytes(), 0o755),
            ("init", init.encode(), 0o755),
        ]
        entries += [(f"modules/{name}.ko", raw, 0o644) for name, raw in loaded.items()]
        file.write_bytes(cpio(entries))

    return made("initramfs", ".cpio", [str(kernel.folder.name), _INIT, _BUSYBOX.read_bytes(), *DISK, *modules], make)


def cpio(entries: Sequence[tuple[str, bytes | None, int]]) -> bytes:
    """Return an archive as the kernel unpacks it (cpio "newc": Documentation/driver-api/early-userspace/buffer-format.rst).

    An entry is (name, content or None for a folder, mode).
    """
    out = bytearray()
    for number, (name, content, mode) in enumerate([*entries, ("TRAILER!!!", b"", 0)], 1):
        kind = stat.S_IFDIR if content is None else stat.S_IFREG
        raw, named = content or b"", name.encode() + b"\0"
        fields = (number, (kind | mode) if mode else 0, 0, 0, 1, 0, len(raw), 0, 0, 0, 0, len(named), 0)
        out += b"070701" + b"".join(b"%08X" % field for field in fields) + named
        out += b"\0" * (-len(out) % 4) + raw
        out += b"\0" * (-len(out) % 4)
    return bytes(out)
