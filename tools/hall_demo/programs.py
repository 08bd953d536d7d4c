"""The programs of the hall for trying out: their settings, their command lines, and each as a child process with its log in a file, ended by a signal."""

import json
import os
import pwd
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any, Final, NoReturn

from msgspec import Struct

from appliance.process import ENDING
from faults.errors import TileclockError
from hall.keys.files import COMMAND_LINE, unlock_director
from tools.station_demo.beside import bound
from tools.trial_broker import LOOPBACK, Broker, CompleteHall, HallMember
from tools.windows import POSITION, SMALL, STATION, position

_PATIENCE_S: Final = 10.0


class HallDemoError(TileclockError, RuntimeError):
    """A program of the hall for trying out fails."""


class ChildProgram(Struct, frozen=True):
    """A running program."""

    process: subprocess.Popen[bytes]
    log: Path

    def require_well(self) -> None:
        """Raise if it has failed."""
        if (code := self.process.poll()) is not None and code > 0:
            found = self.log.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
            raise HallDemoError(where=self.log.stem, expected="that it goes on", found=found or f"exit code {code}")


@contextmanager
def running(
    words: Sequence[str], log: Path, place: tuple[int, int] = (0, 0), environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[ChildProgram]:
    """Run a program, which ends with this one, even if this is killed; ``environment`` is added to its own."""
    with log.open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 - our own programs
            words,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env={**os.environ, POSITION: position(*place), **environment},
            preexec_fn=bound(),  # noqa: PLW1509 - there are no other threads
        )
    try:
        yield ChildProgram(process, log)
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Have the first signal end the program in order; further ones change nothing."""
    before = {each: signal.signal(each, _exit) for each in ENDING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _exit(_signal: int, _frame: FrameType | None) -> NoReturn:
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(0)


DIRECTOR: Final = "director"
_PASSWORD_BYTES: Final = 5
"""Twice as many characters, the fewest that the desk takes."""


def socket_of(member: HallMember) -> Path:
    """Return the local socket of a clock or a station."""
    return member.folder / "s"


def clock_settings(member: HallMember, table: int, size: tuple[int, int] = SMALL) -> dict[str, Any]:
    """Return the settings of the clock of a table, by their dotted names."""
    return {
        "board.pins": "none",
        "screen.fullscreen": False,
        "screen.width": size[0],
        "screen.height": size[1],
        "journal.path": str(member.folder / "journal.db"),
        "hall.name": f"Clock {table}",
        "hall.table": table,
        **_hall(member),
    }


def station_settings(member: HallMember, pin: str, size: tuple[int, int] = STATION) -> dict[str, Any]:
    """Return the settings of the station.

    Args:
        member: the station.
        pin: the hash of the director's PIN.
        size: of its window.
    """
    from lexicon.practice import PRACTICE  # noqa: PLC0415 - the parent of the windows needs no lexicon

    return {
        "door.pin": pin,
        "lexicon.path": str(PRACTICE),
        "lexicon.folder": str(PRACTICE.parent),
        "log.path": str(member.folder / "station.db"),
        "log.export": str(member.folder),
        "screen.fullscreen": False,
        "screen.width": size[0],
        "screen.height": size[1],
        **_hall(member),
    }


def write_settings(path: Path, settings: dict[str, Any]) -> Path:
    """Write settings as a file of a program, and return its path."""
    # JSON's strings, integers and booleans are TOML's too.
    path.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items()), encoding="utf-8")
    return path


def run_words(package: str, settings: Path) -> Sequence[str]:
    """Return the command line of a clock (``firmware``) or a station (``kiosk``)."""
    return (*_python(f"{package}.cli"), "run", "--settings", str(settings))


def link_words(member: HallMember, broker: Broker) -> Sequence[str]:
    """Return the command line of a device's link."""
    return (*_hall_words("link", member.identity.key.parent, broker), "--socket", str(socket_of(member)))


def order_words(hall: CompleteHall, broker: Broker, book: Path, http: int) -> Sequence[str]:
    """Return the command line of an order that gives a clock its players, without which and whom; ``http``: the port of the desk's listener."""
    key = hall.files.identity(COMMAND_LINE).key
    return (
        *(*_python("hall.cli"), "order", "assign", "--folder", str(key.parent), "--host", broker.host, "--port", str(broker.port)),
        *("--http", str(http), "--key", str(hall.files.director), "--book", str(book)),
    )


def desk_words(hall: CompleteHall, broker: Broker, folder: Path, port: int) -> Sequence[str]:
    """Return the command line of the desk, whose pages are at ``port`` and show everything to anybody at this machine; its files are in ``folder``."""
    return (
        *_hall_words("desk", hall.listener.key.parent, broker),
        *("--store", str(store_of(folder)), "--http", "0", "--address", LOOPBACK, "--pages", str(port), "--no-login"),
        *("--desk", str(hall.desk().key.parent), "--accounts", str(_accounts_of(folder))),
        *("--desk-store", str(desk_store_of(folder)), "--book", str(folder / "orders.db")),
    )


def add_director(hall: CompleteHall, folder: Path) -> str:
    """Let a ``director`` log in at the desk, and so send orders; return the password, made for this hall."""
    from hall.desk.access.accounts import Accounts, new_account  # noqa: PLC0415 - the scripted round sends none

    password = secrets.token_hex(_PASSWORD_BYTES)
    Accounts(_accounts_of(folder)).put(new_account(DIRECTOR, password, unlock_director(hall.files.director, b"")))
    return password


def _accounts_of(folder: Path) -> Path:
    return folder / "accounts.json"


def store_of(folder: Path) -> Path:
    """Return the file with the hall's rows."""
    return folder / "hall.db"


def desk_store_of(folder: Path) -> Path:
    """Return the file of the desk's own store."""
    return folder / "desk.db"


def _hall_words(verb: str, folder: Path, broker: Broker) -> Sequence[str]:
    return (*_python("hall.cli"), verb, "--folder", str(folder), "--host", broker.host, "--port", str(broker.port))


def _python(module: str) -> Sequence[str]:
    # -P: a folder with modules of other programs must not come first.
    return (sys.executable, "-P", "-m", module)


def _hall(member: HallMember) -> dict[str, Any]:
    user = pwd.getpwuid(os.geteuid()).pw_name
    return {
        "hall.enabled": True,
        "hall.link_user": user,
        "hall.socket": str(socket_of(member)),
        "hall.trust": str(member.trust),
        "hall.key": str(member.key),
    }
