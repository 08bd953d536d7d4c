"""A hall that takes devices in: the real service on the loopback, and devices with folders of their own."""

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hall.cli.main import main
from hall.enrol.device import DevicePlaces, Granted, HallPort, ToCompare, enrol, keys_of, request_of
from hall.enrol.registrar import TokenUse, new_tokens
from hall.keys.files import HallFiles
from tests.hall.listener.listening import TILEHALL
from tests.in_process import ran
from tests.processes import running
from tests.some import some

ADDRESS = "127.0.0.1"


@dataclass
class Admitting:
    files: HallFiles
    process: subprocess.Popen[str]
    socket: Path
    port: int
    pin: str

    @property
    def hall_port(self) -> HallPort:
        return HallPort(ADDRESS, self.port, self.pin)

    def director(self, *words: str) -> subprocess.CompletedProcess[str]:
        return tilehall("admit", *words, "--socket", str(self.socket))

    def asking(self, places: DevicePlaces, *words: str) -> tuple[str, ...]:
        return (
            "enrol", places.program, "--host", ADDRESS, "--port", str(self.port), "--folder", str(places.link),
            "--device-settings", str(places.link.parent / "device.toml"), *words,
        )  # fmt: skip


def tilehall(*words: str) -> subprocess.CompletedProcess[str]:
    return ran(main, *words)


def tilehall_alone(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TILEHALL, *words], check=False, capture_output=True, text=True)


def make_hall(folder: Path, name: str = "club") -> HallFiles:
    return HallFiles.make(folder, name, ("localhost", ADDRESS), b"correct horse")


@contextmanager
def admitting(files: HallFiles, folder: Path, *words: str) -> Iterator[Admitting]:
    socket = folder / "admit"
    options = ("--folder", str(files.folder), "--address", ADDRESS, "--port", "0", "--socket", str(socket), *words)
    with running(TILEHALL, "admissions", *options) as process:
        assert process.stdout is not None
        said = next((line for line in process.stdout if "the hall admits devices" in line), None)
        assert said is not None, process.communicate()[1]
        found = some(re.search(r"port=(\d+) fingerprint=(\w+)", said))
        yield Admitting(files, process, socket, int(found[1]), found[2])


def device(folder: Path, program: Literal["tileclock", "tilekiosk"] = "tileclock", *, table: int = 12) -> DevicePlaces:
    state, link = folder / "state", folder / "link"
    for each in (state, link):
        each.mkdir(parents=True)
    own = f"table = {table}\n" if program == "tileclock" else ""
    paths = f'enabled = true\nkey = "{state}/device.pem"\ntrust = "{state}/hall.toml"\nsocket = "{folder}/hall.sock"\n'
    name = "" if program == "tileclock" else 'name = "A"\n'
    (folder / "device.toml").write_text(f"{name}[hall]\n{paths}{own}", encoding="utf-8")
    about: dict[str, Any] = {"name": "", "table": table} if own else {"name": "A", "table": None}
    kept: dict[str, Any] = {"key": state / "device.pem", "trust": state / "hall.toml", "socket": folder / "hall.sock", "link": link}
    return DevicePlaces(program, enabled=True, **kept, **about)


def files_of(places: DevicePlaces) -> dict[str, bytes]:
    found = sorted(path for folder in (places.key.parent, places.link) for path in folder.rglob("*") if path.is_file())
    return {path.name: path.read_bytes() for path in found if path.suffix != ".pem" or path.name in ("ca.pem", "certificate.pem")}


def token_for(files: HallFiles, kind: Literal["clock", "station"] = "clock") -> str:
    with files.changing():
        return new_tokens(files, [TokenUse(kind=kind, name="A" if kind == "station" else "", table=None)])[0]


def ask(port: HallPort, places: DevicePlaces, token: str | None = None, show: Callable[[ToCompare], None] = lambda _: None) -> Granted:
    keys = keys_of(places)
    return enrol(port, keys, request_of(places, keys), token, show)
