"""Clock and link on one machine, broker and listener on another, all as units, and the cable between them pulled in the middle of a game."""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from tests.machine.debian import run
from tests.machine.figures import Figures
from tests.packaged.container import Machine, machine
from wire.keys import load_key
from wire.topics import CLOCK as CLOCK_KIND

CLOCK: Final = "tileclock.service"
LINK: Final = "tilehall-link@tileclock.service"
LISTENER: Final = "tilehall-listen.service"
DESK: Final = "tilehall-desk.service"
BROKER: Final = "mosquitto.service"
HALL_ADDRESS: Final = "10.77.0.1"
TABLE_ADDRESS: Final = "10.77.0.2"
JOURNAL: Final = "var/lib/tileclock/journal.db"
STORE: Final = "var/lib/tilehall/hall.db"
LINK_FOLDER: Final = "var/lib/tilehall/link"
COPY: Final = "root/journal.db"
"""Of the clock's journal, in the hall. Not in /tmp: systemd-nspawn mounts its own there."""
AT_TABLE: Final = {
    "etc/tileclock/clock.toml": '[board]\npins = "none"\n[screen]\nkind = "terminal"\n[hall]\nenabled = true\ntable = 12\n',
    "etc/tileclock/hall.toml": f'[broker]\nhost = "{HALL_ADDRESS}"\n',
}
IN_HALL: Final = {"etc/tileclock/hall.toml": '[broker]\nhost = "127.0.0.1"\n'}
RIGHT_AND_LEFT: Final = "la"
PRESSES: Final = 3
"""So many in each part of the game."""


def test_the_cable_is_pulled_in_a_game_and_every_row_arrives_once_it_is_back(figures: Figures) -> None:
    with (
        cable() as (here, there),
        machine(LISTENER, files=IN_HALL, also=("mosquitto",)) as hall,
        machine(CLOCK, LINK, files=AT_TABLE) as table,
    ):
        hall.connect(there, f"{HALL_ADDRESS}/24")
        table.connect(here, f"{TABLE_ADDRESS}/24")
        begin(hall)
        table.ready(CLOCK)
        device = enrol(hall, table)
        table.until(lambda: "Connected with the broker of hall cambridge" in stands(table), "the link to be connected")
        play(table)
        arrived(hall, table)
        assert status(hall) == (0, 1)
        before = table.ready(CLOCK)
        table.unplug(here)
        shows(table, "hall not reached")
        hall.until(lambda: status(hall)[0] == 1, "the listener to call the clock stale")
        had = rows(hall, STORE)
        play(table)
        assert rows(hall, STORE) == had < rows(table, JOURNAL)
        table.plug(here)
        shows(table, "table 12 · hall")
        arrived(hall, table)
        hall.until(lambda: status(hall) == (0, 1), "the listener to hear the clock again")
        assert table.ready(CLOCK) == before, "the clock went on all the time"
        with closing(opened(table, JOURNAL)) as journal, closing(sqlite3.connect(hall.root / COPY)) as copy:
            journal.backup(copy)
        said = hall.inside("tilehall", "verify", f"/{COPY}")
        assert said.startswith(f"The hall holds the same {rows(table, JOURNAL)} rows of {device}.")
        figures.add(f"clock, link, mosquitto and listener as units, cable pulled and back: {said.strip()}")


