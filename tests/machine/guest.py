"""The emulated machine: two cores, disks, whatever else is plugged in, a console that is written down, a serial line to talk over, and qemu's own monitor.

The program under test runs inside; what it is asked and what it answers goes over the second serial port, /dev/ttyS1 there, line by line.
``ask`` holds on a line that loses bytes (``tests/kernel/inside/framed.py``).
"""

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from msgspec import Struct

from tests.kernel.inside.framed import Asker, Lines, Said
from tests.machine.cache import scratch
from tests.machine.monitor import Monitor
from tests.machine.qemu import BOOKWORM, Qemu

SEND_S: Final = 60
"""For sending a question: the machine reads it as fast as it can."""


class Disk(Struct, frozen=True):
    """A disk of the machine: the first is /dev/vda and has its root."""

    image: Path
    kept: bool = False
    """What is written to it stays in the file; otherwise it is forgotten with the machine."""
    log: Path | None = None
    """Writes and flushes of a disk that is kept go into this new file too, in the format of the kernel's dm-log-writes."""
    format: Literal["raw", "qcow2"] = "raw"
    """Of the image; a qcow2 that is kept holds whole machines too (``savevm``)."""

    @property
    def drive(self) -> str:
        if self.log is None:
            return f"file={self.image},format={self.format},if=virtio,snapshot={'off' if self.kept else 'on'}"
        drive = {"if": "virtio", "driver": "blklogwrites", "file.driver": "raw", "log.driver": "raw"}
        for name, file in (("file", self.image), ("log", self.log)):
            drive |= {f"{name}.file.driver": "file", f"{name}.file.filename": str(file)}
        return ",".join(f"{key}={value}" for key, value in drive.items())


class Silent(Exception):
    """The machine did not say, or do, what was waited for in time, or has ended; the message ends with its console."""


class Guest:
    """A running machine; leaving it as a context manager pulls its plug.

    Args:
        kernel: the kernel's image.
        initrd: from ``initramfs``.
        disks: the first is the root.
        init: what the root is handed to.
        append: more words for the kernel, such as ``rw`` or ``quiet``.
        memory: in MiB.
        cores: processors inside. With two, about one boot in twenty dies in its first seconds: the emulator runs code that the other one is just patching.
        devices: more of its arguments, such as ``-device virtio-gpu-pci``.
        steady: time inside goes by the instructions done, not by this machine's clock: however busy this one is, nothing inside is held up by it. One of the
            processors after the other, so for a machine in which seldom both have to do.
        warps: where it is steady and nothing inside has anything to do, time jumps to when something has; otherwise it then goes by as here.
    """

    def __init__(  # noqa: PLR0913 - a machine is put together of these
        self,
        kernel: Path,
        initrd: Path,
        disks: Sequence[Disk],
        *,
        init: str = "/sbin/init",
        append: str = "rw quiet",
        memory: int = 768,
        cores: int = 2,
        qemu: Qemu = BOOKWORM,
        devices: Sequence[str] = (),
        steady: bool = False,
        warps: bool = True,
    ) -> None:
        with contextlib.ExitStack() as opened:
            self._work = opened.enter_context(scratch())
            self.console_file = self._work / "console"
            time_inside = (
                ["tcg,thread=single", "-icount", f"shift=2,align=off,sleep={'off' if warps else 'on'}"] if steady else ["tcg,thread=multi"]
            )
            command = [*qemu.command, "-accel", *time_inside, "-cpu", "max", "-smp", str(cores), "-m", str(memory)]
            command += ["-nodefaults", "-no-reboot", "-display", "none", "-kernel", str(kernel), "-initrd", str(initrd)]
            command += ["-append", f"console=ttyS0 panic=-1 tc.init={init} {append}"]
            command += ["-serial", f"file:{self.console_file}"]
            # Before the line that qemu waits on: once that is connected, the monitor is there.
            command += ["-qmp", f"unix:{self._work / 'monitor'},server=on,wait=off"]
            command += ["-chardev", f"socket,id=talk,path={self._work / 'talk'},server=on,wait=on", "-serial", "chardev:talk"]
            command += devices
            for disk in disks:
                command += ["-drive", disk.drive]
            self._process = subprocess.Popen(
                command, env={**os.environ, **qemu.environment}, stdout=subprocess.DEVNULL, stderr=(self._work / "qemu").open("wb")
            )
            opened.callback(self._process.wait)
            opened.callback(self._process.kill)
            self._talk = opened.enter_context(self._connected())
            self.monitor = opened.enter_context(contextlib.closing(Monitor(self._work / "monitor")))
            self._lines = Lines(self._talk.fileno())
            self._asker = Asker(self._lines, self._talk.sendall)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._opened.close()

    @property
    def console(self) -> str:
        return self.console_file.read_text(errors="replace") if self.console_file.exists() else ""

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: Said, timeout_s: float) -> Said:
        """Return the answer of what runs ``serve`` inside; the machine may still be booting."""
        with self._heard(f"an answer to {question} within {timeout_s:.0f} s"):
            return self._asker.ask(question, timeout_s)

    def line(self, timeout_s: float) -> str:
        with self._heard(f"a line within {timeout_s:.0f} s"):
            return self._lines.next(timeout_s).decode(errors="replace").rstrip("\r")

    @contextlib.contextmanager
    def _heard(self, expected: str) -> Iterator[None]:
        try:
            yield
        except (TimeoutError, EOFError, ConnectionError):
            raise self._silent(expected) from None

    def wait(self, timeout_s: float) -> None:
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise self._silent(f"that it switches itself off within {timeout_s:.0f} s") from None

    def kill(self) -> None:
        """Pull the plug: what was not written to a disk is gone."""
        self._process.kill()
        self._process.wait()

    def _connected(self) -> socket.socket:
        talk = socket.socket(socket.AF_UNIX)
        limit = time.monotonic() + 20
        while True:
            try:
                talk.connect(str(self._work / "talk"))
            except OSError:
                if self._process.poll() is not None or time.monotonic() > limit:
                    raise self._silent("that qemu starts") from None
                time.sleep(0.01)  # there is nothing to wait on before the socket is there
            else:
                talk.settimeout(SEND_S)
                return talk

    def _silent(self, expected: str) -> Silent:
        return Silent(f"expected {expected}; qemu: {(self._work / 'qemu').read_text()!r}; the console ends:\n{self.console[-3000:]}")
