"""A hall that takes devices in: the real service on the loopback, and devices with folders of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hall.cli.main import main
from hall.enrol.client import HallPort
from hall.enrol.device import DevicePlaces
from hall.enrol.protocol import fingerprint
from hall.keys.files import HallFiles
from tests.in_process import ran
from tests.processes import running

TILEHALL = (sys.executable, "-m", "hall.cli")
ADDRESS = "127.0.0.1"


@dataclass
class Admitting:
    """A hall, its service, and what it logs."""

    files: HallFiles
    process: subprocess.Popen[str]
    socket: Path
    port: int
    pin: str

    @property
    def hall_port(self) -> HallPort:
        return HallPort(ADDRESS, self.port, self.pin)

    def director(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run ``tilehall admit``."""
        return tilehall("admit", *words, "--socket", str(self.socket))

    def asking(self, places: DevicePlaces, *words: str) -> tuple[str, ...]:
        """Return the words of a device that asks."""
        return (
            "enrol", places.program, "--host", ADDRESS, "--port", str(self.port), "--folder", str(places.link),
            "--device-settings", str(places.link.parent / "device.toml"), *words,
        )  # fmt: skip


def tilehall(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a verb that ends by itself within this process."""
    return ran(main, *words)


def tilehall_alone(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a verb as a process of its own."""
    return subprocess.run([*TILEHALL, *words], check=False, capture_output=True, text=True)


def make_hall(folder: Path, name: str = "club") -> HallFiles:
    return HallFiles.make(folder, name, ("localhost", ADDRESS), b"correct horse")


@contextmanager
def admitting(files: HallFiles, folder: Path, *words: str) -> Iterator[Admitting]:
    """Run ``tilehall admissions`` on a free port of the loopback."""
    socket = folder / "admit"
    options = ("--folder", str(files.folder), "--address", ADDRESS, "--port", "0", "--socket", str(socket), *words)
    with running(TILEHALL, "admissions", *options) as process:
        assert process.stdout is not None
        said = next((line for line in process.stdout if "admitting" in line), None)
        assert said is not None, process.communicate()[1]
        found = re.search(r"port=(\d+) fingerprint=(\w+)", said)
        assert found is not None
        yield Admitting(files, process, socket, int(found[1]), found[2])


def device(folder: Path, program: Literal["tileclock", "tilekiosk"] = "tileclock", *, table: int = 12) -> DevicePlaces:
    """Make the folders and settings of a device that has never been enrolled."""
    state, link = folder / "state", folder / "link"
    for each in (state, link):
        each.mkdir(parents=True)
    own = f"table = {table}\n" if program == "tileclock" else ""
    paths = f'enabled = true\nkey = "{state}/device.pem"\ntrust = "{state}/hall.toml"\nsocket = "{folder}/hall.sock"\n'
    name = "" if program == "tileclock" else 'name = "A"\n'
    (folder / "device.toml").write_text(f"{name}[hall]\n{paths}{own}", encoding="utf-8")
    return DevicePlaces(
        program,
        enabled=True,
        key=state / "device.pem",
        trust=state / "hall.toml",
        socket=folder / "hall.sock",
        link=link,
        name="" if own else "A",
        table=table if own else None,
    )


def files_of(places: DevicePlaces) -> dict[str, bytes]:
    """Return all files of a device but its keys and settings."""
    found = sorted(path for folder in (places.key.parent, places.link) for path in folder.rglob("*") if path.is_file())
    return {path.name: path.read_bytes() for path in found if path.suffix != ".pem" or path.name in ("ca.pem", "certificate.pem")}


def pin_of(files: HallFiles) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415 - one use

    return fingerprint(files.authority.certificate.public_bytes(Encoding.DER))
