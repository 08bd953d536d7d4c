"""A machine without a kernel of its own: a Debian root with the programs and the units as they are shipped, booted by systemd-nspawn.

There is no screen in it. The clock draws on the console, a terminal, which is this test's to read and to type on; the station draws out of sight
(SDL's dummy driver). For that the drop-in of the bare panel is left out, and one for the console laid in its place: all else is as shipped.
"""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import root_tar, run, unpack
from tests.machine.python import ROOT, SUITE, install, libraries, project_wheel

UNITS: Final = ROOT / "systemd"
PACKAGES: Final = ("python3", "systemd-sysv", "udev", "kmod", "dbus")
PATIENCE_S: Final = 600.0
"""For a machine ten times slower than an idle one; whatever is waited for ends it."""
STANDS_S: Final = 0.3
HOMES: Final = {
    "journald.conf.d": "usr/lib/systemd/journald.conf.d",
    "logind.conf.d": "usr/lib/systemd/logind.conf.d",
    "system.conf.d": "usr/lib/systemd/system.conf.d",
    "modules-load.d": "usr/lib/modules-load.d",
    "sysctl.d": "usr/lib/sysctl.d",
    "sysusers.d": "usr/lib/sysusers.d",
    "tmpfiles.d": "usr/lib/tmpfiles.d",
    "udev/rules.d": "usr/lib/udev/rules.d",
    "chrony/conf.d": "etc/chrony/conf.d",
}
"""Where the files lie on a machine, by their folder in ``systemd/``."""
CONSOLE: Final = "[Service]\nStandardInput=tty\nStandardOutput=tty\nStandardError=journal\nTTYPath=/dev/console\nEnvironment=TERM=xterm-256color COLUMNS=100 LINES=40\n"
UNSEEN: Final = "[Service]\nEnvironment=SDL_VIDEODRIVER=dummy\n"
_PROGRAM: Final = "#!/bin/sh\nexport PYTHONPATH=/usr/lib/tileclock:/usr/lib/tileclock-libraries\nexec /usr/bin/python3 -P -c 'from {module}.cli.main import main; main()' \"$@\"\n"


def lay_units(root: Path) -> None:
    """Put everything of ``systemd/`` where a machine has it, below ``root``."""
    units = root / "usr/lib/systemd/system"
    units.mkdir(parents=True, exist_ok=True)
    for unit in UNITS.iterdir():
        if unit.suffix in (".service", ".path", ".mount"):
            shutil.copy(unit, units)
        elif unit.name.endswith(".service.d"):
            shutil.copytree(unit, units / unit.name, dirs_exist_ok=True)
    for folder, home in HOMES.items():
        shutil.copytree(UNITS / folder, root / home, dirs_exist_ok=True)