def test_the_desk_takes_the_listeners_place_with_accounts_and_an_import_that_root_has_made(figures: Figures) -> None:
    with machine(LISTENER, files={**IN_HALL, "root/players.csv": "name\nAnn\nBo\n"}, also=("mosquitto",)) as hall:
        begin(hall)
        hall.inside("systemctl", "stop", LISTENER)
        # As before the first start of any service.
        hall.inside("sh", "-c", f"rm -f /{STORE}*")
        hall.inside("tilehall", "event", "import", "/root/players.csv")
        hall.inside("sh", "-c", "echo nine racks of tiles | tilehall account add jo --role deputy")
        hall.inside("systemctl", "start", LISTENER)
        hall.ready(LISTENER)
        hall.inside("systemctl", "start", DESK)
        hall.ready(DESK)
        assert hall.inside("systemctl", "is-active", LISTENER, check=False).strip() == "inactive"
        log_in = """
import http.cookiejar, re, urllib.parse, urllib.request
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
desk = "http://127.0.0.1:8420"
page = browser.open(desk + "/login").read().decode()
form = {"name": "jo", "password": "nine racks of tiles", "next": "/round"}
print(browser.open(desk + "/login", urllib.parse.urlencode(form).encode()).geturl())
"""
        assert hall.inside("python3", "-c", log_in).strip() == "http://127.0.0.1:8420/round"
        assert "2 players" in hall.inside("tilehall", "event", "show")
        owners = hall.inside("sh", "-c", "cd /var/lib/tilehall; stat --format=%U hall.db accounts.json desk.db orders.db").split()
        assert set(owners) == {"tilehall"}
        exposure = hall.inside("systemd-analyze", "security", "--no-pager", DESK).splitlines()[-1]
        figures.add(f"the desk as a unit in the listener's place, with accounts and an import made by root: {exposure.strip()}")


@contextmanager
def cable() -> Iterator[tuple[str, str]]:
    ends = f"tile{os.getpid()}a", f"tile{os.getpid()}b"
    run("ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
    try:
        yield ends
    finally:
        # With the first machine whose end it was it is gone.
        subprocess.run(["ip", "link", "delete", ends[0]], capture_output=True, check=False)


def begin(hall: Machine) -> None:
    said = hall.inside("sh", "-c", f"echo a long passphrase | tilehall init cambridge --host {HALL_ADDRESS}")
    for command in re.findall(r"^ +sudo (.*)$", said, re.MULTILINE):
        hall.inside("sh", "-c", command)
    hall.ready(BROKER)
    # It was started without its certificate, and is started again until it has one.
    hall.ready(LISTENER)


def enrol(hall: Machine, table: Machine) -> str:
    device = load_key(table.root / "var/lib/tileclock/device.pem", CLOCK_KIND).device
    issue = f"from pathlib import Path; from hall.keys.files import HallFiles; HallFiles.load(Path('/etc/tilehall')).admit('{device}')"
    hall.inside("env", "PYTHONPATH=/usr/lib/tileclock:/usr/lib/tileclock-libraries", "python3", "-c", issue)
    for name in ("ca.pem", "certificate.pem", "key.pem"):
        shutil.copy(hall.root / "etc/tilehall/names" / device / name, table.root / LINK_FOLDER)
    table.inside("chown", "--recursive", "tilehall:", f"/{LINK_FOLDER}")
    return device


def play(table: Machine) -> None:
    for _ in range(PRESSES):
        for key in RIGHT_AND_LEFT:
            had = rows(table, JOURNAL)
            table.press(key)
            table.until(lambda had=had: rows(table, JOURNAL) > had, "the press to be in the journal")  # type: ignore[misc]


def shows(table: Machine, sign: str) -> None:
    seen = len(table.console)
    table.until(lambda: sign in table.console[seen:], f"the clock to show {sign!r}")


def rows(place: Machine, file: str) -> int:
    if not (place.root / file).exists():
        return 0
    with closing(opened(place, file)) as connection:
        return int(connection.execute("SELECT count(*) FROM rows").fetchone()[0])


def opened(place: Machine, file: str) -> sqlite3.Connection:
    """Open a machine's file for reading only: as its last user, a writer would delete the WAL."""
    return sqlite3.connect(f"file:{place.root / file}?mode=ro", uri=True)


def arrived(hall: Machine, table: Machine) -> None:
    hall.until(lambda: rows(hall, STORE) == rows(table, JOURNAL), "every row to be at the listener")


def stands(table: Machine) -> str:
    return table.of_unit(LINK, "StatusText")["StatusText"]


def status(hall: Machine) -> tuple[int, int]:
    said = hall.inside("sh", "-c", "tilehall status; echo code $?")
    (code,), (devices,) = re.findall(r"code (\d+)", said), re.findall(r"(\d+) devices?", said)
    return int(code), int(devices)
