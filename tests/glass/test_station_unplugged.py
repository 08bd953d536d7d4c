"""Touch and keyboard pulled and plugged in again in the middle of a challenge, with fingers and keys down: what was typed stands, and the page answers again."""

import re
import time
from typing import Final

import pytest

from tests.glass.challenges import QUESTIONS, Players
from tests.glass.fingers import FULL
from tests.glass.gaps import gap, passing
from tests.glass.machine import Machine
from tests.glass.panels import KEYBOARD, TOUCH
from tests.glass.stations import station, twin_of
from tests.machine.figures import Figures

pytestmark = pytest.mark.timeout(3600)
DEVICES: Final = {TOUCH: "QEMU Virtio MultiTouch", KEYBOARD: "QEMU Virtio Keyboard"}
REPEATS_S: Final = 1
"""In so long the kernel has repeated a key many times: from a quarter of a second on, 33 times a second."""
NONSENSE: Final = ((0, -1, -1), (1, FULL + 1, FULL // 2), (2, 1 << 20, 1 << 20), (3, -(1 << 30), (1 << 31) - 1), (4, FULL // 2, -FULL))
"""Slots and positions outside of the panel."""


def test_touch_and_keyboard_are_pulled_and_plugged_in_again(kiosk: Machine) -> None:
    players = Players(kiosk)
    players.tap(*QUESTIONS, "challenger.left")
    players.spell("TI")
    pulled_in_mid_touch(players)
    players.spell("LE")
    players.tap("next")
    nonsense(players)
    players.spell("Z")
    # The keyboard too: with a letter down, which repeats as long as it is, and with Ctrl down, which makes a command of each other key.
    for held in ("a", "ctrl"):
        pulled_in_mid_key(players, held)
    players.type("z")
    players.key("return", "return")  # after an empty word it finishes
    assert players.twin.page.name == "checking"
    # All that stands between the page and the verdict is a keyboard that is gone: touch does it.
    kiosk.unplug(KEYBOARD)
    players.see("the-keyboard-is-gone")
    players.tap("adjudicate", "done")
    shows_its_name_meanwhile(players)
    known(kiosk, KEYBOARD)
    players.key("return")


def shows_its_name_meanwhile(players: Players) -> None:
    """The keyboard is plugged in: SDL opens the panel anew, and its own first picture is black. The name follows, until the page stands there again."""
    machine, name = players.machine, "the name of tilekiosk"
    page = list(station(machine.painted, players.twin)(machine.now()))
    machine.plug(KEYBOARD)
    assert passing(machine, {"the page": page}, [name, "the page"])[-2:] == [name, "the page"], f"look at {machine.album.folder}"


def pulled_in_mid_touch(players: Players) -> None:
    """The panel's cable is pulled under a finger that is on a key, and one on nothing: those touches never end."""
    machine = players.machine
    players.wait()
    machine.fingers.down(0, *players.twin.middle("next"))
    machine.fingers.down(1, *players.nowhere(1)[0])
    players.see("a-finger-on-next", pressed={"next"})
    machine.unplug(TOUCH)
    gone(machine, TOUCH)
    players.see("touch-is-gone")
    # The keyboard goes on meanwhile.
    players.type("l")
    players.key("backspace")
    machine.plug(TOUCH)
    known(machine, TOUCH)
    machine.fingers.up(0)
    machine.fingers.up(1)
    players.still("touch-is-back")


def nonsense(players: Players) -> None:
    """A touch controller that reports positions outside of the panel, and slots that it does not have."""
    for place in NONSENSE:
        players.machine.fingers.report(*place)
    players.still("after-nonsense")


def pulled_in_mid_key(players: Players, held: str) -> None:
    """The keyboard is pulled while a key is down: it does not repeat for ever, and means nothing once it is plugged in again."""
    machine = players.machine
    machine.keys.down(held)
    if held == "a":
        players.twin.type("a")
        # Held, it is one letter, however often the kernel repeats it.
        time.sleep(REPEATS_S)
        players.still("a-is-held")
    machine.unplug(KEYBOARD)
    gone(machine, KEYBOARD)
    players.still(f"the-keyboard-is-gone-with-{held}-held")
    machine.plug(KEYBOARD)
    known(machine, KEYBOARD)
    machine.keys.up(held)
    if held == "a":
        players.key("backspace")
    players.type("a")
    players.key("backspace")


def gone(machine: Machine, name: str) -> None:
    machine.waits(lambda: _node(machine, name) is None, f"no {name}")


def known(machine: Machine, name: str) -> None:
    """Wait until the station has a device open, which was plugged in: once to sleep on it, and once by SDL."""

    def opened() -> bool:
        node = _node(machine, name)
        pid = machine.run("systemctl", "show", "--property=MainPID", "--value", "tilekiosk").strip()
        return node is not None and _opened(machine, pid, node) == 2

    machine.waits(opened, f"the station to have {name} open")


def _opened(machine: Machine, pid: str, node: str) -> int:
    # It may fail: while the station reopens the panel, descriptors are there and gone.
    return machine.run("find", f"/proc/{pid}/fd", "-lname", node, fails=True).count("\n")


def _node(machine: Machine, name: str) -> str | None:
    devices = machine.read("/proc/bus/input/devices").decode().split("\n\n")
    found = [re.search(r"Handlers=.*\b(event\d+)", each) for each in devices if DEVICES[name] in each]
    return next((f"/dev/input/{each[1]}" for each in found if each), None)


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
    players.key("return", "return")
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
    machine.shot(f"{what}-before-the-kill")
    machine.run("systemctl", "kill", "--signal=KILL", "tilekiosk")
    # A verdict's seconds may go on until then.
    last = list(station(machine.painted, players.twin)(machine.now()))
    seen = gap(machine, {STOOD: last})
    figures.add(f"a station killed, {what}, in the machine's seconds: {seen.said(began)}")
    # Nothing else stands there meanwhile, and what has gone does not come up again.
    assert STOOD not in [name for name, _ in seen.stood[1:]], seen
    assert seen.back in list(station(machine.painted, twin_of(machine.painted, machine.now))(seen.until)), machine.album.folder
    return Players(machine)