def _tree(packages: tuple[str, ...]) -> Path:
    """Return the root of a machine with these packages of Debian, the libraries and the units, cached; not to be written to."""
    library, tar = libraries(), root_tar(SUITE, packages)

    def edit(root: Path) -> None:
        lay_units(root)
        units = root / "usr/lib/systemd/system"
        for program, drop_in in (("tileclock", CONSOLE), ("tilekiosk", UNSEEN)):
            (units / f"{program}.service.d/screen.conf").write_text(drop_in)
        shutil.copytree(library, root / "usr/lib/tileclock-libraries", symlinks=True)
        for program, module in (("tileclock", "firmware"), ("tilekiosk", "kiosk"), ("tilehall", "hall")):
            command = root / "usr/bin" / program
            command.write_text(_PROGRAM.format(module=module))
            command.chmod(0o755)
        (root / "boot/firmware").mkdir(parents=True)
        (root / "etc/tileclock").mkdir()
        (root / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
        run("systemctl", f"--root={root}", "mask", "console-getty.service", "systemd-resolved.service", "apt-daily.timer")
        run("systemd-sysusers", f"--root={root}")

    def make(root: Path) -> None:
        unpack(tar, root)
        edit(root)

    return made("container", "", [library.name, tar.name, of_files([UNITS, Path(__file__)])], make)


@contextmanager
def machine(*enabled: str, files: dict[str, str] | None = None, also: tuple[str, ...] = ()) -> Iterator[Machine]:
    """Give a machine that is booted, and gone afterwards; ``files`` (texts by path) are laid into the root before, and ``also`` are installed."""
    tree, wheel = _tree((*PACKAGES, *also)), project_wheel()
    with scratch() as work:
        root = work / "root"
        run("cp", "--archive", "--reflink=auto", str(tree), str(root))
        install(wheel, root / "usr/lib/tileclock")
        for path, text in (files or {}).items():
            target = root / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        run("systemctl", f"--root={root}", "enable", *enabled)
        with Machine(root) as booted:
            yield booted


class Machine:
    """The container. Its console is a terminal that is written down here, and typed on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._seen = bytearray()
        self._console, console = pty.openpty()
        self.booted = self._written = time.monotonic()
        command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot", f"--directory={root}", "--private-network"]
        words = ["--console=interactive", "--link-journal=no", "systemd.show_status=0"]
        self._process = subprocess.Popen([*command, *words], stdin=console, stdout=console, stderr=console, start_new_session=True)
        os.close(console)
        threading.Thread(target=self._read, daemon=True).start()
        self._leader = 0

    def __enter__(self) -> Self:
        try:
            self.until(self._is_up, "the machine to be up")
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def inside(self, *command: str, check: bool = True) -> str:
        enter = ["nsenter", f"--target={self._leader}", "--mount", "--uts", "--ipc", "--net", "--pid", "--"]
        done = subprocess.run(
            [*enter, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=PATIENCE_S
        )
        assert not check or done.returncode == 0, (command, done.stdout)
        return done.stdout

    def connect(self, cable: str, address: str) -> None:
        """Give it an end of a cable, an interface of this computer's, plugged in with ``address``."""
        run("ip", "link", "set", cable, "netns", str(self._leader))
        self._ip("address", "add", address, "dev", cable)
        self.plug(cable)

    def plug(self, cable: str) -> None:
        self._ip("link", "set", cable, "up")

    def unplug(self, cable: str) -> None:
        self._ip("link", "set", cable, "down")

    def _ip(self, *words: str) -> None:
        # This computer's own program: there is none inside.
        run("nsenter", f"--target={self._leader}", "--net", "ip", *words)

    def of_unit(self, unit: str, *names: str) -> dict[str, str]:
        said = self.inside("systemctl", "show", unit, *(f"--property={name}" for name in names))
        return dict(line.split("=", 1) for line in said.splitlines())

    def pid(self, unit: str) -> int:
        return int(self.of_unit(unit, "MainPID")["MainPID"])

    def is_ready(self, unit: str, but: int = 0) -> bool:
        """Whether a service has said so, by another process than ``but``."""
        stands = self.of_unit(unit, "ActiveState", "SubState", "MainPID")
        return (stands["ActiveState"], stands["SubState"]) == ("active", "running") and int(stands["MainPID"]) not in (0, but)

    def ready(self, unit: str, but: int = 0) -> int:
        self.until(lambda: self.is_ready(unit, but), f"{unit} to be ready")
        return self.pid(unit)

    def took_s(self, unit: str, until: str = "ActiveEnter") -> float:
        """Return the seconds from the start of a service to when it was ready; of a oneshot one ``until`` "InactiveEnter", its end."""
        began, ended = f"InactiveExitTimestampMonotonic {until}TimestampMonotonic".split()
        stands = self.of_unit(unit, began, ended)
        return (int(stands[ended]) - int(stands[began])) / 1e6

    def outside(self, path: str) -> Path:
        """Return where a file inside lies for this computer, also in what is mounted there."""
        return Path(f"/proc/{self._leader}/root") / path.lstrip("/")

    def cut(self) -> None:
        """End all of it at once, as a power cut does."""
        os.kill(self._leader, signal.SIGKILL)
        self.until(self.has_ended, "the machine to be off")

    def messages(self, unit: str) -> list[dict[str, Any]]:
        said = self.inside("journalctl", "--unit", unit, "--output=json", "--no-pager")
        return [json.loads(line) for line in said.splitlines() if line.startswith("{")]

    def said(self, unit: str) -> str:
        return "\n".join(str(each.get("MESSAGE")) for each in self.messages(unit))

    def type(self, keys: str) -> None:
        os.write(self._console, keys.encode())

    def press(self, keys: str) -> None:
        """Type on the console, and wait until the picture has changed for it and stands: a key that comes while another is down is none."""
        seen = len(self.console)
        self.type(keys)
        self.until(lambda: len(self.console) > seen or self.has_ended(), f"the screen to answer {keys!r}")
        self.until(lambda: self.quiet_s > STANDS_S or self.has_ended(), "the picture to stand")

    @property
    def console(self) -> str:
        return self._seen.decode(errors="replace")

    @property
    def quiet_s(self) -> float:
        """For how many seconds nothing was written to the console."""
        return time.monotonic() - self._written

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline, pause = time.monotonic() + PATIENCE_S, threading.Event()
        while not condition():
            assert time.monotonic() < deadline, f"waited {PATIENCE_S} s for {what}\n{self._told()}"
            pause.wait(0.05)

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def _told(self) -> str:
        said = self.inside("journalctl", "--no-pager", "--lines=60", check=False) if self._leader else ""
        return f"{self.console[-2000:]}\n{said}"

    def _is_up(self) -> bool:
        assert not self.has_ended(), self.console
        if not self._leader:
            children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text(encoding="ascii").split()
            self._leader = next(
                (int(each) for each in children if Path(f"/proc/{each}/comm").read_text(encoding="ascii") == "systemd\n"), 0
            )
        state = self.inside("systemctl", "is-system-running", check=False).strip() if self._leader else ""
        return state in ("running", "degraded")

    def _read(self) -> None:
        with suppress(OSError):
            while some := os.read(self._console, 4096):
                self._seen += some
                self._written = time.monotonic()

    def _end(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
