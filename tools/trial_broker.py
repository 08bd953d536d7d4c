"""A hall of one's own, for the hall on one machine, for simulations and tests: all its files, made without a question, and a real mosquitto on the loopback."""

import os
import pwd
import re
import resource
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGHUP
from typing import Final

from msgspec import Struct

from appliance.records.files import write_whole
from hall.broker import access_list, configuration
from hall.errors import HallError
from hall.keys.files import LISTENER, HallFiles, Identity, trust_text
from wire.keys import key_text, load_key
from wire.topics import CLOCK, STATION

LOOPBACK: Final = "127.0.0.1"
_START_S: Final = 60.0
_POLL_S: Final = 0.02
_RUNNING: Final = re.compile(r"mosquitto version \S+ running")
"""Mosquitto's line once it listens."""
_MAX_FILES: Final = 8192
"""Descriptors for mosquitto: one for each connection. The usual limit, 1,024, is too small for a large hall."""


class Broker:
    """A running mosquitto.

    Args:
        folder: of its configuration and log; it is made if it is missing.
        files: the hall's.
        port: where it listens.
    """

    def __init__(self, folder: Path, files: HallFiles, port: int) -> None:
        self.host: Final = LOOPBACK
        self.port: Final = port
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.configure(files)
        self._process = self._started()

    @property
    def pid(self) -> int:
        """The process id of mosquitto."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def configure(self, files: HallFiles) -> None:
        """Write the configuration; ``reload`` brings access list and revocations into force."""
        acl = self._folder / "acl"
        acl.write_text(access_list(files), encoding="ascii")
        # mosquitto started by root becomes another user, who cannot read the keys.
        user = pwd.getpwuid(os.geteuid()).pw_name
        (self._folder / "mosquitto.conf").write_text(configuration(files, acl, self.port, self.host, user), encoding="ascii")

    def reload(self) -> None:
        """Have mosquitto read its access list and the revocations again."""
        self._process.send_signal(SIGHUP)

    def kill(self) -> None:
        """Kill it. It keeps nothing on the disk, so all retained messages and sessions are gone."""
        self._process.kill()
        self._process.wait()

    def restart(self) -> None:
        """Start it again after ``kill``, or end it first.

        Raises:
            HallError: it does not start.
        """
        self.kill()
        self._process = self._started()

    def log(self) -> str:
        """Return what it has logged since its first start."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _started(self) -> subprocess.Popen[bytes]:
        before = len(self.log()) if self._log.exists() else 0
        with self._log.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603 - our own configuration
                [_program(), "-c", str(self._folder / "mosquitto.conf")], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _MAX_FILES if most == resource.RLIM_INFINITY else min(_MAX_FILES, most)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (wanted, most))
        deadline = time.monotonic() + _START_S
        # An answer on the port is no proof: it may come from another program, which took the port first.
        while _RUNNING.search(self.log(), before) is None:
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                process.wait()
                said = self.log().strip().rpartition("\n")[2]
                raise HallError(where="mosquitto", expected="that it starts", found=said or "that it ended", remedy="See its log above")
            time.sleep(_POLL_S)
        return process

    @property
    def _log(self) -> Path:
        return self._folder / "mosquitto.log"


@contextmanager
def running_broker(folder: Path, files: HallFiles, port: int | None = None) -> Iterator[Broker]:
    """Run a mosquitto for the time of the block.

    Args:
        folder: of its configuration and log.
        files: the hall's.
        port: on the loopback; None: a free one.

    Raises:
        HallError: mosquitto is missing or does not start.
    """
    broker = _on_afree_port(folder, files) if port is None else Broker(folder, files, port)
    try:
        yield broker
    finally:
        broker.kill()


def _on_afree_port(folder: Path, files: HallFiles) -> Broker:
    try:
        return Broker(folder, files, free_port())
    except HallError:
        # Another program may have taken the port in between.
        return Broker(folder, files, free_port())


def free_port() -> int:
    """Return a port of the loopback that no program uses now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _program() -> str:
    # Debian installs it where only root looks.
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise HallError(
            expected="the program mosquitto", found="none", remedy="Install it: sudo apt-get install --no-install-recommends mosquitto"
        )
    return found


TRIAL: Final = "trial"
"""Its name."""
_OWNER_ONLY: Final = 0o600


class HallMember(Struct, frozen=True):
    """A clock or a station that is enrolled."""

    id: str
    folder: Path
    """Its own, for journal and socket too."""
    key: Path
    """``[hall] key`` of its program."""
    trust: Path
    """``[hall] trust`` of its program."""
    identity: Identity
    """What its link shows; ``[link] folder`` is the folder of these files."""


class CompleteHall(Struct, frozen=True):
    """A hall with its members."""

    files: HallFiles
    """What the broker needs, too: ``running_broker(folder, hall.files)``."""
    clocks: tuple[HallMember, ...]
    stations: tuple[HallMember, ...]

    @property
    def listener(self) -> Identity:
        """What the listener shows."""
        return self.files.identity(LISTENER)

    def desk(self, number: int = 1) -> Identity:
        """Return what a desk shows. The director's key, which signs orders, is in ``files.director``, without a passphrase."""
        return self.files.identity(_desk(number))


def complete_hall(folder: Path, clocks: int = 2, stations: int = 1, desks: int = 1) -> CompleteHall:
    """Make a hall on the loopback: authority, certificates of broker, listener and desks, and enrolled clocks and stations with their own keys.

    Args:
        folder: an empty folder, or one that does not exist yet.
        clocks: how many; the folder of the first is ``clock-1``.
        stations: likewise, ``station-1``.
        desks: how many desks may give orders.

    Raises:
        HallError: the folder has files, or cannot be written.
    """
    files = HallFiles.make(folder / "hall", TRIAL, (LOOPBACK, "localhost"), passphrase=None)
    for number in range(1, desks + 1):
        files.admit(_desk(number))
    made_clocks = _members(files, CLOCK, [folder / f"clock-{number}" for number in range(1, clocks + 1)])
    made_stations = _members(files, STATION, [folder / f"station-{number}" for number in range(1, stations + 1)])
    return CompleteHall(files, made_clocks, made_stations)


def _members(files: HallFiles, kind: str, folders: Sequence[Path]) -> tuple[HallMember, ...]:
    return tuple(add_member(files, kind, folder) for folder in folders)


def add_member(files: HallFiles, kind: str, folder: Path) -> HallMember:
    """Enrol a device of ``kind`` (``topics.CLOCK`` or ``topics.STATION``) with its own key, in a new ``folder``."""
    folder.mkdir(parents=True)
    key = load_key(folder / "device.pem", kind)
    identity = files.admit(key.device)
    credential = files.authority.credential(key.device, key.public)
    text = trust_text(key.device, files.authority.hall, key_text(files.authority.key.public_key()), files.director_public(), credential)
    write_whole(folder / "hall.toml", text.encode(), _OWNER_ONLY)
    return HallMember(key.device, folder, folder / "device.pem", folder / "hall.toml", identity)


def _desk(number: int) -> str:
    return f"desk-{number}"
