"""Keys that mean something to a kernel or a desktop, pressed at a station in the middle of a challenge; and a station that is killed there."""

from typing import Final

import pytest

from tests.glass.challenges import QUESTIONS, Players
from tests.glass.gaps import gap
from tests.glass.machine import Machine
from tests.glass.stations import station, twin_of
from tests.machine.figures import Figures

pytestmark = pytest.mark.timeout(3600)
STOOD: Final = "what stood there"
SEQUENCES: Final = (
    *(("ctrl", "alt", "f2"), ("alt", "f2"), ("alt", "right"), ("alt", "tab"), ("ctrl", "tab"), ("ctrl", "c"), ("ctrl", "z")),
    *(("alt", "f4"), ("alt", "sysrq"), ("alt", "sysrq", "b"), ("meta_l", "l"), ("print",), ("ctrl", "alt", "backspace")),
    *(("ctrl", "alt", "delete"),) * 8,
)
"""Seven Ctrl+Alt+Del in 2 s are a burst, for which systemd has an action of its own."""


def test_keys_of_a_desktop_do_nothing_and_a_killed_station_leaves_no_words(kiosk: Machine, figures: Figures) -> None:
    boot = kiosk.read("/proc/sys/kernel/random/boot_id")
    kiosk.run("sh", "-c", "echo another console > /dev/tty2")
    players = Players(kiosk)
    players.tap(*QUESTIONS, "challenger.left")
    players.type("tile")
    keys_do_nothing(players)
    players = killed(players, figures, "with words that are typed")
    players.tap(*QUESTIONS, "challenger.left")
    players.type("qi")
    players.key("return")
    # Tab adjudicates here, and F2 calls the director.
    keys_do_nothing(players)
    players.key("tab")
    assert players.twin.page.name == "verdict"
    keys_do_nothing(players)
    killed(players, figures, "with a verdict")
    assert kiosk.read("/proc/sys/kernel/random/boot_id") == boot
    rows = kiosk.run("tilekiosk", "log", "list", "--kind", "lookup").splitlines()
    assert len(rows) == 1, rows


def keys_do_nothing(players: Players) -> None:
    players.wait()
    for keys in SEQUENCES:
        players.machine.keys.press(*keys)
    players.still(f"{players.twin.page.name}-after-the-keys")
    assert players.machine.read("/sys/class/tty/tty0/active").strip() == b"tty1"


def killed(players: Players, figures: Figures, what: str) -> Players:
    """Kill the station, account for every picture until the next one's first page stands there, and return players before that one."""
    machine, began = players.machine, players.machine.now()
    last = [machine.shot(f"{what}-before-the-kill")]
    machine.run("systemctl", "kill", "--signal=KILL", "tilekiosk")
    seen = gap(machine, {STOOD: last})
    figures.add(f"a station killed, {what}, in the machine's seconds: {seen.said(began)}")
    # Nothing else stands there meanwhile, and what has gone does not come up again.
    assert STOOD not in [name for name, _ in seen.stood[1:]], seen
    assert seen.back in list(station(machine.painted, twin_of(machine.painted, machine.now))(seen.until)), machine.album.folder
    return Players(machine)
