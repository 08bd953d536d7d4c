"""Emulated machines that start from a card: a Pi 3, and one with a panel that is no Pi. What is on the card is used as it is: nothing is added to look inside.

One logs in as a director does, by SSH with the key of the settings; the panel is photographed, and the serial console is written down.
"""

import contextlib
import shlex
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.image.card import Card
from tests.machine.cache import scratch
from tests.machine.debian import run
from tests.machine.monitor import Monitor

BOOT_S: Final = 1200
"""A Pi 3 takes two to four minutes here: a limit for machines four times slower."""
ANSWER_S: Final = 300
_QUIET: Final = ("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=60")


class Kind(Struct, frozen=True):
    arguments: tuple[str, ...]
    drive: str
    net: str
    append: str = ""
    device_tree: str = ""
    """Of the card's own; none: the machine brings one."""


PI3: Final = Kind(
    arguments=("-M", "raspi3b", "-m", "1G"),
    drive="if=sd",
    net="usb-net",
    # qemu's Pi has a watchdog that is started at once and never fed.
    append="module_blacklist=bcm2835_wdt",
    device_tree="bcm2837-rpi-3-b.dtb",
)
PANEL_SIZE: Final = (1024, 600)
PANEL: Final = Kind(
    arguments=tuple(f"-M virt -cpu cortex-a72 -smp 2 -m 1G -device virtio-gpu-pci,xres={PANEL_SIZE[0]},yres={PANEL_SIZE[1]}".split()),
    drive="if=virtio",
    net="virtio-net-pci",
)


class Machine:
    """A running machine.

    Args:
        card: what it starts from; what it writes stays there.
        key: the director's private key.
        firmware: the card that kernel and first file system are read from, by what stands for the Pi's firmware; none: the same.
    """

    def __init__(self, work: Path, card: Card, kind: Kind, key: Path, firmware: Card | None = None) -> None:
        loaded = firmware or card
        self._work, self._key = work, key
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        line = loaded.read("cmdline.txt", work).read_text(encoding="ascii").strip()
        command = ["qemu-system-aarch64", "-accel", "tcg,thread=multi", *kind.arguments, "-display", "none", "-no-reboot"]
        command += ["-kernel", str(loaded.read("vmlinuz", work)), "-initrd", str(loaded.read("initrd.img", work))]
        command += ["-append", " ".join(word for word in (line, kind.append) if word)]
        if kind.device_tree:
            command += ["-dtb", str(_with_frame_buffer(loaded.read(kind.device_tree, work)))]
        command += ["-drive", f"file={card.file},format=raw,{kind.drive}"]
        command += ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self._port}-:22", "-device", f"{kind.net},netdev=net"]
        command += ["-serial", f"file:{work / 'console'}", "-serial", f"file:{work / 'console1'}"]
        command += ["-qmp", f"unix:{work / 'monitor'},server=on,wait=off"]
        self._began = time.monotonic()
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=(work / "qemu").open("wb"))

    @property
    def console(self) -> str:
        files = (self._work / each for each in ("console", "console1"))
        return "".join(file.read_text(errors="replace") for file in files if file.exists())

    def until(self, holds: Callable[[], bool], what: str, limit_s: float = BOOT_S) -> None:
        limit = time.monotonic() + limit_s
        while not holds():
            assert self._process.poll() is None, self._told(what)
            assert time.monotonic() < limit, self._told(what)
            time.sleep(1)

    def says(self, words: str) -> None:
        self.until(lambda: words in self.console, f"{words!r} on the serial console")

    def is_up(self) -> float:
        self.until(lambda: self._ssh("true").returncode == 0, "a login by SSH")
        return time.monotonic() - self._began

    def identity(self) -> tuple[str, str]:
        """Return what no other card may have: the machine's id, and the key by which SSH knows it."""
        return self.run("cat /etc/machine-id"), self.run("sudo cat /var/lib/tileclock-machine/ssh_host_ed25519_key.pub")

    def run(self, command: str, *, fails: bool = False) -> str:
        done = self._ssh(command)
        assert fails or done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout + (done.stderr if fails else "")

    def photograph(self, file: Path) -> Path:
        file.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(Monitor(self._work / "monitor")) as monitor:
            monitor.execute("screendump", filename=str(file), format="png")
        return file

    def switch_off(self) -> None:
        self.run("sudo systemctl poweroff", fails=True)
        limit = time.monotonic() + BOOT_S
        while self._process.poll() is None:
            assert time.monotonic() < limit, self._told("that it switches itself off")
            time.sleep(0.5)

    def unplug(self) -> None:
        self._process.kill()
        self._process.wait()

    def _ssh(self, command: str) -> subprocess.CompletedProcess[str]:
        words: Sequence[str] = ["ssh", "-i", str(self._key), "-p", str(self._port), *_QUIET, "director@127.0.0.1", command]
        try:
            return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=ANSWER_S)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 255, "", f"no answer within {ANSWER_S} s: {shlex.join(words)}")

    def _told(self, what: str) -> str:
        return f"waited for {what}; qemu: {(self._work / 'qemu').read_text()!r}; the console ends:\n{self.console[-4000:]}"


@contextlib.contextmanager
def started(card: Card, kind: Kind, key: Path, firmware: Card | None = None) -> Iterator[Machine]:
    with scratch() as work:
        machine = Machine(work, card, kind, key, firmware)
        try:
            yield machine
        finally:
            machine.unplug()


def _with_frame_buffer(tree: Path) -> Path:
    """Tell the kernel of the SoC's frame buffer, as what starts a Pi does; return the device tree.

    QEMU's own has 640 x 480 pixels of 16 bits, 1 MiB into the 64 MiB at the end of the memory that it leaves to the GPU.
    """
    node = "/chosen/framebuffer@3c100000"
    run("fdtput", "--create", "--auto-path", str(tree), node)
    for kind, name, *values in (
        ("u", "/chosen #address-cells", "1"),
        ("u", "/chosen #size-cells", "1"),
        ("x", f"{node} reg", "3c100000", "96000"),
        ("u", f"{node} width", "640"),
        ("u", f"{node} height", "480"),
        ("u", f"{node} stride", "1280"),
        ("s", f"{node} format", "r5g6b5"),
        ("s", f"{node} compatible", "simple-framebuffer"),
    ):
        run("fdtput", "--type", kind, str(tree), *name.split(), *values)
    run("fdtput", "--type", "s", str(tree), "/chosen", "ranges")
    return tree
